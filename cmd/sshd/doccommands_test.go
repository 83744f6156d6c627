package main

import (
	"bytes"
	"context"
	"crypto/ed25519"
	"crypto/rand"
	"database/sql"
	"encoding/pem"
	"fmt"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/spf13/cobra"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	gossh "golang.org/x/crypto/ssh"

	"boneyard/lobby/text"
	"boneyard/store"
	"boneyard/store/grow"
)

// byHand lists the commands in README and docs that no test runs as written, and why. TestCommandsOfTheDocs runs all others.
var byHand = map[string]string{
	// What builds and tests this project runs in .ci/run, or takes long there.
	"go run ./cmd/sshd":                                            "serves until it is ended; program_test.go runs the server",
	"go test ./...":                                                "is what runs this test",
	"go build ./...":                                               ".ci/run builds everything",
	".ci/run":                                                      "runs this test",
	"go build -o boneyard ./cmd/sshd":                              ".ci/run builds the program",
	"go test ./ui/... -update":                                     "writes files of the repository; done with each change of a screen",
	"go test ./ui/play -run TestPicture -update":                   "writes docs/table.svg; done with each change of the table",
	"go build -o /tmp/load/ ./cmd/sshd ./cmd/sshload":              "writes outside of the test; cmd/sshload's tests build both",
	"/tmp/load/sshload watch1000 --baseline":                       "takes minutes; TestSmallLoad is a small form of it",
	"/tmp/load/sshload soak --minutes 10":                          "takes ten minutes; TestSoak is a short form of it",
	"/tmp/load/sshload grow /tmp/load/club.db --games 20000":       "takes minutes; store/grow's tests grow a small club",
	"/tmp/load/sshload soak --minutes 5 --grown /tmp/load/club.db": "takes minutes; TestSoak is a short form of it",
	"/tmp/load/sshload soak --minutes 2 --grown /tmp/load/club.db --only words --hostile 5": "likewise",
	"ssh -t HOST wall": "a screen that stays",
	"while true; do ssh -t HOST wall; sleep 5; done": "likewise",
	"sshload soak":                                     "TestSoak is a short form of it",
	"sshload soak --only NAME":                         "a form; TestSoak runs each attack",
	"sshload masters500 --profiles":                    "takes a minute, on a machine that has nothing else to do",
	"sshload soak --help":                              "cmd/sshload's, not of this program",
	"sshload grow club.db":                             "takes many minutes; store/grow's tests grow a small club",
	"go test ./cmd/sshd -run 'TestKill$' -v -kills 30": ".ci/run does it",
	"go test ./cmd/sshd -run 'TestKill$' -v -kills 1000 -timeout 30m":                             "takes minutes; .ci/run does it with 30",
	"go test ./store -run TestPowerLoss -power.states 1000":                                       "takes minutes; every run of the tests does 30",
	"go test ./store -run TestDamageIsNeverTakenForWell -files.cases 2000":                        "takes minutes; every run of the tests does 40",
	"go test ./rules/search -run Agrees -plays 1200000":                                           "takes minutes; every run of the tests does some",
	"go test -bench . -run '^$' ./rules ./table ./store ./ui/board ./ui/screen ./ui/play ./lobby": "takes minutes",
	"boneyard bots master regular --game classic --seats 2 --deals 150":                           "takes minutes; bots_command_test.go plays a few deals",
	"boneyard bots master 'exec:./mybot' --game 'classic teams=on' --deals 50":                    "needs a program of the reader's; bots_command_test.go has one",

	"(umask 077; openssl rand -base64 48 > cluster.key)":                                                                              "another program's; cluster_test.go makes keys of that form",
	"boneyard --cluster home --node one --cluster-listen 10.0.0.1:7400 --peers 10.0.0.2:7400,10.0.0.3:7400 --cluster-key cluster.key": "needs three machines; cluster_test.go runs three nodes on one",
	"go test ./cmd/sshd -run TestCluster -v -faults 100 -timeout 30m":                                                                 "takes minutes; .ci/run makes seven faults",

	// What needs a service manager, an engine for containers, or another machine's files.
	"install boneyard /usr/local/bin/":                                                        "changes the machine",
	"install -m 0755 boneyard /usr/local/bin/boneyard":                                        "changes the machine",
	"install -m 0644 docs/boneyard.service docs/boneyard.socket /etc/systemd/system/":         "changes the machine",
	"echo BONEYARD_PUBLIC_HOST=play.example.org:2222 > /etc/boneyard.env":                     "changes the machine",
	"systemctl daemon-reload":                                                                 "needs a running systemd",
	"systemctl enable --now boneyard.socket boneyard.service":                                 "needs a running systemd",
	"systemctl stop boneyard.socket boneyard.service":                                         "needs a running systemd",
	"systemctl start boneyard.socket boneyard.service":                                        "needs a running systemd",
	"boneyard check --data /root/copy.db":                                                     "needs a file of root's; data_test.go checks copies",
	"cd /var/lib/private/boneyard":                                                            "is there only with the unit",
	"mkdir -p old && mv boneyard.db* old/":                                                    "belongs to the restore under systemd",
	`install -m 0600 -o "$(stat -c %u .)" -g "$(stat -c %g .)" /root/copy.db boneyard.db`:     "belongs to the restore under systemd",
	"boneyard rebuild --data boneyard.db; chown -R --reference=. .":                           "belongs to the restore under systemd",
	"boneyard man /usr/local/share/man/man1":                                                  "changes the machine",
	"systemd-analyze security --offline=true":                                                 "needs systemd; TestUnit runs it where it is",
	"boneyard --public-host play.example.org --operators 'SHA256:…' --metrics 127.0.0.1:9222": "serves until it is ended, with a fingerprint of the reader's; settings_test.go reads these flags",
	"docker build -t boneyard .":                                                              "needs an engine; docs/operation.md says how it was tried",
	`docker build -t boneyard --build-arg VERSION="$(git describe --tags --always)" --build-arg REVISION="$(git rev-parse HEAD)" .`:                    "needs an engine; docs/operation.md says how it was tried",
	"docker run -d --name boneyard -p 22:2222 -v boneyard-data:/data -v boneyard-keys:/host_keys -e BONEYARD_PUBLIC_HOST=play.example.org:22 boneyard": "needs an engine; docs/operation.md says how it was tried",
	"docker compose up -d":                               "needs an engine",
	"docker buildx imagetools inspect golang:1.26":       "needs a registry",
	"docker exec boneyard boneyard backup /data/copy.db": "needs an engine; docs/operation.md says how it was tried",
	"docker cp boneyard:/data/copy.db .":                 "needs an engine",
	"docker stop boneyard":                               "needs an engine; docs/operation.md says how it was tried",
	`docker run --rm -v boneyard-data:/data -v "$PWD:/from:ro" busybox sh -c 'cd /data && mkdir -p old && mv boneyard.db* old/ && cp /from/copy.db boneyard.db && chown 65532:65532 boneyard.db && chmod 600 boneyard.db'`: "needs an engine and busybox's image",
	"docker logs boneyard":             "needs an engine",
	"docker rm boneyard":               "needs an engine",
	"docker compose up -d --build":     "needs an engine",
	"systemctl restart boneyard":       "needs a running systemd",
	"docker start boneyard":            "needs an engine",
	"chown 65532:65532 data host_keys": "needs root",
	"litestream restore -config /etc/litestream.yml -o /var/lib/boneyard/boneyard.db /var/lib/boneyard/boneyard.db":                "needs Litestream; TestWhatReplicationReliesOn keeps what it relies on",
	"litestream restore -config /etc/litestream.yml -timestamp 2026-11-21T20:15:00Z -o club-then.db /var/lib/boneyard/boneyard.db": "needs Litestream",
	"boneyard check --data /var/lib/boneyard/boneyard.db":                                                                          "needs the restored file; data_test.go checks files",
	"boneyard backup --data club.db --every 10m --keep 48 /mnt/backup/club":                                                        "runs until it is ended; backups_test.go runs it",
	"find /mnt/backup/club -name 'boneyard-*.db' -mmin -25 | grep -q .":                                                            "needs the folder of the command before it",

	// What needs a person's terminal or a table.
	"boneyard bots A B":        "a form; bots_command_test.go plays so",
	"boneyard replay game.dom": "needs a terminal; replay_test.go gives it one",
	"ssh -t HOST wall 3":       "needs a terminal and an arena; ui/wall shows it",
	"ssh HOST arena new in=30 length=60 classic target=100 pace=normal name=Friday night":               "is for captains and operators; arena_test.go makes one",
	"ssh HOST arena new at=2026-11-27T20:00 battle=on teams=OWL,CAT block":                              "is for captains and operators, with two teams",
	"ssh HOST league new at=2026-11-27T20:00 window=7d block target=100 pace=normal name=Winter league": "is for operators; ui/remote makes one so",
	"ssh HOST league new at=2027-03-01T20:00 after=3 block name=Spring league":                          "is for operators, after a season",
	"ssh HOST cup new in=3d round=7d block name=Winter cup":                                             "is for operators; ui/remote makes one so",
	"ssh HOST arena 3 play --json --bot":                                                                "needs an arena; arena_test.go plays in one",
	"ssh -t HOST admin":                                                                                 "needs a terminal and an operator's key; operators_page_test.go does it",
	"ssh HOST join K7QX-4HDM":                                                                           "needs a table with that code; remote_test.go joins by code",
	"ssh HOST play 12":                                                                                  "needs a table with that number; play_test.go plays",
	"ssh HOST play N --json --bot":                                                                      "a form; bots_test.go plays so",
	"ssh HOST play --json":                                                                              "a form; bots_test.go plays so",
	"ssh -o SendEnv=NO_COLOR …":                                                                         "a form; terminal_test.go sends variables",
	"ssh -o SetEnv=COLORTERM=truecolor …":                                                               "a form; terminal_test.go sends variables",
}

// docCommand is a command that a reader may type.
type docCommand struct{ file, text string }

var (
	comment  = regexp.MustCompile(`(^|\s+)#\s.*$`)
	span     = regexp.MustCompile("`([^`]+)`")
	programs = regexp.MustCompile(`^(boneyard|sshd|sshload|ssh|ssh-keygen|go|docker|podman|litestream|promtool|systemctl|systemd-analyze|find|chown|setpriv|while|install|mv) `)
	mention  = regexp.MustCompile(`^(boneyard|sshload|litestream) [a-z]+[0-9]*( --[a-z-]+)*$|^ssh (-[tT]+|-o [A-Za-z]+=\S+)$|^(promtool) |^install$|^go `)
)

// commandsOf returns the commands of a document: those in code blocks, and those in the text that are more than a command's name.
func commandsOf(t *testing.T, file string) (found []docCommand) {
	t.Helper()
	all, err := os.ReadFile(filepath.Join("..", "..", file))
	require.NoError(t, err)
	fence, pending, prose := "", "", ""
	add := func(s string) {
		s = strings.TrimSpace(comment.ReplaceAllString(pending+strings.TrimSpace(s), ""))
		pending = ""
		if rest, ok := strings.CutSuffix(s, `\`); ok {
			pending = strings.TrimSpace(rest) + " "
		} else if strings.HasSuffix(s, "&&") {
			pending = s + " "
		} else if s != "" {
			found = append(found, docCommand{file, s})
		}
	}
	for n, line := range strings.Split(string(all), "\n") {
		lang, isFence := strings.CutPrefix(line, "```")
		switch {
		case isFence && fence == "":
			require.NotEmpty(t, lang, "%s:%d: say what the block is: sh, console, text, json …", file, n+1)
			fence = lang
		case isFence:
			require.Empty(t, pending, "%s:%d: a command that does not end", file, n+1)
			fence = ""
		case fence == "sh":
			add(line)
		case fence == "console":
			if rest, ok := strings.CutPrefix(line, "$ "); ok {
				add(rest)
			}
		case fence == "":
			prose += line + "\n"
		}
	}
	for _, paragraph := range strings.Split(prose, "\n\n") {
		for _, m := range span.FindAllStringSubmatch(strings.ReplaceAll(paragraph, "\n", " "), -1) {
			s := strings.ReplaceAll(m[1], `\|`, "|")
			if programs.MatchString(s) && (!mention.MatchString(s) || byHand[s] != "") {
				found = append(found, docCommand{file, s})
			}
		}
	}
	require.Empty(t, fence, "%s: a block that does not end", file)
	return found
}

// documents are the files from which readers may copy commands.
func documents(t *testing.T) []string {
	t.Helper()
	docs, err := filepath.Glob("../../docs/*.md")
	require.NoError(t, err)
	all := []string{"README.md", "CONTRIBUTING.md", "SECURITY.md"}
	for _, d := range docs {
		all = append(all, "docs/"+filepath.Base(d))
	}
	return all
}

// Every command in README and docs either runs as written, in a shell with OpenSSH's client, next to a club's data and a running server,
// or is listed in byHand.
func TestCommandsOfTheDocs(t *testing.T) { // not beside others: it counts goroutines
	var all []docCommand
	used := make(map[string]bool)
	for _, file := range documents(t) {
		for _, c := range commandsOf(t, file) {
			if byHand[c.text] == "" && !used[c.text] {
				all = append(all, c)
			}
			used[c.text] = true
		}
	}
	for c := range byHand {
		assert.True(t, used[c], "byHand has %q, and no document", c)
	}
	require.Greater(t, len(all), 15)
	w := newReaderOfDocs(t)
	for _, c := range all {
		require.NotRegexp(t, `^(docker|podman|systemctl|litestream|go|install|sshload|sshd) `, c.text, "%s: not to be run here: what stands in its way belongs into byHand", c.file)
		if strings.HasPrefix(c.text, "ssh") && w.ssh == "" {
			t.Logf("not run, as there is no ssh here: %s", c.text)
			continue
		}
		out, err := w.do(c.text)
		assert.NoError(t, err, "%s: %s\n%s", c.file, c.text, out)
	}
}

// Commands that documents only mention exist.
func TestCommandsThatTheDocsMention(t *testing.T) {
	named := regexp.MustCompile("`" + programName + ` ([a-z]+)((?: --[a-z-]+)*)`)
	for _, file := range documents(t) {
		all, err := os.ReadFile(filepath.Join("..", "..", file))
		require.NoError(t, err)
		for _, m := range named.FindAllStringSubmatch(string(all), -1) {
			root := newRoot(NewMain(&bytes.Buffer{}))
			root.InitDefaultCompletionCmd()
			cmd, _, err := root.Find([]string{m[1]})
			require.NoError(t, err, "%s: %s", file, m[0])
			require.NotEqual(t, root, cmd, "%s: %s", file, m[0])
			for _, flag := range strings.Fields(m[2]) {
				require.True(t, hasFlag(cmd, strings.TrimPrefix(flag, "--")), "%s: %s has no %s", file, m[1], flag)
			}
		}
	}
}

func hasFlag(cmd *cobra.Command, name string) bool {
	return name == "help" || cmd.Flags().Lookup(name) != nil || cmd.PersistentFlags().Lookup(name) != nil || cmd.InheritedFlags().Lookup(name) != nil
}

// Settings that documents name exist.
func TestSettingsThatTheDocsName(t *testing.T) {
	known := variables()
	for _, file := range append(documents(t), "Dockerfile", "compose.yaml", "docs/boneyard.service") {
		all, err := os.ReadFile(filepath.Join("..", "..", file))
		require.NoError(t, err)
		for _, name := range regexp.MustCompile(`\bBONEYARD_[A-Z_]*[A-Z]`).FindAllString(string(all), -1) {
			require.True(t, slices.Contains(known, name), "%s names %s", file, name)
		}
	}
}

// The list of documents names every document, and README links to the list.
func TestAllDocumentsAreListed(t *testing.T) {
	list, err := os.ReadFile("../../docs/README.md")
	require.NoError(t, err)
	entries, err := os.ReadDir("../../docs")
	require.NoError(t, err)
	for _, e := range entries {
		if name := e.Name(); name != "README.md" && filepath.Ext(name) != ".svg" {
			require.Contains(t, string(list), "]("+name, "docs/README.md does not list it")
		}
	}
	readme, err := os.ReadFile("../../README.md")
	require.NoError(t, err)
	require.Contains(t, string(readme), "docs/README.md")
}

// readerOfDocs does what the documents say, in a folder of a test.
type readerOfDocs struct {
	dir, ssh string
	env      []string
}

func newReaderOfDocs(t *testing.T) *readerOfDocs {
	t.Helper()
	w := &readerOfDocs{dir: t.TempDir()}
	w.ssh, _ = exec.LookPath("ssh")
	file := func(name string) string { return filepath.Join(w.dir, name) }
	newDocsClub(t, file("club.db"))
	require.NoError(t, store.Backup(context.Background(), file("club.db"), file("live.db")))
	m, _ := mustRun(t, func(s *Settings) { s.Data, s.HostKeys = file("live.db"), file("host_keys") })
	_, port, err := net.SplitHostPort(m.Addr().String())
	require.NoError(t, err)

	_, private, err := ed25519.GenerateKey(rand.Reader)
	require.NoError(t, err)
	block, err := gossh.MarshalPrivateKey(private, "")
	require.NoError(t, err)
	require.NoError(t, os.WriteFile(file("id"), pem.EncodeToMemory(block), 0o600))
	public, err := gossh.NewPublicKey(private.Public())
	require.NoError(t, err)
	require.NoError(t, os.WriteFile(file("key.pub"), gossh.MarshalAuthorizedKey(public), 0o600))
	require.NoError(t, os.Mkdir(file("bin"), 0o700))
	wrapper := fmt.Sprintf("#!/bin/sh\nexec %s -F none -o Port=%s -o HostName=127.0.0.1 -o StrictHostKeyChecking=no -o UserKnownHostsFile=%s "+
		"-o LogLevel=ERROR -o BatchMode=yes -o IdentitiesOnly=yes -o IdentityFile=%s \"$@\"\n", w.ssh, port, os.DevNull, file("id"))
	require.NoError(t, os.WriteFile(file("bin/ssh"), []byte(wrapper), 0o700))
	w.env = append(os.Environ(), "PATH="+file("bin")+string(os.PathListSeparator)+os.Getenv("PATH"),
		"BONEYARD_LISTEN="+m.Addr().String(), "BONEYARD_DATA="+file("club.db"))
	for _, c := range []string{"boneyard version", "ssh HOST register reader", "ssh HOST export 412 > game.dom", "cp game.dom FILE"} {
		if out, err := w.do(c); w.ssh != "" {
			require.NoError(t, err, "%s\n%s", c, out)
		}
	}
	return w
}

// do has a shell run a command.
func (w *readerOfDocs) do(command string) (string, error) {
	ctx, cancel := context.WithTimeout(context.Background(), patience)
	defer cancel()
	cmd := exec.CommandContext(ctx, "sh", "-c", command)
	cmd.Dir, cmd.Env = w.dir, w.env
	out, err := cmd.CombinedOutput()
	return string(out), err
}

// newDocsClub makes a data file with the things that documents name: the game 412, and a member called NAME.
func newDocsClub(t *testing.T, path string) {
	t.Helper()
	ctx := context.Background()
	s, err := store.Open(ctx, path, store.DefaultOptions())
	require.NoError(t, err)
	_, err = s.Create(ctx, [32]byte{1}, "NAME", text.Skeleton("NAME"), time.Now())
	require.NoError(t, err)
	require.NoError(t, s.Close())
	db, err := sql.Open("sqlite", path)
	require.NoError(t, err)
	_, err = db.Exec(`UPDATE numbers SET last = 411 WHERE name = 'game'`)
	require.NoError(t, err)
	require.NoError(t, db.Close())
	s, err = store.Open(ctx, path, store.DefaultOptions())
	require.NoError(t, err)
	_, err = grow.Fill(ctx, s, grow.Plan{Games: 1, Members: 8, Teams: 2, Seed: 1}, nil)
	require.NoError(t, err)
	require.NoError(t, s.Close())
}
