package club

import (
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"testing"

	tea "charm.land/bubbletea/v2"
	"github.com/charmbracelet/x/ansi"
	"github.com/stretchr/testify/require"

	"boneyard/lobby"
	"boneyard/lobby/text/texttest"
	"boneyard/table"
	"boneyard/ui/page"
	"boneyard/ui/page/pagetest"
)

// body is what the page shows at 80×24, as text.
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
		{17, "watch", false, 17}, // two teams, and ana has none
	} {
		club := evening()
		d := visitAs(t, club)
		for chosen(d) != c.at {
			before := chosen(d)
			d.Press("down")
			require.NotEqual(t, before, chosen(d), "table %d is not in the list", c.at)
		}
		require.Equal(t, c.does, d.Page.Chrome().Keys[0].Help().Desc)
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

// A private table says who may watch it, and asks for no code where there is no seat.
func TestPrivateTablesSayWhoMayWatch(t *testing.T) {
	for want, change := range map[string]func(*lobby.Snapshot){
		"you need its code to join · only its players see it": func(*lobby.Snapshot) {},
		"you need its code to join · anyone may watch":        func(s *lobby.Snapshot) { s.Tables[4].Config.Watchers = true },
		"private · anyone may watch · 5 watching":             func(s *lobby.Snapshot) { s.Tables[4] = full(true) },
		"private · only its players see it":                   func(s *lobby.Snapshot) { s.Tables[4] = full(false) },
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

// full is a private table at which no seat is free.
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
	require.Equal(t, []lobby.QuickPrefs{{}, {Game: "azneef"}, {Game: "azneef", Wish: lobby.QuickEasy}, {Game: "azneef", Wish: lobby.QuickHard}}, club.prefs)
	d.Sent = nil
	d.Press("v")
	require.Equal(t, page.Target{Kind: page.Table, Table: 42}, pagetest.Take[page.GotoMsg](t, d).To)
	d.Sent = nil
	d.Press("n")
	require.Equal(t, page.NewTable, pagetest.Take[page.GotoMsg](t, d).To.Kind)
}

// After quick play, people read which game was chosen for them.
func TestQuickPlaySaysWhatOneIsJoining(t *testing.T) {
	club := evening()
	d := visitAs(t, club)
	club.mine = []table.Summary{tab(40, "block", []string{"ana", "", "", ""}), tab(41, "spruce", []string{"ben", "ana"})}
	d.Press("p")
	require.Equal(t, []tea.Msg{toTable(41), page.Say("Spruce to 250 against ben.")}, d.Sent)
}

func TestCursorBeginsOnTop(t *testing.T) {
	club := &fakeClub{me: player("zoe"), snap: &lobby.Snapshot{}}
	d := visitAs(t, club)
	require.Zero(t, chosen(d))
	update(d, club, func(s *lobby.Snapshot) { s.Tables = evening().snap.Tables })
	require.EqualValues(t, 12, chosen(d))
}

// Whether the cursor has been moved or not, enter hits the table that one reads of.
func TestCursorFollowsItsTable(t *testing.T) {
	for _, keys := range [][]string{nil, {"down", "down"}} {
		club := evening()
		club.me = player("zoe")
		d := visitAs(t, club)
		d.Press(keys...)
		at := []table.ID{12, 19, 23}[len(keys)]
		require.EqualValues(t, at, chosen(d))
		update(d, club, func(s *lobby.Snapshot) { // one of one's own comes to the top
			s.Tables = append([]table.Summary{tab(31, "classic", []string{"kim", ""})}, s.Tables...)
			s.Tables = append(s.Tables, tab(32, "classic", []string{"kim", "zoe"}, plays(1, 2, 0, 0)))
		})
		require.EqualValues(t, at, chosen(d), "others' tables come and go above")
		require.Contains(t, body(d), "your move  ", "the top of the list stays in sight")
		d.Press("enter")
		require.Equal(t, []table.ID{at}, club.did)
	}
}

func TestCursorStandsOnTheNextTableWhenItsOwnIsGone(t *testing.T) {
	club := evening()
	club.me = player("zoe")
	d := visitAs(t, club)
	d.Press("down")
	update(d, club, func(s *lobby.Snapshot) { s.Tables = append(s.Tables[:1:1], s.Tables[2:]...) })
	require.EqualValues(t, 23, chosen(d))
	update(d, club, func(s *lobby.Snapshot) { s.Tables = s.Tables[:1:1] })
	require.EqualValues(t, 12, chosen(d))
}

// In a list that is scrolled the chosen row stays where it is on the screen.
func TestScrolledListStaysInPlace(t *testing.T) {
	club := evening()
	d := visitAs(t, club)
	d.Press("end", "up")
	row := func() int {
		for i, s := range strings.Split(body(d), "\n") {
			if strings.HasPrefix(s, " ▸") {
				return i
			}
		}
		return -1
	}
	before := row()
	require.Positive(t, before)
	update(d, club, func(s *lobby.Snapshot) {
		s.Tables = append([]table.Summary{tab(31, "classic", []string{"zoe", ""})}, s.Tables...)
	})
	require.Equal(t, before, row())
}

func TestYourMoveComesFirst(t *testing.T) {
	club := evening()
	d := visitAs(t, club)
	require.EqualValues(t, 4, chosen(d))
	require.Contains(t, body(d), "your move")
	update(d, club, func(s *lobby.Snapshot) {
		s.Tables = append(s.Tables[:0:0], s.Tables...)
		s.Tables = append(s.Tables, tab(51, "classic", []string{"zoe", "ana"}, plays(1, 2, 0, 0)))
	})
	require.Contains(t, body(d), "your move at 2 tables")
}

func TestTwoTeamsAreNamedByTheirTagsWhereNamesHaveNoRoom(t *testing.T) {
	s := tab(17, "block", []string{"Danny", "ben", "ana", ""}, plays(2, 1, 67, 94), with(func(c *table.Config) { c.Access = table.AccessTeams }))
	for i, tag := range []string{"OWL", "BONES", "OWL"} {
		s.Seats[i].Player.Tag = tag
	}
	d := visitAs(t, evening())
	shown := func(w int) string {
		var b strings.Builder
		for _, piece := range d.Page.(*Page).players(&s, w) {
			b.WriteString(piece.Text)
		}
		return strings.TrimRight(b.String(), " ")
	}
	require.Equal(t, "OWL Danny+ana 67 : 94 BONES ben+free", shown(60))
	require.Equal(t, "OWL 67 : 94 BONES ben+free", shown(28))
	s.Seats[3].Player = player("cat")
	require.Equal(t, "OWL Danny+ana 67 : 94 BONES ben+cat", shown(60))
	s.Seats[3].Player.Tag = "BONES"
	require.Equal(t, "OWL 67 : 94 BONES", shown(28))
}

// The score of a game that is over must not look like one of a game in play.
func TestTableAfterItsGame(t *testing.T) {
	club := evening()
	s := tab(31, "classic", []string{"kim", ""}, plays(7, 0, 205, 170), inState(table.Finished))
	show := func() string {
		club.next(func(snap *lobby.Snapshot) { snap.Tables = []table.Summary{s} })
		return body(visitAs(t, club))
	}
	require.Regexp(t, `kim 205 : 170 free +over `, show())
	require.Contains(t, show(), "over, 205–170")
	s.Seats[0].Ready = true
	require.Regexp(t, `kim 205 : 170 free +rematch\? `, show())
	s.State = table.Gathering
	require.Regexp(t, `kim : free +rematch\? `, show())
	require.Contains(t, show(), "last game 205–170")
	s.State = table.Playing
	require.Regexp(t, `kim 205 : 170 free +round 7 `, show())
	require.NotContains(t, show(), "205–170")
}

// The score of a finished game has no names once its players have left.
func TestFinishedTableWithoutPlayers(t *testing.T) {
	club := evening()
	s := tab(31, "classic", []string{"", ""}, plays(7, 0, 50, 5), inState(table.Finished))
	club.next(func(snap *lobby.Snapshot) { snap.Tables = []table.Summary{s} })
	shown := body(visitAs(t, club))
	require.Regexp(t, `free : free +over `, shown)
	require.Contains(t, shown, "over, 50–5", "beside the list it is said of which game")
}

// In narrow panels the names of four players are cut, but never their scores.
func TestFourScoresAreWhole(t *testing.T) {
	club := evening()
	s := tab(31, "azneef", []string{"", "nora.bot", "otto.bot", "viv.bot"}, plays(7, 2, 105, 110, 115, 120))
	club.next(func(snap *lobby.Snapshot) { snap.Tables = []table.Summary{s} })
	d := visitAs(t, club)
	for _, w := range []int{80, 100, 120} {
		require.Regexp(t, `free 105, ?n\S* 110, ?o\S* 115, ?v\S* 120 `, bodyAt(d, w, 20), "%d columns", w)
	}
	s.Scores = []int{5, 10, 15, 20}
	club.next(func(snap *lobby.Snapshot) { snap.Tables = []table.Summary{s} })
	require.Contains(t, body(visitAs(t, club)), "free 5, nor 10, ott 15, viv 20")
}

func TestFilters(t *testing.T) {
	d := visitAs(t, evening())
	list := func() (ids []table.ID) {
		for _, s := range d.Page.(*Page).order {
			ids = append(ids, s.Table)
		}
		return ids
	}
	d.Press("f")
	require.Equal(t, []table.ID{12, 19, 23}, list())
	d.Press("f", "m")
	require.Equal(t, []table.ID{4}, list())
	d.Press("m", "k", "k")
	require.Equal(t, []table.ID{21}, list())
	d.Press("k", "k", "/")
	d.Type("Beginners")
	require.Equal(t, []table.ID{23}, list())
	require.True(t, d.Page.Chrome().Typing)
	d.Press("enter")
	require.Equal(t, []table.ID{23}, list(), "enter keeps what was looked for")
	d.Press("/", "esc")
	require.Len(t, list(), 11)
	d.Press("/")
	d.Type("Beginners")
	d.Press("enter", "esc")
	require.Len(t, list(), 11, "esc clears what enter has kept")
	d.Press("f", "g", "k", "esc")
	require.Len(t, list(), 11)
	d.Press("/")
	d.Type("nobody of that name")
	require.Contains(t, body(d), "No match")
}

func TestFilterChoosesTheFirstWhereTheChosenIsNotFound(t *testing.T) {
	d := visitAs(t, evening())
	d.Press("end", "up", "up")
	require.EqualValues(t, 11, chosen(d))
	d.Press("f")
	require.EqualValues(t, 12, chosen(d))
	d.Press("down", "f")
	require.EqualValues(t, 19, chosen(d), "and keeps the one that is")
}

func TestComesBackAsItWasLeft(t *testing.T) {
	club := evening()
	d := visitAs(t, club)
	d.Press("f", "down")
	require.EqualValues(t, 19, chosen(d))
	again := newPage(pagetest.Env(t, nil), club, d.Page.Chrome().Reopen)
	require.EqualValues(t, 19, again.chosen)
	require.Len(t, again.order, 3)
}

func TestTalk(t *testing.T) {
	club := evening()
	d := visitAs(t, club)
	d.Press("t")
	d.Type("hello q")
	d.Press("enter")
	require.Equal(t, []string{"hello q"}, club.said)
	require.True(t, d.Page.Chrome().Typing, "there is more to say")
	d.Press("enter")
	require.False(t, d.Page.Chrome().Typing)
	update(d, club, func(s *lobby.Snapshot) {
		s.Chat = append(s.Chat[:len(s.Chat):len(s.Chat)], lobby.Line{Seq: 6, At: pagetest.Now, From: player("ana"), Text: "hello q"})
	})
	require.Contains(t, body(d), "hello q")
}

func TestPastedKeysAreText(t *testing.T) {
	club := evening()
	d := visitAs(t, club)
	d.Paste("p\rn\r")
	require.Empty(t, d.Sent, "nothing takes text")
	d.Press("t")
	d.Paste("q\r\n/ban everybody\r")
	require.Empty(t, club.said)
	d.Press("enter")
	require.Equal(t, []string{"q /ban everybody"}, club.said)
}

func TestAnswersToCommands(t *testing.T) {
	club := evening()
	d := visitAs(t, club)
	say := func(line, reply string) {
		club.reply = reply
		d.Press("t")
		d.Type(line)
		d.Press("enter")
		if d.Page.(*Page).typing != nothing {
			d.Press("esc")
		}
	}
	say("/ignore zoe", "You no longer see what zoe says.")
	require.Equal(t, "You no longer see what zoe says.", pagetest.Take[page.Toast](t, d).Text)
	say("/help", "/help - this list\n/who [NAME] - who is here")
	require.Contains(t, body(d), "/help - this list")
	require.Contains(t, body(d), "/who [NAME] - who is here")
	require.NotContains(t, body(d), "Tables")
	require.True(t, d.Page.Chrome().Typing, "q is not for the club")
	d.Press("q")
	require.Contains(t, body(d), "Tables")
	club.err = errors.New("three lines in three seconds are enough")
	d.Press("t")
	d.Type("too much")
	d.Press("enter")
	require.Contains(t, pagetest.Take[page.Toast](t, d).Text, "Three lines")
	require.Contains(t, body(d), "Say too much", "what was refused can be sent again")
}

func TestLongAnswersScroll(t *testing.T) {
	club := evening()
	for i := range 60 {
		club.reply += "\nsomebody " + strconv.Itoa(i)
	}
	d := visitAs(t, club)
	d.Press("t")
	d.Type("/who")
	d.Press("enter")
	require.NotContains(t, body(d), "somebody 59")
	d.Press("end")
	require.Contains(t, body(d), "somebody 59")
	d.Press("up", "pgup")
	require.NotContains(t, body(d), "somebody 59")
	d.Press("enter")
	require.Contains(t, body(d), "Tables")
}

func TestIgnoredAreNotHeard(t *testing.T) {
	club := evening()
	d := visitAs(t, club)
	require.Contains(t, body(d), "what a game at 8")
	club.ignored = "zoe"
	club.reply = "You no longer see what zoe says."
	d.Press("t")
	d.Type("/ignore zoe")
	d.Press("enter")
	require.NotContains(t, body(d), "what a game at 8")
}

func TestNewsLeadToGames(t *testing.T) {
	d := visitAs(t, evening())
	d.Press("o")
	require.EqualValues(t, 408, pagetest.Take[page.GotoMsg](t, d).To.Game)
	d.Press("left", "down", "enter")
	require.Equal(t, page.GotoMsg{To: page.Target{Kind: page.Replay, Game: 414}}, pagetest.Take[page.GotoMsg](t, d))
	d.Press("left", "down", "enter")
	require.Equal(t, page.Target{Kind: page.Person, Name: "ben"}, pagetest.Take[page.GotoMsg](t, d).To)
	d.Press("w")
	require.Equal(t, toTable(12), pagetest.Take[page.GotoMsg](t, d), "to where ben is")
}

// Where items of the news have several rows, the chosen one is always seen whole.
func TestNewsScroll(t *testing.T) {
	club := evening()
	for i := range 40 {
		n := club.snap.News[3]
		n.Text = "item " + strconv.Itoa(i) + ": ben + cleopatra beat dee + emil, END" + strconv.Itoa(i)
		club.snap.News = append(club.snap.News, n)
	}
	d := visitAs(t, club)
	d.Press("left")
	for _, keys := range []string{"down", "up"} {
		for range 50 {
			p := d.Page.(*Page)
			s := strings.Join(strings.Fields(bodyAt(d, 120, 36)), " ")
			if i := p.cursor[news].At - 6; i >= 0 {
				require.Contains(t, s, "item "+strconv.Itoa(i)+":")
				require.Contains(t, s, "END"+strconv.Itoa(i))
			}
			d.Press(keys)
		}
	}
	require.Equal(t, 0, d.Page.(*Page).cursor[news].At)
}

func TestTimesAreSaidToBeUTC(t *testing.T) {
	club := evening()
	club.me = player("zoe") // for whom no table waits
	for _, size := range [][2]int{{60, 12}, {80, 20}, {120, 36}} {
		d := visitAs(t, club)
		d.Press("right")
		require.Contains(t, bodyAt(d, size[0], size[1]), "times UTC", "chat, %v", size)
		d.Press("right", "right")
		require.Contains(t, bodyAt(d, size[0], size[1]), "times UTC", "news, %v", size)
	}
}

func TestChatScrolls(t *testing.T) {
	club := evening()
	d := visitAs(t, club)
	require.NotContains(t, body(d), "good morning")
	d.Press("right", "home")
	require.Contains(t, body(d), "good morning")
	require.Contains(t, body(d), "scrolled back")
	d.Press("end")
	require.NotContains(t, body(d), "good morning")
}

func TestMouse(t *testing.T) {
	club := evening()
	d := visitAs(t, club)
	body(d)
	d.Send(tea.MouseClickMsg{X: 10, Y: 3, Button: tea.MouseLeft})
	require.EqualValues(t, 12, chosen(d))
	require.Empty(t, d.Sent)
	d.Send(tea.MouseClickMsg{X: 10, Y: 3, Button: tea.MouseLeft})
	require.Equal(t, []table.ID{12}, club.did)
	require.Equal(t, toTable(12), pagetest.Take[page.GotoMsg](t, d))
	d.Send(tea.MouseClickMsg{X: 40, Y: 18, Button: tea.MouseLeft})
	require.Equal(t, news, d.Page.(*Page).focus)
	require.Empty(t, d.Sent)
	d.Send(tea.MouseClickMsg{X: 40, Y: 18, Button: tea.MouseLeft})
	require.EqualValues(t, 408, pagetest.Take[page.GotoMsg](t, d).To.Game)
	bodyAt(d, 120, 36) // the fourth item begins in the seventh row
	for range 2 {
		d.Send(tea.MouseClickMsg{X: 100, Y: 28, Button: tea.MouseLeft})
	}
	require.EqualValues(t, 390, pagetest.Take[page.GotoMsg](t, d).To.Game)
}

// A line of chat must not cost the drawing of what has not changed.
func TestOnlyWhatHasChangedIsDrawn(t *testing.T) {
	club := evening()
	club.me = player("nobody") // who is not in the list of people, where they would be marked
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

// Panels that look the same to everybody are drawn once; still, people see themselves marked, and see nothing from those they ignore.
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
		d := pagetest.Drive(newPage(e, club, page.Target{}))
		pagetest.CheckHostile(t, e, d.Page, c)
		d.Press("/")
		d.Paste(c.Text)
		d.Press("enter", "right", "t")
		d.Paste(c.Text)
		pagetest.CheckHostile(t, e, d.Page, c)
		club.reply = c.Text + "\n" + c.Text
		d.Press("enter")
		pagetest.CheckHostile(t, e, d.Page, c)
	}
}

func BenchmarkLineOfChat(b *testing.B) {
	club := evening()
	for i := range table.ID(200) {
		club.snap.Tables = append(club.snap.Tables, tab(100+i, "classic", []string{"pia", "quinn"}, plays(7, 1, 180, 175)))
	}
	d := pagetest.Drive(newPage(pagetest.Env(b, nil), club, page.Target{}))
	d.Lines(80, 20)
	for b.Loop() {
		update(d, club, func(s *lobby.Snapshot) {
			seq := s.Chat[len(s.Chat)-1].Seq + 1
			s.Chat = append(s.Chat[len(s.Chat)-5:len(s.Chat):len(s.Chat)], lobby.Line{Seq: seq, At: pagetest.Now, From: player("kim"), Text: "hi"})
		})
		d.Lines(80, 20)
	}
}

func BenchmarkMoveAtATable(b *testing.B) {
	club := evening()
	for i := range table.ID(200) {
		club.snap.Tables = append(club.snap.Tables, tab(100+i, "classic", []string{"pia", "quinn"}, plays(7, 1, 180, 175)))
	}
	d := pagetest.Drive(newPage(pagetest.Env(b, nil), club, page.Target{}))
	d.Lines(80, 20)
	for b.Loop() {
		update(d, club, func(s *lobby.Snapshot) { s.Tables = append(s.Tables[:0:0], s.Tables...) })
		d.Lines(80, 20)
	}
}

// Somebody comes in, among two hundred.
func BenchmarkFirstScreen(b *testing.B) {
	club := evening()
	for i := range 200 {
		club.snap.People = append(club.snap.People, lobby.Person{Player: player(fmt.Sprintf("visitor-%d", i))})
		club.snap.Tables = append(club.snap.Tables, tab(table.ID(100+i), "classic", []string{"pia", "quinn"}, plays(7, 1, 180, 175)))
	}
	env := pagetest.Env(b, nil)
	for n := 0; b.Loop(); n++ {
		club.me = player(fmt.Sprintf("visitor-%d", n%200))
		pagetest.Drive(newPage(env, club, page.Target{})).Lines(80, 20)
	}
}
