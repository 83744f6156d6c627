package store

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"syscall"

	"golang.org/x/sync/errgroup"

	"boneyard/lobby"
	"boneyard/lobby/event"
	"boneyard/store/fsync"
	"boneyard/table"
)

// Findings is the result of a check.
type Findings struct {
	Games    int      // all, finished or not
	Lines    int      // in their records
	Counted  int      // games in the standings
	Problems []string // one line each; empty if all is well
	More     int      // problems beyond those
}

func (f *Findings) add(format string, args ...any) {
	const maxProblems = 50 // how many problems a check lists
	if len(f.Problems) == maxProblems {
		f.More++
		return
	}
	f.Problems = append(f.Problems, fmt.Sprintf(format, args...))
}

// unread adds a problem if a check ended at something that no program has written; it returns other errors.
func (f *Findings) unread(ctx context.Context, what string, err error) error {
	if !ofContents(ctx, err) {
		return err
	}
	f.add("%s: %v", what, err)
	return nil
}

// Check verifies a data file: the database is sound, every game replays by the rules, results match the
// records, and the standings follow from them. A server may use the file meanwhile; the check reads one
// snapshot. Check returns an error if the file cannot be checked at all: fs.ErrNotExist, or one of those of
// [Open] except ErrInUse. If an older program wrote the file, Check verifies an upgraded copy.
//
// readable is called with each open table and returns why it could not be restored. progress may be nil.
func Check(ctx context.Context, path string, progress Progress, readable ...func(table.Saved) error) (*Findings, error) {
	var f *Findings
	errFound := fmt.Errorf("%w", ErrDamaged)
	err := twice(func() (err error) {
		if f, err = check(ctx, path, progress, readable); err == nil && len(f.Problems) > 0 {
			return errFound
		}
		return err
	})
	if err != nil && err != errFound {
		return nil, fmt.Errorf("check %s: %w", path, err)
	}
	return f, nil
}

// Progress is called now and then during a long job.
type Progress func(done, of int)

// meter measures the progress of a long job.
type meter struct {
	progress Progress // may be nil
	mu       sync.Mutex
	done, of int
}

func (m *meter) step() {
	const every = 100
	m.mu.Lock()
	defer m.mu.Unlock()
	m.done++
	if m.progress != nil && (m.done%every == 0 || m.done == m.of) {
		m.progress(m.done, m.of)
	}
}

// meterOf measures a job that reads all games, and then those that count.
func meterOf(ctx context.Context, db queryer, p Progress) (m *meter, err error) {
	var all, count int
	err = db.QueryRowContext(ctx, `SELECT (SELECT count(*) FROM games), (SELECT count(*) FROM (`+selectOutcome+`))`).Scan(&all, &count)
	return &meter{progress: p, of: all + count}, err
}

// upToDate returns the path of an upgraded copy of a file of an older program, or path itself if no migration
// is missing. done removes the copy.
func upToDate(ctx context.Context, path string) (_ string, done func(), err error) {
	none := func() {}
	db, err := openExisting(ctx, path)
	if err != nil {
		return "", none, err
	}
	defer db.Close()
	have, err := schemaOf(ctx, db)
	if err != nil || len(have.lacks) == 0 {
		return path, none, err
	}
	folder, done, err := fsync.Scratch(path)
	if errors.Is(err, fs.ErrPermission) || errors.Is(err, syscall.EROFS) {
		folder, done, err = fsync.Scratch(filepath.Join(os.TempDir(), filepath.Base(path)))
	}
	if err != nil {
		return "", done, err
	}
	to := filepath.Join(folder, "copy.db")
	if err := copyTo(ctx, db, to, nil); err != nil {
		return "", done, err
	}
	o := DefaultOptions()
	o.scratch = true
	s, err := Open(ctx, to, o)
	if err != nil {
		return "", done, err
	}
	return to, done, s.Close()
}

func check(ctx context.Context, path string, progress Progress, readable []func(table.Saved) error) (f *Findings, err error) {
	path, done, err := upToDate(ctx, path)
	defer done()
	if err != nil {
		return nil, err
	}
	// The database, the games and the standings are checked in parallel, each on its own connection.
	var conns [3]*sql.Conn
	for i := range conns {
		db, err := openExisting(ctx, path)
		if err != nil {
			return nil, err
		}
		defer db.Close()
		if conns[i], err = db.Conn(ctx); err != nil {
			return nil, err
		}
		defer conns[i].Close()
	}
	if err := sameMoment(ctx, conns[:]...); err != nil {
		return nil, err
	}
	conn := conns[0]
	m, err := meterOf(ctx, conn, progress)
	if err != nil {
		return nil, err
	}
	var file, games, standings Findings
	var jobs errgroup.Group
	jobs.Go(func() error {
		return errors.Join(games.unread(ctx, "numbers", checkNumbers(ctx, conn, &games)),
			games.unread(ctx, "games", checkGames(ctx, conn, &games, m)),
			games.unread(ctx, "events", checkEvents(ctx, conn, &games)),
			games.unread(ctx, "tables", checkTables(ctx, conn, &games, readable)))
	})
	jobs.Go(func() error { return checkStandings(ctx, conns[1], &standings, m) })
	jobs.Go(func() error { return checkFile(ctx, conns[2], &file) })
	if err := jobs.Wait(); err != nil {
		return nil, err
	}
	f = &Findings{Games: games.Games, Lines: games.Lines, Counted: standings.Counted}
	for _, part := range []Findings{file, games, standings} {
		for _, p := range part.Problems {
			f.add("%s", p)
		}
		f.More += part.More
	}
	return f, nil
}

// sameMoment begins a transaction on each connection so that all of them see the same snapshot. Each
// transaction of a server changes the mark, so equal marks mean equal snapshots.
func sameMoment(ctx context.Context, conns ...*sql.Conn) error {
	for {
		var marks []mark
		for _, c := range conns {
			if _, err := c.ExecContext(ctx, `BEGIN`); err != nil {
				return err
			}
			m, err := markIn(ctx, c)
			if err != nil {
				return err
			}
			marks = append(marks, m)
		}
		if len(slices.Compact(marks)) == 1 {
			return nil
		}
		for _, c := range conns { // a server committed in between
			if _, err := c.ExecContext(ctx, `ROLLBACK`); err != nil {
				return err
			}
		}
	}
}

func checkTables(ctx context.Context, conn *sql.Conn, f *Findings, readable []func(table.Saved) error) error {
	saved, err := load(ctx, conn)
	if err != nil {
		return err
	}
	for _, v := range saved {
		for _, look := range readable {
			if err := look(v); err != nil {
				f.add("%v", err)
			}
		}
	}
	return nil
}

func checkFile(ctx context.Context, conn *sql.Conn, f *Findings) error {
	pages, err := checkPages(ctx, conn, true)
	if err != nil {
		return err
	}
	for _, p := range pages {
		f.add("database: %s", p)
	}
	strays, err := column[string](ctx, conn, `SELECT
			"table" || ' row ' || coalesce(rowid, '?') || ' speaks of a row of ' || parent || ' that is not there'
		FROM pragma_foreign_key_check`)
	for _, s := range strays {
		f.add("database: %s", s)
	}
	return err
}

// checkNumbers checks that no number can be assigned twice, and that the numbers of ends have no gaps.
func checkNumbers(ctx context.Context, conn *sql.Conn, f *Findings) error {
	return errors.Join(
		checkNumber(ctx, conn, f, "table", `SELECT max(coalesce(max(tbl), 0), (SELECT coalesce(max(id), 0) FROM tables)) FROM games`),
		checkNumber(ctx, conn, f, "game", `SELECT coalesce(max(id), 0) FROM games`),
		checkNumber(ctx, conn, f, "end", `SELECT coalesce(max(end_no), 0) FROM games`),
		checkNumber(ctx, conn, f, "end", `SELECT count(end_no) FROM games`))
}

func checkNumber(ctx context.Context, conn *sql.Conn, f *Findings, name, used string) error {
	var last, highest int64
	err := conn.QueryRowContext(ctx, `SELECT last, (`+used+`) FROM numbers WHERE name = ?`, name).Scan(&last, &highest)
	if err == nil && (last < highest || name == "end" && last != highest) {
		f.add("numbers: the last %s number given out is %d, and %d is in use", name, last, highest)
	}
	return err
}

// checkStandings computes the standings in memory and compares them with the file's.
func checkStandings(ctx context.Context, conn *sql.Conn, f *Findings, m *meter) error {
	scratch, err := openPool("standings", inMemory, 1)
	if err != nil {
		return err
	}
	defer scratch.Close()
	if err := migrate(ctx, scratch); err != nil {
		return err
	}
	own, err := scratch.Conn(ctx)
	if err != nil {
		return err
	}
	defer own.Close()
	t := &tx{statements: newStatements(own), conn: own}
	if err := t.exec(`BEGIN`); err != nil { // without one, each statement is a transaction
		return err
	}
	games, err := t.takeAll(ctx, conn, m)
	f.Counted = games
	if err != nil {
		f.add("standings: %v", err)
		return nil
	}
	sums, err := sumUp(ctx, t)
	if err != nil {
		return err
	}
	kept := make(map[string]string) // those that differ
	err = eachRow(ctx, conn, func(key, row string) {
		if at := sum(key); sums[at] == sum(row) {
			delete(sums, at)
		} else {
			kept[key] = row
		}
	})
	if err != nil || len(kept)+len(sums) == 0 {
		return err
	}
	computed := make(map[string]string)
	err = eachRow(ctx, t, func(key, row string) {
		if _, ok := sums[sum(key)]; ok {
			computed[key] = row
		}
	})
	if err != nil {
		return err
	}
	differ := compare(kept, computed)
	slices.Sort(differ)
	for _, key := range differ {
		f.add("standings: %s: kept %s, computed %s", key, orNone(kept, key), orNone(computed, key))
	}
	return nil
}

func orNone(rows map[string]string, key string) string {
	if row, ok := rows[key]; ok {
		return strings.TrimSpace(row)
	}
	return "nothing"
}

// checkEvents replays the journal of each event and compares the result with the event's games.
func checkEvents(ctx context.Context, conn *sql.Conn, f *Findings) error {
	all, err := collect(ctx, conn, scanEvent, selectEvent+` ORDER BY id`)
	if err != nil {
		return err
	}
	for _, e := range all {
		of := fmt.Sprint("event ", e.ID)
		entries, err := eventLog(ctx, conn, e.ID)
		if err != nil {
			return err
		}
		rules, err := lobby.EventKinds().Fold(e, entries)
		if err != nil {
			f.add("%v", err)
			continue
		}
		if over := rules.View(nil).Plan().Over; over != e.Over {
			f.add("%s: whether it is over, its journal says %t, and its row %t", of, over, e.Over)
		}
		games, err := eventGames(ctx, conn, e.ID)
		if err != nil {
			if err := f.unread(ctx, of, err); err != nil {
				return err
			}
			continue
		}
		if c, ok := rules.(event.Checker); ok {
			for _, fault := range c.Check(games) {
				f.add("%s: %s", of, fault)
			}
		}
	}
	strays, err := column[int64](ctx, conn, `SELECT games.id FROM games LEFT JOIN events ON events.id = games.event WHERE games.event <> 0
		AND (events.id IS NULL OR games.sealed AND events.over)`)
	for _, id := range strays {
		f.add("game %d: it belongs to an event that does not exist, or is sealed although its event is over", id)
	}
	return err
}
