package main

import (
	"io"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	gossh "golang.org/x/crypto/ssh"
)

func TestAdminModeratesWhileNoServerRuns(t *testing.T) {
	t.Parallel()
	m := openClub(t, func(m *Main) { m.Settings.Exhibition = false })
	ben := member(t, m, "ben")
	data := m.Settings.Data

	status, _, errs := sshd("admin", "ban", "--data", data, "ben")
	require.Equal(t, exitFailed, status)
	require.Contains(t, errs, "another server uses this data file: process ")
	require.Contains(t, errs, "inside the club")
	for list, heads := range map[string]string{"list": "NUMBER", "reports": "AT", "suspicions": "WHO", "audit": "AT"} {
		status, out, errs := sshd("admin", list, "--data", data)
		require.Equal(t, exitOK, status, "%s may be read while the server runs: %s", list, errs)
		require.Regexp(t, "^"+heads, out)
	}
	require.NoError(t, m.Close())

	admin := func(args ...string) string {
		t.Helper()
		status, out, errs := sshd(append([]string{"admin", "--data", data}, args...)...)
		require.Equal(t, exitOK, status, errs)
		return out
	}
	require.Regexp(t, `(?m)^1 +ban +ben +key +for good +[0-9: -]+ +boneyard admin +rude words$`, admin("ban", "ben", "rude", "words"))
	require.Regexp(t, `(?m)^2 +ban +127\.9\.0\.0/16 +127\.9\.0\.0/16 +20[0-9: -]+ +[0-9: -]+ +boneyard admin +-$`,
		admin("ban", "127.9.0.0/16", "2h"))
	require.Regexp(t, `(?m)^3 +mute +ben +key +20`, admin("mute", "ben"))
	require.Regexp(t, `(?s)3 +mute.*2 +ban.*1 +ban`, admin("list"))
	for _, wrong := range [][]string{{"ban", "nobody"}, {"ban", "ben", "both"}, {"mute", "ben", "net"}, {"ban", "127.9.0.0/16", "key"},
		{"unmute", "nobody"}, {"unmute", "3", "2"}, {"reports", "--limit", "0"}, {"ban"}, {"list", "all"}, {"banish", "ben"}} {
		status, out, errs := sshd(append([]string{"admin", "--data", data}, wrong...)...)
		require.NotEqual(t, exitOK, status, wrong)
		require.Empty(t, out, wrong)
		require.NotEmpty(t, errs, wrong)
	}
	status, _, errs = sshd("admin", "list", "--data", filepath.Join(t.TempDir(), "none.db"))
	require.Equal(t, exitFailed, status)
	require.Contains(t, errs, "no such file")

	// The server knows what was done.
	require.NoError(t, m.Run())
	refused(t, m, ben, "ben", "You are banned from this club: rude words\n")
	require.NoError(t, m.Close())
	require.Equal(t, "1 lifted\n", admin("unban", "ben"))
	require.Equal(t, "1 lifted\n", admin("unmute", "3"))
	require.NoError(t, m.Run())
	ask(t, m, ben, "ben", "who")
	require.NoError(t, m.Close())
	require.Regexp(t, `(?s)unmute +3.*unban +ben.*mute +ben +by key, 30m\n.*ban +127\.9\.0\.0/16 +by network, 2h\n.*ban +ben +by key, for good: rude words`, admin("audit"))
	require.Equal(t, 1, strings.Count(admin("audit", "--limit", "1"), "boneyard admin"))
	require.Equal(t, "AT (UTC)  BY  ABOUT  TIMES  WHERE  TEXT\n", admin("reports"))

	// A node's file changes only by the log.
	require.NoError(t, os.Mkdir(clusterFolder(data), 0o700))
	for _, change := range [][]string{{"admin", "ban", "ben"}, {"admin", "unmute", "3"}, {"rebuild"}} {
		status, out, errs := sshd(append(change, "--data", data)...)
		require.Equal(t, exitFailed, status)
		require.Empty(t, out)
		require.Contains(t, errs, "the other nodes would not learn of the change")
	}
	require.Equal(t, 2, strings.Count(admin("list"), "\n"), "a header, and the network's ban")
	require.ErrorContains(t, m.Run(), "start it with the node's settings", "a service that lost its settings opens no second club")
}

// The admin command lists people who lose quickly again and again even if no server runs, as the operators' page does.
func TestAdminListsSuspicions(t *testing.T) {
	t.Parallel()
	m := openClub(t, func(m *Main) { m.Settings.Exhibition = false })
	keys := map[string]gossh.Signer{"ana": member(t, m, "ana"), "ben": member(t, m, "ben")}
	over := func(s string) bool { return strings.Contains(s, "ana has resigned") }
	leave := func(s string) string { // who is back before the table has heard that they left finds their seat
		if over(s) {
			return "q"
		}
		return ""
	}
	for range 3 {
		players := map[string]*terminal{}
		for name, key := range keys {
			players[name] = sit(t, m, key, name, 80, 24)
			players[name].drive("the lobby", leave, inLobby)
		}
		ana, ben := players["ana"], players["ben"]
		ben.join(makeTable(ana, "classic", never))
		ana.press(" ")
		ben.press(" ")
		ana.shows("Round 1")
		ana.press("X")
		ana.shows("Resign? You lose the game, and rating points.")
		ana.press("y")
		for _, p := range players {
			p.until("the end", over)
			p.press("\x03")
			require.NoError(t, p.leaves())
		}
	}
	require.NoError(t, m.Close())
	admin := func(args ...string) string {
		t.Helper()
		status, out, errs := sshd(append([]string{"admin", "suspicions", "--data", m.Settings.Data}, args...)...)
		require.Equal(t, exitOK, status, errs)
		return out
	}
	require.Equal(t, "WHO  WHAT\nana  quick losses: 3 of 3 games\n", admin())
	require.Equal(t, admin(), admin("--limit", "1"))
}

// refused connects with a key, and returns why it is turned away.
func refused(t *testing.T, m *Main, key gossh.Signer, user, why string) {
	t.Helper()
	refusedLike(t, m, key, user, "^"+regexp.QuoteMeta(why)+"$")
}

// refusedLike does the same for a pattern.
func refusedLike(t *testing.T, m *Main, key gossh.Signer, user, why string) {
	t.Helper()
	client := dial(t, m, key, user)
	defer time.AfterFunc(patience, func() { _ = client.Close() }).Stop()
	sess, err := client.NewSession()
	require.NoError(t, err)
	errs, err := sess.StderrPipe()
	require.NoError(t, err)
	require.NoError(t, sess.Start("who"))
	said, err := io.ReadAll(errs)
	require.NoError(t, err)
	require.Regexp(t, why, string(said))
	require.Error(t, sess.Wait())
}
