package plain

import (
	"slices"
	"strconv"
	"strings"
	"time"

	"boneyard/lobby"
	"boneyard/lobby/event"
	"boneyard/lobby/event/cup"
	"boneyard/lobby/event/league"
	"boneyard/lobby/event/match"
	"boneyard/lobby/text"
)

// Contest is a league or a cup as a row.
type Contest struct {
	Contest int64     `json:"contest"`
	Kind    string    `json:"kind"` // league or cup
	Name    string    `json:"name"`
	State   string    `json:"state"` // planned, running, over, or called off
	Begins  time.Time `json:"begins"`
	Rules   string    `json:"rules"`
	Pace    string    `json:"pace"`
	Hours   int       `json:"hours"`   // time allowed for a match, in whole hours
	Minutes int       `json:"minutes"` // the same in minutes
	Teams   int       `json:"teams"`   // that take part
	Played  int       `json:"played"`  // finished matches
	Winner  string    `json:"winner"`  // what was won and by whom, once it is over
}

// LeaguePlace is a row of a division's table.
type LeaguePlace struct {
	Type     string `json:"type"` // "place"
	Division int    `json:"division"`
	Rank     int    `json:"rank"`
	Tag      string `json:"tag"`
	Name     string `json:"name"`
	Matches  int    `json:"matches"`
	Won      int    `json:"won"`
	Lost     int    `json:"lost"`
	Score    int    `json:"score"` // three per match won
	Games    [2]int `json:"games"` // won and lost
	Points   [2]int `json:"points"`
	Moves    string `json:"moves"` // up or down as things stand; otherwise empty
}

// Fixture is a match of a league or a cup.
type Fixture struct {
	Type     string       `json:"type"` // "match"
	Match    int          `json:"match"`
	Division int          `json:"division"` // in a league
	Round    int          `json:"round"`
	Tags     [2]string    `json:"tags"`
	State    string       `json:"state"` // planned, open, proposed, agreed, playing or over
	Opens    time.Time    `json:"opens"`
	Closes   time.Time    `json:"closes"`
	At       time.Time    `json:"at"`       // agreed or proposed; zero if unknown
	Proposed [2]time.Time `json:"proposed"` // by each team; zero for nothing
	Games    [2]int       `json:"games"`
	Points   [2]int       `json:"points"`
	Winner   string       `json:"winner"`   // the winner's tag; empty for nobody, or nobody yet
	Walkover bool         `json:"walkover"` // won without a deciding game
	Table    int64        `json:"table"`    // where it is being played, 0 if it is not
}

// CupPlace is a place in the bracket of a cup.
type CupPlace struct {
	Type   string    `json:"type"` // "bracket"
	Round  int       `json:"round"`
	Place  int       `json:"place"` // from the top
	Tags   [2]string `json:"tags"`  // empty: unknown yet, or nobody
	Seeds  [2]int    `json:"seeds"`
	Match  int       `json:"match"`  // its number, 0 for none
	Winner string    `json:"winner"` // who advances; empty if unknown
}

// ContestState says how far along a league or a cup is.
func ContestState(v *match.View) string { return EventState(v.Begun, v.Over, "planned", "running") }

// EventState says how far along an event is: what it is before and what during, and afterwards whether it has been played at all.
func EventState(begun, over bool, before, during string) string {
	switch {
	case over && !begun:
		return "called off"
	case over:
		return "over"
	case begun:
		return during
	}
	return before
}

// contestRow returns a league or a cup as a row.
func contestRow(c *lobby.Contest) Contest {
	v := c.View()
	row := Contest{
		Contest: int64(c.ID), Kind: string(c.Kind), Name: text.Printable(v.Config.Name), State: ContestState(v), Begins: Moment(v.Begins), Rules: v.Config.Rules,
		Pace: string(v.Config.Pace), Teams: len(v.Teams),
	}
	var allowed time.Duration
	if c.League != nil {
		allowed = c.League.Config.Window
	} else {
		allowed = c.Cup.Config.Round
	}
	row.Hours, row.Minutes = int(allowed.Hours()), int(allowed.Minutes())
	for i := range v.Matches {
		if v.Matches[i].Done {
			row.Played++
		}
	}
	if v.Over && v.Begun {
		row.Winner = winner(c)
	}
	return row
}

// winner returns the tag of the team that won a league, in its first division, or a cup; empty if none has.
func winner(c *lobby.Contest) string {
	v := c.View()
	among := v.Teams
	if c.League != nil && len(c.League.Divisions) > 0 {
		among = []match.Team{c.League.Divisions[0][0].Team}
	}
	won := v.Final.Winner(among...)
	if i := slices.IndexFunc(among, func(t match.Team) bool { return t.ID == won }); i >= 0 {
		return text.Printable(among[i].Tag)
	}
	return ""
}

// fixtureState says how far along a match is.
func fixtureState(m *match.Match) string {
	switch {
	case m.Done:
		return "over"
	case m.Pairing != 0 || len(m.Games) > 0:
		return "playing"
	case !m.At.IsZero():
		return "agreed"
	case !m.Sides[0].Offer.IsZero() || !m.Sides[1].Offer.IsZero():
		return "proposed"
	case m.Open:
		return "open"
	}
	return "planned"
}

// fixtureAt returns the agreed or proposed time of a match, zero if there is none.
func fixtureAt(m *match.Match) time.Time {
	at := m.At
	for i := range m.Sides {
		if o := m.Sides[i].Offer; m.At.IsZero() && !o.IsZero() && (at.IsZero() || o.Before(at)) {
			at = o
		}
	}
	return at
}

// fixtureRow returns a match as a row.
func fixtureRow(c *lobby.Contest, m *match.Match) Fixture {
	f := Fixture{
		Type: "match", Match: m.No, Division: m.Division, Round: m.Round, State: fixtureState(m), Opens: Moment(m.Opens), Closes: Moment(m.Closes), At: Moment(fixtureAt(m)),
		Walkover: m.Walkover, Table: int64(c.TableOf(m)),
	}
	for i := range m.Sides {
		s := &m.Sides[i]
		f.Tags[i], f.Games[i], f.Points[i] = text.Printable(s.Tag), s.Wins, s.Points
		f.Proposed[i] = Moment(s.Offer)
		if m.Winner == i+1 {
			f.Winner = f.Tags[i]
		}
	}
	return f
}

// leaguePlaces returns the rows of a league's tables.
func leaguePlaces(v *league.View) (rows []LeaguePlace) {
	for d, division := range v.Divisions {
		for _, r := range division {
			p := LeaguePlace{
				Type: "place", Division: d + 1, Rank: r.Place, Tag: text.Printable(r.Team.Tag), Name: text.Printable(r.Team.Name), Matches: r.Played, Won: r.Won, Lost: r.Lost,
				Score: r.Score, Games: [2]int{r.GamesFor, r.GamesTo}, Points: [2]int{r.For, r.Against},
			}
			switch {
			case r.Up:
				p.Moves = "up"
			case r.Down:
				p.Moves = "down"
			}
			rows = append(rows, p)
		}
	}
	return rows
}

// cupPlaces returns the rows of a cup's bracket.
func cupPlaces(v *cup.View) (rows []CupPlace) {
	for r, ties := range v.Rounds {
		for i, t := range ties {
			p := CupPlace{Type: "bracket", Round: r + 1, Place: i + 1, Match: t.Match}
			for k := range t.Teams {
				p.Tags[k], p.Seeds[k] = text.Printable(t.Teams[k].Tag), t.Teams[k].Seed
				if t.Winner == k+1 {
					p.Winner = p.Tags[k]
				}
			}
			rows = append(rows, p)
		}
	}
	return rows
}

// RoundName returns the common name of a round in a cup with that many rounds.
func RoundName(round, rounds int) string {
	switch rounds - round {
	case 0:
		return "Final"
	case 1:
		return "Semifinals"
	case 2:
		return "Quarterfinals"
	}
	return "Round " + strconv.Itoa(round)
}

// FixtureResult returns a match's result, or when or where it is played: "2:1", "Fri 27 Nov 20:00", "table 12".
func FixtureResult(c *lobby.Contest, m *match.Match, now time.Time) string {
	games := strconv.Itoa(m.Sides[0].Wins) + ":" + strconv.Itoa(m.Sides[1].Wins)
	switch at := fixtureAt(m); {
	case m.Done && m.Walkover && m.Winner == 1:
		return "2:0 not played"
	case m.Done && m.Walkover:
		return "0:2 not played"
	case m.Done && len(m.Games) == 0:
		return "0:0 not played"
	case m.Done:
		return games
	case c.TableOf(m) != 0:
		return games + " at table " + number(int64(c.TableOf(m)))
	case m.At.IsZero() && at.After(now):
		say := at.UTC().Format("Mon 2 Jan 15:04") + "?"
		for i := range m.Sides {
			if o := m.Sides[i].Offer; o.After(at) {
				say += " " + o.UTC().Format("Mon 2 Jan 15:04") + "?"
			}
		}
		return say
	case at.After(now):
		return at.UTC().Format("Mon 2 Jan 15:04")
	case len(m.Games) > 0:
		return games + " so far"
	case m.Open:
		return "until " + m.Closes.UTC().Format("Mon 2 Jan 15:04")
	}
	return "from " + m.Opens.UTC().Format("Mon 2 Jan")
}

// Contests formats leagues and cups in columns.
func Contests(kind event.Kind, list []Contest) []string {
	if len(list) == 0 {
		return []string{"No " + string(kind) + " is planned. Operators create one, such as " + newExample(kind)}
	}
	return listed([]Column{
		{Head: "NO", Right: true}, {Head: "KIND"}, {Head: "STATE"}, {Head: "BEGINS"}, {Head: "TIME", Right: true}, {Head: "GAME"}, {Head: "PACE"}, {Head: "TEAMS", Right: true},
		{Head: "PLAYED", Right: true}, {Head: "WINNER"}, {Head: "NAME"},
	}, list, func(c *Contest) []string {
		return []string{number(c.Contest), c.Kind, c.State, c.Begins.Format("2006-01-02T15:04Z"), allowance(c.Minutes), c.Rules, c.Pace, strconv.Itoa(c.Teams), strconv.Itoa(c.Played), c.Winner, c.Name}
	})
}

// allowance formats the time allowed for a match in its largest unit that leaves no rest: "7 d", "36 h", "90 min".
func allowance(minutes int) string {
	switch {
	case minutes%(24*60) == 0:
		return strconv.Itoa(minutes/(24*60)) + " d"
	case minutes%60 == 0:
		return strconv.Itoa(minutes/60) + " h"
	}
	return strconv.Itoa(minutes) + " min"
}

func newExample(kind event.Kind) string {
	if kind == cup.Kind {
		return "cup new at=2026-11-27T20:00 round=7d block name=Winter cup"
	}
	return "league new at=2026-11-27T20:00 window=7d block name=Winter league"
}

// contestLines formats a league or a cup in columns: tables or the bracket, then the matches.
func contestLines(c *lobby.Contest, now time.Time) []string {
	v := c.View()
	lines := Contests(c.Kind, []Contest{contestRow(c)})
	if !v.Begun {
		lines = append(lines, "")
		for _, t := range v.Teams {
			lines = append(lines, text.Printable("["+t.Tag+"] "+t.Name))
		}
		return lines
	}
	if c.League != nil {
		lines = append(lines, leagueTables(c.League)...)
	}
	if c.Cup != nil {
		lines = append(lines, bracketLines(c.Cup)...)
	}
	lines = append(lines, "")
	return append(lines, listed([]Column{
		{Head: "MATCH", Right: true}, {Head: "ROUND", Right: true}, {Head: "TEAM"}, {Head: "TEAM"}, {Head: "STATE"}, {Head: "RESULT"},
	}, v.Matches, func(m *match.Match) []string {
		return []string{strconv.Itoa(m.No), strconv.Itoa(m.Round), text.Printable(m.Sides[0].Tag), text.Printable(m.Sides[1].Tag), fixtureState(m), FixtureResult(c, m, now)}
	})...)
}

func leagueTables(v *league.View) (lines []string) {
	return append([]string{""}, listed([]Column{
		{Head: "DIV", Right: true}, {Head: "RANK", Right: true}, {Head: "TEAM"}, {Head: "MATCHES", Right: true}, {Head: "WON", Right: true}, {Head: "LOST", Right: true},
		{Head: "SCORE", Right: true}, {Head: "GAMES", Right: true}, {Head: "POINTS", Right: true}, {Head: "MOVES"}, {Head: "NAME"},
	}, leaguePlaces(v), func(p *LeaguePlace) []string {
		return []string{
			strconv.Itoa(p.Division), strconv.Itoa(p.Rank), p.Tag, strconv.Itoa(p.Matches), strconv.Itoa(p.Won), strconv.Itoa(p.Lost), strconv.Itoa(p.Score), ratio(p.Games), ratio(p.Points), p.Moves, p.Name,
		}
	})...)
}

func ratio(n [2]int) string { return strconv.Itoa(n[0]) + ":" + strconv.Itoa(n[1]) }

func bracketLines(v *cup.View) (lines []string) {
	for r, ties := range v.Rounds {
		var parts []string
		for _, t := range ties {
			if t.Bye {
				parts = append(parts, text.Printable(t.Teams[t.Winner-1].Tag)+" has a bye")
				continue
			}
			one := []string{"?", "?"}
			for k := range t.Teams {
				if t.Teams[k].ID != 0 {
					one[k] = text.Printable(t.Teams[k].Tag)
				}
				if t.Winner == k+1 {
					one[k] += "*"
				}
			}
			parts = append(parts, strings.Join(one, "-"))
		}
		lines = append(lines, "", RoundName(r+1, len(v.Rounds))+":")
		for _, p := range parts {
			lines = append(lines, "  "+p)
		}
	}
	return lines
}
