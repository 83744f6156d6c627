package store_test

import (
	"database/sql"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"boneyard/store"
	"boneyard/table"
)

// tamper runs SQL on a data file that nobody uses.
func tamper(tb testing.TB, path, query string) {
	tb.Helper()
	db, err := sql.Open("sqlite", path)
	require.NoError(tb, err)
	defer db.Close()
	res, err := db.Exec(query)
	require.NoError(tb, err)
	n, err := res.RowsAffected()
	require.NoError(tb, err)
	require.Positive(tb, n, "%s changed nothing", query)
}

// projection is the standings of a file as text.
func projection(tb testing.TB, path string) string {
	tb.Helper()
	var all []string
	for _, query := range []string{
		`SELECT quote(id) || quote(first) || quote(second) FROM pairs ORDER BY id`,
		`SELECT kind || '/' || game || '/' || month || '/' || id || ' ' || format('%!.20g %!.20g', mu, sigma) || concat_ws(' ', '', provisional, games, won, points,
			against, streak, last, course) FROM standings ORDER BY kind, game, month, id`,
		`SELECT month || games FROM months ORDER BY month`,
	} {
		all = append(all, column(tb, path, query)...)
	}
	return strings.Join(all, "\n")
}

func TestRebuildGivesTheSameStandings(t *testing.T) {
	path := newPath(t)
	s := mustOpen(t, path, options(t))
	c := newClub(t, s, 11)
	c.play(200)
	before := projection(t, path)
	require.Greater(t, strings.Count(before, "\n"), 200)

	done := mustRebuild(t, s)
	require.Zero(t, done.Changed)
	require.Equal(t, c.counted, done.Games)
	require.Equal(t, before, projection(t, path))

	c.play(20) // the standings go on from there
	mustClose(t, s)
	mustBeSound(t, path)

	before = projection(t, path)
	tamper(t, path, `UPDATE standings SET mu = mu + 1e-12 WHERE kind = 'player'`)
	tamper(t, path, `DELETE FROM standings WHERE kind = 'team' AND month <> ''`)
	tamper(t, path, `UPDATE pairs SET id = id + 1000 WHERE id = 1`)
	require.NotEqual(t, before, projection(t, path))
	s = mustOpen(t, path, options(t))
	done = mustRebuild(t, s)
	require.Positive(t, done.Changed)
	require.Equal(t, before, projection(t, path))
}

func TestCheckFindsWhatIsWrong(t *testing.T) {
	if testing.Short() {
		t.Skip("one fault after another")
	}
	pristine := newPath(t)
	s := mustOpen(t, pristine, options(t))
	c := newClub(t, s, 5)
	c.play(40)
	mustPlay(t, s, match{rules: "classic", seats: c.members[:2], at: c.now, open: true, stop: 5})
	mustClose(t, s)
	found := mustBeSound(t, pristine)
	require.Equal(t, 41, found.Games)
	require.Equal(t, c.counted, found.Counted)
	data := mustRead(t, pristine)

	for _, test := range []struct{ name, query, want string }{
		{"a move that cannot be", `UPDATE journal SET line = '1 6-6 R = 0' WHERE game = 41 AND seq = (SELECT max(seq) FROM journal WHERE game = 41)`, "game 41: "},
		{"a line missing", `DELETE FROM journal WHERE game = 3 AND seq = 4`, "game 3: line 5 follows on line 3"},
		{"lines that begin too early", `UPDATE journal SET seq = seq - 1 WHERE game = 3 AND seq < 3`, "game 3: line 0 follows on line 0"},
		{"a record cut off", `DELETE FROM journal WHERE (game, seq) = (SELECT game, max(seq) FROM journal WHERE game = (SELECT max(id) FROM games WHERE ending = 'played'))`, "it has ended (played), and its record says it is in progress"},
		{"another winner", `UPDATE games SET winner = 3 - winner WHERE id = (SELECT min(id) FROM games WHERE ending = 'played' AND winner < 3)`,
			"has won, and its record says side"},
		{"other scores", `UPDATE games SET scores = '[1,2]' WHERE id = (SELECT min(id) FROM games WHERE json_array_length(scores) = 2)`,
			"its scores are [1 2]"},
		{"another round", `UPDATE games SET rounds = rounds + 1 WHERE id = (SELECT min(id) FROM games WHERE ending = 'played')`,
			"rounds, and its record says"},
		{"another player", `UPDATE games SET seats = replace(seats, '"ana"', '"eva"') WHERE id = (SELECT min(id) FROM games WHERE seats LIKE '%"ana"%')`, "its seats differ from those in its record"},
		{"another promise", `UPDATE games SET commitment = seed WHERE id = 2`, "game 2: its seed does not match the hash"},
		{"a game that ended in the wrong order", `UPDATE games SET end_no = 1000 WHERE end_no = 20`, "numbers: the last end number given out is"},
		{"a rating", `UPDATE standings SET sigma = sigma * 1.0000001 WHERE kind = 'player' AND game = '' AND month = '' AND id = 1`,
			`standings: standings "player"/""/""/1: kept `},
		{"a row of the standings less", `DELETE FROM standings WHERE kind = 'player' AND game = '' AND month = '' AND id = 1`,
			`standings: standings "player"/""/""/1: kept nothing, computed `},
		{"a row of the standings more",
			`INSERT INTO standings SELECT kind, game, '1999-01', id, mu, sigma, provisional, games, won, points, against, streak, last, course, shared FROM standings
			WHERE kind = 'player' AND game = '' AND month = '' AND id = 1`, `standings: standings "player"/""/"1999-01"/1: kept `},
		{"a month too many", `INSERT INTO months VALUES ('1999-01', 4)`, `standings: months "1999-01": kept 4, computed nothing`},
		{"a number to be given out again", `UPDATE numbers SET last = 3 WHERE name = 'game'`,
			"numbers: the last game number given out is 3, and 41 is in use"},
		{"a stray line", `INSERT INTO journal VALUES (99, 1, 'domino 1', 0, '', 0)`, "speaks of a row of games that is not there"},
		{"seats that nobody can read", `UPDATE games SET seats = '[1' WHERE id = 7`, "game 7: sql: Scan error on column"},
		{"a result that nobody can read", `INSERT INTO events (id, kind, key, begins, config, secret) VALUES (3, 'clubnight', '', 0, '{}', '');
			UPDATE games SET plays = '{}', event = 3 WHERE id = (SELECT min(id) FROM games WHERE end_no > 0)`,
			"event 3: sql: Scan error on column"},
		{"other rules", `UPDATE games SET rules = 'spruce' WHERE id = 41`, `game 41: its rules are "spruce", its record says `},
		{"rules that cannot be", `UPDATE games SET rules = 'whist' WHERE id = 41`, "game 41: its rules: "},
		{"another seed", `UPDATE games SET seed = replace(seed, '0', '1') WHERE id = 41`, "game 41: its seed differs from the one in its record"},
		{"an event that is over by its row alone",
			`INSERT INTO events (id, kind, key, begins, config, secret, over) VALUES (3, 'clubnight', '', 0, '{}', '', 1)`,
			"event 3: whether it is over, its journal says false, and its row true"},
		{"an event of no kind", `INSERT INTO events (id, kind, key, begins, config, secret) VALUES (3, 'whist', '', 0, '{}', '')`,
			"event 3: nobody knows the kind"},
		{"an event whose journal has a gap",
			`INSERT INTO events (id, kind, key, begins, config, secret) VALUES (3, 'clubnight', '', 0, '{}', '');
			INSERT INTO event_log (event, seq, at, kind, data) VALUES (3, 2, 0, 'over', '')`, "event 3: entry 2 follows on entry 0"},
		{"a game of no event", `UPDATE games SET event = 77 WHERE id = 41`, "game 41: it belongs to an event that does not exist"},
		{"a number missing", `DELETE FROM numbers WHERE name = 'game'`, "numbers: sql: no rows"},
		{"a game that nobody finds", `DELETE FROM game_players WHERE game = 41`, "game 41: 2 members played in it, and 0 are listed with it"},
	} {
		t.Run(test.name, func(t *testing.T) {
			path := newPath(t)
			require.NoError(t, os.WriteFile(path, data, 0o600))
			tamper(t, path, test.query)
			found, err := store.Check(ctx, path, nil)
			require.NoError(t, err)
			require.Contains(t, strings.Join(found.Problems, "\n"), test.want)
		})
	}
}

func TestCheckOfWhatIsNotAClub(t *testing.T) {
	path := newPath(t)
	require.ErrorIs(t, errOf(store.Check(ctx, path, nil)), fs.ErrNotExist)
	require.NoFileExists(t, path)

	require.NoError(t, os.WriteFile(path, []byte(strings.Repeat("not a database. ", 1000)), 0o600))
	require.ErrorIs(t, errOf(store.Check(ctx, path, nil)), store.ErrDamaged)
}

func TestBackupWhileTheServerRuns(t *testing.T) {
	path := newPath(t)
	s := mustOpen(t, path, options(t))
	c := newClub(t, s, 3)
	c.play(30)

	// The copy is taken while tables are writing: each must be in it up to one moment.
	stop := make(chan struct{})
	var tables sync.WaitGroup
	for range 4 {
		id, err := s.NextTable(ctx)
		require.NoError(t, err)
		require.NoError(t, commit(s, &table.Batch{Table: id, State: []byte("{}")}))
		tables.Go(func() {
			for n := 0; ; n++ {
				select {
				case <-stop:
					return
				default:
				}
				b := &table.Batch{Table: id, State: []byte("{}"),
					Chat: []table.ChatLine{{Seq: int64(n + 1), At: noon, Text: "hello", Room: table.RoomPlayers}}}
				if err := commit(s, b); err != nil {
					t.Error(err)
					return
				}
			}
		})
	}
	to := filepath.Join(t.TempDir(), "copy.db")
	require.NoError(t, store.Backup(ctx, path, to, nil))
	close(stop)
	tables.Wait()

	files, err := os.ReadDir(filepath.Dir(to))
	require.NoError(t, err)
	require.Len(t, files, 1, "one file and nothing beside it")
	found := mustBeSound(t, to)
	require.Equal(t, 30, found.Games)
	require.Equal(t, projection(t, path), projection(t, to))

	require.ErrorIs(t, store.Backup(ctx, path, to, nil), fs.ErrExist)
	require.NotErrorIs(t, store.Backup(ctx, path, filepath.Join(to, "copy.db"), nil), fs.ErrExist, "where no file can be")
	restored := mustOpen(t, to, options(t))
	require.Len(t, mustLoad(t, restored), 34)
}

// A copy is complete once it has been made and verified, and not if it could not be made.
func TestProgressOfABackup(t *testing.T) {
	path := newPath(t)
	s := mustOpen(t, path, options(t))
	newClub(t, s, 1).play(2)
	require.NoError(t, s.Close())
	last := -1.0
	progress := func(done, of int) { last = float64(done) / float64(of) }
	require.NoError(t, store.Backup(ctx, path, newPath(t), progress))
	require.Equal(t, 1.0, last)

	to := newPath(t)
	heal := failing(func(a access) syscall.Errno {
		if a.call == "write" && strings.HasPrefix(a.path, to) {
			return syscall.ENOSPC
		}
		return 0
	})
	defer heal()
	last = -1
	require.Error(t, store.Backup(ctx, path, to, progress))
	require.NotEqual(t, 1.0, last)
}

func TestBackupOfNothing(t *testing.T) {
	dir := t.TempDir()
	require.ErrorIs(t, store.Backup(ctx, filepath.Join(dir, "none.db"), filepath.Join(dir, "copy.db"), nil), fs.ErrNotExist)
	files, err := os.ReadDir(dir)
	require.NoError(t, err)
	require.Empty(t, files)
}

// column is what a query of one column finds in a file.
func column(tb testing.TB, path, query string) (all []string) {
	tb.Helper()
	db, err := sql.Open("sqlite", path)
	require.NoError(tb, err)
	defer db.Close()
	rows, err := db.Query(query)
	require.NoError(tb, err)
	defer rows.Close()
	for rows.Next() {
		var s string
		require.NoError(tb, rows.Scan(&s))
		all = append(all, s)
	}
	require.NoError(tb, rows.Err())
	return all
}

// The rows of all months would fill the memory of a small machine. A clock that was set back counts into the
// month before.
func TestStandingsOfOneMonthAreInMemory(t *testing.T) {
	s := mustOpen(t, newPath(t), options(t))
	const ana, ben = 1, 2
	var games []store.Simulated
	for _, month := range []time.Month{1, 2, 3, 4, 3, 4, 5, 6} {
		games = append(games, store.Simulated{Rules: "classic", Seats: []table.PlayerID{ana, ben}, Winner: 1,
			At: time.Date(2026, month, 28, 12, 0, 0, 0, time.UTC)})
	}
	most, months, err := s.KeepStandings(games)
	require.NoError(t, err)
	require.Equal(t, 2*2*2, most, "of two players, overall and in classic, for all time and for a month")
	require.Equal(t, map[string]int{"2026-01": 1, "2026-02": 1, "2026-03": 2, "2026-04": 2, "2026-05": 1, "2026-06": 1}, months)
}

func TestRebuildChecksTheGamesFirst(t *testing.T) {
	path := newPath(t)
	s := mustOpen(t, path, options(t))
	newClub(t, s, 1).play(10)
	mustClose(t, s)
	tamper(t, path, `UPDATE games SET winner = 3 - winner WHERE id = (SELECT min(id) FROM games WHERE rated AND winner IN (1, 2) AND ending = 'played')`)
	before := projection(t, path)
	s = mustOpen(t, path, options(t))
	require.ErrorIs(t, errOf(s.Rebuild(ctx)), store.ErrGamesWrong)
	mustClose(t, s)
	require.Equal(t, before, projection(t, path))
}

func TestAMigrationOrdersARebuild(t *testing.T) {
	path := newPath(t)
	s := mustOpen(t, path, options(t))
	newClub(t, s, 1).play(10)
	mustClose(t, s)
	want := projection(t, path)
	for name, order := range map[string][]string{
		"by the order":     {`UPDATE numbers SET last = 1 WHERE name = 'rebuild'`},
		"by the migration": {`DELETE FROM numbers WHERE name = 'rebuild'`, `DELETE FROM goose_db_version WHERE version_id = 21`},
	} {
		t.Run(name, func(t *testing.T) {
			for _, q := range append(order, `DELETE FROM standings`, `DELETE FROM pairs`, `DELETE FROM months`) {
				tamper(t, path, q)
			}
			require.NotEqual(t, want, projection(t, path))
			mustClose(t, mustOpen(t, path, options(t)))
			require.Equal(t, want, projection(t, path))
		})
	}
}

// A game whose table cannot be read is abandoned as it stands, even in mid-round: its result is what its
// record says.
func TestCheckOfGamesThatWereGivenUp(t *testing.T) {
	path := newPath(t)
	s := mustOpen(t, path, options(t))
	c := newClub(t, s, 1)
	for steps := 1; steps < 30; steps++ {
		game, at := mustNumbers(t, s)
		all := c.match().batches(t, game, at)
		for _, b := range all[:min(steps, len(all)-1)] {
			require.NoError(t, commit(s, b))
		}
		saved := mustLoad(t, s)
		require.Len(t, saved, 1)
		require.NoError(t, table.Adjourn(s, saved[0], "given up", noon))
	}
	mustClose(t, s)
	mustBeSound(t, path)
}
