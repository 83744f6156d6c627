package lobbytest

import (
	"context"
	"math/rand/v2"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/require"

	"boneyard/lobby"
	"boneyard/rules"
	"boneyard/table"
)

// Club is a lobby on a store in memory.
type Club struct {
	*lobby.Lobby
	T     *testing.T
	Store *Store
	keys  int
}

// NewKey makes a key that nobody else has.
func (c *Club) NewKey() lobby.KeyID {
	c.keys++
	return lobby.KeyID{1, byte(c.keys), byte(c.keys >> 8)}
}

// Bubble runs a test with a club that is empty, in which time stands still while anybody works and the same names and
// deals come each time. There is no table of the house, unless change says so. The lobby closes with the test.
func Bubble(t *testing.T, test func(t *testing.T, c *Club), change ...func(*lobby.Config)) {
	t.Helper()
	synctest.Test(t, func(t *testing.T) {
		cfg := lobby.DefaultConfig()
		cfg.Exhibition = false
		for _, f := range change {
			f(&cfg)
		}
		store := New(t)
		var seeds atomic.Uint32 // tables and events ask on goroutines of their own
		l, err := lobby.New(cfg, lobby.Deps{
			Stores: store.Stores(), Rand: func() *rand.Rand { return rand.New(rand.NewPCG(1, 2)) },
			Table: table.Deps{NewSeed: func() rules.Seed { return rules.Seed{7, byte(seeds.Add(1))} }},
		})
		require.NoError(t, err)
		require.NoError(t, l.Start(context.Background()))
		defer func() {
			ctx, cancel := context.WithTimeout(context.Background(), 10*time.Second)
			defer cancel()
			require.NoError(t, l.Close(ctx))
		}()
		test(t, &Club{Lobby: l, T: t, Store: store})
	})
}
