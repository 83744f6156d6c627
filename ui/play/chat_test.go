package play

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"boneyard/rules"
	"boneyard/table"
	"boneyard/ui/page"
)

// The newest lines of players and watchers are beside the board; talk comes before announcements.
func TestChatBesideTheBoard(t *testing.T) {
	for _, seat := range []rules.Seat{0, 1} {
		for _, size := range [][2]int{{120, 30}, {120, 40}, {112, 28}} {
			s := sit(t, "classic", 1, "ana", "ben", "cleopatra", "dora")
			s.deal()
			s.moveTo(1, 10)
			for i := range 40 {
				s.say(2, table.RoomPlayers, fmt.Sprintf("line %d.", i))
			}
			for i := range 20 {
				s.view.Chat = append(s.view.Chat, table.ChatLine{House: true, Text: fmt.Sprintf("guest%d sits down.", i)})
			}
			screen := strings.Join(screenOf(at(t, s.of(seat)).Page, size[0], size[1]), "\n")
			for _, want := range []string{"line 39.", "line 38.", "line 37.", "Watching: zoe"} {
				require.Contains(t, screen, want, "seat %d at %v", seat, size)
			}
			require.NotContains(t, screen, "line 0.")
			require.NotContains(t, screen, "sits down")
		}
	}
}

// A line without enough room is cut at its end, since it begins with who speaks.
func TestChatBeginsWithWhoSpeaks(t *testing.T) {
	s := lead(t)
	s.say(2, table.RoomPlayers, strings.Repeat("on and on ", 30)+"for ever")
	screen := screenAs(s.of(1), 60, 20)
	require.Contains(t, screen, "ben: on and on")
	require.Contains(t, screen, "on…")
	require.NotContains(t, screen, "for ever")
}

// New talk is shown at every size, and old talk again to those who write a line; neither is cut while the house
// has rows to spare.
func TestTalkWithoutAChatPanel(t *testing.T) {
	for _, size := range [][2]int{{40, 12}, {80, 16}, {60, 18}, {80, 24}, {100, 30}} {
		for _, pov := range []rules.Seat{0, 1} {
			s := lead(t)
			s.say(2, table.RoomPlayers, "good luck")
			p := at(t, s.of(pov))
			p.novice = true
			now := epoch
			p.env.Now = func() time.Time { return now }
			require.Contains(t, shown(p, size[0], size[1]), "good luck", "%v", size)
			now = epoch.Add(chatShown)
			require.NotContains(t, shown(p, size[0], size[1]), "good luck", "%v", size)
			p.press("t")
			require.Contains(t, shown(p, size[0], size[1]), "good luck", "%v", size)
			p.press("esc")
			require.NotContains(t, shown(p, size[0], size[1]), "good luck", "%v", size)
		}
	}
	s := lead(t)
	s.say(2, table.RoomPlayers, strings.Repeat("on and on ", 13)+"for ever")
	p := at(t, s.of(1))
	p.novice = true
	require.Contains(t, shown(p, 80, 24), "for ever")
}

// The line that is being typed, and its cursor, stay beside the panels.
func TestTypingBesideTheChat(t *testing.T) {
	s := lead(t)
	s.say(2, table.RoomPlayers, "good luck")
	p := at(t, s.of(1))
	p.press("t")
	for range 100 {
		p.press("w")
	}
	screen := screenOf(p.Page, 120, 40)
	require.Contains(t, strings.Join(screen, "\n"), "ben: good luck")
	require.Less(t, p.Chrome().Cursor.X, p.picture().places().chat.x)
}

// A player who types a line is told when it is their move.
func TestTypingOnOnesMove(t *testing.T) {
	s := answer(t)
	p := at(t, s.of(2))
	p.press("t", "h", "i")
	require.Contains(t, shown(p, 80, 24), " Say hi")
	sub := &fakeSub{view: p.view}
	p.sub = sub
	s.move()
	sub.view = s.of(2)
	require.True(t, sub.view.MyMove())
	p.update(page.WokenMsg{})
	require.Contains(t, shown(p, 80, 24), " Your move. Say hi")
}
