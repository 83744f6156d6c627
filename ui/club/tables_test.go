package club

import (
	"strings"
	"testing"

	"github.com/charmbracelet/x/ansi"
	"github.com/stretchr/testify/require"

	"boneyard/lobby"
	"boneyard/table"
)

func TestTwoTeamsAreNamedByTheirTagsWhereNamesHaveNoRoom(t *testing.T) {
	s := tab(17, "block", []string{"Danny", "ben", "ana", ""}, plays(2, 1, 67, 94),
		with(func(c *table.Config) { c.Access = table.AccessTeams }))
	for i, tag := range []string{"OWL", "BONES", "OWL"} {
		s.Seats[i].Player.Tag = tag
	}
	d := visitAs(t, evening())
	shown := func(w int) string {
		var b strings.Builder
		for _, piece := range d.Page.(*Page).players(&s, w) {
			b.WriteString(piece.Text)
		}
		return strings.TrimRight(b.String(), " ")
	}
	require.Equal(t, "OWL Danny+ana 67 : 94 BONES ben+free", shown(60))
	require.Equal(t, "OWL 67 : 94 BONES ben+free", shown(28))
	s.Seats[3].Player = player("cat")
	require.Equal(t, "OWL Danny+ana 67 : 94 BONES ben+cat", shown(60))
	s.Seats[3].Player.Tag = "BONES"
	require.Equal(t, "OWL 67 : 94 BONES", shown(28))
	require.Equal(t, "OWL Danny+ana 67:94 BONES ben+cat", shown(33), "blanks give way first")
}

// The score of a finished game must not look like one of a game in play, nor like a number of free seats.
func TestTableAfterItsGame(t *testing.T) {
	club := evening()
	s := tab(31, "classic", []string{"kim", ""}, plays(7, 0, 205, 170), inState(table.Finished))
	show := func() string {
		club.next(func(snap *lobby.Snapshot) { snap.Tables = []table.Summary{s} })
		return body(visitAs(t, club))
	}
	require.Regexp(t, `kim : free +over `, show())
	require.Contains(t, show(), "over, 205–170")
	s.Seats[0].Ready = true
	require.Regexp(t, `kim : free +rematch\? `, show())
	s.State = table.Gathering
	require.Regexp(t, `kim : free +rematch\? `, show())
	require.Contains(t, show(), "last game 205–170")
	s.State = table.Playing
	require.Regexp(t, `kim 205 : 170 free +round 7 `, show())
	require.NotContains(t, show(), "205–170")
}

// The score of a finished game has no names once its players have left.
func TestFinishedTableWithoutPlayers(t *testing.T) {
	club := evening()
	s := tab(31, "classic", []string{"", ""}, plays(7, 0, 50, 5), inState(table.Finished))
	club.next(func(snap *lobby.Snapshot) { snap.Tables = []table.Summary{s} })
	shown := body(visitAs(t, club))
	require.Regexp(t, `free : free +over `, shown)
	require.Contains(t, shown, "over, 50–5", "beside the list it is said of which game")
}

// Narrow panels cut the names of four players, but never their scores.
func TestFourScoresAreWhole(t *testing.T) {
	club := evening()
	s := tab(31, "azneef", []string{"", "nora.bot", "otto.bot", "viv.bot"}, plays(7, 2, 105, 110, 115, 120))
	club.next(func(snap *lobby.Snapshot) { snap.Tables = []table.Summary{s} })
	d := visitAs(t, club)
	for _, w := range []int{80, 100, 120} {
		require.Regexp(t, `free 105, ?n\S* 110, ?o\S* 115, ?v\S* 120 `, bodyAt(d, w, 20), "%d columns", w)
	}
	for want, names := range map[string][]string{
		"free 5, nora 10, otto 15, viv 20":        {"", "nora.bot", "otto.bot", "viv.bot"},
		"free 5, bartho… 10, nora 15, maximi… 20": {"", "bartholomew", "nora.bot", "maximiliana"},
	} {
		s = tab(31, "azneef", names, plays(7, 2, 5, 10, 15, 20))
		club.next(func(snap *lobby.Snapshot) { snap.Tables = []table.Summary{s} })
		require.Contains(t, body(visitAs(t, club)), want)
	}
}

// The longest names of two players are whole.
func TestTwoLongNamesAreWhole(t *testing.T) {
	club := evening()
	s := tab(31, "classic", []string{"Maximiliana-Theo", "Bartholomew-Quin"}, plays(7, 2, 35, 10))
	club.next(func(snap *lobby.Snapshot) { snap.Tables = []table.Summary{s} })
	d := visitAs(t, club)
	for _, w := range []int{80, 100, 110, 120, 140, 160, 200} {
		require.Regexp(t, `Maximiliana-Theo 35 ?: ?10 Bartholomew-Quin`, bodyAt(d, w, 30), "%d columns", w)
	}
}

// However wide the list is, a table's name is whole, and no player's name is cut for it.
func TestTheNameOfATableIsWholeOrAbsent(t *testing.T) {
	const name, players = "Friday night owls", "kim 5 : 10 nora.bot"
	s := tab(31, "classic", []string{"kim", "nora.bot"}, plays(2, 0, 5, 10), with(func(c *table.Config) { c.Name = name }))
	page := visitAs(t, evening()).Page.(*Page)
	for w := len(players); w < 60; w++ {
		got := ""
		for _, piece := range page.players(&s, w) {
			got += piece.Text
		}
		want := players
		if w >= len(name+": "+players) {
			want = name + ": " + players
		}
		require.Equal(t, want, strings.TrimRight(got, " "), "%d columns", w)
	}
}

// The line that offers the daily deal says more than the key below it.
func TestTheDailyDealIsExplained(t *testing.T) {
	page := visitAs(t, evening()).Page.(*Page)
	page.daily = 12
	for w := 40; w < 120; w++ {
		require.Regexp(t, `Daily deal 12: .*\.$`, ansi.Strip(page.offer(w)), "%d columns", w)
	}
}

// If the list has no room for all columns, the players have the widest.
func TestPlayersHaveRoom(t *testing.T) {
	for w := 40; w < 200; w++ {
		c := columnsFor(w, 99)
		require.GreaterOrEqual(t, c.players, 19, w)
		require.True(t, c.small || c.players >= 26, w)
	}
	require.Equal(t, 7, columnsFor(40, 1234567).number, "numbers are whole after years, too")
	d := visitAs(t, evening())
	require.Contains(t, ansi.Strip(strings.Join(d.Lines(66, 24), "\n")), "cleopatra, nora.bot, free")
}
