package standings_test

import (
	"context"
	"fmt"
	"strings"
	"testing"

	"github.com/charmbracelet/x/ansi"
	"github.com/stretchr/testify/require"

	"boneyard/lobby"
	"boneyard/lobby/lobbytest"
	"boneyard/lobby/text/texttest"
	"boneyard/ui/page"
	"boneyard/ui/page/clubtest"
	"boneyard/ui/page/pagetest"
	"boneyard/ui/standings"
	"boneyard/ui/theme"
)

// table answers a query with made-up standings; a row's name says what was asked for.
func table(q lobby.StandingsQuery) []lobby.Standing {
	switch {
	case q.Game == "block":
		return nil
	case q.Kind == lobby.KindTeam && q.Game == "" && q.Month == "":
		return []lobby.Standing{
			{Rank: 1, ID: 2, Name: "Night Owls", Tag: "OWL", Rating: 1634, Games: 41, Won: 29, Lost: 12, For: 1204015, Against: 993120, Streak: 4,
				LastFive: "LWWWW", History: []int{1500, 1530, 1520, 1560, 1590, 1580, 1634}},
			{Rank: 2, ID: 1, Name: "The Double Sixes of Drummond", Tag: "D66", Rating: 1478, Games: 40, Won: 17, Lost: 23, For: 3200, Against: 3460,
				Streak: -1, LastFive: "WLWWL", History: []int{1500, 1490, 1478}},
			{Rank: 3, ID: 7, Name: "Newcomers", Tag: "NEW", Rating: 1529, Provisional: true, Games: 1, Won: 1, For: 105, Against: 60, Streak: 1,
				LastFive: "W", History: []int{1529}},
		}
	case q.Kind == lobby.KindPair:
		return []lobby.Standing{
			{Rank: 1, ID: 1, Name: "cleo + dan", Rating: 1550, Games: 20, Won: 11, Lost: 9, Streak: 1, LastFive: "LWLLW"},
			{Rank: 2, ID: 2, Name: "ana + ben", Rating: 1501, Games: 12, Won: 6, Lost: 5, LastFive: "=WL"},
		}
	}
	var list []lobby.Standing
	for i := range 60 {
		list = append(list, lobby.Standing{
			Rank: i + 1, ID: int64(100 - i), Name: fmt.Sprintf("%s-%s%s-%02d", q.Kind, q.Game, q.Month, i), Rating: 1700 - 7*i, Games: 30, Won: 20,
			Lost: 10,
		})
	}
	return list
}

// drive enters the page in a club with these standings.
func drive(t *testing.T, table func(lobby.StandingsQuery) []lobby.Standing) (*pagetest.Driver, *page.Env) {
	club := clubtest.Open(t, func(s *lobbytest.Store) { s.Table = table })
	e := pagetest.Env(t, club.Come("ana"))
	return pagetest.Drive(standings.New(e, page.Target{})), e
}

func body(d *pagetest.Driver, w, h int) string {
	return ansi.Strip(strings.Join(d.Lines(w, h), "\n"))
}

// months gives the page months as if games had been played in them.
func months(d *pagetest.Driver, list ...string) { d.Page.(*standings.Page).SetMonths(list) }

func TestScreens(t *testing.T) {
	d, e := drive(t, table)
	pagetest.Golden(t, e, d.Page, "teams", pagetest.Large)
	d.Press("right", "down")
	pagetest.Golden(t, e, d.Page, "pairs")
	d.Press("right", "end")
	pagetest.Golden(t, e, d.Page, "players")

	d, e = drive(t, nil)
	pagetest.Golden(t, e, d.Page, "empty")
	_, err := e.Visit.CreateTeam(context.Background(), "Night Owls", "OWL")
	require.NoError(t, err)
	require.NotContains(t, body(d, 80, 20), "Make a team", "to a member of one")
}

// A wider window cuts no more of a name.
func TestNamesAtAnyWidth(t *testing.T) {
	d, _ := drive(t, table)
	for w := 45; w <= 140; w++ {
		require.Contains(t, body(d, w, 20), "[NEW] Newcomers", "%d columns", w)
	}
}

func TestChoosing(t *testing.T) {
	d, _ := drive(t, table)
	months(d, "2026-11", "2026-10")
	require.Contains(t, body(d, 80, 20), "Night Owls")
	d.Press("left")
	require.Contains(t, body(d, 80, 20), "player--00", "the kinds go round")
	d.Press("m")
	require.Contains(t, body(d, 80, 20), "player-2026-11-00")
	require.Contains(t, body(d, 80, 20), "November 2026")
	d.Press("m", "g")
	require.Contains(t, body(d, 80, 20), "player-azneef2026-10-00")
	d.Press("m", "G", "M", "M")
	require.Contains(t, body(d, 80, 20), "player-2026-11-00", "and so do months and games")
	d.Press("G")
	require.Contains(t, body(d, 80, 20), "No results here yet", "block is the last of the games")
	d.Press("esc")
	require.Contains(t, body(d, 80, 20), "player--00", "Esc shows all games of all time")
	d.Press("m", "G", "right", "down", "enter", "o")
	require.Empty(t, d.Sent, "an empty list has no row of the reader")
	d.Press("esc", "o")
	require.Contains(t, pagetest.Take[page.Toast](t, d).Text, "not ranked here")
}

func TestOpensTeamsAndGames(t *testing.T) {
	d, _ := drive(t, table)
	d.Press("down", "enter")
	require.Equal(t, page.Target{Kind: page.TeamPage, Team: 1}, pagetest.Take[page.GotoMsg](t, d).To)
	body(d, 80, 20)
	d.Click(10, 3)
	d.Click(10, 3)
	require.Equal(t, page.Target{Kind: page.TeamPage, Team: 2}, pagetest.Take[page.GotoMsg](t, d).To)
	d.Press("right", "enter")
	require.Equal(t, page.Target{Kind: page.Games, Search: "cleo dan"}, pagetest.Take[page.GotoMsg](t, d).To, "the games of a pair")
	d.Press("right", "enter")
	require.Equal(t, page.Person, pagetest.Take[page.GotoMsg](t, d).To.Kind)
	d.Press("left")
	d.Press("o")
	require.Contains(t, body(d, 80, 20), "▸   2  ana + ben")
}

func TestComesBackAsItWasLeft(t *testing.T) {
	d, e := drive(t, table)
	d.Press("left", "g")
	again := pagetest.Drive(standings.New(e, d.Page.Chrome().Reopen))
	require.Contains(t, body(again, 80, 20), "player-azneef-00")
}

// An answer that comes after a later request is not shown, and the old rows stay until the right answer has
// come.
func TestLatestQuestionWins(t *testing.T) {
	d, _ := drive(t, table)
	pairs, _ := page.Give(d.Page, pagetest.Key("right"))
	late := pairs()
	require.Contains(t, body(d, 80, 20), "[Pairs]")
	require.Contains(t, body(d, 80, 20), "Night Owls")
	players, _ := page.Give(d.Page, pagetest.Key("right"))
	d.Do(players)
	require.Contains(t, body(d, 80, 20), "player--00")
	d.Do(page.Send(late))
	require.Contains(t, body(d, 80, 20), "player--00")
}

// The chosen row stays under the cursor when results move it.
func TestResultsMoveNothingAway(t *testing.T) {
	shift := 0
	d, _ := drive(t, func(q lobby.StandingsQuery) []lobby.Standing {
		list := table(q)
		return append(list[shift:len(list):len(list)], list[:shift]...)
	})
	d.Press("left")
	for range 30 {
		d.Press("down")
	}
	row := func() (at int, line string) {
		for i, l := range strings.Split(body(d, 80, 20), "\n") {
			if strings.Contains(l, "▸") {
				return i, l
			}
		}
		return -1, ""
	}
	before, line := row()
	require.Contains(t, line, "player--30")
	shift = 5
	d.Press("r")
	after, line := row()
	require.Contains(t, line, "player--30")
	require.Equal(t, before, after)
}

// The page loads more rows only when the reader scrolls on, or looks for their own row further down.
func TestAsksForMoreRowsWhenTheyAreLookedAt(t *testing.T) {
	var limits []int
	ranked := 120 // the player's rank
	made := func(q lobby.StandingsQuery) (list []lobby.Standing) {
		limits = append(limits, q.Limit)
		for i := range min(q.Limit, 700) {
			id := int64(1000 + i)
			if i == ranked-1 && q.Kind == lobby.KindPlayer {
				id = 1 // ana
			}
			list = append(list, lobby.Standing{Rank: i + 1, ID: id, Name: fmt.Sprintf("row-%03d", i+1), Rating: 2000 - i, Games: 30, Won: 20,
				Lost: 10})
		}
		return list
	}
	d, _ := drive(t, made)
	d.Press("left")
	require.Contains(t, body(d, 80, 20), "100+")
	require.Equal(t, []int{100, 100}, limits, "of teams, then of players")
	d.Press("o")
	require.Contains(t, body(d, 80, 20), "▸ 120  row-120")
	require.Contains(t, body(d, 80, 20), "500+")
	require.Equal(t, []int{100, 100, 500}, limits)

	ranked, limits = 600, nil
	d, _ = drive(t, made)
	d.Press("left")
	d.Press("o")
	require.Contains(t, pagetest.Take[page.Toast](t, d).Text, "not among the first 500")
	d.Press("right")
	body(d, 80, 20)
	d.Press("end")
	require.Contains(t, body(d, 80, 20), "▸ 100  row-100")
	d.Press("down")
	require.Contains(t, body(d, 80, 20), "▸ 101  row-101")
	require.Equal(t, []int{100, 100, 500, 500}, limits[:4])
	require.Len(t, limits, 4, "what was asked before is remembered")
}

func TestTrouble(t *testing.T) {
	d, e := drive(t, table)
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	e.Context = ctx
	d.Press("right")
	require.Equal(t, theme.Bad, pagetest.Take[page.Toast](t, d).Role)
	require.Contains(t, body(d, 80, 20), "[Teams]", "what is shown and what is chosen agree again")
	require.Contains(t, body(d, 80, 20), "Night Owls")
}

func TestHostile(t *testing.T) {
	for _, h := range texttest.Hostile() {
		t.Run(h.Name, func(t *testing.T) {
			d, _ := drive(t, func(lobby.StandingsQuery) []lobby.Standing {
				return []lobby.Standing{{Rank: 1, ID: 9, Name: h.Text, Tag: h.Text, LastFive: "WL"}, {Rank: 2, ID: 8, Name: h.Text}}
			})
			pagetest.CheckHostile(t, d.Page, h)
			d.Press("down")
			pagetest.CheckHostile(t, d.Page, h)
		})
	}
}
