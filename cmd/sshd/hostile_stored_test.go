package main

import (
	"database/sql"
	"encoding/json"
	"fmt"
	"log/slog"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	gossh "golang.org/x/crypto/ssh"

	"boneyard/lobby/text/texttest"
)

// firstHostile is the number in the data file of what the corpus's first string names; the others follow.
const firstHostile = 1000

// storeHostile writes each string of the corpus into the data file unchanged, as if input were never cleaned:
// as names of a member, a team, a table and a player, and as chat, news, a report, a mute and an audit entry.
func storeHostile(t *testing.T, file string) {
	t.Helper()
	db, err := sql.Open("sqlite", "file:"+file+"?_pragma=foreign_keys(1)")
	require.NoError(t, err)
	defer func() { require.NoError(t, db.Close()) }()
	tx, err := db.Begin()
	require.NoError(t, err)
	do := func(query string, args ...any) {
		t.Helper()
		_, err := tx.Exec(query, args...)
		require.NoError(t, err)
	}
	asJSON := func(v any) string {
		out, err := json.Marshal(v)
		require.NoError(t, err)
		return string(out)
	}
	var state string
	require.NoError(t, tx.QueryRow(`SELECT state FROM tables WHERE game = 0`).Scan(&state))
	at := time.Now().UnixNano()
	for i, c := range texttest.Hostile() {
		id := firstHostile + i
		speaker := asJSON(map[string]any{"id": id, "name": c.Text, "team": id, "tag": c.Text})
		do(`INSERT INTO accounts (id, name, skeleton, key, created, seen, settings) VALUES (?, ?, ?, randomblob(32), ?, ?, ?)`,
			id, c.Text, fmt.Sprint("a ", id), at, at, asJSON(map[string]any{"ignored": []string{c.Text}}))
		do(`INSERT INTO teams (id, name, skeleton, tag, tag_skeleton, captain, created) VALUES (?, ?, ?, ?, ?, ?, ?)`,
			id, c.Text, fmt.Sprint("t ", id), c.Text, fmt.Sprint("g ", id), id, at)
		do(`INSERT INTO team_members (player, team, joined) VALUES (?, ?, ?)`, id, id, at)
		do(`INSERT INTO invitations (team, player, inviter, at) SELECT ?, id, ?, ? FROM accounts WHERE name = 'sara'`, id, id, at)
		for _, kind := range []string{"player", "team"} {
			do(`INSERT INTO standings (kind, game, month, id, mu, sigma, provisional, games, won, points, against, streak, last, course)
				VALUES (?, '', '', ?, 25, 1, 0, 20, 10, 100, 100, 1, 'W', '[1500]')`, kind, id)
		}
		do(`INSERT INTO lobby_chat (at, speaker, text, house) VALUES (?, ?, ?, 0)`, at, speaker, c.Text)
		do(`INSERT INTO table_chat (tbl, room, seq, at, speaker, text, house) VALUES (1, 'watchers', ?, ?, ?, ?, 0)`, id, at, speaker, c.Text)
		do(`INSERT INTO news (at, kind, text, game) VALUES (?, 'team', ?, 0)`, at, c.Text)
		do(`INSERT INTO reports (at, player, about, text, place) VALUES (?, ?, ?, ?, ?)`, at, id, c.Text, c.Text, c.Text)
		do(`INSERT INTO sanctions (kind, player, name, skeleton, net, why, actor, at) VALUES ('mute', ?, ?, '', '', ?, ?, ?)`, id, c.Text, c.Text,
			c.Text, at)
		do(`INSERT INTO audit (at, actor, did, whom, why) VALUES (?, ?, ?, ?, ?)`, at, c.Text, c.Text, c.Text, c.Text)

		do(`INSERT INTO games (id, tbl, rules, preset, seats, rated, why, team1, team2, tag1, tag2, commitment, seed, started, ended, end_no,
				ending, winner, scores, rounds, best, best_by, deficit)
			SELECT ?, tbl, rules, preset, ?, rated, why, ?, ?, ?, ?, commitment, seed, started, ended, ?,
				ending, winner, scores, rounds, best, best_by, deficit FROM games WHERE id = 1`,
			id, asJSON([]any{map[string]any{"id": id, "name": c.Text}, map[string]any{"id": 0, "name": "nora.bot"}}), id, id, c.Text, c.Text, id)
		var s map[string]any
		require.NoError(t, json.Unmarshal([]byte(state), &s))
		name := []rune(c.Text)
		s["config"].(map[string]any)["name"] = string(name[:min(len(name), 40)]) // longer ones are refused as damage
		s["seats"].([]any)[0] = map[string]any{"player": map[string]any{"id": id, "name": c.Text}}
		do(`INSERT INTO tables (id, state) VALUES (?, ?)`, id, asJSON(s))
	}
	do(`UPDATE numbers SET last = 5000 WHERE name <> 'rebuild'`) // which is an order to compute the standings again
	require.NoError(t, tx.Commit())
}

// TestHostileTextInTheDataIsInert opens a club on a data file full of hostile text, walks all its pages at
// three sizes, and reads all output of line mode and commands, and the log: nothing acts on a terminal or its
// tab.
func TestHostileTextInTheDataIsInert(t *testing.T) {
	if testing.Short() {
		t.Skip("one page after another")
	}
	t.Parallel()
	boss := newKey(t)
	log := &syncBuffer{}
	m := openClub(t, func(m *Main) {
		m.Settings.Exhibition = false
		m.Settings.LogLevel = slog.LevelDebug
		m.Settings.Operators = []string{gossh.FingerprintSHA256(boss.PublicKey())}
		m.Stderr = log
	})
	ask(t, m, boss, "olga", "register olga")
	sara := member(t, m, "sara")
	// All tables are slow ones: others would close after some minutes without anybody, and the walk takes
	// longer on a busy machine.
	game := startProgram(t, m, member(t, m, "gus"), "gus", "play new classic target=10 seats=2 bots=now pace=slow --json --bot")
	game.next(0, "state", func(o *object) bool { return o.Type == "state" })
	game.playGame(nil)
	ask(t, m, sara, "sara", "new classic seats=2 bots=never pace=slow")
	require.NoError(t, m.Close())
	storeHostile(t, m.Settings.Data)
	require.NoError(t, m.Run())

	cases := texttest.Hostile()
	outputs := map[string]string{} // of terminals, with escape sequences of the program's own
	for _, size := range [][2]int{{200, 200}, {80, 24}, {40, 12}} {
		p := sit(t, m, boss, "olga", size[0], size[1])
		p.walk()
		outputs[fmt.Sprintf("pages at %d×%d", size[0], size[1])] = string(p.bytes())
		require.NoError(t, p.client.Close())
	}

	// The tables one after another, each with its name in the title of the tab.
	gallery := sit(t, m, nil, "guest", 120, 40, "watch", fmt.Sprint(firstHostile))
	seen, last := map[string]bool{}, ""
	for {
		last = tableOf(t, gallery.until("another table", func(s string) bool {
			found := tableNumber.FindStringSubmatch(s)
			return found != nil && found[1] != last && strings.Contains(s, "] next table")
		}))
		if seen[last] {
			break
		}
		seen[last] = true
		gallery.press("]")
	}
	require.Greater(t, len(seen), len(cases))
	outputs["gallery"] = string(gallery.bytes())
	require.GreaterOrEqual(t, len(regexp.MustCompile(`\x1b\]2;Boneyard: Table \d+ [^\x07\x1b]+`).FindAllString(outputs["gallery"], -1)),
		len(cases), "titles")

	var answers []string // text without any escape sequence
	for _, command := range []string{"who", "tables", "games --limit 1000", "standings teams", "standings players", "show 1", "help"} {
		answers = append(answers, ask(t, m, sara, "sara", command), ask(t, m, sara, "sara", command+" --json"))
	}
	for i := range cases {
		for _, what := range []string{"table", "game"} {
			command := fmt.Sprintf("show %s %d", what, firstHostile+i)
			for _, command := range []string{command, command + " --json"} {
				_, out, errs := answer(t, m, nil, "asker", command, false) // a game's record may be refused, as its journal is another's
				answers = append(answers, out, errs)
			}
		}
	}
	watcher := startProgram(t, m, nil, "guest", "watch 1 --json")
	watcher.next(0, "state", func(o *object) bool { return o.Type == "state" })
	lines := startLine(t, m, sara, "", "")
	lines.until(`You are sara`)
	for _, command := range []string{
		"who", "tables", "chat", "news", "teams", "team", "standings teams", "standings players", "games", "settings",
		"watch 1", "look", "seats", "chat", "log", "back", "watch 1001", "look", "/who",
	} {
		lines.say(command)
		lines.say("/nonsense")
		lines.until(`There is no such command; /help lists them`)
	}
	answers = append(answers, string(watcher.bytes()), lines.all.String())
	require.NoError(t, m.Close())
	for _, list := range []string{"list", "audit --limit 1000", "reports --limit 1000"} {
		words := strings.Fields(list)
		status, out, errs := sshd(append([]string{"admin", words[0], "--data", m.Settings.Data}, words[1:]...)...)
		require.Equal(t, exitOK, status, errs)
		answers = append(answers, out)
	}
	answers = append(answers, log.String())

	for where, out := range outputs {
		require.Contains(t, out, "canary", where)
		for _, c := range cases {
			require.Empty(t, c.Leak(out), "%s at the %s", c.Name, where)
		}
	}
	require.Greater(t, strings.Count(strings.Join(answers, "\n"), "canary"), 10*len(cases),
		"too little came through: the search proves nothing")
	for _, answer := range answers {
		for line := range strings.SplitSeq(answer, "\n") {
			require.NoError(t, texttest.Inert(strings.TrimSuffix(line, "\r")))
		}
	}
}

// walk opens every page of the club, and the lists on each. A page is there once it has named the tab.
func (c *terminal) walk() {
	c.t.Helper()
	from := 0
	to := func(keys, title string) {
		c.t.Helper()
		c.press(keys)
		c.until("the page "+title, func(string) bool { return strings.Contains(string(c.bytes()[from:]), "\x1b]2;Boneyard: "+title) })
		from = len(c.bytes())
	}
	leaf := func(keys ...string) { // each changes the screen
		c.t.Helper()
		for _, k := range keys {
			before := c.see()
			c.press(k)
			c.until("another screen after "+fmt.Sprintf("%q", k), func(s string) bool { return s != before })
		}
	}
	to("", "Lobby")
	leaf(down, down)
	to("2", "Teams")
	leaf(down)
	to(enter, "[") // its tag, as far as that is harmless
	to("q", "Teams")
	to("3", "Standings")
	leaf(right, right, down)
	to("4", "Games")
	leaf(down)
	to("5", "Rules")
	to("6", "Settings")
	to("0", "Operators")
	leaf(right, right, right, right, right)
	to("q", "Settings")
	to("1", "Lobby")
}
