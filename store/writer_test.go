package store_test

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"testing"
	"testing/synctest"

	"github.com/stretchr/testify/require"

	"boneyard/lobby/text"
	"boneyard/store"
	"boneyard/table"
)

// together runs all functions while the writer is held, so that they are written in one group, and returns their errors.
func together(t *testing.T, s *store.Store, all ...func() error) []error {
	t.Helper()
	errs := make([]error, len(all))
	release := make(chan struct{})
	held := s.Hold(release)
	var ended []chan struct{}
	for i, do := range all {
		end := make(chan struct{})
		ended = append(ended, end)
		go func() {
			defer close(end)
			errs[i] = do()
		}()
	}
	synctest.Wait() // until all are waiting for the writer
	close(release)
	require.NoError(t, <-held)
	for _, end := range ended {
		<-end
	}
	return errs
}

// inGroups runs a test with a store that reports its groups.
func inGroups(t *testing.T, run func(t *testing.T, s *store.Store, groups *[]store.Group)) {
	t.Helper()
	path := newPath(t)
	synctest.Test(t, func(t *testing.T) {
		var groups []store.Group
		o := options(t)
		o.Committed = func(g store.Group) { groups = append(groups, g) }
		run(t, mustOpen(t, path, o), &groups)
	})
}

func say(s *store.Store, id table.ID) func() error {
	return func() error {
		return commit(s, &table.Batch{Table: id, State: fmt.Appendf(nil, `{"table":%d}`, id)})
	}
}

func TestOneCommitForAllThatWait(t *testing.T) {
	inGroups(t, func(t *testing.T, s *store.Store, groups *[]store.Group) {
		var all []func() error
		for id := table.ID(1); id <= 50; id++ {
			all = append(all, say(s, id))
		}
		for _, err := range together(t, s, all...) {
			require.NoError(t, err)
		}
		require.Len(t, *groups, 2)
		require.Equal(t, 50, (*groups)[1].Changes)
		require.Len(t, mustLoad(t, s), 50)
	})
}

func TestAFailureSpoilsNoOthers(t *testing.T) {
	inGroups(t, func(t *testing.T, s *store.Store, groups *[]store.Group) {
		who := mustCreateAll(t, s, "ana", "ben")
		game := match{rules: "classic", seats: who, at: noon, open: true, stop: 3}.batches(t, 1, 9)
		for _, b := range game {
			require.NoError(t, commit(s, b))
		}
		stale := *game[len(game)-1]
		stale.Chat = []table.ChatLine{{Seq: 1, At: noon, Text: "half a batch", Room: table.RoomPlayers}}
		stale.State = []byte(`{"half":"a batch"}`)
		// The stale batch fails at its lines; this one at its last step, after its lines have been written.
		twice := table.Batch{
			Table: 9, Game: 1, Seq: stale.Seq + len(stale.Rows), Rows: []table.Row{{Line: "# half a batch", At: noon}},
			Chat: []table.ChatLine{{Seq: 7, At: noon}, {Seq: 7, At: noon}},
		}
		*groups = nil
		errs := together(t, s,
			say(s, 1),
			func() error { return commit(s, &stale) },
			say(s, 2),
			func() error { _, err := s.Create(ctx, keyOf("other"), "Ana", text.Skeleton("Ana"), noon); return err },
			func() error { return commit(s, &twice) },
			say(s, 3),
		)
		require.NoError(t, errs[0])
		require.ErrorIs(t, errs[1], table.ErrConflict)
		require.NoError(t, errs[2])
		require.Error(t, errs[3])
		require.ErrorIs(t, errs[4], table.ErrConflict)
		require.NoError(t, errs[5])
		require.Len(t, *groups, 2)
		require.Equal(t, 6, (*groups)[1].Changes)

		saved := mustLoad(t, s)
		require.Len(t, saved, 4)
		require.Equal(t, game[len(game)-1].State, saved[3].State)
		require.Empty(t, saved[3].Chat)
		require.Len(t, saved[3].Rows, strings.Count(recordOf(game), "\n"))
	})
}

func TestTwoWhoExpectTheSameSequence(t *testing.T) {
	inGroups(t, func(t *testing.T, s *store.Store, groups *[]store.Group) {
		who := mustCreateAll(t, s, "ana", "ben")
		game := match{rules: "classic", seats: who, at: noon, open: true, stop: 3}.batches(t, 1, 9)
		commit := func(b *table.Batch) func() error { return func() error { return commit(s, b) } }
		for _, b := range game {
			errs := together(t, s, commit(b), commit(b))
			require.True(t, errs[0] == nil && errors.Is(errs[1], table.ErrConflict) || errs[1] == nil && errors.Is(errs[0], table.ErrConflict), "%v",
				errs)
		}
		require.Len(t, mustLoad(t, s)[0].Rows, strings.Count(recordOf(game), "\n"))
	})
}

func TestWhoGivesUpWaitingHasWrittenNothing(t *testing.T) {
	inGroups(t, func(t *testing.T, s *store.Store, groups *[]store.Group) {
		given, giveUp := context.WithCancel(ctx)
		release := make(chan struct{})
		held := s.Hold(release)
		gone := make(chan error)
		go func() { _, err := s.NextGame(given); gone <- err }()
		synctest.Wait()
		giveUp()
		require.ErrorIs(t, <-gone, context.Canceled)
		close(release)
		require.NoError(t, <-held)
		first, err := s.NextGame(ctx)
		require.NoError(t, err)
		require.EqualValues(t, 1, first)
	})
}

func TestClosedStoreRefuses(t *testing.T) {
	inGroups(t, func(t *testing.T, s *store.Store, groups *[]store.Group) {
		release := make(chan struct{})
		held := s.Hold(release)
		waiting, closed := make(chan error), make(chan error)
		go func() { waiting <- say(s, 1)() }()
		synctest.Wait()
		go func() { closed <- s.Close() }()
		synctest.Wait()
		require.ErrorIs(t, <-waiting, store.ErrClosed)
		close(release)
		require.NoError(t, <-held, "what was begun is finished")
		require.NoError(t, <-closed)
		require.ErrorIs(t, say(s, 2)(), table.ErrUnavailable)
		require.NoError(t, s.Close())
	})
}
