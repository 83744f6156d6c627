package plain

import (
	"cmp"
	"slices"
	"strconv"
	"strings"
	"time"

	"boneyard/lobby/event/match"
	"boneyard/lobby/text"
	"boneyard/rules"
)

// Contests describes leagues and cups.
var Contests = &Rows[match.View]{
	Object: "contest", About: "A row of `league` and `cup`, and the first one of `league N` and `cup N`.",
	Text: "NO KIND STATE BEGINS TIME GAME PACE TEAMS PLAYED WINNER NAME",
	Aloud: "$KIND $NO, $NAME, $STATE, from $BEGINS, $TIME for a match, $GAME, pace $PACE, teams $TEAMS, " +
		"matches played $PLAYED, winner $WINNER",
	Columns: []Column[match.View]{
		Col("contest", "", func(c *match.View) No { return No(c.ID) }).As("NO", nil),
		Col("kind", "`league`, `cup`", func(c *match.View) string { return string(c.Kind) }),
		Col("name", "", func(c *match.View) string { return c.Config.Name }),
		Col("state", "`planned`, `running`, `over`, `called off`",
			func(c *match.View) string { return EventState(c.Begun, c.Over, "planned", "running") }),
		Col("begins", "", func(c *match.View) time.Time { return c.Begins }),
		ruleCol("GAME", rules.Words, func(c *match.View) string { return c.Config.Rules }),
		Col("pace", "", func(c *match.View) string { return string(c.Config.Pace) }),
		Col("hours", "time for a match", func(c *match.View) int { return int(c.Time.Hours()) }),
		Col("minutes", "", func(c *match.View) int { return int(c.Time.Minutes()) }).As("TIME",
			func(c *match.View) string {
				return allowance(int(c.Time.Minutes()))
			}).Number(),
		Col("teams", "", func(c *match.View) int { return len(c.Teams) }),
		Col("tags", "of the teams", func(c *match.View) []string {
			return text.Each(c.Teams, func(t match.Team) string { return t.Tag })
		}),
		Col("played", "matches", func(c *match.View) (n int) {
			for i := range c.Matches {
				if c.Matches[i].Done {
					n++
				}
			}
			return n
		}),
		Col("winner", "a tag", WonBy),
	},
}

// LeaguePlaces describes the divisions' tables.
var LeaguePlaces = &Rows[match.Row]{
	Object: "leagueplace", About: "A row of a division's table, of `league N`.",
	Text: "DIV RANK TEAM MATCHES WON LOST SCORE GAMES POINTS MOVES NAME",
	Aloud: "division $DIV, rank $RANK, $TEAM, $NAME, matches $MATCHES, won $WON, lost $LOST, score $SCORE, games $GAMES, points $POINTS, " +
		"would move $MOVES",
	Columns: []Column[match.Row]{
		Typed[match.Row]("place"),
		Col("division", "", func(p *match.Row) int { return p.Division }).As("DIV", nil),
		Col("rank", "", func(p *match.Row) int { return p.Place }),
		Col("tag", "", func(p *match.Row) string { return p.Team.Tag }).As("TEAM", nil),
		Col("name", "", func(p *match.Row) string { return p.Team.Name }),
		Col("matches", "", func(p *match.Row) int { return p.Played }),
		Col("won", "", func(p *match.Row) int { return p.Won }),
		Col("lost", "", func(p *match.Row) int { return p.Lost }),
		Col("score", "", func(p *match.Row) int { return p.Score }),
		Col("games", "games won, and games lost", func(p *match.Row) [2]int { return [2]int{p.GamesFor, p.GamesTo} }).Number(),
		Col("points", "points made, and those of the opponents", func(p *match.Row) [2]int { return [2]int{p.For, p.Against} }).Number(),
		Col("moves", "`up`, `down`: out of the division, if the season ended now", func(p *match.Row) string {
			switch {
			case p.Up:
				return "up"
			case p.Down:
				return "down"
			}
			return ""
		}),
	},
}

// tagOf returns the tag of the k-th of two teams, from 1; empty for 0.
func tagOf(teams [2]match.Team, k int) string {
	if k == 0 {
		return ""
	}
	return text.Printable(teams[k-1].Tag)
}

// Tie describes a tie of a cup: "OWL against CAT, won by OWL".
func Tie(v *match.View, p *match.Tie) string {
	winner, m := tagOf(p.Teams, p.Winner), v.MatchOf(p)
	say := cmp.Or(tagOf(p.Teams, 1), "?") + " against " + cmp.Or(tagOf(p.Teams, 2), "?")
	switch {
	case p.Bye:
		return winner + " has a bye"
	case v.BySeed(p):
		return say + ", won by nobody" + Advances(v, p)
	case winner == "":
		return say
	case m != nil && m.Walkover:
		winner += byDefault
	}
	return say + ", won by " + winner
}

// MissingTeams says how many teams a league or cup lacks before it begins; it is empty if there are enough.
func MissingTeams(v *match.View) string {
	n := v.Least - len(v.Teams)
	if v.Begun || v.Over || n <= 0 {
		return ""
	}
	return "At least " + text.Number(n, "more team") + " must sign up, or it is not played."
}

// Advances says after the result of a tie which team advances without having won it; usually it is empty.
func Advances(v *match.View, p *match.Tie) string {
	if !v.BySeed(p) {
		return ""
	}
	return "; " + tagOf(p.Teams, p.Winner) + " advances with the better seed"
}

// byDefault follows a match that was won without a game that decided it.
const byDefault = " by default"

// CupPlaces describes the bracket of a cup.
var CupPlaces = &Rows[match.Tie]{
	Object: "cupplace", About: "A place in the bracket, of `cup N`.",
	Columns: []Column[match.Tie]{
		Typed[match.Tie]("bracket"),
		Col("round", "", func(p *match.Tie) int { return p.Round }),
		Col("place", "from the top", func(p *match.Tie) int { return p.Place }),
		Col("tags", "", func(p *match.Tie) [2]string { return [2]string{tagOf(p.Teams, 1), tagOf(p.Teams, 2)} }),
		Col("seeds", "", func(p *match.Tie) [2]int { return [2]int{p.Teams[0].Seed, p.Teams[1].Seed} }),
		Col("match", "", func(p *match.Tie) int { return p.Match }),
		Col("winner", "a tag", func(p *match.Tie) string { return tagOf(p.Teams, p.Winner) }),
	},
}

// Fixture is a match of a league or a cup.
type Fixture struct {
	*match.Match
	In  *match.View
	Now time.Time
}

// each returns of for both sides.
func each[V any](f *Fixture, of func(*match.Side) V) [2]V {
	return [2]V{of(&f.Sides[0]), of(&f.Sides[1])}
}

// round names the match's round, as [match.View.Round] names one match of it.
func (f *Fixture) round() string {
	one, _ := f.In.Round(f.Round)
	return one
}

// tag returns the tag of the k-th side, from 1; empty for 0.
func (f *Fixture) tag(k int) string { return tagOf([2]match.Team{f.Sides[0].Team, f.Sides[1].Team}, k) }

// Fixtures describes matches.
var Fixtures = &Rows[Fixture]{
	Object: "fixture", About: "A match of `league N` or `cup N`.", Text: "MATCH ROUND TEAM:1 TEAM:2 STATE RESULT",
	Aloud: "match $MATCH, ${ROUND:NAME}, ${TEAM:1} against ${TEAM:2}, $STATE, $RESULT",
	Columns: []Column[Fixture]{
		Typed[Fixture]("match"),
		Col("match", "", func(f *Fixture) int { return f.No }),
		Col("division", "", func(f *Fixture) int { return f.Division }),
		Col("round", "", func(f *Fixture) int { return f.Round }).As("ROUND", func(f *Fixture) string {
			_, cell, _ := strings.Cut(f.round(), " ")
			return cell
		}).Number(),
		TextCol("ROUND:NAME", func(f *Fixture) string { return f.round() }),
		TextCol("TEAM:1", func(f *Fixture) string { return f.tag(1) }),
		TextCol("TEAM:2", func(f *Fixture) string { return f.tag(2) }),
		Col("tags", "", func(f *Fixture) [2]string { return [2]string{f.tag(1), f.tag(2)} }),
		Col("state", "`planned`, `open`, `proposed`, `agreed`, `playing`, `over`", func(f *Fixture) string { return fixtureState(f.Match) }),
		Col("opens", "the earliest time to play it", func(f *Fixture) time.Time { return f.Opens }),
		Col("closes", "the latest", func(f *Fixture) time.Time { return f.Closes }),
		Col("at", "agreed on or proposed", func(f *Fixture) time.Time { return fixtureAt(f.Match) }),
		Col("proposed", "by team", func(f *Fixture) [2]time.Time {
			return each(f, func(s *match.Side) time.Time { return Moment(s.Offer) })
		}),
		Col("games", "won by each team", func(f *Fixture) [2]int { return each(f, func(s *match.Side) int { return s.Wins }) }),
		Col("points", "made by each team", func(f *Fixture) [2]int { return each(f, func(s *match.Side) int { return s.Points }) }),
		Col("winner", "a tag", func(f *Fixture) string { return f.tag(f.Winner) }),
		Col("walkover", "without a game that decided it", func(f *Fixture) bool { return f.Walkover }),
		Col("table", "", func(f *Fixture) No { return No(f.In.TableOf(f.Match)) }),
		TextCol("RESULT", func(f *Fixture) string { return FixtureResult(f.In, f.Match, f.Now) }),
	},
}

// EventState returns before or during for an event that is not over; afterwards it says whether the event was
// played at all.
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

// WonBy returns the tag of the team that won a cup or a league's first division; empty if none has yet.
func WonBy(v *match.View) string {
	if !v.Over || !v.Begun {
		return ""
	}
	among := v.Teams
	if len(v.Divisions) > 0 {
		among = []match.Team{v.Divisions[0][0].Team}
	}
	won := v.Final.Winner(among...)
	if i := slices.IndexFunc(among, func(t match.Team) bool { return t.ID == won }); i >= 0 {
		return text.Printable(among[i].Tag)
	}
	return ""
}

func fixtureState(m *match.Match) string {
	switch {
	case m.Done:
		return "over"
	case m.Playing():
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

// RoundName is the heading of a round of a cup.
func RoundName(v *match.View, round int) string {
	_, all := v.Round(round)
	return text.Capital(strings.TrimPrefix(all, "the "))
}

// FixtureResult returns a match's result, or when or where it is played: "2:1", "Fri 27 Nov 20:00", "table
// 12".
func FixtureResult(c *match.View, m *match.Match, now time.Time) string {
	games := strconv.Itoa(m.Sides[0].Wins) + ":" + strconv.Itoa(m.Sides[1].Wins)
	switch at := fixtureAt(m); {
	case m.Done && m.Walkover && m.Winner == 1:
		return "2:0" + byDefault
	case m.Done && m.Walkover:
		return "0:2" + byDefault
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
	return "from " + m.Opens.UTC().Format("Mon 2 Jan 15:04")
}

// allowance formats the time allowed for a match in the largest unit that divides it: "7 d", "36 h", "90
// min".
func allowance(minutes int) string {
	switch {
	case minutes%(24*60) == 0:
		return strconv.Itoa(minutes/(24*60)) + " d"
	case minutes%60 == 0:
		return strconv.Itoa(minutes/60) + " h"
	}
	return strconv.Itoa(minutes) + " min"
}
