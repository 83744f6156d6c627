package rules

import (
	"errors"
	"strings"
)

// Errors that name the rule that forbids a move. [Game.Apply] wraps them with what was tried.
var (
	ErrNoRound     = errors.New("no round is being played")
	ErrNotYourTurn = errors.New("it is another seat's turn")
	ErrNotHeld     = errors.New("that tile is not in the hand")
	ErrNoFit       = errors.New("that tile does not fit there")
	ErrArmClosed   = errors.New("that arm is not open")
	ErrArmMissing  = errors.New("a play names the arm, and only the lead names none")
	ErrForcedLead  = errors.New("another tile must be led")
	ErrMustPlay    = errors.New("who holds a tile that fits must play")
	ErrMustDraw    = errors.New("who holds no tile that fits must draw")
	ErrDrawnTile   = errors.New("a drawn tile that fits must be played at once")
	ErrNoDraw      = errors.New("no tile may be drawn")
	ErrNoMove      = errors.New("a move is a play, a draw or a pass")
)

// MoveKind is a kind of move.
type MoveKind uint8

// The moves.
const (
	Play MoveKind = iota + 1
	Draw
	Pass
)

// Move is what one seat does. A draw takes the boneyard's next tile and ignores Tile.
type Move struct {
	Seat     Seat
	Kind     MoveKind
	Tile     Tile
	Arm      Arm  // NoArm for the lead
	HighLeft bool // for a lead: the high half lies at L, instead of the low one
}

// Choice is a possible play: a tile on an arm, NoArm on the lead.
type Choice struct {
	Tile Tile
	Arm  Arm
}

// String returns the tile and the arm in short: "6-4 R".
func (c Choice) String() string { return strings.TrimSuffix(c.Tile.Name()+" "+c.Arm.String(), " ") }

// By returns a choice as the play of a seat.
func (c Choice) By(s Seat) Move { return Move{Seat: s, Kind: Play, Tile: c.Tile, Arm: c.Arm} }

// Choice returns what a play chose.
func (m *Move) Choice() Choice { return Choice{m.Tile, m.Arm} }

// RoundEnd is how a round ended.
type RoundEnd uint8

// The ends of a round.
const (
	NotEnded RoundEnd = iota
	Domino            // a seat played its last tile
	Blocked           // nobody can play or draw
)

// String returns "domino", "blocked", or "" while the round goes on.
func (e RoundEnd) String() string { return [...]string{"", "domino", "blocked"}[e] }

// Event is what a move did. It contains the drawn tile, which only its drawer may know: see [Event.For].
type Event struct {
	Move
	Lead     bool     // the first play of the round
	Inner    Pip      // of a play, the half that touches the layout; for a lead, the half at L
	Outer    Pip      // of a play, the other half; for a lead, the half at R
	Count    Points   // the count after a play
	Points   Points   // what the play scored for the seat's side, 0 if nothing
	End      RoundEnd // the round ended with this move; its scoring is in [Game.Result]
	GameOver bool
	Winner   Side // of the game
}

// For returns the event for a reader at a seat or in the gallery (0): another seat's drawn tile is [NoTile].
func (e Event) For(seat Seat) Event {
	if e.Kind == Draw && e.Seat != seat {
		e.Tile = NoTile
	}
	return e
}
