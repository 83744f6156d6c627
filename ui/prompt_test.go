package ui

import (
	"testing"
	"time"

	tea "charm.land/bubbletea/v2"
	"github.com/charmbracelet/x/ansi"
	"github.com/stretchr/testify/require"

	"boneyard/lobby/event/arena"
	"boneyard/lobby/lobbytest"
	"boneyard/table"
	"boneyard/ui/page"
)

// An invitation's keys work one second after they are shown; no note covers them. A page for typing says how
// to join later.
func TestAPromptIsAnsweredOnTheSpot(t *testing.T) {
	lobbytest.Bubble(t, func(t *testing.T, club *lobbytest.Club) {
		ana, ben := walk(t, club.Lobby, 1, newMember(t, club.Lobby, 1, "ana")), walk(t, club.Lobby, 1, newMember(t, club.Lobby, 2, "ben"))
		at := ownTable("classic", func(*table.Config) {})(t, club.Lobby, ana)
		w := 80
		foot := func() string {
			around := ben.m.page.Chrome()
			return ansi.Strip(ben.m.foot(&around, ben.m.said(w), w))
		}

		_, err := ana.m.env.Visit.SayAt(t.Context(), at.Table, "/invite ben")
		require.NoError(t, err)
		ben.give(page.ClubUpdateMsg{})
		settled := func() {
			t.Helper()
			require.NotContains(t, foot(), "9 join")
			time.Sleep(settles)
			ben.settle()
			require.Contains(t, foot(), "ana invites you to table")
			require.Contains(t, foot(), "9 join   0 decline")
		}
		settled()
		w = 40
		require.Equal(t, " Table 1: ana inv…   9 join   0 decline", foot())
		w = 80

		ben.press(tea.KeyPressMsg{Code: 't', Text: "t"})
		require.Contains(t, foot(), "(later: j ")
		require.NotContains(t, foot(), "9 join")
		ben.press(tea.KeyPressMsg{Code: tea.KeyEscape})
		settled()
		for i := range pages { // a number in the header leads to its page, whatever is asked
			ben.press(page.KeyPress(tabKey(i)))
			require.Equal(t, pages[i].kind, ben.m.at.Kind)
			require.Contains(t, foot(), "9 join   0 decline")
		}
		ben.does("9", page.KeyPress("9"))
		require.Equal(t, page.Table, ben.m.at.Kind)
	})
}

// An event leads its players to their tables by itself, but nobody away from what they are typing.
func TestAnEventLeadsToItsTable(t *testing.T) {
	lobbytest.Bubble(t, func(t *testing.T, club *lobbytest.Club) {
		boss := newMember(t, club.Lobby, 1, "olga")
		boss.Origin.Operator = true
		ana, ben := walk(t, club.Lobby, 1, newMember(t, club.Lobby, 2, "ana")), walk(t, club.Lobby, 1, newMember(t, club.Lobby, 3, "ben"))
		cfg := arena.Config{Rules: "classic", Pace: table.PaceFast}
		id, err := visit(t, club.Lobby, boss).NewArena(t.Context(), cfg, time.Now(), time.Hour)
		require.NoError(t, err)
		ben.press(tea.KeyPressMsg{Code: 't', Text: "t"})
		for _, w := range []*walker{ana, ben} {
			require.NoError(t, w.m.env.Visit.EnterEvent(t.Context(), arena.Kind, id, ""))
		}
		time.Sleep(5 * time.Second)
		arrives := func(w *walker) {
			t.Helper()
			w.does("news", page.ClubUpdateMsg{})
			require.Equal(t, page.Table, w.m.at.Kind)
			w.does("news", page.ClubUpdateMsg{})
			require.Empty(t, w.m.toast.Text, "they know it")
		}
		arrives(ana)
		ben.does("news", page.ClubUpdateMsg{})
		require.Equal(t, page.Lobby, ben.m.at.Kind)
		require.Equal(t, "Your next game is at table 1.", ben.m.toast.Text)
		ben.press(tea.KeyPressMsg{Code: tea.KeyEscape})
		arrives(ben)
		ben.press(page.KeyPress("q"))
	})
}
