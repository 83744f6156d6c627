package main

import (
	"bytes"
	"io"
	"io/fs"
	"log/slog"
	"net/http"
	"path/filepath"
	"regexp"
	"runtime"
	"strings"
	"testing"
	"time"

	"boneyard/ui/feature"

	"github.com/stretchr/testify/require"
)

func TestVersion(t *testing.T) {
	for _, args := range [][]string{{"version"}, {"--version"}} {
		status, out, errs := command(t, nil, args...)
		require.Equal(t, 0, status, errs)
		require.Regexp(t, `^boneyard \S+, revision \S+.*, built with go1\.\d+.*\n$`, out)
		require.Contains(t, out, runtime.Version())
	}
	v := buildVersion{Release: "v1.2.0", Revision: "0123456789ab", Time: "2026-11-21T12:00:00Z", Modified: true, Go: "go1.26.0"}
	require.Equal(t, "boneyard v1.2.0, revision 0123456789ab with changes of 2026-11-21T12:00:00Z, built with go1.26.0", v.String())
	require.Equal(t, "v1.2.0 (0123456789ab, modified)", v.short())

	release, revision, revised = "v1.2.0", "0123456789abcdef", "2026-11-25T12:00:00Z"
	defer func() { release, revision, revised = "", "", "" }()
	v = readVersion()
	require.Equal(t, []string{"v1.2.0", "0123456789ab", "2026-11-25T12:00:00Z"}, []string{v.Release, v.Revision, v.Time},
		"what the linker was given")
}

// What an operator runs is said in the first line of the log and by a metric.
func TestTheServerSaysItsVersion(t *testing.T) {
	m, log := mustRun(t, func(s *Settings) { s.Metrics, s.LogFormat = "127.0.0.1:0", FormatJSON })
	first, _, _ := bytes.Cut([]byte(log.String()), []byte("\n"))
	require.Contains(t, string(first), `"msg":"boneyard","version":"`+readVersion().Release+`","revision":"`)
	res, err := http.Get("http://" + m.MetricsAddr().String() + "/metrics")
	require.NoError(t, err)
	defer res.Body.Close()
	page, err := io.ReadAll(res.Body)
	require.NoError(t, err)
	require.Regexp(t, `(?m)^boneyard_build_info\{goversion="go1.*",modified=".*",revision=".*",version=".*"\} 1$`, string(page))
}

func TestManualPages(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "man1")
	status, _, errs := command(t, []string{"BONEYARD_LISTEN=:77"}, "man", dir)
	require.Equal(t, 0, status, errs)
	page := readFile(t, filepath.Join(dir, "boneyard.1"))
	require.Contains(t, string(page), "public-host")
	require.NotContains(t, string(page), ":77", "what the writer's environment sets is nobody's default")
	for _, v := range variables() {
		require.Contains(t, string(page), "fB"+v+"\\fP")
	}

	// The page lists each file that a server makes.
	made := t.TempDir()
	_, log := mustRun(t, func(s *Settings) {
		s.Data, s.HostKeys = filepath.Join(made, "boneyard.db"), filepath.Join(made, "host_keys")
	})
	require.Contains(t, log.String(), "the club is open")
	files := strings.ReplaceAll(section(t, dir, "boneyard", "FILES"), "*", "ed25519")
	require.NoError(t, filepath.WalkDir(made, func(path string, d fs.DirEntry, err error) error {
		name, _ := filepath.Rel(made, path)
		require.True(t, d.IsDir() || regexp.MustCompile(`(^|[ \n])`+regexp.QuoteMeta(name)+`(,|\n)`).MatchString(files), "%s is not in:\n%s",
			name, files)
		return err
	}))
	require.Contains(t, section(t, dir, "boneyard", "SIGNALS"), "SIGTERM")
	require.Contains(t, section(t, dir, "boneyard-backup", "SIGNALS"), "SIGTERM")
	require.Contains(t, section(t, dir, "boneyard-check", "FILES"), "boneyard.db.mark")
	require.Contains(t, section(t, dir, "boneyard-admin-list", "ENVIRONMENT"), "BONEYARD_DATA")
	pages, err := filepath.Glob(filepath.Join(dir, "*.1"))
	require.NoError(t, err)
	require.Greater(t, len(pages), 15)
	for _, p := range pages {
		require.Contains(t, section(t, dir, strings.TrimSuffix(filepath.Base(p), ".1"), "EXIT STATUS"), "2\n")
	}
	status, _, _ = command(t, nil, "man")
	require.Equal(t, 2, status)
}

// section is a section of a manual page, without its markup and with an empty line after each row.
func section(t *testing.T, dir, command, name string) string {
	t.Helper()
	page := readFile(t, filepath.Join(dir, command+".1"))
	_, text, found := strings.Cut(string(page), "\n.SH "+name+"\n")
	require.True(t, found, "%s has no %s", command, name)
	text, _, _ = strings.Cut(text, "\n.SH ")
	return strings.NewReplacer(`\fB`, "", `\fP`, "", `\-`, "-", ".TP\n", "").Replace(text)
}

func TestHelpShowsCompletion(t *testing.T) {
	_, help, _ := command(t, nil, "--help")
	require.Contains(t, help, "completion ")
	require.Contains(t, help, "man ")
	status, script, _ := command(t, nil, "completion", "bash")
	require.Equal(t, 0, status)
	require.Contains(t, script, "boneyard")
	for _, args := range [][]string{{"completion", "nosuch"}, {"completion", "bash", "nosuch"}, {"help", "nosuch"},
		{"help", "admin", "nosuch"}} {
		status, out, errs := command(t, nil, args...)
		require.Equal(t, 2, status)
		require.Empty(t, out)
		require.Equal(t, "boneyard: there is no command \"nosuch\"; see boneyard --help\n", errs)
	}
	for _, args := range [][]string{{"completion"}, {"help"}, {"help", "admin", "ban"}, {"help", "completion", "bash"}} {
		status, _, errs := command(t, nil, args...)
		require.Equal(t, 0, status, errs)
	}
}

func TestMisspeltVariablesAreNamed(t *testing.T) {
	environ := []string{"BONEYARD_PUBLICHOST=play.example.org", "BONEYARD_GUESTS=watch", "BONEYARDX=1", "PATH=/bin"}
	require.Equal(t, []string{"BONEYARD_PUBLICHOST"}, unknownVariables(environ))
	require.Equal(t, []string{"BONEYARD_PUBLIC_HOST"}, feature.Like("BONEYARD_PUBLICHOST", variables()))
	require.Equal(t, []string{"BONEYARD_OPERATORS"}, feature.Like("BONEYARD_OPERATOR", variables()))
	require.Empty(t, feature.Like("BONEYARD_SOMETHING", variables()))
	dir, log := t.TempDir(), &syncBuffer{}
	m := NewMain(log)
	m.unknown = unknownVariables(environ)
	m.Settings.Listen, m.Settings.Data, m.Settings.HostKeys = "127.0.0.1:0", filepath.Join(dir, "club.db"), filepath.Join(dir, "keys")
	require.NoError(t, m.Run())
	require.NoError(t, m.Close())
	require.Contains(t, log.String(), "BONEYARD_PUBLICHOST")
	require.Contains(t, log.String(), "BONEYARD_PUBLIC_HOST")
}

func TestPublicHost(t *testing.T) {
	for _, tc := range []struct{ host, listen, want string }{
		{"play.example.org", ":2222", "-p 2222 play.example.org"},
		{"play.example.org", ":22", "play.example.org"},
		{"play.example.org:22", ":2222", "play.example.org"},
		{"play.example.org:4022", ":2222", "-p 4022 play.example.org"},
		{"2001:db8::7", ":2222", "-p 2222 2001:db8::7"},
		{"[2001:db8::7]:22", ":2222", "2001:db8::7"},
	} {
		s := DefaultSettings()
		s.PublicHost, s.Listen = tc.host, tc.listen
		require.NoError(t, s.Validate(), tc.host)
		require.Equal(t, tc.want, sshAddress(s), tc.host)
	}
	for _, wrong := range []string{"", ":22", "a b", "play.example.org:", "play.example.org:ssh", "play.example.org:70000",
		"-oProxyCommand=x"} {
		s := DefaultSettings()
		s.PublicHost = wrong
		require.ErrorContains(t, s.Validate(), "--public-host", "%q", wrong)
	}
}

func TestInvitationsThatLeadNowhereAreWarnedOf(t *testing.T) {
	for _, tc := range []struct {
		host, listen, proxy string
		container           bool
		want                string
	}{
		{host: "localhost", listen: ":2222", want: "this machine only"},
		{host: "localhost", listen: "127.0.0.1:2222"},
		{host: "play.example.org", listen: ":2222"},
		{host: "play.example.org", listen: ":2222", container: true, want: "inside the container"},
		{host: "play.example.org:22", listen: ":2222", container: true},
		{host: "play.example.org", listen: ":2222", proxy: "10.0.0.1", want: "behind the proxy"},
		{host: "play.example.org:22", listen: ":2222", proxy: "10.0.0.1"},
	} {
		s := DefaultSettings()
		s.PublicHost, s.Listen = tc.host, tc.listen
		if tc.proxy != "" {
			s.ProxyProtocolFrom = []string{tc.proxy}
		}
		var log bytes.Buffer
		adviseAddress(s, tc.container, slog.New(slog.NewTextHandler(&log, nil)))
		if tc.want == "" {
			require.Empty(t, log.String(), "%+v", tc)
		} else {
			require.Contains(t, log.String(), tc.want, "%+v", tc)
			require.Contains(t, log.String(), "--public-host", "%+v", tc)
		}
	}
}

func TestDurationsInJSONCarryTheirUnit(t *testing.T) {
	var out bytes.Buffer
	log, flush := newLogger(&out, slog.LevelInfo, FormatJSON)
	log.Info("x", "took", 1500*time.Millisecond)
	flush()
	require.Contains(t, out.String(), `"took_seconds":1.5`)
}
