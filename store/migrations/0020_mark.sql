-- The mark: which file this is, and how many transactions it has. The last ones stand in a file beside this one, too, so
-- that a part of the data that is missing, cut off or older than it was is seen.

-- +goose Up

CREATE TABLE mark (
    id    INTEGER PRIMARY KEY CHECK (id = 1),
    value BLOB    NOT NULL             -- the number of the file, the count, and a checksum; empty in a backup
) STRICT;
