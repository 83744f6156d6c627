-- Events: the deal of a day, arenas, leagues, cups. What happens in one is a journal; its games are games like any other.

-- +goose Up

CREATE TABLE events (
    id     INTEGER PRIMARY KEY,
    kind   TEXT    NOT NULL,
    key    TEXT    NOT NULL,           -- tells events of a kind apart
    begins INTEGER NOT NULL,
    ends   INTEGER,                    -- as planned
    config TEXT    NOT NULL,           -- JSON, as the kind wants it
    secret TEXT    NOT NULL,           -- kept from everybody until the event is over
    over   INTEGER NOT NULL DEFAULT 0 CHECK (over IN (0, 1)),
    UNIQUE (kind, key)
) STRICT;
CREATE INDEX events_held ON events (id) WHERE over = 0;
CREATE INDEX events_of_kind ON events (kind, id);

CREATE TABLE event_log (
    event INTEGER NOT NULL REFERENCES events (id),
    seq   INTEGER NOT NULL,            -- from 1, without gaps
    at    INTEGER NOT NULL,
    kind  TEXT    NOT NULL,
    data  TEXT    NOT NULL,            -- JSON
    PRIMARY KEY (event, seq)
) STRICT, WITHOUT ROWID;

ALTER TABLE games ADD COLUMN event INTEGER NOT NULL DEFAULT 0;   -- for which it is played, 0 for none
ALTER TABLE games ADD COLUMN pairing INTEGER NOT NULL DEFAULT 0; -- which of the event's games it is
ALTER TABLE games ADD COLUMN sealed INTEGER NOT NULL DEFAULT 0;  -- 1: nobody reads of it until the event is over
CREATE INDEX games_of_event ON games (event, end_no) WHERE event <> 0;
