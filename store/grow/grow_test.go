package grow_test

import (
	"context"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"

	"boneyard/lobby"
	"boneyard/store"
	"boneyard/store/grow"
)

func fill(t *testing.T, p grow.Plan) (path string, games []lobby.GameInfo) {
	t.Helper()
	path = filepath.Join(t.TempDir(), "club.db")
	s, err := store.Open(context.Background(), path, store.DefaultOptions())
	require.NoError(t, err)
	defer func() { require.NoError(t, s.Close()) }()
	steps := 0
	club, err := grow.Fill(context.Background(), s, p, func(done, of int) { steps = done })
	require.NoError(t, err)
	require.Len(t, club.Members, p.Members)
	require.Len(t, club.Teams, p.Teams)
	require.Equal(t, p.Games+p.Members+p.Teams+p.Chat, steps)
	games, err = s.Games(context.Background(), lobby.GamesQuery{Limit: p.Games})
	require.NoError(t, err)
	return path, games
}

func TestAGrownClubIsSoundAndFollowsFromItsSeed(t *testing.T) {
	p := grow.Plan{Games: 60, Members: 20, Teams: 6, Chat: 5, Seed: 7}
	path, games := fill(t, p)
	require.Len(t, games, p.Games)
	f, err := store.Check(context.Background(), path, nil)
	require.NoError(t, err)
	require.Empty(t, f.Problems)
	require.Equal(t, p.Games, f.Games)
	require.Equal(t, 54, f.Counted, "nine in ten are rated")
	_, again := fill(t, p)
	require.Equal(t, games, again)
	p.Seed++
	_, other := fill(t, p)
	require.NotEqual(t, games, other)
}
