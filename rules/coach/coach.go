// Package coach knows what a player's decisions in a recorded game were worth; it must not know who the
// player was, nor what was hidden from the seat when it decided.
package coach

import (
	"cmp"
	"context"
	"math"
	"math/rand/v2"
	"slices"

	"boneyard/rules"
	"boneyard/rules/bot"
	"boneyard/rules/replay"
)

// Version is incremented whenever the coach's report on the same record changes.
const Version = 4

// How closely decisions are examined that cannot be valued exactly. The result of a playout has a standard
// deviation of about 29 points; the difference between two choices, tried on the same guesses, has less.
const (
	FirstLook  = 1000 // playouts for each choice of every decision
	SecondLook = 6000 // likewise, if the first look does not rule a mistake out; see doubtful
	Least      = 1.5  // points; less than this is not a mistake
	sure       = 2.5  // standard errors; less is not certain enough
	Costliest  = 3    // mistakes that a report explains

	luckPlayouts = 200 // for each valuation of a deal or a draw
	outlooks     = 400 // guesses used to explain a mistake
)

// Report is what one seat's decisions were worth.
type Report struct {
	Seat      rules.Seat
	Partner   rules.Seat // 0 if nobody has a partner
	Decisions []Decision // all that offered a choice, in order of play
	Worst     []int      // indexes of the costliest mistakes, costliest first, at most Costliest
	Rounds    []Round
	Total     Grade
}

// Decision is one play where the seat had a choice.
type Decision struct {
	Round  int
	Move   int // number of the move in the game, from 1, counting draws and passes
	Turn   int // without draws, as people count moves; 0 in reports stored before this field existed
	Played rules.Choice
	Best   rules.Choice
	Values bot.Values // of all distinct choices, best first
	Lost   float64    // points given away; 0 if that cannot be told from noise, see Least
	Error  float64    // standard error of the difference to the best choice, in points
	Exact  bool       // the seat knew all tiles, and the values are those of the best play of both sides
	Better float64    // share of the guesses, from 0 to 1, in which Best made more than Played; 0 if Exact
	Why    []Reason   // for the costliest mistakes: what speaks for Best, strongest first

	best, played bot.Value
}

// Grade summarizes a number of decisions.
type Grade struct {
	Decisions int
	Lost      float64 // points given away in total
	Accuracy  float64 // from 0 to 100: the mean of 100 × 2^(−Lost/5), so a decision that gives away 5 points counts half
}

// Letter returns the grade as a letter from A to E, or a dash without decisions.
func (g Grade) Letter() string {
	if g.Decisions == 0 {
		return "-"
	}
	for i, least := range []float64{95, 88, 78, 65} {
		if g.Accuracy >= least {
			return string(rune('A' + i))
		}
	}
	return "E"
}

func (g *Grade) add(d *Decision) {
	g.Accuracy = (g.Accuracy*float64(g.Decisions) + 100*math.Exp2(-d.Lost/5)) / float64(g.Decisions+1)
	g.Decisions++
	g.Lost += d.Lost
}

// Round is one round for the seat's side, in points less the others' average. Made is the sum of Deal and
// Draws, which are luck, and play.
type Round struct {
	Grade
	Number int
	Deal   float64 // what the deal was worth, if everybody plays alike and knows all hands
	Draws  float64 // what the drawn tiles, whoever drew them, were worth beyond what was expected
	Made   float64 // the actual result; see Whole
	Whole  bool    // the round, or the game during it, was finished
}

// Play returns what play made of the round beyond luck.
func (r *Round) Play() float64 { return r.Made - r.Deal - r.Draws }

// ReasonKind is a respect in which a choice is better than another.
type ReasonKind uint8

// Kinds of reasons.
const (
	Scores  ReasonKind = iota + 1 // it scores more at once: Best and Played in points
	Answers                       // the next seat's best answer scores less on average: points
	Blocks                        // the next seat is more likely to have no tile that fits: chances from 0 to 1
	Keeps                         // more of the seat's remaining tiles fit afterwards: tiles
	Sheds                         // it gets rid of more pips
	Out                           // it goes out
	Wins                          // the seat's side goes out more often: chances from 0 to 1
	Rest                          // the other reasons, if any, do not account for what was lost
)

// Reason is one thing in favour of the best choice.
type Reason struct {
	Kind         ReasonKind
	Best, Played float64    // of the two choices, in the unit of Kind
	Next         rules.Seat // Answers, Blocks: the seat that moves next
	Suits        []Suit     // Blocks: ends that only the best choice leaves, and why they are hard to match

	weight float64 // roughly points: the more, the stronger
}

// Suit is what the seat knew about the tiles with one number.
type Suit struct {
	Pip   rules.Pip
	Seen  int  // of the seven tiles, on the table or in the seat's own hand after the play
	Short bool // the next seat drew or passed while the number was open
}

// Review values the seat's decisions in a recorded game. The same record gives the same report. It takes about
// half a second of CPU per game, and returns the context's error when ctx ends.
func Review(ctx context.Context, r *replay.Record, seat rules.Seat) (*Report, error) {
	rev := review{ctx: ctx, Report: Report{Seat: seat}}
	for at, g := range r.Games() {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		rev.take(&r.Moments[at], g)
	}
	rev.close()
	if err := rev.explain(); err != nil {
		return nil, err
	}
	return &rev.Report, nil
}

type review struct {
	Report
	ctx    context.Context
	before rules.Game
	past   []rules.Event // of the round
	moves  int
	start  rules.Game // at the deal of the round
	ranOut bool       // the round has ended
	seen   []bot.Seen // what the seat had seen at each decision
}

// take takes a moment, and the game at it.
func (v *review) take(m *replay.Moment, g *rules.Game) {
	v.moves = m.Number
	switch {
	case m.Kind == replay.Dealt:
		v.close()
		v.past, v.start, v.ranOut = nil, *g, false
		if g.Rules().Teams {
			v.Partner = v.Seat.Next(rules.MaxSeats).Next(rules.MaxSeats)
		}
		v.Rounds = append(v.Rounds, Round{Number: g.Round(), Deal: bot.PlayedOut(g, v.Seat, luckPlayouts, v.rng(0))})
	case m.Kind == replay.Moved:
		switch e := &m.Event; {
		case e.Kind == rules.Play && e.Seat == v.Seat:
			v.decide(m)
		case e.Kind == rules.Draw && e.End == rules.NotEnded && g.Stock() > 0:
			round := &v.Rounds[len(v.Rounds)-1]
			round.Draws += bot.PlayedOut(g, v.Seat, luckPlayouts, v.rng(1)) - bot.PlayedOut(&v.before, v.Seat, luckPlayouts, v.rng(2))
		}
		v.past = append(v.past, m.Event)
		v.ranOut = m.Event.End != rules.NotEnded || m.Event.GameOver
	}
	v.before = *g
}

// rng returns a generator that depends only on the move and its use.
func (v *review) rng(use uint64) *rand.Rand {
	return rand.New(rand.NewPCG(uint64(v.moves), use<<8|uint64(v.Seat)))
}

// decide values a play of the seat before it is made.
func (v *review) decide(m *replay.Moment) {
	e := &m.Event
	s := bot.See(v.before.View(v.Seat), v.past)
	d := Decision{Round: v.before.Round(), Move: m.Number, Turn: m.Turn, Played: e.Choice()}
	if len(s.Options) < 2 {
		return
	}
	if d.weigh(&s, FirstLook, v.rng(3)); len(d.Values) < 2 {
		return // the same tile at equivalent ends
	}
	if e.GameOver && e.Winner == v.before.SideOf(v.Seat) {
		// Points beyond those that win the game are worth nothing.
		d.Best, d.best, d.Lost, d.Error = d.Played, d.played, 0, 0
	} else if !d.Exact && d.doubtful() {
		d.weigh(&s, SecondLook, v.rng(4))
	}
	if d.Lost < max(Least, sure*d.Error) {
		d.Lost = 0
	}
	v.Decisions = append(v.Decisions, d)
	v.seen = append(v.seen, s)
	v.Total.add(&d)
	v.Rounds[len(v.Rounds)-1].add(&d)
}

// weigh values the choices with n playouts each.
func (d *Decision) weigh(s *bot.Seen, n int, rng *rand.Rand) {
	d.Values = bot.Weigh(s, n, rng)
	best := d.Values.Best()
	played, ok := d.Values.Of(s, d.Played)
	if !ok {
		played = best
	}
	d.Best, d.Played, d.best, d.played = best.Choice, played.Choice, best, played
	d.Lost, d.Error, d.Better, d.Exact = best.Mean-played.Mean, played.Error, played.Worse, played.Playouts == 0
}

// doubtful reports whether a choice may be better than the played one by Least, within a standard error.
func (d *Decision) doubtful() bool {
	if d.Played != d.Best {
		return d.Lost+d.Error >= Least
	}
	return slices.ContainsFunc(d.Values[1:], func(v bot.Value) bool { return v.Mean+v.Error-d.best.Mean >= Least })
}

// close finishes the round that is being read, if there is one.
func (v *review) close() {
	if len(v.Rounds) == 0 {
		return
	}
	r := &v.Rounds[len(v.Rounds)-1]
	r.Whole = v.ranOut
	mine, others := 0.0, 0.0
	for i := range v.before.Sides() {
		side := rules.Side(i + 1)
		made := float64(v.before.Score(side) - v.start.Score(side))
		if side == v.before.SideOf(v.Seat) {
			mine = made
		} else {
			others += made
		}
	}
	r.Made = mine - others/float64(v.before.Sides()-1)
}

// explain finds the costliest mistakes and gives reasons against them.
func (v *review) explain() error {
	for i := range v.Decisions {
		if v.Decisions[i].Lost > 0 {
			v.Worst = append(v.Worst, i)
		}
	}
	slices.SortStableFunc(v.Worst, func(a, b int) int { return cmp.Compare(v.Decisions[b].Lost, v.Decisions[a].Lost) })
	v.Worst = v.Worst[:min(len(v.Worst), Costliest)]
	for _, i := range v.Worst {
		if err := v.ctx.Err(); err != nil {
			return err
		}
		d := &v.Decisions[i]
		d.Why = Reasons(&v.seen[i], d.best, d.played, rand.New(rand.NewPCG(uint64(d.Move), 5<<8|uint64(v.Seat))))
	}
	return nil
}
