package play

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"boneyard/lobby"
	"boneyard/rules"
	"boneyard/table"
	"boneyard/ui/page"
)

// stepPast is a round of four after some moves, with the layouts as they were after each play.
func stepPast(t *testing.T) (s *sitting, laid map[int]rules.Layout) {
	s = sit(t, "classic", 1, "ana", "ben", "cleopatra", "nora.bot")
	s.deal()
	laid = make(map[int]rules.Layout)
	for i := 0; i < 10 || s.game.Turn() != 1 || s.game.Duty() != rules.Play; i++ {
		s.move()
		laid[s.number] = *s.game.Layout()
	}
	return s, laid
}

// The board of each earlier move can be looked at, by players and watchers, and it is the layout that was there then.
func TestStepBack(t *testing.T) {
	s, laid := stepPast(t)
	for _, pov := range []rules.Seat{0, 1, 2} {
		p := at(t, s.of(pov))
		all := moments(p.view)
		for _, m := range all {
			l, _ := layoutAt(p.view, m)
			require.Equal(t, laid[m.number], l, "move %d", m.number)
		}
		p.press("<")
		require.Equal(t, all[len(all)-2], p.past)
		require.Nil(t, p.Frame(80, 24), "what one looks at is not shared")
		screen := shown(p, 80, 24)
		require.Contains(t, screen, fmt.Sprintf("Move %d of round 1", all[len(all)-2].number))
		require.Contains(t, screen, "Ends then ")
		for range 40 {
			p.press("<")
		}
		require.Equal(t, all[0], p.past)
		p.press(">", "right", "left")
		require.Equal(t, all[1], p.past)
		p.press("esc")
		require.Equal(t, moment{}, p.past)
		p.press(",", ".")
		require.Equal(t, moment{}, p.past, "the last move is the present")
	}
}

func shown(p *person, w, h int) string { return strings.Join(screenOf(p.Page, w, h), "\n") }

// A new move is announced to who looks at an earlier board, and the board stays.
func TestNewMoveDoesNotThrowForward(t *testing.T) {
	s, _ := stepPast(t)
	p := at(t, s.of(2))
	sub := &fakeSub{view: p.view}
	p.held.keep(sub)
	p.press("<", "<")
	was := p.past
	e := s.move()
	sub.view = s.of(2)
	p.update(page.WokenMsg{})
	require.Equal(t, was, p.past)
	require.Equal(t, e.Kind, rules.Play)
	say := "New: ana played " + e.Tile.Name() + "."
	require.Len(t, p.said, 1)
	require.Contains(t, p.said[0].(page.Toast).Text, say)
}

// While an earlier board is shown, no key plays what is not on it.
func TestNothingIsPlayedFromThePast(t *testing.T) {
	s, _ := stepPast(t)
	p := at(t, s.of(1))
	p.press("right")
	p.press("<", "enter")
	require.Empty(t, p.asked())
	require.Equal(t, moment{}, p.past)
	p.press("enter")
	require.Len(t, p.asked(), 1)
}

// The rows below the board tell the last moves; what somebody says takes their place for a while.
func TestLowerRows(t *testing.T) {
	s, _ := stepPast(t)
	s.view.Chat = append(s.view.Chat, table.ChatLine{Seq: 1, At: epoch, Text: "zoe sits down.", House: true})
	for _, pov := range []rules.Seat{0, 2} {
		p := at(t, s.of(pov))
		screen := shown(p, 80, 24)
		require.NotContains(t, screen, "sits down", "what the house says does not stand there all game")
		require.Contains(t, screen, "2-1", "the sixth move")
		_, talk := timerAt(p.view, epoch)
		require.True(t, talk.IsZero())
	}
	s.say(3, table.RoomPlayers, "well played")
	for _, pov := range []rules.Seat{0, 2} {
		p := at(t, s.of(pov))
		require.Contains(t, shown(p, 80, 24), "well played")
		require.Equal(t, epoch.Add(chatShown), p.NextTick(epoch))
		p.env.Now = func() time.Time { return epoch.Add(chatShown) }
		require.NotContains(t, shown(p, 80, 24), "well played")
		require.True(t, p.NextTick(p.env.Now()).IsZero())
	}
}

// A newcomer reads the rule in one line.
func TestRuleForNewcomers(t *testing.T) {
	s, _ := stepPast(t)
	for _, size := range [][2]int{{80, 24}, {120, 40}, {200, 50}} {
		for _, pov := range []rules.Seat{0, 1} {
			p := at(t, s.of(pov))
			const rule = "Fives: after each play the open ends are added; 5, 10, 15 … scores 1, 2, 3 …"
			const plain = "Fives: after each play the open ends are added; 5, 10, 15 … scores that."
			require.NotContains(t, shown(p, size[0], size[1]), "Fives:")
			p.novice = true
			screen := shown(p, size[0], size[1])
			require.True(t, strings.Contains(screen, rule) || strings.Contains(screen, plain), screen)
		}
	}
}

// What a tile earns stands below it, unless a setting turns it off.
func TestEarnings(t *testing.T) {
	p := at(t, lead(t).of(1))
	require.Contains(t, shown(p, 80, 24), "+10")
	p.club.settings.NoEarnings = true
	require.NotContains(t, shown(p, 80, 24), "+10")
}

// The bell is offered once, after the first play; B turns it on and off.
func TestBellIsOffered(t *testing.T) {
	p := at(t, lead(t).of(1))
	p.update(answeredMsg{})
	require.Len(t, p.said, 1)
	p.update(answeredMsg{})
	require.Len(t, p.said, 1, "once")
	p.press("B")
	require.Equal(t, lobby.Settings{Bell: true, BellOffered: true}, p.club.settings)
	p.press("B")
	require.False(t, p.club.settings.Bell)
	p.club.settings = lobby.Settings{Bell: true}
	p.said = nil
	p.update(answeredMsg{})
	require.Empty(t, p.said, "it rings already")
}
