package club

import (
	"errors"
	"strconv"
	"strings"
	"testing"

	"github.com/charmbracelet/x/ansi"
	"github.com/stretchr/testify/require"

	"boneyard/lobby"
	"boneyard/ui/page"
	"boneyard/ui/page/pagetest"
)

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

// News leave the cursor on its item; if it is in another panel, the newest item stays on top.
func TestTheCursorStaysOnItsNews(t *testing.T) {
	for at, keys := range [][]string{{"left", "left"}, {"left"}} {
		club := evening()
		d := visitAs(t, club)
		d.Press(keys...)
		update(d, club, func(s *lobby.Snapshot) {
			s.News = append([]lobby.NewsItem{{ID: 10, Kind: lobby.NewsResult, Text: "ana beat ben at classic, 200:145", Game: 420}}, s.News...)
		})
		require.Equal(t, at, d.Page.(*Page).cursor[news].At)
	}
}

// If items of the news have several rows, the chosen one is always visible as a whole; where each has one row,
// too.
func TestNewsScroll(t *testing.T) {
	club := evening()
	for i := range 40 {
		n := club.snap.News[3]
		n.Text = "item " + strconv.Itoa(i) + ": ben + cleopatra beat dee + emil, END" + strconv.Itoa(i)
		club.snap.News = append(club.snap.News, n)
	}
	for _, size := range [][2]int{{120, 36}, {100, 26}, {80, 20}, {40, 8}} {
		d := visitAs(t, club)
		d.Press("left")
		for _, keys := range []string{"down", "up"} {
			for range 50 {
				p := d.Page.(*Page)
				s := strings.Join(strings.Fields(bodyAt(d, size[0], size[1])), " ")
				if i := p.cursor[news].At - 6; i >= 0 {
					require.Contains(t, s, "item "+strconv.Itoa(i)+":", "%v", size)
					require.Contains(t, s, "END"+strconv.Itoa(i), "%v", size)
				}
				d.Press(keys)
			}
		}
		require.Equal(t, 0, d.Page.(*Page).cursor[news].At)
	}
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

// Lines withheld while two people play the same deals at different tables appear afterwards.
func TestHeldLinesAppear(t *testing.T) {
	club := evening()
	club.ignored = "zoe"
	d := visitAs(t, club)
	update(d, club, func(s *lobby.Snapshot) {
		s.Chat = append(s.Chat[:len(s.Chat):len(s.Chat)], lobby.Line{Seq: 600, At: pagetest.Now, From: player("zoe"), Text: "held back"})
	})
	require.NotContains(t, body(d), "held back")
	club.ignored = ""
	update(d, club, func(*lobby.Snapshot) {})
	require.Contains(t, body(d), "held back")
}

// An item of the news that is clicked on, or that is chosen when its panel is entered, is visible as a whole, too.
func TestNewsChosenWithoutMoving(t *testing.T) {
	club := evening()
	for i := range 40 {
		n := club.snap.News[0]
		n.Text = "item " + strconv.Itoa(i) + ": ben + cleopatra beat dee + emil after a long game, END" + strconv.Itoa(i)
		club.snap.News = append(club.snap.News, n)
	}
	whole := func(d *pagetest.Driver) {
		t.Helper()
		s := strings.Join(strings.Fields(ansi.Strip(strings.Join(d.Page.Lines(), "\n"))), " ")
		require.Contains(t, s, "END"+strconv.Itoa(d.Page.(*Page).cursor[news].At-6))
	}
	d := visitAs(t, club)
	d.Page.Resize(80, 20)
	d.Press("left", "end")
	r := d.Page.(*Page).layout().panels[news]
	d.Press("right")
	d.Page.Resize(80, 20)
	d.Press("left")
	whole(d)
	for y := r.y + 1; y < r.y+r.h; y++ {
		d.Press("end", "up", "up", "right")
		d.Page.Resize(80, 20)
		d.Click(r.x+2, y)
		whole(d)
	}
}
