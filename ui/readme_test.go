package ui

import (
	"fmt"
	"os"
	"slices"
	"strings"
	"testing"
	"time"

	"charm.land/bubbles/v2/key"
	tea "charm.land/bubbletea/v2"
	"github.com/stretchr/testify/require"

	"boneyard/lobby"
	"boneyard/lobby/lobbytest"
	"boneyard/table"
	"boneyard/ui/feature"
	"boneyard/ui/golden"
	"boneyard/ui/page"
)

// README's table of keys has the keys that pages list, and what they do; -update writes it.
func TestReadmeHasTheKeys(t *testing.T) {
	shown := func(keys []key.Binding) string {
		var all []string
		for _, k := range keys {
			all = append(all, "**"+k.Help().Key+"** "+k.Help().Desc)
		}
		return strings.Join(all, " · ")
	}
	const letters = "; **k** **j** for up and down, **g** **G** for home and end, **ctrl+b** **ctrl+f** for pages where a page has no other use for them"
	rows := []string{
		"| where | keys |", "|---|---|",
		"| everywhere | " + shown([]key.Binding{keyPages, keyNext, keyPrev, page.KeyHelp, page.KeyBack, keyQuit}) + letters + " |",
	}
	for _, at := range []struct{ row, start string }{
		{"lobby", "lobby"}, {"before a game", "gathering"}, {"in play", "playing"}, {"watching", "gallery"}, {"replay", "replay"},
	} {
		lobbytest.Bubble(t, func(t *testing.T, c *lobbytest.Club) {
			s := starts[at.start]
			session := Session{Caller: feature.Caller{Key: &lobby.KeyID{7}, Origin: lobby.Origin{Net: "10.0.0.7", Key: lobby.KeyID{7}}}}
			a, err := c.Register(t.Context(), session.Origin, s.who)
			require.NoError(t, err)
			session.Account = a
			a.Settings.NoGuide = true // the keys of a person who has played before
			w := walk(t, c.Lobby, 1, session)
			if at.start == "lobby" { // where there is something to open
				played(t, w)
			}
			w.carryOut(w.m.open(s.open(t, c.Lobby, w), true))
			w.settle()
			ready := func() bool {
				switch at.start {
				case "playing":
					return w.m.page.Chrome().Turn != 0
				case "lobby": // where there is something to watch
					return slices.ContainsFunc(w.m.page.Actions().Keys(), func(k key.Binding) bool { return k.Help().Desc == "watch the best game" })
				}
				return true
			}
			for range 100 {
				if ready() {
					break
				}
				time.Sleep(time.Second)
				if at.start == "lobby" { // the exhibition plays a game for the first who come back
					w.carryOut(w.m.open(page.Target{Kind: page.Replay, Game: 1}, false))
					w.settle()
					w.carryOut(w.m.open(page.Target{Kind: page.Lobby}, false))
				}
				w.settle()
			}
			require.True(t, ready(), at.start)
			require.NotEqual(t, table.ID(0) == w.m.page.Chrome().Turn, at.start == "playing")
			if at.start == "replay" { // where there is something to scroll
				w.give(tea.WindowSizeMsg{Width: page.MinWidth, Height: page.MinHeight})
			}
			row := strings.Replace(shown(w.m.page.Actions().Keys()), "**1-2** one seat", "**1-4** one seat", 1) // as in a game of four
			rows = append(rows, fmt.Sprintf("| %s | %s |", at.row, row))
		}, func(c *lobby.Config) { c.Exhibition, c.Daily = true, true })
	}
	const readme = "../README.md"
	text, err := os.ReadFile(readme)
	require.NoError(t, err)
	before, rest, ok := strings.Cut(string(text), rows[0])
	require.True(t, ok, "README has the table")
	_, after, ok := strings.Cut(rest, "\n\n")
	require.True(t, ok)
	golden.File(t, readme, before+strings.Join(rows, "\n")+"\n\n"+after)
}
