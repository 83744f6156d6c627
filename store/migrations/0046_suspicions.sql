-- The last rated games, for the operators' list of what may be a trick.

-- +goose Up

CREATE INDEX games_rated ON games (ended) WHERE rated AND end_no IS NOT NULL;
