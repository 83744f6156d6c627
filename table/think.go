package table

import (
	"math/rand/v2"
	"sync/atomic"

	"boneyard/rules"
	"boneyard/rules/bot"
)

// Chooser chooses for the bots of tables, off their goroutines.
type Chooser interface {
	// Think begins to choose for a seat whose turn it is to play, and does not wait. found is called, by any
	// goroutine, once there is a choice, and again for a better one; it neither blocks nor calls back. The
	// choices follow from the level, what was seen, the seed, and the time available. stop ends it; a call of
	// found may still be under way.
	Think(level bot.Level, s bot.Seen, seed uint64, found func(rules.Move)) (stop func())
}

// chooseNow chooses at once, on the caller's goroutine: for tables that nobody waits for.
type chooseNow struct{}

func (chooseNow) Think(level bot.Level, s bot.Seen, seed uint64, found func(rules.Move)) (stop func()) {
	found(level.Choose(&s, rand.New(rand.NewPCG(seed, 0))))
	return func() {}
}

// turn identifies a turn of a game, and the bot's level.
type turn struct {
	game          GameID
	round, number int
	seat          rules.Seat
	level         bot.Level
}

// thought is a bot's choice in a turn. It is dropped, with later choices, when the turn is over.
type thought struct {
	turn turn
	move atomic.Pointer[rules.Move]
	stop func()
}

// choice returns the best choice so far, nil if there is none.
func (th *thought) choice() *rules.Move {
	if th == nil {
		return nil
	}
	return th.move.Load()
}

// botTurn returns the turn in which a bot has to choose, if there is one.
func (s *state) botTurn() (turn, bool) {
	if !s.autoDue() || s.game.play.Duty() != rules.Play {
		return turn{}, false
	}
	n := s.game.play.Turn()
	return turn{s.game.id, s.game.play.Round(), s.game.number, n, s.seat(n).House.level()}, true
}

// chosen returns the choice of the bot whose turn it is, nil if there is none yet.
func (d *draft) chosen() *rules.Move {
	if now, due := d.botTurn(); !due || d.thought == nil || d.thought.turn != now {
		return nil
	}
	return d.thought.choice()
}

// think starts the choice of the bot whose turn it is, at the beginning of its pause, and drops that of
// another turn. Called on the table's goroutine.
func (t *Table) think() {
	now, due := t.state.botTurn()
	if t.thought != nil && (!due || t.thought.turn != now) {
		t.forget()
	}
	if !due || t.thought != nil {
		return
	}
	th := &thought{turn: now}
	t.thought = th
	seed := t.rng.Uint64
	if t.cfg.Event.Fixed {
		seed = t.state.fixed().Uint64
	}
	th.stop = t.deps.Chooser.Think(now.level, t.state.seen(now.seat), seed(), func(m rules.Move) {
		th.move.Store(&m)
		Signal(t.found)
	})
}

func (t *Table) forget() {
	if t.thought != nil {
		t.thought.stop()
		t.thought = nil
	}
}

// listen lets a bot move that had no choice when its pause was over, but has one now.
func (t *Table) listen() {
	if t.state.overdue && t.thought.choice() != nil {
		t.state.overdue, t.state.autoAt = false, t.deps.Now()
		t.goOn()
	}
}
