package club

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"boneyard/lobby"
	"boneyard/lobby/text/texttest"
	"boneyard/table"
	"boneyard/ui/page"
	"boneyard/ui/page/pagetest"
)

// A line of chat redraws only what has changed.
func TestOnlyWhatHasChangedIsDrawn(t *testing.T) {
	club := evening()
	club.me = player("nobody") // not in the list of people, where they would be marked
	d := visitAs(t, club)
	body(d)
	p := d.Page.(*Page)
	drawn := func() (all [panels]*string) {
		l := p.layout()
		for at := range panels {
			all[at] = &p.block(at, &l)[0]
		}
		return all
	}
	before := drawn()
	update(d, club, func(s *lobby.Snapshot) {
		s.Chat = append(s.Chat[:len(s.Chat):len(s.Chat)], lobby.Line{Seq: 6, At: pagetest.Now, From: player("kim"), Text: "hi"})
	})
	require.Contains(t, body(d), "kim  hi")
	after := drawn()
	require.Same(t, before[tables], after[tables])
	require.Same(t, before[people], after[people])
	require.Same(t, before[news], after[news])
	require.NotSame(t, before[chat], after[chat])
}

// Panels that look the same to everybody are drawn once; people still see their own mark, and no ignored
// lines.
func TestPanelsAreShared(t *testing.T) {
	club := evening()
	lines := func(name string) (all [panels][]string) {
		club.me = player(name)
		d := visitAs(t, club)
		body(d)
		l := d.Page.(*Page).layout()
		for at := range panels {
			all[at] = slices.Clone(d.Page.(*Page).block(at, &l))
		}
		return all
	}
	ana, again := lines("ana"), lines("ana")
	zoe, nobody := lines("zoe"), lines("nobody")
	require.Equal(t, ana, again)
	require.Equal(t, nobody[news], zoe[news])
	require.Equal(t, nobody[chat], zoe[chat])
	for i, who := range club.snap.People[:len(nobody[people])-1] {
		require.Equal(t, who.Player.Name == "ana", ana[people][1+i] != nobody[people][1+i], who.Player.Name)
		require.Equal(t, who.Player.Name == "zoe", zoe[people][1+i] != nobody[people][1+i], who.Player.Name)
	}
	club.ignored = "ben"
	require.NotContains(t, strings.Join(lines("ana")[chat], "\n"), "ben")
	club.ignored = ""
	require.Contains(t, strings.Join(lines("ana")[chat], "\n"), "ben")
}

func TestFitsEverySize(t *testing.T) {
	for _, keys := range [][]string{nil, {"right"}, {"left"}, {"left", "left"}, {"t"}} {
		d := visitAs(t, evening())
		d.Press(keys...)
		for w := 40; w < 180; w += 11 {
			for _, h := range []int{10, 14, 20, 36} {
				pagetest.CheckFits(t, d.Lines(w, h), w, h)
			}
		}
	}
}

func TestHostileTextIsInert(t *testing.T) {
	for _, c := range texttest.Hostile() {
		club := evening()
		s := club.snap
		s.Tables, s.People, s.Chat, s.News = s.Tables[3:8], s.People[:4], s.Chat[:3], s.News[:3]
		for i := range s.Tables {
			s.Tables[i].Config.Name = c.Text
			for j := range s.Tables[i].Seats {
				if seat := &s.Tables[i].Seats[j]; seat.Player.Name != "" {
					seat.Player.Name, seat.Player.Tag = c.Text, c.Text
				}
			}
		}
		for i := range s.People {
			s.People[i].Player.Name, s.People[i].Player.Tag = c.Text, c.Text
		}
		for i := range s.Chat {
			s.Chat[i].From.Name, s.Chat[i].Text = c.Text, c.Text
		}
		for i := range s.News {
			s.News[i].Text = c.Text
		}
		s.Notice = c.Text
		e := pagetest.Env(t, nil)
		d := pagetest.Drive(New(e, club, page.Target{}))
		pagetest.CheckHostile(t, d.Page, c)
		d.Press("/")
		d.Paste(c.Text)
		d.Press("enter", "right", "t")
		d.Paste(c.Text)
		pagetest.CheckHostile(t, d.Page, c)
		club.reply = c.Text + "\n" + c.Text
		d.Press("enter")
		pagetest.CheckHostile(t, d.Page, c)
	}
}

// crowded is the page of a club with more than 200 tables, drawn once.
func crowded(b *testing.B) (*pagetest.Driver, *fakeClub) {
	club := evening()
	for i := range table.ID(200) {
		club.snap.Tables = append(club.snap.Tables, tab(100+i, "classic", []string{"pia", "quinn"}, plays(7, 1, 180, 175)))
	}
	d := pagetest.Drive(New(pagetest.Env(b, nil), club, page.Target{}))
	d.Lines(80, 20)
	return d, club
}

func BenchmarkLineOfChat(b *testing.B) {
	d, club := crowded(b)
	for b.Loop() {
		update(d, club, func(s *lobby.Snapshot) {
			seq := s.Chat[len(s.Chat)-1].Seq + 1
			s.Chat = append(s.Chat[len(s.Chat)-5:len(s.Chat):len(s.Chat)], lobby.Line{Seq: seq, At: pagetest.Now, From: player("kim"), Text: "hi"})
		})
		d.Lines(80, 20)
	}
}

func BenchmarkMoveAtATable(b *testing.B) {
	d, club := crowded(b)
	for b.Loop() {
		update(d, club, func(s *lobby.Snapshot) { s.Tables = append(s.Tables[:0:0], s.Tables...) })
		d.Lines(80, 20)
	}
}

// A person comes into a lobby of two hundred.
func BenchmarkFirstScreen(b *testing.B) {
	club := evening()
	for i := range 200 {
		club.snap.People = append(club.snap.People, lobby.Person{Player: player(fmt.Sprintf("visitor-%d", i))})
		club.snap.Tables = append(club.snap.Tables, tab(table.ID(100+i), "classic", []string{"pia", "quinn"}, plays(7, 1, 180, 175)))
	}
	env := pagetest.Env(b, nil)
	for n := 0; b.Loop(); n++ {
		club.me = player(fmt.Sprintf("visitor-%d", n%200))
		pagetest.Drive(New(env, club, page.Target{})).Lines(80, 20)
	}
}

// A screen of 60 columns shows all panels, with their heads.
func TestSixtyColumnsShowAllPanels(t *testing.T) {
	d := visitAs(t, evening())
	for _, h := range []int{16, 50} {
		shown := bodyAt(d, 60, h)
		for _, head := range []string{"▸Tables 11 ──", " No Players  ", " People ", " Chat ──", " News ──"} {
			require.Contains(t, shown, head, "%d rows", h)
		}
	}
}

// A narrow and tall page shows the chat below the tables, also while the reader talks, and the news below the chat.
func TestTwoPanelsOnATallPage(t *testing.T) {
	d := visitAs(t, evening())
	both := func(above, below string) {
		t.Helper()
		require.Regexp(t, `(?s)`+above+`.*\n `+below+` ──.*`, bodyAt(d, 50, 32))
	}
	both("ana 45 : 105 otto", "Chat")
	require.NotContains(t, bodyAt(d, 50, 20), "Chat ──", "a low one has no room")
	d.Press("t", "h")
	both("ana 45 : 105 otto", "Chat")
	require.Contains(t, bodyAt(d, 50, 32), "Say h")
	d.Press("esc", "right")
	both("anybody up for a game", "News")
}

// Each size shows the same, whichever was shown before.
func TestSizesDoNotLast(t *testing.T) {
	d := visitAs(t, evening())
	for w := 54; w < 68; w++ {
		for h := 14; h < 30; h++ {
			for _, low := range []int{11, 12, 13} {
				d.Lines(w, h)
				require.Equal(t, bodyAt(visitAs(t, evening()), w, low), bodyAt(d, w, low), "%d×%d after %d", w, low, h)
			}
		}
	}
}
