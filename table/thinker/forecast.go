package thinker

import (
	"math/rand/v2"
	"slices"
	"sync/atomic"

	"boneyard/rules"
	"boneyard/rules/bot"
)

// view is one moment of a game that is watched.
type view struct {
	seen    bot.Seen
	seed    uint64
	found   func([]float64)
	stopped atomic.Bool
}

// kind is a game with its house rules, at a number of seats.
type kind struct {
	rules rules.Ruleset
	seats int
}

const (
	mostViews = 128 // moments that may wait
	mostGames = 64  // kinds of game of which rounds are kept
)

// Forecast implements [table.Forecaster]. Where masters have to do with fewer rollouts, or too many tables are watched, there
// is none for this moment.
func (t *Thinker) Forecast(s bot.Seen, seed uint64, found func([]float64)) (stop func()) {
	v := &view{seen: s, seed: seed, found: found}
	t.mu.Lock()
	if len(t.views) >= mostViews {
		t.views = slices.DeleteFunc(t.views, func(w *view) bool { return w.stopped.Load() })
	}
	busy := len(t.views) >= mostViews || len(t.fresh)+len(t.deep) > longest[0]
	if !busy && !t.closed {
		t.views = append(t.views, v)
	}
	t.mu.Unlock()
	if busy {
		t.told.Forecast(false)
	}
	t.signal()
	return func() { v.stopped.Store(true) }
}

// nextView takes the moment that has waited longest and is not over.
func (t *Thinker) nextView() *view {
	t.mu.Lock()
	defer t.mu.Unlock()
	for len(t.views) > 0 {
		v := t.views[0]
		t.views[0] = nil // so that it is not kept alive
		t.views = t.views[1:]
		if !v.stopped.Load() {
			return v
		}
	}
	t.views = nil
	return nil
}

// forecast works out who is ahead.
func (t *Thinker) forecast(v *view) {
	game := t.game(kind{v.seen.Rules, v.seen.Seats})
	if game == nil {
		return
	}
	if chances := game.Chances(&v.seen, bot.ForecastGuesses, rand.New(rand.NewPCG(v.seed, 0))); chances != nil {
		v.found(chances)
		t.told.Forecast(true)
	}
}

// game is what is known of a kind of game, nil if there is none of that kind.
func (t *Thinker) game(k kind) *bot.Forecast {
	if f := t.games[k]; f != nil {
		return f
	}
	f, err := bot.NewForecast(&k.rules, k.seats, rand.New(rand.NewPCG(0, 0)))
	if err != nil {
		return nil
	}
	if len(t.games) >= mostGames {
		clear(t.games)
	}
	t.games[k] = f
	return f
}
