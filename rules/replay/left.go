package replay

import (
	"cmp"
	"slices"

	"boneyard/rules"
)

// costliest is how many of a player's most expensive plays are kept.
const costliest = 3

// Left tells what one player left on the table: what the best choices would have scored beyond what was played. It looks
// at one play at a time and at its points in play alone, not at what came of it.
type Left struct {
	Seat    rules.Seat
	Plays   int
	Choices int          // plays that were one of several choices
	Scored  rules.Points // in play
	Best    rules.Points // what the best choice would have scored, summed over the plays
	Worst   []int        // the moments of the most expensive plays, the most expensive first; at most three, none that cost nothing
}

// Points is what was left on the table.
func (l *Left) Points() rules.Points { return l.Best - l.Scored }

// Left tells what each player left on the table, by seat.
func (r *Record) Left() []Left {
	all := make([]Left, len(r.Names))
	for i := range all {
		all[i].Seat = rules.Seat(i + 1)
	}
	for i := range r.Moments {
		m := &r.Moments[i]
		if m.Kind != Moved || m.Event.Kind != rules.Play {
			continue
		}
		l := &all[m.Event.Seat-1]
		l.Plays++
		if m.Options > 1 {
			l.Choices++
		}
		l.Scored += m.Event.Points
		l.Best += m.Best.Points
		if m.Left() > 0 {
			l.Worst = append(l.Worst, i)
		}
	}
	for i := range all {
		w := all[i].Worst
		slices.SortStableFunc(w, func(a, b int) int { return cmp.Compare(r.Moments[b].Left(), r.Moments[a].Left()) })
		all[i].Worst = slices.Clip(w[:min(len(w), costliest)])
	}
	return all
}
