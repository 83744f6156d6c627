package admin

import (
	"context"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/charmbracelet/x/ansi"
	"github.com/stretchr/testify/require"

	"boneyard/lobby"
	"boneyard/lobby/lobbytest"
	"boneyard/lobby/text/texttest"
	"boneyard/table"
	"boneyard/ui/feature"
	"boneyard/ui/page"
	"boneyard/ui/page/clubtest"
	"boneyard/ui/page/pagetest"
)

// suspicious is a store in which two people look like cheats.
type suspicious struct{ lobby.Moderation }

func (suspicious) Suspicions(context.Context, time.Time, int) ([]lobby.Suspicion, error) {
	return []lobby.Suspicion{
		{Player: 1, Name: "ana", Other: 3, Against: "ben", Games: 20, Count: 19},
		{Player: 3, Name: "ben", Games: 21, Count: 14},
	}, nil
}

// operator enters a club where something has happened, as somebody who runs it, and returns the page.
func operator(t *testing.T) (*page.Env, *pagetest.Driver) {
	t.Helper()
	ctx := context.Background()
	club := clubtest.Open(t, func(s *lobbytest.Store) {
		s.Replace = func(all *lobby.Stores) { all.Moderation = suspicious{all.Moderation} }
	})
	ana := club.Come("ana")
	_, err := ana.NewTable(ctx, table.DefaultConfig())
	require.NoError(t, err)
	_, err = ana.Say(ctx, "/report ben calls me names")
	require.NoError(t, err)
	key := lobby.KeyID{200}
	a, err := club.Register(ctx, lobby.Origin{Key: key}, "olga")
	require.NoError(t, err)
	v, err := club.Enter(ctx, a, lobby.Origin{Key: key, Net: "10.0.2.1", Operator: true, Terminal: "xterm"})
	require.NoError(t, err)
	t.Cleanup(func() { v.Close(table.Left) })
	club.Come("ben")
	_, err = v.Say(ctx, "/mute ben 2h calls others names")
	require.NoError(t, err)
	_, err = v.Say(ctx, "/ban 203.0.113.0/24 flood")
	require.NoError(t, err)

	e := pagetest.Env(t, v)
	e.Figures = func() []page.Figure {
		return []page.Figure{{Name: "sessions", Value: "3"}, {Name: "journal", Value: "0.6 ms median"}, {Name: "up", Value: "3h0m0s"}}
	}
	d := pagetest.Drive(New(e, feature.Talker{Visit: v}, page.Target{}))
	pagetest.Await(t, v, d, func(lines []string) bool { return strings.Contains(strings.Join(lines, "\n"), "ben") })
	return e, d
}

func TestLooks(t *testing.T) {
	e, d := operator(t)
	for _, name := range []string{"people", "tables", "sanctions", "reports", "audit", "suspicions"} {
		pagetest.Golden(t, e, d.Page, name)
		d.Press("right")
	}
	d.Press("/")
	d.Type("kick ben")
	pagetest.Golden(t, e, d.Page, "typing")
}

// shown is the page as text.
func shown(d *pagetest.Driver) string { return ansi.Strip(strings.Join(d.Lines(100, 30), "\n")) }

func TestCommandsAreSentAndAnswered(t *testing.T) {
	_, d := operator(t)
	d.Press("right", "right")
	require.Contains(t, shown(d), "203.0.113.0/24")
	d.Press("enter") // on the newest sanction: lifts it
	require.Contains(t, shown(d), "/unban 203.0.113.0/24")
	d.Press("enter")
	require.Contains(t, pagetest.Take[page.Toast](t, d).Text, "1 lifted.")
	require.NotContains(t, shown(d), "203.0.113.0/24", "the list is as it is now")
	require.Contains(t, shown(d), "ben")

	d.Press("/")
	d.Type("nonsense")
	d.Press("enter")
	require.Contains(t, pagetest.Take[page.Toast](t, d).Text, "no such command")
	d.Press("/", "esc")
	require.False(t, d.Page.Chrome().Typing)
	require.Empty(t, d.Sent)
}

func TestOthersSeeNothing(t *testing.T) {
	club := clubtest.Open(t)
	ana := club.Come("ana")
	d := pagetest.Drive(New(pagetest.Env(t, ana), feature.Talker{Visit: ana}, page.Target{}))
	require.Contains(t, shown(d), "Only an operator may do that.")
	require.NotContains(t, shown(d), "ana")
}

func TestItAsksAgainOnlyWhenItsTimeHasCome(t *testing.T) {
	e, d := operator(t)
	asked := 0
	e.Figures = func() []page.Figure { asked++; return nil }
	p := d.Page.(*Page)
	next := p.NextTick(pagetest.Now)
	require.Equal(t, pagetest.Now.Add(refreshEvery), next)
	d.Send(page.TickMsg{Now: next.Add(-time.Millisecond)})
	require.Zero(t, asked)
	d.Send(page.TickMsg{Now: next})
	require.Equal(t, 1, asked)
}

// counting is a club that counts how often it looks for suspicions.
type counting struct {
	hostile
	looks int
}

func (c *counting) Suspicions(ctx context.Context, limit int) ([]lobby.Suspicion, error) {
	c.looks++
	return c.hostile.Suspicions(ctx, limit)
}

func TestSuspicionsAreLookedForNowAndThenWhileTheyAreShown(t *testing.T) {
	e, club := pagetest.Env(t, nil), &counting{hostile: hostile{text: "ana"}}
	now := pagetest.Now
	e.Now = func() time.Time { return now }
	d := pagetest.Drive(New(e, club, page.Target{}))
	tick := func(by time.Duration) {
		now = now.Add(by)
		d.Send(page.TickMsg{Now: now})
	}
	tick(time.Hour)
	require.Zero(t, club.looks)
	d.Press("left")
	require.Equal(t, 1, club.looks)
	require.Contains(t, shown(d), "Suspicions (2)")
	tick(suspectEvery - time.Second)
	require.Equal(t, 1, club.looks)
	require.Contains(t, shown(d), "Suspicions (2)", "what was found stays")
	tick(refreshEvery)
	require.Equal(t, 2, club.looks)
	d.Press("left")
	tick(time.Hour)
	require.Equal(t, 2, club.looks)
}

// hostile is a club whose every word is hostile.
type hostile struct{ text string }

func (h hostile) Operator() bool { return true }

func (h hostile) Snapshot() *lobby.Snapshot {
	p := table.Player{ID: 1, Name: h.text}
	return &lobby.Snapshot{
		People: []lobby.Person{{Player: p, Doing: h.text}},
		Tables: []table.Summary{{Config: table.Config{Name: h.text}, State: table.State(h.text), Seats: []table.SeatView{{Player: p}}}},
	}
}

func (h hostile) Sanctions(context.Context) ([]lobby.Sanction, error) {
	return []lobby.Sanction{{Kind: h.text, Name: h.text, Why: h.text, By: h.text}}, nil
}

func (h hostile) Reports(context.Context, int) ([]lobby.Report, error) {
	return []lobby.Report{{About: h.text, Text: h.text, Where: h.text}}, nil
}

func (h hostile) AuditLog(context.Context, int) ([]lobby.AuditEntry, error) {
	return []lobby.AuditEntry{{By: h.text, Did: h.text, Whom: h.text, Why: h.text}}, nil
}

func (h hostile) Suspicions(context.Context, int) ([]lobby.Suspicion, error) {
	return []lobby.Suspicion{{Name: h.text, Against: h.text, OneNetwork: true}, {Name: h.text}}, nil
}

func (h hostile) Say(context.Context, string) (string, error) { return h.text, nil }

func TestHostileTextIsInert(t *testing.T) {
	for _, c := range texttest.Hostile() {
		t.Run(c.Name, func(t *testing.T) {
			e := pagetest.Env(t, nil)
			d := pagetest.Drive(New(e, hostile{text: c.Text}, page.Target{}))
			for range lists {
				pagetest.CheckHostile(t, d.Page, c)
				d.Press("enter")
				pagetest.CheckHostile(t, d.Page, c)
				d.Press("esc", "right")
			}
			d.Press("/")
			d.Type("x")
			d.Press("enter")
			pagetest.CheckHostile(t, d.Page, c)
		})
	}
}

func TestMouse(t *testing.T) {
	e, d := operator(t)
	d.Press("right", "right")
	row := slices.IndexFunc(d.Lines(100, 30), func(line string) bool { return strings.Contains(line, "calls others names") })
	d.Click(10, row)
	require.NotContains(t, shown(d), "/unmute")
	d.Click(10, row)
	require.Contains(t, shown(d), "/unmute ben")
	d.Press("esc")
	row = slices.IndexFunc(d.Lines(100, 30), func(line string) bool { return strings.Contains(line, "Audit log") })
	d.Click(strings.Index(ansi.Strip(d.Lines(100, 30)[row]), "Audit log"), row)
	require.Contains(t, shown(d), "[Audit log (", "the name of a list is clicked")
	again := pagetest.Drive(New(e, d.Page.(*Page).club, d.Page.Chrome().Reopen))
	require.Contains(t, shown(again), "[Audit log (", "the page opens as it was left")
}

// The cursor stays on the chosen person, whoever comes and goes; at the top it stays there.
func TestTheCursorStaysOnItsRow(t *testing.T) {
	report := func(about string) lobby.Report { return lobby.Report{At: time.Now(), By: 7, About: about} }
	club := &reported{hostile{"x"}, []lobby.Report{report("ana"), report("ben"), report("cem")}}
	d := pagetest.Drive(New(pagetest.Env(t, nil), club, page.Target{}))
	d.Press("right", "right", "right", "down")
	club.reports = append([]lobby.Report{report("dora")}, club.reports...)
	ask := func() { d.Do(d.Page.(*Page).Init()) }
	ask()
	d.Press("enter")
	require.Contains(t, shown(d), "/mute ben 30m")
	d.Press("esc", "home")
	club.reports = append([]lobby.Report{report("eve")}, club.reports...)
	ask()
	d.Press("enter")
	require.Contains(t, shown(d), "/mute eve 30m")
}

// reported is a club with reports.
type reported struct {
	hostile
	reports []lobby.Report
}

func (r *reported) Reports(context.Context, int) ([]lobby.Report, error) { return r.reports, nil }

// The list of commands is longer than a screen, and its lines are wider than one.
func TestALongReplyIsReadToItsEnd(t *testing.T) {
	_, d := operator(t)
	d.Press("/")
	d.Type("help")
	d.Press("enter")
	read := ""
	for range 100 {
		read += strings.Join(strings.Fields(shown(d)), " ")
		d.Press("down")
	}
	for _, c := range lobby.Commands() {
		require.Contains(t, read, c.Does)
	}
	d.Press("x")
	require.Contains(t, shown(d), "People")
}
