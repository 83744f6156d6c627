-- What a game did to the standings, as its players read it when it ended: the table's own state is written with the game's
-- last lines and cannot hold it yet.

-- +goose Up

ALTER TABLE games ADD COLUMN changes TEXT; -- JSON; NULL before the end, and for games that ended before this column was there
