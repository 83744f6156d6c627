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

// stepPast is a round of four players after some moves, with the layouts after each play.
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

// Players and watchers can view the board of each earlier move, with the layout of that move.
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
		for range 40 {
			count := viewAt(p.view, p.past).Play.Layout.Count()
			require.Regexp(t, fmt.Sprintf(`Ends then(| .* =) +%d( |\n)`, count), shown(p, 80, 24))
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

// Before the first move of a game there is no earlier board.
func TestStepBackBeforeTheFirstMove(t *testing.T) {
	s := sit(t, "classic", 1, "ana", "ben", "cleopatra", "nora.bot")
	s.deal()
	for _, pov := range []rules.Seat{0, 1} {
		p := at(t, s.of(pov))
		p.press("<", "shift+left", ">")
		require.Equal(t, moment{}, p.past)
	}
}

// The board of an earlier move has the scores, tiles and hand of that moment, also in earlier rounds.
func TestStepBackTellsThatMoment(t *testing.T) {
	for _, rule := range []string{"classic", "sniff", "block", "azneef pegs=on"} {
		s := sit(t, rule, 1, "ana", "ben", "cleopatra", "nora.bot")
		then := map[moment]rules.Game{}
		for s.game.Round() < 3 || s.number < 9 {
			if s.view.State != table.Playing {
				s.deal()
			}
			s.move()
			then[moment{s.game.Round(), s.number}] = s.game
		}
		require.Equal(t, table.Playing, s.view.State)
		for _, pov := range []rules.Seat{0, 1, 2} {
			v := s.of(pov)
			all := moments(v)
			require.Equal(t, 1, all[0].round)
			for _, m := range all {
				g := then[m]
				want, got := g.View(pov), viewAt(v, m)
				require.Equal(t, want.Scores, got.Play.Scores, "%s, seat %d, %v", rule, pov, m)
				require.Equal(t, want.Held, got.Play.Held, "%s, seat %d, %v", rule, pov, m)
				require.Equal(t, want.Stock, got.Play.Stock, "%s, seat %d, %v", rule, pov, m)
				require.Equal(t, want.Turn, got.Play.Turn, "%s, seat %d, %v", rule, pov, m)
				require.Equal(t, want.Layout, got.Play.Layout, "%s, seat %d, %v", rule, pov, m)
				require.Equal(t, want.Hand, got.Play.Hand, "%s, seat %d, %v", rule, pov, m)
				last := got.Log[len(got.Log)-1]
				require.Equal(t, m, moment{last.Round, last.Number}, "the log ends there")
				require.False(t, got.MyMove())
			}
		}
	}
}

// The whole screen shows the earlier moment; only the prompt is about the present.
func TestPastScreen(t *testing.T) {
	s, _ := stepPast(t)
	for _, size := range [][2]int{{80, 24}, {120, 40}} {
		p := at(t, s.of(1))
		for range 40 {
			p.press("<")
		}
		screen := shown(p, size[0], size[1])
		require.Contains(t, screen, "Move 1 of round 1")
		require.Contains(t, screen, "Your turn: esc")
		require.NotContains(t, screen, "Ends now")
		for _, e := range p.view.Log {
			if e.Number > 1 && e.Event.Kind == rules.Play {
				require.NotContains(t, screen, e.Event.Tile.Name(), "a later move: %v", e.Event)
			}
		}
		v := viewAt(p.view, p.past)
		require.NotEqual(t, p.view.Play.Scores, v.Play.Scores)
		p.press("esc")
		require.Contains(t, shown(p, size[0], size[1]), "Ends now")
	}
}

// A click on an earlier board returns to the present, as a key does, and plays nothing.
func TestClickLeadsBackToNow(t *testing.T) {
	s, _ := stepPast(t)
	p := at(t, s.of(1))
	p.press("<")
	p.Resize(80, 20)
	a := p.picture().places().hand
	for range 3 {
		p.click(a.x+1, a.y)
		if p.past == (moment{}) {
			break
		}
	}
	require.Equal(t, moment{}, p.past)
	require.Equal(t, nothing, p.pick)
}

func shown(p *person, w, h int) string { return strings.Join(screenOf(p.Page, w, h), "\n") }

// A new move is announced to players who view an earlier board, but the board stays.
func TestNewMoveDoesNotThrowForward(t *testing.T) {
	s, _ := stepPast(t)
	p := at(t, s.of(2))
	sub := &fakeSub{view: p.view}
	p.sub = sub
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

// A new move is announced over the list of moves, too.
func TestOnesMoveIsAnnouncedOverTheMoves(t *testing.T) {
	s, _ := stepPast(t)
	p := at(t, s.of(2))
	sub := &fakeSub{view: p.view}
	p.sub = sub
	p.press("m")
	s.move()
	sub.view = s.of(2)
	p.update(page.WokenMsg{})
	require.True(t, p.moves)
	require.Len(t, p.said, 1)
	require.Contains(t, p.said[0].(page.Toast).Text, "It's your turn.")
	p.press("q")
	require.False(t, p.moves)
	p.press("<", "q")
	require.Equal(t, moment{}, p.past)
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

// The rows below the board show the last moves; talk takes their place for a while.
func TestLowerRows(t *testing.T) {
	s, _ := stepPast(t)
	s.view.Chat = append(s.view.Chat, table.ChatLine{Seq: 1, At: epoch, Text: "zoe sits down.", House: true})
	for _, pov := range []rules.Seat{0, 2} {
		p := at(t, s.of(pov))
		screen := shown(p, 80, 24)
		require.NotContains(t, screen, "sits down", "what the house says does not stand there all game")
		require.Contains(t, screen, map[rules.Seat]string{0: ", scores ", 2: "2-1"}[pov], "a move that scored, or the sixth move")
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
			for h := 16; h <= 24; h++ {
				narrow := strings.Join(strings.Fields(shown(p, 60, h)), " ")
				whole := strings.Contains(narrow, rule) || strings.Contains(narrow, plain)
				require.Equal(t, strings.Contains(narrow, "Fives:"), whole, "half of it says nothing: %s", narrow)
			}
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
	p.run(p.answered(nil))
	require.Len(t, p.said, 1)
	p.run(p.answered(nil))
	require.Len(t, p.said, 1, "once")
	p.press("B")
	require.Equal(t, lobby.Settings{Bell: true, BellOffered: true}, p.club.settings)
	p.press("B")
	require.False(t, p.club.settings.Bell)
	p.club.settings = lobby.Settings{Bell: true}
	p.said = nil
	p.run(p.answered(nil))
	require.Empty(t, p.said, "it rings already")
}
