package match

import (
	"context"
	"iter"
	"maps"
	"slices"
	"strconv"
	"time"

	"boneyard/lobby/event"
	"boneyard/table"
)

// Core is the state of a league or a cup: the teams and their matches. It implements [event.Rules].
type Core struct {
	v      View // as readers see it, without At
	format Format
	last   int64
	took   map[table.GameID]bool
	at     time.Time // time of the last entry; see taken.Open
}

var (
	_ event.Asker   = (*Core)(nil)
	_ event.Checker = (*Core)(nil)
)

// Format is what differs between leagues and cups. Their configurations implement it; they embed [Config].
type Format interface {
	Common() *Config
	Validate() error       // reports what is wrong with the configuration
	Period() time.Duration // of a match
	// Limits returns the limits for teams; most is 0 for no limit.
	Limits() (least, most int)
	// Seed sorts the teams when the event begins, best first.
	Seed(teams []Team)
	// Draw returns the matches that follow, without numbers: it is called when the event begins, and whenever
	// all matches so far are decided.
	Draw(v *View, at time.Time) []Match
	// Show sets the tables or the bracket of an event that has begun.
	Show(v *View)
	// Final returns the outcome of an event whose matches are decided, from what Show has set.
	Final(v *View) Final
}

// newCore returns the state of a new event, whose configuration it reads into f.
func newCore(e event.Event, f Format) (event.Rules, error) {
	if err := e.ReadConfig(f); err != nil {
		return nil, err
	}
	least, _ := f.Limits()
	v := View{Head: event.Head{ID: e.ID}, Kind: e.Kind, Config: *f.Common(), Begins: e.Begins, Least: least, Time: f.Period()}
	return &Core{v: v, format: f, took: map[table.GameID]bool{}}, f.Validate()
}

// View is a league or a cup as readers see it. It is never changed.
type View struct {
	event.Head
	Kind    event.Kind
	Config  Config
	Begins  time.Time
	Least   int // teams without which it is not played
	Begun   bool
	Over    bool
	Final   Final         // once it is over
	Teams   []Team        // by time of signing up; by seed once it has begun
	Matches []Match       // by number
	Changes int           // number of entries so far
	Time    time.Duration // period of a match

	Divisions [][]Row // the tables of a league that has begun, by place
	Rounds    [][]Tie // the bracket of a cup that has begun

	ended time.Time // once it is over
}

func (c *Core) View(at map[int64]table.ID) event.View { return c.shown(at) }

func (c *Core) shown(at map[int64]table.ID) *View {
	v := new(c.v)
	v.At, v.Teams, v.Matches = map[int64]table.ID{}, slices.Clone(v.Teams), slices.Clone(v.Matches)
	for m := range v.all() {
		if id, ok := at[m.Pairing]; ok {
			v.At[m.Pairing] = id
		}
	}
	if v.Begun {
		c.format.Show(v)
	}
	return v
}

// all yields the matches by number.
func (v *View) all() iter.Seq[*Match] {
	return func(yield func(*Match) bool) {
		for i := range v.Matches {
			if !yield(&v.Matches[i]) {
				return
			}
		}
	}
}

func (v *View) Plan() event.Plan {
	return event.Plan{Kind: v.Kind, Name: v.Config.Name, By: v.Config.By, Begun: v.Begun, Over: v.Over}
}

// Players implements [event.View]: only teams enter.
func (v *View) Players() []table.Player { return nil }

// lastRounds are a match of the last rounds of a cup, and all of such a round; the final comes first.
var lastRounds = [...][2]string{{"the final", "the final"}, {"a semifinal", "the semifinals"}, {"a quarterfinal", "the quarterfinals"}}

// Round names a match of a round, and all of the round: "a semifinal" and "the semifinals". Earlier in a cup,
// and in a league, both are "round 2".
func (v *View) Round(n int) (one, all string) {
	if last := len(v.Rounds) - n; last >= 0 && last < len(lastRounds) {
		return lastRounds[last][0], lastRounds[last][1]
	}
	name := "round " + strconv.Itoa(n)
	return name, name
}

// MatchOf returns the match of a tie, or nil.
func (v *View) MatchOf(t *Tie) *Match {
	if t.Match < 1 || t.Match > len(v.Matches) {
		return nil
	}
	return &v.Matches[t.Match-1]
}

// BySeed reports whether a team advances from a tie that nobody has won, since it has the better seed.
func (v *View) BySeed(t *Tie) bool {
	m := v.MatchOf(t)
	return m != nil && m.Done && m.Winner == 0 && t.Winner != 0 && t.Round < len(v.Rounds)
}

// Current returns the match that a team has to play now, or nil.
func (v *View) Current(team table.TeamID) *Match {
	var at *Match
	for m := range v.all() {
		if m.Open && !m.Done && !m.decided() && m.Of(team) >= 0 && (at == nil || m.Closes.Before(at.Closes)) {
			at = m
		}
	}
	return at
}

// Has reports whether a team takes part.
func (v *View) Has(team table.TeamID) bool {
	return slices.ContainsFunc(v.Teams, func(t Team) bool { return t.ID == team })
}

// Current is [View.Current]. The match may be read until the next Apply.
func (c *Core) Current(team table.TeamID) *Match { return c.v.Current(team) }

func (c *Core) HasResult(g table.GameID) bool { return c.took[g] }

func (c *Core) Wanted() []event.Pairing {
	var all []event.Pairing
	for m := range c.v.all() {
		if m.Pairing != 0 {
			all = append(all, m.pairing(&c.v.Config))
		}
	}
	return all
}

// HasPlayed reports whether a team has played a game; games won or lost by absence don't count.
func (v *View) HasPlayed(team table.TeamID) bool {
	return slices.ContainsFunc(v.Matches, func(m Match) bool { return m.Of(team) >= 0 && m.Played() > 0 })
}

// allDone reports whether the event has begun and all matches so far are decided.
func (v *View) allDone() bool {
	return v.Begun && !slices.ContainsFunc(v.Matches, func(m Match) bool { return !m.Done })
}

// Next returns when something next happens by itself, or zero for never.
func (c *Core) Next() time.Time {
	if !c.v.Begun {
		return c.v.Begins
	}
	var next time.Time
	for m := range c.v.all() {
		if at := m.next(); !at.IsZero() && (next.IsZero() || at.Before(next)) {
			next = at
		}
	}
	return next
}

// Due implements [event.Rules]: matches end with their periods, and the event when all matches are decided.
// Proposals that have passed and did not hold are dropped.
func (c *Core) Due(now time.Time) []event.Entry {
	var entries []event.Entry
	for m := range c.v.all() {
		switch shut := m.shut || c.at.Before(m.Closes) && now.Sub(m.Closes) > 2*Kept; {
		case !m.over(now):
		case shut && !m.decided(): // the club was closed at its end: the period is extended
			rosters := [2][]table.Player{m.Sides[0].Roster, m.Sides[1].Roster}
			entries = append(entries, event.New(kindOpen, opened{of{m.No}, rosters, m.longer(now)}))
			continue
		default:
			winner, walkover := m.decide()
			entries = append(entries, event.New(kindClose, closed{of{m.No}, winner, walkover}))
			continue
		}
		for i := range m.Sides {
			if m.lapsed(i, now) {
				entries = append(entries, event.New(kindOffer, offered{of: of{m.No}, Side: i}))
			}
		}
	}
	if len(entries) == 0 && c.v.allDone() {
		f := c.format.Final(c.shown(nil))
		f.Name, f.Held = c.v.Config.Name, true
		return []event.Entry{event.New(event.KindOver, f)}
	}
	return entries
}

// Ask implements [event.Asker]: it asks who is in the teams when the event or a match's period begins, who is
// in the club to play, and who has come to the table.
func (c *Core) Ask(ctx context.Context, now time.Time, f event.Facts) ([]event.Entry, error) {
	if !c.v.Begun {
		if now.Before(c.v.Begins) {
			return nil, nil
		}
		return c.askTeams(ctx, f)
	}
	var entries []event.Entry
	var opening []*Match
	for m := range c.v.all() {
		switch at := m.tableAt(); {
		case m.Done:
		case !m.Open:
			if !now.Before(m.Opens) {
				opening = append(opening, m)
			}
		case m.Pairing != 0 && !now.Before(m.Until):
			if !f.Returning() {
				entries = append(entries, m.askWhoCame(now, f)...)
			}
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
	return openings(ctx, now, f, opening)
}

// askTeams begins the event with the teams that still exist.
func (c *Core) askTeams(ctx context.Context, f event.Facts) ([]event.Entry, error) {
	rosters, err := rostersOf(ctx, f, c.v.Teams)
	if err != nil {
		return nil, err
	}
	var teams []Team
	for _, t := range c.v.Teams {
		if r, ok := rosters[t.ID]; ok && len(r.Members) >= lineUp {
			teams = append(teams, Team{ID: t.ID, Tag: r.Tag, Name: r.Name, Rating: r.Rating})
		}
	}
	if len(teams) < c.v.Least {
		return []event.Entry{event.New(event.KindOver, Final{Name: c.v.Config.Name})}, nil
	}
	c.format.Seed(teams)
	for i := range teams {
		teams[i].Seed = i + 1
	}
	return []event.Entry{event.New(kindBegin, begun{teams})}, nil
}

func openings(ctx context.Context, now time.Time, f event.Facts, matches []*Match) (entries []event.Entry, err error) {
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
		if !now.Before(m.Closes) {
			o.Until = m.longer(now)
		}
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

// askWhoCame returns the entry for a table whose seats are no longer kept: a repeated call returns none if
// the game had begun. If the club was closed for long in the meantime, or at the game's time, nobody counts
// as having come, so that a side that happens to be there wins nothing.
func (m *Match) askWhoCame(now time.Time, f event.Facts) []event.Entry {
	begun, here := f.Came(m.Pairing)
	switch {
	case begun && m.Begun:
		return nil
	case begun:
		return []event.Entry{event.New(kindBegun, tabled{of: of{m.No}, Pairing: m.Pairing})}
	}
	a := absent{of: of{m.No}, Pairing: m.Pairing}
	closed := m.late || now.Sub(m.Until) > 2*Kept // one Kept is for reconnecting after the start
	for i := range m.Sides {
		played := m.Sides[i].Played
		a.Here[i] = !closed && len(played) == lineUp && slices.Contains(here, played[0]) && slices.Contains(here, played[1])
	}
	return []event.Entry{event.New(kindAbsent, a)}
}
