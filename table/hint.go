package table

import (
	"boneyard/rules"
	"boneyard/rules/bot"
)

// takeHints marks the game, in its record too, as one in which a seat's player takes hints. What the hint is
// the reader works out of the view; nobody else sees it.
func (d *draft) takeHints(n rules.Seat) error {
	if err := d.mayHint(n); err != nil {
		return err
	}
	if !d.Hints {
		d.Hints = true
		d.remark(d.seat(n).Player.Name + " asked for a hint: this game counts as one with hints.")
	}
	return nil
}

// mayHint refuses a hint: it is for those who play bots, without anything at stake.
func (s *state) mayHint(n rules.Seat) error {
	if !s.inGame() {
		return ErrNoGame
	}
	for i := range s.Seats[:s.cfg.Seats] {
		if q := &s.Seats[i]; s.game.start.Rated || s.cfg.Event.Sealed || rules.Seat(i+1) != n && q.human() {
			return ErrNoHints
		}
	}
	return nil
}

// MayHint reports whether the reader may take a hint now.
func (v *View) MayHint() bool { return v.MyMove() && v.May.Hint }

// Hint is what an expert would play for the reader, and why. It follows from the view alone.
func (v *View) Hint() (rules.Choice, string) {
	var past []rules.Event
	for i := range v.Log {
		if e := &v.Log[i]; e.Number > 0 && e.Round == v.Play.Round {
			past = append(past, e.Event)
		}
	}
	seen := bot.See(v.Play, past)
	return bot.Hint(&seen)
}
