package rules

// Option is a possible play of a view's reader, and its effect.
type Option struct {
	Choice
	Count  Points // the count after it
	Points Points // what it would score, 0 if nothing
}

// View is a game as one reader may see it, at a seat or in the gallery. It contains nothing else: no other
// hands until the round is over, no order of the boneyard, no seed.
type View struct {
	Rules  Ruleset
	Seats  int
	Seat   Seat // the reader's; 0 is the gallery
	Round  int
	Phase  Phase
	Turn   Seat             // the seat to move, 0 for none
	Scores [MaxSeats]Points // by side
	Hand   Hand             // the reader's own tiles
	Held   [MaxSeats]int    // how many tiles each seat holds
	Stock  int              // tiles in the boneyard
	Layout Layout
	Draws  int // tiles drawn in this turn so far

	// What the reader has to do on the reader's turn; otherwise Duty is 0 and there are no options.
	Duty    MoveKind
	Forced  Tile // the one tile that may be played: a forced lead, or the tile just drawn; else NoTile
	Options []Option

	// Result is the scoring of the last round that was scored; it is this round's if its Round says so. Open
	// is all hands at the end of a round; it is zero while one is being played.
	Result RoundResult
	Open   [MaxSeats]Hand
	Winner Side // of the game; 0 while it is not over, or if the highest score is shared
}

// View returns what the player at a seat may know; seat 0 is the gallery.
func (g *Game) View(seat Seat) View {
	v := View{
		Rules: g.rules, Seats: g.seats, Seat: seat, Round: g.round, Phase: g.phase, Turn: g.Turn(),
		Scores: g.scores, Stock: g.Stock(), Layout: g.layout, Forced: NoTile, Result: g.result, Winner: g.winner,
	}
	for i, h := range g.hands[:g.seats] {
		v.Held[i] = h.Len()
	}
	if seat != 0 {
		v.Hand = g.hands[seat-1]
	}
	if g.phase != Playing {
		v.Open = g.hands
		return v
	}
	v.Draws = g.draws
	if seat != g.turn {
		return v
	}
	v.Duty = g.Duty()
	if g.forced != NoTile {
		v.Forced = g.forced
	} else {
		v.Forced = g.drawn
	}
	if v.Duty == Play {
		v.offer(g.AppendChoices(nil))
	}
	return v
}

// offer sets the options for some choices.
func (v *View) offer(choices []Choice) {
	v.Options = make([]Option, len(choices))
	for i, c := range choices {
		l := v.After(c)
		v.Options[i] = Option{Choice: c, Count: l.Count(), Points: v.Rules.InPlay(l.Count())}
	}
}

// Ahead returns the view as if it were the reader's turn with the present layout, while another seat is to
// move. It reports false if that says nothing: before the lead, to the gallery, and between rounds.
func (v *View) Ahead() (View, bool) {
	if v.Phase != Playing || v.Layout.n == 0 || v.Seat == 0 || v.Turn == v.Seat {
		return View{}, false
	}
	then := *v
	then.Duty = Play
	then.offer(v.Layout.appendChoices(nil, v.Hand))
	return then, true
}

// After returns the layout after a choice, to show where a tile would lie and what it would count. A choice
// that does not fit changes nothing.
func (v *View) After(c Choice) Layout {
	l := v.Layout
	l.lay(&v.Rules, c.Tile, c.Arm, c.Tile.Low(), c.Tile.High())
	return l
}

// Playable is the set of the reader's tiles that may be played now.
func (v *View) Playable() Hand {
	var h Hand
	for _, o := range v.Options {
		h = h.With(o.Tile)
	}
	return h
}

// SideOf is the side for which a seat scores.
func (v *View) SideOf(s Seat) Side { return SideOf(s, v.Rules.Teams) }

// Sides is the number of sides.
func (v *View) Sides() int { return SideCount(v.Seats, v.Rules.Teams) }

// Laid returns the layout after the plays of a round, up to one that does not fit.
func (r *Ruleset) Laid(plays []Event) Layout {
	var l Layout
	for i := range plays {
		if e := &plays[i]; !l.lay(r, e.Tile, e.Arm, e.Inner, e.Outer) {
			break
		}
	}
	return l
}
