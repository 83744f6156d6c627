package rating

// An Outcome is how one game ended for a side.
type Outcome int8

// The outcomes. A game is drawn if sides share the first place.
const (
	Lost Outcome = iota - 1
	Drawn
	Won
)

// String returns "W", "L" or "=".
func (o Outcome) String() string {
	switch o {
	case Won:
		return "W"
	case Lost:
		return "L"
	}
	return "="
}

// OutcomeOf returns what a game with these ranks, the less the better, was for side i: won if nobody else has the first
// place, drawn if it is shared with i, else lost.
func OutcomeOf(ranks []int, i int) Outcome {
	o := Won
	for q, r := range ranks {
		switch {
		case q == i:
		case r < ranks[i]:
			return Lost
		case r == ranks[i]:
			o = Drawn
		}
	}
	return o
}

// Streak returns how the last game of results, oldest first, ended, and how many in a row ended so: of W L W W it is
// Won, 2. The length is 0 if there are no results.
func Streak(results []Outcome) (Outcome, int) {
	if len(results) == 0 {
		return Drawn, 0
	}
	last := results[len(results)-1]
	n := 0
	for i := len(results) - 1; i >= 0 && results[i] == last; i-- {
		n++
	}
	return last, n
}

// LastFive returns the newest five of results, or all if there are fewer, oldest first. It is a part of results, not a
// copy.
func LastFive(results []Outcome) []Outcome {
	return results[max(0, len(results)-5):]
}
