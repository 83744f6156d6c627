-- A migration that adds something to the standings, or computes them another way, orders that they be computed again: it
-- sets the row 'rebuild' of numbers to 1. The server does it at that start, before anybody comes in.
-- This one does so for files to which the standings came when they had games already.

-- +goose Up

INSERT INTO numbers (name, last) SELECT 'rebuild', EXISTS (SELECT 1 FROM games WHERE rated AND winner <> 0) AND NOT EXISTS (SELECT 1 FROM standings);
