// Package night knows a club night: until it ends, games between established members are rated even if they
// share a network. It is pure: the state follows from the event's journal.
package night

import (
	"context"
	"fmt"
	"time"

	"boneyard/lobby/event"
	"boneyard/lobby/limit"
	"boneyard/lobby/text"
	"boneyard/table"
)

// Kind is the kind of these events.
const Kind event.Kind = "clubnight"

// Refusals of club nights.
const (
	ErrNone   text.Refusal = "There is no such club night; clubnight lists them."
	ErrOver   text.Refusal = "That club night is over."
	ErrMany   text.Refusal = "Your last club night is not over yet."
	ErrFull   text.Refusal = "There have been too many club nights lately; please try again later."
	ErrMakers text.Refusal = "Only operators and, for their teams, captains can hold a club night."
	ErrLength text.Refusal = "A club night lasts from 10 minutes to 12 hours."
)

// The shortest and the longest club night.
const (
	Shortest = 10 * time.Minute
	Longest  = 12 * time.Hour
)

// known is how old an account must be when a club night begins for its games to count, so that nobody creates
// an account for the night.
const known = 24 * time.Hour

// Type is the type of these events.
var Type = &event.Type{
	Kind: Kind, New: New, Config: Config{}, Data: entries.Data(), Title: "Club night", None: ErrNone, Over: ErrOver, News: "clubnight",
	Bound: &event.Bound{Quota: limit.Quota{Person: 1, Address: 3, Network: 6, All: 60}, Own: ErrMany, Full: ErrFull, Made: &limit.Rule{
		Key:     limit.Rate{Burst: 2, Every: time.Hour},
		Addr:    limit.Rate{Burst: 4, Every: time.Hour},
		Network: limit.Rate{Burst: 8, Every: time.Hour},
	}},
}

// Config is the configuration of a club night.
type Config struct {
	By   string       `json:"by"`             // its creator
	Team table.TeamID `json:"team,omitempty"` // whose members it is for; 0 for everybody
	Tag  string       `json:"tag,omitempty"`
}

// For says whom the night is for: "all members", or "members of [OWL]".
func (c *Config) For() string {
	if c.Team == 0 {
		return "all members"
	}
	return "members of [" + c.Tag + "]"
}

// Night is the state of a club night. It implements [event.Rules].
type Night struct {
	event.Gameless
	v View
}

var _ event.Optional = (*Night)(nil)

// New returns the state of a new club night.
func New(e event.Event) (event.Rules, error) {
	n := &Night{v: View{Head: event.Head{ID: e.ID}, Begins: e.Begins, Ends: e.Ends}}
	return n, e.ReadConfig(&n.v.Config)
}

var entries = event.Entries[*Night]{
	event.KindOver: event.Does(func(n *Night, at time.Time, _ event.Nothing) {
		if n.v.Over = true; at.Before(n.v.Ends) {
			n.v.Ends = at
		}
	}),
}

func end() []event.Entry { return []event.Entry{event.New(event.KindOver, nil)} }

func (n *Night) Apply(e event.Entry) error { return entries.Apply(n, e) }

func (n *Night) CallOff() ([]event.Entry, error) { return end(), nil }

func (n *Night) Next() time.Time { return n.v.Ends }

func (n *Night) Due(now time.Time) []event.Entry {
	if now.Before(n.v.Ends) {
		return nil
	}
	return end()
}

func (n *Night) View(map[int64]table.ID) event.View { return new(n.v) }

// View is a club night as readers see it. It is never changed.
type View struct {
	event.Head
	Config Config
	Begins time.Time
	Ends   time.Time // as planned, or when it ended
	Over   bool
}

func (v *View) Plan() event.Plan {
	return event.Plan{Kind: Kind, Name: "for " + v.Config.For(), By: v.Config.By, Begun: true, Over: v.Over}
}

func (v *View) Players() []table.Player { return nil }

// Holds reports whether the night applies to a member whose account was created at a time.
func (v *View) Holds(p table.Player, created, now time.Time) bool {
	return now.Before(v.Ends) && !v.Over && !p.Bot && !p.ID.Guest() &&
		(v.Config.Team == 0 || p.Team == v.Config.Team) && !created.After(v.Begins.Add(-known))
}

// Desk takes a person's requests about club nights.
type Desk struct{ Caller *event.Caller }

// ClubNights lists the club nights that are not over, by number.
func (d Desk) ClubNights() []View { return event.Views[View](d.Caller.Events, Kind) }

// ClubNight returns a club night by number, which may be over, or ErrNone.
func (d Desk) ClubNight(ctx context.Context, id event.ID) (*View, error) {
	return event.ViewByID[View](ctx, d.Caller, id, nil, Kind)
}

// NewClubNight begins a club night: an operator's for everybody, a captain's for the captain's team. It
// refuses guests, and returns ErrMakers, ErrLength, ErrMany or ErrFull.
func (d Desk) NewClubNight(ctx context.Context, length time.Duration) (event.ID, error) {
	if err := d.Caller.Member(); err != nil {
		return 0, err
	}
	cfg := Config{By: d.Caller.Player().Name}
	if !d.Caller.Operator() {
		team, err := d.Caller.Captain(ctx, ErrMakers)
		if err != nil {
			return 0, err
		}
		cfg.Team, cfg.Tag = team.Team, team.Tag
	}
	if length < Shortest || length > Longest {
		return 0, ErrLength
	}
	e := event.Make(Kind, cfg, d.Caller.Events.Now())
	e.Ends = e.Begins.Add(length)
	id, err := d.Caller.NewEvent(ctx, nil, e)
	if err == nil {
		club := d.Caller.Events.Deps().Club
		say := fmt.Sprintf("Club night %d by %s until %s: games of %s count even on one network",
			id, cfg.By, event.DayAndTime(e.Ends), cfg.For())
		club.Run(func() { club.News(time.Time{}, Type.News, say, event.Rare) })
	}
	return id, err
}
