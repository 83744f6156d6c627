// Package challenge knows a challenge for a set time: when it comes and both sides are complete, the club
// opens an ordinary table and invites them to it. It is pure: the state follows from the event's journal.
package challenge

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"sync"
	"time"

	"boneyard/lobby/event"
	"boneyard/lobby/limit"
	"boneyard/lobby/text"
	"boneyard/rules"
	"boneyard/table"
)

// Kind is the kind of these events.
const Kind event.Kind = "challenge"

// Refusals of challenges.
const (
	ErrNone text.Refusal = "There is no such challenge, or it isn't yours."
	ErrOver text.Refusal = "That challenge is over."
	ErrMany text.Refusal = "Too many of your challenges are waiting; call one off first."
	ErrFull text.Refusal = "Too many challenges are waiting in the club; please try again later."
	ErrLate text.Refusal = "Choose a time in the future, within two weeks."

	ErrTeams text.Refusal = "For a table of two teams, challenge the other team."
)

// Type is the type of these events.
var Type = &event.Type{
	Kind: Kind, New: New, Config: Config{}, Data: entries.Data(), Title: "Challenge", None: ErrNone, Over: ErrOver,
	Dated: true, Personal: true,
	Takes: time.Hour,
	Bound: &event.Bound{Quota: limit.Quota{Person: 3, Address: 6, Network: 12, All: 200, Staff: 250, Few: 20}, Own: ErrMany, Full: ErrFull},
	Keep:  keep,
}

// Config is the configuration of a challenge.
type Config struct {
	Table table.Config    `json:"table"`           // for two teams in a challenge of teams
	Sides [2]table.Player `json:"sides"`           // the challenger and the challenged; for a team, its captain
	Teams [2]string       `json:"teams,omitempty"` // their tags
}

// Name names the sides: "ana against ben".
func (c *Config) Name() string {
	if c.team() {
		return fmt.Sprintf("[%s] against [%s]", c.Teams[0], c.Teams[1])
	}
	return c.Sides[0].Name + " against " + c.Sides[1].Name
}

func (c *Config) team() bool { return c.Table.Access == table.AccessTeams }

// Challenge is the state of a challenge. It implements [event.Rules]; its table is an ordinary one.
type Challenge struct {
	event.Gameless
	v View
}

var (
	_ event.Asker    = (*Challenge)(nil)
	_ event.Optional = (*Challenge)(nil)
)

// New returns the state of a new challenge.
func New(e event.Event) (event.Rules, error) {
	c := &Challenge{v: View{Head: event.Head{ID: e.ID}, Begins: e.Begins}}
	if err := e.ReadConfig(&c.v.Config); err != nil {
		return nil, err
	}
	t := &c.v.Config.Table
	t.Rules, _ = rules.Parse(t.RuleText) // Validate reports what is wrong with them
	return c, t.Validate()
}

// Kinds of entries.
const (
	kindShort = "short"
	kindCall  = "call"
)

type short struct {
	Who string `json:"who"` // the missing players
}

type called struct {
	Players []table.PlayerID `json:"players"`
}

type ended struct {
	Why string `json:"why,omitempty"` // why it was not played
}

var entries = event.Entries[*Challenge]{
	kindShort:      event.Does(func(c *Challenge, _ time.Time, x short) { c.v.Short = x.Who }),
	kindCall:       event.Does(func(c *Challenge, _ time.Time, x called) { c.v.Called = x.Players }),
	event.KindOver: event.Does(func(c *Challenge, _ time.Time, x ended) { c.v.Over, c.v.Why = true, x.Why }),
}

func (c *Challenge) Apply(e event.Entry) error { return entries.Apply(c, e) }

func end(why string) []event.Entry { return []event.Entry{event.New(event.KindOver, ended{why})} }

func (c *Challenge) CallOff() ([]event.Entry, error) { return end("it was called off"), nil }

// Withdraw ends a challenge that the other side was not informed of.
func Withdraw(event.Rules, time.Time) ([]event.Entry, error) { return end(""), nil }

// until returns how long the club waits for people.
func (c *Challenge) until() time.Time { return c.v.Begins.Add(event.Kept) }

func (c *Challenge) Next() time.Time {
	if c.v.Short == "" && c.v.Called == nil {
		return c.v.Begins
	}
	return c.until()
}

// Due implements [event.Rules]: a challenge that has not begun a quarter of an hour after its time ends. If
// players did not come, Ask ends it.
func (c *Challenge) Due(now time.Time) []event.Entry {
	switch {
	case now.Before(c.until()):
		return nil
	case c.v.Called != nil:
		return end("the table could not be opened")
	case c.v.Short == "":
		return end("the club was not open at the time")
	}
	return nil
}

// Ask implements [event.Asker]: it checks whether both people, or two members of each team, are there.
func (c *Challenge) Ask(ctx context.Context, now time.Time, f event.Facts) ([]event.Entry, error) {
	cfg := &c.v.Config
	if c.v.Called != nil || now.Before(c.v.Begins) {
		return nil, nil
	}
	var call []table.PlayerID
	var missing []string
	if !cfg.team() {
		for _, p := range cfg.Sides {
			if call = append(call, p.ID); !f.Here(p.ID) {
				missing = append(missing, p.Name)
			}
		}
	} else {
		rosters, err := f.Rosters(ctx, cfg.Table.Teams[:])
		if err != nil {
			return nil, err
		}
		if len(rosters) < len(cfg.Table.Teams) {
			return end("one of the teams has ended"), nil
		}
		for _, r := range rosters {
			here := 0
			for _, p := range r.Members {
				if f.Here(p.ID) {
					call = append(call, p.ID)
					here++
				}
			}
			switch here {
			case 0:
				missing = append(missing, r.Name)
			case 1:
				missing = append(missing, "a second member of "+r.Name)
			}
		}
	}
	switch who := text.List(missing); {
	case who == "":
		return []event.Entry{event.New(kindCall, called{call})}, nil
	case !now.Before(c.until()) && !f.Returning():
		return end(who + " did not come"), nil
	case who != c.v.Short:
		return []event.Entry{event.New(kindShort, short{who})}, nil
	}
	return nil, nil
}

// View is a challenge as readers see it. It is never changed.
type View struct {
	event.Head
	Config Config
	Begins time.Time
	Short  string           // the missing players, from its time on
	Called []table.PlayerID // once all are here, the players to invite
	Over   bool
	Why    string // why it was not played
}

func (c *Challenge) View(map[int64]table.ID) event.View { return new(c.v) }

func (v *View) Plan() event.Plan {
	return event.Plan{Kind: Kind, Name: v.Config.Name(), By: v.Config.Sides[0].Name, Begun: v.Called != nil, Over: v.Over}
}

func (v *View) Players() []table.Player { return v.Config.Sides[:] }

// Concerns reports whether a challenge involves a person or their team.
func (v *View) Concerns(p table.Player) bool {
	if v.Config.team() {
		return slices.Contains(v.Config.Table.Teams[:], p.Team)
	}
	return event.Has(v.Config.Sides[:], p.ID)
}

// Appointments implements [event.Dated]: only those who are meant read of it, and a person only whom they play.
func (v *View) Appointments(p table.Player, own event.Appointment) []event.Appointment {
	if own.Own = true; !v.Concerns(p) {
		return nil
	}
	if !v.Config.team() {
		other := v.Config.Sides[0].Name
		if p.ID == v.Config.Sides[0].ID {
			other = v.Config.Sides[1].Name
		}
		own.Title = strings.Replace(own.Title, v.Config.Name(), "against "+other, 1)
	}
	return []event.Appointment{own}
}

// keep opens the table, and reports missing players and challenges that were not played.
func keep(s *event.Events) *event.Keeper {
	const openAgain = 5 * time.Second // how long after a failure the table is opened again
	club := s.Deps().Club
	tellThose := func(v *View, what string, to []table.Player) {
		if len(to) > 1 && !club.Hears(to[1].ID, to[0]) { // they may ignore whoever challenges them
			to = to[:1]
		}
		club.Tell(to, 0, v.Config.Name()+what)
	}
	tell := func(v *View, what string) {
		if !v.Config.team() {
			tellThose(v, what, v.Players())
			return
		}
		s.Deps().Reach(v.Config.Table.Teams[:], func(now []event.Roster) {
			tellThose(v, what, text.Each(now, func(r event.Roster) table.Player { return r.Captain })) // the captains of today
		})
	}
	gone := func(id table.PlayerID) bool { return !club.Here(id) }
	var awaited sync.Map // the missing players that were last told, by event; several changes may be seen as one
	var open func(r *event.Room)
	open = func(r *event.Room) {
		v := r.View().(*View)
		switch {
		case v.Over: // reported by Ended
		case v.Called == nil && v.Short != "":
			if last, _ := awaited.Swap(v.ID, v.Short); last != v.Short {
				tell(v, fmt.Sprintf(": waiting for %s until %s UTC.", v.Short, v.Begins.Add(event.Kept).UTC().Format("15:04")))
			}
		case v.Called == nil:
		case s.Deps().Context.Err() == nil && r.Returning() > 0 && slices.ContainsFunc(v.Called, gone): // the club has just started
			time.AfterFunc(openAgain, func() { club.Run(func() { open(r) }) })
		default:
			err := r.Do(s.Deps().Context, func(event.Rules, time.Time) ([]event.Entry, error) {
				cfg := v.Config.Table
				cfg.Challenge = v.ID
				err := club.AskTo(s.Deps().Context, cfg, v.Called, v.Config.Sides[0], v.Config.Name())
				if refusal := text.Refusal(""); errors.As(err, &refusal) && refusal != text.Refusal(table.ErrDraining) {
					return end("there was no room for a table"), nil
				}
				return end(""), err
			})
			if err != nil && !errors.Is(err, event.ErrOver) && s.Deps().Context.Err() == nil {
				s.Deps().Log.Warn("open the table of a challenge", "event", v.ID, "err", err)
				time.AfterFunc(openAgain, func() { club.Run(func() { open(r) }) })
			}
		}
	}
	return &event.Keeper{
		Changed: open,
		Ended: func(_ *event.Event, view event.View) {
			v := view.(*View)
			awaited.Delete(v.ID)
			if v.Why != "" {
				tell(v, " is off: "+v.Why+".")
			}
		},
	}
}

// Desk takes a person's requests about challenges.
type Desk struct{ Caller *event.Caller }

// Challenges lists those that concern the person, by number.
func (d Desk) Challenges() (all []View) {
	for _, v := range event.Views[View](d.Caller.Events, Kind) {
		if v.Concerns(d.Caller.Player()) {
			all = append(all, v)
		}
	}
	return all
}

// Plan creates a challenge for a time. It refuses guests, and returns ErrLate, ErrMany or ErrFull.
func (d Desk) Plan(ctx context.Context, cfg Config, at time.Time) (event.ID, error) {
	if err := d.Caller.Member(); err != nil {
		return 0, err
	}
	if at, wrong := d.Caller.Events.Begins(at); wrong || !at.After(d.Caller.Events.Now()) {
		return 0, ErrLate
	}
	cfg.Sides[0] = d.Caller.Player()
	return d.Caller.NewEvent(ctx, cfg.Table.Validate(), event.Make(Kind, cfg, at))
}

// EndChallenge calls off the person's challenge, or declines one to them. For a team, its captain does so.
func (d Desk) EndChallenge(ctx context.Context, id event.ID) error {
	if err := d.Caller.Member(); err != nil {
		return err
	}
	r := d.Caller.Events.RoomOf(Kind, id)
	if r == nil {
		return ErrNone
	}
	me, v := d.Caller.Player(), r.View().(*View)
	if !v.Concerns(me) {
		return ErrNone
	}
	own := me.ID == v.Config.Sides[0].ID
	if v.Config.team() {
		team, err := d.Caller.Captain(ctx, "")
		if err != nil {
			return err
		}
		own = team.Team == v.Config.Table.Teams[0]
	}
	return event.Wish(ctx, d.Caller, Type, id, func(c *Challenge, _ time.Time) ([]event.Entry, error) {
		if own {
			return c.CallOff()
		}
		return end(me.Name + " declines"), nil
	})
}
