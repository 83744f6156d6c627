-- What ratings need to know of a game beside its result, and who met whom on the day of the last rated game.

-- +goose Up

ALTER TABLE games ADD COLUMN fair INTEGER NOT NULL DEFAULT 0;    -- the rules by which the game is rated: 0, as all were before this column was there, or 1
ALTER TABLE games ADD COLUMN leavers TEXT NOT NULL DEFAULT '[]'; -- JSON: the seats whose players had left, or were absent, when the game ended
ALTER TABLE games ADD COLUMN plays TEXT NOT NULL DEFAULT '[]';   -- JSON: tiles played, by seat
ALTER TABLE games ADD COLUMN own TEXT NOT NULL DEFAULT '[]';     -- JSON: those that the seat's player chose, by seat

-- Computed from the rated games, as the standings are.
CREATE TABLE meetings (
    day    TEXT    NOT NULL,           -- such as 2026-11-21 (UTC)
    kind   TEXT    NOT NULL CHECK (kind IN ('player', 'pair', 'team')),
    first  INTEGER NOT NULL,           -- two opponents, the lower number first
    second INTEGER NOT NULL,
    games  INTEGER NOT NULL,
    PRIMARY KEY (day, kind, first, second)
) STRICT, WITHOUT ROWID;
