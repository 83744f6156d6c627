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

// Streak returns how many games in a row were won up to now, or, as a negative number, lost: of results W L W W, oldest
// first, it is 2. It is 0 if there are no results or the last game was drawn.
func Streak(results []Outcome) int {
	n := 0
	for i := len(results) - 1; i >= 0 && results[i] == results[len(results)-1]; i-- {
		n += int(results[i])
	}
	return n
}

// LastFive returns the newest five of results, oldest first, as letters: "WWLWL"; fewer if there are fewer.
func LastFive(results []Outcome) string {
	var letters string
	for _, o := range results[max(0, len(results)-5):] {
		letters += o.String()
	}
	return letters
}
