-- What a club on several machines was when its log began: nodes that began otherwise are no nodes of one club.

-- +goose Up

ALTER TABLE replica ADD COLUMN base TEXT NOT NULL DEFAULT ''; -- digest of the file before the first entry; empty: it has not followed a log
