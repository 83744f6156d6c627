-- Runs: from here on the mark in a file (see 0020) says which start of a server wrote it. A program that does not know runs must not open the file:
-- it would take the mark for damaged. Numbers are given out in order from here on, without gaps.

-- +goose Up

UPDATE mark SET value = value WHERE id = 1;
