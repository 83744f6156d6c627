package replay

import (
	"cmp"
	"slices"

	"boneyard/rules"
)

// Left is what one player left on the table: what the best choices would have scored beyond what was played.
// It considers one play at a time and only its points in play, not what came of it.
type Left struct {
	Seat   rules.Seat
	Plays  int
	Scored rules.Points // in play
	Best   rules.Points // by the best choices
	Worst  []int        // the moments of the most expensive plays, most expensive first; at most three, none that cost nothing
}

// Points returns what was left on the table.
func (l *Left) Points() rules.Points { return l.Best - l.Scored }

// Left returns what each player left on the table, by seat.
func (r *Record) Left() []Left {
	const costliest = 3 // how many of a player's most expensive plays are kept
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
