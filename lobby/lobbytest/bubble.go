package lobbytest

import (
	"context"
	"math/rand/v2"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/require"

	"boneyard/lobby"
	"boneyard/rules"
	"boneyard/table"
)

// Bubble runs a test with a lobby on an empty store, in which time stands still while anybody works and the same names and
// deals come each time. There is no table of the house, unless change says so. The lobby closes with the test.
func Bubble(t *testing.T, test func(t *testing.T, l *lobby.Lobby, s *Store), change ...func(*lobby.Config)) {
	t.Helper()
	synctest.Test(t, func(t *testing.T) {
		cfg := lobby.DefaultConfig()
		cfg.Exhibition = false
		for _, f := range change {
			f(&cfg)
		}
		store, seeds := New(), byte(0)
		l, err := lobby.New(cfg, lobby.Deps{
			Store: store, Rand: func() *rand.Rand { return rand.New(rand.NewPCG(1, 2)) },
			Table: table.Deps{NewSeed: func() rules.Seed { seeds++; return rules.Seed{7, seeds} }},
		})
		require.NoError(t, err)
		require.NoError(t, l.Start(context.Background()))
		defer func() {
			ctx, cancel := context.WithTimeout(context.Background(), 10*time.Second)
			defer cancel()
			require.NoError(t, l.Close(ctx))
		}()
		test(t, l, store)
	})
}
