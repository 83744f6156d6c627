-- Standings. All of this is computed from the rated games in the order in which they ended, and can be thrown away and
-- computed again (sshd rebuild).

-- +goose Up

-- Two players who sat as partners at open tables, numbered in the order of their first rated game.
CREATE TABLE pairs (
    id     INTEGER PRIMARY KEY,
    first  INTEGER NOT NULL,           -- the lower number
    second INTEGER NOT NULL,
    UNIQUE (first, second),
    CHECK (first < second)
) STRICT;

CREATE TABLE standings (
    kind        TEXT    NOT NULL CHECK (kind IN ('player', 'pair', 'team')),
    game        TEXT    NOT NULL,      -- a preset, or empty for all games
    month       TEXT    NOT NULL,      -- such as 2026-11 (UTC), or empty for all time
    id          INTEGER NOT NULL,      -- of the player, pair or team
    mu          REAL    NOT NULL,
    sigma       REAL    NOT NULL,
    provisional INTEGER NOT NULL CHECK (provisional IN (0, 1)),
    games       INTEGER NOT NULL,
    won         INTEGER NOT NULL,
    points      INTEGER NOT NULL,
    against     INTEGER NOT NULL,
    streak      INTEGER NOT NULL,      -- wins in a row; losses are negative
    last        TEXT    NOT NULL,      -- how the last games ended, such as WWLWL, the newest last
    course      TEXT    NOT NULL,      -- JSON: the last ratings as shown, the newest last
    PRIMARY KEY (kind, game, month, id)
) STRICT, WITHOUT ROWID;
CREATE INDEX standings_order ON standings (kind, game, month, provisional, mu DESC, sigma, id);

-- The months in which rated games ended.
CREATE TABLE months (
    month TEXT PRIMARY KEY,
    games INTEGER NOT NULL
) STRICT, WITHOUT ROWID;
