package main

import (
	"bytes"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	gossh "golang.org/x/crypto/ssh"
)

func TestOperatorsSeeHowTheServerDoesAndModerate(t *testing.T) {
	t.Parallel()
	boss := newKey(t)
	m := openClub(t, func(m *Main) {
		m.Settings.Exhibition = false
		m.Settings.Operators = []string{gossh.FingerprintSHA256(boss.PublicKey())}
	})
	ask(t, m, boss, "olga", "register olga")
	ben := startProgram(t, m, member(t, m, "ben"), "ben", "play new classic seats=2 bots=never --json --bot")
	ben.next(0, "state", func(o *object) bool { return o.Type == "state" })
	require.Equal(t, "ok", ben.say("before", `"say":"hello"`).Type)

	// By a command, and by a key in the lobby.
	olga := sit(t, m, boss, "olga", 100, 30, "admin")
	screen := olga.shows("Operators", "People (2)", "tables 1, 0 playing", "sessions 2", "ben", "sits at 1")
	require.Regexp(t, regexp.MustCompile(`journal median \d+\.\d ms`), screen)
	olga.press("q")
	olga.shows("n new table")
	olga.press("0")
	olga.shows("Operators", "People (2)")

	olga.press("/")
	olga.press("mute ben 1h rude" + enter)
	olga.shows("ben is muted by key (")
	olga.press(" " + right + right)
	olga.shows("Mutes and bans (1)", "rude", "by olga")
	answer := ben.say("after", `"say":"hello again"`)
	require.Contains(t, answer.Error, "You are muted until")
	olga.press(right + right)
	olga.shows("Audit log (1)", "mute", "1h: rude")
	olga.press(right)
	olga.shows("Suspicions (0)", "Nothing.")

	olga.press("/")
	olga.press("ban ben forever cheat" + enter)
	olga.shows("ben is banned by key (", "; sessions ended: 1.")
	ben.ends()

	// Others have neither.
	cleo := newcomer(t, m, "cleo", 100, 30)
	cleo.press("0")
	cleo.press("?")
	require.NotContains(t, cleo.shows("Keys: Lobby"), "operators")
	client := dial(t, m, newKey(t), "dora")
	sess, err := client.NewSession()
	require.NoError(t, err)
	var errs bytes.Buffer
	sess.Stderr = &errs
	require.NoError(t, sess.RequestPty("xterm-256color", 24, 80, gossh.TerminalModes{}))
	require.Error(t, sess.Run("admin"))
	require.True(t, strings.HasPrefix(errs.String(), "The operators' page is for operators"), errs.String())
}
