package store_test

import (
	"encoding/binary"
	"math/rand/v2"
	"strconv"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/require"

	"boneyard/lobby"
	"boneyard/rules"
	"boneyard/store"
	"boneyard/table"
)

// realTable plays rated games of two members at tables of package table, in a bubble of synctest.
type realTable struct {
	*testing.T
	store    *store.Store
	who      []table.Player
	rng      *rand.Rand
	commands int
	*table.Table
	seen []*table.Subscription
}

func (r *realTable) deps() table.Deps {
	return table.Deps{
		Journal: r.store,
		Rand:    func() *rand.Rand { return r.rng },
		NewSeed: func() (seed rules.Seed) {
			binary.BigEndian.PutUint64(seed[:], r.rng.Uint64())
			return seed
		},
	}
}

// enter has the members come to the table.
func (r *realTable) enter(at *table.Table) {
	r.Table, r.seen = at, nil
	for _, p := range r.who {
		s, err := at.Subscribe(p, "")
		require.NoError(r, err)
		r.seen = append(r.seen, s)
		at.Presence(p.ID, table.Here)
	}
}

func (r *realTable) do(p table.Player, c table.Command) {
	r.Helper()
	r.commands++
	require.NoError(r, r.Do(ctx, table.Request{ID: strconv.Itoa(r.commands), By: p, Command: c}))
}

func (r *realTable) all(c table.Command) {
	r.Helper()
	for _, p := range r.who {
		r.do(p, c)
	}
}

// play plays until the game is over or, if round is not 0, that round has begun.
func (r *realTable) play(round int) *table.View {
	r.Helper()
	for range 10_000 {
		time.Sleep(time.Second) // the bubble's, which takes no time
		synctest.Wait()
		for i, s := range r.seen {
			v := s.View()
			switch {
			case v.State == table.Finished, round != 0 && v.Play.Round >= round:
				return v
			case v.State == table.Playing && v.Play.Duty == rules.Play:
				o := v.Play.Options[r.rng.IntN(len(v.Play.Options))]
				r.do(r.who[i], table.Move{Version: v.Version, Move: rules.Move{Kind: rules.Play, Tile: o.Tile, Arm: o.Arm}})
			}
		}
	}
	r.Fatal("the game does not end")
	return nil
}

func TestRealTablesWithARestart(t *testing.T) {
	path := newPath(t)
	const games = 3
	synctest.Test(t, func(t *testing.T) {
		s := mustOpen(t, path, options(t))
		r := &realTable{T: t, store: s, who: mustCreateAll(t, s, "ana", "ben"), rng: rand.New(rand.NewPCG(5, 6))}
		cfg := table.DefaultConfig()
		cfg.RuleText, cfg.Rules, cfg.Fill = "azneef", rules.Ruleset{}, table.FillNever
		for range games {
			at, err := table.Make(ctx, r.deps(), cfg, r.who[0])
			require.NoError(t, err)
			r.enter(at)
			r.all(table.Sit{})
			r.all(table.Ready{On: true})
			before := r.play(2)
			require.Equal(t, 2, before.Play.Round)
			require.NoError(t, r.Close(ctx))
			mustClose(t, r.store)

			r.store = mustOpen(t, path, options(t))
			saved := mustLoad(t, r.store)
			require.Len(t, saved, 1)
			at, err = table.Restore(r.deps(), saved[0])
			require.NoError(t, err)
			r.enter(at)
			after := r.seen[before.POV-1].View()
			require.Equal(t, before.Play, after.Play)
			require.Equal(t, before.Commitment, after.Commitment)

			end := r.play(0)
			require.Equal(t, table.EndPlayed, end.Result.Ending)
			require.True(t, end.Rated)
			require.Len(t, end.Result.Changes, 2)
			killed := mustLoad(t, r.store)
			require.Len(t, killed, 1)
			require.Zero(t, killed[0].Game, "its game has ended")
			require.Equal(t, end.Result.Changes, killed[0].Changes)
			r.do(r.who[0], table.Close{})
			require.NoError(t, r.Close(ctx))
		}
		require.Empty(t, mustLoad(t, r.store))
		stands := mustStandings(t, r.store, lobby.StandingsQuery{Kind: lobby.KindPlayer})
		require.Len(t, stands, 2)
		require.Equal(t, games, stands[0].Games)
	})
	found := mustBeSound(t, path)
	require.Equal(t, []int{games, games}, []int{found.Games, found.Counted})
}
