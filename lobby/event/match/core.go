package match

import (
	"context"
	"maps"
	"slices"
	"time"

	"boneyard/lobby/event"
	"boneyard/table"
)

// Core is the state that leagues and cups have in common: the teams, and their matches.
type Core struct {
	id      event.ID
	kind    event.Kind
	cfg     Config
	begins  time.Time
	format  Format
	signed  []Team // by time of signing up, or when it has begun by seed
	begun   bool
	over    bool
	ended   Final // what its last entry says
	matches []*Match
	last    int64
	took    map[table.GameID]bool
	changes int // entries applied
}

// Format is what leagues and cups do differently.
type Format struct {
	Least, Most int                // teams; Most 0: any number
	Seed        func(teams []Team) // sorts the teams when the event begins, the best first
	Final       func() Final       // the outcome, once all matches are decided
	Window      string             // what the time for a round of matches is called
}

// NewCore returns the state of a new event.
func NewCore(e event.Event, cfg Config, f Format) Core {
	return Core{id: e.ID, kind: e.Kind, cfg: cfg, begins: e.Begins, format: f, took: map[table.GameID]bool{}}
}

// View is what readers see of both leagues and cups. It is never changed.
type View struct {
	event.Head
	Kind    event.Kind
	Config  Config
	Begins  time.Time
	Begun   bool
	Over    bool
	Final   Final // once it is over
	Teams   []Team
	Matches []Match // by number
	Changes int     // how often it has changed

	window string
}

// Shown is the state as readers see it.
func (c *Core) Shown(at map[int64]table.ID) View {
	v := View{Head: event.Head{ID: c.id, At: map[int64]table.ID{}}, Kind: c.kind, Config: c.cfg, Begins: c.begins, Begun: c.begun, Over: c.over, Final: c.ended, Teams: slices.Clone(c.signed), Changes: c.changes, window: c.format.Window}
	for _, m := range c.matches {
		v.Matches = append(v.Matches, *m)
		if id, ok := at[m.Pairing]; ok {
			v.At[m.Pairing] = id
		}
	}
	return v
}

// Plan implements [event.View].
func (v *View) Plan() event.Plan {
	return event.Plan{Name: v.Config.Name, By: v.Config.By, Begun: v.Begun}
}

// Players implements [event.View]: teams take part.
func (v *View) Players() []table.Player { return nil }

// Current is the match that a team is to play now, nil if there is none.
func (v *View) Current(team table.TeamID) *Match {
	var at *Match
	for i := range v.Matches {
		if m := &v.Matches[i]; m.Open && !m.Done && m.Of(team) >= 0 && (at == nil || m.Closes.Before(at.Closes)) {
			at = m
		}
	}
	return at
}

// Has reports whether a team takes part.
func (v *View) Has(team table.TeamID) bool {
	return slices.ContainsFunc(v.Teams, func(t Team) bool { return t.ID == team })
}

// current is Current in the state.
func (c *Core) current(team table.TeamID) (*Match, int) {
	var at *Match
	for _, m := range c.matches {
		if m.Open && !m.Done && m.Of(team) >= 0 && (at == nil || m.Closes.Before(at.Closes)) {
			at = m
		}
	}
	if at == nil {
		return nil, -1
	}
	return at, at.Of(team)
}

// Current is the match that a team is to play now, nil if there is none. It may be read until something is
// applied.
func (c *Core) Current(team table.TeamID) *Match {
	m, _ := c.current(team)
	return m
}

// Matches lists the matches so far, by number. They may be read until something is applied.
func (c *Core) Matches() []*Match { return c.matches }

// Teams lists the teams that take part, by seed once the event has begun.
func (c *Core) Teams() []Team { return c.signed }

// Final is the outcome, once the event is over.
func (c *Core) Final() *Final { return &c.ended }

// HasPlayed reports whether a team has played a game, not only won or lost by who came.
func (c *Core) HasPlayed(team table.TeamID) bool {
	return slices.ContainsFunc(c.matches, func(m *Match) bool { return m.Of(team) >= 0 && m.Played() > 0 })
}

// Begun reports whether the event has begun.
func (c *Core) Begun() bool { return c.begun }

// Took implements [event.Rules].
func (c *Core) Took(g table.GameID) bool { return c.took[g] }

// Over implements [event.Rules].
func (c *Core) Over() bool { return c.over }

// Wanted implements [event.Rules].
func (c *Core) Wanted() []event.Pairing {
	var all []event.Pairing
	for _, m := range c.matches {
		if m.Pairing != 0 {
			all = append(all, m.pairing(&c.cfg))
		}
	}
	return all
}

// Add adds a match between two of the teams. Call it only from Apply.
func (c *Core) Add(division, round int, a, b Team, opens, closes time.Time) {
	c.matches = append(c.matches, &Match{
		No: len(c.matches) + 1, Division: division, Round: round, Sides: [2]Side{{Team: a}, {Team: b}}, Opens: opens, Closes: closes,
	})
}

// AllDone reports whether the event has begun and all matches so far are decided.
func (c *Core) AllDone() bool {
	return c.begun && !slices.ContainsFunc(c.matches, func(m *Match) bool { return !m.Done })
}

// Next is when something happens by itself, zero for never.
func (c *Core) Next() time.Time {
	if !c.begun {
		return c.begins
	}
	var next time.Time
	for _, m := range c.matches {
		if at := m.next(); !at.IsZero() && (next.IsZero() || at.Before(next)) {
			next = at
		}
	}
	return next
}

// Due implements [event.Rules]: matches end when their time is over, and the event when all of them are
// decided.
func (c *Core) Due(now time.Time) []event.Entry {
	var entries []event.Entry
	for _, m := range c.matches {
		if m.over(now) {
			winner, walkover := m.decide()
			entries = append(entries, event.New(kindClose, closed{of{m.No}, winner, walkover}))
		}
	}
	if len(entries) == 0 && !c.over && c.AllDone() {
		f := c.format.Final()
		f.Name, f.Held = c.cfg.Name, true
		return []event.Entry{event.New(event.KindOver, f)}
	}
	return entries
}

// Ask implements [event.Asker]: it asks who is in the teams when the event and the time for a match begin,
// who is here to take the seats, and who has come.
func (c *Core) Ask(ctx context.Context, now time.Time, f event.Facts) ([]event.Entry, error) {
	if !c.begun {
		if now.Before(c.begins) || c.over {
			return nil, nil
		}
		return c.askTeams(ctx, f)
	}
	var entries []event.Entry
	var opening []*Match
	for _, m := range c.matches {
		switch at := m.tableAt(); {
		case m.Done:
		case !m.Open:
			if !now.Before(m.Opens) {
				opening = append(opening, m)
			}
		case m.Pairing != 0 && !now.Before(m.Until):
			entries = append(entries, m.askWhoCame(f)...)
		case !at.IsZero() && !now.Before(at):
			t := tabled{of: of{m.No}, Pairing: c.last + int64(len(entries)) + 1, First: len(m.Games) % 2}
			for i := range m.Sides {
				t.Players[i] = m.Sides[i].players(f.Here)
			}
			entries = append(entries, event.New(kindTable, t))
		}
		if len(entries) > 0 { // the next pairing's number follows from this one
			return entries, nil
		}
	}
	if len(opening) == 0 {
		return nil, nil
	}
	return openings(ctx, f, opening)
}

// askTeams begins the event with the teams that still exist.
func (c *Core) askTeams(ctx context.Context, f event.Facts) ([]event.Entry, error) {
	rosters, err := rostersOf(ctx, f, c.signed)
	if err != nil {
		return nil, err
	}
	var teams []Team
	for _, t := range c.signed {
		if r, ok := rosters[t.ID]; ok && len(r.Members) >= lineUp {
			teams = append(teams, Team{ID: t.ID, Tag: r.Tag, Name: r.Name, Rating: r.Rating})
		}
	}
	if len(teams) < c.format.Least {
		return []event.Entry{event.New(event.KindOver, Final{Name: c.cfg.Name})}, nil
	}
	c.format.Seed(teams)
	for i := range teams {
		teams[i].Seed = i + 1
	}
	return []event.Entry{event.New(kindBegin, begun{teams})}, nil
}

// openings begin the time for matches, with the current rosters.
func openings(ctx context.Context, f event.Facts, matches []*Match) (entries []event.Entry, err error) {
	var teams []Team
	for _, m := range matches {
		teams = append(teams, m.Sides[0].Team, m.Sides[1].Team)
	}
	rosters, err := rostersOf(ctx, f, teams)
	if err != nil {
		return nil, err
	}
	for _, m := range matches {
		o := opened{of: of{m.No}}
		for i := range m.Sides {
			o.Rosters[i] = rosters[m.Sides[i].ID].Members
		}
		entries = append(entries, event.New(kindOpen, o))
	}
	return entries, nil
}

func rostersOf(ctx context.Context, f event.Facts, teams []Team) (map[table.TeamID]event.Roster, error) {
	ids := map[table.TeamID]bool{}
	for _, t := range teams {
		ids[t.ID] = true
	}
	list, err := f.Rosters(ctx, slices.Sorted(maps.Keys(ids)))
	if err != nil {
		return nil, err
	}
	all := map[table.TeamID]event.Roster{}
	for _, r := range list {
		all[r.Team] = r
	}
	return all, nil
}

// askWhoCame returns the entry for a table whose seats are kept no longer: once, unless the game had begun
// and its table is lost.
func (m *Match) askWhoCame(f event.Facts) []event.Entry {
	begun, here := f.Came(m.Pairing)
	switch {
	case begun && m.Begun:
		return nil
	case begun:
		return []event.Entry{event.New(kindBegun, tabled{of: of{m.No}, Pairing: m.Pairing})}
	}
	a := absent{of: of{m.No}, Pairing: m.Pairing}
	for i := range m.Sides {
		a.Here[i] = len(m.Sides[i].Played) == lineUp && !slices.ContainsFunc(m.Sides[i].Played, func(id table.PlayerID) bool { return !slices.Contains(here, id) })
	}
	return []event.Entry{event.New(kindAbsent, a)}
}
