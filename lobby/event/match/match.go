// Package match knows what leagues and cups have in common: teams sign up, and two of them at a time play a
// match, which is the best of three games of two members against two, at a time that their captains have
// agreed on. It is pure: the state follows from the event's journal, and it must not know a clock, a table or
// a screen.
package match

import (
	"errors"
	"fmt"
	"slices"
	"time"

	"boneyard/lobby/event"
	"boneyard/lobby/text"
	"boneyard/rules"
	"boneyard/table"
)

// Limits for the period of a match.
const (
	Shortest = 20 * time.Minute
	Week     = 7 * 24 * time.Hour
	Longest  = 5 * Week
)

const (
	// Kept is how long the seats of a match are kept for its players.
	Kept = event.Kept
	// Pause is the time between two games of a match.
	Pause = time.Minute
	// wins is the number of games that wins a match.
	wins = 2
	// lineUp is the number of members of a team who play.
	lineUp = 2
	// A proposal holds without an answer if it was made longNotice before its time, or a noticeShare-th of
	// the match's period, whichever is less.
	longNotice  = 24 * time.Hour
	noticeShare = 7
)

// Config is the configuration of a league or a cup.
type Config struct {
	Name  string     `json:"name"`
	Rules string     `json:"rules"` // a rule string
	Pace  table.Pace `json:"pace"`
	By    string     `json:"by"` // its creator
}

// Common returns what leagues and cups have in common.
func (c *Config) Common() *Config { return c }

// ErrConfig is wrapped by the errors of Validate, which are sentences for the creator.
var ErrConfig = errors.New("it cannot be created")

// Validate reports what is wrong with a configuration.
func (c *Config) Validate() error {
	r, err := event.ParseRules(c.Rules, c.Pace)
	switch {
	case err != nil:
		return fmt.Errorf("%w: %w", ErrConfig, err)
	case !r.Teams:
		return fmt.Errorf("%w: teams need a game with partners, such as block or teams=on", ErrConfig)
	case r.Rounds > 0:
		return fmt.Errorf("%w: its games must be played to a target, since one side has to win", ErrConfig)
	}
	return r.CheckSeats(4)
}

// Refusals of requests.
const (
	ErrNone       text.Refusal = "There is no such league or cup; league and cup list them."
	ErrBegun      text.Refusal = "It has begun, so no team can join or leave any more."
	ErrCalledIn   text.Refusal = "It has begun, so it can't be called off any more."
	ErrOver       text.Refusal = "That event is over."
	ErrNotIn      text.Refusal = "Your team isn't signed up."
	ErrFull       text.Refusal = "There is no room for another team."
	ErrFew        text.Refusal = "A team needs at least two members to take part."
	ErrNoMatch    text.Refusal = "Your team has no match to play at the moment."
	ErrPlaying    text.Refusal = "Your match is being played."
	ErrTime       text.Refusal = "A match must begin in the future, and before its last day is over."
	ErrNoOffer    text.Refusal = "Your opponents haven't proposed a time, or it has passed."
	ErrOtherOffer text.Refusal = "Your opponents have just proposed another time: look again."
	ErrLineUp     text.Refusal = "A line-up is two members who were in the team when the period for this match began."
)

// Team is a team that takes part.
type Team struct {
	ID     table.TeamID `json:"id"`
	Tag    string       `json:"tag"`
	Name   string       `json:"name"`
	Rating int          `json:"rating,omitempty"` // at the beginning of the event
	Seed   int          `json:"seed,omitempty"`   // from 1, once the event has begun
}

// Game is a game of a match.
type Game struct {
	ID     table.GameID // 0: not played, because one side did not come
	No     int64        // of its pairing
	First  int          // the side that had seats 1 and 3: 0 or 1
	Winner int          // 1 or 2; 0 if the highest score was shared
	Points [2]int
}

// Side is a team in a match.
type Side struct {
	Team
	Roster   []table.Player   // at the beginning of the match's period
	LineUp   []table.PlayerID // chosen by the captain; empty for members in the club
	Played   []table.PlayerID // the players at the last table
	Offer    time.Time        // proposed time; zero for none
	Declined time.Time        // the last proposed time, if the other side declined it; zero for none
	Wins     int
	Points   int
	Came     bool // the side came and the other did not

	offered  time.Time // when Offer was made
	answered bool      // the other side has answered Offer with a proposal of its own
}

// Match is a match of two teams.
type Match struct {
	No       int // from 1
	Division int // of a league
	Round    int // from 1
	Sides    [2]Side
	Opens    time.Time
	Closes   time.Time
	Open     bool
	At       time.Time // agreed time; zero for none
	Pairing  int64     // the game that has or gets a table; 0 for none
	Until    time.Time // until when the seats of that table are kept
	Begun    bool      // the game is known to have begun
	Games    []Game
	Done     bool
	Winner   int  // 1 or 2; 0 for nobody
	Walkover bool // won without a decisive game
	Decided  time.Time

	first int       // the side with seats 1 and 3
	again time.Time // when the next game's table is made
	late  bool      // the table was made long after its time, because the club was closed
	shut  bool      // as late, and nobody came before the period ended
}

// Row is a team's row in the table of a league's division.
type Row struct {
	Division int // from 1
	Place    int // from 1
	Team     Team
	Played   int
	Won      int
	Lost     int
	Score    int
	Games    int // games played, without those won or lost by absence
	GamesFor int
	GamesTo  int // games won by opponents
	For      int // points
	Against  int
	Up       bool // will be promoted, as things are
	Down     bool
}

// Tie is a place in the bracket of a cup where two teams meet.
type Tie struct {
	Round  int     // from 1
	Place  int     // in the round, from the top, from 1
	Teams  [2]Team // zero for nobody, or not known yet
	Match  int     // its number, 0 for none
	Winner int     // the side that goes on: 1 or 2, or 0 if not known
	Bye    bool    // one side is empty
}

// Of returns a team's side in the match, 0 or 1, or -1.
func (m *Match) Of(team table.TeamID) int {
	return slices.IndexFunc(m.Sides[:], func(s Side) bool { return s.ID == team })
}

// sideOf returns a player's side, or -1: in an open match that of its roster, even if the player has left the
// team since, and otherwise the team's.
func (m *Match) sideOf(p table.Player) int {
	for i := range m.Sides {
		if event.Has(m.Sides[i].Roster, p.ID) {
			return i
		}
	}
	if p.Team == 0 {
		return -1
	}
	return m.Of(p.Team)
}

// Played returns the number of games that were played.
func (m *Match) Played() (n int) {
	for _, g := range m.Games {
		if g.ID != 0 {
			n++
		}
	}
	return n
}

// short reports whether a side has too few members to play.
func (s *Side) short() bool { return len(s.Roster) < lineUp }

// notice returns how long before its time a proposal must be made to hold without an answer.
func (m *Match) notice() time.Duration { return min(longNotice, m.Closes.Sub(m.Opens)/noticeShare) }

// Binds reports whether a side's proposal holds without an answer: it was made early enough, the other side
// has proposed nothing since, and no time is agreed on.
func (m *Match) Binds(side int) bool {
	s := &m.Sides[side]
	return m.At.IsZero() && !s.Offer.IsZero() && !s.answered && !s.offered.Add(m.notice()).After(s.Offer)
}

// lapsed reports whether the time that a side proposed has passed without a match.
func (m *Match) lapsed(side int, now time.Time) bool {
	o := m.Sides[side].Offer
	return m.Open && !m.Done && m.Pairing == 0 && !o.IsZero() && o.Before(now) && !m.Binds(side)
}

// Playing reports whether a game of the match has a table or will get one without another agreement.
func (m *Match) Playing() bool { return m.Pairing != 0 || !m.again.IsZero() }

// tableAt returns when the next game's table is to be made, or zero if that is not known.
func (m *Match) tableAt() time.Time {
	switch {
	case !m.Open || m.Done || m.Pairing != 0:
		return time.Time{}
	case !m.again.IsZero():
		return m.again
	case !m.At.IsZero():
		return m.At
	}
	var at time.Time
	for i := range m.Sides {
		if o := m.Sides[i].Offer; m.Binds(i) && (at.IsZero() || o.Before(at)) {
			at = o
		}
	}
	return at
}

// decide returns the winner, and whether they won without a decisive game.
func (m *Match) decide() (winner int, walkover bool) {
	a, b := &m.Sides[0], &m.Sides[1]
	either := func(first bool) int {
		if first {
			return 1
		}
		return 2
	}
	switch {
	case a.Wins != b.Wins:
		return either(a.Wins > b.Wins), false
	case a.short() != b.short():
		return either(b.short()), true
	case a.Came != b.Came && len(m.Games) == 0:
		return either(a.Came), true
	}
	return 0, false
}

// decided reports whether further games would not change the winner.
func (m *Match) decided() bool {
	return m.Sides[0].Wins == wins || m.Sides[1].Wins == wins || m.Sides[0].short() || m.Sides[1].short()
}

// longer returns the new end of a match whose period ended while the club was closed.
func (m *Match) longer(now time.Time) time.Time { return now.Add(max(m.notice(), m.takes())) }

// over reports whether the match is decided, or its period is over. A game in progress is played to its end,
// as is one whose time has come.
func (m *Match) over(now time.Time) bool {
	switch {
	case !m.Open || m.Done:
		return false
	case m.decided():
		return true
	case m.Pairing != 0 || now.Before(m.Closes):
		return false
	}
	at := m.tableAt()
	return at.IsZero() || at.After(now)
}

// next returns when something next happens by itself, or zero for never.
func (m *Match) next() time.Time {
	switch {
	case m.Done:
		return time.Time{}
	case !m.Open:
		return m.Opens
	case m.Pairing != 0 && m.Begun:
		return time.Time{}
	case m.Pairing != 0:
		return m.Until
	}
	if at := m.tableAt(); !at.IsZero() && at.Before(m.Closes) {
		return at
	}
	return m.Closes
}

// players returns a side's line-up: the captain's choice, or else members in the club first, those who played
// last before others, and then in roster order.
func (s *Side) players(here func(table.PlayerID) bool) []table.PlayerID {
	if len(s.LineUp) == lineUp {
		return s.LineUp
	}
	class := func(id table.PlayerID) int {
		n := 0
		if !here(id) {
			n += 2
		}
		if !slices.Contains(s.Played, id) {
			n++
		}
		return n
	}
	all := text.Each(s.Roster, func(p table.Player) table.PlayerID { return p.ID })
	slices.SortStableFunc(all, func(x, y table.PlayerID) int { return class(x) - class(y) })
	return all[:min(lineUp, len(all))]
}

// pairing returns the next game of the match.
func (m *Match) pairing(c *Config) event.Pairing {
	cfg := table.DefaultConfig()
	cfg.RuleText = c.Rules
	cfg.Rules, _ = rules.Parse(c.Rules) // Validate has parsed it
	cfg.Name = m.Sides[0].Tag + " against " + m.Sides[1].Tag
	cfg.Seats, cfg.Pace, cfg.Access = 4, c.Pace, table.AccessTeams
	cfg.Fill, cfg.Absence = table.FillNever, table.AbsenceForfeit
	a, b := &m.Sides[m.first], &m.Sides[1-m.first]
	cfg.Event = table.Event{Wait: true, Match: table.Match{
		Wins: wins, Tags: [2]string{a.Tag, b.Tag}, Won: [2]int{a.Wins, b.Wins}, Kept: m.Until, Ends: m.Closes,
	}}
	seats := make([]table.Player, cfg.Seats)
	for k, side := range [2]int{m.first, 1 - m.first} {
		s := &m.Sides[side]
		cfg.Teams[k] = s.ID
		for i, id := range s.Played {
			if at := slices.IndexFunc(s.Roster, func(p table.Player) bool { return p.ID == id }); at >= 0 {
				seats[k+2*i] = s.Roster[at]
			}
		}
	}
	return event.Pairing{No: m.Pairing, Config: cfg, Occasion: table.Occasion{Seats: seats}}
}

// judge returns the result of a game; ok is false if it has none.
func judge(first int, p *event.Played) (g Game, ok bool) {
	r := &p.Result
	g = Game{ID: p.Game, No: p.Start.Event.Pairing, First: first}
	if len(r.Scores) == 2 {
		g.Points[first], g.Points[1-first] = r.Scores[0], r.Scores[1]
	}
	switch {
	case r.Winner == 1:
		g.Winner = first + 1
	case r.Winner == 2:
		g.Winner = 2 - first
	}
	return g, g.Winner != 0 || r.Shared()
}
