package plain_test

import (
	"regexp"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"boneyard/lobby"
	"boneyard/lobby/event/match"
	"boneyard/table"
	"boneyard/ui/plain"
)

// A table that waits for a rematch has the previous game's scores; they must not read like those of a game in
// progress.
func TestScoresAreThoseOfTheGame(t *testing.T) {
	s := table.Summary{Table: 3, Config: table.DefaultConfig(), State: table.Playing, Game: 7, Round: 2, Scores: []int{205, 170},
		Seats: make([]table.SeatView, 2)}
	row := plain.Listed{Summary: &s}
	require.Contains(t, row.Say(), "playing round 2, score 205:170")
	s.State = table.Gathering
	require.Contains(t, row.Say(), "gathering, score of the last game 205:170")
}

// Partners are named together, in the order of the scores.
func TestPartnersAtATableAreNamedTogether(t *testing.T) {
	s := table.Summary{Table: 3, Config: table.DefaultConfig(), State: table.Playing, Game: 7, Round: 2, Scores: []int{85, 125}}
	s.Config.Rules.Teams = true
	for _, name := range []string{"ana", "ben", "cem", "dora"} {
		s.Seats = append(s.Seats, table.SeatView{Player: table.Player{ID: 1, Name: name}})
	}
	require.Contains(t, (&plain.Listed{Summary: &s}).Say(), "score 85:125, 60 s a turn. ana + cem and ben + dora sit there.")
}

// TestStateOfAFixture: a match with one game played, whose captains have yet to agree on a time for the rest,
// is not in progress.
func TestStateOfAFixture(t *testing.T) {
	at := time.Now().Add(time.Hour)
	for state, m := range map[string]match.Match{
		"playing":  {Open: true, Pairing: 1, Games: []match.Game{{ID: 1}}},
		"open":     {Open: true, Games: []match.Game{{ID: 1}}},
		"agreed":   {Open: true, Games: []match.Game{{ID: 1}}, At: at},
		"proposed": {Open: true, Games: []match.Game{{ID: 1}}, Sides: [2]match.Side{{Offer: at}}},
		"over":     {Open: true, Games: []match.Game{{ID: 1}}, Done: true},
	} {
		require.Contains(t, string(plain.Fixtures.JSON(&plain.Fixture{Match: &m, In: &match.View{}})), `"state":"`+state+`"`)
	}
}

// A script finds the cells of a line between runs of spaces, whatever is in them.
func TestCellsOfALine(t *testing.T) {
	cells := func(lines []string) (all [][]string) {
		for _, l := range lines {
			all = append(all, regexp.MustCompile(" {2,}").Split(l, -1))
		}
		return all
	}
	stand := lobby.Standing{Rank: 1, Name: "ana", Rating: 1659, Provisional: true}
	require.Equal(t, [][]string{
		{"TAG", "MEMBERS", "RATING", "GAMES", "WON", "LOST", "LAST", "CAPTAIN", "TEAM"},
		{"AB", "10", "1659 (provisional)", "0", "0", "0", "-", "-", "The A B"},
		{"CD", "2", "-", "-", "-", "-", "-", "-", "-"},
	}, cells(plain.Teams.Lines([]lobby.TeamRow{
		{Tag: "AB", Name: " The A \t B ", Members: 10, Stand: &stand}, {Tag: "CD", Members: 2},
	})))
	require.Equal(t, [][]string{{"WHEN (UTC)", "GAME", "NEWS"}, {"2026-11-27 20:00", "-", "ana won"}},
		cells(plain.News.Lines([]lobby.NewsItem{{At: time.Date(2026, 11, 27, 20, 0, 0, 0, time.UTC), Text: "ana  won"}})))
}
