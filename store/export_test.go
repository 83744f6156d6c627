package store

import (
	"context"
	"database/sql"
	"encoding"
	"errors"
	"fmt"
	"reflect"
	"slices"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"boneyard/lobby"
	"boneyard/lobby/rating"
	"boneyard/lobby/text"
	"boneyard/rules"
	"boneyard/table"
)

// DigestParts is how many digests have all rows.
const (
	DigestParts = digestParts
	AllParts    = allParts
)

// MakeOlder makes a data file as a program that had only the first migrations up to one left it.
func MakeOlder(tb testing.TB, path string, last int64) {
	ctx := context.Background()
	db, err := openPool(path, readWrite, 1)
	require.NoError(tb, err)
	require.NoError(tb, markAsOurs(ctx, db))
	p, err := provider(db)
	require.NoError(tb, err)
	_, err = p.UpTo(ctx, last)
	require.NoError(tb, err)
	require.NoError(tb, db.Close())
}

// Migrations are the numbers of all migrations.
func Migrations(tb testing.TB) (all []int64) {
	p, err := provider(new(sql.DB))
	require.NoError(tb, err)
	for _, source := range p.ListSources() {
		all = append(all, source.Version)
	}
	return all
}

// SetDigestNew sets how many rows of a table are in each digest during a test.
func SetDigestNew(t *testing.T, n int64) {
	was := digestNew
	digestNew = n
	t.Cleanup(func() { digestNew = was })
}

// DigestAfter is the digest of the file after changes, which are taken back. They may break the rules of a table.
func (s *Store) DigestAfter(tb testing.TB, part int64, changes ...string) (d Digest) {
	takenBack := errors.New("taken back")
	err := s.writer.do(context.Background(), func(t *tx) (err error) {
		for _, q := range slices.Concat([]string{`PRAGMA defer_foreign_keys = ON`, `PRAGMA ignore_check_constraints = ON`}, changes) {
			if err := t.exec(q); err != nil {
				return fmt.Errorf("%s: %w", q, err)
			}
		}
		if d, err = digestOf(context.Background(), t, part); err == nil {
			err = takenBack
		}
		return err
	})
	if !errors.Is(err, takenBack) {
		tb.Fatal(err)
	}
	return d
}

// Tamper changes the file without an entry in the log.
func (s *Store) Tamper(tb testing.TB, query string) {
	err := s.writer.do(context.Background(), func(t *tx) error {
		return t.exec(query)
	})
	require.NoError(tb, err)
}

// Hold keeps the writer busy with a group of one until release is closed. It returns when the writer is held.
func (s *Store) Hold(release <-chan struct{}) (done <-chan error) {
	held, ended := make(chan struct{}), make(chan error, 1)
	go func() {
		ended <- s.writer.do(context.Background(), func(*tx) error {
			close(held)
			<-release
			return nil
		})
	}()
	<-held
	return ended
}

// An Operation is one change, and what became of it.
type Operation struct {
	Value any
	Err   error
}

// Operations records all operations from now on.
func (s *Store) Operations(to *[]Operation) {
	s.ran = func(o operation, err error) { *to = append(*to, Operation{o, err}) }
}

// LeaveTeamAsBefore does what LeaveTeam did in earlier versions.
func (s *Store) LeaveTeamAsBefore(player table.PlayerID) error {
	return s.run(context.Background(), &leaveTeam{Player: player})
}

// InviteAsBefore does what Invite did in earlier versions.
func (s *Store) InviteAsBefore(team table.TeamID, by, player table.PlayerID, now time.Time) error {
	return s.run(context.Background(), &invite{Team: team, By: by, Player: player, At: now})
}

// Repeat does an operation again: what its exported fields say.
func (s *Store) Repeat(o Operation) error {
	fields, err := WriteOperation(o.Value)
	if err != nil {
		return err
	}
	again, err := ReadOperation(KindOf(o), fields)
	if err != nil {
		return err
	}
	return s.run(context.Background(), again.(operation))
}

// LimitPages makes the disk seem full when the file has so many pages more than now.
func (s *Store) LimitPages(more int) error {
	return s.writer.do(context.Background(), func(tx *tx) error {
		var pages int
		if err := tx.queryRow(`PRAGMA page_count`).Scan(&pages); err != nil {
			return err
		}
		return tx.queryRow(fmt.Sprintf(`PRAGMA max_page_count = %d`, pages+more)).Scan(&pages)
	})
}

// SetDriver makes all later connections use another driver, and returns a function that undoes that.
func SetDriver(name string) (restore func()) {
	usual := driverName
	driverName = name
	return func() { driverName = usual }
}

// HoldReaders takes all connections for what people look up, until free is called.
func (s *Store) HoldReaders(tb testing.TB) (free func()) {
	tb.Helper()
	var held []*sql.Conn
	for range s.read.db.Stats().MaxOpenConnections {
		c, err := s.read.db.Conn(context.Background())
		require.NoError(tb, err)
		held = append(held, c)
	}
	return func() {
		for _, c := range held {
			c.Close()
		}
	}
}

// IndexBeginnings runs the migration of that name.
func IndexBeginnings(ctx context.Context, db *sql.DB) error {
	tx, err := db.BeginTx(ctx, nil)
	if err != nil {
		return err
	}
	return errors.Join(indexBeginnings(ctx, tx), tx.Commit())
}

// Pragmas are settings of the writer's connection.
func (s *Store) Pragmas(names ...string) (values []string, err error) {
	err = s.writer.do(context.Background(), func(tx *tx) error {
		for _, name := range names {
			var v string
			if err := tx.queryRow(`PRAGMA ` + name).Scan(&v); err != nil {
				return err
			}
			values = append(values, v)
		}
		return nil
	})
	return values, err
}

// ScanLog verifies the log beside a data file, as each checkpoint does, and returns how many sound frames it has.
func ScanLog(path string) (frames int, size int64, err error) {
	s, _, err := lookAtLog(path, mark{})
	return s.frames, s.size, err
}

// A Simulated is a rated game as the standings take it: all have played, and nobody left.
type Simulated struct {
	Rules  string
	Seats  []table.PlayerID
	Nets   []string // by seat
	Winner int      // the side
	At     time.Time
	Fair   int
}

// Simulate takes games into the standings on the caller's goroutine while the writer waits, and keeps nothing
// of them. play returns the ratings over all games that a game has moved; pairs and teams have negative
// numbers.
func (s *Store) Simulate(t testing.TB, do func(play func(Simulated) map[int64]rating.Rating)) {
	undo := errors.New("undo")
	handed, over, ended := make(chan *tx), make(chan struct{}), make(chan error, 1)
	go func() {
		ended <- s.writer.do(context.Background(), func(tx *tx) error {
			return tx.keepStandings(func() error {
				handed <- tx
				<-over
				return undo
			})
		})
	}()
	tx := <-handed
	defer func() {
		close(over)
		if err := <-ended; !errors.Is(err, undo) {
			t.Error(err)
		}
	}()
	do(func(g Simulated) map[int64]rating.Rating {
		r, err := rules.Parse(g.Rules)
		require.NoError(t, err)
		moves, err := tx.take(g.outcome(r.Teams))
		require.NoError(t, err)
		after := map[int64]rating.Rating{}
		for _, m := range moves {
			id := m.id
			if m.kind != lobby.KindPlayer {
				id = -id
			}
			after[id] = m.after
		}
		return after
	})
}

func (g Simulated) outcome(teams bool) outcome {
	o := outcome{rules: g.Rules, ended: g.At, ending: table.EndPlayed, winner: g.Winner, fair: g.Fair, nets: g.Nets}
	for _, id := range g.Seats {
		o.seats, o.plays, o.own = append(o.seats, table.Player{ID: id}), append(o.plays, 7), append(o.own, 7)
	}
	o.scores = make([]int, rules.SideCount(len(g.Seats), teams))
	return o
}

// KeepStandings takes games of two sides as a rebuild does. It returns the largest number of rows of the
// standings that were in memory after a game, and how many games the first player has by month.
func (s *Store) KeepStandings(games []Simulated) (most int, months map[string]int, err error) {
	months = make(map[string]int)
	err = s.writer.do(context.Background(), func(tx *tx) error {
		if err := tx.exec(`DELETE FROM standings`); err != nil {
			return err
		}
		err := tx.keepStandings(func() error {
			for _, g := range games {
				if _, err := tx.take(g.outcome(false)); err != nil {
					return err
				}
				most = max(most, len(tx.kept.rows))
			}
			return nil
		})
		if err != nil {
			return err
		}
		for _, g := range games {
			month := g.At.Format("2006-01")
			row, err := tx.standing(lobby.KindPlayer, "", month, int64(g.Seats[0]))
			if err != nil {
				return err
			}
			months[month] = row.games
		}
		return nil
	})
	return most, months, err
}

// AddReportOfBefore adds a report as was done when all guests were one reporter.
func (s *Store) AddReportOfBefore(ctx context.Context, r lobby.Report) error {
	return s.run(ctx, &addReport{Report: r, Skeleton: text.Skeleton(r.About)})
}

// WriteOperation returns what an entry of the log has of an operation, all in JSON or all in binary.
func WriteOperation(o any) ([]byte, error) {
	e, err := newEntry(o.(operation), 1, false)
	return slices.Concat(e.Data, e.Binary), err
}

// ReadOperation reads what WriteOperation returns.
func ReadOperation(kind string, data []byte) (any, error) {
	e := Entry{Kind: kind, Data: data}
	if _, ok := reflect.New(operations[kind]).Interface().(encoding.BinaryUnmarshaler); ok {
		e.Data, e.Binary = nil, data
	}
	return e.operation()
}

// OperationTypes are the kinds of operations with their types.
var OperationTypes = operations

// KindOf is the kind of an operation.
func KindOf(o Operation) string { return kindOf(o.Value.(operation)) }
