package play

import (
	"strings"
	"testing"
	"time"

	"github.com/charmbracelet/colorprofile"
	"github.com/stretchr/testify/require"

	"boneyard/rules"
	"boneyard/table"
	"boneyard/ui/english"
	"boneyard/ui/theme"
)

// screenAs returns the page of a view as one text.
func screenAs(v *table.View, w, h int) string {
	th := theme.Get(theme.Mono, colorprofile.NoTTY, theme.Digits)
	sc := scene{view: v}
	return strings.Join(screenOf(sc.open(th), w, h), "\n")
}

// The text at a seat is never cut, not even with partners.
func TestSeatsBeforeAGameAreWhole(t *testing.T) {
	s := sit(t, "block", 1, "ana", "ben", "cleopatra", "dora")
	s.view.Seats[1].Presence = table.Disconnected
	s.view.Seats[2].Player.Bot = true
	s.view.Seats[3].House, s.view.Seats[3].Player.ID = table.Regular, 0
	for _, size := range sizes {
		screen := screenAs(s.of(1), size[0], size[1])
		for _, say := range []string{"disconnected", "program, not ready", "bot, regular"} {
			require.Contains(t, screen, say, "%v", size)
		}
		with := "with 3"
		if size[0] < 76 {
			with = "1+3"
		}
		require.Contains(t, screen, with, "%v", size)
	}
}

// What is played is said in whole sentences in every size, or by its name alone.
func TestTheRulesBeforeAGameAreWhole(t *testing.T) {
	for _, preset := range []rules.Preset{rules.Classic, rules.Block} {
		s := sit(t, preset.String(), 1, "ana", "ben", "cem", "dan")
		for w := 40; w <= 120; w += 4 {
			for h := 12; h <= 30; h++ {
				screen := screenAs(s.of(1), w, h)
				require.NotRegexp(t, `(?m)\S…\s*$`, screen, "%d×%d", w, h)
				require.Contains(t, screen, strings.Fields(english.Title(preset))[0], "%d×%d", w, h)
			}
		}
	}
}

// A long name leaves a blank before the border, and the mark of the player's own seat stands below or behind it.
func TestLongNamesBeforeAGame(t *testing.T) {
	s := sit(t, "classic", 1, "a-very-long-name-20c", "another-long-name-20", "", "")
	for _, size := range sizes {
		require.Regexp(t, ` \(you\) |  ?you, not ready`, screenAs(s.of(1), size[0], size[1]), "%v", size)
	}
	longest := sit(t, "classic", 1, "a-long-name-of16", "", "", "")
	for _, size := range sizes {
		require.Contains(t, screenAs(longest.of(1), size[0], size[1]), "a-long-name-of16 ", "%v", size)
	}
	require.Regexp(t, `2 another-long-nam… │`, screenAs(s.of(1), 80, 24))
	two := sit(t, "classic", 1, "a-very-long-name-20c", "another-long-name-20")
	require.Regexp(t, `│ 1 a-very-long-name-20c \(you\) +│[^\x00]*│ 2 another-long-name-20 +│`, screenAs(two.of(1), 80, 24),
		"one above the other, with room for all")
}

// A player who is ready reads what the game waits for, and what space does now.
func TestReadyTellsWhatIsMissing(t *testing.T) {
	s := sit(t, "classic", 1, "ana", "", "", "")
	require.Contains(t, screenAs(s.of(1), 80, 24), "space ready")
	s.view.Seats[0].Ready = true
	alone := screenAs(s.of(1), 80, 24)
	require.Contains(t, alone, "You're ready. 3 seats are free: press b to add a bot.")
	require.Contains(t, alone, "space not ready")
	for i, name := range []string{"ben", "cleo", "dora"} {
		s.view.Seats[i+1] = table.SeatView{Player: table.Player{ID: table.PlayerID(i + 2), Name: name}, Presence: table.Here}
	}
	require.Contains(t, screenAs(s.of(1), 80, 24), "You're ready. Waiting for ben, cleo and dora.")
	s.view.Seats[1].Ready, s.view.Seats[3].Ready = true, true
	require.Contains(t, screenAs(s.of(1), 80, 24), "You're ready. Waiting for cleo.")
}

// Every screen with room for the table has the invitation and the prompt, however many rows the table takes.
func TestGatheringAtEveryHeight(t *testing.T) {
	s := sit(t, "classic", 1, "ana", "", "", "")
	for _, w := range []int{60, 76, 80, 120} {
		for h := 12; h <= 40; h++ {
			screen := screenAs(s.of(1), w, h)
			require.Contains(t, strings.Join(strings.Fields(screen), " "), "join 1", "%d×%d", w, h)
			require.Contains(t, screen, "Ready? Press Space.", "%d×%d", w, h)
		}
	}
}

// Before a game players read who plays with whom, their own side first.
func TestSidesBeforeAGame(t *testing.T) {
	for _, c := range []struct {
		rule  string
		names []string
		pov   rules.Seat
		want  string
	}{
		{"block", []string{"ana", "ben", "cem", "dan"}, 3, "You and ana play against ben and dan. To change: arrows, then x."},
		{"block", []string{"ana", "ben", "cem", "dan"}, 2, "You and dan play against ana and cem. To change: arrows, then x."},
		{"block", []string{"ana", "", "cem", ""}, 1, "You and cem play against seats 2 and 4. To change: arrows, then x."},
		{"block", []string{"ana", "", "", ""}, 1, "You and seat 3 play against seats 2 and 4. To change: arrows, then x."},
		{"block", []string{"ana", "ben", "cem", "dan"}, 0, "ana and cem play against ben and dan."},
		{"classic", []string{"ana", "ben"}, 2, "You play against ana."},
		{"classic", []string{"ana", "ben"}, 0, "ana plays against ben."},
		{"classic", []string{"ana", "ben", "cem"}, 1, "Everybody plays alone."},
	} {
		s := sit(t, c.rule, 1, c.names...)
		require.Contains(t, screenAs(s.of(c.pov), 80, 24), c.want)
	}
}

// Before a game a sentence describes the game, and another one its house rules.
func TestGameIsToldBeforeAGame(t *testing.T) {
	for _, size := range [][2]int{{80, 24}, {120, 40}} {
		screen := strings.Join(strings.Fields(screenAs(sit(t, "sniff hand=4", 1, "ana", "", "", "").of(1), size[0], size[1])), " ")
		for _, word := range []string{"Sniff", "Fives:", "House", "hand: 4"} {
			require.Contains(t, screen, word, "%v", size)
		}
	}
}

// A player who has left a game for good is marked beside the name and in the last moves.
func TestLeaverInPlay(t *testing.T) {
	s := sit(t, "classic", 1, "ana", "ben", "cem")
	s.deal()
	s.moveTo(1, 4)
	s.tell("cem is out of time.")
	s.tell("ben has left the game; a bot plays on.")
	s.view.Seats[1].House, s.view.Seats[1].Presence = table.Regular, table.Left
	for _, pov := range []rules.Seat{0, 1, 3} {
		screen := screenAs(s.of(pov), 80, 24)
		require.Regexp(t, "ben +left ", screen)
		require.Contains(t, screen, "ben has left the game; a bot plays on.")
		require.NotContains(t, screen, "out of time", "a move that was made for somebody says so itself")
		require.NotContains(t, screenAs(s.of(pov), 120, 40), "out of time", "nor in the log")
	}
}

// A player who waits for bots reads when they come, and how to have one at once; "Press Space" is shown once.
func TestBotsAreAnnounced(t *testing.T) {
	s := sit(t, "classic", 1, "ana", "")
	s.view.Deadline = epoch.Add(23 * time.Second)
	require.Contains(t, screenAs(s.of(1), 80, 24), "Ready? Press Space. Bots join in 25 s; d deals now.")
	s.view.Seats[0].Ready = true
	require.Contains(t, screenAs(s.of(1), 80, 24), "You're ready. Bots join in 25 s; d deals now.")
	full := sit(t, "classic", 1, "ana", "ben")
	require.Equal(t, 1, strings.Count(screenAs(full.of(1), 80, 24), "Press Space"))
}

// Before a game the table says whether it will count for ratings, and if not why.
func TestSaysWhetherItWillCount(t *testing.T) {
	s := sit(t, "classic", 1, "ana", "", "", "")
	for _, c := range []struct {
		rated     bool
		why, want string
	}{
		{false, "", "rated:? if only members play"},
		{true, "", "rated:? yes"},
		{false, "two players from one network", "(rated no|casual): two players from one network"},
	} {
		s.view.Rated, s.view.Casual = c.rated, c.why
		for _, size := range sizes {
			screen := strings.ToLower(strings.Join(strings.Fields(onlyRight(screenAs(s.of(1), size[0], size[1]), size[0])), " "))
			require.Regexp(t, c.want, screen, "%v", size)
		}
	}
}

// onlyRight returns the terms, without the picture of the table beside them.
func onlyRight(screen string, w int) string {
	if w < 76 {
		return screen
	}
	var right []string
	for _, line := range strings.Split(screen, "\n") {
		if r := []rune(line); len(r) > 52 {
			right = append(right, string(r[52:]))
		}
	}
	return strings.Join(right, "\n")
}

// Bots don't play for teams, so nobody is told to add one.
func TestNoBotsForTeams(t *testing.T) {
	s := sit(t, "classic", 1, "ana", "", "", "")
	s.view.Seats[0].Ready = true
	s.view.Config.Access, s.view.Config.Rules.Teams = table.AccessTeams, true
	for _, size := range sizes {
		screen := screenAs(s.of(1), size[0], size[1])
		require.NotContains(t, screen, "add a bot", "%v", size)
		require.NotContains(t, screen, "b bot", "%v", size)
	}
}
