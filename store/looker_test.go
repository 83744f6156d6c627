package store_test

import (
	"bytes"
	"fmt"
	"io/fs"
	"path/filepath"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"boneyard/store"
	"boneyard/table"
)

// closedClub is a club with games and open tables that was shut down in order.
func closedClub(t testing.TB) files {
	t.Helper()
	path := newPath(t)
	s := mustOpen(t, path, options(t))
	c := newClub(t, s, 1)
	c.play(3)
	game, at := mustNumbers(t, s)
	for _, b := range c.match().batches(t, game, at)[:20] { // one that is being played
		require.NoError(t, commit(s, b))
	}
	for id := table.ID(1000); id < 1020; id++ {
		require.NoError(t, say(s, id)())
	}
	mustClose(t, s)
	f := leave(t, path)
	require.NotContains(t, f, "-wal")
	return f
}

// later verifies every file after it was opened. The returned function waits until the check is done and
// releases it; before that, nothing may be written to the file.
func later(t testing.TB) (o store.Options, looked chan struct{}, goOn func()) {
	o = options(t)
	o.LookLater, o.CheckpointEvery = 1, 1
	looked, held := make(chan struct{}), make(chan struct{})
	o.Looked = func(bytes int64, _ time.Duration) {
		require.Positive(t, bytes)
		close(looked)
		<-held
	}
	return o, looked, func() { close(held) }
}

func TestNothingIsWrittenToAFileBeforeItHasBeenLookedThrough(t *testing.T) {
	f := closedClub(t)
	path := f.put(t)
	o, looked, goOn := later(t)
	s := mustOpen(t, path, o)
	<-looked
	for id := table.ID(2000); id < 2010; id++ {
		require.NoError(t, say(s, id)())
	}
	during := leave(t, path)
	require.True(t, bytes.Equal(f[""], during[""]), "written to")
	goOn()
	require.Eventually(t, func() bool { // the check ends a moment after goOn
		require.NoError(t, say(s, 2010)())
		return !bytes.Equal(f[""], leave(t, path)[""])
	}, patience, time.Millisecond)
	mustClose(t, s)

	// A kill leaves a log behind, and a file with a log is checked first.
	o, looked, _ = later(t)
	s = mustOpen(t, during.put(t), o)
	require.Len(t, mustLoad(t, s), 3+1+20+10)
	mustClose(t, s)
	select {
	case <-looked:
		t.Fatal("opened unseen after a kill")
	default:
	}
}

func TestOnlyFilesThatWereClosedInOrderAreOpenedUnseen(t *testing.T) {
	f := closedClub(t)
	backup := filepath.Join(t.TempDir(), "copy.db")
	require.NoError(t, store.Backup(ctx, f.put(t), backup, nil))
	b := mustRead(t, backup)
	for name, f := range map[string]files{
		"without a mark":  {"": f[""]},
		"another's mark":  {"": f[""], ".mark": closedClub(t)[".mark"]},
		"a backup":        {"": b},
		"a new club":      {"": {}},
		"an older schema": older(t, f),
	} {
		t.Run(name, func(t *testing.T) {
			o := options(t)
			o.LookLater = 1
			o.Looked = func(int64, time.Duration) { t.Error("opened unseen") }
			mustClose(t, mustOpen(t, f.put(t), o))
		})
	}
	o := options(t)
	o.LookLater = int64(len(f[""])) + 1
	o.Looked = func(int64, time.Duration) { t.Error("a smaller file opened unseen") }
	mustClose(t, mustOpen(t, f.put(t), o))
}

// older is the same club without one of the migrations, other than the last.
func older(t *testing.T, f files) files {
	t.Helper()
	path := f.put(t)
	beside(t, path, `DELETE FROM goose_db_version WHERE version_id = 21`, `DELETE FROM numbers WHERE name = 'rebuild'`,
		`PRAGMA wal_checkpoint(TRUNCATE)`)
	return leave(t, path)
}

func TestDamageThatIsFoundLaterEndsTheProcess(t *testing.T) {
	f := closedClub(t)
	whole := mustOpen(t, f.put(t), options(t))
	want := mustLoad(t, whole)
	require.NotEmpty(t, want[3].Rows, "a game is being played")
	mustClose(t, whole)
	found, withheld := 0, 0
	for n := 2; n < len(f[""])/page; n += 3 {
		spoilt := files{"": bytes.Clone(f[""]), ".mark": f[".mark"]}
		clear(spoilt[""][n*page : (n+1)*page])
		path := spoilt.put(t)
		o := options(t)
		o.LookLater, o.CheckpointEvery = 1, 1
		ended := make(chan error, 1)
		o.Fatal = func(err error) { ended <- err }
		looked := make(chan struct{})
		o.Looked = func(int64, time.Duration) { close(looked) }
		s, err := store.Open(ctx, path, o)
		if err != nil { // what opening needs is on that page
			require.ErrorIs(t, err, store.ErrDamaged)
			require.True(t, bytes.Equal(spoilt[""], leave(t, path)[""]))
			continue
		}
		if saved, err := s.Load(ctx); err == nil {
			require.Equal(t, want, saved, "page %d: a table was served that is not what was played", n)
		} else {
			withheld++
		}
		said := say(s, 3000)() == nil
		select {
		case err := <-ended:
			require.ErrorIs(t, err, store.ErrDamaged)
		case <-looked: // a page that is free
			mustClose(t, s)
			continue
		}
		found++
		require.ErrorIs(t, say(s, 3001)(), table.ErrUnavailable, "acknowledged after it was found")
		_ = s.Close()
		left := leave(t, path)
		require.True(t, bytes.Equal(spoilt[""], left[""]), "page %d: a damaged file was written to", n)

		// From now on opening it fails, and everything that was acknowledged is in the log.
		for range 2 {
			require.ErrorIs(t, errOf(store.Open(ctx, path, o)), store.ErrDamaged)
			require.True(t, same(left, leave(t, path)))
		}
		if to := filepath.Join(t.TempDir(), fmt.Sprint(n)); said {
			if _, err := store.Salvage(ctx, path, to); err == nil {
				saved := mustLoad(t, mustOpen(t, to, options(t)))
				require.EqualValues(t, 3000, saved[len(saved)-1].Table)
			}
		}
	}
	require.Positive(t, found)
	require.Positive(t, withheld)
}

func TestALookThatIsCutShortIsMadeUpForAtTheNextStart(t *testing.T) {
	path := closedClub(t).put(t)
	beside(t, path, `CREATE TABLE pad (b BLOB)`,
		`INSERT INTO pad WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 100000) SELECT zeroblob(40) FROM n`,
		`PRAGMA wal_checkpoint(TRUNCATE)`)
	before := leave(t, path)
	require.NotContains(t, before, "-wal")
	o := options(t)
	o.LookLater = 1
	looked := false
	o.Looked = func(int64, time.Duration) { looked = true }
	s := mustOpen(t, path, o)
	mustClose(t, s)
	if looked {
		t.Skip("the look was over before the store could be closed")
	}
	after := leave(t, path)
	require.True(t, bytes.Equal(before[""], after[""]), "written to")
	require.NotEmpty(t, after["-wal"])
	s = mustOpen(t, path, o)
	require.False(t, looked)
	mustClose(t, s)
	require.False(t, looked, "opened unseen after a look that was cut short")
	require.NotContains(t, leave(t, path), "-wal")

	s = mustOpen(t, path, o) // and now it was closed in order
	require.NotEmpty(t, leave(t, path)["-wal"])
	mustClose(t, s)
}

// Errors that refuse a file name it.
func TestLookSaysWhichFile(t *testing.T) {
	_, err := store.OpenReadOnly(ctx, filepath.Join(t.TempDir(), "club.db"))
	require.ErrorIs(t, err, fs.ErrNotExist)
	require.Regexp(t, `^read \S+club\.db: `, err.Error())
}
