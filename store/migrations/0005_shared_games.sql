-- Games of a number of rounds may end with equal highest scores: such a game is shared, neither won nor lost.

-- +goose Up

ALTER TABLE standings ADD COLUMN shared INTEGER NOT NULL DEFAULT 0;
