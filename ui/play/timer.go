package play

import (
	"strconv"
	"time"

	"boneyard/table"
)

// timer is the one clock that a table shows, in words. It is comparable: pictures with equal timers look the same.
type timer struct {
	text string // empty where no time runs
	late bool   // little is left
}

// latest is when a turn without a bank begins to be late.
const latest = 10 * time.Second

// timerAt is the clock of a view at a moment, and when it will read differently; zero if it never will. It is told in steps,
// so that nobody's screen changes each second before the last ten.
func timerAt(v *table.View, now time.Time) (timer, time.Time) {
	end, prefix, late := v.Deadline, "", false
	if !v.TurnEnds.IsZero() {
		end = v.TurnEnds
		late = !v.BankEnds.After(v.TurnEnds)
		if !now.Before(v.TurnEnds) && v.BankEnds.After(v.TurnEnds) {
			end, prefix, late = v.BankEnds, "bank ", true
		}
	}
	if end.IsZero() {
		return timer{}, time.Time{}
	}
	left := end.Sub(now)
	if left <= 0 {
		return timer{text: prefix + "0 s", late: late}, time.Time{}
	}
	step, unit := time.Second, " s"
	switch {
	case left > time.Hour:
		step, unit = time.Hour, " h"
	case left > time.Minute:
		step, unit = time.Minute, " min"
	case left > latest:
		step = 5 * time.Second
	}
	shown := (left + step - 1) / step * step
	number := shown / time.Second
	if step >= time.Minute {
		number = shown / step
	}
	return timer{
		text: prefix + strconv.FormatInt(int64(number), 10) + unit,
		late: late && (prefix != "" || left <= latest),
	}, end.Add(step - shown)
}
