package main

import (
	"database/sql"
	"encoding/json"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	gossh "golang.org/x/crypto/ssh"
)

// try runs one command and returns all that it wrote, whether or not it succeeded.
func try(t *testing.T, m *Main, key gossh.Signer, name, command string) string {
	t.Helper()
	_, out, errs := answer(t, m, key, name, command, false)
	return out + errs
}

// playDeal plays a game of the daily deal in line mode, or some moves; choose picks one of those offered.
func (l *liner) playDeal(moves int, choose func(offered int) string) {
	l.t.Helper()
	said := ""
	for moves != 0 {
		read := l.until(`Your move:.* 1\) [0-6]-[0-6].*|Type next to go on|Type daily to see|` + tooFast)
		switch {
		case strings.Contains(read, "Type daily to see"):
			return
		case strings.Contains(read, "Your move:"):
			said = choose(len(regexp.MustCompile(` [0-9]+\) [0-6]-[0-6]`).FindAllString(read[strings.LastIndex(read, "Your move:"):], -1)))
			moves--
		case strings.Contains(read, "Type next to go on"):
			said = "next"
		}
		l.say(said)
	}
}

// dealOf is somebody's own result as "daily --json" writes it.
func dealOf(t *testing.T, m *Main, key gossh.Signer, name string) (rounds []int, share string, choices int, all string) {
	t.Helper()
	all = ask(t, m, key, name, "daily --json")
	for line := range strings.Lines(all) {
		var o struct {
			Type   string
			Rounds []int
			Share  string
			Seed   string
		}
		require.NoError(t, json.Unmarshal([]byte(line), &o))
		require.Empty(t, o.Seed)
		switch o.Type {
		case "daily":
			rounds, share = o.Rounds, o.Share
		case "daily_choice":
			choices++
		}
	}
	return rounds, share, choices, all
}

// TestTheDailyDealKeepsItsSecrets: three members play the daily deal over real connections, one of them
// across a restart, while a fourth runs every command and opens every page: no tile and no seed reaches the
// fourth during or after the games.
func TestTheDailyDealKeepsItsSecrets(t *testing.T) {
	t.Parallel()
	m := openClub(t, func(m *Main) { m.Settings.Exhibition, m.Settings.Daily = false, true })
	ana, ben, cleo, spy := member(t, m, "ana"), member(t, m, "ben"), member(t, m, "cleo"), member(t, m, "spy")
	if left := time.Until(time.Now().UTC().Truncate(24 * time.Hour).Add(24 * time.Hour)); left < 15*time.Minute {
		t.Skip("the day is nearly over")
	}
	first := func(int) string { return "1" }
	var seen strings.Builder
	look := func() {
		for _, c := range []string{
			"who --json", "tables --json", "games --json", "standings --json", "daily", "daily --json", "show 1", "show table 1 --json",
			"show table 2", "show game 1",
			"show game 2 --json", "watch 1", "watch 2 --json", "export 1", "export 2", "export 3", "cast 1", "card 1", "cast 2", "card 2", "coach 1",
			"coach 2", "games ana", "games ben",
			"play 1 --json", "join 2 --json",
		} {
			seen.WriteString(try(t, m, spy, "spy", c))
		}
		s := sit(t, m, spy, "spy", 120, 40)
		for _, p := range [][2]string{{"2", "Teams"}, {"3", "Standings"}, {"4", "Games"}, {"1", "Tables"}} {
			s.press(p[0])
			s.shows(p[1])
		}
		s.press("d")
		s.shows("Results")
		s.mu.Lock()
		seen.Write(s.raw.Bytes())
		s.mu.Unlock()
		_ = s.client.Close()
	}

	until(t, "the first deal", func() bool { return strings.Contains(try(t, m, spy, "spy", "daily"), "Daily deal 1") })
	control := startLine(t, m, ana, "", "")
	control.until(`Type quick for .* guide`)
	control.say("daily play")
	control.playDeal(4, first)
	look()
	control.playDeal(-1, first)
	rounds, share, choices, told := dealOf(t, m, ana, "ana")
	require.Len(t, rounds, 5)
	require.Regexp(t, `^Boneyard daily 1 [+-][0-9]+ [▁▂▃▄▅▆▇█]{5}$`, share, "a new account has no place")
	require.NotZero(t, choices)
	require.NotContains(t, told, `"met":1`)

	begun := startLine(t, m, ben, "", "")
	begun.until(`help for all commands`)
	begun.say("daily play")
	begun.playDeal(5, first)
	_ = begun.sess.Close()
	settings, tables := m.Settings, m.tables
	require.NoError(t, m.Close())
	m.Settings, m.tables = settings, tables
	require.NoError(t, m.Run())
	again := startLine(t, m, ben, "", "")
	again.until(`Daily deal 1.*`)
	again.say("moves")
	again.playDeal(-1, first)
	same, _, _, told := dealOf(t, m, ben, "ben")
	require.Equal(t, rounds, same, "equal play meets equal replies")
	require.Contains(t, told, `"met":1`)
	require.Contains(t, told, `"percent":100`)

	other := startLine(t, m, cleo, "", "")
	other.until(`help for all commands`)
	other.say("daily play")
	other.playDeal(-1, func(n int) string { return string(rune('0' + min(n, 9))) })
	_, _, _, told = dealOf(t, m, cleo, "cleo")
	require.Contains(t, told, `"met":2`, "both others have come to her first decision, at least")
	look()
	require.Contains(t, try(t, m, ana, "ana", "export 1"), "No finished game has that number")

	require.Contains(t, seen.String(), "Daily deal 1")
	require.Empty(t, tilesIn(writtenTile, seen.String()))
	require.Empty(t, tilesIn(drawnTile, seen.String()))
	require.NotEmpty(t, tilesIn(writtenTile, control.all.String()), "the search finds tiles where there are some")
	db, err := sql.Open("sqlite", "file:"+m.Settings.Data+"?mode=ro")
	require.NoError(t, err)
	defer db.Close()
	rows, err := db.Query(`SELECT secret FROM events UNION SELECT seed FROM games`)
	require.NoError(t, err)
	defer rows.Close()
	secrets := 0
	for rows.Next() {
		var secret string
		require.NoError(t, rows.Scan(&secret))
		secrets++
		for _, text := range []string{seen.String(), control.all.String(), begun.all.String(), again.all.String(), other.all.String(), told} {
			require.NotContains(t, text, secret)
		}
	}
	require.NoError(t, rows.Err())
	require.Equal(t, 2, secrets, "of today and of tomorrow")
}
