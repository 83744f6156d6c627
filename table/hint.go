package table

import (
	"boneyard/rules"
	"boneyard/rules/bot"
)

// takeHints marks the game, in its record too, as one in which a seat's player takes hints. What the hint is the reader works
// out of the view; nobody else sees it.
func (d *draft) takeHints(n rules.Seat) error {
	switch {
	case !d.inGame():
		return ErrNoGame
	case d.game.start.Rated || d.cfg.Event.Sealed:
		return ErrNoHints
	}
	for i := range d.Seats[:d.cfg.Seats] {
		if q := &d.Seats[i]; rules.Seat(i+1) != n && q.human() {
			return ErrNoHints
		}
	}
	if !d.Hints {
		d.Hints = true
		d.remark(d.seat(n).Player.Name + " asked for a hint: this game counts as one with hints.")
	}
	return nil
}

// MayHint reports whether the reader may take a hint now.
func (v *View) MayHint() bool {
	if !v.MyMove() || v.Rated || v.Config.Event.Sealed {
		return false
	}
	for i := range v.Seats {
		if rules.Seat(i+1) != v.POV && v.Seats[i].House == "" {
			return false
		}
	}
	return true
}

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
