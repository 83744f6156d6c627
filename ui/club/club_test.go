package club

import (
	"errors"
	"slices"
	"strings"
	"testing"

	"charm.land/bubbles/v2/key"
	tea "charm.land/bubbletea/v2"
	"github.com/charmbracelet/x/ansi"
	"github.com/stretchr/testify/require"

	"boneyard/lobby"
	"boneyard/table"
	"boneyard/ui/page"
	"boneyard/ui/page/pagetest"
)

// body is the page at 80×24, as text.
func body(d *pagetest.Driver) string { return bodyAt(d, 80, 20) }

func bodyAt(d *pagetest.Driver, w, h int) string {
	var b strings.Builder
	for _, s := range d.Lines(w, h) {
		b.WriteString(strings.TrimRight(ansi.Strip(s), " ") + "\n")
	}
	return b.String()
}

func chosen(d *pagetest.Driver) table.ID { return d.Page.(*Page).chosen }

func update(d *pagetest.Driver, c *fakeClub, change func(*lobby.Snapshot)) {
	c.next(change)
	d.Send(page.ClubUpdateMsg{})
}

func toTable(id table.ID) page.GotoMsg {
	return page.GotoMsg{To: page.Target{Kind: page.Table, Table: id}}
}

func TestEnterDoesWhatTheHelpLineSays(t *testing.T) {
	for _, c := range []struct {
		at   table.ID
		does string
		sits bool
		goes table.ID
	}{
		{4, "go to your seat", false, 4},
		{12, "sit down", true, 12},
		{8, "watch", false, 8},
		{17, "watch", false, 17}, // for two teams, and ana has none
	} {
		club := evening()
		d := visitAs(t, club)
		for chosen(d) != c.at {
			before := chosen(d)
			d.Press("down")
			require.NotEqual(t, before, chosen(d), "table %d is not in the list", c.at)
		}
		require.Equal(t, c.does, d.Page.Actions().Keys()[0].Help().Desc)
		watch := slices.ContainsFunc(d.Page.Actions().Keys(), func(k key.Binding) bool { return k.Help().Key == "w" })
		require.Equal(t, c.does != "watch", watch, "one key is listed for one thing")
		d.Press("enter")
		require.Equal(t, toTable(c.goes), pagetest.Take[page.GotoMsg](t, d))
		require.Equal(t, c.sits, len(club.did) == 1, "table %d", c.at)
	}
}

func TestPrivateTableWithoutWatchersAsksForItsCode(t *testing.T) {
	club := evening()
	d := visitAs(t, club)
	for chosen(d) != 21 {
		d.Press("down")
	}
	d.Press("w")
	require.Contains(t, pagetest.Take[page.Toast](t, d).Text, "can't be watched")
	d.Press("enter")
	d.Type("k7qx")
	d.Press("enter")
	require.Equal(t, []string{"k7qx"}, club.joined)
	require.Equal(t, toTable(42), pagetest.Take[page.GotoMsg](t, d))
}

// A private table says who may watch it, and asks for no code if no seat is free.
func TestPrivateTablesSayWhoMayWatch(t *testing.T) {
	for want, change := range map[string]func(*lobby.Snapshot){
		"join by code · only its players see it":  func(*lobby.Snapshot) {},
		"join by code · anyone may watch":         func(s *lobby.Snapshot) { s.Tables[4].Config.Watchers = true },
		"private · anyone may watch · 5 watching": func(s *lobby.Snapshot) { s.Tables[4] = full(true) },
		"private · only its players see it":       func(s *lobby.Snapshot) { s.Tables[4] = full(false) },
	} {
		club := evening()
		change(club.snap)
		d := visitAs(t, club)
		for range 20 {
			if chosen(d) != 21 {
				d.Press("down")
			}
		}
		require.Contains(t, bodyAt(d, 120, 36), want)
	}
}

// The details of a private table with open hands fit into a terminal of usual size.
func TestPrivateTableWithOpenHandsFits(t *testing.T) {
	for _, state := range []func(*table.Summary){
		func(*table.Summary) {},
		func(s *table.Summary) { s.Watchers = 120 },
		func(s *table.Summary) { s.Config.RuleText = "classic target=100" },
		func(s *table.Summary) { s.State, s.Game, s.Scores = table.Gathering, 7, []int{205, 170} },
		func(s *table.Summary) { *s = full(true); s.Watchers = 12 },
	} {
		club := evening()
		s := &club.snap.Tables[4]
		state(s)
		s.Config.Watchers, s.Config.OpenHands = true, true
		d := visitAs(t, club)
		for range 20 {
			if chosen(d) != 21 {
				d.Press("down")
			}
		}
		screen := bodyAt(d, 80, 20)
		require.Regexp(t, "join by code · .*watchers see hands after 2 min|private · .*watchers see hands after 2 min · casual", screen)
		require.NotContains(t, screen, "hands after 2 min…")
	}
}

// full is a private table without a free seat.
func full(watchers bool) table.Summary {
	return tab(21, "sniff", []string{"emil", "fay"}, plays(2, 1, 10, 20), func(s *table.Summary) {
		if s.Config.Access, s.Config.Watchers = table.AccessCode, watchers; watchers {
			s.Watchers = 5
		}
	})
}

func TestSeatIsTakenByOthers(t *testing.T) {
	club := evening()
	club.err = errors.New("somebody sits there already")
	d := visitAs(t, club)
	d.Press("down", "enter")
	require.Equal(t, "Somebody sits there already.", pagetest.Take[page.Toast](t, d).Text)
	club.err = nil
	d.Press("enter")
	require.Equal(t, toTable(12), pagetest.Take[page.GotoMsg](t, d))
}

func TestQuickPlayGoesByTheGameOnShow(t *testing.T) {
	club := evening()
	d := visitAs(t, club)
	d.Press("p", "g", "p", "e", "h")
	require.Equal(t, []lobby.QuickPrefs{{}, {Game: "azneef"}, {Game: "azneef", Wish: lobby.QuickEasy},
		{Game: "azneef", Wish: lobby.QuickHard}}, club.prefs)
	d.Sent = nil
	d.Press("v")
	require.Equal(t, page.Target{Kind: page.Table, Table: 42}, pagetest.Take[page.GotoMsg](t, d).To)
	d.Sent = nil
	d.Press("n")
	require.Equal(t, page.NewTable, pagetest.Take[page.GotoMsg](t, d).To.Kind)
}

// After quick play, people read which game they are joining.
func TestQuickPlaySaysWhatOneIsJoining(t *testing.T) {
	club := evening()
	d := visitAs(t, club)
	club.mine = []table.Summary{tab(40, "block", []string{"ana", "", "", ""}), tab(41, "spruce", []string{"ben", "ana"})}
	d.Press("p")
	require.Equal(t, []tea.Msg{toTable(41), page.Say("Spruce to 250 against ben.")}, d.Sent)
	club.mine[1].Rated = true
	for w, say := range map[int]string{40: "Spruce to 250 against ben; rated.", 30: "Spruce to 250 against ben"} {
		d.Sent = nil
		d.Lines(w, 20)
		d.Press("p")
		require.Equal(t, page.Say(say), d.Sent[1])
	}
}

func TestMouse(t *testing.T) {
	club := evening()
	d := visitAs(t, club)
	body(d)
	d.Click(10, 3)
	require.EqualValues(t, 12, chosen(d))
	require.Empty(t, d.Sent)
	d.Click(10, 3)
	require.Equal(t, []table.ID{12}, club.did)
	require.Equal(t, toTable(12), pagetest.Take[page.GotoMsg](t, d))
	d.Click(40, 18)
	require.Equal(t, news, d.Page.(*Page).focus)
	require.Empty(t, d.Sent)
	d.Click(40, 18)
	require.EqualValues(t, 408, pagetest.Take[page.GotoMsg](t, d).To.Game)
	bodyAt(d, 120, 31) // the fourth item begins in the seventh row
	for range 2 {
		d.Click(100, 25)
	}
	require.EqualValues(t, 390, pagetest.Take[page.GotoMsg](t, d).To.Game)
}

// The wheel moves the panel under it, but not the input line.
func TestTheWheelsPanel(t *testing.T) {
	d := visitAs(t, evening())
	bodyAt(d, 120, 31)
	p := d.Page.(*Page)
	l := p.layout()
	for i, r := range l.panels {
		p.FocusAt(r.x+1, r.y+1)
		require.Equal(t, panel(i), p.focus)
	}
	p.FocusAt(l.say.x, l.say.y)
	require.Equal(t, news, p.focus, "no panel is there")
	d.Press("/")
	p.FocusAt(l.panels[people].x+1, l.panels[people].y+1)
	require.Equal(t, tables, p.focus)
	d.Press("esc")
	bodyAt(d, 40, 12)
	p.FocusAt(1, 5)
	require.Equal(t, tables, p.focus, "one panel is seen")
}
