package club_test

import (
	"boneyard/lobby"
	"context"
	"strings"
	"testing"
	"time"

	"github.com/charmbracelet/x/ansi"
	"github.com/stretchr/testify/require"

	"boneyard/table"
	"boneyard/ui/club"
	"boneyard/ui/feature"
	"boneyard/ui/page"
	"boneyard/ui/page/clubtest"
	"boneyard/ui/page/pagetest"
)

func contains(s string) func([]string) bool {
	return func(lines []string) bool { return strings.Contains(ansi.Strip(strings.Join(lines, "\n")), s) }
}

// Two people meet in a real lobby: one makes a table and says so, the other reads that and sits down.
func TestTwoMeet(t *testing.T) {
	c := clubtest.Open(t)
	ana, ben := c.Come("ana"), c.Come("ben")
	here := pagetest.Drive(club.New(pagetest.Env(t, ana), feature.Talker{Visit: ana}, page.Target{}))
	there := pagetest.Drive(club.New(pagetest.Env(t, ben), feature.Talker{Visit: ben}, page.Target{}))

	cfg := table.DefaultConfig()
	cfg.Fill = table.FillNever
	tab, err := ana.NewTable(context.Background(), cfg)
	require.NoError(t, err)
	here.Press("t")
	here.Type("who is up for a game?")
	here.Press("enter")
	pagetest.Await(t, ben, there, contains("ana  who is up for a game?"))
	pagetest.Await(t, ben, there, contains("ana : free"))

	there.Press("enter")
	require.Equal(t, page.GotoMsg{To: page.Target{Kind: page.Table, Table: tab.ID()}}, pagetest.Take[page.GotoMsg](t, there))
	pagetest.Await(t, ana, here, contains("ana : ben"))
}

func TestHelpIsShownToOneOnly(t *testing.T) {
	c := clubtest.Open(t)
	v := c.Come("ana")
	d := pagetest.Drive(club.New(pagetest.Env(t, v), feature.Talker{Visit: v}, page.Target{}))
	d.Press("t")
	d.Type("/help")
	d.Press("enter")
	require.True(t, contains("/report NAME TEXT - ")(d.Lines(80, 24)))
	require.Empty(t, v.Snapshot().Chat)
	d.Press("esc")
	require.True(t, contains("Nobody has said anything yet.")(d.Lines(80, 24)))
}

func TestQuickPlayLeadsToATable(t *testing.T) {
	c := clubtest.Open(t)
	v := c.Guest()
	d := pagetest.Drive(club.New(pagetest.Env(t, v), feature.Talker{Visit: v}, page.Target{}))
	require.True(t, contains("New here? p: a first round with a guide")(d.Lines(80, 20)))
	require.True(t, contains("New here? p shows you how to play.")(d.Lines(100, 12)), "right above what the help line says of p")
	d.Press("p")
	to := pagetest.Take[page.GotoMsg](t, d).To
	require.Equal(t, page.Table, to.Kind)
	require.Equal(t, to.Table, v.MyTables()[0].Table)
	require.True(t, v.MyTables()[0].Config.Guide)
	require.NoError(t, v.SaveSettings(t.Context(), lobby.Settings{NoGuide: true}))
	d = pagetest.Drive(club.New(pagetest.Env(t, v), feature.Talker{Visit: v}, page.Target{}))
	require.True(t, contains("You're a guest")(d.Lines(80, 20)))
	d.Press("j")
	d.Type("ZZZZ")
	d.Press("enter")
	require.Equal(t, string(lobby.ErrNoCode), pagetest.Take[page.Toast](t, d).Text)
	require.True(t, contains("Code ZZZZ")(d.Lines(80, 20)), "it can be corrected")
}

// The idle time of a person advances, and disappears when they are back.
func TestIdleTimePasses(t *testing.T) {
	c := clubtest.Open(t)
	ana, ben := c.Come("ana"), c.Come("ben")
	e, now := pagetest.Env(t, ana), pagetest.Now
	e.Now = func() time.Time { return now }
	d := pagetest.Drive(club.New(e, feature.Talker{Visit: e.Visit}, page.Target{}))
	pagetest.Await(t, ana, d, contains("ben"))
	row := func() string {
		for _, l := range d.Lines(80, 20) {
			if l = ansi.Strip(l); strings.Contains(l, "ben") {
				return l
			}
		}
		return ""
	}
	require.NotContains(t, row(), "idle")
	now = now.Add(4 * time.Minute)
	require.Contains(t, row(), "idle 4 min")
	now = now.Add(5 * time.Minute)
	require.Contains(t, row(), "idle 9 min")
	now = now.Add(30 * time.Hour)
	require.Contains(t, row(), "idle 30 h")
	ben.Active()
	now = pagetest.Now.Add(time.Minute)
	require.NotContains(t, row(), "idle")
}
