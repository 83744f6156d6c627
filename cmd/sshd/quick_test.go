package main

import (
	"regexp"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	gossh "golang.org/x/crypto/ssh"
)

// From the first connection to the first tile on the table takes at most four keys, apart from the name.
func TestKeysToTheFirstTile(t *testing.T) {
	t.Parallel()
	for name, key := range map[string]gossh.Signer{"ana": newKey(t), "guest": nil} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			m := openClub(t) // of one's own, or quick play leads one to the other's table
			p := sit(t, m, key, name, 120, 40)
			keys := 0
			press := func(k string, texts ...string) string {
				p.press(k)
				keys++
				return p.shows(texts...)
			}
			if key != nil {
				p.shows("You can have this name")
				press(enter, "New here? p")
			}
			p.until("the lobby", inLobby)
			press("p", "Round 1")
			p.until("the turn", func(s string) bool { return strings.Contains(s, "Your move") || strings.Contains(s, "You lead") })
			press(enter, "┃")
			press(enter)
			// The guide's sentence may be wrapped; where the bot's answer has taken its place, the log has it.
			p.until("what the tile counts", regexp.MustCompile(`for( |[^\n]*\n *)you\.|\d `+name+`\S* +\d-\d`).MatchString)
			require.LessOrEqual(t, keys, 4)
		})
	}
}

// A short game against a bot takes six keys at most.
func TestKeysToAShortGameOfOnesOwn(t *testing.T) {
	t.Parallel()
	m := openClub(t)
	ana := newcomer(t, m, "ana", 80, 24)
	keys := strings.Split("n|"+down+"|5|0|d", "|")
	ana.press(keys[0])
	ana.shows("New table")
	for _, k := range keys[1:] {
		ana.press(k)
	}
	ana.shows("classic to 50", "Round 1", "nora.regular")
	require.LessOrEqual(t, len(keys), 6)
}

// A host who is never ready delays nobody: quick play leads people elsewhere, and people who already sit
// there see the host lose the seat.
func TestWhoIsNotReadyIsStoodUp(t *testing.T) {
	t.Parallel()
	m := openClub(t, func(m *Main) { m.tables.Times.Late = 300 * time.Millisecond })
	host := newcomer(t, m, "hal", 80, 24)
	number := makeTable(host, "classic", never)
	ben := newcomer(t, m, "ben", 80, 24)
	ben.press("e")
	require.NotEqual(t, number, tableOf(t, ben.shows("Round 1", ".novice")))
	ana := newcomer(t, m, "ana", 80, 24)
	ana.join(number)
	ana.press(" ")
	host.shows("You were not ready in time")
}

// A person takes over the seat of a bot between two rounds, with its score, and the record still verifies.
func TestBotKeepsASeatWarm(t *testing.T) {
	t.Parallel()
	m := openClub(t)
	ana := newcomer(t, m, "ana", 80, 24)
	number := makeTable(ana, "classic target=150", now)
	ana.press(" ")
	ana.shows("Round 1", "nora.regular")
	key := newKey(t)
	ben := register(t, m, key, "ben", 80, 24)
	ben.press("e")
	require.Equal(t, number, tableOf(t,
		ben.shows("Table "+number, "you play from the next round", "after round 1 you take nora.regular's seat, with ")))
	ana.shows("ben takes over from nora.regular after this round.")
	// The last Enter of a round may be one too many, which leads past the scoring.
	scoring := func(s string) bool { return strings.Contains(s, "enter continue") }
	last := ana.drive("the end of the first round", step, func(s string) bool { return scoring(s) || strings.Contains(s, "Round 2") })
	score := func(name, screen string) int {
		found := regexp.MustCompile(`(?m)^.{1,6}` + regexp.QuoteMeta(name) + ` +(?:you +)?(\d+) `).FindStringSubmatch(screen)
		require.NotNil(t, found, "%s has no score in:\n%s", name, screen)
		n, err := strconv.Atoi(found[1])
		require.NoError(t, err)
		return n
	}
	if scoring(last) {
		kept := score("nora.regular", last) // it may still tick up to what the round has brought; the record is verified below
		ana.press(enter)
		require.GreaterOrEqual(t, score("ben", ben.shows("Round 2", "ben")), kept, "ben has the bot's points")
	}
	ana.shows("ben takes over from nora.regular.")
	ben.shows("Round 2", "ben")
	playOut(ana, ben)
	screen := ana.deals("win")
	record := export(t, m, screen)
	require.Contains(t, record, "\nseat 2 nora.regular\n", "the header was written before ben came")
	round1, round2 := strings.Index(record, "\nround 1\n"), strings.Index(record, "\nround 2\n")
	took := strings.Index(record, "\n# ben takes over from nora.regular.\n")
	require.Less(t, round1, took)
	require.Less(t, took, round2)
	out, status := verify(t, record)
	require.Equal(t, exitOK, status, out)

	game := strings.Fields(gameNumber.FindString(screen))[1]
	require.Contains(t, ask(t, m, key, "ben", "games ben"), game, "the game is his, too")
	require.NotContains(t, ask(t, m, key, "ben", "games nora.regular"), game)
	var found strings.Builder
	require.Equal(t, exitOK, run([]string{"check", "--data", m.Settings.Data}, nil, &found, &found), found.String())
}

// A newcomer is led through one round, each move explained, and never again: neither in the same visit nor in the next.
func TestFirstRoundIsGuidedOnce(t *testing.T) {
	t.Parallel()
	m := openClub(t)
	key := newKey(t)
	ana := register(t, m, key, "ana", 80, 24)
	ana.shows("New here? p: a first round with a guide")
	ana.press("p")
	ana.shows("Round 1", "s end guide")
	seen := ana.drive("the end of the round", step, func(s string) bool { return strings.Contains(s, "A whole game goes to 200.") })
	require.Contains(t, seen, "kit.novice")
	ana.press("q")
	require.NotContains(t, ana.until("the lobby", inLobby), "New here?")
	ana.press("p")
	ana.shows("Round 1", "level 2 of 5 by your results; casual.", ".casual")
	again := sit(t, m, key, "ana", 80, 24)
	again.shows("Round 1")
	again.press("q")
	again.shows("Leave for now?")
	again.press("y")
	require.NotContains(t, again.until("the lobby", inLobby), "New here?")

	shy := newcomer(t, m, "shy", 80, 24)
	shy.press("p")
	shy.shows("Round 1", "s end guide")
	shy.press("s")
	shy.until("no guide", func(s string) bool { return !strings.Contains(s, "s end guide") })
}
