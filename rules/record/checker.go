package record

import (
	"errors"
	"fmt"
	"io"
	"iter"
	"slices"

	"boneyard/rules"
)

// stage says which lines may come next.
type stage uint8

const (
	wantVersion stage = iota
	inHeader
	inDeal    // after "round": deals, stock, lead
	inPlay    // somebody is to move
	wantEnd   // the round has ended
	wantScore // its totals are to come
	wantRound // the next round may begin
	wantWon   // the game is over
	atEnd     // nothing may follow
)

// Step is one valid line of a record, and the game after it.
type Step struct {
	Number int         // of the line, from 1
	Line   Line        // in canonical form: the half of a play that touches the layout comes first
	Game   rules.Game  // after the line; the zero value in the header, before "round 1"
	Event  rules.Event // what the move did, if the line is a move; else its Kind is 0
}

// Checker replays a record by the rules, line by line. The zero value waits for the first line. A table that
// recovers its game passes it the rows of its journal.
type Checker struct {
	stage  stage
	ruled  bool // the rules are known
	header Header
	game   rules.Game
	round  dealing
}

// dealing is what is known of a round between "round" and "lead".
type dealing struct {
	deal    rules.Deal
	seeded  rules.Deal // the deal required by the seed, if the record shows that
	seen    rules.Hand // tiles dealt so far, including the boneyard
	dealt   [rules.MaxSeats]bool
	stocked bool
}

// Header is the header so far.
func (c *Checker) Header() Header { return c.header }

// Game is the game after the last line; the zero value in the header.
func (c *Checker) Game() rules.Game { return c.game }

// Started reports whether the first round has begun: then [Checker.Game] is a game.
func (c *Checker) Started() bool { return c.stage >= inDeal }

// Check replays the record in r. It returns nil for a record that is valid to its end, finished or not; an
// [*Error] for the first invalid line; or an error of the reader.
func Check(r io.Reader) error {
	for _, err := range Replay(r) {
		if err != nil {
			return err
		}
	}
	return nil
}

// Replay checks the record in r and yields each valid line. It stops after the first error, see [Check].
func Replay(r io.Reader) iter.Seq2[Step, error] { return new(Checker).Replay(r) }

// Replay is like the function [Replay], and leaves the checker after the last line.
func (c *Checker) Replay(r io.Reader) iter.Seq2[Step, error] {
	return func(yield func(Step, error) bool) {
		lines := NewReader(r)
		for {
			l, err := lines.Read()
			if errors.Is(err, io.EOF) {
				if c.stage == wantVersion {
					yield(Step{}, &Error{Line: max(1, lines.Number()), Found: "an empty record", Expected: Version{FormatVersion}.String()})
				}
				return
			}
			if err != nil {
				yield(Step{}, err)
				return
			}
			step, err := c.Take(lines.Number(), l)
			if !yield(step, err) || err != nil {
				return
			}
		}
	}
}

// Take checks the next line; number is that in the file. After an error, an [*Error], the checker is as
// before.
func (c *Checker) Take(number int, l Line) (Step, error) {
	step := Step{Number: number, Line: l}
	if err := c.take(&step); err != nil {
		err.Line = number
		return Step{}, err
	}
	step.Game = c.game
	return step, nil
}

// take changes the checker only if the line is valid.
func (c *Checker) take(step *Step) *Error {
	switch l := step.Line.(type) {
	case Version:
		if c.stage != wantVersion || l.N != FormatVersion {
			return c.unexpected(l)
		}
		c.stage = inHeader
		return nil
	case Rules, Seat, Tag, Seed:
		if c.stage != inHeader {
			return c.unexpected(l)
		}
		return c.takeHeader(l)
	case Round:
		return c.takeRound(l)
	case Deal, Stock, Lead:
		if c.stage != inDeal {
			return c.unexpected(l)
		}
		return c.takeDeal(l)
	case Options, Play, Draw, Pass:
		if c.stage != inPlay {
			return c.unexpected(l)
		}
		return c.takeMove(step)
	case End:
		want := EndLine(&c.game).(End)
		if c.stage != wantEnd || l.How != want.How || l.Seat != want.Seat || !slices.Equal(l.Left, want.Left) {
			return c.unexpected(l)
		}
		c.stage = wantScore
	case Score:
		if c.stage != wantScore || !slices.Equal(l.Totals, ScoreLine(&c.game).(Score).Totals) {
			return c.unexpected(l)
		}
		if c.stage = wantRound; c.game.Phase() == rules.Over {
			c.stage = wantWon
		}
	case Won:
		if c.stage != wantWon || l.Side != c.game.Winner() {
			return c.unexpected(l)
		}
		c.stage = atEnd
	}
	return nil
}

func (c *Checker) takeHeader(l Line) *Error {
	switch l := l.(type) {
	case Rules:
		if c.ruled {
			return refuse(l, "the rules once")
		}
		c.ruled, c.header.Rules = true, l.Rules
	case Seat:
		n := len(c.header.Names) + 1
		switch {
		case !c.ruled:
			return refuse(l, "the rules before the seats")
		case n > rules.MaxSeats:
			return refuse(l, fmt.Sprintf("at most %d seats", rules.MaxSeats))
		case int(l.Seat) != n:
			return refuse(l, "seat "+number(n))
		}
		if err := c.header.Rules.CheckSome(n); err != nil {
			return refuse(l, "seats for which the rules can be played: "+err.Error())
		}
		c.header.Names = append(slices.Clip(c.header.Names), l.Name)
	case Seed:
		if c.header.Seed != nil {
			return refuse(l, "the seed once")
		}
		c.header.Seed = &l.Seed
	}
	return nil
}

func (c *Checker) takeRound(l Round) *Error {
	game := c.game
	switch c.stage {
	case inHeader:
		if !c.ruled {
			return c.unexpected(l)
		}
		g, err := rules.New(c.header.Rules, len(c.header.Names))
		if err != nil {
			return refuse(l, "seats for which the rules can be played: "+err.Error())
		}
		game = g
	case wantRound:
	default:
		return c.unexpected(l)
	}
	if want := game.Round() + 1; l.N != want {
		return refuse(l, Round{want}.String())
	}
	c.stage, c.game, c.round = inDeal, game, dealing{}
	if seed := c.header.Seed; seed != nil {
		c.round.seeded = seed.Deal(&c.header.Rules, c.game.Seats(), l.N)
	}
	return nil
}

func (c *Checker) takeDeal(l Line) *Error {
	d, n := c.round, c.game.Seats()
	size := c.header.Rules.HandSize(n)
	switch l := l.(type) {
	case Deal:
		switch {
		case int(l.Seat) > n:
			return refuse(l, fmt.Sprintf("a seat from 1 to %d", n))
		case d.dealt[l.Seat-1]:
			return refuse(l, "one deal a seat")
		case l.Hand.Len() != size:
			return refuse(l, fmt.Sprintf("%d tiles instead of %d", size, l.Hand.Len()))
		case c.header.Seed != nil && l.Hand != d.seeded.Hands[l.Seat-1]:
			return refuse(l, Deal{l.Seat, d.seeded.Hands[l.Seat-1]}.String()+", which follows from the seed")
		}
		d.dealt[l.Seat-1], d.deal.Hands[l.Seat-1] = true, l.Hand
		if err := d.see(l, l.Hand); err != nil {
			return err
		}
	case Stock:
		left := rules.SetSize - n*size
		switch {
		case d.stocked:
			return refuse(l, "one stock a round")
		case len(l.Tiles) != left:
			return refuse(l, fmt.Sprintf("%d tiles instead of %d", left, len(l.Tiles)))
		case c.header.Seed != nil && !slices.Equal(l.Tiles, d.seeded.Stock):
			return refuse(l, Stock{d.seeded.Stock}.String()+", which follows from the seed")
		}
		d.stocked, d.deal.Stock = true, l.Tiles
		if err := d.see(l, rules.NewHand(l.Tiles...)); err != nil {
			return err
		}
	case Lead:
		return c.takeLead(l)
	}
	c.round = d
	return nil
}

// see records dealt tiles, each of which must be dealt only once.
func (d *dealing) see(l Line, tiles rules.Hand) *Error {
	if twice := d.seen & tiles; !twice.Empty() {
		return refuse(l, fmt.Sprintf("every tile once, but %s has been dealt before", twice))
	}
	d.seen |= tiles
	return nil
}

func (c *Checker) takeLead(l Lead) *Error {
	d := c.round
	for i, dealt := range d.dealt[:c.game.Seats()] {
		if !dealt {
			return refuse(l, "the deal of seat "+number(i+1))
		}
	}
	if missing := rules.FullSet &^ d.seen; !missing.Empty() {
		return refuse(l, "the stock, for it holds "+missing.String())
	}
	if d.deal.Lot = l.Seat; c.header.Seed != nil {
		d.deal.Lot = d.seeded.Lot
	}
	if int(l.Seat) > c.game.Seats() {
		return refuse(l, fmt.Sprintf("a seat from 1 to %d", c.game.Seats()))
	}
	g, err := c.game.Deal(d.deal)
	switch {
	case err != nil:
		return refuse(l, err.Error())
	case g.Leader() != l.Seat:
		return refuse(l, Lead{g.Leader()}.String())
	}
	c.game, c.stage = g, inPlay
	return nil
}

// takeMove checks a play, a draw, a pass or the number of options, while somebody is to move.
func (c *Checker) takeMove(step *Step) *Error {
	var m rules.Move
	switch l := step.Line.(type) {
	case Options:
		if want := c.game.Options(); l.N != want {
			return refuse(l, Options{want}.String())
		}
		return nil
	case Play:
		m = rules.Move{Seat: l.Seat, Kind: rules.Play, Tile: rules.NewTile(l.A, l.B), Arm: l.Arm}
		m.HighLeft = l.Arm == rules.NoArm && l.A > l.B
	case Draw:
		m = rules.Move{Seat: l.Seat, Kind: rules.Draw}
	case Pass:
		m = rules.Move{Seat: l.Seat, Kind: rules.Pass}
	}
	g, e, err := c.game.Apply(m)
	if err != nil {
		return refuse(step.Line, c.duty()+" ("+err.Error()+")")
	}
	want := MoveLine(c.header.Rules, e)
	switch l := step.Line.(type) {
	case Draw:
		if l.Tile != e.Tile {
			return refuse(l, want.String()+", the next of the stock")
		}
	case Play:
		if w := want.(Play); l.Counted != w.Counted || l.Count != w.Count || l.Points != w.Points {
			return refuse(l, want.String())
		}
	}
	step.Line, step.Event, c.game = want, e, g
	switch {
	case e.End != rules.NotEnded:
		c.stage = wantEnd
	case e.GameOver:
		c.stage = wantWon
	}
	return nil
}

// duty returns what the seat to move has to do, in words.
func (c *Checker) duty() string {
	seat := "seat " + number(c.game.Turn())
	switch c.game.Duty() {
	case rules.Draw:
		return seat + " to draw"
	case rules.Pass:
		return seat + " to pass"
	}
	return seat + " to play one of " + c.game.Playable().String()
}

// unexpected returns the error for a line that may not come here.
func (c *Checker) unexpected(l Line) *Error {
	var want string
	switch c.stage {
	case wantVersion:
		want = Version{FormatVersion}.String() + " as the first line"
	case inHeader:
		switch {
		case !c.ruled:
			want = "the rules"
		default:
			want = "a seat, a tag, the seed or round 1"
		}
	case inDeal:
		want = "deal, stock or lead of round " + number(c.game.Round()+1)
	case inPlay:
		want = c.duty()
	case wantEnd:
		want = EndLine(&c.game).String()
	case wantScore:
		want = ScoreLine(&c.game).String()
	case wantRound:
		want = Round{c.game.Round() + 1}.String() + ", or the end of the record"
	case wantWon:
		want = Won{c.game.Winner()}.String()
	case atEnd:
		want = "nothing after the game was won"
	}
	return refuse(l, want)
}
