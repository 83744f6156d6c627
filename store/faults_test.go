package store_test

import (
	"errors"
	"os"
	"path/filepath"
	"sync"
	"syscall"
	"testing"

	"github.com/stretchr/testify/require"

	"boneyard/store"
	"boneyard/table"
)

// onBadDisk opens a store on a disk that a test can break.
func onBadDisk(t *testing.T, path string, change func(*store.Options)) (s *store.Store, fatal *error) {
	t.Helper()
	fatal = new(error)
	o := store.DefaultOptions()
	o.Fatal = func(err error) { *fatal = err }
	if change != nil {
		change(&o)
	}
	return mustOpen(t, path, o), fatal
}

// fail has all calls of a kind for one of the files fail, until the test ends or calls heal.
func fail(t *testing.T, call, end string, errno syscall.Errno) (heal func()) {
	t.Helper()
	heal = failing(func(a access) syscall.Errno {
		if a.call == call && a.end() == end {
			return errno
		}
		return 0
	})
	t.Cleanup(heal)
	return heal
}

func TestWhatCannotBeWrittenIsNotThere(t *testing.T) {
	for _, errno := range []syscall.Errno{syscall.ENOSPC, syscall.EIO} {
		t.Run(errno.Error(), func(t *testing.T) {
			path := newPath(t)
			var trouble []error
			s, fatal := onBadDisk(t, path, func(o *store.Options) { o.Trouble = func(err error) { trouble = append(trouble, err) } })
			who := mustCreateAll(t, s, "ana", "ben")
			id, at := mustNumbers(t, s)
			game := match{rules: "classic", seats: who, at: noon, open: true, stop: 6}.batches(t, id, at)
			half := len(game) / 2
			for _, b := range game[:half] {
				require.NoError(t, commit(s, b))
			}
			before := mustLoad(t, s)

			heal := fail(t, "write", "-wal", errno)
			for range 3 {
				require.ErrorIs(t, commit(s, game[half]), table.ErrUnavailable)
			}
			require.ErrorIs(t, errOf(s.Create(ctx, keyOf("cleo"), "cleo", "cleo", noon)), table.ErrUnavailable)
			require.Equal(t, before, mustLoad(t, s), "reading goes on")

			heal() // there is room again: play resumes
			for _, b := range game[half:] {
				require.NoError(t, commit(s, b))
			}
			require.Len(t, trouble, 2, "told once, and once that it is over")
			require.ErrorIs(t, trouble[0], table.ErrUnavailable)
			require.NoError(t, trouble[1])
			require.NoError(t, *fatal)
			mustClose(t, s)
			mustBeSound(t, path)
		})
	}
}

func TestFullFile(t *testing.T) {
	path := newPath(t)
	s := mustOpen(t, path, options(t))
	who := mustCreateAll(t, s, "ana", "ben")
	games := make([][]*table.Batch, 16)
	for i := range games {
		id, at := mustNumbers(t, s)
		games[i] = match{rules: "classic", seats: who, at: noon, seed: uint64(i)}.batches(t, id, at)
	}
	require.NoError(t, s.LimitPages(20))
	written := make([]int, len(games))
	run := func() {
		var all sync.WaitGroup
		for i := range games {
			all.Go(func() {
				for written[i] < len(games[i]) {
					err := commit(s, games[i][written[i]])
					if err != nil {
						if !errors.Is(err, table.ErrUnavailable) {
							t.Errorf("game %d: %v", i+1, err)
						}
						return
					}
					written[i]++
				}
			})
		}
		all.Wait()
	}
	run()
	unfinished := 0
	for i := range games {
		require.Positive(t, written[i])
		if written[i] < len(games[i]) {
			unfinished++
		}
	}
	require.Positive(t, unfinished)
	saved := mustLoad(t, s)
	for i, v := range saved {
		if written[i] == len(games[i]) {
			require.Zero(t, v.Game)
			continue
		}
		rows := 0
		for _, b := range games[i][:written[i]] {
			rows += len(b.Rows)
		}
		require.Len(t, v.Rows, rows)
	}
	require.NoError(t, s.LimitPages(10_000))
	run()
	mustClose(t, s)
	found := mustBeSound(t, path)
	require.Equal(t, len(games), found.Counted)
}

func TestLostSyncEndsTheProcess(t *testing.T) {
	path := newPath(t)
	s, fatal := onBadDisk(t, path, nil)
	require.NoError(t, say(s, 1)())
	heal := fail(t, "sync", "-wal", syscall.EIO)
	require.ErrorIs(t, say(s, 2)(), table.ErrUnavailable)
	require.Error(t, *fatal)
	heal()
	require.ErrorIs(t, say(s, 3)(), table.ErrUnavailable, "a sync that succeeds after one that failed means nothing")
}

func TestLostSyncOfACheckpointEndsTheProcess(t *testing.T) {
	s, fatal := onBadDisk(t, newPath(t), func(o *store.Options) { o.CheckpointEvery = 2 })
	fail(t, "sync", "", syscall.EIO)
	require.NoError(t, say(s, 1)())
	require.NoError(t, say(s, 2)(), "the log has it")
	require.ErrorIs(t, say(s, 3)(), table.ErrUnavailable)
	require.Error(t, *fatal)
}

// Where there is no room for a file beside the data file, that one can be copied and checked unless its log is needed.
func TestAFullDiskCanBeCopied(t *testing.T) {
	path := newPath(t)
	s := mustOpen(t, path, options(t))
	newClub(t, s, 1).play(1)
	withLog := leave(t, path)
	mustClose(t, s)
	heal := fail(t, "map", "-shm", syscall.ENOSPC)
	defer heal()
	to := filepath.Join(t.TempDir(), "copy.db")
	require.NoError(t, store.Backup(ctx, path, to, nil))
	mustBeSound(t, path)

	for end, b := range withLog {
		require.NoError(t, os.WriteFile(path+end, b, 0o600))
	}
	require.ErrorIs(t, errOf(store.Check(ctx, path, nil)), store.ErrNoRoom)
}

func TestACheckpointThatFindsNoRoomIsTriedAgain(t *testing.T) {
	path := newPath(t)
	s, fatal := onBadDisk(t, path, func(o *store.Options) { o.CheckpointEvery = 2 })
	heal := fail(t, "write", "", syscall.ENOSPC)
	for id := table.ID(1); id <= 10; id++ {
		require.NoError(t, say(s, id)())
	}
	require.NoError(t, *fatal)
	heal()
	mustClose(t, s)
	require.Len(t, mustLoad(t, mustOpen(t, path, options(t))), 10)
}

// A disk that fails to read for a moment says nothing about the data: restoring a backup then would throw
// moves away.
func TestADiskThatFailsToReadIsNoDamage(t *testing.T) {
	f, want := killedClub(t)
	path := f.put(t)
	heal := failing(func(a access) syscall.Errno {
		if a.call == "read" && a.end() == "" && a.offset > 20*page {
			return syscall.EIO
		}
		return 0
	})
	t.Cleanup(heal)
	_, err := store.Open(ctx, path, options(t))
	require.ErrorIs(t, err, store.ErrUnreadable)
	require.NotErrorIs(t, err, store.ErrDamaged)
	require.NotContains(t, err.Error(), "to restore")
	require.True(t, same(f, leave(t, path)))
	heal()
	require.Equal(t, want, mustLoad(t, mustOpen(t, path, options(t))))
}
