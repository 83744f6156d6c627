package match

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"boneyard/lobby/event"
	"boneyard/table"
)

// The kinds of entries, and their data.
const (
	kindSignUp  = "sign-up"
	kindSignOff = "sign-off"
	kindBegin   = "begin"
	kindOpen    = "open" // the period of a match has begun
	kindOffer   = "offer"
	kindAgree   = "agree"
	kindDecline = "decline"
	kindLineUp  = "line-up"
	kindTable   = "table"
	kindBegun   = "begun"
	kindAbsent  = "absent"
	kindTook    = "took"
	kindClose   = "close"
)

type begun struct {
	Teams []Team `json:"teams"` // by seed
}

type opened struct {
	of
	Rosters [2][]table.Player `json:"rosters"`

	Until time.Time `json:"until,omitzero"` // the period's new end, if the club was closed at the planned one
}

type offered struct {
	of
	Side int       `json:"side"`
	At   time.Time `json:"at,omitzero"` // zero withdraws it

	Answer bool `json:"answer,omitempty"` // the other side's proposal no longer holds by itself
}

type linedUp struct {
	of
	Side    int              `json:"side"`
	Players []table.PlayerID `json:"players"`
	Anew    bool             `json:"anew,omitempty"` // the table is made again with the new players
}

type tabled struct {
	of
	Pairing int64               `json:"pairing"`
	First   int                 `json:"first"`
	Players [2][]table.PlayerID `json:"players"`
}

type absent struct {
	of
	Pairing int64   `json:"pairing"`
	Here    [2]bool `json:"here"`
}

type taken struct {
	No      int          `json:"no,omitempty"` // 0 for a game of no match
	Game    table.GameID `json:"game"`
	Pairing int64        `json:"pairing"`
	Winner  int          `json:"winner"`
	Points  [2]int       `json:"points"`
	Void    bool         `json:"void,omitempty"` // without a result
	Open    time.Time    `json:"open,omitzero"`  // of a result that is taken late: when the club is last known to have been open
}

type closed struct {
	of
	Winner   int  `json:"winner"`
	Walkover bool `json:"walkover,omitempty"`
}

// Trophy is a title that a team has won.
type Trophy struct {
	Team  table.TeamID `json:"team"`
	Title string       `json:"title"`
}

// WinnerOf is the beginning of a winner's title.
const WinnerOf = "Winner of "

// Final is the outcome of a league or a cup, and the data of its last entry.
type Final struct {
	Name     string         `json:"name"`
	Held     bool           `json:"held,omitempty"`     // it took place; missing in old entries, which have trophies
	Trophies []Trophy       `json:"trophies,omitempty"` // for teams that have played a game
	Order    []table.TeamID `json:"order,omitempty"`    // for the next season
}

// Winner returns the one of some teams that has won the event or a division of it, or 0.
func (f *Final) Winner(teams ...Team) table.TeamID {
	for _, t := range f.Trophies {
		if strings.HasPrefix(t.Title, WinnerOf) && slices.ContainsFunc(teams, func(o Team) bool { return o.ID == t.Team }) {
			return t.Team
		}
	}
	return 0
}

// SignUp returns the entries that sign a team up.
func (c *Core) SignUp(t Team, members int) ([]event.Entry, error) {
	_, most := c.format.Limits()
	switch {
	case c.v.Begun:
		return nil, ErrBegun
	case c.v.Has(t.ID):
		return nil, nil
	case most > 0 && len(c.v.Teams) >= most:
		return nil, ErrFull
	case members < lineUp:
		return nil, ErrFew
	}
	return []event.Entry{event.New(kindSignUp, t)}, nil
}

// SignOff returns the entries that take a team out before the event begins.
func (c *Core) SignOff(team table.TeamID) ([]event.Entry, error) {
	switch {
	case !c.v.Has(team):
		return nil, ErrNotIn
	case c.v.Begun:
		return nil, ErrBegun
	}
	return []event.Entry{event.New(kindSignOff, Team{ID: team})}, nil
}

func (c *Core) CallOff() ([]event.Entry, error) {
	if c.v.Begun {
		return nil, ErrCalledIn
	}
	return []event.Entry{event.New(event.KindOver, Final{Name: c.v.Config.Name})}, nil
}

// mine returns the match for which a team's captain may make arrangements, and the team's side.
func (c *Core) mine(team table.TeamID) (*Match, int, error) {
	switch m := c.Current(team); {
	case !c.v.Has(team):
		return nil, -1, ErrNotIn
	case m == nil:
		return nil, -1, ErrNoMatch
	default:
		return m, m.Of(team), nil
	}
}

// unplayed is mine with ErrPlaying once a game has a table: then there is no time to agree on.
func (c *Core) unplayed(team table.TeamID) (*Match, int, error) {
	m, side, err := c.mine(team)
	if err == nil && m.Playing() {
		return nil, -1, ErrPlaying
	}
	return m, side, err
}

// Propose returns the entries by which a team proposes a time for its match, or withdraws its proposal with a
// zero time. Proposing the other side's time agrees to it.
func (c *Core) Propose(team table.TeamID, at, now time.Time) ([]event.Entry, error) {
	m, side, err := c.unplayed(team)
	if err == nil && at.Equal(m.At) { // which is agreed on
		at = time.Time{}
	}
	switch {
	case err != nil:
		return nil, err
	case !at.IsZero() && (at.Before(now) || !at.Before(m.Closes)):
		return nil, ErrTime
	case at.Equal(m.Sides[side].Offer) && (at.IsZero() || !m.Sides[side].answered):
		return nil, nil
	case !at.IsZero() && m.Sides[1-side].Offer.Equal(at):
		return []event.Entry{event.New(kindAgree, offered{of: of{m.No}, Side: side, At: at})}, nil
	}
	answer := !at.IsZero() && !m.Sides[1-side].Offer.IsZero()
	return []event.Entry{event.New(kindOffer, offered{of{m.No}, side, at, answer})}, nil
}

// Decline returns the entries by which a team declines its opponents' proposal.
func (c *Core) Decline(team table.TeamID) ([]event.Entry, error) {
	m, side, err := c.unplayed(team)
	switch {
	case err != nil:
		return nil, err
	case m.Sides[1-side].Offer.IsZero():
		return nil, ErrNoOffer
	}
	return []event.Entry{event.New(kindDecline, offered{of: of{m.No}, Side: side})}, nil
}

// Accept returns the entries by which a team agrees to its opponents' proposal.
func (c *Core) Accept(team table.TeamID, now time.Time) ([]event.Entry, error) {
	m, side, err := c.unplayed(team)
	switch {
	case err != nil:
		return nil, err
	case m.Sides[1-side].Offer.IsZero() || m.Sides[1-side].Offer.Before(now):
		return nil, ErrNoOffer
	}
	return []event.Entry{event.New(kindAgree, offered{of: of{m.No}, Side: side, At: m.Sides[1-side].Offer})}, nil
}

// SetLineUp returns the entries that choose a team's two players from now on; without players, members in the
// club play. playing reports whether the game at the open table has begun: if not, the table is made again.
func (c *Core) SetLineUp(team table.TeamID, players []table.PlayerID, playing bool) ([]event.Entry, error) {
	m, side, err := c.mine(team)
	if err != nil {
		return nil, err
	}
	s := &m.Sides[side]
	on := func(id table.PlayerID) bool { return event.Has(s.Roster, id) }
	switch {
	case len(players) == 0:
	case len(players) != lineUp, players[0] == players[1], !on(players[0]), !on(players[1]):
		return nil, ErrLineUp
	}
	if slices.Equal(players, s.LineUp) {
		return nil, nil
	}
	anew := m.Pairing != 0 && !m.Begun && !playing && len(players) > 0 && !slices.Equal(players, s.Played)
	return []event.Entry{event.New(kindLineUp, linedUp{of{m.No}, side, players, anew})}, nil
}

func (c *Core) Ended(now time.Time, p event.Played) []event.Entry {
	t := taken{Game: p.Game, Pairing: p.Start.Event.Pairing, Void: true}
	if now.Sub(p.Ended) > Kept { // the club was closed in between
		t.Open = slices.MaxFunc([]time.Time{c.at, p.Ended}, time.Time.Compare)
	}
	for m := range c.v.all() {
		if m.Pairing == t.Pairing && t.Pairing != 0 {
			g, ok := judge(m.first, &p)
			t.No, t.Winner, t.Points, t.Void = m.No, g.Winner, g.Points, !ok
		}
	}
	return []event.Entry{event.New(kindTook, t)}
}

func (c *Core) Apply(e event.Entry) error {
	c.v.Changes++
	c.at = e.At
	before := c.v.allDone()
	if err := entries.Apply(c, e); err != nil || before || !c.v.allDone() {
		return err
	}
	for _, m := range c.format.Draw(&c.v, e.At) {
		m.No = len(c.v.Matches) + 1
		c.v.Matches = append(c.v.Matches, m)
	}
	return nil
}

// entries are the entries of leagues and of cups.
var entries = event.Entries[*Core]{
	kindSignUp:     event.On(func(c *Core, _ time.Time, t Team) error { return c.sign(t, t) }),
	kindSignOff:    event.On(func(c *Core, _ time.Time, t Team) error { return c.sign(t) }),
	kindBegin:      event.On((*Core).begin),
	kindTook:       event.On((*Core).take),
	event.KindOver: event.Does(func(c *Core, at time.Time, f Final) { c.v.Over, c.v.ended, c.v.Final = true, at, f }),

	kindOpen: in(func(_ *Core, m *Match, _ time.Time, o opened) {
		m.Open, m.shut = true, false
		if !o.Until.IsZero() {
			m.Closes = o.Until
		}
		for i := range m.Sides {
			m.Sides[i].Roster = o.Rosters[i]
		}
	}),
	kindOffer: in(func(_ *Core, m *Match, at time.Time, o offered) {
		s := &m.Sides[o.Side]
		s.Offer, s.offered, s.answered, s.Declined = o.At, at, false, time.Time{}
		if o.Answer {
			m.Sides[1-o.Side].answered = true
		}
	}),
	kindDecline: in(func(_ *Core, m *Match, _ time.Time, o offered) {
		other := &m.Sides[1-o.Side]
		other.Offer, other.Declined = time.Time{}, other.Offer
	}),
	kindAgree: in(func(_ *Core, m *Match, _ time.Time, o offered) {
		m.At = o.At
		m.settled()
	}),
	kindLineUp: in(func(_ *Core, m *Match, at time.Time, l linedUp) {
		m.Sides[l.Side].LineUp = l.Players
		if l.Anew {
			m.Pairing, m.again = 0, at
		}
	}),
	kindTable:  in((*Core).table),
	kindBegun:  in(func(_ *Core, m *Match, _ time.Time, t tabled) { m.Begun = m.Pairing == t.Pairing }),
	kindAbsent: in((*Core).absent),
	kindClose: in(func(_ *Core, m *Match, at time.Time, x closed) {
		m.Decided = at
		m.Done, m.Winner, m.Walkover, m.At, m.again = true, x.Winner, x.Walkover, time.Time{}, time.Time{}
		m.settled()
	}),
}

// in returns the effect of an entry on the match whose number it has.
func in[T interface {
	number() int
	fits() bool
}](f func(c *Core, m *Match, at time.Time, x T)) event.Effect[*Core] {
	return event.On(func(c *Core, at time.Time, x T) error {
		n := x.number()
		if n < 1 || n > len(c.v.Matches) || !x.fits() {
			return errMatch
		}
		f(c, &c.v.Matches[n-1], at, x)
		return nil
	})
}

// of is the number of an entry's match.
type of struct {
	No int `json:"no"`
}

func (o of) number() int { return o.No }

// fits reports whether an entry's sides and players are possible.
func (of) fits() bool        { return true }
func (o offered) fits() bool { return isSide(o.Side) }
func (l linedUp) fits() bool { return isSide(l.Side) }
func (c closed) fits() bool  { return c.Winner == 0 || isSide(c.Winner-1) }
func (t tabled) fits() bool {
	return isSide(t.First) && len(t.Players[0]) <= lineUp && len(t.Players[1]) <= lineUp
}

func isSide(i int) bool { return i == 0 || i == 1 }

var (
	errMatch = errors.New("it names a match that is not there, or what no match has")
	errTwice = errors.New("it takes a game twice")
	errTeams = errors.New("the teams are not to change once it has begun, or they cannot be")
)

// sign signs a team up with its current data, or off.
func (c *Core) sign(t Team, now ...Team) error {
	if c.v.Begun {
		return errTeams
	}
	c.v.Teams = append(slices.DeleteFunc(slices.Clone(c.v.Teams), func(o Team) bool { return o.ID == t.ID }), now...)
	return nil
}

// begin begins the event with the teams that take part.
func (c *Core) begin(_ time.Time, b begun) error {
	ids := map[table.TeamID]bool{0: true}
	for _, t := range b.Teams {
		ids[t.ID] = true
	}
	if c.v.Begun || len(b.Teams) < 2 || len(ids) <= len(b.Teams) {
		return errTeams
	}
	c.v.Begun, c.v.Teams = true, b.Teams
	return nil
}

// table records a table for a game of a match, and drops times that have passed.
func (c *Core) table(m *Match, at time.Time, t tabled) {
	c.last = t.Pairing
	if m.Until.IsZero() { // a table that is made again is kept no longer than the first
		m.Until, m.late = at.Add(Kept), at.Sub(m.tableAt()) > Kept
	}
	m.Pairing, m.first, m.Begun, m.again = t.Pairing, t.First, false, time.Time{}
	if !m.At.After(at) {
		m.At = time.Time{}
	}
	for i := range m.Sides {
		s := &m.Sides[i]
		s.Played = t.Players[i]
		if !s.Offer.After(at) {
			s.Offer = time.Time{}
		}
	}
}

// settled drops all proposals.
func (m *Match) settled() {
	for i := range m.Sides {
		m.Sides[i].Offer, m.Sides[i].Declined = time.Time{}, time.Time{}
	}
}

// leave records that a match no longer has a table.
func (m *Match) leave() { m.Pairing, m.Until, m.Begun, m.again = 0, time.Time{}, false, time.Time{} }

// absent records which side did not come. The first game may still be played later; another one is lost.
func (c *Core) absent(m *Match, at time.Time, a absent) {
	m.shut = m.late && !at.Before(m.Closes)
	m.leave()
	if a.Here[0] == a.Here[1] {
		return
	}
	side := 0
	if a.Here[1] {
		side = 1
	}
	if len(m.Games) == 0 {
		m.Sides[side].Came = true
		return
	}
	m.take(Game{No: a.Pairing, First: m.first, Winner: side + 1}, at)
}

func (m *Match) take(g Game, at time.Time) {
	m.leave()
	m.Games = append(m.Games, g)
	m.count(g)
	if m.Sides[0].Wins < wins && m.Sides[1].Wins < wins {
		m.again = at.Add(Pause)
	}
}

// count adds a game to the sides' wins and points.
func (m *Match) count(g Game) {
	for i := range m.Sides {
		m.Sides[i].Points += g.Points[i]
	}
	if g.Winner != 0 {
		m.Sides[g.Winner-1].Wins++
	}
}

func (c *Core) take(at time.Time, t taken) error {
	if c.took[t.Game] {
		return errTwice
	}
	c.took[t.Game] = true
	if !t.Open.IsZero() {
		c.at = t.Open
	}
	if t.No == 0 {
		return nil
	}
	if t.No < 0 || t.No > len(c.v.Matches) || c.v.Matches[t.No-1].Pairing != t.Pairing || t.Winner != 0 && !isSide(t.Winner-1) {
		return errMatch
	}
	m := &c.v.Matches[t.No-1]
	if t.Void { // the captains may agree on another time
		m.leave()
		return nil
	}
	m.take(Game{t.Game, t.Pairing, m.first, t.Winner, t.Points}, at)
	return nil
}

// Check implements [event.Checker]: it compares matches with their games, and tables with the games' totals.
func (c *Core) Check(games []event.Played) (faults []string) {
	ended, shown := event.ByGame(games), c.shown(nil)
	recounted := new(*shown)
	recounted.Matches = nil
	for i := range games {
		if c.v.Over && !c.took[games[i].Game] {
			faults = append(faults, fmt.Sprintf("game %d has ended, and nobody has taken its result", games[i].Game))
		}
	}
	for m := range c.v.all() {
		r := *m
		r.Games = nil
		for i := range r.Sides {
			r.Sides[i].Wins, r.Sides[i].Points = 0, 0
		}
		for _, g := range m.Games {
			if p := ended[g.ID]; g.ID != 0 && p == nil {
				faults = append(faults, fmt.Sprintf("match %d has game %d, which is not among the games", m.No, g.ID))
				continue
			} else if g.ID != 0 {
				real, _ := judge(g.First, p)
				if real != g {
					faults = append(faults, fmt.Sprintf("match %d: game %d ended %v, and has been taken as %d to %d",
						m.No, g.ID, p.Result.Scores, g.Points[0], g.Points[1]))
				}
				g = real
			}
			r.Games = append(r.Games, g)
			r.count(g)
		}
		if m.Done {
			r.Winner, r.Walkover = r.decide()
			if r.Winner != m.Winner || r.Walkover != m.Walkover {
				faults = append(faults, fmt.Sprintf("match %d was won by side %d, and by its games by side %d", m.No, m.Winner, r.Winner))
			}
		}
		recounted.Matches = append(recounted.Matches, r)
	}
	if shown.Divisions != nil {
		c.format.Show(recounted)
	}
	for d, rows := range shown.Divisions {
		for i, r := range rows {
			if o := recounted.Divisions[d][i]; o != r {
				faults = append(faults, fmt.Sprintf("division %d: place %d has %s with %d points, and by the games %s with %d",
					d+1, i+1, r.Team.Tag, r.Score, o.Team.Tag, o.Score))
			}
		}
	}
	return faults
}
