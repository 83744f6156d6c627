package table_test

import (
	"testing"
	"testing/synctest"

	"github.com/stretchr/testify/require"

	"boneyard/rules"
	"boneyard/rules/bot"
	"boneyard/table"
)

// forecast is one request of a table.
type forecast struct {
	seen    bot.Seen
	seed    uint64
	found   func([]float64)
	stopped bool
}

// oracle is a Forecaster that answers when the test says so.
type oracle struct{ asked []*forecast }

func (o *oracle) Forecast(s bot.Seen, seed uint64, found func([]float64)) func() {
	f := &forecast{seen: s, seed: seed, found: found}
	o.asked = append(o.asked, f)
	return func() { f.stopped = true }
}

// last is the newest request.
func (o *oracle) last() *forecast { return o.asked[len(o.asked)-1] }

func openWatched(t *testing.T, edit func(*table.Deps)) (*fixture, *oracle) {
	o := &oracle{}
	f := openWith(t, 1, config(nil), func(d *table.Deps) {
		d.Forecaster = o
		if edit != nil {
			edit(d)
		}
	})
	f.seat(ana, ben)
	return f, o
}

// The forecast is computed once a move from what the gallery knows, while somebody watches; all watchers see the same.
func TestWatchersAreToldWhoIsAhead(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		f, o := openWatched(t, nil)
		p, v := f.turn(ana, ben)
		f.play(p, v)
		require.Empty(t, o.asked, "nobody watches")

		require.Nil(t, f.see(eve).Chances)
		f.see(dan)
		require.Len(t, o.asked, 1)
		require.Zero(t, o.last().seen.Seat)
		require.Empty(t, o.last().seen.Hand)
		require.Zero(t, o.last().seen.Open)
		o.last().found([]float64{0.62, 0.38})
		require.Equal(t, []int{60, 40}, f.see(eve).Chances)
		require.Same(t, f.see(eve), f.see(dan))
		version := f.see(eve).Version

		p, v = f.turn(ana, ben)
		require.Equal(t, version, v.Version, "nothing has changed for players")
		f.play(p, v)
		synctest.Wait()
		require.True(t, o.asked[0].stopped)
		require.Equal(t, []int{60, 40}, f.see(eve).Chances, "until it is known")
		shown := f.see(eve)
		o.last().found([]float64{0.57, 0.43})
		require.Same(t, shown, f.see(eve), "what is about right stays")
		f.seen[eve.ID].Close()
		f.seen[dan.ID].Close()
		synctest.Wait()
		require.True(t, o.last().stopped)
		asked := len(o.asked)
		p, v = f.turn(ana, ben)
		f.play(p, v)
		synctest.Wait()
		require.Len(t, o.asked, asked)
	})
}

// A watcher who leaves and comes back does not cause another forecast of the same move.
func TestOneForecastOfAMove(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		f, o := openWatched(t, nil)
		p, v := f.turn(ana, ben)
		f.play(p, v)
		f.see(eve)
		o.last().found([]float64{0.62, 0.38})
		for range 20 {
			require.Equal(t, []int{60, 40}, f.see(eve).Chances)
			f.seen[eve.ID].Close()
			delete(f.seen, eve.ID)
			synctest.Wait()
		}
		require.Len(t, o.asked, 1)
		p, v = f.turn(ana, ben)
		f.play(p, v)
		f.see(eve)
		require.Len(t, o.asked, 2, "about another move")
	})
}

// Players, present and past, do not see the forecast before the game is over, if the program can tell that it is them.
func TestPlayersAreNotToldWhoIsAhead(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		f, o := openWatched(t, nil)
		guestOfAna := table.Player{ID: -9, Name: "guest-oak"}
		f.nets[guestOfAna.ID] = netOf(ana.ID)
		nobody := table.Player{}
		f.see(eve)
		o.last().found([]float64{0.9, 0.1})
		require.Equal(t, []int{90, 10}, f.see(eve).Chances)
		for _, p := range []table.Player{ana, ben, guestOfAna, nobody} {
			require.Nil(t, f.see(p).Chances, p.Name)
		}
		f.must(ana, table.Resign{})
		require.Nil(t, f.see(ana).Chances)
	})
	synctest.Test(t, func(t *testing.T) { // where all come from one network, it says nothing
		f, o := openWatched(t, func(d *table.Deps) { d.OneNetwork = true })
		f.nets[eve.ID] = netOf(ana.ID)
		f.see(eve)
		o.last().found([]float64{0.9, 0.1})
		require.Equal(t, []int{90, 10}, f.see(eve).Chances)
		require.Nil(t, f.see(ana).Chances)
	})
}

// Between rounds the forecast is about the next one; after the game there is none.
func TestForecastsOverAGame(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		f, o := openWatched(t, nil)
		f.see(eve)
		v := f.playOut(ana, ben)
		require.Equal(t, table.Finished, v.State)
		require.Nil(t, f.see(eve).Chances)
		require.True(t, o.last().stopped)
		between := 0
		seeds := map[uint64]bool{}
		for _, a := range o.asked {
			require.NotEqual(t, rules.Over, a.seen.Phase)
			require.False(t, seeds[a.seed], "asked twice")
			seeds[a.seed] = true
			if a.seen.Phase == rules.Dealing {
				between++
			}
		}
		require.Positive(t, between)
	})
}
