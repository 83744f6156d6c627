package store

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"slices"
	"strings"

	"boneyard/table"
)

// maxProblems is how many problems a check tells one by one.
const maxProblems = 50

// Findings is what a check saw and what was wrong.
type Findings struct {
	Games    int      // all, finished or not
	Lines    int      // of their records
	Counted  int      // games that the standings take
	Problems []string // each in a line; empty if all is well
	More     int      // problems beyond those
}

func (f *Findings) add(format string, args ...any) {
	if len(f.Problems) == maxProblems {
		f.More++
		return
	}
	f.Problems = append(f.Problems, fmt.Sprintf(format, args...))
}

// Check looks whether all that the file says is true: that the database is sound, that every game's record replays by the
// rules, that results are those of the records, and that the standings follow from them. A server may use the file
// meanwhile; the check sees it as it was at one moment. The error tells why it could not be looked at: fs.ErrNotExist,
// ErrForeign, ErrNewer, ErrOlder, ErrDamaged.
//
// Tables that were not closed are handed to readable, which reports why one could not be restored.
func Check(ctx context.Context, path string, readable ...func(table.Saved) error) (*Findings, error) {
	return CheckTelling(ctx, path, nil, readable...)
}

// Progress is called now and then during a long job with how many games are done, of how many.
type Progress func(done, of int)

// tell calls p, which may be nil, for each hundredth game and the last.
func (p Progress) tell(done, of int) {
	const every = 100
	if p != nil && (done%every == 0 || done == of) {
		p(done, of)
	}
}

// CheckTelling is [Check] that tells how far it is. What comes after the last game, the standings, takes about as long as
// one game in four.
func CheckTelling(ctx context.Context, path string, progress Progress, readable ...func(table.Saved) error) (*Findings, error) {
	f, err := check(ctx, path, progress, readable)
	if err != nil {
		return nil, fmt.Errorf("check %s: %w", path, damage(err))
	}
	return f, nil
}

func check(ctx context.Context, path string, progress Progress, readable []func(table.Saved) error) (f *Findings, err error) {
	db, err := openExisting(ctx, path)
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, db.Close()) }()
	conn, err := db.Conn(ctx)
	if err != nil {
		return nil, err
	}
	defer conn.Close()
	if _, err := conn.ExecContext(ctx, `BEGIN`); err != nil { // one moment for all that is read
		return nil, err
	}
	f = new(Findings)
	for _, look := range []func(context.Context, *sql.Conn, *Findings) error{
		checkFile, checkNumbers,
		func(ctx context.Context, conn *sql.Conn, f *Findings) error {
			return checkGames(ctx, conn, f, progress)
		},
		checkStandings,
	} {
		if err := look(ctx, conn, f); err != nil {
			return nil, err
		}
	}
	return f, checkTables(ctx, conn, f, readable)
}

// checkTables looks whether the tables that were not closed can be restored.
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

// checkFile looks at the database as such.
func checkFile(ctx context.Context, conn *sql.Conn, f *Findings) error {
	pages, err := checkPages(ctx, conn, true)
	if err != nil {
		return err
	}
	for _, p := range pages {
		f.add("database: %s", p)
	}
	strays, err := collect(ctx, conn, func(scan scanner) (s string, err error) {
		return s, scan(&s)
	}, `SELECT "table" || ' row ' || coalesce(rowid, '?') || ' speaks of a row of ' || parent || ' that is not there' FROM pragma_foreign_key_check`)
	for _, s := range strays {
		f.add("database: %s", s)
	}
	return err
}

// checkNumbers looks whether a number could be given out twice, and whether the order in which games ended has gaps.
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

// checkStandings computes the standings again, beside the file, and compares.
func checkStandings(ctx context.Context, conn *sql.Conn, f *Findings) error {
	scratch, err := openPool("standings", inMemory, "", 1)
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
	t := &tx{conn: own, stmts: make(map[string]*sql.Stmt)}
	f.Counted, err = t.takeAll(ctx, conn)
	if err != nil {
		f.add("standings: %v", err)
		return nil
	}
	kept, err := dump(ctx, conn)
	if err != nil {
		return err
	}
	computed, err := dump(ctx, t)
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
