package rules

import "fmt"

// Apply returns the game after m and what happened, or an error that names the rule against m.
func (g *Game) Apply(m Move) (Game, Event, error) {
	if err := g.check(m); err != nil {
		return *g, Event{}, err
	}
	next := *g
	e := next.do(m)
	return next, e, nil
}

// check returns an error if a rule forbids the move.
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
		return g.checkDuty("draw", Draw, ErrNoDraw)
	case Pass:
		return g.checkDuty("pass", Pass, ErrMustDraw)
	}
	return ErrNoMove
}

// checkDuty returns an error if a rule forbids a draw or a pass: otherwise if the seat must do the other.
func (g *Game) checkDuty(name string, kind MoveKind, otherwise error) error {
	switch duty := g.Duty(); {
	case duty == kind:
		return nil
	case duty != Play:
		return fmt.Errorf("%s: %w", name, otherwise)
	case g.drawn != NoTile:
		return fmt.Errorf("%s: %w: %s", name, ErrDrawnTile, g.drawn)
	}
	return fmt.Errorf("%s: %w", name, ErrMustPlay)
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
	e := Event{Move: m, Lead: g.layout.n == 0}
	a, b := m.Tile.Low(), m.Tile.High()
	if m.HighLeft {
		a, b = b, a
	}
	g.layout.lay(&g.rules, m.Tile, m.Arm, a, b)
	laid := &g.layout.pieces[g.layout.n-1]
	e.Inner, e.Outer = laid.Inner, laid.Outer
	g.hands[m.Seat-1] = g.hands[m.Seat-1].Without(m.Tile)
	g.last = m.Seat
	g.forced = NoTile
	e.Count = g.layout.Count()
	if e.Points = g.rules.InPlay(e.Count); e.Points > 0 {
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

// blocked reports whether no hand holds a tile that fits and nobody may draw.
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

// endRound scores the round, and ends the game if its target has been reached or this was its last round.
func (g *Game) endRound(how RoundEnd, e *Event) {
	g.draws, g.drawn = 0, NoTile
	g.result = g.score(how)
	g.scores = g.result.Totals
	g.phase = Dealing
	e.End = how
	if over, w := g.over(); over {
		g.phase, g.winner = Over, w
		e.GameOver, e.Winner = true, w
	}
}

// over reports whether the game ends with the round just scored, and the side that has won it, 0 if two share
// the highest score: then a game to a target goes on.
func (g *Game) over() (bool, Side) {
	best := g.best()
	if n := g.rules.Rounds; n > 0 {
		return g.round == n, best
	}
	return best != 0 && g.rules.Reached(g.scores[best-1], g.seats), best
}

// best is the side with the highest score, 0 if two share it.
func (g *Game) best() Side {
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
	if tied {
		return 0
	}
	return best
}
