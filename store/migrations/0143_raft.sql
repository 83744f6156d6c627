-- The nodes of a club have a new log, which begins with their files. Those that had come equally far in the one before are one club.

-- +goose Up

ALTER TABLE replica ADD COLUMN seq INTEGER NOT NULL DEFAULT 0; -- of the owner's last entry in the epoch; others but the next are sent again
UPDATE replica SET base = 'entry ' || position || ' of the log before', position = 0, epoch = 0, owner = '' WHERE id = 1 AND position > 0;
DROP TABLE replica_entries;
