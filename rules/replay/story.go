package replay

import "boneyard/rules"

// Gains returns what each side gained in each round, by round and side.
func (r *Record) Gains() [][]int {
	all := make([][]int, len(r.Rounds))
	before := make([]int, rules.MaxSeats)
	for i := range r.Rounds {
		last := len(r.Moments) - 1
		if i+1 < len(r.Rounds) {
			last = r.Rounds[i+1].Start - 1
		}
		g := r.Game(last)
		for side := range g.Sides() {
			score := int(g.Score(rules.Side(side + 1)))
			all[i] = append(all[i], score-before[side])
			before[side] = score
		}
	}
	return all
}

// Extremes returns the moments of the play that scored most and of the one that left most on the table, the
// first of equals; 0 for none.
func (r *Record) Extremes() (best, worst int) {
	for i := range r.Moments {
		m := &r.Moments[i]
		if m.Event.Points > r.Moments[best].Event.Points {
			best = i
		}
		if m.Left() > r.Moments[worst].Left() {
			worst = i
		}
	}
	return best, worst
}
