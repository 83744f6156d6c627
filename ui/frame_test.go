package ui

import (
	"slices"
	"strings"
	"testing"

	tea "charm.land/bubbletea/v2"
	"github.com/charmbracelet/x/ansi"
	"github.com/stretchr/testify/require"

	"boneyard/lobby"
	"boneyard/lobby/event"
	"boneyard/lobby/event/arena"
	"boneyard/lobby/event/field"
	"boneyard/lobby/lobbytest"
	"boneyard/table"
	"boneyard/ui/feature"
	"boneyard/ui/page"
	"boneyard/ui/page/pagetest"
)

// On any page, a player at several tables sees that another one waits for their move, and how to get there.
func TestAnotherTableAwaits(t *testing.T) {
	lobbytest.Bubble(t, func(t *testing.T, club *lobbytest.Club) {
		ana := walk(t, club.Lobby, 1, newMember(t, club.Lobby, 1, "ana"))
		playing := ownTable("classic", func(c *table.Config) { c.Fill, c.Pace = table.FillNow, table.PaceSlow })
		rung := 0
		ana.m.settings.Bell, ana.m.env.Bell = true, func() { rung++ }
		first, second := playing(t, club.Lobby, ana), playing(t, club.Lobby, ana)
		ana.give(page.ClubUpdateMsg{})
		require.Equal(t, 1, rung, "a bell for what is new, not one for each table")
		shows := func(to page.Target, want string) {
			t.Helper()
			ana.carryOut(ana.m.open(to, false))
			ana.settle()
			ana.give(page.ClubUpdateMsg{})
			c := ana.m.page.Chrome()
			require.Contains(t, ansi.Strip(ana.m.foot(&c, ana.m.said(80), 80)), want)
			require.Contains(t, ana.m.title(&c), "Your turn")
		}
		shows(page.Target{Kind: page.Lobby}, "")
		shows(page.Target{Kind: page.Games}, "Your turn at 2 tables. Press 1, then Enter.")
		ana.press(page.KeyPress("/"))
		c := ana.m.page.Chrome()
		require.Equal(t, "Your turn at 2 tables.", strings.TrimSpace(ansi.Strip(ana.m.foot(&c, ana.m.said(80), 80))),
			"what is typed is text: no key is named")
		shows(page.Target{Kind: page.Calendar}, "Your turn at 2 tables. Press 1, then Enter.")
		shows(second, "Your turn at table 1. Press q to go back.")
		ana.resize(40, 12)
		require.Contains(t, ansi.Strip(ana.m.frame().Lines[0]), " your turn at 1 ")
		ana.resize(80, 24)
		shows(first, "Your turn at table 2. Press q to go back.")
		ana.press(tea.KeyPressMsg{Code: 'q', Text: "q"})
		ana.press(tea.KeyPressMsg{Code: 'y', Text: "y"})
		require.Equal(t, page.Lobby, ana.m.at.Kind)
		ana.press(tea.KeyPressMsg{Code: tea.KeyEnter})
		require.Equal(t, page.Table, ana.m.at.Kind)
		require.Equal(t, 1, rung, "no bell again for what one has heard of, nor for what one goes to")
	})
}

// The title of the list of keys ends in an ellipsis if it is too long, beside an explanation too.
func TestTheListOfKeysCutsItsTitle(t *testing.T) {
	lobbytest.Bubble(t, func(t *testing.T, club *lobbytest.Club) {
		ana := walk(t, club.Lobby, 1, Session{Caller: feature.Caller{Origin: lobby.Origin{Net: "10.0.0.1"}}})
		ana.carryOut(ana.m.open(ownTable("classic", func(c *table.Config) { c.Name = "The night owls of May" })(t, club.Lobby, ana), false))
		ana.settle()
		require.Regexp(t, `Keys: .*…  +All Fives`, ansi.Strip(strings.Join(ana.m.allKeys(80, 20), "\n")))
	})
}

// A header of 76 columns has the names of all pages with number keys; one of 100 has the club's name before
// them.
func TestTheHeaderHasAllNames(t *testing.T) {
	for _, w := range []int{76, 100} {
		drawn := ansi.Strip((&header{theme: pagetest.Dark, w: w, who: "ana"}).draw())
		for i, p := range pages {
			require.Contains(t, drawn, " "+tabKey(i)+" "+p.name+" ",
				"%d columns have no room for the names of all pages; have another page lead to one more", w)
		}
	}
}

// If a page shows everything, no key scrolls.
func TestWhatIsSeenIsNotScrolled(t *testing.T) {
	lobbytest.Bubble(t, func(t *testing.T, club *lobbytest.Club) {
		ana := walk(t, club.Lobby, 1, Session{Caller: feature.Caller{Origin: lobby.Origin{Net: "10.0.0.1"}}})
		for _, kind := range []page.Kind{page.Rules, page.Daily} {
			ana.carryOut(ana.m.open(page.Target{Kind: kind}, false))
			ana.settle()
			for _, h := range []int{12, 200} {
				ana.give(tea.WindowSizeMsg{Width: 40, Height: h})
				scrolls := slices.ContainsFunc(ana.m.page.Actions(), func(a page.Action) bool { return a.Role == page.Scrolls })
				require.Equal(t, h == 12 && kind == page.Rules, scrolls, "page %s in %d rows", kind, h) // the deal is short
			}
		}
	})
}

// If a list is empty, no key chooses.
func TestEmptyListsOfferNoChoice(t *testing.T) {
	lobbytest.Bubble(t, func(t *testing.T, club *lobbytest.Club) {
		ana := walk(t, club.Lobby, 1, Session{Caller: feature.Caller{Origin: lobby.Origin{Net: "10.0.0.1", Operator: true}}})
		always := []page.Kind{page.Lobby, page.Settings, page.NewTable, page.NewArena} // there is something to choose in any club
		for kind := range makers {
			if slices.Contains(always, kind) {
				continue
			}
			ana.carryOut(ana.m.open(page.Target{Kind: kind}, false))
			ana.settle()
			for _, a := range ana.m.page.Actions() {
				require.NotEqual(t, page.Chooses, a.Role, "%s on the page %q", a.Help().Desc, page.Target{Kind: kind})
			}
		}
	})
}

// q leads back to the row from which another page was opened, once the list has been loaded again.
func TestBackToTheRow(t *testing.T) {
	lobbytest.Bubble(t, func(t *testing.T, club *lobbytest.Club) {
		var last *walker
		for i, name := range []string{"ana", "ben", "cem"} {
			last = walk(t, club.Lobby, 1, newMember(t, club.Lobby, byte(i+1), name))
			_, err := last.m.env.Visit.CreateTeam(t.Context(), "The team of "+name, strings.ToUpper(name))
			require.NoError(t, err)
		}
		row := func() int { return last.m.page.(page.Rowed).Row() }
		last.carryOut(last.m.open(page.Target{Kind: page.Teams}, false))
		last.settle()
		for _, k := range []string{"down", "down", "enter"} {
			last.press(page.KeyPress(k))
		}
		require.Equal(t, page.TeamPage, last.m.at.Kind)
		last.press(page.KeyPress("q"))
		require.Equal(t, page.Teams, last.m.at.Kind)
		require.Equal(t, 2, row())
		last.press(page.KeyPress("up"))
		require.Equal(t, 1, row())
	})
}

func TestBegins(t *testing.T) {
	foot := func(s *event.Soon, at page.Target, w int) string {
		say, press := begins(s, at, w-2)
		return strings.TrimSpace(ansi.Strip(hint(pagetest.Plain, say, press, w)))
	}
	lobby, games := page.Target{Kind: page.Lobby}, page.Target{Kind: page.Games}
	require.Empty(t, foot(nil, games, 80))
	three := &event.Soon{Kind: arena.Kind, Event: 3, Says: "Arena 3 begins at 20:00 UTC", Brief: "Arena 3, 20:00 UTC"}
	require.Equal(t, "Arena 3 begins at 20:00 UTC: press 1, then A.", foot(three, games, 80))
	require.Equal(t, "Arena 3, 20:00 UTC: press 1, then A.", foot(three, games, 40))
	require.Equal(t, "Arena 3, 20...: press 1, then A.", foot(three, games, 34), "the key is never cut")
	require.Empty(t, foot(three, page.Target{Kind: page.Arena, Event: 3}, 80), "its page is shown")
	require.Empty(t, foot(three, page.Target{Kind: page.Arena}, 80), "the list with it is shown")
	four := &event.Soon{Kind: field.Kind, Event: 4, Says: "Duplicate arena 4 begins at 20:00 UTC"}
	require.Equal(t, "Duplicate arena 4 begins at 20:00 UTC: press D.", foot(four, lobby, 80))
	require.Empty(t, foot(four, page.Target{Kind: page.Duplicate}, 80), "the list with it is shown")
}

// What has just happened is said in two lines if one has no room for it, as a hint at 80 columns. A question is said whole.
func TestWhatIsSaidIsWhole(t *testing.T) {
	const hint = "Hint: 6-3 on the left: it scores 15 points, and the best answer is worth about 4."
	m := &model{width: 80, height: 24, env: &page.Env{Theme: pagetest.Plain}, toast: page.Say(hint)}
	said := func(w, want int) string {
		lines := m.said(w)
		require.Len(t, lines, want, "%d columns", w)
		for _, l := range lines {
			require.Equal(t, w, page.Width(l))
		}
		return strings.Join(strings.Fields(ansi.Strip(strings.Join(lines, " "))), " ")
	}
	require.Equal(t, hint, said(80, 2))
	require.Equal(t, hint, said(120, 1))
	require.Equal(t, "Hint: 6-3 on the left: it scores 15 points, and the best answer is wort...", said(40, 2))
	m.asking = "Resign? Nobody else plays: the game ends without a result."
	for _, m.height = range []int{12, 24} {
		for w, lines := range map[int]int{40: 2, 60: 2, 61: 2, 67: 1, 80: 1} {
			require.Equal(t, m.asking+" y or n", said(w, lines))
		}
	}
	m.asking = "Leave 7 games? Each of them is lost, and all that were rated count. Their opponents are told."
	require.Equal(t, m.asking+" y or n", said(40, 3))
}

// On a screen whose foot the keys need, the header says that another table waits.
func TestASmallScreenSaysWhichTableWaits(t *testing.T) {
	for _, w := range []int{40, 80} {
		h := header{theme: pagetest.Plain, w: w, who: "ana", title: "Table 3: classic to 200", waits: "* your turn at 12"}
		require.Regexp(t, `^ (Boneyard  )?Table 3: classic.* \* your turn at 12 $`, ansi.Strip(h.draw()))
		require.Equal(t, -1, h.at(20))
	}
}

// Whatever is in a calendar, its entries lead to a page.
func TestEventsHavePages(t *testing.T) {
	for kind, is := range lobby.EventKinds() {
		if is.Dated {
			require.Contains(t, makers, page.EventTarget(kind, 1, "").Kind, kind)
		}
	}
}
