-- Members of the club, their keys and their teams.

-- +goose Up

CREATE TABLE accounts (
    id       INTEGER PRIMARY KEY AUTOINCREMENT,
    name     TEXT    NOT NULL,
    skeleton TEXT    NOT NULL UNIQUE,  -- what the name looks like: two that look alike are one
    key      BLOB    NOT NULL UNIQUE CHECK (length(key) = 32),
    bot      INTEGER NOT NULL DEFAULT 0 CHECK (bot IN (0, 1)),
    created  INTEGER NOT NULL,
    seen     INTEGER NOT NULL,
    settings TEXT    NOT NULL          -- JSON
) STRICT;

CREATE TABLE teams (
    id           INTEGER PRIMARY KEY AUTOINCREMENT,
    name         TEXT    NOT NULL,
    skeleton     TEXT    NOT NULL UNIQUE,
    tag          TEXT    NOT NULL,
    tag_skeleton TEXT    NOT NULL UNIQUE,
    captain      INTEGER NOT NULL REFERENCES accounts (id),
    created      INTEGER NOT NULL,
    ended        INTEGER               -- when the last member left; its games and its name stay its own
) STRICT;

-- The key makes sure that a member plays for one team at most.
CREATE TABLE team_members (
    player INTEGER PRIMARY KEY REFERENCES accounts (id),
    team   INTEGER NOT NULL REFERENCES teams (id) ON DELETE CASCADE,
    joined INTEGER NOT NULL
) STRICT;
CREATE INDEX team_members_of ON team_members (team, joined);

CREATE TABLE invitations (
    team    INTEGER NOT NULL REFERENCES teams (id) ON DELETE CASCADE,
    player  INTEGER NOT NULL REFERENCES accounts (id),
    inviter INTEGER NOT NULL REFERENCES accounts (id),
    at      INTEGER NOT NULL,
    PRIMARY KEY (team, player)
) STRICT, WITHOUT ROWID;
CREATE INDEX invitations_to ON invitations (player, at);
