package store

import (
	"context"
	"path/filepath"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"boneyard/lobby"
	"boneyard/table"
)

// A table that took too long to read is not damaged.
func TestSlowIsNotDamaged(t *testing.T) {
	ctx := context.Background()
	var s *Store
	asked, slow := 0, false
	o := DefaultOptions()
	o.Asked = func(_ context.Context, change bool) error {
		if slow && !change {
			if asked++; asked == 2 {
				s.entrance.limit = 1 // the disk takes longer than it may
			}
		}
		return nil
	}
	s, err := Open(ctx, filepath.Join(t.TempDir(), "club.db"), o)
	require.NoError(t, err)
	defer s.Close()
	id, err := s.NextTable(ctx)
	require.NoError(t, err)
	_, err = table.Commit(s, &table.Batch{Table: id, State: []byte(`{}`)})
	require.NoError(t, err)
	slow = true
	all, err := s.Load(ctx)
	if err != nil {
		require.ErrorIs(t, err, lobby.ErrSlow)
		return // it could not be read: the start is tried again
	}
	require.Len(t, all, 1)
	require.NoError(t, all[0].Fault, "set aside as damaged")
}

// The same if the time is up while a row is being read, between two others.
func TestSlowAtARowIsNotDamaged(t *testing.T) {
	ctx := context.Background()
	s, err := Open(ctx, filepath.Join(t.TempDir(), "club.db"), DefaultOptions())
	require.NoError(t, err)
	defer s.Close()
	s.read.limit = 50 * time.Millisecond
	err = each(ctx, s.read, func(scan scanner) (err error) {
		for n := 0; err == nil; { // until the time is up
			err = scan(&n)
		}
		return err
	}, `SELECT 1 UNION ALL SELECT 2`)
	require.ErrorIs(t, err, lobby.ErrSlow)
	require.False(t, ofContents(ctx, err))
}

// A new team exists even if it could not be read at once.
func TestATeamThatWasMadeIsTold(t *testing.T) {
	ctx := context.Background()
	var s *Store
	slow := false
	o := DefaultOptions()
	o.Asked = func(_ context.Context, change bool) error {
		if slow && !change {
			s.read.limit = 1 // the disk takes longer than it may
		}
		return nil
	}
	s, err := Open(ctx, filepath.Join(t.TempDir(), "club.db"), o)
	require.NoError(t, err)
	defer s.Close()
	a, err := s.Create(ctx, lobby.KeyID{1}, "ana", "ana", time.Now())
	require.NoError(t, err)
	slow = true
	team, err := s.CreateTeam(ctx, a.ID, "Aces", "aces", "ACE", time.Now())
	on, e := s.ByKey(ctx, lobby.KeyID{1})
	require.NoError(t, e)
	require.NotZero(t, on.Team, "the team is on disk, with ana as its captain")
	require.NoError(t, err)
	require.Equal(t, on.Team, team.ID)
}
