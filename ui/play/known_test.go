package play

import (
	"strings"
	"testing"

	tea "charm.land/bubbletea/v2"
	"github.com/charmbracelet/colorprofile"
	"github.com/charmbracelet/x/ansi"
	"github.com/stretchr/testify/require"

	"boneyard/lobby"
	"boneyard/rules"
	"boneyard/table"
	"boneyard/ui/page"
	"boneyard/ui/plain"
	"boneyard/ui/theme"
)

// Everything the panel shows about hands is true in every game, and it shows something.
func TestKnownIsTrue(t *testing.T) {
	lacked := 0
	for seed := range byte(30) {
		for _, rule := range []string{"azneef", "sniff", "spruce", "classic", "block"} {
			s := sit(t, rule, seed, "ana", "ben", "cleopatra", "dora")
			s.deal()
			for s.view.State == table.Playing {
				s.move()
				if s.view.State != table.Playing {
					break
				}
				k := plain.Know(s.of(0))
				for i, suits := range k.Lacks[:s.game.Seats()] {
					hand := s.game.View(rules.Seat(i + 1)).Hand
					require.Zero(t, hand&k.Played)
					for _, suit := range suits {
						lacked++
						require.Zero(t, hand&rules.WithPip(suit), "%s seed %d: seat %d holds %v and is said to lack %d", rule, seed, i+1, hand, suit)
					}
				}
			}
		}
	}
	require.Greater(t, lacked, 1000)
}

func TestToGo(t *testing.T) {
	v := sit(t, "classic", 1, "ana", "ben").of(0).Play
	v.Scores = [rules.MaxSeats]rules.Points{30, 250}
	target := int(v.Rules.TargetFor(2))
	require.Equal(t, 200, target)
	require.Equal(t, "170 to go", plain.ToGo(&v, 1))
	require.Equal(t, "0 to go", plain.ToGo(&v, 2))
	v = sit(t, "classic above=200", 1, "ana", "ben").of(0).Play
	require.Equal(t, "201 to go", plain.ToGo(&v, 1), "as many do not win")
	v = sit(t, "classic rounds=3", 1, "ana", "ben").of(0).Play
	require.Equal(t, "level", plain.ToGo(&v, 1))
	v.Scores = [rules.MaxSeats]rules.Points{30, 25}
	require.Equal(t, "leads by 5", plain.ToGo(&v, 1))
	require.Equal(t, "5 behind", plain.ToGo(&v, 2))
}

// Watchers have the panel from 100 columns on, elsewhere if they ask; all others have the whole board.
func TestKnownPanel(t *testing.T) {
	s := sit(t, "classic", 1, "ana", "ben", "cleopatra", "dora")
	s.deal()
	s.moveTo(1, 10)
	p := at(t, s.of(0))
	shown := func(w, h int) bool {
		lines := screenOf(p.Page, w, h)
		for _, line := range lines {
			require.LessOrEqual(t, ansi.StringWidth(line), w, "%q", line)
		}
		return strings.Contains(ansi.Strip(strings.Join(lines, "\n")), "Played, by suit")
	}
	for _, c := range []struct {
		w, h int
		want bool
	}{{40, 12, false}, {80, 24, false}, {99, 30, false}, {100, 24, true}, {120, 40, true}, {200, 50, true}, {120, 12, false}} {
		require.Equal(t, c.want, shown(c.w, c.h), "%d×%d", c.w, c.h)
		p.press("k")
		require.Equal(t, !c.want, shown(c.w, c.h), "%d×%d after k", c.w, c.h)
		p.press("k")
	}
	p.view = s.of(1)
	require.False(t, shown(120, 40), "a player's")

	// Watchers with the panel do not share frames with those without it.
	th := theme.Get(theme.Mono, colorprofile.NoTTY, theme.Digits)
	a, b := newPage(envFor(th), &fakeClub{}, 12), newPage(envFor(th), &fakeClub{}, 12)
	a.view = s.of(0)
	b.view = a.view
	b.toggled = true
	require.NotSame(t, a.Frame(80, 24), b.Frame(80, 24))
}

// Sentences below the panel take the whole width.
func TestBelowKnown(t *testing.T) {
	s := sit(t, "classic", 1, "ana", "ben", "cleopatra", "dora")
	s.deal()
	s.moveTo(1, 3)
	const long = "this is a line of talk that needs more columns than the board has"
	s.say(2, table.RoomPlayers, long)
	v := s.of(0)
	v.Notice = "The club restarts in a few minutes; the game is kept and goes on then."
	p := at(t, v)
	p.press("k")
	screen := strings.Join(screenOf(p.Page, 80, 24), "\n")
	require.Contains(t, screen, "Played, by suit")
	require.Contains(t, screen, "Hands")
	require.Contains(t, screen, "ben: "+long)
	require.Contains(t, screen, v.Notice)
}

// Followers are led to the next table, unless they have sat down or are typing.
func TestFollowOnThePage(t *testing.T) {
	s := sit(t, "classic", 1, "ana", "ben", "nora.bot")
	s.view.Seats[2].Player.ID, s.view.Seats[2].House = 0, table.Regular
	s.deal()
	p := at(t, s.of(0)) // its reader is ana, elsewhere too
	p.club.playsAt = 12
	along := page.GotoMsg{To: page.Target{Kind: page.Table, Table: 15, Follow: table.Player{ID: 2, Name: "ben"}}, Replace: true}
	p.press("f")
	require.Equal(t, table.PlayerID(2), p.club.follows)
	require.Equal(t, "following ben", p.Chrome().Subtitle)
	require.NotNil(t, p.Frame(80, 24))
	require.Contains(t, p.Frame(80, 24).Lines[0], "following ben")
	p.update(page.ClubUpdateMsg{})
	require.NotContains(t, p.said, along, "ben is still here")

	p.club.playsAt = 15
	p.press("t")
	p.update(page.ClubUpdateMsg{})
	require.NotContains(t, p.said, along, "somebody types")
	p.press("esc")
	require.Contains(t, p.said, along)

	p.said = nil
	p.press("f")
	require.Zero(t, p.club.follows)
	p.update(page.ClubUpdateMsg{})
	require.NotContains(t, p.said, along, "nobody is followed any more")
}

func TestBestGameKey(t *testing.T) {
	s := lead(t)
	p := at(t, s.of(0))
	p.club.playsAt = 12
	p.press("v")
	require.Equal(t, []tea.Msg{page.Say("This is the best game right now.")}, p.said)
	p.club.playsAt = 15
	p.press("v")
	require.Contains(t, p.said, page.GotoMsg{To: page.Target{Kind: page.Table, Table: 15}, Replace: true})
	p.club.answer = lobby.ErrNoLiveGame
	p.press("v")
	require.Contains(t, p.said, page.Complain(lobby.ErrNoLiveGame))
}
