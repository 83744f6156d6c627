package table

import (
	"time"

	"boneyard/rules"
)

// clock is the time of the seat to move. Only one runs at a table, and only while a player has to choose.
type clock struct {
	Seat rules.Seat    `json:"seat,omitempty"` // whose clock it is
	Left time.Duration `json:"left,omitempty"` // of the turn, when the clock was last stopped
	// since is when it was started, zero while it stands. It is not on disk: a crash gives the time since
	// back.
	since time.Time
}

func (c *clock) runs() bool { return !c.since.IsZero() }

// onClock returns the seat whose clock has to run: 0 if nobody has to choose, or the table stands still.
func (s *state) onClock() rules.Seat {
	if s.frozen || !s.attended() {
		return 0
	}
	return s.wholeTurn().Seat
}

// wholeTurn returns the clock at the beginning of this turn, zero if nobody has to choose.
func (s *state) wholeTurn() clock {
	if s.Phase != Playing || s.cfg.Pace.Turn() == 0 {
		return clock{}
	}
	turn := s.game.play.Turn()
	if turn == 0 || s.seat(turn).byBot() || s.game.play.Duty() != rules.Play {
		return clock{}
	}
	return clock{Seat: turn, Left: s.cfg.Pace.Turn()}
}

// stopClock takes the time used from the turn and then from the bank.
func (s *state) stopClock(now time.Time) {
	c := &s.Clock
	if !c.runs() {
		return
	}
	c.Left -= now.Sub(c.since)
	c.since = time.Time{}
	if c.Left < 0 {
		q := s.seat(c.Seat)
		q.Bank = max(q.Bank+c.Left, 0)
		c.Left = 0
	}
}

// setClock stops the clock if it must not run, and gives a new turn its time.
func (s *state) setClock(now time.Time) {
	on := s.onClock()
	if on != s.Clock.Seat || on == 0 {
		s.stopClock(now)
	}
	if on != 0 && on != s.Clock.Seat {
		s.Clock = s.wholeTurn()
	}
}

// timeOut returns when the seat to move runs out of time, its bank included; zero if no clock runs.
func (s *state) timeOut() time.Time {
	if !s.Clock.runs() {
		return time.Time{}
	}
	return s.Clock.since.Add(s.Clock.Left + s.seat(s.Clock.Seat).Bank)
}

// autoDue reports whether the seat to move acts by itself: the rules force a move, or a bot chooses.
func (s *state) autoDue() bool {
	if s.Phase != Playing || s.frozen || !s.attended() {
		return false
	}
	turn := s.game.play.Turn()
	return turn != 0 && (s.game.play.Duty() != rules.Play || s.seat(turn).byBot())
}

// arm starts what has to run from now on. It is called after the state has been installed, so that the
// journal's time is nobody's. What it sets is not on disk.
func (t *Table) arm(now time.Time) {
	s := &t.state
	if s.onClock() == s.Clock.Seat && s.Clock.Seat != 0 && !s.Clock.runs() {
		s.Clock.since = now
	}
	switch {
	case !s.autoDue():
		s.autoAt, s.overdue = time.Time{}, false
	case s.autoAt.IsZero() && !s.overdue:
		s.autoAt = now.Add(t.autoPause())
	}
	people, free := s.counts()
	switch {
	case s.Phase != Gathering || s.cfg.Fill != FillSoon || s.Filled || people == 0 || free == 0:
		s.fillAt = time.Time{}
	case s.fillAt.IsZero():
		s.fillAt = now.Add(t.deps.Times.Fill)
	}
	for _, q := range s.seats() {
		s.setLate(q, now)
	}
	setSince(&s.turnAt, now, s.mayBeSilent())
	t.think()
}

// mayBeSilent reports whether a player who is here has to choose, and only the others' vote could end that.
func (s *state) mayBeSilent() bool {
	if s.Phase != Playing || s.frozen || s.cfg.Pace != PaceNone || s.game.play.Duty() != rules.Play {
		return false
	}
	turn := s.game.play.Turn()
	return turn != 0 && s.here(s.seat(turn)) && !s.seat(turn).byBot() && !s.seat(turn).silent
}

// setSince sets at to now when so becomes true, and to zero when it is false.
func setSince(at *time.Time, now time.Time, so bool) {
	switch {
	case !so:
		*at = time.Time{}
	case at.IsZero():
		*at = now
	}
}

// deserted reports whether nobody is here and no game is being played.
func (s *state) deserted() bool {
	return !s.inGame() && !s.cfg.House && !s.keepsSeats() && s.watchers == 0 &&
		!s.any(func(q *seatState) bool { return q.human() && q.presence == Here })
}

// unattended reports whether nobody is here, or attends to the game. The house's own table waits for
// watchers.
func (s *state) unattended() bool { return s.asleep() || s.deserted() }

// patience returns how long nobody may be here before the table closes.
func (s *state) patience(times *Times) time.Duration {
	switch people, _ := s.counts(); {
	case s.inGame() && s.cfg.Event.ID != 0 && !s.cfg.Event.Solo: // others wait for its end
		return times.Event
	case s.inGame():
		return times.Asleep
	case s.cfg.Pace == PaceSlow && people > 0 && s.Phase != Finished:
		return times.EmptySlow
	}
	return times.Empty
}

// autoPause returns how long the seat to move waits before it acts by itself.
func (t *Table) autoPause() time.Duration {
	s := &t.state
	if s.game.play.Duty() != rules.Play {
		return t.deps.Times.Forced
	}
	pause := t.deps.HumanPause(t.rng, len(s.game.play.AppendChoices(nil)))
	if s.cfg.House {
		pause += t.deps.Times.House
	}
	return pause
}

// alarm is something that the table does by itself when it is due.
type alarm func(*draft) error

// next returns the first alarm and its time, nil if the table waits for nothing. It depends on the state
// alone, so that what is due and what is done cannot disagree.
func (s *state) next(times *Times) (at time.Time, first alarm) {
	add := func(when time.Time, a alarm) {
		if !when.IsZero() && (at.IsZero() || when.Before(at)) {
			at, first = when, a
		}
	}
	if s.frozen || s.Phase == Closed {
		return at, first
	}
	switch s.Phase {
	case Gathering, Finished:
		add(s.fillAt, func(d *draft) error { d.fill(); return nil })
		switch {
		case s.cfg.House && s.attended(): // the exhibition table begins a game
			add(s.deadline, (*draft).start)
		case s.cfg.Event.ID != 0: // an event's game has been over for a while
			add(s.deadline, func(d *draft) error { d.close(noticeClosed); return nil })
		}
	case Countdown:
		add(s.deadline, (*draft).start)
	case Playing:
		add(s.autoAt, (*draft).auto)
		add(s.timeOut(), (*draft).timedOut)
		if !s.turnAt.IsZero() {
			add(s.turnAt.Add(times.Silent), func(d *draft) error { d.fallSilent(); return nil })
		}
	case Scoring:
		if s.attended() {
			add(s.deadline, (*draft).deal)
		}
	case Paused:
		add(s.deadline, func(d *draft) error {
			d.PausedBy = 0
			d.resume()
			return nil
		})
	}
	giveUp := func(d *draft) error { d.giveUpWaiting(); return nil }
	for _, q := range s.seats() {
		if s.unsure(q) {
			add(q.since.Add(times.Away), giveUp)
		}
		if s.inGame() || !s.keepsSeats() {
			add(s.guestGone(q, times), giveUp)
		}
		if !q.lateFrom.IsZero() {
			add(q.lateFrom.Add(times.Late-q.late), func(d *draft) error { d.standUpLate(); return nil })
		}
	}
	if !s.Nobody.IsZero() {
		why := "The table closed because nobody was left."
		if s.inGame() {
			why = "Game abandoned: nobody came back."
		}
		add(s.Nobody.Add(s.patience(times)), func(d *draft) error { d.close(why); return nil })
	}
	return at, first
}

// guestGone returns when a guest who is not here loses the seat; zero for everybody else. Guests own nothing
// to come back to, but their session may go on at another node.
func (s *state) guestGone(q *seatState, times *Times) time.Time {
	switch {
	case !q.human() || !q.Player.ID.Guest() || q.presence == Here:
		return time.Time{}
	case q.presence == Left:
		return q.since
	}
	return q.since.Add(times.Guest)
}

// unsure reports whether a seat's player is not here, which has a consequence after a while: before a game
// the seat becomes free, in a game without clocks the player is absent.
func (s *state) unsure(q *seatState) bool {
	if !q.human() || q.presence == Here || s.cfg.Pace == PaceSlow || !s.inGame() && s.keepsSeats() {
		return false
	}
	if s.inGame() {
		return s.cfg.Pace == PaceNone && !q.Absent && s.Phase != Adjourned && s.attended()
	}
	return true
}
