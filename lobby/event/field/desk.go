package field

import (
	"context"
	"fmt"
	"strconv"
	"time"

	"boneyard/lobby/event"
	"boneyard/lobby/text"
	"boneyard/table"
)

// Refusals at the desk.
const (
	ErrMany text.Refusal = "Your last duplicate arena is not over yet."
	ErrTime text.Refusal = "A duplicate arena begins now or within two weeks (times are in UTC)."
)

// Desk takes a person's requests about duplicate arenas.
type Desk struct{ Caller *event.Caller }

// NewField creates a duplicate arena that begins at a time, or now if that is zero. It refuses guests, and
// returns ErrMany, ErrTime, event.ErrDealtMade, or an error of [Config.Complete].
func (d Desk) NewField(ctx context.Context, cfg Config, begins time.Time) (event.ID, error) {
	if err := d.Caller.Member(); err != nil {
		return 0, err
	}
	begins, wrong := d.Caller.Events.Begins(begins)
	if wrong {
		return 0, ErrTime
	}
	if err := d.Caller.Sign(&cfg.Name, &cfg.By); err != nil {
		return 0, err
	}
	unfit := cfg.Complete()
	return d.Caller.NewEvent(ctx, unfit, Make(cfg, d.Caller.Events.Deps().NewSeed(), begins))
}

// Fields lists the duplicate arenas that are not over, by number.
func (d Desk) Fields() []View { return event.Views[View](d.Caller.Events, Kind) }

// Field returns a duplicate arena by number, or ErrNone; one that is over has its Rounds.
func (d Desk) Field(ctx context.Context, id event.ID) (*View, error) {
	return event.ViewByID(ctx, d.Caller, id, d.compare, Kind)
}

// compare sets the Rounds of a duplicate arena that is over.
func (d Desk) compare(ctx context.Context, v *View) error {
	for i := range v.Games {
		var margins []int
		if g := &v.Games[i]; g.compared() {
			var err error
			if margins, err = d.Caller.Events.Margins(ctx, g.Game, "a duplicate arena"); err != nil {
				return err
			}
		}
		v.Rounds = append(v.Rounds, margins)
	}
	return nil
}

// keep announces the result of a duplicate arena and notifies its players.
func keep(s *event.Events) *event.Keeper {
	return event.AtEnd(func(v *View) []string { return []string{v.Outcome()} }, func(v *View) {
		s.Deps().Club.Tell(v.Players(), 0, fmt.Sprintf("%s. The comparison: D in the lobby, or field %d", v.Outcome(), v.ID))
	})
}

func (v *View) Apart() [][]table.Player {
	if v.Over {
		return nil
	}
	return text.Each(v.Tables, func(t Table) []table.Player { return t.Seats })
}

// Result formats how much more a player made than the mean of the field in their seat, such as "+12.5".
func (v *View) Result(p *Place) string { return Above(p.Over, v.Final.Tables) }

// Above formats a difference from a mean, rounded to tenths. over is n times that difference.
func Above(over, n int) string {
	s := strconv.FormatFloat(float64(over)/float64(max(n, 1)), 'f', 1, 64)
	switch {
	case s == "-0.0":
		return "0.0"
	case s[0] != '-' && s != "0.0":
		return "+" + s
	}
	return s
}

// RoundsOf returns a player's result in each round of a duplicate arena that is over. It is empty if their
// game is not compared.
func (v *View) RoundsOf(p *Place) (rounds []Round) {
	if len(v.Rounds) < p.Table {
		return nil
	}
	sign := 1
	if p.Seat == 2 {
		sign = -1
	}
	for i, own := range v.Rounds[p.Table-1] {
		sum := 0
		for _, other := range v.Rounds {
			if i < len(other) {
				sum += other[i]
			}
		}
		rounds = append(rounds, Round{sign * own, sign * (v.Final.Tables*own - sum)})
	}
	return rounds
}

// Round is a player's result in a round: the points made more than the opponent, and by how much those exceed
// the mean of the field, times the number of compared tables.
type Round struct{ Points, Over int }

// Outcome says how a duplicate arena ended.
func (v *View) Outcome() string {
	name := event.Subject(title, v.ID, v.Config.Name)
	switch {
	case v.Final.Off:
		return name + " was called off"
	case !v.Final.Begun && v.Config.Pairs:
		return name + " was not played: it needs two pairs"
	case !v.Final.Begun:
		return name + " was not played: it needs two players"
	case len(v.Final.Places) == 0 || v.Final.Places[0].Rank == 0:
		return name + " has no winner: too few games were played to their ends"
	}
	var first []string
	for i := range v.Final.Places {
		if p := &v.Final.Places[i]; p.Rank == 1 {
			first = append(first, p.Name)
		}
	}
	return fmt.Sprintf("%s: %s first with %s against the field", event.Titled(title, v.ID, v.Config.Name), text.List(first),
		v.Result(&v.Final.Places[0]))
}
