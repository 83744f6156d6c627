-- The lobby's chat, the club's news, and moderation.

-- +goose Up

CREATE TABLE lobby_chat (
    seq     INTEGER PRIMARY KEY AUTOINCREMENT,
    at      INTEGER NOT NULL,
    speaker TEXT    NOT NULL,          -- JSON
    text    TEXT    NOT NULL,
    house   INTEGER NOT NULL CHECK (house IN (0, 1))
) STRICT;

CREATE TABLE news (
    id   INTEGER PRIMARY KEY AUTOINCREMENT,
    at   INTEGER NOT NULL,
    kind TEXT    NOT NULL,
    text TEXT    NOT NULL,
    game INTEGER NOT NULL              -- 0 for none
) STRICT;

CREATE TABLE sanctions (
    id       INTEGER PRIMARY KEY AUTOINCREMENT,
    kind     TEXT    NOT NULL,
    player   INTEGER NOT NULL,         -- 0: not a member
    name     TEXT    NOT NULL,
    skeleton TEXT    NOT NULL,
    key      BLOB CHECK (length(key) = 32),
    net      TEXT    NOT NULL,
    until    INTEGER,                  -- NULL: for good
    why      TEXT    NOT NULL,
    actor    TEXT    NOT NULL,         -- the operator
    at       INTEGER NOT NULL,
    lifted   INTEGER                   -- when an operator ended it
) STRICT;
CREATE INDEX sanctions_in_force ON sanctions (until) WHERE lifted IS NULL;

CREATE TABLE audit (
    id   INTEGER PRIMARY KEY AUTOINCREMENT,
    at   INTEGER NOT NULL,
    actor TEXT   NOT NULL,             -- the operator
    did  TEXT    NOT NULL,
    whom TEXT    NOT NULL,
    why  TEXT    NOT NULL
) STRICT;

CREATE TABLE reports (
    id    INTEGER PRIMARY KEY AUTOINCREMENT,
    at    INTEGER NOT NULL,
    player INTEGER NOT NULL,           -- who complains
    about TEXT    NOT NULL,
    text  TEXT    NOT NULL,
    place TEXT    NOT NULL             -- where it happened
) STRICT;
