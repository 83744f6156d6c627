package main

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"log/slog"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"syscall"
	"testing"

	"boneyard/cmd/sshd/gate"
	"boneyard/lobby"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
	"github.com/stretchr/testify/require"
	gossh "golang.org/x/crypto/ssh"
)

// command runs a command line and returns its exit status and what it printed.
func command(t *testing.T, environ []string, args ...string) (status int, stdout, stderr string) {
	t.Helper()
	var out, errs bytes.Buffer
	status = run(append([]string{}, args...), environ, &out, &errs) // not nil, which is this process's own arguments
	return status, out.String(), errs.String()
}

func TestAWrongSettingIsOneLine(t *testing.T) {
	t.Chdir(t.TempDir())
	keys := t.TempDir()
	file := func(content string, mode os.FileMode) string {
		path := filepath.Join(keys, strconv.Itoa(len(content)))
		require.NoError(t, os.WriteFile(path, []byte(content), mode))
		return path
	}
	const hook = "https://example.org/hook"
	for _, tc := range []struct {
		env  string
		args []string
		want string
	}{
		{"", []string{"--publish", "nowhere"}, "--publish: stat nowhere: no such file"},
		{"", []string{"--publish", file("x", 0o600)}, `" is not a folder`},
		{"", []string{"--webhook", "example.org"}, "--webhook: must be an address such as https://"},
		{"", []string{"--webhook", "http://example.org"}, "--webhook: must begin with https://"},
		{"", []string{"--webhook", hook, "--webhook-form", "irc"}, `--webhook-form: must be discord, matrix or json, not "irc"`},
		{"", []string{"--webhook", hook, "--webhook-form", "matrix"}, "--webhook-key: must name a file with an access token"},
		{"", []string{"--webhook-key", file("sixteen characters", 0o600)}, "--webhook: must be the address to which the news is posted"},
		{"", []string{"--webhook", hook, "--webhook-key", "nowhere"}, "--webhook-key: open nowhere: no such file"},
		{"", []string{"--webhook", hook, "--webhook-key", file("short", 0o600)}, "must hold a line of at least 16 characters"},
		{"", []string{"--webhook", hook, "--webhook-key", file("two lines of\n16 letters", 0o600)}, "must hold a line of at least 16 characters"},
		{"", []string{"--webhook", hook, "--webhook-key", file("readable by everybody", 0o644)}, "others than its owner can use it"},
		{"", []string{"--guests", "maybe"}, `must be play, watch or off, not "maybe"`},
		{"", []string{"--exhibition", "yes"}, `must be on or off, not "yes"`},
		{"", []string{"--log-level", "loud"}, `--log-level: must be debug, info, warn or error, not "loud"`},
		{"", []string{"--log-format", "xml"}, `must be text or json, not "xml"`},
		{"", []string{"--listen", "2222"}, `--listen: "2222" is not an address`},
		{"", []string{"--listen", ":ssh"}, `"ssh" is not a port`},
		{"", []string{"--data", ""}, "--data: must name a file"},
		{"", []string{"--host-keys", ""}, "--host-keys: must name a folder"},
		{"", []string{"--public-host", "a; rm -rf /"}, "--public-host"},
		{"", []string{"--clock-confirm", "-5m"}, "--clock-confirm: must be from 0 to 24h0m0s, not -5m0s"},
		{"", []string{"--clock-confirm", "25h"}, "--clock-confirm: must be from 0 to 24h0m0s"},
		{"", []string{"--cluster", "x"}, "--cluster-key: must name a file"},
		{"", []string{"--max-sessions", "0"}, "--max-sessions: must be at least 1"},
		{"", []string{"--max-sessions", "many"}, `--max-sessions: "many" is not a number`},
		{"", []string{"--max-sessions", "99999999999999999999"}, "is out of range"},
		{"", []string{"--listen", "http://x"}, `--listen: "http://x" is not an address`},
		{"", []string{"--public-host", "http://x"}, `--public-host: "http://x" is not a host name`},
		{"", []string{"--public-host", "ssh://x:22"}, `--public-host: "ssh://x:22" is not a host name`},
		{"", []string{"--public-host", "x:y"}, `--public-host: "y" is not a port`},
		{"", []string{"backup", "--every", "1y", "to"}, `--every: "1y" is not a duration, such as`},
		{"", []string{"--exempt-networks", "10.0.0.0/8,nowhere"}, `"nowhere" is neither`},
		{"", []string{"--proxy-protocol-from", "10.0.0.0/99"}, `--proxy-protocol-from: "10.0.0.0/99"`},
		{"", []string{"--operators", "/no/such/file"}, "--operators"},
		{"", []string{"--operators", "SHA256:short"}, "not a fingerprint"},
		{"", []string{"--metrics", ":9222"}, "--metrics: :9222 can be reached from outside"},
		{"", []string{"--metrics", "0.0.0.0:9222"}, "outside"},
		{"", []string{"--pprof"}, "--pprof"},
		{"", []string{"--nonsense"}, "--nonsense"},
		{"", []string{"cluster", "status", "--cluster", "x", "--cluster-listen", "nowhere"}, `--cluster-listen: "nowhere": must be HOST:PORT`},
		{"", []string{"cluster", "status"}, "--cluster and --cluster-listen must say which node to ask"},
		{"", []string{"cluster", "status", "--cluster", "x", "--cluster-listen", "a:1"}, "--cluster-key: must name a file"},
		{"", []string{"--cluster", "x", "--cluster-key", file("no base64!", 0o600)}, ": not base64: "},
		{"", []string{"--cluster", "x", "--node", "a", "--cluster-key", file("", 0o600)}, "--cluster: 1 nodes: must be 3 or 5"},
		{"", []string{"cluster", "add", "nowhere"}, `"nowhere": must be HOST:PORT`},
		{"", []string{"cluster", "add", ":7400"}, `":7400": must have a host`},
		{"", []string{"cluster", "add", "a:99999"}, "the port must be from 1 to 65535"},
		{"", []string{"health", "--proxy-protocol-from", "x"}, `--proxy-protocol-from: "x" is neither an address nor a network`},
		{"", []string{"admin", "reports", "--limit", "0"}, "--limit must be at least 1"},
		{"", []string{"nonsense"}, `no command "nonsense"`},
		{"BONEYARD_GUESTS=maybe", nil, `BONEYARD_GUESTS: must be play, watch or off, not "maybe"`},
		{"BONEYARD_LOG_LEVEL=loud", nil, `BONEYARD_LOG_LEVEL: must be debug, info, warn or error, not "loud"`},
		{"BONEYARD_MAX_SESSIONS=many", nil, `BONEYARD_MAX_SESSIONS: "many" is not a number`},
		{"BONEYARD_PPROF=perhaps", nil, `BONEYARD_PPROF: must be true or false, not "perhaps"`},
		{"BONEYARD_LISTEN=nowhere", nil, `"nowhere" is not an address`},
	} {
		var environ []string
		if tc.env != "" {
			environ = []string{tc.env}
		}
		status, stdout, stderr := command(t, environ, tc.args...)
		require.Equal(t, 2, status, "%s %q", tc.env, tc.args)
		require.Contains(t, stderr, tc.want)
		require.Equal(t, 1, strings.Count(stderr, "\n"), "%q", stderr)
		require.Empty(t, stdout)
		made, err := os.ReadDir(".")
		require.NoError(t, err)
		require.Empty(t, made, "before anything is opened")
	}
}

// What is not a file is no data file: every command says so, and leaves nothing beside it.
func TestAFolderIsNoDataFile(t *testing.T) {
	dir := t.TempDir()
	data := filepath.Join(dir, "data")
	require.NoError(t, os.Mkdir(data, 0o700))
	for _, command := range []string{"", "check", "rebuild", "backup to.db", "admin list", "admin ban ben"} {
		for path, wrong := range map[string]string{
			data:       fmt.Sprintf("%q is a folder; name a file in it, such as %s/boneyard.db", data, data),
			os.DevNull: fmt.Sprintf("%q is not a file", os.DevNull),
			"":         "must name a file",
		} {
			status, _, errs := sshd(append(strings.Fields(command), "--data", path)...)
			require.Equal(t, exitUsage, status, "%s: %s", command, errs)
			require.Equal(t, "boneyard: --data: "+wrong+"\n", errs)
		}
	}
	entries, err := os.ReadDir(dir)
	require.NoError(t, err)
	require.Len(t, entries, 1)
}

// Whatever a flag or a variable is set to, the message contains no wording of Go's own packages.
// TestAFileThatCannotBeReadNow: such a file makes no setting wrong, and so a service is restarted.
func TestAFileThatCannotBeReadNow(t *testing.T) {
	for status, errs := range map[int][]error{
		exitFailed: {syscall.EACCES, syscall.EPERM, syscall.EIO, syscall.EMFILE, syscall.ENFILE, syscall.ENOMEM, syscall.ESTALE},
		exitUsage:  {syscall.ENOENT, syscall.ENOTDIR, syscall.EISDIR, errors.New("not a key")},
	} {
		for _, err := range errs {
			err = &fs.PathError{Op: "open", Path: "operators", Err: err}
			require.Equal(t, status, statusOf(settingError{"--operators", err}), err)
			require.Equal(t, exitFailed, statusOf(err), err)
			require.Equal(t, exitUsage, statusOf(usageError{err}), err)
		}
	}
}

func TestMessagesAboutSettingsAreInPlainWords(t *testing.T) {
	plain := func(said string, status int, what ...string) {
		require.Equal(t, exitUsage, status, "%q: %s", what, said)
		require.NotRegexp(t, `strconv|slog|syntax|time: |csv|netip|parse |reflect|invalid argument`, said, "%q", what)
	}
	wrong := []string{"x", `"`, "99999999999999999999", "1.2.3.4/99", "-1x", "http://x", "SHA256:x"}
	var walk func(cmd *cobra.Command, path []string)
	tried := 0
	walk = func(cmd *cobra.Command, path []string) {
		cmd.Flags().VisitAll(func(f *pflag.Flag) {
			if f.Value.Type() == "string" { // whatever it is set to is one
				return
			}
			for _, v := range wrong {
				root := newRoot(NewMain(io.Discard))
				found, _, err := root.Find(path)
				require.NoError(t, err)
				if found.ParseFlags([]string{"--" + f.Name + "=" + v}) == nil {
					continue
				}
				tried++
				args := append(slices.Clone(path), "--"+f.Name+"="+v)
				status, _, said := sshd(args...)
				plain(said, status, args...)
			}
		})
		for _, c := range cmd.Commands() {
			walk(c, append(slices.Clone(path), c.Name()))
		}
	}
	walk(newRoot(NewMain(io.Discard)), nil)
	require.Greater(t, tried, 60)
	for _, name := range variables() {
		for _, v := range wrong {
			var s Settings
			if err := s.ReadEnvironment([]string{name + "=" + v}); err != nil {
				plain(err.Error(), exitUsage, name, v)
			}
		}
	}
}

func TestSettingsComeFromFlagsThenEnvironmentThenDefaults(t *testing.T) {
	m := NewMain(nil)
	require.NoError(t, m.Settings.ReadEnvironment([]string{
		"BONEYARD_LISTEN=:1", "BONEYARD_DATA=env.db", "BONEYARD_GUESTS=watch", "BONEYARD_EXHIBITION=off", "BONEYARD_RATE_ONE_NETWORK=on",
		"BONEYARD_LOG_LEVEL=warn",
		"BONEYARD_EXEMPT_NETWORKS=10.0.0.0/8,192.0.2.1", "LISTEN=:9", "PATH=/bin",
	}))
	root := newRoot(m)
	require.NoError(t, root.ParseFlags([]string{"--listen", ":2", "--proxy-protocol-from", "10.0.0.1,10.0.0.2"}))

	want := DefaultSettings()
	want.Listen = ":2"
	want.Data = "env.db"
	want.Guests = lobby.GuestsWatch
	want.Exhibition = false
	want.RateOneNetwork = true
	want.LogLevel = slog.LevelWarn
	want.ExemptNetworks = []string{"10.0.0.0/8", "192.0.2.1"}
	want.ProxyProtocolFrom = []string{"10.0.0.1", "10.0.0.2"}
	require.Equal(t, want, m.Settings)
	require.NoError(t, m.Settings.Validate())
}

func TestDefaultSettingsServe(t *testing.T) {
	s := DefaultSettings()
	require.NoError(t, s.Validate())
	require.Equal(t, ":2222", s.Listen)
	require.Equal(t, "boneyard.db", s.Data)
	require.Equal(t, "host_keys", s.HostKeys)
}

// Every setting has a flag, a variable of the same name, and its default in the help.
func TestHelpTellsEverySetting(t *testing.T) {
	status, help, _ := command(t, nil, "--help")
	require.Equal(t, 0, status)
	for _, flag := range []string{
		"--listen", "--data", "--host-keys", "--public-host", "--guests", "--exhibition", "--rate-one-network", "--operators", "--max-sessions",
		"--exempt-networks", "--proxy-protocol-from", "--log-level", "--log-format", "--metrics", "--metrics-public", "--pprof",
	} {
		require.Contains(t, help, flag+" ")
	}
	for _, value := range []string{`":2222"`, `"boneyard.db"`, `"host_keys"`, "default play", "default on", "default off", "default 2000"} {
		require.Contains(t, help, value)
	}
	require.Contains(t, help, "health")
}

func TestOperators(t *testing.T) {
	const line = "ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIJ0f2gq8W1qk5Y7b0B2m0s3pX9f2JmQ8x1o7vYqkq9nB someone"
	key, _, _, _, err := gossh.ParseAuthorizedKey([]byte(line))
	require.NoError(t, err)
	id := gate.KeyIDOf(key)
	other := gate.KeyID{1, 2, 3}

	ops, err := ReadOperators([]string{" " + gossh.FingerprintSHA256(key), ""})
	require.NoError(t, err)
	require.True(t, ops[id])
	require.False(t, ops[other])
	require.False(t, ops[gate.KeyID{}], "a guest is never one")

	file := filepath.Join(t.TempDir(), "operators")
	require.NoError(t, os.WriteFile(file, []byte("# the house\n\n"+line+"\r\n"), 0o600))
	ops, err = ReadOperators([]string{file})
	require.NoError(t, err)
	require.True(t, ops[id])
	require.Len(t, ops, 1)

	require.NoError(t, os.WriteFile(file, []byte("# the house\nnobody\n"), 0o600))
	_, err = ReadOperators([]string{file})
	require.ErrorContains(t, err, "operators:2: neither a fingerprint nor a public key")
}
