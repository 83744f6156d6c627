package plain

import (
	"cmp"
	"slices"
	"strconv"
	"strings"
	"time"

	"boneyard/lobby"
	"boneyard/lobby/text"
	"boneyard/rules"
	"boneyard/table"
)

// Standing is a row of the standings.
type Standing struct {
	Rank        int    `json:"rank"`
	Name        string `json:"name"` // of a pair: "ana + ben"
	Tag         string `json:"tag"`  // of a team
	Rating      int    `json:"rating"`
	Provisional bool   `json:"provisional"` // few games yet
	Games       int    `json:"games"`
	Won         int    `json:"won"`
	Lost        int    `json:"lost"`
	Shared      int    `json:"shared"`  // games that ended with a tie for the highest score
	For         int    `json:"for"`     // points
	Against     int    `json:"against"` // points
	Streak      int    `json:"streak"`  // consecutive wins; losses are negative
	LastFive    string `json:"last_five"`
	History     []int  `json:"course"` // the latest ratings, newest last
}

// StandingRow returns a standing as a row.
func StandingRow(s *lobby.Standing) Standing {
	history := s.History
	if history == nil {
		history = []int{}
	}
	return Standing{
		Rank: s.Rank, Name: text.Printable(s.Name), Tag: text.Printable(s.Tag), Rating: s.Rating, Provisional: s.Provisional,
		Games: s.Games, Won: s.Won, Lost: s.Lost, Shared: s.Shared, For: s.For, Against: s.Against, Streak: s.Streak,
		LastFive: text.Printable(s.LastFive), History: history,
	}
}

// Standings formats standings in columns.
func Standings(list []Standing) []string {
	return listed([]Column{
		{Head: "RANK", Right: true}, {Head: "RATING"}, {Head: "GAMES", Right: true}, {Head: "WON", Right: true},
		{Head: "LOST", Right: true}, {Head: "SHARED", Right: true}, {Head: "FOR", Right: true}, {Head: "AGAINST", Right: true}, {Head: "STREAK", Right: true},
		{Head: "LAST"}, {Head: "TAG"}, {Head: "NAME"},
	}, list, func(s *Standing) []string {
		rating := strconv.Itoa(s.Rating)
		if s.Provisional {
			rating += " (provisional)"
		}
		return []string{
			number(s.Rank), rating, strconv.Itoa(s.Games), strconv.Itoa(s.Won), strconv.Itoa(s.Lost), strconv.Itoa(s.Shared), strconv.Itoa(s.For),
			strconv.Itoa(s.Against), strconv.Itoa(s.Streak), s.LastFive, s.Tag, s.Name,
		}
	})
}

// Game is a game as a row.
type Game struct {
	Game     int64     `json:"game"`
	Table    int64     `json:"table"`
	Rules    string    `json:"rules"`
	Players  []string  `json:"players"` // by seat
	Scores   []int     `json:"scores"`  // by side
	Winner   int       `json:"winner"`  // the side, 0 without a result
	Ending   string    `json:"ending"`  // played, forfeit or abandoned; empty while in progress
	Rated    bool      `json:"rated"`
	Teams    []string  `json:"teams"` // tags by side, for a team game; otherwise empty
	Rounds   int       `json:"rounds"`
	Started  time.Time `json:"started"`
	Ended    time.Time `json:"ended,omitzero"`
	Finished bool      `json:"finished"`
}

// GameRow returns a game as a row.
func GameRow(g *lobby.GameInfo) Game {
	row := Game{
		Game: int64(g.ID), Table: int64(g.Table), Rules: text.Printable(g.Rules), Players: []string{}, Scores: []int{}, Winner: g.Winner,
		Ending: string(g.Ending), Rated: g.Rated, Teams: []string{}, Rounds: g.Rounds, Started: Moment(g.Started), Ended: Moment(g.Ended),
		Finished: g.Finished,
	}
	row.Scores = append(row.Scores, g.Scores...)
	for _, name := range g.Seats {
		row.Players = append(row.Players, text.Printable(name))
	}
	if g.Teams != [2]string{} {
		row.Teams = []string{text.Printable(g.Teams[0]), text.Printable(g.Teams[1])}
	}
	return row
}

// WinnerName returns who won: a player, or partners; empty without a result.
func (g *Game) WinnerName() string {
	sides := Sides(g.Players, g.partners())
	if g.Winner < 1 || g.Winner > len(sides) {
		return ""
	}
	return sides[g.Winner-1]
}

// partners reports whether sides consist of two partners.
func (g *Game) partners() bool {
	r, err := rules.Parse(g.Rules)
	return err == nil && r.Teams
}

// Games formats games in columns.
func Games(list []Game) []string {
	return listed([]Column{
		{Head: "GAME", Right: true}, {Head: "DATE"}, {Head: "ENDING"}, {Head: "KIND"}, {Head: "SCORE"}, {Head: "WON", Right: true},
		{Head: "PLAYERS"}, {Head: "TEAMS"}, {Head: "RULES"},
	}, list, func(g *Game) []string {
		day, kind := g.Ended, "casual"
		if day.IsZero() {
			day = g.Started
		}
		if g.Rated {
			kind = "rated"
		}
		return []string{
			number(g.Game), day.Format("2006-01-02"), cmp.Or(g.Ending, "unfinished"), kind, join(g.Scores), number(g.Winner),
			strings.Join(g.Players, ","), strings.Join(g.Teams, ":"), g.Rules,
		}
	})
}

// SayTo describes a game as Say does, addressing one of its players as "you".
func (g Game) SayTo(to table.Player) string {
	if !to.ID.Guest() {
		g.Players = slices.Clone(g.Players)
		for i, name := range g.Players {
			if name == to.Name {
				g.Players[i] = "you"
			}
		}
	}
	return g.Say()
}

// Say describes a game in a sentence, for reading aloud.
func (g *Game) Say() string {
	s := "Game " + strconv.FormatInt(g.Game, 10) + ", " + g.Started.Format("2006-01-02") + ", " + g.Rules + ": " + List(g.Players)
	switch {
	case !g.Finished:
		return s + ", not over yet."
	case g.Winner == 0 && g.Ending == string(table.EndPlayed):
		return s + ", " + join(g.Scores) + ", shared."
	case g.Winner == 0:
		return s + ", abandoned."
	}
	s += ", " + join(g.Scores) + ", won by " + g.WinnerName()
	if g.Ending == string(table.EndForfeit) {
		s += " by forfeit"
	}
	return s + "."
}
