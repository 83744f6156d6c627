package play

import (
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/charmbracelet/colorprofile"
	"github.com/charmbracelet/x/ansi"
	"github.com/stretchr/testify/require"

	"boneyard/lobby"
	"boneyard/lobby/text/texttest"
	"boneyard/table"
	"boneyard/ui/page"
	"boneyard/ui/page/clubtest"
	"boneyard/ui/page/pagetest"
	"boneyard/ui/screen"
	"boneyard/ui/theme"
)

func TestAThousandWatchersShareAFrame(t *testing.T) {
	s := lead(t)
	v := s.of(0)
	th := theme.Get(theme.Dark, colorprofile.ANSI256, theme.Digits)
	const watchers = 1000
	got := make([]*screen.Frame, watchers)
	var wg sync.WaitGroup
	for i := range watchers {
		wg.Go(func() {
			p := newPage(envFor(th), &fakeClub{}, 12)
			p.view = v
			got[i] = p.Frame(80, 24)
		})
	}
	wg.Wait()
	for _, f := range got {
		require.Same(t, got[0], f)
	}
	require.NotContains(t, strings.Join(got[0].Lines[:1], ""), "ana", "the header has no name of a reader")

	p := newPage(envFor(th), &fakeClub{}, 12)
	p.view = v
	require.NotSame(t, got[0], p.Frame(81, 24), "another size")
	p.env.Theme = theme.Get(theme.Light, colorprofile.ANSI256, theme.Digits)
	require.NotSame(t, got[0], p.Frame(80, 24), "another theme")
	p.env.Theme = th
	require.Same(t, got[0], p.Frame(80, 24))
}

func TestWhatIsNotShared(t *testing.T) {
	s := sit(t, "classic", 1, "ana", "", "")
	s.say(9, table.RoomWatchers, "hello")
	frame := func(prepare func(*Page)) *screen.Frame {
		p := newPage(envFor(theme.Get(theme.Mono, colorprofile.NoTTY, theme.Digits)), &fakeClub{ignored: "zoe"}, 12)
		p.view = s.of(0)
		prepare(p)
		return p.Frame(80, 24)
	}
	require.NotNil(t, frame(func(*Page) {}))
	require.Nil(t, frame(func(p *Page) { p.seat = 2 }), "a seat is pointed at")
	require.Nil(t, frame(func(p *Page) { p.talk() }), "a line is typed")
	require.Nil(t, frame(func(p *Page) { p.moves = true }), "the moves are read")
	require.Nil(t, frame(func(p *Page) { p.view = s.of(1) }), "a player's")
	require.Nil(t, frame(func(p *Page) {
		p.view = nil
		p.sub = &fakeSub{view: s.of(0)}
		p.Update(page.WokenMsg{})
	}), "somebody who is not to be heard has spoken")
}

// A watcher does not read a person they ignore.
func TestIgnored(t *testing.T) {
	s := lead(t)
	s.say(9, table.RoomWatchers, "psst")
	p := newPage(envFor(theme.Get(theme.Mono, colorprofile.NoTTY, theme.Digits)), &fakeClub{ignored: "zoe"}, 12)
	p.sub = &fakeSub{view: s.of(0)}
	p.Update(page.WokenMsg{})
	require.NotContains(t, strings.Join(screenOf(p, 80, 24), "\n"), "psst")
}

// Names, titles and lines that strangers chose can neither move a cursor nor overflow their place.
func TestHostileText(t *testing.T) {
	plain := theme.Get(theme.Mono, colorprofile.NoTTY, theme.Digits)
	all := slices.DeleteFunc(scenes(t), func(sc scene) bool { // one of each kind
		return !slices.Contains([]string{"gather", "play-turn", "play-watch", "score", "finish"}, sc.name)
	})
	judged := make(map[string]bool)
	for _, c := range texttest.Hostile() {
		evil := c.Text
		for _, sc := range all {
			v := *sc.view
			v.Config.Name, v.Casual, v.Notice = evil, evil, evil
			v.Seats = append([]table.SeatView(nil), v.Seats...)
			for i := range v.Seats {
				v.Seats[i].Player.Name, v.Seats[i].Player.Tag = evil, evil
			}
			v.Names = []string{evil, evil, evil, evil}
			v.Chat = []table.ChatLine{{Seq: 1, From: table.Player{ID: 1, Name: evil}, Text: evil, Room: table.RoomPlayers},
				{Seq: 2, Text: evil, House: true}}
			v.Log = append(v.Log[:len(v.Log):len(v.Log)], &table.Entry{Round: v.Play.Round, Text: evil})
			if v.Result != nil {
				r := *v.Result
				r.Changes = []table.Delta{{Kind: "player", Name: evil}}
				v.Result = &r
			}
			for _, moves := range []bool{false, true} {
				if moves && !v.InGame() {
					continue
				}
				p := newPage(envFor(plain), &fakeClub{}, 12)
				p.view, p.moves = &v, moves
				for _, size := range sizes[:2] { // the wide form has the same parts
					lines := screenOf(p, size[0], size[1])
					require.Len(t, lines, size[1])
					for _, line := range lines {
						if judged[line] {
							continue
						}
						judged[line] = true
						require.NoError(t, texttest.Inert(line), "%s: %s", c.Name, sc.name)
						require.LessOrEqual(t, ansi.StringWidth(line), size[0], "%q", line)
					}
				}
			}
		}
	}
}

func TestNothingToSee(t *testing.T) {
	p := New(pagetest.Env(t, clubtest.Open(t).Come("ana")), page.Target{Table: 12}).(*Page)
	require.Contains(t, strings.Join(pagetest.Lines(p, 80, 20), "\n"), "Opening the table.")
	p.Init()().(page.Then)()
	require.Contains(t, strings.Join(pagetest.Lines(p, 80, 20), "\n"), string(lobby.ErrNoTable))
	require.Empty(t, p.Chrome().Leaving)
	page.Give(p, keyMsg("enter"))
}
