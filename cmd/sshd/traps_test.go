package main

import (
	"regexp"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

// shifted is a club whose clock the test moves.
func shifted(t *testing.T) (*Main, *atomic.Int64) {
	t.Helper()
	var by atomic.Int64
	return openClub(t, func(m *Main) {
		m.tables.Now = func() time.Time { return time.Now().Add(time.Duration(by.Load())) }
	}), &by
}

// gone waits until a text is no longer on the screen.
func (c *terminal) gone(text string) string {
	c.t.Helper()
	return c.until("screen without "+text, func(s string) bool { return !strings.Contains(s, text) })
}

// myTurn reports whether it is the player's turn and nothing is chosen yet.
func myTurn(screen string) bool {
	return strings.Contains(screen, "Your move") || strings.Contains(screen, "You lead")
}

// toMove returns which of two players is to move; it checks that both see the same.
func toMove(ana, ben *terminal) *terminal {
	ana.t.Helper()
	for {
		screens := agree(ana, ben)
		for i, p := range []*terminal{ana, ben} {
			if myTurn(screens[i]) {
				return p
			}
		}
		ana.until("the next event", func(s string) bool { return s != screens[0] })
	}
}

// move makes a player choose a tile and play it. A new version alone does not mean that it has been played: a
// new watcher makes one, too.
func (c *terminal) move() {
	c.t.Helper()
	c.until("the turn", myTurn)
	chosen := "" // the version in which the tile was chosen
	c.drive("a move", func(s string) string {
		key := step(s)
		if key == enter {
			chosen = versionOn(s)
		}
		return key
	}, func(s string) bool { return chosen != "" && versionOn(s) != chosen && !strings.Contains(s, "┃") })
}

// game starts a game of two people at one table.
func game(t *testing.T, m *Main, rules string, moreKeys ...string) (ana, ben *terminal, number string) {
	t.Helper()
	ana, ben = newcomer(t, m, "ana", 80, 24), newcomer(t, m, "ben", 80, 24)
	number = makeTable(ana, rules, append([]string{never}, moreKeys...)...)
	ben.join(number)
	ana.press(" ")
	ben.press(" ")
	ana.shows("Round 1")
	ben.shows("Round 1")
	return ana, ben, number
}

// Quick play does not choose the table of a host who is asleep; the game begins with a bot instead.
func TestQuickPlayPassesASleepingHostBy(t *testing.T) {
	t.Parallel()
	m, by := shifted(t)
	host := newcomer(t, m, "hal", 80, 24)
	waiting := makeTable(host, "classic", never)
	host.press(" ")
	host.shows("You're ready")
	by.Add(int64(31 * time.Second))
	ana := newcomer(t, m, "ana", 80, 24)
	ana.press("e")
	require.NotEqual(t, waiting, tableOf(t, ana.shows("Round 1", ".novice")))
}

// chosenTile is what the prompt says of a tile that is chosen, and the end that is proposed for it.
var chosenTile = regexp.MustCompile(`(?m)^ (\d)-(\d)(?: ([LRUD]))?\b.*(?:enter|↑↓)`)

// Two digits choose a tile by its values, however long the player waits between them.
func TestDigitsAreValues(t *testing.T) {
	t.Parallel()
	m := openClub(t)
	ana, ben, number := game(t, m, "classic target=300")
	for done := 0; done < 3; {
		if toMove(ana, ben) == ben {
			ben.move()
			continue
		}
		require.Contains(t, string(ana.bytes()), "● Your turn – table "+number, "the window's title")
		ana.press(right)
		found := chosenTile.FindStringSubmatch(ana.until("a chosen tile", chosenTile.MatchString))
		ana.press("\x1b")
		ana.until("no chosen tile", func(s string) bool { return !chosenTile.MatchString(s) })

		high, low, arm := found[1], found[2], strings.ToLower(found[3])
		ana.press(high)
		ana.shows(high + "_")
		ben.press("twaiting for " + high + strings.Repeat("!", done) + enter) // somebody speaks meanwhile
		ana.shows("waiting for "+high+strings.Repeat("!", done), high+"_")
		ana.press(low + arm)
		screen := ana.until("the tile", func(s string) bool { return chosenTile.MatchString(s) && strings.Contains(s, "enter") })
		typed := chosenTile.FindStringSubmatch(screen)
		require.Equal(t, found[1:], typed[1:])
		ana.press(enter)
		ana.until("the next version", func(s string) bool { return versionOn(s) != versionOn(screen) })
		done++
	}
}

// When a move is made for a player whose time is up, the page says so, to the player and to the others.
func TestTimeOutIsSaid(t *testing.T) {
	t.Parallel()
	m, by := shifted(t)
	ana, ben, _ := game(t, m, "classic target=100")
	late, other := ana, ben
	if toMove(ana, ben) == ben {
		late, other = ben, ana
	}
	by.Add(int64(10 * time.Minute))
	other.press("tare you there?" + enter) // the table looks at its clock
	said := regexp.MustCompile(`Time! (\d-\d) was played for you\.`)
	tile := said.FindStringSubmatch(late.until("what was played", said.MatchString))[1]
	other.shows("time! " + tile)
}

// A person who follows a player is led to that player's next table.
func TestFollowToTheNextTable(t *testing.T) {
	t.Parallel()
	m := openClub(t)
	ana := newcomer(t, m, "ana", 80, 24)
	first := makeTable(ana, "classic", now)
	ana.press(" ")
	ana.shows("Round 1")
	eve := sit(t, m, nil, "eve", 120, 40, "watch", first)
	eve.shows("Table "+first, "Round 1")
	eve.press("f")
	eve.shows("Following ana")
	ana.press("X")
	ana.shows("Resign? Nobody else plays")
	ana.press("y")
	ana.shows("The game ended without a result")
	ana.press("q")
	ana.until("the lobby", inLobby)
	second := makeTable(ana, "block", now)
	require.NotEqual(t, first, second)
	ana.press(" ")
	ana.shows("Round 1")
	eve.shows("Table "+second, "Round 1")
}

// A player with a partner cannot resign alone: the game goes on until the partner agrees.
func TestPartnersResignTogether(t *testing.T) {
	t.Parallel()
	m := openClub(t)
	all := make(map[string]*terminal)
	for _, name := range []string{"ana", "ben", "cleo", "dan"} {
		all[name] = newcomer(t, m, name, 80, 24)
	}
	ana, cleo := all["ana"], all["cleo"]
	number := makeTable(ana, "block target=190", never)
	for _, name := range []string{"cleo", "ben", "dan"} { // cleo is the first to join, and so the partner
		all[name].join(number)
		ana.shows(name)
	}
	for _, p := range all {
		p.press(" ")
	}
	for _, p := range all {
		p.shows("Round 1")
	}
	ana.press("X")
	ana.shows("Resign? If cleo agrees, your side loses the game")
	ana.press("y")
	cleo.shows("ana wants to resign. Press X to agree")
	ana.shows("your partner has to agree")
	cleo.press("X")
	cleo.shows("ana wants to resign. Agree?")
	require.False(t, gameOver(all["ben"].see()), "one of two has given up")
	cleo.press("y")
	for _, p := range all {
		p.shows("win: ana and cleo have resigned.")
	}
}

// A player can look at an earlier board while the game goes on: a new move is announced, but does not leave that board.
func TestSteppingBack(t *testing.T) {
	t.Parallel()
	m := openClub(t)
	ana, ben, number := game(t, m, "classic target=190")
	eve := sit(t, m, nil, "eve", 80, 24, "watch", number)
	eve.shows("Table "+number, "Round 1")
	for range 3 {
		toMove(ana, ben).move()
	}
	earlier := func(string) string { return "<" } // there may be none yet, as moves are still on their way
	eve.drive("an earlier board", earlier, func(s string) bool { return strings.Contains(s, "esc back to now") })
	eve.shows("Move ")
	back, other := ana, toMove(ana, ben)
	if other == ana {
		back = ben
	}
	back.press("<")
	back.shows("Move ", "of round 1", "esc back to now")
	other.move()
	back.shows("New: ", " played ", "Move ", "of round 1")
	eve.shows("New: ", " played ", "Move ", "esc back to now")
	for _, p := range []*terminal{back, eve} {
		p.press("\x1b")
		p.gone("of round 1  ")
		p.gone("back to now")
	}
}

// Typing filters the list of keys, Enter carries out the chosen one, and a key that closes the list is carried out as well.
func TestListOfKeys(t *testing.T) {
	t.Parallel()
	m := openClub(t)
	ana := newcomer(t, m, "ana", 80, 24)
	ana.press("?")
	ana.shows("Type to find a key", "find tables")
	ana.press("quick play, w")
	screen := ana.gone("find tables")
	require.Contains(t, screen, "quick play, weaker bots")
	ana.press(strings.Repeat("\x7f", 3))
	ana.shows("Find: quick play_")
	ana.press(enter)
	ana.until("the turn", func(s string) bool { return strings.Contains(s, "Round 1") && myTurn(s) })
	ana.press("?")
	ana.shows("Type to find a key", "Fives")
	ana.press(right)
	ana.until("the tile that the key has chosen", chosenTile.MatchString)
	ana.press("??")
	ana.shows("[your table]", "classic")
}

// A line of chat takes the place of the last moves.
func TestChatTakesTheLowerRows(t *testing.T) {
	t.Parallel()
	m := openClub(t)
	ana, ben, _ := game(t, m, "classic target=190")
	ben.press("tlovely lead, that" + enter)
	ana.shows("ben", "lovely lead, that")
}

// The keys of the pages work on a team's page, Esc clears a filter, and typing on the row of a new table's name edits it.
func TestKeysThatWereTraps(t *testing.T) {
	t.Parallel()
	m := openClub(t)
	ana := newcomer(t, m, "ana", 80, 24)
	makeTable(ana, "classic", never)
	ana.press("q")
	ana.until("the lobby", inLobby)
	ana.press("/zzz" + enter)
	ana.shows("No match. Esc clears the search.")
	ana.press("\x1b")
	ana.gone("No match")

	ana.press("2")
	ana.shows("make a team")
	ana.press("c")
	ana.shows("Name")
	ana.press("Night Owls" + enter)
	ana.press("OWL" + enter)
	for number, says := range map[string]string{"3": "Standings", "4": "Games", "5": "house rules", "6": "Settings", "1": "n new table"} {
		ana.shows("i invite", "Night Owls", "Roster")
		ana.press(number)
		ana.shows(says)
		ana.gone("i invite")
		ana.press("2")
		ana.shows("o opens it")
		ana.press("o")
	}
	ana.press("1")
	ana.until("the lobby", inLobby)
	ana.press("n")
	ana.shows("New table", "Name")
	ana.press(strings.Repeat(down, 11))
	ana.press("Friday" + enter)
	ana.shows("Friday")
}
