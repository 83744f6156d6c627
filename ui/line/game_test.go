package line_test

import (
	"context"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"boneyard/rules"
	"boneyard/ui/golden"
	"boneyard/ui/line"
)

// choice is a line of what can be played.
var choice = regexp.MustCompile(`(?m)^([0-9]+)\) ([0-6]-[0-6])(?: (?:on|at) (?:the )?(left|right|top|bottom|[0-9]+ (?:up|down)))?`)

// step reads what has come and answers it: it takes the last choice, by its number or as a tile with an arm. It returns
// what was read.
func (p *person) step(turn int) string {
	p.t.Helper()
	fresh := p.fresh()
	if strings.Contains(fresh, "Type next to go on") {
		p.typing("next\n")
		return fresh
	}
	list := choice.FindAllStringSubmatch(fresh, -1)
	require.Equal(p.t, strings.Contains(fresh, "Your move:"), len(list) > 0, fresh)
	if len(list) == 0 {
		return fresh
	}
	last := list[len(list)-1]
	if turn%2 == 0 {
		p.typing(last[1] + "\n")
	} else {
		p.typing(last[2] + " " + strings.ToLower(last[3]) + "\n")
	}
	return fresh
}

// playing has people play by what they read alone, until the first has read that the game is over; it returns all that one read.
func playing(people ...*person) string {
	read := ""
	for turn := range 1000 {
		time.Sleep(2 * time.Second)
		for i, p := range people {
			fresh := p.step(turn)
			if i > 0 {
				continue
			}
			if read += fresh; strings.Contains(flat(read), "Type rematch to play again.") {
				return read
			}
		}
	}
	people[0].t.Fatalf("the game does not end:\n%s", people[0].text())
	return ""
}

// A person who reads nothing but the text plays each of the five games to its end against bots.
func TestAWholeGameByText(t *testing.T) {
	for _, g := range rules.Presets() {
		t.Run(g.String(), func(t *testing.T) {
			bubble(t, func(t *testing.T, c *club) {
				ana := c.come(c.key("ana"))
				ana.wants("new "+g.String()+" bots=now pace=none", "Seat 1: ana, ", "house bot", "Type ready when you are")
				ana.typing("ready\n")
				read := playing(ana)
				require.Regexp(t, `wins? the game\.`, flat(read))
				require.Regexp(t, `Score after round 1:( [^.]*,)? you `, flat(read))
				require.NotContains(t, flat(read), "ana's hand")
				require.NotContains(t, flat(read), "ana dominoed")
				ana.wants("seed", "The deals follow from the seed 07", "SHA-256, shown before the game: ")
				require.NotRegexp(t, `[0-9a-f]{16}`, read, "nobody has such a number read aloud who has not asked for it")
				ana.wants("replay", "Round 1: ", "ana holds ")
				ana.wants("rematch", "You asked for a rematch.", "Game 2 begins.")
				ana.wants("replay 1", "Round 1: ", "ana holds ")
				ana.wants("quit", "Goodbye.")
				<-ana.done
				_, lines, err := c.Store.Record(context.Background(), 1)
				require.NoError(t, err)
				require.NotEmpty(t, lines)
			})
		})
	}
}

func TestTwoPeoplePlayByText(t *testing.T) {
	bubble(t, func(t *testing.T, c *club) {
		ana, ben := c.come(c.key("ana")), c.come(c.key("ben"))
		ana.wants("new classic target=25 bots=never pace=none access=code", "Seat 2: free.")
		code := regexp.MustCompile(`join ([\w-]+)`).FindStringSubmatch(ana.wants("invite", "ssh -t club.example.org join "))[1]
		ben.wants("join 1", "private")
		ben.wants("join "+strings.ToLower(strings.ReplaceAll(code, "-", " ")), "Seat 2: ben, you.")
		require.Contains(t, ana.fresh(), "ben sits down.")
		ana.wants("swap", "ana would like to swap seats with ben.")
		require.Contains(t, ben.fresh(), "Type swap to agree.")
		ben.wants("swap", "You have seat 1.")
		require.Contains(t, ana.fresh(), "You have seat 2.")
		ana.wants("ready", "You are ready.")
		require.Contains(t, ben.fresh(), "ana is ready.")
		ben.wants("ready", "The game begins in 5 s. Type unready to stop it.")
		ana.wants("unready", "You are not ready.")
		require.Contains(t, ben.fresh(), "ana is not ready any more.")
		ben.say("say good luck")
		require.Contains(t, ana.fresh(), "ben says: good luck")
		ana.typing("ready\n")
		playing(ana, ben)
		golden.Check(t, "game.txt", strings.ReplaceAll(ana.text(), code, "K7QX"))
		ana.wants("rematch", "You asked for a rematch.")
		require.Contains(t, ben.fresh(), "ana wants a rematch.")
		ben.hangUp()
		require.Contains(t, ana.fresh(), "ben lost connection.")
		ana.hangUp()
	})
}

// An invitation names a command that works: nobody is given a seat during a game.
func TestInvitationDuringAGame(t *testing.T) {
	bubble(t, func(t *testing.T, c *club) {
		ana, ben := c.come(c.key("ana")), c.come(c.key("ben"))
		ana.wants("new classic bots=now pace=none", "Seat 2")
		ana.wants("invite", "ssh -t club.example.org join 1")
		ana.say("ready")
		time.Sleep(20 * time.Second)
		ana.wants("invite", "ssh -t club.example.org watch 1")
		ben.wants("watch 0", "There is no such table.")
		ben.wants("watch 1", "Table 1")
		ben.wants("invite", "ssh -t club.example.org watch 1")
	})
}

// Without a terminal the width of the screen is unknown: lines are broken between words at 80 columns, unless the person sets a width.
func TestLinesAreBrokenWithoutATerminal(t *testing.T) {
	bubble(t, func(t *testing.T, c *club) {
		ana := c.come(c.key("ana"), func(s *line.Session) { s.Size.Width = 0 })
		longest := func(text string) (n int) {
			for l := range strings.SplitSeq(text, "\n") {
				n = max(n, len(l))
			}
			return n
		}
		require.InDelta(t, 76, longest(ana.say("help")), 4)
		ana.wants("width 40", "Lines are wrapped at 40 columns.")
		require.InDelta(t, 36, longest(ana.say("help")), 4)
		ana.wants("width 0", "Lines are not wrapped.")
		require.Greater(t, longest(ana.say("help")), 100)
		for _, s := range []string{"width", "width 3", "width -1", "width 1e3"} {
			ana.wants(s, "Say how many columns")
		}
	})
}

// The first question explains how to choose a play.
func TestHowToChooseAPlay(t *testing.T) {
	bubble(t, func(t *testing.T, c *club) {
		ana := c.come(c.key("ana"))
		ana.say("new classic bots=now pace=none")
		ana.say("ready")
		time.Sleep(20 * time.Second)
		for range 4 {
			ana.say("1")
			time.Sleep(20 * time.Second)
		}
		require.Equal(t, 2, strings.Count(flat(ana.text()), "Your move: type the number of a play, such as 1, or its tile, such as "))
		require.Contains(t, ana.text(), "Your move:\n1) ")
	})
}

func TestATerminalAtFortyColumns(t *testing.T) {
	bubble(t, func(t *testing.T, c *club) {
		ana := c.come(c.key("ana"), func(s *line.Session) { s.Echo, s.Size.Width = true, 40 })
		ana.typing("new azneef bots=now pace=none\r")
		ana.typing("ready\r")
		time.Sleep(20 * time.Second)
		ana.typing("help\r")
		ana.typing("more\r")
		ana.typing("more\r")
		ana.typing("more\r")
		ana.typing("more\r")
		for _, l := range strings.Split(strings.TrimSuffix(ana.text(), "\r\n"), "\r\n") {
			require.LessOrEqual(t, len(l), 40)
			require.NotContains(t, l, "\n")
		}
		require.NotContains(t, ana.text(), "\x1b")
		golden.Check(t, "forty.txt", strings.ReplaceAll(ana.text(), "\r\n", "\n"))
		ana.typing("\x03")
		<-ana.done
	})
}

// A width that the person has set stays when the window changes.
func TestAWidthThatWasSetStays(t *testing.T) {
	bubble(t, func(t *testing.T, c *club) {
		sizes := make(chan line.Size)
		ana := c.come(c.key("ana"), func(s *line.Session) { s.Echo, s.Resizes = true, sizes })
		ana.wants("width 0", "Lines are not wrapped.")
		sizes <- line.Size{Width: 40, Height: 20}
		long := 0
		for l := range strings.SplitSeq(ana.say("help"), "\n") {
			long = max(long, len(l))
		}
		require.Greater(t, long, 100)
	})
}

// Whoever comes back to a game is not told that nobody is there.
func TestAGameIsNotSaidToSleepToWhoWakesIt(t *testing.T) {
	bubble(t, func(t *testing.T, c *club) {
		key := c.key("ana")
		ana := c.come(key)
		ana.say("new classic bots=now")
		ana.say("ready")
		time.Sleep(10 * time.Second)
		ana.hangUp()
		time.Sleep(time.Minute)
		ana = c.come(key)
		require.Contains(t, ana.text(), "round 1")
		require.NotContains(t, ana.text(), "Nobody is here to play")
		ana.hangUp()
		time.Sleep(time.Minute)
		ben := c.come(c.key("ben"))
		ben.wants("watch 1", "Nobody is here to play; the game sleeps until a player is back.")
	})
}
