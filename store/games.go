package store

import (
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"time"
	"unicode"

	"boneyard/lobby"
	"boneyard/rules/coach"
	"boneyard/table"
)

const selectGame = `SELECT games.id, games.tbl, games.rules, games.seats, coalesce(games.scores, '[]'), coalesce(games.winner, 0),
	coalesce(games.ending, ''), games.rated, games.tag1, games.tag2, games.started, games.ended, coalesce(games.rounds, 0),
	games.end_no IS NOT NULL`

func scanGame(scan scanner) (g lobby.GameInfo, err error) {
	var players []table.Player
	err = scan(&g.ID, &g.Table, &g.Rules, asJSON{&players}, asJSON{&g.Scores}, &g.Winner, &g.Ending, &g.Rated, &g.Teams[0], &g.Teams[1],
		timeOf{&g.Started}, timeOf{&g.Ended}, &g.Rounds, &g.Finished)
	g.Seats = table.Names(players)
	return g, err
}

func (s *Store) Games(ctx context.Context, q lobby.GamesQuery) ([]lobby.GameInfo, error) {
	if q.With != 0 {
		var err error
		if q.Player, q.With, err = s.fewer(ctx, q.Player, q.With); err != nil {
			return nil, during(err, "games")
		}
	}
	query, args, err := gamesQuery(q)
	if err != nil {
		return nil, err
	}
	games, err := collect(ctx, s.read, scanGame, query, args...)
	return games, during(err, "games")
}

// fewer returns two players, the one with fewer games first, as far as their first thousand games tell: a
// query walks the games of the first and looks for the second in each.
func (s *Store) fewer(ctx context.Context, a, b table.PlayerID) (first, second table.PlayerID, err error) {
	const count = `(SELECT count(*) FROM (SELECT 1 FROM game_players WHERE player = ? LIMIT 1000))`
	var less bool
	err = scanRow(ctx, s.read, []any{&less}, `SELECT `+count+` < `+count, b, a)
	if less {
		return b, a, err
	}
	return a, b, err
}

// gamesQuery walks the games from the newest back, by the index of words if there are any, else by that of
// the player. The unary + keeps SQLite from choosing another index.
func gamesQuery(q lobby.GamesQuery) (string, []any, error) {
	query, id := selectGame+` FROM games WHERE true`, "games.id"
	var args []any
	words, err := matchWords(q.Text)
	switch {
	case err != nil:
		return "", nil, err
	case words != "":
		query, id = selectGame+` FROM game_words JOIN games ON games.id = game_words.rowid WHERE game_words MATCH ?`, "game_words.rowid"
		if q.Player != 0 {
			words = `"` + playerWord(q.Player) + `" ` + words
		}
		args = append(args, words)
	case q.Player != 0:
		query, id = selectGame+` FROM game_players JOIN games ON games.id = game_players.game WHERE game_players.player = ?`, "game_players.game"
		args = append(args, q.Player)
	}
	query += ` AND NOT games.sealed AND (games.ended IS NOT NULL OR EXISTS (SELECT 1 FROM game_players WHERE player = ? AND game = +games.id))`
	args = append(args, q.Mine)
	if q.With != 0 {
		query += ` AND EXISTS (SELECT 1 FROM game_players AS other WHERE other.player = ? AND other.game = +` + id + `)`
		args = append(args, q.With)
	}
	if q.Before > 0 {
		query += ` AND ` + id + ` < ?`
		args = append(args, q.Before)
	}
	return query + ` ORDER BY ` + id + ` DESC LIMIT ?`, append(args, q.Limit), nil
}

func (s *Store) Record(ctx context.Context, id table.GameID) (lobby.GameInfo, []string, error) {
	g, lines, err := s.record(ctx, id)
	return g, lines, during(found(err), "game %d", id)
}

func (s *Store) record(ctx context.Context, id table.GameID) (g lobby.GameInfo, lines []string, err error) {
	g, err = one(ctx, s.read, scanGame, selectGame+` FROM games WHERE games.id = ? AND games.ended IS NOT NULL AND NOT games.sealed`, id)
	if err != nil {
		return g, nil, err
	}
	if err := scanRow(ctx, s.read, []any{asJSON{&g.Changes}}, `SELECT coalesce(changes, '[]') FROM games WHERE id = ?`, id); err != nil {
		return g, nil, err
	}
	rows, err := journalRows(ctx, s.read, id)
	for i := range rows {
		lines, g.Times = append(lines, rows[i].Line), append(g.Times, rows[i].At)
	}
	return g, lines, err
}

func recordLines(ctx context.Context, db queryer, id table.GameID) ([]string, error) {
	return column[string](ctx, db, `SELECT line FROM journal WHERE game = ? ORDER BY seq`, id)
}

// teamGames returns a team's last finished games, the newest first.
func (s *Store) teamGames(ctx context.Context, id table.TeamID, limit int) ([]lobby.GameInfo, error) {
	const newest = `SELECT id FROM games WHERE team1 <> 0 AND %s = ?1 AND end_no IS NOT NULL AND NOT sealed ORDER BY end_no DESC LIMIT ?2`
	of := func(column string) string { return fmt.Sprintf(newest, column) }
	return collect(ctx, s.read, scanGame, selectGame+` FROM games
		WHERE id IN (SELECT * FROM (`+of("team1")+`) UNION SELECT * FROM (`+of("team2")+`)) ORDER BY end_no DESC LIMIT ?2`, id, limit)
}

// indexGame makes a game findable by its members and by typed words.
func (t *tx) indexGame(id table.GameID, s *table.Start, tags [2]string, started time.Time) error {
	for _, p := range s.Seats {
		if p.ID <= 0 {
			continue
		}
		if err := t.exec(`INSERT INTO game_players (player, game) VALUES (?, ?) ON CONFLICT DO NOTHING`, p.ID, id); err != nil {
			return err
		}
	}
	return t.exec(insertWords, id, indexWords(s.Rules, s.Seats, tags, started))
}

const insertWords = `INSERT INTO game_words (rowid, words) VALUES (?, ?)`

// indexWords returns the words of a game for its index, each with all its prefixes, since people search for
// those. SQLite's own prefix search collects the games of all matching words before it returns the first.
func indexWords(rules string, seats []table.Player, tags [2]string, started time.Time) string {
	day := started.UTC()
	words := append(typedWords(rules), tags[0], tags[1], day.Format("2006-01-02"), day.Format("January"))
	words = append(words, table.Names(seats)...)
	for _, w := range words {
		words = append(words, parts(w)...)
	}
	var all []string
	seen := make(map[string]bool)
	for _, w := range words {
		runes := []rune(w)
		for n := range runes {
			if beginning := string(runes[:n+1]); !seen[beginning] {
				seen[beginning] = true
				all = append(all, beginning)
			}
		}
	}
	for _, p := range seats {
		if p.ID > 0 {
			all = append(all, playerWord(p.ID))
		}
	}
	return strings.Join(all, " ")
}

// playerWord returns the index word for a member's games, which nobody would type.
func playerWord(p table.PlayerID) string { return fmt.Sprintf("_%d_", p) }

// parts returns the later parts of a word such as big_bob or 2026-11-21, by which it is found too.
func parts(word string) []string {
	p := strings.FieldsFunc(word, func(r rune) bool { return r == '-' || r == '_' })
	if len(p) < 2 {
		return nil
	}
	return p[1:]
}

func typedWords(s string) []string {
	return strings.FieldsFunc(s, func(r rune) bool { return !inWord(r) && r != '-' && r != '_' })
}

// matchWords makes a full-text query from typed words, each of which must begin a word of the game; it is
// empty if there are none. The beginning of another is left out. Too many are lobby.ErrManyWords.
func matchWords(typed string) (string, error) {
	var words []string
	for _, w := range typedWords(typed) {
		if !strings.ContainsFunc(w, inWord) || slices.ContainsFunc(words, func(other string) bool { return strings.HasPrefix(other, w) }) {
			continue
		}
		words = append(slices.DeleteFunc(words, func(other string) bool { return strings.HasPrefix(w, other) }), w)
		if len(words) > lobby.MaxWords {
			return "", lobby.ErrManyWords
		}
	}
	for i, w := range words {
		words[i] = `"` + w + `"`
	}
	return strings.Join(words, " "), nil
}

func inWord(r rune) bool { return unicode.IsLetter(r) || unicode.IsDigit(r) }

func (s *Store) Review(ctx context.Context, who table.PlayerID, game table.GameID) (*coach.Report, error) {
	r := &coach.Report{}
	err := scanRow(ctx, s.read, []any{asJSON{r}}, `SELECT report FROM reviews WHERE player = ? AND game = ?
		AND version = ?`, who, game, coach.Version)
	switch {
	case isNone(err):
		return nil, nil
	case err != nil:
		return nil, during(err, "review of game %d", game)
	}
	return r, nil
}

func (s *Store) KeepReview(ctx context.Context, who table.PlayerID, game table.GameID, r *coach.Report) error {
	report, err := json.Marshal(r)
	if err != nil {
		return err
	}
	o := &keepReview{Player: who, Game: game, Version: coach.Version, Accuracy: r.Total.Accuracy, Report: string(report)}
	return during(s.run(ctx, o), "keep the review of game %d", game)
}

type keepReview struct {
	Player   table.PlayerID
	Game     table.GameID
	Version  int
	Accuracy float64
	Report   string // JSON
}

func (o *keepReview) apply(t *tx) error {
	return t.exec(`REPLACE INTO reviews (player, game, version, accuracy, report) VALUES (?, ?, ?, ?, ?)`,
		o.Player, o.Game, o.Version, o.Accuracy, o.Report)
}

func (s *Store) Accuracies(ctx context.Context, who table.PlayerID, limit int) ([]float64, error) {
	// Only a game without decisions has accuracy 0.
	list, err := column[float64](ctx, s.read, `SELECT accuracy FROM reviews WHERE player = ? AND version = ?
		AND accuracy > 0 ORDER BY game DESC LIMIT ?`, who, coach.Version, limit)
	slices.Reverse(list)
	return list, during(err, "accuracy of member %d", who)
}
