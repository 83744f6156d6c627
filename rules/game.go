package rules

import (
	"errors"
	"fmt"
)

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

// Phase is where a game stands.
type Phase uint8

// A game waits for a deal, is played, and is over.
const (
	Dealing Phase = iota // the next round is to be dealt; before the first round, or between rounds
	Playing
	Over
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

// RoundEnd tells how a round ended.
type RoundEnd uint8

// A round goes on, or ends in one of two ways.
const (
	NotEnded RoundEnd = iota
	Domino            // somebody played the last tile of a hand
	Blocked           // nobody can play or draw
)

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

// Game is a game between 2 and 4 seats at one moment. It is a value: copies are independent, and [Game.Apply] leaves its
// receiver as it was. It knows all hands and the boneyard: give readers a [View].
type Game struct {
	rules  Ruleset
	seats  int
	round  int
	phase  Phase
	turn   Seat
	leader Seat
	last   Seat // who laid the last tile
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

// New starts a game of n seats under r; its first round is to be dealt. The error wraps [ErrRules].
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

// Round is the number of the round being played, or of the last one; 0 before the first deal.
func (g *Game) Round() int { return g.round }

// Phase tells where the game stands.
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

// Hand is what a seat holds.
func (g *Game) Hand(s Seat) Hand { return g.hands[s-1] }

// Stock is the number of tiles in the boneyard.
func (g *Game) Stock() int { return int(g.nStock - g.next) }

// Layout is the tiles on the table.
func (g *Game) Layout() *Layout { l := g.layout; return &l }

// Result is the scoring of the last round that ended; its Round is 0 before that.
func (g *Game) Result() RoundResult { return g.result }

// Winner is the side that won the game, 0 while it is not over.
func (g *Game) Winner() Side { return g.winner }

// mayDraw tells whether the seat to move may draw one more tile.
func (g *Game) mayDraw() bool {
	return g.next < g.nStock && (g.rules.Draw == DrawAll || g.draws < g.rules.Draw)
}

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

// Duty is what the seat to move has to do now: play one of [Game.Choices], draw, or pass. 0 when no round is being played.
func (g *Game) Duty() MoveKind {
	switch {
	case g.phase != Playing:
		return 0
	case g.Playable() != 0:
		return Play
	case g.mayDraw():
		return Draw
	}
	return Pass
}

// AppendChoices appends what the seat to move may play, by arm and then by tile, and returns the extended slice. On the
// lead there is one choice a tile.
func (g *Game) AppendChoices(dst []Choice) []Choice {
	tiles := g.Playable()
	if g.layout.n == 0 {
		for ; tiles != 0; tiles &= tiles - 1 {
			dst = append(dst, Choice{tiles.Lowest(), NoArm})
		}
		return dst
	}
	for i := range g.layout.nEnds {
		e := &g.layout.ends[i]
		for fit := tiles & withPip[e.Pip]; fit != 0; fit &= fit - 1 {
			dst = append(dst, Choice{fit.Lowest(), e.Arm})
		}
	}
	return dst
}

// Options is the number of choices as a record counts them: (tile, arm) pairs, tiles on the lead, and 1 where a draw or a
// pass is forced; 0 when no round is being played.
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

// Move turns a choice into the move of the seat to move.
func (g *Game) Move(c Choice) Move { return Move{Seat: g.turn, Kind: Play, Tile: c.Tile, Arm: c.Arm} }

// Apply returns the game after m and what happened, or an error that says which rule forbids it. The receiver stays as it was.
func (g *Game) Apply(m Move) (Game, Event, error) {
	if err := g.check(m); err != nil {
		return *g, Event{}, err
	}
	next := *g
	e := next.do(m)
	return next, e, nil
}

// check tells which rule forbids the move.
func (g *Game) check(m Move) error {
	switch {
	case g.phase != Playing:
		return ErrNoRound
	case m.Seat != g.turn:
		return fmt.Errorf("seat %d: %w", m.Seat, ErrNotYourTurn)
	}
	switch m.Kind {
	case Play:
		return g.checkPlay(m)
	case Draw:
		switch g.Duty() {
		case Play:
			if g.drawn != NoTile {
				return fmt.Errorf("draw: %w: %s", ErrDrawnTile, g.drawn)
			}
			return fmt.Errorf("draw: %w", ErrMustPlay)
		case Pass:
			return fmt.Errorf("draw: %w", ErrNoDraw)
		}
		return nil
	case Pass:
		switch g.Duty() {
		case Play:
			if g.drawn != NoTile {
				return fmt.Errorf("pass: %w: %s", ErrDrawnTile, g.drawn)
			}
			return fmt.Errorf("pass: %w", ErrMustPlay)
		case Draw:
			return fmt.Errorf("pass: %w", ErrMustDraw)
		}
		return nil
	}
	return ErrNoMove
}

func (g *Game) checkPlay(m Move) error {
	if !g.hands[g.turn-1].Has(m.Tile) {
		return fmt.Errorf("%s: %w", m.Tile, ErrNotHeld)
	}
	if g.layout.n == 0 {
		switch {
		case m.Arm != NoArm:
			return fmt.Errorf("%s %s: %w", m.Tile, m.Arm, ErrArmMissing)
		case g.forced != NoTile && m.Tile != g.forced:
			return fmt.Errorf("%s: %w: %s", m.Tile, ErrForcedLead, g.forced)
		}
		return nil
	}
	if m.Arm == NoArm {
		return fmt.Errorf("%s: %w", m.Tile, ErrArmMissing)
	}
	e, ok := g.layout.EndOf(m.Arm)
	switch {
	case !ok:
		return fmt.Errorf("%s %s: %w", m.Tile, m.Arm, ErrArmClosed)
	case !m.Tile.Has(e.Pip):
		return fmt.Errorf("%s %s: %w: %d is open", m.Tile, m.Arm, ErrNoFit, e.Pip)
	case g.drawn != NoTile && m.Tile != g.drawn:
		return fmt.Errorf("%s: %w: %s", m.Tile, ErrDrawnTile, g.drawn)
	}
	return nil
}

// do carries out a checked move.
func (g *Game) do(m Move) Event {
	switch m.Kind {
	case Draw:
		return g.doDraw(m)
	case Pass:
		g.advance()
		m.Tile, m.Arm = NoTile, NoArm
		return Event{Move: m}
	}
	return g.doPlay(m)
}

func (g *Game) doDraw(m Move) Event {
	t := g.stock[g.next]
	g.next++
	g.draws++
	g.hands[g.turn-1] = g.hands[g.turn-1].With(t)
	if g.layout.fits.Has(t) {
		g.drawn = t
	}
	m.Tile, m.Arm = t, NoArm
	e := Event{Move: m}
	if g.drawn == NoTile && g.blocked() {
		g.endRound(Blocked, &e)
	}
	return e
}

func (g *Game) doPlay(m Move) Event {
	e := Event{Move: m}
	if g.layout.n == 0 {
		a, b := m.Tile.Low(), m.Tile.High()
		if m.HighLeft {
			a, b = b, a
		}
		g.layout.lead(&g.rules, a, b)
		e.Lead = true
	} else {
		for i := range g.layout.nEnds {
			if g.layout.ends[i].Arm == m.Arm {
				g.layout.join(&g.rules, m.Tile, int(i))
				break
			}
		}
	}
	laid := &g.layout.pieces[g.layout.n-1]
	e.Inner, e.Outer = laid.Inner, laid.Outer
	g.hands[m.Seat-1] = g.hands[m.Seat-1].Without(m.Tile)
	g.last = m.Seat
	g.forced = NoTile
	e.Count = g.layout.Count()
	if e.Points = g.rules.inPlay(e.Count); e.Points > 0 {
		side := g.SideOf(m.Seat)
		g.scores[side-1] += e.Points
		if g.rules.Win == WinNow && g.rules.Reached(g.scores[side-1], g.seats) {
			g.phase, g.winner = Over, side
			g.drawn, g.draws = NoTile, 0
			e.GameOver, e.Winner = true, side
			return e
		}
	}
	switch {
	case g.hands[m.Seat-1] == 0:
		g.endRound(Domino, &e)
	case g.blocked():
		g.endRound(Blocked, &e)
	default:
		g.advance()
	}
	return e
}

// advance gives the turn to the next seat.
func (g *Game) advance() {
	g.turn = g.turn.Next(g.seats)
	g.draws, g.drawn = 0, NoTile
}

// blocked tells that no hand holds a tile that fits and nobody may draw.
func (g *Game) blocked() bool {
	if g.rules.Draw != DrawNone && g.next < g.nStock {
		return false
	}
	var all Hand
	for _, h := range g.hands[:g.seats] {
		all |= h
	}
	return all&g.layout.fits == 0
}

// endRound scores the round and looks at the target.
func (g *Game) endRound(how RoundEnd, e *Event) {
	g.draws, g.drawn = 0, NoTile
	g.result = g.score(how)
	g.scores = g.result.Totals
	g.phase = Dealing
	e.End = how
	if w := g.reachedBy(); w != 0 {
		g.phase, g.winner = Over, w
		e.GameOver, e.Winner = true, w
	}
}

// reachedBy is the side that has won after a round: the highest that has reached the target, 0 if none or two equal ones.
func (g *Game) reachedBy() Side {
	var best Side
	tied := false
	for i := range g.Sides() {
		s := Side(i + 1)
		switch {
		case best == 0 || g.scores[i] > g.scores[best-1]:
			best, tied = s, false
		case g.scores[i] == g.scores[best-1]:
			tied = true
		}
	}
	if tied || !g.rules.Reached(g.scores[best-1], g.seats) {
		return 0
	}
	return best
}
