-- Reports of one person about one other are one row; guests are one reporter.

-- +goose Up

ALTER TABLE reports ADD COLUMN skeleton TEXT NOT NULL DEFAULT ''; -- what the name looks like; empty in reports of before
ALTER TABLE reports ADD COLUMN times INTEGER NOT NULL DEFAULT 1;
UPDATE reports SET player = 0 WHERE player < 0;
CREATE INDEX reports_of ON reports (player, skeleton);
CREATE INDEX reports_from ON reports (player, at, id);
CREATE INDEX reports_by_time ON reports (at, id);
