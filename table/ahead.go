package table

import (
	"slices"
	"sync/atomic"

	"boneyard/rules"
	"boneyard/rules/bot"
)

// Forecaster computes the sides' chances at tables that somebody watches, outside their goroutines.
type Forecaster interface {
	// Forecast begins to work out the sides' chances to win from what the gallery has seen. It does not wait.
	// found is called at most once, by any goroutine, with chances that sum up to 1, and not at all where
	// there is too much else to do; it neither blocks nor calls back. The chances follow from what was seen
	// and the seed. Stop ends it: a call of found may still be under way.
	Forecast(s bot.Seen, seed uint64, found func(chances []float64)) (stop func())
}

// noForecasts is a Forecaster that never finds anything.
type noForecasts struct{}

var _ Forecaster = noForecasts{}

func (noForecasts) Forecast(bot.Seen, uint64, func([]float64)) (stop func()) { return func() {} }

// moment identifies a moment of a game.
type moment struct {
	game          GameID
	round, number int
	phase         rules.Phase
}

// outlook is who is ahead, as watchers see it. It belongs to the table's goroutine.
type outlook struct {
	forecast *forecast // nil while nobody watches
	shown    []int     // in percent, by side; never written to, since views share it

	// The last result and its moment, so that watchers who leave and come back do not cause it to be computed again.
	found []int
	of    moment
}

// forecast is what was asked about one moment.
type forecast struct {
	at    moment
	found atomic.Pointer[[]float64]
	stop  func()
}

// moment is the turning point that watchers see, if there is one.
func (s *state) moment() (moment, bool) {
	g := &s.game.play
	at := moment{s.game.id, g.Round(), s.game.number, g.Phase()}
	return at, s.inGame() && !s.frozen && g.Round() > 0 && at.phase != rules.Over
}

// foresee requests a forecast, once a move, while somebody watches who may see it. Called on the table's goroutine.
func (t *Table) foresee() {
	now, due := t.state.moment()
	due = due && !t.draining && !t.ended && t.subs.feeds[0].readers > 0
	o := &t.outlook
	if o.forecast != nil && (!due || o.forecast.at != now) {
		again := due && o.forecast.at.game == now.game
		o.forecast.stop()
		o.forecast = nil
		if !again {
			o.shown = nil
		}
	}
	if !due || o.forecast != nil {
		return
	}
	f := &forecast{at: now, stop: func() {}}
	o.forecast = f
	if o.found != nil && o.of == now {
		o.shown = o.found
		return
	}
	seed := uint64(now.game)<<24 ^ uint64(now.round)<<12 ^ uint64(now.number)
	f.stop = t.deps.Forecaster.Forecast(t.state.seen(0), seed, func(chances []float64) {
		f.found.Store(&chances)
		t.wake()
	})
}

// Sudden reports whether chances have changed so much that watchers hear of it at once. Other changes they
// see with the next move, which costs each of them half as many bytes.
func Sudden(before, now []int) bool {
	if len(before) != len(now) {
		return true
	}
	for i := range now {
		if now[i]-before[i] >= 15 {
			return true
		}
	}
	return false
}

// tellAhead shows watchers the forecast if it has changed. Nothing changes for players, so they are not notified.
func (t *Table) tellAhead() {
	o := &t.outlook
	if o.forecast == nil {
		return
	}
	chances := o.forecast.found.Swap(nil)
	if chances == nil {
		return
	}
	shown := bot.Percent(*chances, o.shown)
	before := o.shown
	o.found, o.of = shown, o.forecast.at
	if o.shown = shown; !Sudden(before, shown) {
		return
	}
	t.showGallery()
}

// mayPlay reports whether a watcher plays at this table as far as it can know: has a seat or had one in this
// game, comes from the network of one who has, or does not say who it is. Such watchers do not see who is
// ahead during the game.
func (t *Table) mayPlay(p *sender) bool {
	if p.ID == 0 {
		return true
	}
	same := func(q *sender) bool {
		return q.ID != 0 && (q.ID == p.ID || !t.deps.OneNetwork && p.Net != "" && q.Net == p.Net)
	}
	s := &t.state
	return s.any(func(q *seatState) bool { return same(&q.Player) }) ||
		slices.ContainsFunc(s.game.start.Seats, func(q Player) bool { return same(&sender{Player: q}) })
}

// feedOf is the feed that a reader gets.
func (t *Table) feedOf(s *Subscription) *feed {
	n := s.seat()
	if n == 0 && t.mayPlay(&s.player) {
		return t.subs.feeds[t.cfg.Seats+1]
	}
	return t.subs.feeds[n]
}
