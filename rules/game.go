package rules

// Phase is the phase of a game.
type Phase uint8

// The phases.
const (
	Dealing Phase = iota // the next round must be dealt; before the first round, or between rounds
	Playing
	Over
)

// Game is a game between 2 and 4 seats at one moment. It is a value: copies are independent, and [Game.Apply]
// does not change its receiver. It knows all hands and the boneyard: show readers a [View].
type Game struct {
	rules  Ruleset
	seats  int
	round  int
	phase  Phase
	turn   Seat
	leader Seat
	last   Seat // the seat that laid the last tile
	forced Tile // the tile that must be led, or NoTile
	drawn  Tile // the tile just drawn, if it fits: it must be played
	draws  int  // draws in this turn
	winner Side
	scores [MaxSeats]Points
	hands  [MaxSeats]Hand
	next   uint8 // stock[next] is drawn next
	nStock uint8
	stock  [SetSize]Tile
	layout Layout
	result RoundResult
}

// New starts a game of n seats under r; its first round must be dealt. The error wraps [ErrRules].
func New(r Ruleset, n int) (Game, error) {
	if err := r.CheckSeats(n); err != nil {
		return Game{}, err
	}
	return Game{rules: r, seats: n, forced: NoTile, drawn: NoTile}, nil
}

// Rules returns the rules of the game.
func (g *Game) Rules() Ruleset { return g.rules }

// Seats is the number of seats.
func (g *Game) Seats() int { return g.seats }

// Round is the number of the present or last round; 0 before the first deal.
func (g *Game) Round() int { return g.round }

// Phase is the phase of the game.
func (g *Game) Phase() Phase { return g.phase }

// Turn is the seat to move, 0 when no round is being played.
func (g *Game) Turn() Seat {
	if g.phase != Playing {
		return 0
	}
	return g.turn
}

// Leader is the seat that led the round.
func (g *Game) Leader() Seat { return g.leader }

// Score is a side's total.
func (g *Game) Score(s Side) Points { return g.scores[s-1] }

// Sides is the number of sides.
func (g *Game) Sides() int { return SideCount(g.seats, g.rules.Teams) }

// SideOf is the side for which a seat scores.
func (g *Game) SideOf(s Seat) Side { return SideOf(s, g.rules.Teams) }

// Hand is the hand of a seat.
func (g *Game) Hand(s Seat) Hand { return g.hands[s-1] }

// Stock is the number of tiles in the boneyard.
func (g *Game) Stock() int { return int(g.nStock - g.next) }

// Layout is the tiles on the table.
func (g *Game) Layout() *Layout { l := g.layout; return &l }

// Result is the scoring of the last round that ended; its Round is 0 before that.
func (g *Game) Result() RoundResult { return g.result }

// Winner is the side that won; 0 while it is not over, or if equal highest scores ended it.
func (g *Game) Winner() Side { return g.winner }

// Playable is the set of tiles that the seat to move may play; empty if it must draw or pass.
func (g *Game) Playable() Hand {
	switch {
	case g.phase != Playing:
		return 0
	case g.forced != NoTile:
		return NewHand(g.forced)
	case g.drawn != NoTile:
		return NewHand(g.drawn)
	case g.layout.n == 0:
		return g.hands[g.turn-1]
	}
	return g.hands[g.turn-1] & g.layout.fits
}

// Duty is what the seat to move must do: play a choice, draw, or pass. It is 0 when no round is being played.
func (g *Game) Duty() MoveKind {
	switch {
	case g.phase != Playing:
		return 0
	case g.Playable() != 0:
		return Play
	case g.next < g.nStock && (g.rules.Draw == DrawAll || g.draws < g.rules.Draw):
		return Draw
	}
	return Pass
}

// AppendChoices appends the choices of the seat to move, by arm and then by tile, and returns the extended
// slice. On the lead there is one choice per tile.
func (g *Game) AppendChoices(dst []Choice) []Choice {
	tiles := g.Playable()
	if g.layout.n == 0 {
		for ; tiles != 0; tiles &= tiles - 1 {
			dst = append(dst, Choice{tiles.Lowest(), NoArm})
		}
		return dst
	}
	return g.layout.appendChoices(dst, tiles)
}

// appendChoices appends each tile's places.
func (l *Layout) appendChoices(dst []Choice, tiles Hand) []Choice {
	for i := range l.nEnds {
		e := &l.ends[i]
		for fit := tiles & withPip[e.Pip]; fit != 0; fit &= fit - 1 {
			dst = append(dst, Choice{fit.Lowest(), e.Arm})
		}
	}
	return dst
}

// Options is the number of choices as a record counts them: (tile, arm) pairs, or tiles on the lead; 1 for a
// forced draw or pass; 0 when no round is being played.
func (g *Game) Options() int {
	if g.phase != Playing {
		return 0
	}
	tiles, n := g.Playable(), 0
	if g.layout.n == 0 {
		return tiles.Len()
	}
	for _, e := range g.layout.ends[:g.layout.nEnds] {
		n += (tiles & withPip[e.Pip]).Len()
	}
	return max(n, 1)
}

// Move returns the move of the seat to move for a choice.
func (g *Game) Move(c Choice) Move { return Move{Seat: g.turn, Kind: Play, Tile: c.Tile, Arm: c.Arm} }
