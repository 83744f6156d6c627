-- What the coach said about a member's decisions in a finished game, so that it need not look again.

-- +goose Up

CREATE TABLE reviews (
    player   INTEGER NOT NULL,
    game     INTEGER NOT NULL,
    version  INTEGER NOT NULL,         -- of the coach; what an older one said is not used
    accuracy REAL    NOT NULL,         -- from 0 to 100
    report   TEXT    NOT NULL,         -- JSON
    PRIMARY KEY (player, game)
) STRICT, WITHOUT ROWID;
