package play

import (
	"strconv"
	"time"

	"boneyard/table"
)

// timer is the clock that a table shows. It is comparable: pictures with equal timers look the same. It is
// computed for every watcher at each move, so its text is made only when drawn.
type timer struct {
	runs bool
	left time.Duration // in whole steps
	bank bool          // the time is taken from the bank
	late bool          // little is left
}

// text returns the timer in words; empty if no time is running.
func (t timer) text() string {
	if !t.runs {
		return ""
	}
	unit, name := time.Second, " s"
	switch {
	case t.left > time.Hour:
		unit, name = time.Hour, " h"
	case t.left > time.Minute:
		unit, name = time.Minute, " min"
	}
	say := strconv.FormatInt(int64(t.left/unit), 10) + name
	if t.bank {
		say = "bank " + say
	}
	return say
}

// latest is the remaining time from which a turn without a bank counts as late.
const latest = 10 * time.Second

// timerAt returns a view's clock at a moment, and when it changes; zero if never. It goes in steps, so that
// no screen changes every second before the last ten.
func timerAt(v *table.View, now time.Time) (timer, time.Time) {
	end, bank, late := v.Deadline, false, false
	if !v.TurnEnds.IsZero() {
		end = v.TurnEnds
		late = !v.BankEnds.After(v.TurnEnds)
		if !now.Before(v.TurnEnds) && v.BankEnds.After(v.TurnEnds) {
			end, bank, late = v.BankEnds, true, true
		}
	}
	if end.IsZero() {
		return timer{}, time.Time{}
	}
	left := end.Sub(now)
	if left <= 0 {
		return timer{runs: true, bank: bank, late: late}, time.Time{}
	}
	step := time.Second
	switch {
	case left > time.Hour:
		step = time.Hour
	case left > time.Minute:
		step = time.Minute
	case left > latest:
		step = 5 * time.Second
	}
	shown := (left + step - 1) / step * step
	return timer{runs: true, left: shown, bank: bank, late: late && (bank || left <= latest)}, end.Add(step - shown)
}
