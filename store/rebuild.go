package store

import (
	"context"
	"errors"
	"fmt"
	"hash/maphash"
	"slices"
	"strconv"
	"strings"
)

// Rebuilt is the result of a rebuild of the standings.
type Rebuilt struct {
	Games   int // that count
	Rows    int // of the standings
	Changed int // rows that were missing, superfluous or different
}

// ErrGamesWrong is returned when standings are not computed because of faulty games.
var ErrGamesWrong = errors.New("games in the file differ from their records; restore a backup, or run \"boneyard check\"")

// Rebuild computes all standings again from the games, in one transaction. Correct standings come out the
// same, byte for byte. If a game is faulty, Rebuild changes nothing and returns ErrGamesWrong.
func (s *Store) Rebuild(ctx context.Context) (Rebuilt, error) {
	m, err := meterOf(ctx, s.keep, s.progress)
	if err == nil {
		err = s.checkAllGames(ctx, m)
	}
	if err != nil {
		return Rebuilt{}, fmt.Errorf("rebuild the standings: %w", err)
	}
	return s.rebuild(ctx, m)
}

func (s *Store) rebuild(ctx context.Context, m *meter) (done Rebuilt, err error) {
	err = s.writer.do(ctx, func(tx *tx) error {
		before, err := sumUp(ctx, tx)
		if err != nil {
			return err
		}
		for _, t := range projected {
			if err := tx.exec(`DELETE FROM ` + t.name); err != nil {
				return err
			}
		}
		if done.Games, err = tx.takeAll(ctx, tx, m); err != nil {
			return err
		}
		if err := tx.exec(`UPDATE numbers SET last = 0 WHERE name = 'rebuild'`); err != nil {
			return err
		}
		after, err := sumUp(ctx, tx)
		done.Rows, done.Changed = len(after), len(compare(before, after))
		return err
	})
	if err != nil {
		return Rebuilt{}, fmt.Errorf("rebuild the standings: %w", err)
	}
	return done, nil
}

// checkAllGames compares every game with its record. It returns ErrGamesWrong if one differs.
func (s *Store) checkAllGames(ctx context.Context, m *meter) error {
	conn, err := s.keep.Conn(ctx)
	if err != nil {
		return err
	}
	defer conn.Close()
	var f Findings
	if err := checkGames(ctx, conn, &f, m); err != nil {
		return err
	}
	if len(f.Problems) > 0 {
		return fmt.Errorf("%w: %s", ErrGamesWrong, strings.Join(f.Problems[:min(3, len(f.Problems))], "; "))
	}
	return nil
}

// rebuildIfOrdered computes the standings again if a migration requires it and no start has done it yet.
func (s *Store) rebuildIfOrdered(ctx context.Context) error {
	ordered := 0
	err := s.keep.QueryRowContext(ctx, `SELECT last FROM numbers WHERE name = 'rebuild'`).Scan(&ordered)
	if err == nil && ordered != 0 {
		_, err = s.rebuild(ctx, &meter{})
	}
	return err
}

// takeAll adds every game that counts in a file to empty standings, and returns the number of games.
func (t *tx) takeAll(ctx context.Context, from queryer, m *meter) (games int, err error) {
	err = t.keepStandings(func() error {
		games, err = eachOutcome(ctx, from, func(o outcome) error {
			_, err := t.take(o)
			m.step()
			return err
		})
		return err
	})
	return games, err
}

// eachOutcome calls do for every game that counts, in the order in which they ended, and returns their
// number. It reads a page at a time, so that do may use the same connection.
func eachOutcome(ctx context.Context, db queryer, do func(outcome) error) (games int, err error) {
	const some = 500
	for last := int64(0); ; {
		page, err := collect(ctx, db, scanOutcome, selectOutcome+` AND end_no > ? ORDER BY end_no LIMIT ?`, last, some)
		if err != nil {
			return games, err
		}
		for _, o := range page {
			if err := do(o); err != nil {
				return games, fmt.Errorf("game that ended as number %d: %w", o.number, err)
			}
			last = o.number
			games++
		}
		if len(page) < some {
			return games, nil
		}
	}
}

// projectedTable is a table that follows from the games.
type projectedTable struct {
	name    string
	key     []string // the columns that identify a row
	columns []string // the others
}

var standingsTable = projectedTable{"standings", []string{"kind", "game", "month", "id"},
	[]string{"mu", "sigma", "provisional", "games", "won", "shared", "points", "against", "streak", "last", "course"}}

var projected = []projectedTable{
	{"pairs", []string{"id"}, []string{"first", "second"}},
	standingsTable,
	{"months", []string{"month"}, []string{"games"}},
	{"meetings", []string{"day", "kind", "first", "second"}, []string{"games"}},
	{"networks_met", []string{"player", "network"}, []string{"at"}},
	{"balances", []string{"kind", "game", "id", "source"}, []string{"mu"}},
}

// list returns the columns for a query.
func (p projectedTable) list() string { return strings.Join(slices.Concat(p.key, p.columns), ", ") }

// row returns a row as text, with its table and key.
func (p projectedTable) row(values []string) (key, row string) {
	n := len(p.key)
	return p.name + " " + strings.Join(values[:n], "/"), strings.Join(values[n:], " ")
}

// sums are hashes of the rows of the projected tables, by hashes of their tables and keys: as text, those of
// a club of years do not fit into the memory of a small machine.
type sums map[uint64]uint64

var sumSeed = maphash.MakeSeed()

func sum(text string) uint64 { return maphash.String(sumSeed, text) }

// sumUp reads the projected tables.
func sumUp(ctx context.Context, db queryer) (sums, error) {
	s := sums{}
	return s, eachRow(ctx, db, func(key, row string) { s[sum(key)] = sum(row) })
}

// eachRow calls do for each row of the projected tables, as text by its table and key. Different values
// differ as text.
func eachRow(ctx context.Context, db queryer, do func(key, row string)) error {
	for _, p := range projected {
		texts := make([]string, len(p.key)+len(p.columns))
		values := make([]any, len(texts))
		for i := range values {
			values[i] = textOf{&texts[i]}
		}
		err := each(ctx, db, func(scan scanner) error {
			err := scan(values...)
			do(p.row(texts))
			return err
		}, `SELECT `+p.list()+` FROM `+p.name)
		if err != nil {
			return err
		}
	}
	return nil
}

// compare returns the keys whose values differ.
func compare[M ~map[K]V, K, V comparable](a, b M) (differ []K) {
	for key, row := range a {
		if other, ok := b[key]; !ok || other != row {
			differ = append(differ, key)
		}
	}
	for key := range b {
		if _, ok := a[key]; !ok {
			differ = append(differ, key)
		}
	}
	return differ
}

// textOf scans any value as text, exact to the last bit.
type textOf struct{ s *string }

func (t textOf) Scan(v any) error {
	switch v := v.(type) {
	case int64:
		*t.s = strconv.FormatInt(v, 10)
	case float64:
		*t.s = strconv.FormatFloat(v, 'g', -1, 64)
	case string:
		*t.s = strconv.Quote(v)
	case nil:
		*t.s = "NULL"
	default:
		return fmt.Errorf("a %T in the standings", v)
	}
	return nil
}
