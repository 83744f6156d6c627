-- Where a club on several machines stands in the log that they share, and which entries of it have been applied lately.

-- +goose Up

CREATE TABLE replica (
	id       INTEGER PRIMARY KEY CHECK (id = 1),
	position INTEGER NOT NULL, -- of the last entry that has been applied
	epoch    INTEGER NOT NULL, -- counts the claims; entries of an earlier one are refused
	owner    TEXT NOT NULL     -- the node that made the last claim
) STRICT;

INSERT INTO replica (id, position, epoch, owner) VALUES (1, 0, 0, '');

CREATE TABLE replica_entries (
	id       TEXT PRIMARY KEY,
	position INTEGER NOT NULL
) STRICT, WITHOUT ROWID;

CREATE INDEX replica_entries_position ON replica_entries (position);
