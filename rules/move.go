package rules

import "errors"

// Errors that say which rule forbids a move. [Game.Apply] wraps them with what was tried.
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

// MoveKind tells the three things apart that a player can do.
type MoveKind uint8

// The moves.
const (
	Play MoveKind = iota + 1
	Draw
	Pass
)

// Move is what one seat does. Of a draw, the tile is the boneyard's next; Tile is not looked at.
type Move struct {
	Seat     Seat
	Kind     MoveKind
	Tile     Tile
	Arm      Arm  // NoArm for the lead
	HighLeft bool // of a lead: the high half lies at L, instead of the low one
}

// Choice is one thing a player may play: a tile on an arm. On the lead the arm is NoArm.
type Choice struct {
	Tile Tile
	Arm  Arm
}

// RoundEnd reports how a round ended.
type RoundEnd uint8

// A round goes on, or ends in one of two ways.
const (
	NotEnded RoundEnd = iota
	Domino            // somebody played the last tile of a hand
	Blocked           // nobody can play or draw
)

// String is "domino", "blocked", or "" while the round goes on.
func (e RoundEnd) String() string { return [...]string{"", "domino", "blocked"}[e] }

// Event is what a move did. It holds the drawn tile, which only its drawer may know: see [Event.For].
type Event struct {
	Move
	Lead     bool     // the first play of the round
	Inner    Pip      // of a play, the half that touches the layout; of a lead, the half at L
	Outer    Pip      // of a play, the other half; of a lead, the half at R
	Count    Points   // the count after a play
	Points   Points   // what the play scored for the seat's side, 0 if nothing
	End      RoundEnd // the round ended with this move; its scoring is in [Game.Result]
	GameOver bool
	Winner   Side // of the game
}

// For returns the event as a reader sees it who sits at seat, or in the gallery (0): a tile drawn by another is [NoTile].
func (e Event) For(seat Seat) Event {
	if e.Kind == Draw && e.Seat != seat {
		e.Tile = NoTile
	}
	return e
}
