package store

import (
	"context"
	"fmt"

	"boneyard/lobby"
	"boneyard/lobby/rating"
	"boneyard/table"
)

// named joins to each kind of standing the name and tag of the player or team.
var named = map[lobby.Kind]struct{ columns, join string }{
	lobby.KindPlayer: {`accounts.name AS name, '' AS tag`, `JOIN accounts ON accounts.id = s.id`},
	lobby.KindTeam:   {`teams.name AS name, teams.tag AS tag`, `JOIN teams ON teams.id = s.id`},
	lobby.KindPair: {`a.name || ' + ' || b.name AS name, '' AS tag`,
		`JOIN pairs ON pairs.id = s.id JOIN accounts a ON a.id = pairs.first JOIN accounts b ON b.id = pairs.second`},
}

// selectStandings is the beginning of a query for rows s of the standings of a kind.
func selectStandings(kind lobby.Kind) (string, error) {
	n, ok := named[kind]
	if !ok {
		return "", fmt.Errorf("there are no standings of a %q", kind)
	}
	return `SELECT s.id, ` + n.columns + `, s.mu, s.sigma, s.provisional, s.games, s.won, s.shared, s.points, s.against,
		s.streak, s.last, s.course FROM standings s ` + n.join + ` WHERE s.kind = ? AND s.game = ? AND s.month = ?`, nil
}

func scanStanding(scan scanner) (v lobby.Standing, err error) {
	var r rating.Rating
	err = scan(&v.ID, &v.Name, &v.Tag, &r.Mu, &r.Sigma, &v.Provisional, &v.Games, &v.Won, &v.Shared, &v.For,
		&v.Against, &v.Streak, &v.LastFive, asJSON{&v.History})
	v.Rating, v.Lost = r.Number(), v.Games-v.Won-v.Shared
	return v, err
}

func (s *Store) Standings(ctx context.Context, q lobby.StandingsQuery) ([]lobby.Standing, error) {
	query, err := selectStandings(q.Kind)
	if err != nil {
		return nil, during(err, "standings")
	}
	if q.Limit <= 0 {
		q.Limit = -1
	}
	all, err := collect(ctx, s.read, scanStanding, query+` ORDER BY s.provisional, s.mu DESC, s.sigma, s.id LIMIT ?`,
		string(q.Kind), q.Game, q.Month, q.Limit)
	for i := range all {
		all[i].Rank = i + 1
	}
	return all, during(err, "standings")
}

func (s *Store) Ratings(ctx context.Context, limit int) (map[table.PlayerID]int, error) {
	all := map[table.PlayerID]int{}
	err := each(ctx, s.read, func(scan scanner) error {
		var id table.PlayerID
		var r rating.Rating
		err := scan(&id, &r.Mu)
		all[id] = r.Number()
		return err
	}, `SELECT id, mu FROM standings WHERE kind = ? AND game = '' AND month = '' ORDER BY provisional, mu DESC, sigma, id LIMIT ?`,
		string(lobby.KindPlayer), limit)
	return all, during(err, "ratings")
}

func (s *Store) Standing(ctx context.Context, kind lobby.Kind, id int64) (*lobby.Standing, error) {
	one, err := s.standing(ctx, kind, id)
	return one, during(err, "standing of %s %d", kind, id)
}

// standing returns the row of one player, pair or team over all games and all time; nil if there is none.
func (s *Store) standing(ctx context.Context, kind lobby.Kind, id int64) (*lobby.Standing, error) {
	query, err := selectStandings(kind)
	if err != nil {
		return nil, err
	}
	v, err := one(ctx, s.read, scanStanding, query+` AND s.id = ?`, string(kind), "", "", id)
	switch {
	case isNone(err):
		return nil, nil
	case err != nil:
		return nil, err
	}
	err = scanRow(ctx, s.read, []any{&v.Rank}, `SELECT 1 + (`+before+`provisional < own.provisional) +
		(`+before+`provisional = own.provisional AND mu > own.mu) +
		(`+before+`provisional = own.provisional AND mu = own.mu AND sigma < own.sigma) +
		(`+before+`provisional = own.provisional AND mu = own.mu AND sigma = own.sigma AND id < own.id)
		FROM standings AS own WHERE kind = ?1 AND game = '' AND month = '' AND id = ?2`,
		string(kind), id)
	return &v, err
}

// before counts rows of the same standings as own; each count is a range of the index standings_order.
const before = `SELECT count(*) FROM standings AS other WHERE kind = ?1 AND game = '' AND month = '' AND `

func (s *Store) HeadToHead(ctx context.Context, a, b table.TeamID) (*lobby.HeadToHead, error) {
	h, err := s.headToHead(ctx, a, b)
	return h, during(err, "teams %d and %d", a, b)
}

func (s *Store) headToHead(ctx context.Context, a, b table.TeamID) (*lobby.HeadToHead, error) {
	const headGames = 20
	var h lobby.HeadToHead
	for id, v := range map[table.TeamID]*lobby.Standing{a: &h.A, b: &h.B} {
		if err := s.teamStanding(ctx, id, v); err != nil {
			return nil, err
		}
	}
	err := scanRow(ctx, s.read, []any{&h.WonA, &h.WonB, &h.PointsA, &h.PointsB}, `SELECT
			coalesce(sum(winner = side), 0), coalesce(sum(winner = 3 - side), 0),
			coalesce(sum(scores ->> (side - 1)), 0), coalesce(sum(scores ->> (2 - side)), 0)
		FROM (SELECT winner, scores, iif(team1 = ?1, 1, 2) AS side FROM games WHERE `+between+`)`, a, b)
	if err != nil {
		return nil, err
	}
	h.Games, err = collect(ctx, s.read, scanGame, selectGame+` FROM games WHERE `+between+` ORDER BY end_no DESC LIMIT ?3`, a, b, headGames)
	return &h, err
}

// between is the condition for a rated game with a result between the teams ?1 and ?2.
const between = `id IN (SELECT id FROM games WHERE team1 <> 0 AND team1 = ?1 AND team2 = ?2
	UNION ALL SELECT id FROM games WHERE team1 <> 0 AND team1 = ?2 AND team2 = ?1) AND ` + counts

func (s *Store) teamStanding(ctx context.Context, id table.TeamID, v *lobby.Standing) error {
	stand, err := s.standing(ctx, lobby.KindTeam, int64(id))
	if err != nil {
		return err
	}
	if stand != nil {
		*v = *stand
		return nil
	}
	v.ID, v.Rating, v.Provisional = int64(id), rating.Initial().Number(), true
	return found(scanRow(ctx, s.read, []any{&v.Name, &v.Tag}, `SELECT name, tag FROM teams WHERE id = ?`, id))
}

func (s *Store) Months(ctx context.Context) ([]string, error) {
	all, err := column[string](ctx, s.read, `SELECT month FROM months ORDER BY month DESC`)
	return all, during(err, "months")
}
