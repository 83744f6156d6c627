-- A team's newest games, whichever of the two teams it was.

-- +goose Up

CREATE INDEX games_of_team1 ON games (team1, end_no) WHERE team1 <> 0;
CREATE INDEX games_of_team2 ON games (team2, end_no) WHERE team1 <> 0;
