package ui

import (
	"testing"
	"time"

	tea "charm.land/bubbletea/v2"
	"github.com/charmbracelet/x/ansi"
	"github.com/stretchr/testify/require"

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
		foot := func() string {
			around := ben.m.page.Chrome()
			return ansi.Strip(ben.m.foot(&around, ben.m.said(80), 80))
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
