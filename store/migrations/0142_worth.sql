-- What an opponent is worth to a rating (docs/ratings.md).

-- +goose Up

ALTER TABLE games ADD COLUMN nets TEXT NOT NULL DEFAULT '[]'; -- JSON: the networks that the players came from, hashed, by seat; only of rated games with fair >= 2

-- Computed from the rated games, as the standings are.
CREATE TABLE networks_met (
    player  INTEGER NOT NULL,
    network TEXT    NOT NULL,          -- of an opponent; no more than are needed to be proven
    at      INTEGER NOT NULL,          -- when the game ended
    PRIMARY KEY (player, network)
) STRICT, WITHOUT ROWID;

-- How much of a rating came from where, in all.
CREATE TABLE balances (
    kind   TEXT    NOT NULL CHECK (kind IN ('player', 'pair', 'team')),
    game   TEXT    NOT NULL,           -- as in standings
    id     INTEGER NOT NULL,
    source TEXT    NOT NULL,           -- a proven opponent, or the network of those that are not
    mu     REAL    NOT NULL,
    PRIMARY KEY (kind, game, id, source)
) STRICT, WITHOUT ROWID;
