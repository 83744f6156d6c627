package store

import (
	"cmp"
	"context"
	"database/sql"
	"fmt"
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
	record     gameText
	fault      error // in its row
}

func scanKept(scan scanner) (g keptGame, err error) {
	g.fault = scan(&g.id, &g.rules, asJSON{&g.seats}, &g.commitment, &g.seed, &g.over, &g.ending, &g.winner, asJSON{&g.scores}, &g.rounds)
	return g, nil
}

// checkGames replays every game and compares its row with its record. One connection reads the games, so that
// they are of one snapshot; they are replayed in parallel.
func checkGames(ctx context.Context, conn *sql.Conn, f *Findings, m *meter) error {
	var reading errgroup.Group
	pages := make(chan []keptGame)
	reading.Go(func() error {
		defer close(pages)
		return readGames(ctx, conn, pages)
	})
	for games := range pages {
		var replays sync.WaitGroup
		faults := make([]error, len(games))
		for i := range games {
			f.Games++
			f.Lines += games[i].record.lines
			replays.Go(func() {
				faults[i] = checkGame(&games[i])
				m.step()
			})
		}
		replays.Wait()
		for i, err := range faults {
			if err != nil {
				f.add("game %d: %v", games[i].id, err)
			}
		}
	}
	return reading.Wait()
}

// readGames sends all games, a page at a time.
func readGames(ctx context.Context, conn *sql.Conn, pages chan<- []keptGame) error {
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
		last = games[len(games)-1].id
		records, err := readRecords(ctx, conn, games[0].id, last)
		if err != nil {
			return err
		}
		for i := range games {
			g := &games[i]
			g.listed, g.record = listed[g.id], records[g.id]
			if r := &g.record; r.gap {
				err := scanRow(ctx, conn, []any{&r.stray, &r.place}, `SELECT seq, place FROM
					(SELECT seq, row_number() OVER (ORDER BY seq) AS place FROM journal WHERE game = ?) WHERE seq <> place LIMIT 1`, g.id)
				if err != nil {
					return err
				}
			}
		}
		pages <- games
	}
}

type gameText struct {
	text  string
	lines int
	gap   bool // the lines are not numbered from 1
	stray int  // then, the number of the first line that does not follow on the one before
	place int  // and its place, from 1
}

// readRecords reads the records of a range of games. Reading line by line takes three times as long.
func readRecords(ctx context.Context, conn *sql.Conn, from, to table.GameID) (map[table.GameID]gameText, error) {
	all := make(map[table.GameID]gameText)
	err := each(ctx, conn, func(scan scanner) error {
		var id table.GameID
		var r gameText
		err := scan(&id, &r.text, &r.lines, &r.gap)
		r.text += "\n"
		all[id] = r
		return err
	}, `SELECT game, group_concat(line, char(10)), count(line), min(seq) <> 1 OR max(seq) <> count(line)
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

// checkGame returns what is wrong with a game, or nil.
func checkGame(g *keptGame) error {
	if g.fault != nil {
		return g.fault
	}
	if r := &g.record; r.gap {
		return fmt.Errorf("line %d follows on line %d", r.stray, r.place-1)
	}
	if !rules.Plays(record.RulesVersion(strings.SplitSeq(g.record.text, "\n"))) {
		return nil // it was played by rules that this program does not have
	}
	replayed, err := replay(g.record.text)
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
	for step, err := range c.Replay(strings.NewReader(text)) {
		if err != nil {
			return nil, err
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
		return fmt.Errorf("its rules: %v", err)
	case r != t.header.Rules:
		return fmt.Errorf("its rules are %q, its record says %q", g.rules, t.header.Rules)
	case !slices.EqualFunc(g.seats, t.header.Names, func(p table.Player, name string) bool { return cmp.Or(p.Was, p.Name) == name }):
		return fmt.Errorf("its seats differ from those in its record, which are %s", strings.Join(t.header.Names, ", "))
	case t.header.Seed != nil && g.seed != t.header.Seed.String():
		return fmt.Errorf("its seed differs from the one in its record")
	case g.listed != len(members):
		return fmt.Errorf("%d members played in it, and %d are listed with it", len(members), g.listed)
	}
	if seed, err := rules.ParseSeed(g.seed); err != nil || seed.Commitment() != g.commitment {
		return fmt.Errorf("its seed does not match the hash that was shown before the game")
	}
	return nil
}

// compareEnd compares the result. If the game was not played out, its record has points, but no winner.
func compareEnd(g *keptGame, t *replayed) error {
	switch {
	case t.won != (g.over && g.ending == table.EndPlayed):
		return fmt.Errorf("%s, and its record says %s", state(g.over, string(g.ending)), state(t.won, string(table.EndPlayed)))
	case !g.over:
		return nil
	case t.won && g.winner != int(t.game.Winner()):
		return fmt.Errorf("side %d has won, and its record says side %d", g.winner, t.game.Winner())
	case t.won && g.rounds != t.rounds:
		return fmt.Errorf("it had %d rounds, and its record says %d", g.rounds, t.rounds)
	}
	var scores []int
	for side := range rules.SideCount(len(t.header.Names), t.header.Rules.Teams) { // before the first deal the game does not know its sides
		scores = append(scores, int(t.game.Score(rules.Side(side+1))))
	}
	if !slices.Equal(scores, g.scores) {
		return fmt.Errorf("its scores are %v, and its record says %v", g.scores, scores)
	}
	return nil
}

func state(over bool, ending string) string {
	if over {
		return "it has ended (" + ending + ")"
	}
	return "it is in progress"
}
