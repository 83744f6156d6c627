package store_test

import (
	"errors"
	"flag"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"syscall"
	"testing"

	"github.com/stretchr/testify/require"

	"boneyard/store"
	"boneyard/table"
)

var (
	callsStep = flag.Int("calls.step", 41, "TestEachCall has each so many-th call fail; 1: all of them")
	callsSeed = flag.Uint64("calls.seed", 1, "seed of TestEachCall, which chooses the errors; 0: the time")
)

// verdicts are errors that a sound file must never get.
var verdicts = []error{store.ErrDamaged, store.ErrLog, store.ErrBehind, store.ErrForked, store.ErrMissing, store.ErrSwapped,
	store.ErrForeign, store.ErrNewer}

// accused returns an error if one of errs says that the file is not fine.
func accused(errs ...error) error {
	for _, err := range errs {
		for _, v := range verdicts {
			if errors.Is(err, v) || err != nil && strings.Contains(err.Error(), v.Error()) {
				return fmt.Errorf("a sound file is accused: %w", err)
			}
		}
	}
	return nil
}

// badDisk fails calls for the files of one club.
type badDisk struct {
	calls atomic.Int64
	mu    sync.Mutex
	log   string // the call that failed first
}

// from has the n-th call fail, counted from 1, and the following ones as long as lasting says so.
func (d *badDisk) from(path string, n int64, errno syscall.Errno, lasting bool) (heal func()) {
	return failing(func(a access) syscall.Errno {
		if !strings.HasPrefix(a.path, filepath.Dir(path)) {
			return 0
		}
		now := d.calls.Add(1)
		if now != n && (now < n || !lasting || errno == syscall.EMFILE && a.call != "open" && a.call != "map") {
			return 0
		}
		d.mu.Lock()
		defer d.mu.Unlock()
		if d.log == "" {
			d.log = fmt.Sprintf("%s of club.db%s", a.call, a.end())
		}
		return errno
	})
}

// life is what a club does from its start to its end, with a backup and a check: acked are the tables that it has acknowledged.
func life(t *testing.T, path string, acked map[table.ID]bool) (err error) {
	var fatal, warned []error
	o := store.DefaultOptions()
	o.CheckpointEvery, o.Readers, o.Entrance = 3, 1, 1
	o.Fatal = func(err error) { fatal = append(fatal, err) }
	o.Warn = func(err error) { warned = append(warned, err) }
	defer func() {
		if p := recover(); p != nil {
			err = fmt.Errorf("panic: %v", p)
		}
	}()
	s, err := store.Open(ctx, path, o)
	if err != nil {
		return accused(err)
	}
	if _, err := s.Load(ctx); accused(err) != nil {
		return accused(err)
	}
	for range 7 {
		id, err := s.NextTable(ctx)
		if err == nil {
			err = say(s, id)()
		}
		if err != nil && !errors.Is(err, table.ErrUnavailable) {
			return fmt.Errorf("a write failed for good: %w", err)
		}
		if err := accused(err); err != nil {
			return err
		}
		acked[id] = acked[id] || err == nil
	}
	to := filepath.Join(filepath.Dir(path), "copy")
	failed := store.Backup(ctx, path, to, nil)
	if failed == nil {
		require.NoError(t, os.Remove(to))
	}
	found, unchecked := store.Check(ctx, path, nil)
	if unchecked == nil && len(found.Problems) > 0 {
		return fmt.Errorf("a sound file has problems: %v", found.Problems)
	}
	return accused(append(append(fatal, warned...), failed, unchecked, s.Close())...)
}

// TestEachCall has the n-th call for a file fail, once or from there on, for each n in the life of a club
// that was killed before: at its start, in play, at checkpoints, during a backup and a check, and at its end.
// Nothing that was acknowledged is lost, and no sound file is called damaged or anything else that would have
// people restore a backup.
//
//	go test ./store -run TestEachCall -calls.step 1
func TestEachCall(t *testing.T) {
	step := int64(*callsStep)
	if testing.Short() {
		step *= 6
	}
	seed := seedOf(t, *callsSeed, fmt.Sprintf("-calls.step %d -calls.seed", step))
	rng := rand.New(rand.NewPCG(seed, 3))
	path := newPath(t)
	s := mustOpen(t, path, options(t))
	newClub(t, s, seed).play(2)
	for range 3 {
		_, id := mustNumbers(t, s)
		require.NoError(t, say(s, id)())
	}
	f := leave(t, path)
	mustClose(t, s)
	var whole badDisk
	healthy := f.put(t)
	heal := whole.from(healthy, -1, 0, false)
	require.NoError(t, life(t, healthy, make(map[table.ID]bool)))
	heal()
	errnos := []syscall.Errno{syscall.EIO, syscall.ENOSPC, syscall.EMFILE, syscall.ENOMEM, errShort}
	cases := 0
	for n := 1 + rng.Int64N(step); n <= whole.calls.Load(); n += step {
		errno, lasting := errnos[rng.IntN(len(errnos))], rng.IntN(2) == 0
		lasting = lasting && errno != errShort // which would be a file that was cut
		path, acked, d := f.put(t), make(map[table.ID]bool), badDisk{}
		heal := d.from(path, n, errno, lasting)
		err := life(t, path, acked)
		heal()
		if err == nil {
			err = wholeAgain(path, acked)
		}
		if err != nil {
			t.Errorf("call %d of %d, %s: errno %d, lasting %v: %v", n, whole.calls.Load(), d.log, errno, lasting, err)
		}
		require.NoError(t, os.RemoveAll(filepath.Dir(path)))
		cases++
	}
	t.Logf("%d calls, %d of them failed", whole.calls.Load(), cases)
}

// wholeAgain returns what a club lacks on a disk that works again.
func wholeAgain(path string, acked map[table.ID]bool) error {
	if left, _ := filepath.Glob(filepath.Dir(path) + "/*.part"); len(left) > 0 {
		return fmt.Errorf("left behind: %v", left)
	}
	o := store.DefaultOptions()
	var fatal error
	o.Fatal = func(err error) { fatal = err }
	s, err := store.Open(ctx, path, o)
	if err != nil {
		return fmt.Errorf("on a disk that works again: %w", err)
	}
	saved, err := s.Load(ctx)
	if err := errors.Join(err, fatal, s.Close()); err != nil {
		return fmt.Errorf("on a disk that works again: %w", err)
	}
	for id := range acked {
		if acked[id] && !slices.ContainsFunc(saved, func(v table.Saved) bool { return v.Table == id }) {
			return fmt.Errorf("table %d was acknowledged, and is lost", id)
		}
	}
	found, err := store.Check(ctx, path, nil)
	if err == nil && len(found.Problems) > 0 {
		err = fmt.Errorf("afterwards: %v", found.Problems)
	}
	return err
}
