package store

import (
	"context"
	"errors"
	"fmt"
	"strconv"
	"strings"
)

// Rebuilt tells what a rebuild of the standings did.
type Rebuilt struct {
	Games   int // that count
	Rows    int // of the standings
	Changed int // rows that were missing, too many, or other than they are now
}

// ErrGamesWrong is returned when standings are not computed, as the games from which they follow are not right.
var ErrGamesWrong = errors.New("games in the file are not what their records say; restore a backup, or see \"sshd check\"")

// Rebuild computes all standings again from the games, in one transaction. Where they were right, they are the same
// afterwards, byte for byte. What is wrong with a game would become official by that: then nothing is changed, and the error
// is ErrGamesWrong.
func (s *Store) Rebuild(ctx context.Context) (Rebuilt, error) {
	if err := s.checkAllGames(ctx); err != nil {
		return Rebuilt{}, fmt.Errorf("rebuild the standings: %w", err)
	}
	return s.rebuild(ctx)
}

func (s *Store) rebuild(ctx context.Context) (done Rebuilt, err error) {
	err = s.writer.do(ctx, func(tx *tx) error {
		before, err := dump(ctx, tx)
		if err != nil {
			return err
		}
		for _, t := range projected {
			if _, err := tx.exec(`DELETE FROM ` + t.name); err != nil {
				return err
			}
		}
		done.Games, err = tx.takeAll(ctx, tx)
		if err != nil {
			return err
		}
		if _, err := tx.exec(`UPDATE numbers SET last = 0 WHERE name = 'rebuild'`); err != nil {
			return err
		}
		after, err := dump(ctx, tx)
		done.Rows, done.Changed = len(after), len(compare(before, after))
		return err
	})
	if err != nil {
		return Rebuilt{}, fmt.Errorf("rebuild the standings: %w", err)
	}
	return done, nil
}

// checkAllGames compares every game with its record: ErrGamesWrong.
func (s *Store) checkAllGames(ctx context.Context) error {
	conn, err := s.keep.Conn(ctx)
	if err != nil {
		return err
	}
	defer conn.Close()
	var f Findings
	if err := checkGames(ctx, conn, &f, nil); err != nil {
		return err
	}
	if len(f.Problems) > 0 {
		return fmt.Errorf("%w: %s", ErrGamesWrong, strings.Join(f.Problems[:min(3, len(f.Problems))], "; "))
	}
	return nil
}

// rebuildIfOrdered computes the standings again if a migration has ordered it, and no start has done it yet.
func (s *Store) rebuildIfOrdered(ctx context.Context) error {
	ordered := 0
	err := s.keep.QueryRowContext(ctx, `SELECT last FROM numbers WHERE name = 'rebuild'`).Scan(&ordered)
	if err == nil && ordered != 0 {
		_, err = s.rebuild(ctx)
	}
	return err
}

// takeAll takes every game that counts in a file into standings that are empty, and returns how many they were.
func (t *tx) takeAll(ctx context.Context, from queryer) (games int, err error) {
	err = t.keepForms(func() error {
		games, err = eachOutcome(ctx, from, func(o outcome) error {
			_, err := t.take(o)
			return err
		})
		return err
	})
	return games, err
}

// eachOutcome hands over every game that counts, in the order in which they ended, and returns how many they were. It
// reads some at a time, so that do may use the same connection.
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

// projected are the tables that follow from the games, each with the columns that tell its rows apart and the others.
var projected = []struct {
	name    string
	key     []string
	columns []string
}{
	{"pairs", []string{"id"}, []string{"first", "second"}},
	{"standings", []string{"kind", "game", "month", "id"},
		[]string{"mu", "sigma", "provisional", "games", "won", "shared", "points", "against", "streak", "last", "course"}},
	{"months", []string{"month"}, []string{"games"}},
	{"meetings", []string{"day", "kind", "first", "second"}, []string{"games"}},
}

// dump reads the projected tables, each row as text by its table and key. No two values of a column have the same text.
func dump(ctx context.Context, db queryer) (map[string]string, error) {
	all := make(map[string]string)
	for _, t := range projected {
		n := len(t.key)
		values := make([]any, n+len(t.columns))
		texts := make([]string, len(values))
		for i := range values {
			values[i] = textOf{&texts[i]}
		}
		query := `SELECT ` + strings.Join(t.key, ", ") + `, ` + strings.Join(t.columns, ", ") + ` FROM ` + t.name
		_, err := collect(ctx, db, func(scan scanner) (struct{}, error) {
			err := scan(values...)
			all[t.name+" "+strings.Join(texts[:n], "/")] = strings.Join(texts[n:], " ")
			return struct{}{}, err
		}, query)
		if err != nil {
			return nil, err
		}
	}
	return all, nil
}

// compare returns the keys whose rows are not the same.
func compare(a, b map[string]string) []string {
	var differ []string
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

// textOf scans any value as a text from which it could be read again, to the last bit.
type textOf struct{ s *string }

// Scan implements sql.Scanner.
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
