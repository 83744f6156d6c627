package main

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	gossh "golang.org/x/crypto/ssh"

	"boneyard/lobby"
	"boneyard/lobby/text/texttest"
	"boneyard/table"
)

// TestHostileTextIsInert sends every string of the corpus wherever a stranger can write something (the user's and the
// terminal's name, the environment, commands, chat in the lobby and at a table, names of members, tables and teams, reports),
// while sessions of all kinds look on: nothing of it acts on their terminals, their JSON, their text or the log.
func TestHostileTextIsInert(t *testing.T) {
	if testing.Short() {
		t.Skip("one string after another")
	}
	t.Parallel()
	log := &syncBuffer{}
	m := openClub(t, func(m *Main) {
		m.Settings.Exhibition = false
		m.Settings.LogLevel = slog.LevelDebug
		m.Stderr = log
	})
	host := member(t, m, "holly")
	ask(t, m, host, "holly", "new classic seats=2 bots=never")
	lobbyScreen := newcomer(t, m, "ana", 120, 40)
	tableScreen := sit(t, m, nil, "guest", 80, 24, "watch", "1")
	tableScreen.shows("Table 1", "holly")
	asJSON := startProgram(t, m, nil, "dora", "watch 1 --json")
	asJSON.next(0, "state", func(o *object) bool { return o.Type == "state" })

	var answers []string
	ctx := context.Background()
	club := m.club.(*club).lobby
	for _, c := range texttest.Hostile() {
		answers = append(answers, knock(t, m, c.Text)...)

		// What is typed in a session arrives at these calls as it was sent.
		key := lobby.KeyID{1, byte(len(answers)), byte(len(answers) >> 8)}
		_, err := club.Register(ctx, lobby.Origin{Key: key}, c.Text)
		answers = append(answers, sentence(err))
		name := club.ProposeName(ctx, c.Text)
		answers = append(answers, name)
		_, err = club.Register(ctx, lobby.Origin{Key: key}, name)
		if !errors.Is(err, lobby.ErrHasAccount) { // the hostile name was harmless once cleaned
			require.NoError(t, err, c.Name)
		}
		a, err := club.Account(ctx, key)
		require.NoError(t, err, c.Name)
		a.Created = time.Time{} // newcomers' chat is limited for all of them together
		v, err := club.Enter(ctx, a,
			lobby.Origin{Net: fmt.Sprintf("127.%d.%d.1", 2+len(answers)%200, len(answers)/200%200), Key: key, Terminal: c.Text})
		require.NoError(t, err)
		for _, say := range []func() (string, error){
			func() (string, error) { return v.Say(ctx, c.Text) },
			func() (string, error) { return v.SayAt(ctx, 1, c.Text) },
			func() (string, error) { return v.Say(ctx, "/report holly "+c.Text) },
			func() (string, error) { return v.Say(ctx, "/ignore "+c.Text) },
			func() (string, error) { return v.Say(ctx, "/"+c.Text) },
			func() (string, error) { _, err := v.CreateTeam(ctx, c.Text, c.Text); return "", err },
			func() (string, error) {
				cfg := table.DefaultConfig()
				cfg.Name = c.Text
				_, err := v.NewTable(ctx, cfg)
				return "", err
			},
		} {
			reply, err := say()
			answers = append(answers, reply, sentence(err))
		}
		v.Close(table.Left)
	}
	v, err := club.Enter(ctx, nil, lobby.Origin{Net: "127.0.0.1"})
	require.NoError(t, err)
	defer v.Close(table.Left)
	for _, say := range []func() (string, error){
		func() (string, error) { return v.Say(ctx, "that was all") },
		func() (string, error) { return v.SayAt(ctx, 1, "that was all") },
	} {
		_, err := say()
		require.NoError(t, err)
	}
	lobbyScreen.shows("that was all")
	tableScreen.press("t")
	for _, command := range []string{"who", "tables", "games", "show 1", "help", "standings"} {
		answers = append(answers, ask(t, m, nil, "dora", command), ask(t, m, nil, "dora", command+" --json"))
	}
	require.Contains(t, strings.Join(answers, "\n"), "canary", "nothing came through at all: the search proves nothing")

	require.NoError(t, m.Close())
	for _, c := range texttest.Hostile() {
		for name, out := range map[string][]byte{"lobby": lobbyScreen.bytes(), "table": tableScreen.bytes()} {
			require.Empty(t, c.Leak(string(out)), "%s on the screen of the %s", c.Name, name)
		}
		require.Empty(t, c.Leak(log.String()), "%s in the log", c.Name)
	}
	answers = append(answers, string(asJSON.bytes()), log.String())
	for _, answer := range answers {
		for line := range strings.SplitSeq(answer, "\n") {
			require.NoError(t, texttest.Inert(strings.TrimSuffix(line, "\r")))
		}
	}
}

// sentence is what a person reads of an error.
func sentence(err error) string {
	if err == nil {
		return ""
	}
	return err.Error()
}

// knock calls with a hostile name, terminal, environment and command, and returns what was answered as text.
func knock(t *testing.T, m *Main, hostile string) (answers []string) {
	t.Helper()
	client := dial(t, m, nil, hostile)
	defer func() { _ = client.Close() }()
	sess, err := client.NewSession()
	require.NoError(t, err)
	_ = sess.Setenv("LANG", hostile) // refused or cleaned
	_ = sess.RequestPty(hostile, 24, 80, gossh.TerminalModes{})
	out, err := sess.StdoutPipe()
	require.NoError(t, err)
	if sess.Shell() == nil {
		_, _ = io.ReadFull(out, make([]byte, 1)) // until it is on the screen, or refused
	}
	_ = client.Close() // the server may have hung up before

	client = dial(t, m, nil, hostile)
	defer func() { _ = client.Close() }()
	sess, err = client.NewSession()
	require.NoError(t, err)
	var said, errs bytes.Buffer
	sess.Stdout, sess.Stderr = &said, &errs
	require.Error(t, sess.Run("show '"+hostile+"'"))
	return append(answers, said.String(), errs.String())
}
