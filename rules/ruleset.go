// Package rules knows the five games of the fives family exactly (docs/rules.md) and nothing else: no clock,
// no I/O and no randomness of its own. A [Game] is a value; [Game.Apply] returns the next one, or an error
// that names the rule that forbids the move.
package rules

import "slices"

// Preset is one of the five games that a rule string starts with.
type Preset uint8

// The five games, by the texts they come from (docs/rules.md, "The five games").
const (
	Azneef  Preset = iota // Azneef's rules: highest double leads, at most three draws a turn
	Sniff                 // the spinner counts until three of its edges are covered; hands left are subtracted
	Spruce                // All Fives as described by The Spruce: bigger hands, hands left are subtracted
	Classic               // All Fives as described by Domino-Games: all four edges open at once, a bonus for the winner
	Block                 // four players in two teams, no boneyard, no points in play
)

// Presets lists the five games in the order in which they are shown.
func Presets() []Preset { return []Preset{Azneef, Sniff, Spruce, Classic, Block} }

var presetNames = [...]string{"azneef", "sniff", "spruce", "classic", "block"}

// PresetNames are the names of the five games, in the same order.
func PresetNames() []string { return slices.Clone(presetNames[:]) }

// String is the name as written in a rule string.
func (p Preset) String() string { return presetNames[p] }

// Lead says who leads the first round.
type Lead uint8

// Ways to find who leads (docs/rules.md, "Leading").
const (
	LeadDouble Lead = iota + 1 // the highest double leads, else the heaviest tile; the tile is forced
	LeadLot                    // a seat drawn by lot leads any tile
	LeadSix                    // the seat with 6-6 leads it
)

// Next says who leads later rounds.
type Next uint8

// Ways to find who leads a later round.
const (
	NextWinner Next = iota + 1 // the winner of the last round; without a winner as the first round
	NextDomino                 // the seat that dominoed; after a blocked round as the first round
	NextLead                   // always as the first round
)

// Spinner says which doubles can be joined on four edges.
type Spinner uint8

// Which doubles are spinners.
const (
	SpinnerFirst Spinner = iota + 1
	SpinnerAll
	SpinnerNone
)

// Order says when the ends of a spinner may be joined.
type Order uint8

// Orders of joining a spinner; the zero value is "not said", only in block.
const (
	OrderSides Order = iota + 1 // both sides first
	OrderAny                    // all free edges at once
)

// CountRule says what a spinner counts, by the edges covered.
type CountRule uint8

// Counts of a spinner; the zero value is "not said", only in block.
const (
	CountFlank CountRule = iota + 1 // both halves until both sides are covered, then nothing
	CountSniff                      // both halves until a third edge is covered, then one, then nothing
)

// EndRule says how a round is scored.
type EndRule uint8

// Ways to score a round (docs/rules.md, "Scoring a round").
const (
	EndAward    EndRule = iota + 1 // the winner gets the opponents' pips, rounded
	EndSubtract                    // every hand is rounded and taken from its side
	EndBonus                       // as EndAward, divided by the multiple
	EndTake                        // the winner gets the opponents' pips, not rounded
)

// Win says when reaching the target ends the game.
type Win uint8

// When the target is checked.
const (
	WinNow   Win = iota + 1 // at every play, and when a round has been scored
	WinRound                // when a round has been scored
)

const (
	// DrawAll lets a player draw until a tile fits or the boneyard is empty.
	DrawAll = -1
	// DrawNone allows no draw.
	DrawNone = 0
)

// Ruleset is a game with its house rules: everything in which games differ. Get one from [Parse] or
// [Preset.Rules]; the zero value is no game.
type Ruleset struct {
	Preset   Preset
	Hand     [3]int // tiles dealt to each seat, at tables of 2, 3 and 4 seats
	Teams    bool   // partners: seats 1+3 against 2+4
	Lead     Lead
	Next     Next
	Spinner  Spinner
	Order    Order
	Count    CountRule
	Multiple Points // counts that are a multiple of it score; 0: no points in play
	Draw     int    // draws allowed in a turn, DrawNone or DrawAll
	End      EndRule
	Pegs     bool      // points in play are divided by Multiple
	Target   [3]Points // points to win, at tables of 2, 3 and 4 seats; zero with Rounds
	Above    bool      // more than Target is needed, not as many
	Rounds   int       // the game ends with this round, whatever the scores; 0: it is played to Target
	Win      Win       // zero with Rounds
}

var presets = [...]Ruleset{
	Azneef: {
		Preset: Azneef, Hand: [3]int{7, 7, 7}, Lead: LeadDouble, Next: NextWinner, Spinner: SpinnerFirst, Order: OrderSides,
		Count: CountFlank, Multiple: 5, Draw: 3, End: EndAward, Target: [3]Points{150, 150, 150}, Win: WinNow,
	},
	Sniff: {
		Preset: Sniff, Hand: [3]int{7, 6, 5}, Lead: LeadLot, Next: NextDomino, Spinner: SpinnerFirst, Order: OrderSides,
		Count: CountSniff, Multiple: 5, Draw: DrawAll, End: EndSubtract, Target: [3]Points{200, 200, 200}, Above: true, Win: WinRound,
	},
	Spruce: {
		Preset: Spruce, Hand: [3]int{9, 7, 5}, Lead: LeadLot, Next: NextDomino, Spinner: SpinnerFirst, Order: OrderSides,
		Count: CountFlank, Multiple: 5, Draw: DrawAll, End: EndSubtract, Target: [3]Points{250, 200, 200}, Win: WinNow,
	},
	Classic: {
		Preset: Classic, Hand: [3]int{7, 5, 5}, Lead: LeadLot, Next: NextWinner, Spinner: SpinnerFirst, Order: OrderAny,
		Count: CountSniff, Multiple: 5, Draw: DrawAll, End: EndBonus, Target: [3]Points{200, 200, 200}, Win: WinNow,
	},
	Block: {
		Preset: Block, Hand: [3]int{7, 7, 7}, Teams: true, Lead: LeadSix, Next: NextLead, Spinner: SpinnerNone,
		Draw: DrawNone, End: EndTake, Target: [3]Points{100, 100, 100}, Win: WinRound,
	},
}

// Rules returns the preset's own rules, without house rules.
func (p Preset) Rules() Ruleset { return presets[p] }

// HandSize is the number of tiles dealt to each of n seats.
func (r *Ruleset) HandSize(n int) int { return r.Hand[n-2] }

// TargetFor is the points needed at a table of n seats; see [Ruleset.Above]. It is 0 in a game of a number of rounds.
func (r *Ruleset) TargetFor(n int) Points { return r.Target[n-2] }

// Reached reports whether a total wins at a table of n seats. In a game of a number of rounds none does.
func (r *Ruleset) Reached(total Points, n int) bool {
	if r.Rounds > 0 {
		return false
	}
	if r.Above {
		return total > r.Target[n-2]
	}
	return total >= r.Target[n-2]
}

// Round returns x rounded to the nearest multiple, if any, halves up (docs/rules.md, "Rounding").
func (r *Ruleset) Round(x Points) Points {
	m := r.Multiple
	if m == 0 {
		return x
	}
	return m * ((2*x + m) / (2 * m))
}

// InPlay returns the points that a count earns, 0 if it does not score.
func (r *Ruleset) InPlay(count Points) Points {
	if r.Multiple == 0 || count <= 0 || count%r.Multiple != 0 {
		return 0
	}
	if r.Pegs {
		return count / r.Multiple
	}
	return count
}
