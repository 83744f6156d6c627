package club

import (
	"strings"
	"testing"
	"time"

	"github.com/charmbracelet/x/ansi"
	"github.com/stretchr/testify/require"

	"boneyard/lobby"
	"boneyard/lobby/event"
	"boneyard/lobby/event/arena"
	"boneyard/lobby/event/cup"
	"boneyard/lobby/event/daily"
	"boneyard/rules"
	"boneyard/table"
	"boneyard/ui/page"
	"boneyard/ui/page/pagetest"
)

// seen returns the gallery's view of a table of the club, after some moves of its round.
func seen(t *testing.T, c *fakeClub, id table.ID, moves int) *table.View {
	t.Helper()
	for i := range c.snap.Tables {
		s := &c.snap.Tables[i]
		if s.Table != id {
			continue
		}
		r := s.Config.Rules
		g, err := rules.New(r, s.Config.Seats)
		require.NoError(t, err)
		v := &table.View{Summary: *s, Play: g.View(0)}
		if moves == 0 {
			return v
		}
		g, err = g.Deal(rules.Seed{7}.Deal(&r, s.Config.Seats, 1))
		require.NoError(t, err)
		for n := 1; n <= moves; n++ {
			m := rules.Move{Seat: g.Turn(), Kind: g.Duty(), Arm: rules.NoArm}
			if m.Kind == rules.Play {
				m = g.Move(g.AppendChoices(nil)[0])
			}
			next, e, err := g.Apply(m)
			require.NoError(t, err)
			g = next
			v.Log = append(v.Log, &table.Entry{Number: n, Round: 1, Event: e})
		}
		v.Play = g.View(0)
		return v
	}
	require.Fail(t, "no such table", "%d", id)
	return nil
}

// busy is an evening with a table to see and events to come.
func busy(t *testing.T) *fakeClub {
	c := evening()
	c.views = map[table.ID]*table.View{4: seen(t, c, 4, 14), 12: seen(t, c, 12, 0), 8: seen(t, c, 8, 20)}
	today := pagetest.Now.Truncate(24 * time.Hour)
	at := func(min int) time.Time { return pagetest.Now.Add(time.Duration(min) * time.Minute) }
	c.coming = []event.Appointment{
		{Kind: daily.Kind, Begins: today, Ends: today.Add(24 * time.Hour), Title: "Daily deal"},
		{Kind: arena.Kind, Begins: at(-15), Ends: at(15), Title: "Arena 3, Friday night"},
		{Kind: arena.Kind, Begins: at(25), Ends: at(85), Title: "Arena 4, Late night"},
		{Kind: cup.Kind, Begins: at(225), Ends: at(315), Title: "Winter: your team plays The CAT", Own: true},
		{Kind: cup.Kind, Begins: at(3000), Ends: at(3000), Title: "Winter: round 2"},
	}
	c.past = &daily.Day{Key: "2026-11-20", Over: true}
	for i, name := range []string{"hana", "cleopatra", "zoe", "ben"} {
		c.past.Rows = append(c.past.Rows, daily.Row{Name: name, For: 240 - 10*i, Against: 120, Played: true, Game: 1, Place: i + 1})
	}
	return c
}

// ticks sends the lobby the ticks that it asks for.
func ticks(d *pagetest.Driver, now time.Time) {
	if at := d.Page.(page.Clock).NextTick(now); !at.IsZero() && !at.After(now) {
		d.Send(page.TickMsg{Now: now})
	}
}

// A click on something that is planned opens its page: on any of its lines, and nothing beside them.
func TestClickOnWhatIsPlanned(t *testing.T) {
	c := busy(t)
	for i := range c.coming {
		c.coming[i].Event = event.ID(i)
	}
	d := pagetest.Drive(New(pagetest.Env(t, nil), c, page.Target{}))
	d.Page.Resize(120, 36)
	ticks(d, pagetest.Now)
	opened := map[string]int{}
	for y, line := range d.Page.Lines() {
		d.Sent = nil
		d.Click(100, y)
		for _, msg := range d.Sent {
			if to, ok := msg.(page.GotoMsg); ok && to.To.Kind != page.Replay { // news
				opened[to.To.String()]++
				require.Regexp(t, map[string]string{
					"daily": "Daily deal", "arena 1": "Friday", "arena 2": "Late", "contest 3": "Winter|CAT", "contest 4": "round 2",
				}[to.To.String()], ansi.Strip(line))
			}
		}
	}
	require.Len(t, opened, 5, "%v", opened)
}

func TestPicturesOfALargeLobby(t *testing.T) {
	for name, keys := range map[string][]string{"plays": nil, "waits": {"down"}, "closed": {"down", "down", "down", "down", "down"}} {
		c, e := busy(t), pagetest.Env(t, nil)
		d := pagetest.Drive(New(e, c, page.Target{}))
		d.Page.Resize(120, 36)
		d.Press(keys...)
		ticks(d, pagetest.Now)
		pagetest.Golden(t, e, d.Page, name, pagetest.Large)
	}
}

// The picture follows the cursor once it rests: scrolling past a table does not watch it.
func TestGlanceFollowsTheCursor(t *testing.T) {
	c := busy(t)
	d := pagetest.Drive(New(pagetest.Env(t, nil), c, page.Target{}))
	now := pagetest.Now
	ticks(d, now)
	require.Empty(t, c.glances, "at 80×24 nothing is looked at")
	d.Page.Resize(120, 36)
	ticks(d, now)
	require.Equal(t, []table.ID{4}, c.glances)
	shown := func() string { return ansi.Strip(strings.Join(d.Page.Lines(), "\n")) }
	require.Contains(t, shown(), "Table 4")
	for range 6 {
		d.Press("down")
		ticks(d, now.Add(rests/2))
	}
	require.Len(t, c.glances, 1, "the cursor has not rested")
	require.Contains(t, shown(), "Table 4", "nothing flickers")
	ticks(d, now.Add(rests))
	require.Equal(t, []table.ID{4, 8}, c.glances)
	require.Contains(t, shown(), "Table 8")
	require.NotContains(t, shown(), "Table 4 ")

	v := *c.views[8]
	v.Play.Scores[0] = 99
	c.views[8] = &v
	require.NotContains(t, shown(), " 99 ")
	c.next(func(*lobby.Snapshot) {})
	d.Send(page.ClubUpdateMsg{})
	require.Contains(t, shown(), " 99 ")

	d.Page.Resize(80, 20)
	ticks(d, now.Add(time.Hour))
	require.Equal(t, table.ID(0), c.glances[len(c.glances)-1], "it is not looked at any longer")
	d.Page.Resize(120, 36)
	ticks(d, now.Add(time.Hour))
	d.Page.(page.Closer).Close()
	require.Equal(t, []table.ID{8, 0}, c.glances[len(c.glances)-2:])
}

// Moving the cursor changes nothing but the picture.
func TestNothingJumps(t *testing.T) {
	c := busy(t)
	d := pagetest.Drive(New(pagetest.Env(t, nil), c, page.Target{}))
	for _, size := range [][2]int{{120, 36}, {200, 46}, {112, 32}} {
		d.Page.Resize(size[0], size[1])
		at := d.Page.(*Page).layout().glance
		require.Positive(t, at.h)
		for range c.snap.Tables {
			before := d.Page.Lines()
			d.Press("down")
			ticks(d, pagetest.Now.Add(time.Hour))
			for y, line := range d.Page.Lines() {
				if y >= at.y+at.h {
					require.Equal(t, before[y], line)
				}
			}
		}
	}
}

// If the day's deal is not over on disk at midnight, the lobby asks again a minute later, and then no more.
func TestYesterdayIsThereOnceItIsOver(t *testing.T) {
	c, e, now := busy(t), pagetest.Env(t, nil), pagetest.Now.Truncate(24*time.Hour)
	all := c.past.Rows
	own := func(over bool) {
		if c.past = (&daily.Day{Key: "2026-11-20", Over: over, Rows: all}); !over {
			c.past.Rows = all[3:] // nobody sees others' results before
		}
	}
	own(false)
	e.Now = func() time.Time { return now }
	d := pagetest.Drive(New(e, c, page.Target{}))
	d.Page.Resize(120, 36)
	shown := func() string {
		ticks(d, now)
		return strings.Join(d.Lines(120, 36), "\n")
	}
	require.NotContains(t, shown(), "Yesterday's daily deal")
	own(true)
	require.NotContains(t, shown(), "Yesterday's daily deal", "it is asked for once a minute")
	now = now.Add(time.Minute)
	require.Contains(t, shown(), "cleopatra")
	own(false)
	now = now.Add(time.Hour)
	require.Contains(t, shown(), "cleopatra", "and then no more")
}
