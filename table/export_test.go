package table

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"reflect"
	"time"

	"boneyard/rules"
)

// CheckLaws reports which law the table breaks that must hold whenever it is at rest.
func (t *Table) CheckLaws() (err error) {
	if e := t.call(context.Background(), t.mailbox, func() { err = t.laws() }); e != nil && e != error(ErrClosed) {
		return e
	}
	return err
}

// Left returns what is left of a seat's bank, and of its side's pauses.
func (t *Table) Left(n rules.Seat) (bank time.Duration, pauses int) {
	_ = t.call(context.Background(), t.mailbox, func() {
		bank, pauses = t.state.seat(n).Bank, pausesMost-t.state.Paused[t.state.sideOf(n)-1]
	})
	return bank, pauses
}

func (t *Table) laws() error {
	s := &t.state
	seen := map[PlayerID]bool{}
	for i := range s.Seats {
		q := &s.Seats[i]
		switch {
		case q.human() && seen[q.Player.ID]:
			return fmt.Errorf("player %d sits twice", q.Player.ID)
		case i >= s.cfg.Seats && !q.free():
			return fmt.Errorf("there is no seat %d", i+1)
		case q.Player.ID != 0 && q.House != "":
			return fmt.Errorf("seat %d is held by two", i+1)
		case s.cfg.Access == AccessTeams && q.Player.ID != 0 && q.Player.Team != s.Teams[s.sideOf(rules.Seat(i+1))-1]:
			return fmt.Errorf("seat %d is another team's", i+1)
		case q.Bank < 0 || q.Bank > s.cfg.Pace.Bank():
			return fmt.Errorf("seat %d has a bank of %s", i+1, q.Bank)
		case s.inGame() && q.free() && i < s.cfg.Seats:
			return fmt.Errorf("seat %d is free in a game", i+1)
		}
		seen[q.Player.ID] = true
	}
	if c := &s.Clock; c.runs() &&
		(s.Phase != Playing || s.frozen || s.game.play.Turn() != c.Seat || s.seat(c.Seat).byBot() || s.game.play.Duty() != rules.Play) {
		return fmt.Errorf("the clock of seat %d runs in state %s, turn %d", c.Seat, s.shown(), s.game.play.Turn())
	}
	if on := s.onClock(); on != 0 && !s.Clock.runs() && !t.draining {
		return fmt.Errorf("no clock runs for seat %d", on)
	}
	if s.inGame() != (s.game.id != 0 && s.Result == nil) {
		return fmt.Errorf("state %s with game %d and result %v", s.Phase, s.game.id, s.Result)
	}
	if over := s.game.play.Phase() == rules.Over; over && s.inGame() || s.Phase == Playing && s.game.play.Phase() != rules.Playing {
		return fmt.Errorf("state %s while the game is at %d", s.Phase, s.game.play.Phase())
	}
	if at, alarm := s.next(&t.deps.Times); alarm != nil && at.Before(t.deps.Now()) && !t.draining && !s.frozen {
		return fmt.Errorf("an alarm of state %s is overdue by %s", s.shown(), t.deps.Now().Sub(at))
	}
	if s.frozen && t.retryAt.IsZero() {
		return errors.New("a frozen table does not try again")
	}
	if s.version < s.position || s.version >= s.Mark && !s.frozen && !t.draining && s.Phase != Closed {
		return fmt.Errorf("version %d, position %d, mark %d", s.version, s.position, s.Mark)
	}
	return nil
}

// CheckRestore compares the table with what Restore would make of what is on disk.
func (t *Table) CheckRestore(saved Saved) (err error) {
	if e := t.call(context.Background(), t.mailbox, func() { err = t.compare(saved) }); e != nil && e != error(ErrClosed) {
		return e
	}
	return err
}

func (t *Table) compare(saved Saved) error {
	o, err := restore(t.deps, saved)
	if err != nil {
		return err
	}
	have, want := o.state, t.state
	var disk savedTable
	if err := json.Unmarshal(saved.State, &disk); err != nil {
		return err
	}
	if want.inGame() && !want.frozen && !disk.Nobody.Equal(want.Nobody) {
		return fmt.Errorf("nobody has attended to the game since %v, and on disk since %v", want.Nobody, disk.Nobody)
	}
	for _, s := range []*state{&have, &want} {
		for i := range s.Seats {
			q := &s.Seats[i]
			q.presence, q.back, q.since = "", false, time.Time{}
			q.nextAway, q.unseen, q.lateFrom, q.late, q.silent = false, false, time.Time{}, 0, false
		}
		if s.Phase == Countdown {
			s.Phase, s.Left = Gathering, 0
		}
		if s.Phase == Finished && saved.Game == 0 {
			s.Phase, s.Left = Gathering, 0
		}
		s.Clock.since, s.Result, s.Nobody = time.Time{}, nil, time.Time{}
		if !s.inGame() { // a game that is over does not come back
			s.game, s.Rows = game{}, 0
		}
		s.game.log, s.game.dropped = neutral(s.game.log), 0
		s.game.started = s.game.started.UTC()
		if len(s.Recent) == 0 {
			s.Recent = nil
		}
	}
	if have.Phase == Playing && have.Clock.Seat != 0 {
		have.Clock.Left -= t.deps.Times.Restart
	}
	if want.frozen { // what was spent of the turn and the bank when it froze is not on disk
		want.Seats, have.Seats = [rules.MaxSeats]seatState{}, [rules.MaxSeats]seatState{}
		want.Clock.Left, have.Clock.Left = 0, 0
	}
	if !reflect.DeepEqual(have.kept, want.kept) {
		return fmt.Errorf("restored %+v\nfrom %+v", have.kept, want.kept)
	}
	if !reflect.DeepEqual(have.game, want.game) {
		return fmt.Errorf("restored game %+v\nfrom %+v", have.game, want.game)
	}
	for _, pov := range []rules.Seat{0, 1} {
		a, b := o.chat.heardBy(pov), t.chat.heardBy(pov)
		if n := min(len(a), len(b)); n < len(b) && n < chatShown/2 || !sameChat(a[len(a)-n:], b[len(b)-n:]) {
			return fmt.Errorf("restored chat for %d: %v\nfrom %v", pov, a, b)
		}
	}
	return nil
}

// Bare is a summary without what its readers have made of it.
func Bare(s Summary) Summary {
	s.once = nil
	return s
}

func sameChat(a, b []ChatLine) bool {
	for i := range a {
		if a[i].Seq != b[i].Seq || a[i].Text != b[i].Text || a[i].From != b[i].From || a[i].Room != b[i].Room || !a[i].At.Equal(b[i].At) {
			return false
		}
	}
	return len(a) == len(b)
}

// neutral is a log without what a restart changes.
func neutral(log []*Entry) []*Entry {
	var out []*Entry
	for _, of := range log[max(0, len(log)-shownLog):] {
		e := *of
		e.Version, e.At = 0, e.At.UTC()
		out = append(out, &e)
	}
	return out
}

// HumanPause is how long a bot waits by default.
var HumanPause = humanPause
