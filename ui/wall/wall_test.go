package wall

import (
	"github.com/charmbracelet/colorprofile"
	"path/filepath"
	"slices"
	"strings"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/charmbracelet/x/ansi"
	"github.com/stretchr/testify/require"

	"boneyard/lobby"
	"boneyard/lobby/lobbytest"
	"boneyard/lobby/text/texttest"
	"boneyard/table"
	"boneyard/ui/golden"
	"boneyard/ui/page"
	"boneyard/ui/page/pagetest"
	"boneyard/ui/theme"
)

// come registers somebody and lets them in.
func come(t *testing.T, l *lobby.Lobby, name string, key byte) *lobby.Visit {
	t.Helper()
	o := lobby.Origin{Key: lobby.KeyID{key}, Net: "10.0.0." + string('0'+rune(key))}
	a, err := l.Register(t.Context(), o, name)
	require.NoError(t, err)
	v, err := l.Enter(t.Context(), a, o)
	require.NoError(t, err)
	t.Cleanup(func() { v.Close(table.Left) })
	return v
}

// play begins a game with bots, which goes on by itself as time passes.
func play(t *testing.T, v *lobby.Visit, rules string, seats int, name string) table.ID {
	t.Helper()
	cfg := table.DefaultConfig()
	cfg.RuleText, cfg.Rules, cfg.Seats, cfg.Fill, cfg.Pace, cfg.Name = rules, table.Config{}.Rules, seats, table.FillNow, table.PaceFast, name
	made, err := v.NewTable(t.Context(), cfg)
	require.NoError(t, err)
	require.NoError(t, v.Do(t.Context(), made.ID(), table.Ready{On: true}))
	time.Sleep(20 * time.Second)
	synctest.Wait()
	return made.ID()
}

// open opens a wall of a size and gives it the messages of its tables.
func open(t *testing.T, v *lobby.Visit, w, h int) (*pagetest.Driver, *page.Env) {
	t.Helper()
	e := pagetest.Env(t, v)
	return openWith(t, e, w, h), e
}

// openWith is open with what the page is made with.
func openWith(t *testing.T, e *page.Env, w, h int) *pagetest.Driver {
	t.Helper()
	d := pagetest.Drive(New(e, 0))
	_, rows := page.Room(h)
	resize(t, d, w, rows)
	t.Cleanup(func() { d.Page.(page.Closer).Close() })
	return d
}

// resize changes the page's size and sends the tick that it then asks for.
func resize(t *testing.T, d *pagetest.Driver, w, h int) {
	t.Helper()
	d.Page.Resize(w, h)
	if at := d.Page.(page.Clock).NextTick(time.Now()); !at.IsZero() && !at.After(time.Now()) {
		d.Send(page.TickMsg{Now: at})
	}
}

// evening is a club in which several games are played.
func evening(t *testing.T, test func(t *testing.T, l *lobby.Lobby, zoe *lobby.Visit)) {
	lobbytest.Bubble(t, func(t *testing.T, c *lobbytest.Club) {
		l := c.Lobby
		play(t, come(t, l, "ana", 1), "classic", 2, "Friday")
		play(t, come(t, l, "ben", 2), "spruce", 4, "")
		play(t, come(t, l, "cem", 3), "block", 4, "")
		play(t, come(t, l, "dora", 4), "classic", 3, "")
		zoe := come(t, l, "zoe", 5)
		time.Sleep(time.Second)
		synctest.Wait()
		test(t, l, zoe)
	})
}

func TestPictures(t *testing.T) {
	evening(t, func(t *testing.T, l *lobby.Lobby, zoe *lobby.Visit) {
		var b strings.Builder
		for _, size := range [][2]int{{40, 12}, {80, 24}, {120, 40}, {200, 50}} {
			d, e := open(t, zoe, size[0], size[1])
			for _, th := range []*theme.Theme{pagetest.Dark, pagetest.Plain} {
				e.Theme = th
				lines := d.Page.(page.Framer).Frame(size[0], size[1]).Lines
				pagetest.CheckFits(t, lines, size[0], size[1])
				for _, s := range lines {
					b.WriteString(strings.TrimRight(ansi.Strip(s), " ") + "\n")
				}
			}
			d.Page.(page.Closer).Close()
		}
		golden.Check(t, "wall.txt", b.String())
		const w, h = 120, 40
		d, e := open(t, zoe, w, h)
		e.Theme = theme.Get(theme.Dark, colorprofile.TrueColor, theme.Digits)
		golden.Picture(t, filepath.Join("..", "..", "docs", "wall.svg"), d.Page.(page.Framer).Frame(w, h).Lines, w, h)
		d.Page.(page.Closer).Close()
	})
}

// The number of tables on a screen depends on its size.
func TestCapacity(t *testing.T) {
	for _, c := range []struct{ w, h, want int }{
		{40, 12, 1}, {80, 24, 1}, {120, 40, 2}, {200, 50, 4}, {300, 80, 9}, {500, 200, 9}, {300, 24, 3}, {80, 80, 4},
	} {
		_, rows := page.Room(c.h)
		columns, lines := capacity(c.w, rows)
		require.Equal(t, c.want, columns*lines, "%d×%d", c.w, c.h)
		for n := 1; n <= c.want; n++ {
			x, y := grid(n, c.w, rows)
			require.GreaterOrEqual(t, x*y, n, "%d tables on %d×%d", n, c.w, c.h)
			require.LessOrEqual(t, x, columns)
			require.LessOrEqual(t, y, lines)
		}
	}
}

// Walls of the same tables share frames, or, on screens of different sizes, the drawings of tables.
func TestWallsShare(t *testing.T) {
	evening(t, func(t *testing.T, l *lobby.Lobby, zoe *lobby.Visit) {
		one, _ := open(t, zoe, 200, 50)
		two, _ := open(t, zoe, 200, 50)
		first := one.Page.(page.Framer).Frame(200, 50)
		require.Same(t, first, two.Page.(page.Framer).Frame(200, 50))
		for _, name := range []string{"ana", "ben", "cem", "dora", "Friday"} {
			require.Contains(t, strings.Join(first.Lines, "\n"), name)
		}
		require.NotContains(t, first.Lines[0], "zoe", "the frame is shared")

		time.Sleep(20 * time.Second) // a turn's time is used up
		synctest.Wait()
		one.Send(page.WokenMsg{})
		next := one.Page.(page.Framer).Frame(200, 50)
		require.NotSame(t, first, next)
		require.Same(t, first, two.Page.(page.Framer).Frame(200, 50), "who has not been woken shows what there was")
	})
}

// A bigger window shows more tables, and a smaller one fewer; a key leads to a table.
func TestResizeAndKeys(t *testing.T) {
	evening(t, func(t *testing.T, l *lobby.Lobby, zoe *lobby.Visit) {
		d, _ := open(t, zoe, 80, 24)
		tables := func() int { return strings.Count(strings.Join(d.Page.Lines(), "\n"), "Table ") }
		require.Equal(t, 1, tables())
		resize(t, d, 200, 46)
		require.Equal(t, 4, tables())
		d.Press("9")
		require.Empty(t, d.Sent, "there are no nine tables")
		d.Press("2")
		to := pagetest.Take[page.GotoMsg](t, d).To
		require.Equal(t, page.Table, to.Kind)
		require.Equal(t, d.Page.(*Page).views[1].Table, to.Table)
		resize(t, d, 40, 10)
		require.Equal(t, 1, tables())
	})
}

// A new table appears by itself, and one that has ended makes room after its time.
func TestGoesOnByItself(t *testing.T) {
	lobbytest.Bubble(t, func(t *testing.T, c *lobbytest.Club) {
		l := c.Lobby
		ana, zoe := come(t, l, "ana", 1), come(t, l, "zoe", 2)
		var woken atomic.Int32
		e := pagetest.Env(t, zoe)
		e.Wake = func() { woken.Add(1) }
		d := openWith(t, e, 80, 24)
		shows := func() string { return strings.Join(d.Page.Lines(), "\n") }
		require.Contains(t, shows(), "No public game")
		id := play(t, ana, "classic", 2, "Friday")
		<-zoe.Updates()
		d.Send(page.ClubUpdateMsg{})
		require.Contains(t, shows(), "Friday")

		woken.Store(0)
		require.NoError(t, ana.Do(t.Context(), id, table.Resign{}))
		synctest.Wait()
		require.Positive(t, woken.Load())
		d.Send(page.WokenMsg{})
		require.Contains(t, shows(), "the game is abandoned")
		at := d.Page.(page.Clock).NextTick(time.Now())
		require.Positive(t, time.Until(at))
		time.Sleep(time.Until(at))
		d.Send(page.TickMsg{Now: at})
		require.Contains(t, shows(), "No public game")
		require.Zero(t, d.Page.(page.Clock).NextTick(time.Now()), "nothing ticks without a reason")
	})
}

// A wall that is opened after too many lists waits until the club lets it look.
func TestAWallThatHasToWait(t *testing.T) {
	lobbytest.Bubble(t, func(t *testing.T, c *lobbytest.Club) {
		zoe := come(t, c.Lobby, "zoe", 1)
		for zoe.List() == nil {
		}
		d, _ := open(t, zoe, 80, 24)
		require.Contains(t, strings.Join(d.Page.Lines(), "\n"), "No public game")
	})
}

// Hostile names and titles stay within their table.
func TestHostileText(t *testing.T) {
	evening(t, func(t *testing.T, l *lobby.Lobby, zoe *lobby.Visit) {
		d, e := open(t, zoe, 120, 40)
		e.Theme = pagetest.Plain
		p := d.Page.(*Page)
		for _, c := range texttest.Hostile() {
			v := *p.views[0]
			v.Config.Name, v.Notice = c.Text, c.Text
			v.Seats = append([]table.SeatView(nil), v.Seats...)
			v.Seats[0].Player.Name, v.Seats[0].Player.Tag, v.Names = c.Text, c.Text, nil
			p.views = []*table.View{&v, p.views[1]}
			pagetest.CheckHostile(t, p, c)
		}
	})
}

// The lobby's picture of a table names everybody whole.
func TestNamesInAPicture(t *testing.T) {
	evening(t, func(t *testing.T, l *lobby.Lobby, zoe *lobby.Visit) {
		d, _ := open(t, zoe, 200, 50)
		for _, v := range d.Page.(*Page).views {
			picture := strings.Join(Table(v, pagetest.Plain, 83, 16), "\n")
			for i := range v.Seats {
				require.Contains(t, picture, v.Seats[i].Name(), "%d seats", len(v.Seats))
			}
			v := *v
			v.Seats = slices.Clone(v.Seats)
			v.Seats[0].Player.Name, v.Seats[0].Player.Tag, v.Names = "Bartholomew-Quin", "BONES", nil
			for w := 60; w < 120; w++ {
				require.Contains(t, strings.Join(Table(&v, pagetest.Plain, w, 6), "\n"), "Bartholomew-Quin", "%d seats, %d columns", len(v.Seats), w)
			}
		}
	})
}

// After a restart a table has the result of a game, but not the game and its players.
func TestAResultWithoutItsGameIsNotShown(t *testing.T) {
	v := &table.View{Summary: table.Summary{Config: table.DefaultConfig(), State: table.Gathering, Seats: make([]table.SeatView, 2)},
		Result: &table.Result{Ending: table.EndPlayed, Winner: 2, Scores: []int{15, 205}}}
	v.Play.Seats = 2
	drawn := ansi.Strip(strings.Join(Table(v, pagetest.Dark, 80, 20), "\n"))
	require.NotContains(t, drawn, "seat 2")
	require.Contains(t, drawn, "The game has not begun.")
}
