package table_test

import (
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/require"

	"boneyard/rules"
	"boneyard/table"
)

func openHands(c *table.Config) { c.OpenHands, c.Pace = true, table.PaceNone }

// holdings is since when each tile has been in a player's hand, as seen by that player.
type holdings [rules.MaxSeats]map[rules.Tile]time.Time

// look has the players look at their hands; a tile of another round is another one.
func (h *holdings) look(f *fixture, round *int, players ...table.Player) {
	for i, p := range players {
		v := f.see(p)
		if v.Play.Round != *round {
			*h, *round = holdings{}, v.Play.Round
		}
		if h[i] == nil {
			h[i] = map[rules.Tile]time.Time{}
		}
		for t := range h[i] {
			if !v.Play.Hand.Has(t) {
				delete(h[i], t)
			}
		}
		for t := range v.Play.Hand.All() {
			if _, known := h[i][t]; !known {
				h[i][t] = time.Now()
			}
		}
	}
}

// Over a whole game, watchers of a table with open hands see each tile when it has been held for two minutes:
// not before, and not much later. Players, and people who may be players, see none; nor does anybody at other
// tables.
func TestOpenHandsComeLate(t *testing.T) {
	bubble(t, config(func(c *table.Config) { openHands(c); setRules(c, "classic target=150", 3) }), func(t *testing.T, f *fixture) {
		guestOfAna := table.Player{ID: -9, Name: "guest-oak"}
		f.nets[guestOfAna.ID] = netOf(ana.ID)
		players := []table.Player{ana, ben, cal}
		f.seat(players...)
		require.Equal(t, "watchers see the hands", f.see(eve).Casual)
		require.False(t, f.see(eve).Rated)
		var held holdings
		round, shown, hidden, turns := 0, 0, 0, 0
		for {
			p, v := f.turn(players...)
			if v.State == table.Scoring {
				require.Nil(t, f.see(eve).OpenHands)
				for _, p := range players {
					if f.see(p).State == table.Scoring {
						f.must(p, table.Continue{})
					}
				}
				continue
			}
			if v.State != table.Playing {
				break
			}
			for range 1 + turns%4 {
				held.look(f, &round, players...)
				w := f.see(eve)
				require.Zero(t, w.Play.Hand)
				for i, tiles := range held {
					for tile, since := range tiles {
						age := time.Since(since)
						seen := w.OpenHands != nil && w.OpenHands[i].Has(tile)
						if seen {
							shown++
							require.GreaterOrEqual(t, age, 2*time.Minute-time.Second, "seat %d, %s", i+1, tile) // a draw is noticed up to a second late
						} else {
							hidden++
							require.LessOrEqual(t, age, 2*time.Minute, "seat %d, %s", i+1, tile)
						}
					}
					if w.OpenHands != nil {
						require.Zero(t, w.OpenHands[i]&^f.see(players[min(i, 2)]).Play.Hand, "a tile that is not held")
					}
				}
				for _, q := range append([]table.Player{guestOfAna, {}}, players...) {
					require.Nil(t, f.see(q).OpenHands, q.Name)
				}
				time.Sleep(20 * time.Second)
			}
			f.play(p, f.see(p))
			turns++
		}
		require.Positive(t, shown)
		require.Positive(t, hidden)
		require.Nil(t, f.see(eve).OpenHands)
	})
	bubble(t, config(func(c *table.Config) { c.Pace = table.PaceNone }), func(t *testing.T, f *fixture) {
		f.seat(ana, ben)
		f.see(eve)
		time.Sleep(150 * time.Second)
		require.Nil(t, f.see(eve).OpenHands)
	})
}

// While nobody moves, watchers are shown the hands by a timer, which runs only while somebody watches. Those
// who come later see them at once, and all share one view. A restart changes none of this.
func TestOpenHandsByTheClock(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var asked atomic.Int64
		f := openWith(t, 1, config(openHands), func(d *table.Deps) {
			d.Now = func() time.Time { asked.Add(1); return time.Now() }
		})
		f.seat(ana, ben)
		synctest.Wait()
		before := asked.Load()
		time.Sleep(130 * time.Second)
		synctest.Wait()
		require.Equal(t, before, asked.Load(), "something has ticked")
		require.NotNil(t, f.see(eve).OpenHands)

		f.restart(time.Second)
		for _, p := range []table.Player{ana, ben} {
			f.Presence(p.ID, table.Here)
		}
		require.True(t, f.Config().OpenHands)
		require.NotNil(t, f.see(eve).OpenHands)
	})
	bubble(t, config(openHands), func(t *testing.T, f *fixture) {
		f.seat(ana, ben)
		v := f.see(eve)
		require.Equal(t, table.Playing, v.State)
		require.Nil(t, v.OpenHands)
		begun := time.Now()
		sub := f.seen[eve.ID]
		for v.OpenHands == nil {
			<-sub.C()
			v = sub.View()
			require.Less(t, time.Since(begun), 3*time.Minute)
		}
		require.InDelta(t, 2*time.Minute, time.Since(begun), float64(time.Second))
		for i, p := range []table.Player{ana, ben} {
			require.Equal(t, f.see(p).Play.Hand, v.OpenHands[i])
		}
		require.Same(t, v, f.see(dan))

		f.seen[eve.ID].Close()
		f.seen[dan.ID].Close()
		delete(f.seen, eve.ID)
		require.NotNil(t, f.see(eve).OpenHands, "after a time when nobody watched")
	})
}

func TestOpenHandsWhereTheyMakeNoSense(t *testing.T) {
	for _, edit := range []func(*table.Config){
		func(c *table.Config) { c.Watchers = false },
		func(c *table.Config) { c.Pace = table.PaceSlow },
	} {
		c := config(openHands)
		require.NoError(t, c.Validate())
		edit(&c)
		require.ErrorIs(t, c.Validate(), table.ErrConfig)
	}
}
