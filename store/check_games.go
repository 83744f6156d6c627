package store

import (
	"cmp"
	"context"
	"database/sql"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"
	"sync"

	"boneyard/rules"
	"boneyard/rules/record"
	"boneyard/table"
)

// keptGame is a game as its row has it.
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
	listed     int // members that find it, in game_players
}

func scanKept(scan scanner) (g keptGame, err error) {
	var seats, scores []byte
	err = scan(&g.id, &g.rules, &seats, &g.commitment, &g.seed, &g.over, &g.ending, &g.winner, &scores, &g.rounds)
	if err != nil {
		return g, err
	}
	return g, errors.Join(json.Unmarshal(seats, &g.seats), json.Unmarshal(scores, &g.scores))
}

// checkGames replays every game and compares its row with its record.
func checkGames(ctx context.Context, conn *sql.Conn, f *Findings, progress Progress) error {
	const some = 500
	var all int
	if err := conn.QueryRowContext(ctx, `SELECT count(*) FROM games`).Scan(&all); err != nil {
		return err
	}
	listed, err := countListed(ctx, conn)
	if err != nil {
		return err
	}
	for last := table.GameID(0); ; {
		page, err := collect(ctx, conn, scanKept, `SELECT id, rules, seats, commitment, seed, end_no IS NOT NULL, coalesce(ending, ''),
			coalesce(winner, 0), coalesce(scores, '[]'), coalesce(rounds, 0) FROM games WHERE id > ? ORDER BY id LIMIT ?`, last, some)
		if err != nil {
			return err
		}
		// Games are read one after another, by the one connection that sees one moment of the file, and replayed beside that.
		found := make([]error, len(page))
		var replays sync.WaitGroup
		for i := range page {
			g := &page[i]
			last = g.id
			g.listed = listed[g.id]
			lines, err := readGame(ctx, conn, g.id)
			f.Games++
			f.Lines += len(lines)
			if found[i] = err; err == nil {
				replays.Go(func() { found[i] = checkGame(g, lines) })
			}
			progress.tell(f.Games, all)
		}
		replays.Wait()
		for i, err := range found {
			var wrong problem
			switch {
			case errors.As(err, &wrong):
				f.add("game %d: %s", page[i].id, wrong)
			case err != nil:
				return err
			}
		}
		if len(page) < some {
			return nil
		}
	}
}

// countListed counts for each game the members that find it. The index begins with the player, so that to ask for one game
// would be to read it all, for each game again.
func countListed(ctx context.Context, conn *sql.Conn) (map[table.GameID]int, error) {
	n := make(map[table.GameID]int)
	_, err := collect(ctx, conn, func(scan scanner) (struct{}, error) {
		var id table.GameID
		err := scan(&id)
		n[id]++
		return struct{}{}, err
	}, `SELECT game FROM game_players`)
	return n, err
}

// problem is something wrong with a game, unlike an error of the database.
type problem string

func (p problem) Error() string { return string(p) }

func wrong(format string, args ...any) error { return problem(fmt.Sprintf(format, args...)) }

// readGame returns the lines of a game; a problem if some are missing, or an error of the database.
func readGame(ctx context.Context, conn *sql.Conn, id table.GameID) ([]string, error) {
	seq := 0
	return collect(ctx, conn, func(scan scanner) (line string, err error) {
		var n int
		if err := scan(&n, &line); err != nil {
			return "", err
		}
		if seq++; n != seq {
			return "", wrong("line %d follows on line %d", n, seq-1)
		}
		return line, nil
	}, `SELECT seq, line FROM journal WHERE game = ? ORDER BY seq`, id)
}

// checkGame returns a problem, or nil.
func checkGame(g *keptGame, lines []string) error {
	if !rules.Plays(record.RulesVersion(slices.Values(lines))) {
		return nil // it was made under other rules, by which nobody here can say anything
	}
	told, err := replay(strings.Join(lines, "\n") + "\n")
	if err != nil {
		return err
	}
	return errors.Join(compareBeginning(g, told), compareEnd(g, told))
}

// told is what a record says.
type told struct {
	header record.Header
	game   rules.Game // after the last line
	rounds int        // that were scored or won
	won    bool       // the record ends with who has won
}

func replay(text string) (*told, error) {
	var t told
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

// compareBeginning compares what a game began with.
func compareBeginning(g *keptGame, t *told) error {
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
		return wrong("its seats are not those of its record, which are %s", strings.Join(t.header.Names, ", "))
	case t.header.Seed != nil && g.seed != t.header.Seed.String():
		return wrong("its seed is not that of its record")
	case g.listed != len(members):
		return wrong("%d members sat at it, and %d find it", len(members), g.listed)
	}
	if seed, err := rules.ParseSeed(g.seed); err != nil || seed.Commitment() != g.commitment {
		return wrong("its seed does not keep the promise that was shown before the game")
	}
	return nil
}

// compareEnd compares the result. The record of a game that was not played out tells the points so far, but not who was
// given the game.
func compareEnd(g *keptGame, t *told) error {
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
	for side := range rules.SideCount(len(t.header.Names), t.header.Rules.Teams) { // before the first deal there is no game to ask
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
	return "it is being played"
}
