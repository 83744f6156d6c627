-- Tables, their games, and the journal: every line of every game's record (docs/record.md).
-- Times are nanoseconds since 1970, in UTC; NULL is never.

-- +goose Up

-- The last number given out for each thing, so that none is ever given out twice.
CREATE TABLE numbers (
    name TEXT PRIMARY KEY,
    last INTEGER NOT NULL
) STRICT, WITHOUT ROWID;
INSERT INTO numbers (name, last) VALUES ('table', 0), ('game', 0), ('end', 0);

-- A table that is not closed. A closed one has no row.
CREATE TABLE tables (
    id    INTEGER PRIMARY KEY,
    state TEXT    NOT NULL,            -- JSON, as the table wants it back
    game  INTEGER NOT NULL DEFAULT 0   -- the last game it began, 0 for none
) STRICT;

CREATE TABLE table_chat (
    id      INTEGER PRIMARY KEY,
    tbl     INTEGER NOT NULL,
    room    TEXT    NOT NULL,
    seq     INTEGER NOT NULL,          -- counts up within the room
    at      INTEGER NOT NULL,
    speaker TEXT    NOT NULL,          -- JSON
    text    TEXT    NOT NULL,
    house   INTEGER NOT NULL CHECK (house IN (0, 1)),
    UNIQUE (tbl, room, seq)
) STRICT;
CREATE INDEX table_chat_of ON table_chat (tbl, id);

CREATE TABLE games (
    id      INTEGER PRIMARY KEY,
    tbl     INTEGER NOT NULL,
    rules   TEXT    NOT NULL,          -- the rule string
    preset  TEXT    NOT NULL,          -- its first word
    seats   TEXT    NOT NULL,          -- JSON: the players by seat
    rated   INTEGER NOT NULL CHECK (rated IN (0, 1)), -- as it began, and once it has ended as it ended
    why     TEXT    NOT NULL,          -- why it is casual
    team1   INTEGER NOT NULL,          -- of a team table, else 0
    team2   INTEGER NOT NULL,
    tag1    TEXT    NOT NULL,
    tag2    TEXT    NOT NULL,
    commitment TEXT NOT NULL,          -- to the seed
    seed    TEXT    NOT NULL,
    started INTEGER NOT NULL,
    -- What follows is NULL until the game has ended.
    ended   INTEGER,
    end_no  INTEGER UNIQUE,            -- counts the games in the order in which they ended: the order of the standings
    ending  TEXT,
    winner  INTEGER,                   -- the side, 0 for none
    scores  TEXT,                      -- JSON: points by side
    rounds  INTEGER,
    best    INTEGER,
    best_by INTEGER,
    deficit INTEGER,
    CHECK ((end_no IS NULL) = (ended IS NULL))
) STRICT;
CREATE INDEX games_of_teams ON games (team1, team2, end_no) WHERE team1 <> 0;

CREATE TABLE journal (
    game    INTEGER NOT NULL REFERENCES games (id),
    seq     INTEGER NOT NULL,          -- from 1, without gaps
    line    TEXT    NOT NULL,
    at      INTEGER NOT NULL,
    command TEXT    NOT NULL,          -- empty for what the table did itself
    player  INTEGER NOT NULL,          -- who gave the command, 0 for the table
    PRIMARY KEY (game, seq)
) STRICT, WITHOUT ROWID;

-- In which games a member sat.
CREATE TABLE game_players (
    player INTEGER NOT NULL,
    game   INTEGER NOT NULL REFERENCES games (id),
    PRIMARY KEY (player, game)
) STRICT, WITHOUT ROWID;

-- The words by which a game is found; the row is the game's number. Words are found by how they begin.
CREATE VIRTUAL TABLE game_words USING fts5 (words, content='', columnsize=0, tokenize="unicode61 remove_diacritics 2 tokenchars '-_'", prefix='1 2 3');
