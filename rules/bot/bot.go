// Package bot knows how the house bots choose their moves; it must not know more than a player at the table,
// so it gets only what one seat has seen.
package bot

import (
	"math/rand/v2"
	"slices"

	"boneyard/rules"
)

// Level is how well a bot plays.
type Level uint8

// The levels, weakest first.
const (
	// Novice plays like Regular, but overlooks most counts.
	Novice Level = iota
	// Casual plays like Regular, but overlooks some counts.
	Casual
	// Regular plays for points, then sheds pips, then keeps its hand playable.
	Regular
	// Expert considers the next seat's answers, and how the round will end.
	Expert
	// Master infers the hidden hands from what was drawn, passed and not played, and plays the round out many times.
	Master
)

var names = [...]string{"novice", "casual", "regular", "expert", "master"}

// Levels lists the levels, weakest first.
func Levels() []Level { return []Level{Novice, Casual, Regular, Expert, Master} }

// String returns the level's name, such as "novice".
func (l Level) String() string { return names[l] }

// ParseLevel returns the level with the given name.
func ParseLevel(name string) (Level, bool) {
	if i := slices.Index(names[:], name); i >= 0 {
		return Level(i), true
	}
	return Regular, false
}

// How describes in a sentence how the level plays.
func (l Level) How() string {
	return [...]string{
		"Plays what it sees, and overlooks four of five counts.",
		"Overlooks nearly every second count.",
		"Takes the most points at once, then the heaviest tile.",
		"Weighs each play against the best answer to it, and keeps its hand playable.",
		"Guesses your hand from your draws, passes and plays, and plays the round out hundreds of times.",
	}[l]
}

// Playouts is the budget of a master with enough time.
const Playouts = 1000

// Choose returns a legal move for the seat that has seen s, or the zero Move if it is not that seat's turn.
// It depends only on s and rng.
func (l Level) Choose(s *Seen, rng *rand.Rand) rules.Move {
	m := rules.Move{Seat: s.Seat, Kind: s.Duty}
	switch s.Duty {
	case 0:
		return rules.Move{}
	case rules.Play:
		c := l.choice(s, rng)
		m.Tile, m.Arm = c.Tile, c.Arm
	}
	return m
}

func (l Level) choice(s *Seen, rng *rand.Rand) rules.Choice {
	switch {
	case l == Novice:
		return greedy(s, rng, novice)
	case l == Casual:
		return greedy(s, rng, casual)
	case l == Regular:
		return greedy(s, rng, sharp)
	case len(s.Options) == 1:
		return s.Options[0].Choice
	case l == Expert:
		return expert(s, rng).choice
	}
	return Search(s, Playouts, rng).Best().Choice
}
