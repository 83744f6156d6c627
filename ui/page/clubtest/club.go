// Package clubtest opens clubs for the tests of pages that need a whole one. Package pagetest does without, so
// that most pages are tested without a store. It must not know what a page shows.
package clubtest

import (
	"context"
	"math/rand/v2"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"boneyard/lobby"
	"boneyard/lobby/lobbytest"
	"boneyard/table"
	"boneyard/ui/page/pagetest"
)

// Club is a lobby in memory, whose clock stands at [pagetest.Now].
type Club struct {
	*lobby.Lobby
	Store *lobbytest.Store
	tb    testing.TB
	keys  byte
}

// Open opens a club; it closes with the test. prepare may fill the store before.
func Open(tb testing.TB, prepare ...func(*lobbytest.Store)) *Club {
	tb.Helper()
	cfg := lobby.DefaultConfig()
	cfg.Exhibition = false
	store := lobbytest.New(tb)
	for _, f := range prepare {
		f(store)
	}
	l, err := lobby.New(cfg, lobby.Deps{
		Stores: store.Stores(),
		Now:    func() time.Time { return pagetest.Now },
		Rand:   func() *rand.Rand { return rand.New(rand.NewPCG(1, 2)) },
	})
	require.NoError(tb, err)
	require.NoError(tb, l.Start(context.Background()))
	tb.Cleanup(func() {
		ctx, cancel := context.WithTimeout(context.Background(), 10*time.Second)
		defer cancel()
		require.NoError(tb, l.Close(ctx))
	})
	return &Club{Lobby: l, Store: store, tb: tb}
}

// Come registers somebody and lets them in.
func (c *Club) Come(name string) *lobby.Visit {
	c.tb.Helper()
	c.keys++
	key := lobby.KeyID{c.keys}
	a, err := c.Register(context.Background(), lobby.Origin{Key: key}, name)
	require.NoError(c.tb, err)
	return c.enter(a, lobby.Origin{Key: key, Net: "10.0.0." + string('0'+rune(c.keys%10)), Terminal: "xterm"})
}

// Guest lets somebody in who has no key.
func (c *Club) Guest() *lobby.Visit {
	c.tb.Helper()
	return c.enter(nil, lobby.Origin{Net: "10.0.1.1"})
}

func (c *Club) enter(a *lobby.Account, o lobby.Origin) *lobby.Visit {
	c.tb.Helper()
	v, err := c.Enter(context.Background(), a, o)
	require.NoError(c.tb, err)
	c.tb.Cleanup(func() { v.Close(table.Left) })
	return v
}
