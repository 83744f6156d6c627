package plain

import (
	"cmp"
	"encoding/json"
	"strconv"
	"strings"
	"time"

	"boneyard/lobby"
	"boneyard/lobby/text"
	"boneyard/rules"
	"boneyard/table"
)

// Standings describes standings.
var Standings = &Rows[lobby.Standing]{
	Object: "standing", About: "A row of `standings`.", Text: "RANK RATING GAMES WON LOST SHARED FOR AGAINST STREAK LAST TAG NAME",
	Columns: []Column[lobby.Standing]{
		Col("rank", "", func(s *lobby.Standing) No { return No(s.Rank) }),
		Col("name", "of a pair: `ana + ben`", func(s *lobby.Standing) string { return s.Name }),
		Col("tag", "", func(s *lobby.Standing) string { return s.Tag }),
		Col("rating", "", func(s *lobby.Standing) int { return s.Rating }).As("RATING", (*lobby.Standing).Number),
		Col("provisional", "few games yet", func(s *lobby.Standing) bool { return s.Provisional }),
		Col("games", "rated games", func(s *lobby.Standing) int { return s.Games }),
		Col("won", "", func(s *lobby.Standing) int { return s.Won }),
		Col("lost", "", func(s *lobby.Standing) int { return s.Lost }),
		Col("shared", "with equal highest scores", func(s *lobby.Standing) int { return s.Shared }),
		Col("for", "points", func(s *lobby.Standing) int { return s.For }),
		Col("against", "points", func(s *lobby.Standing) int { return s.Against }),
		Col("streak", "wins in a row; losses are negative", func(s *lobby.Standing) int { return s.Streak }),
		Col("last_five", "such as `WWLWL`", func(s *lobby.Standing) string { return s.LastFive }).As("LAST", nil),
		Col("shield", "holds the shield of the season", func(s *lobby.Standing) bool { return s.Shield }),
		Col("course", "recent ratings", func(s *lobby.Standing) []int { return s.History }),
	},
}

// Teams describes teams.
var Teams = &Rows[lobby.TeamRow]{
	Object: "team", About: "A row of `teams`.", Text: "TAG MEMBERS RATING GAMES WON LOST LAST CAPTAIN TEAM", None: "No teams yet.",
	Columns: append([]Column[lobby.TeamRow]{
		Col("tag", "", func(t *lobby.TeamRow) string { return t.Tag }),
		Col("name", "", func(t *lobby.TeamRow) string { return t.Name }).As("TEAM", nil),
		Col("captain", "", func(t *lobby.TeamRow) string { return t.Captain }),
		Col("members", "", func(t *lobby.TeamRow) int { return t.Members }),
		Col("shield", "holds the shield of the season", func(t *lobby.TeamRow) bool { return t.Shield }),
		Col("standing", "a [standing](#standing) without `rank` and `course`, or null",
			func(t *lobby.TeamRow) json.RawMessage {
				if t.Stand == nil {
					return nil
				}
				return Standings.JSON(t.Stand)
			}).Of("standing"),
	}, ofStanding("RATING", "GAMES", "WON", "LOST", "LAST")...),
}

// ofStanding returns columns of a team's standing for text; they are empty before its first game.
func ofStanding(heads ...string) (columns []Column[lobby.TeamRow]) {
	for _, head := range heads {
		of := Standings.Column(head)
		c := TextCol(head, func(t *lobby.TeamRow) string {
			if t.Stand == nil {
				return ""
			}
			return of.Cell(t.Stand)
		})
		c.Right = of.Right
		columns = append(columns, c)
	}
	return columns
}

// whenAt returns the column for the time of something.
func whenAt[T any](at func(*T) time.Time) Column[T] {
	return Col("at", "", at).As("WHEN_(UTC)", func(v *T) string { return at(v).UTC().Format("2006-01-02 15:04") })
}

// News describes the news of the club.
var News = &Rows[lobby.NewsItem]{
	Object: "newsitem", About: "A row of `news`, the newest first.", Text: "WHEN_(UTC) GAME NEWS", None: "No news.",
	Columns: []Column[lobby.NewsItem]{
		whenAt(func(n *lobby.NewsItem) time.Time { return n.At }),
		Col("kind", "", func(n *lobby.NewsItem) string { return n.Kind }),
		Col("game", "", func(n *lobby.NewsItem) No { return No(n.Game) }),
		Col("text", "", func(n *lobby.NewsItem) string { return n.Text }).As("NEWS", nil),
	},
}

// Said describes what was said at an event.
var Said = &Rows[lobby.Line]{
	Object: "said", About: "A row of `arena N chat`, and of other events; the newest last.", Text: "WHEN_(UTC) NAME TEXT",
	None: "Nothing has been said.",
	Columns: []Column[lobby.Line]{
		whenAt(func(l *lobby.Line) time.Time { return l.At }),
		Col("name", "", func(l *lobby.Line) string { return l.From.Name }).As("NAME", nil),
		Col("kind", "`member`, `guest` or `bot`", func(l *lobby.Line) string { return KindOf(l.From) }),
		Col("text", "", func(l *lobby.Line) string { return l.Text }).As("TEXT", nil),
	},
}

// SaidLine puts a line of chat into a sentence.
func SaidLine(l *lobby.Line) string { return text.Printable(l.From.Name) + " says: " + l.Text }

// Games describes games.
var Games = &Rows[lobby.GameInfo]{
	Object: "game", About: "A row of `games`.", Text: "GAME DATE ENDING KIND SCORE WON PLAYERS TEAMS RULES",
	Columns: []Column[lobby.GameInfo]{
		Col("game", "", func(g *lobby.GameInfo) No { return No(g.ID) }),
		Col("table", "", func(g *lobby.GameInfo) No { return No(g.Table) }),
		ruleCol("RULES", rules.Words, func(g *lobby.GameInfo) string { return g.Rules }),
		Col("players", "", func(g *lobby.GameInfo) []string { return g.Seats }),
		Col("scores", "", func(g *lobby.GameInfo) []int { return g.Scores }).As("SCORE", nil),
		Col("winner", "a side", func(g *lobby.GameInfo) No { return No(g.Winner) }).As("WON", nil),
		Col("ending", "`played`, `forfeit` or `abandoned`", func(g *lobby.GameInfo) string { return string(g.Ending) }).
			As("ENDING", func(g *lobby.GameInfo) string { return cmp.Or(string(g.Ending), "unfinished") }),
		Col("rated", "", func(g *lobby.GameInfo) bool { return g.Rated }).As("KIND", func(g *lobby.GameInfo) string {
			if g.Rated {
				return "rated"
			}
			return "casual"
		}),
		Col("teams", "tags by side", tags).As("TEAMS",
			func(g *lobby.GameInfo) string { return strings.Join(tags(g), ":") }),
		Col("rounds", "", func(g *lobby.GameInfo) int { return g.Rounds }),
		Col("started", "", func(g *lobby.GameInfo) time.Time { return g.Started }),
		Col("ended", "", func(g *lobby.GameInfo) time.Time { return g.Ended }).Optional(),
		Col("finished", "false for your own games in progress", func(g *lobby.GameInfo) bool { return g.Finished }),
		TextCol("DATE", func(g *lobby.GameInfo) string {
			if g.Ended.IsZero() {
				return g.Started.UTC().Format(time.DateOnly)
			}
			return g.Ended.UTC().Format(time.DateOnly)
		}),
	},
}

// tags returns the tags of a game's teams, nil without any.
func tags(g *lobby.GameInfo) []string {
	if g.Teams == [2]string{} {
		return nil
	}
	return g.Teams[:]
}

// SayGame describes a game in a sentence, for reading aloud. If to is one of its players, it calls them "you".
func SayGame(g *lobby.GameInfo, to table.Player) string {
	names := make([]string, len(g.Seats))
	for i, name := range g.Seats {
		names[i] = text.Printable(name)
		if name == to.Name && to.ID != 0 && !to.ID.Guest() {
			names[i] = "you"
		}
	}
	s := "Game " + strconv.FormatInt(int64(g.ID), 10) + ", " + g.Started.UTC().Format(time.DateOnly) + ", " +
		text.Printable(rules.Words(g.Rules)) + ": " + text.List(names)
	switch {
	case !g.Finished:
		return s + ", not over yet."
	case g.Winner == 0 && g.Ending == table.EndPlayed:
		return s + ", " + join(g.Scores) + ", shared."
	case g.Winner == 0:
		return s + ", abandoned."
	}
	s += ", " + join(g.Scores) + ", won by "
	r, err := rules.Parse(g.Rules)
	if sides := Sides(names, err == nil && r.Teams); g.Winner <= len(sides) {
		s += sides[g.Winner-1]
	}
	if g.Ending == table.EndForfeit {
		s += " by forfeit"
	}
	return s + "."
}
