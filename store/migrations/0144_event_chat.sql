-- What is said at an event, beside the lobby's chat.

-- +goose Up

ALTER TABLE lobby_chat ADD COLUMN event INTEGER NOT NULL DEFAULT 0; -- at which it was said, 0 for the lobby
CREATE INDEX lobby_chat_at ON lobby_chat (event, seq);
