-- The points of a best play stand beside the sentence that tells them; those of older news are its first word.

-- +goose Up

ALTER TABLE news ADD COLUMN points INTEGER NOT NULL DEFAULT 0;
UPDATE news SET points = CAST(text AS INTEGER) WHERE kind = 'best';
