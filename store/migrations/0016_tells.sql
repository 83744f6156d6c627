-- What members were told while they were away. A line goes when it has been read.

-- +goose Up

CREATE TABLE tells (
    id      INTEGER PRIMARY KEY AUTOINCREMENT,
    player  INTEGER NOT NULL,          -- who is to read it
    sender  INTEGER NOT NULL,
    at      INTEGER NOT NULL,
    speaker TEXT    NOT NULL,          -- JSON
    text    TEXT    NOT NULL
) STRICT;
CREATE INDEX tells_to ON tells (player, sender);
CREATE INDEX tells_in_order ON tells (player, id);
