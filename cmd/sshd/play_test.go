package main

import (
	"bytes"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"boneyard/lobby"
	"boneyard/rules"
	"boneyard/rules/record"

	"github.com/stretchr/testify/require"
	gossh "golang.org/x/crypto/ssh"
)

// newcomer enters for the first time, under a name, and waits for the lobby.
func newcomer(t testing.TB, m *Main, name string, width, height int) *terminal {
	t.Helper()
	return register(t, m, newKey(t), name, width, height)
}

// register makes the holder of a key a member, with what is proposed for the user's name.
func register(t testing.TB, m *Main, key gossh.Signer, name string, width, height int) *terminal {
	t.Helper()
	p := sit(t, m, key, name, width, height)
	p.shows("You can have this name", name)
	p.press(enter)
	p.until("the lobby", inLobby)
	return p
}

// inLobby is what only the lobby's screen says.
func inLobby(screen string) bool { return strings.Contains(screen, "n new table") }

// drive presses what each new screen asks for, until a screen is as wanted, and returns that screen.
func (c *terminal) drive(want string, step func(screen string) string, done func(screen string) bool) string {
	c.t.Helper()
	last := ""
	for {
		screen := c.until(want, func(s string) bool { return done(s) || s != last && step(s) != "" })
		if done(screen) {
			return screen
		}
		if strings.Contains(screen, string(lobby.ErrTooFast)) { // what was refused is pressed again as soon as it is granted
			time.Sleep(commandEvery)
		}
		last = screen
		c.press(step(screen))
	}
}

// commandEvery is how often a key may send a command, beyond a burst.
const commandEvery = 100 * time.Millisecond

// step returns what a player at a table does next, according to the screen, or "".
func step(screen string) string {
	switch {
	case strings.Contains(screen, "┃"): // a tile is chosen, and an end with it
		return enter
	case strings.Contains(screen, "Your move"), strings.Contains(screen, "You lead"):
		return right
	case strings.Contains(screen, "enter take your seat"):
		return enter
	case strings.Contains(screen, "enter continue"):
		return enter
	}
	return ""
}

// gameOver is what only the screen of a finished game says.
func gameOver(screen string) bool { return strings.Contains(screen, "rematch") }

// playOut plays a game to its end with everybody at these terminals, each by what their own screen shows.
func playOut(players ...*terminal) {
	var all sync.WaitGroup
	for _, p := range players {
		all.Go(func() { p.drive("something to do", step, gameOver) })
	}
	all.Wait()
}

var tableNumber = regexp.MustCompile(`Table (\d+)`)

// tableOf is the number of the table that is on the screen.
func tableOf(t testing.TB, screen string) string {
	t.Helper()
	found := tableNumber.FindStringSubmatch(screen)
	require.NotNil(t, found, "no table's number on the screen:\n%s", screen)
	return found[1]
}

// makeTable makes a table from the form, by its rule string and seats, without bots.
func makeTable(p *terminal, rules string, moreKeys ...string) string {
	p.t.Helper()
	p.press("n")
	p.shows("New table", "Who may sit")
	p.press("e")
	p.shows("enter done")
	p.press("\x15" + rules + enter) // ctrl+u empties the line
	p.shows("Who may sit", "Rules "+rules)
	for _, k := range moreKeys {
		p.press(k)
	}
	p.press(enter)
	return tableOf(p.t, p.shows("Table ", "ready"))
}

// never and now choose, in the form of a new table, when bots come.
const (
	toBots = down + down + down + down + down + down + down + down
	never  = toBots + right
	now    = toBots + left
)

// join takes a seat at a table by its number.
func (c *terminal) join(number string) {
	c.t.Helper()
	c.press("j")
	c.shows("enter join")
	c.press(number + enter)
	c.shows("Table "+number, "space ready")
}

// deals goes from a finished game's card to how its deals are checked.
func (c *terminal) deals(also ...string) string {
	c.t.Helper()
	c.shows("e the deals")
	c.press("e")
	return c.shows(append(also, "Check the deals")...)
}

// gameNumber is what the last screen of a game says about its record.
var gameNumber = regexp.MustCompile(`(?:export|Game) (\d+)`)

// export fetches the record of a finished game over SSH and checks it by the rules.
func export(t testing.TB, m *Main, screen string) string {
	t.Helper()
	found := gameNumber.FindStringSubmatch(screen)
	require.NotNil(t, found, "no game's number on the screen:\n%s", screen)
	sess, err := dial(t, m, nil, "anybody").NewSession()
	require.NoError(t, err)
	out, err := sess.Output("export " + found[1])
	require.NoError(t, err)
	require.NoError(t, record.Check(bytes.NewReader(out)))
	return string(out)
}

// verify runs "sshd verify" on a record, and returns what it says and its exit status.
func verify(t testing.TB, text string) (string, int) {
	t.Helper()
	file := filepath.Join(t.TempDir(), "game.dom")
	require.NoError(t, os.WriteFile(file, []byte(text), 0o600))
	var out bytes.Buffer
	status := run([]string{"verify", file}, nil, &out, &out)
	return out.String(), status
}

func TestTwoPeoplePlayAWholeGame(t *testing.T) {
	t.Parallel()
	m := openClub(t)
	ana := newcomer(t, m, "ana", 80, 24)
	ben := newcomer(t, m, "ben", 120, 40)
	number := makeTable(ana, "classic target=50", never)
	ben.join(number)
	ana.shows("ben")
	ana.press(" ")
	ben.press(" ")
	playOut(ana, ben)
	screen := ana.deals("win", "a lower target than usual")
	ben.deals("win", "a lower target than usual")
	text := export(t, m, screen)
	require.Contains(t, text, "\nseat 1 ana\nseat 2 ben\n")
	out, status := verify(t, text)
	require.Equal(t, exitOK, status)
	require.Contains(t, out, "the seed is the one committed to")
	out, status = verify(t, regexp.MustCompile(`tag commitment \w`).ReplaceAllString(text, "tag commitment x"))
	require.Equal(t, exitFailed, status)
	require.Contains(t, out, "the SHA-256 of the seed")

	// Another game with the same seats, in which both play on.
	again := func(s string) string {
		if strings.Contains(s, "Press r for another game") {
			return "r"
		}
		return ""
	}
	playing := func(s string) bool { return strings.Contains(s, "Round 1") && !gameOver(s) }
	var both sync.WaitGroup
	for _, p := range []*terminal{ana, ben} {
		both.Go(func() { p.drive("the rematch", again, playing) })
	}
	both.Wait()
	playOut(ana, ben)
	second := ana.deals("win")
	require.NotEqual(t, gameNumber.FindString(screen), gameNumber.FindString(second))
	export(t, m, second)
}

func TestEachGameIsPlayedOutWithBots(t *testing.T) {
	t.Parallel()
	m := openClub(t)
	for _, rules := range []string{"azneef target=60", "sniff above=40", "spruce target=60", "classic target=60", "block target=60"} {
		t.Run(strings.Fields(rules)[0], func(t *testing.T) {
			t.Parallel()
			ana := newcomer(t, m, strings.Fields(rules)[0]+"er", 80, 24)
			makeTable(ana, rules, now)
			ana.press(" ")
			playOut(ana)
			require.Contains(t, export(t, m, ana.deals("verify -")), "\nwon ")
		})
	}
}

// version is the number that a screen of a table shows to a client which asked for it.
var version = regexp.MustCompile(`\bv(\d+)\s*\n`)

func versionOn(screen string) string {
	if found := version.FindStringSubmatch(screen); found != nil {
		return found[1]
	}
	return ""
}

// agree waits until all show the same version, and returns what they show.
func agree(all ...*terminal) []string {
	all[0].t.Helper()
	for {
		newest := 0
		screens := make([]string, len(all))
		for i, p := range all {
			screens[i] = p.see()
			n, _ := strconv.Atoi(versionOn(screens[i]))
			newest = max(newest, n)
		}
		behind := -1
		for i := range all {
			if versionOn(screens[i]) != strconv.Itoa(newest) {
				behind = i
			}
		}
		if behind < 0 {
			return screens
		}
		all[behind].until("version "+strconv.Itoa(newest), func(s string) bool {
			n, err := strconv.Atoi(versionOn(s))
			return err == nil && n >= newest
		})
	}
}

func TestWatcherSeesEachMove(t *testing.T) {
	t.Parallel()
	m := openClub(t)
	ana := newcomer(t, m, "ana", 80, 24)
	ben := newcomer(t, m, "ben", 80, 24)
	number := makeTable(ana, "classic target=30", never)
	eve := sit(t, m, nil, "eve", 120, 40, "watch", number)
	eve.shows("Table " + number)
	ben.join(number)
	ana.press(" ")
	ben.press(" ")

	// Nobody presses a key before all have seen the same.
	seen := make(map[string][]string) // by round: plays in the order in which the watcher's log had them
	for {
		screens := agree(ana, ben, eve)
		noteplays(seen, screens[2])
		if gameOver(screens[0]) {
			break
		}
		pressed := false
		for i, p := range []*terminal{ana, ben} {
			if keys := step(screens[i]); keys != "" {
				p.press(keys)
				p.until("another screen", func(s string) bool { return s != screens[i] })
				pressed = true
			}
		}
		if !pressed {
			eve.until("the next event", func(s string) bool { return s != screens[2] })
		}
	}
	for round, want := range playsOf(t, export(t, m, ana.see())) {
		got := seen[round]
		// The last play of a round gives way to its scoring.
		require.GreaterOrEqual(t, len(got), len(want)-1, "round %s", round)
		require.Equal(t, want[:len(got)], got, "round %s", round)
	}
}

var (
	playInLog  = regexp.MustCompile(`\b(ana|ben) +(?:drew \d+, played )?(\d)-(\d)`)
	roundInBar = regexp.MustCompile(`Round (\d+)`)
)

// noteplays adds the plays that a screen's log has and that were not seen before in this round.
func noteplays(seen map[string][]string, screen string) {
	bar := roundInBar.FindStringSubmatch(screen)
	if bar == nil {
		return
	}
	for _, f := range playInLog.FindAllStringSubmatch(screen, -1) {
		play := f[1] + " " + min(f[2], f[3]) + "-" + max(f[2], f[3])
		if !slices.Contains(seen[bar[1]], play) {
			seen[bar[1]] = append(seen[bar[1]], play)
		}
	}
}

// playsOf are the plays of a record by ana and ben, by round.
func playsOf(t testing.TB, text string) map[string][]string {
	t.Helper()
	names := []string{"", "ana", "ben"}
	plays := make(map[string][]string)
	for step, err := range record.Replay(strings.NewReader(text)) {
		require.NoError(t, err)
		if e := step.Event; e.Kind == rules.Play {
			round := strconv.Itoa(step.Game.Round())
			plays[round] = append(plays[round], names[e.Seat]+" "+e.Tile.String())
		}
	}
	return plays
}

func TestLeavingGivesTheTerminalBack(t *testing.T) {
	t.Parallel()
	m := openClub(t)
	first := sit(t, m, newKey(t), "zoe", 80, 24)
	first.shows("You can have this name")
	first.press("\x03")
	require.NoError(t, first.leaves())

	key := newKey(t)
	register(t, m, key, "zoe", 80, 24).press("\x03")
	for _, keys := range []string{"qy", "\x03", "\x04"} {
		p := sit(t, m, key, "zoe", 80, 24)
		p.until("the lobby", inLobby)
		p.press(keys)
		require.NoError(t, p.leaves(), "%q", keys)
		out := string(p.bytes())
		require.Contains(t, out, "\x1b[?1049h", "the alternate screen is entered")
		require.Greater(t, strings.LastIndex(out, "\x1b[?1049l"), strings.LastIndex(out, "\x1b[?1049h"), "and left")
		require.Greater(t, strings.LastIndex(out, "\x1b[?25h"), strings.LastIndex(out, "\x1b[?25l"), "the cursor is back")
	}
}

func TestKeyIsTheAccount(t *testing.T) {
	t.Parallel()
	m := openClub(t)
	key := newKey(t)
	register(t, m, key, "mia", 80, 24)
	again := sit(t, m, key, "somebody-else", 80, 24)
	require.Contains(t, again.until("the lobby", inLobby), "mia")

	other := sit(t, m, newKey(t), "mia", 80, 24)
	other.shows("You can have this name") // another one is proposed
	other.press("\x15mia")
	other.shows("Somebody has that name")
}

func TestSmallTerminalIsTold(t *testing.T) {
	t.Parallel()
	m := openClub(t)
	p := sit(t, m, nil, "tiny", 30, 8)
	p.shows("40×12")
	p.resize(80, 24)
	p.shows("n new table")
	p.resize(40, 12)
	p.shows("Lobby")
	p.press("q")
	p.shows("Leave the club? y or n")
	p.press("y")
	require.NoError(t, p.leaves())
}

func TestSeatIsTakenOverFromAnotherDevice(t *testing.T) {
	t.Parallel()
	m := openClub(t)
	ana := newcomer(t, m, "ana", 80, 24)
	key := newKey(t)
	old := register(t, m, key, "ben", 80, 24)
	number := makeTable(ana, "classic target=30", never)
	old.join(number)
	ana.press(" ")
	old.press(" ")
	old.shows("Round 1")

	fresh := sit(t, m, key, "ben", 80, 24)
	fresh.shows("Table "+number, "Round 1")
	require.NoError(t, old.leaves())
	require.Contains(t, string(old.bytes()), "taken over")
	playOut(ana, fresh)
	export(t, m, ana.deals())
}

// "play new" makes a table and leads there: to its page on a terminal, also after the first visit's question for a name.
func TestPlayNewLeadsToTheTablesPage(t *testing.T) {
	t.Parallel()
	m := openClub(t, func(m *Main) { m.Settings.Exhibition = false })
	ana := sit(t, m, member(t, m, "ana"), "ana", 80, 24, "play", "new", "classic", "target=50", "bots=never")
	ana.shows("Table 1", "classic to 50")
	ben := sit(t, m, newKey(t), "ben", 80, 24, "play new")
	ben.shows("on your way to a new table", "You can have this name.")
	ben.press(enter)
	ben.shows("Table 2")
	eve := sit(t, m, member(t, m, "eve"), "eve", 80, 24, "play", "new", "chess")
	eve.shows("chess")
	eve.until("the lobby", inLobby)
}
