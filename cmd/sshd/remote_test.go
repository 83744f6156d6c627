package main

import (
	"bytes"
	"crypto/ed25519"
	"encoding/json"
	"encoding/pem"
	"io"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	gossh "golang.org/x/crypto/ssh"
	"golang.org/x/crypto/ssh/knownhosts"

	"boneyard/rules/record"
)

// answer runs a command in its own connection, on a terminal if tty is set, and returns the whole result.
func answer(t testing.TB, m *Main, key gossh.Signer, name, command string, tty bool) (status int, out, errs string) {
	t.Helper()
	client := dial(t, m, key, name)
	defer func() { _ = client.Close() }()
	defer time.AfterFunc(patience, func() { _ = client.Close() }).Stop()
	sess, err := client.NewSession()
	require.NoError(t, err)
	var o, e bytes.Buffer
	sess.Stdout, sess.Stderr = &o, &e
	if tty {
		require.NoError(t, sess.RequestPty("xterm", 24, 80, nil))
	}
	return exitStatus(t, sess.Run(command)), o.String(), e.String()
}

// exitStatus is the status with which a session ended that gave this error.
func exitStatus(t testing.TB, err error) int {
	t.Helper()
	if err == nil {
		return 0
	}
	var exit *gossh.ExitError
	require.ErrorAs(t, err, &exit)
	return exit.ExitStatus()
}

func TestCommandsOverSSH(t *testing.T) {
	t.Parallel()
	m := openClub(t)
	key := member(t, m, "ana")
	for command, want := range map[string]int{
		"help": 0, "who": 0, "tables --json": 0, "standings": 0, "games ana": 0,
		"show 999": 1, "export 999": 1, "watch 999": 1, "join NONE": 1, "play 999": 1, "play new chess": 1,
		"play new --json": 1,
		"dance":           2, "show": 2, "standings --game chess": 2,
	} {
		for _, tty := range []bool{false, true} {
			if tty && want == 1 && !strings.HasPrefix(command, "show") && !strings.HasPrefix(command, "export") {
				continue // that is for the screen
			}
			status, out, errs := answer(t, m, key, "ana", command, tty)
			require.Equal(t, want, status, "%s: %s%s", command, out, errs)
			said := out
			if want != 0 {
				require.Empty(t, out, command)
				require.Equal(t, 1, strings.Count(errs, "\n"), errs)
				said = errs
			} else {
				require.Empty(t, errs, command)
			}
			require.Equal(t, tty && said != "", strings.Contains(said, "\r\n"), "%s: %q", command, said)
		}
	}
}

// The example of a bot plays a whole game against a bot of the house, and the game's record holds.
func TestTheExampleOfABot(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	bot := filepath.Join(dir, "bot")
	built, err := exec.Command("go", "build", "-o", bot, "../../docs/examples/bot").CombinedOutput()
	require.NoError(t, err, "%s", built)

	m := openClub(t)
	_, private, err := ed25519.GenerateKey(nil)
	require.NoError(t, err)
	block, err := gossh.MarshalPrivateKey(private, "")
	require.NoError(t, err)
	keyFile, hosts := filepath.Join(dir, "key"), filepath.Join(dir, "known_hosts")
	require.NoError(t, os.WriteFile(keyFile, pem.EncodeToMemory(block), 0o600))
	var line string
	conn, err := gossh.Dial("tcp", m.Addr().String(),
		&gossh.ClientConfig{HostKeyCallback: func(_ string, _ net.Addr, k gossh.PublicKey) error {
			line = knownhosts.Line([]string{m.Addr().String()}, k)
			return io.EOF
		}})
	require.Error(t, err)
	require.Nil(t, conn)
	require.NoError(t, os.WriteFile(hosts, []byte(line+"\n"), 0o600))
	key, err := gossh.NewSignerFromKey(private)
	require.NoError(t, err)
	ask(t, m, key, "greedy", "register greedy --bot")

	run := exec.Command(bot, m.Addr().String(), keyFile, hosts, "play new classic target=50 bots=now --json --bot")
	out, err := run.CombinedOutput()
	require.NoError(t, err, "%s", out)
	require.Regexp(t, `the game is over with the scores \[-?\d+ -?\d+\]\n$`, string(out))

	var row struct{ Game int }
	require.NoError(t, json.Unmarshal([]byte(ask(t, m, key, "greedy", "games greedy --json")), &row))
	game := ask(t, m, key, "greedy", "export "+strconv.Itoa(row.Game))
	require.NoError(t, record.Check(strings.NewReader(game)))
	require.Contains(t, game, "seat 1 greedy\n")
	require.Contains(t, game, "\nwon ")
}
