package store

import (
	"cmp"
	"context"
	"database/sql"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"
	"sync"

	"boneyard/rules"
	"boneyard/rules/record"
	"boneyard/table"

	"golang.org/x/sync/errgroup"
)

type keptGame struct {
	id         table.GameID
	rules      string
	seats      []table.Player
	commitment string
	seed       string
	over       bool
	ending     table.Ending
	winner     int
	scores     []int
	rounds     int
	listed     int // members listed with it in game_players
}

func scanKept(scan scanner) (g keptGame, err error) {
	return g, scan(&g.id, &g.rules, asJSON{&g.seats}, &g.commitment, &g.seed, &g.over, &g.ending, &g.winner, asJSON{&g.scores}, &g.rounds)
}

// gamePage is a batch of games with their records.
type gamePage struct {
	games   []keptGame
	records map[table.GameID]gameText
	found   []error // by game: a problem, or nil
}

// checkGames replays every game and compares its row with its record. One connection reads the games, so that
// they are of one snapshot; they are replayed in parallel.
func checkGames(ctx context.Context, conn *sql.Conn, f *Findings, m *meter) error {
	var reading errgroup.Group
	pages := make(chan *gamePage)
	reading.Go(func() error {
		defer close(pages)
		return readGames(ctx, conn, pages)
	})
	for p := range pages {
		var replays sync.WaitGroup
		for i := range p.games {
			g := &p.games[i]
			r := p.records[g.id]
			f.Games++
			f.Lines += r.lines
			replays.Go(func() {
				if p.found[i] == nil {
					p.found[i] = checkGame(g, r.text)
				}
				m.step()
			})
		}
		replays.Wait()
		for i, err := range p.found {
			if err != nil {
				f.add("game %d: %v", p.games[i].id, err)
			}
		}
	}
	return reading.Wait()
}

// readGames sends all games, a page at a time.
func readGames(ctx context.Context, conn *sql.Conn, pages chan<- *gamePage) error {
	const some = 200
	listed, err := countListed(ctx, conn)
	if err != nil {
		return err
	}
	for last := table.GameID(0); ; {
		games, err := collect(ctx, conn, scanKept, `SELECT id, rules, seats, commitment, seed, end_no IS NOT NULL, coalesce(ending, ''),
			coalesce(winner, 0), coalesce(scores, '[]'), coalesce(rounds, 0) FROM games WHERE id > ? ORDER BY id LIMIT ?`, last, some)
		if err != nil || len(games) == 0 {
			return err
		}
		p := &gamePage{games: games, found: make([]error, len(games))}
		last = games[len(games)-1].id
		if p.records, err = readRecords(ctx, conn, games[0].id, last); err != nil {
			return err
		}
		for i := range games {
			g := &games[i]
			g.listed = listed[g.id]
			if r := p.records[g.id]; r.lines > 0 && (r.first != 1 || r.last != r.lines) {
				p.found[i] = whichMissing(ctx, conn, g.id)
				if wrong := problem(""); p.found[i] != nil && !errors.As(p.found[i], &wrong) {
					return p.found[i]
				}
			}
		}
		pages <- p
	}
}

type gameText struct {
	text  string
	lines int
	first int // line number
	last  int
}

// readRecords reads the records of a range of games. Reading line by line takes three times as long.
func readRecords(ctx context.Context, conn *sql.Conn, from, to table.GameID) (map[table.GameID]gameText, error) {
	all := make(map[table.GameID]gameText)
	err := each(ctx, conn, func(scan scanner) error {
		var id table.GameID
		var r gameText
		err := scan(&id, &r.text, &r.lines, &r.first, &r.last)
		r.text += "\n"
		all[id] = r
		return err
	}, `SELECT game, group_concat(line, char(10)), count(line), min(seq), max(seq)
		FROM (SELECT game, seq, line FROM journal WHERE game BETWEEN ? AND ? ORDER BY game, seq) GROUP BY game`, from, to)
	return all, err
}

// countListed counts the members listed with each game. The index begins with the player, so that asking for
// a single game would read all of it.
func countListed(ctx context.Context, conn *sql.Conn) (map[table.GameID]int, error) {
	n := make(map[table.GameID]int)
	err := each(ctx, conn, func(scan scanner) error {
		var id table.GameID
		err := scan(&id)
		n[id]++
		return err
	}, `SELECT game FROM game_players`)
	return n, err
}

// problem is a fault of a game, as opposed to an error of the database.
type problem string

func (p problem) Error() string { return string(p) }

func wrong(format string, args ...any) error { return problem(fmt.Sprintf(format, args...)) }

// whichMissing returns a problem that names the missing line of a game, or an error of the database.
func whichMissing(ctx context.Context, conn *sql.Conn, id table.GameID) error {
	seq := 0
	return each(ctx, conn, func(scan scanner) error {
		var n int
		if err := scan(&n); err != nil {
			return err
		}
		if seq++; n != seq {
			return wrong("line %d follows on line %d", n, seq-1)
		}
		return nil
	}, `SELECT seq FROM journal WHERE game = ? ORDER BY seq`, id)
}

// checkGame returns a problem, or nil.
func checkGame(g *keptGame, text string) error {
	if !rules.Plays(record.RulesVersion(strings.SplitSeq(text, "\n"))) {
		return nil // it was played by rules that this program does not have
	}
	replayed, err := replay(text)
	if err != nil {
		return err
	}
	return cmp.Or(compareBeginning(g, replayed), compareEnd(g, replayed))
}

// replayed is what a record says of its game.
type replayed struct {
	header record.Header
	game   rules.Game // after the last line
	rounds int        // that were scored or won
	won    bool       // the record names a winner
}

func replay(text string) (*replayed, error) {
	var t replayed
	var c record.Checker
	lines := record.NewReader(strings.NewReader(text))
	for {
		l, err := lines.Read()
		if errors.Is(err, io.EOF) {
			break
		}
		var step record.Step
		if err == nil {
			step, err = c.Take(lines.Number(), l)
		}
		if err != nil {
			return nil, wrong("%v", err)
		}
		if step.Event.Kind != 0 && (step.Event.End != rules.NotEnded || step.Event.GameOver) {
			t.rounds++
		}
		_, t.won = step.Line.(record.Won)
	}
	t.header, t.game = c.Header(), c.Game()
	return &t, nil
}

// compareBeginning compares what is fixed when a game begins.
func compareBeginning(g *keptGame, t *replayed) error {
	r, err := rules.Parse(g.rules)
	var members []table.PlayerID
	for _, p := range g.seats {
		if p.ID > 0 && !slices.Contains(members, p.ID) {
			members = append(members, p.ID)
		}
	}
	switch {
	case err != nil:
		return wrong("its rules: %v", err)
	case r != t.header.Rules:
		return wrong("its rules are %q, its record says %q", g.rules, t.header.Rules)
	case !slices.EqualFunc(g.seats, t.header.Names, func(p table.Player, name string) bool { return cmp.Or(p.Was, p.Name) == name }):
		return wrong("its seats differ from those in its record, which are %s", strings.Join(t.header.Names, ", "))
	case t.header.Seed != nil && g.seed != t.header.Seed.String():
		return wrong("its seed differs from the one in its record")
	case g.listed != len(members):
		return wrong("%d members played in it, and %d are listed with it", len(members), g.listed)
	}
	if seed, err := rules.ParseSeed(g.seed); err != nil || seed.Commitment() != g.commitment {
		return wrong("its seed does not match the hash that was shown before the game")
	}
	return nil
}

// compareEnd compares the result. If the game was not played out, its record has points, but no winner.
func compareEnd(g *keptGame, t *replayed) error {
	switch {
	case t.won != (g.over && g.ending == table.EndPlayed):
		return wrong("%s, and its record says %s", state(g.over, string(g.ending)), state(t.won, string(table.EndPlayed)))
	case !g.over:
		return nil
	case t.won && g.winner != int(t.game.Winner()):
		return wrong("side %d has won, and its record says side %d", g.winner, t.game.Winner())
	case t.won && g.rounds != t.rounds:
		return wrong("it had %d rounds, and its record says %d", g.rounds, t.rounds)
	}
	var scores []int
	for side := range rules.SideCount(len(t.header.Names), t.header.Rules.Teams) { // before the first deal the game does not know its sides
		scores = append(scores, int(t.game.Score(rules.Side(side+1))))
	}
	if !slices.Equal(scores, g.scores) {
		return wrong("its scores are %v, and its record says %v", g.scores, scores)
	}
	return nil
}

func state(over bool, ending string) string {
	if over {
		return "it has ended (" + ending + ")"
	}
	return "it is in progress"
}
