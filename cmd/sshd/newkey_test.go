package main

import (
	"context"
	"path/filepath"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"boneyard/lobby"
	"boneyard/store"
)

// A new host key for a club with members is an emergency: to their clients it looks like an attack.
func TestANewHostKeyOfAnOldClubIsSaidLoudly(t *testing.T) {
	_, fresh := mustRun(t, nil)
	require.Contains(t, fresh.String(), "host key made")
	require.NotContains(t, fresh.String(), "NEW HOST KEY")

	ctx := context.Background()
	data := filepath.Join(t.TempDir(), "club.db")
	s, err := store.Open(ctx, data, store.DefaultOptions())
	require.NoError(t, err)
	_, err = s.Create(ctx, lobby.KeyID{1}, "ana", "ana", time.Now())
	require.NoError(t, err)
	require.NoError(t, s.Close())
	_, log := mustRun(t, func(o *Settings) { o.Data = data })
	require.Contains(t, log.String(), "NEW HOST KEY")
}
