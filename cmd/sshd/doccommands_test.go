package main

import (
	"bufio"
	"bytes"
	"context"
	"crypto/ed25519"
	"crypto/rand"
	"database/sql"
	"encoding/pem"
	"fmt"
	"io"
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
	"github.com/stretchr/testify/require"
	gossh "golang.org/x/crypto/ssh"

	"boneyard/lobby/text"
	"boneyard/store"
	"boneyard/store/grow"
)

// docBlock is a block of a document that a shell can run, or a command in its text.
type docBlock struct {
	file, section string
	line          int
	commands      []string
}

// script is the block as a shell runs it: no command of it may fail.
func (b docBlock) script() string { return "set -e\n" + strings.Join(b.commands, "\n") }

func (b docBlock) String() string {
	return fmt.Sprintf("%s:%d: %s", b.file, b.line, strings.Join(b.commands, "; "))
}

var (
	comment  = regexp.MustCompile(`(^|\s+)#\s.*$`)
	span     = regexp.MustCompile("`([^`]+)`")
	programs = regexp.MustCompile(`^(boneyard|sshd|sshload|ssh|ssh-keygen|go|litestream|promtool|systemctl|systemd-analyze|find|chown|setpriv|while|install|mv) `)
	mention  = regexp.MustCompile(`^(boneyard|sshload|litestream) [a-z]+[0-9]*( --[a-z-]+)*$|^ssh (-[tT]+|-o [A-Za-z]+=\S+)$|^(promtool) |^install$|^go `)

	// notRun marks in a document what no test runs, and why: the next block, or a command wherever it is.
	notRun = regexp.MustCompile("^<!-- not run(?:: `([^`]+)`)?: (.+) -->$")
)

// blocksOf returns what a reader of a document may run: its blocks of commands, and the commands in its text
// that are more than a name, without those that are marked.
func blocksOf(t *testing.T, file string) (found []docBlock) {
	t.Helper()
	all := readFile(t, filepath.Join("..", "..", file))
	lines := strings.Split(string(all), "\n")
	marked := make(map[string]bool) // whether the document has the command
	for _, line := range lines {
		if m := notRun.FindStringSubmatch(strings.TrimSpace(line)); m != nil && m[1] != "" {
			marked[m[1]] = false
		}
	}
	runs := func(command string) bool {
		_, is := marked[command]
		if is {
			marked[command] = true
		}
		return !is
	}
	fence, pending, prose, section := "", "", "", ""
	var block docBlock
	skipped := false
	add := func(s string) {
		s = strings.TrimSpace(comment.ReplaceAllString(pending+strings.TrimSpace(s), ""))
		pending = ""
		if rest, ok := strings.CutSuffix(s, `\`); ok {
			pending = strings.TrimSpace(rest) + " "
		} else if strings.HasSuffix(s, "&&") {
			pending = s + " "
		} else if s != "" && runs(s) {
			block.commands = append(block.commands, s)
		}
	}
	for n, line := range lines {
		trimmed := strings.TrimSpace(line)
		lang, isFence := strings.CutPrefix(trimmed, "```")
		switch {
		case isFence && fence == "":
			require.NotEmpty(t, lang, "%s:%d: say what the block is: sh, console, text, json …", file, n+1)
			before := ""
			if n > 0 {
				before = strings.TrimSpace(lines[n-1])
			}
			m := notRun.FindStringSubmatch(before)
			skipped = m != nil && m[1] == ""
			fence, block = lang, docBlock{file: file, section: section, line: n + 2}
		case isFence:
			require.Empty(t, pending, "%s:%d: a command that does not end", file, n+1)
			if !skipped && len(block.commands) > 0 {
				found = append(found, block)
			}
			require.False(t, skipped && fence != "sh" && fence != "console", "%s:%d: nothing would run this", file, n+1)
			fence = ""
		case fence == "sh":
			add(line)
		case fence == "console":
			if rest, ok := strings.CutPrefix(line, "$ "); ok {
				add(rest)
			}
		case fence == "" && strings.HasPrefix(trimmed, "<!-- not run"):
			m := notRun.FindStringSubmatch(trimmed)
			require.NotNil(t, m, "%s:%d: it must be <!-- not run: WHY --> or <!-- not run: `COMMAND`: WHY -->", file, n+1)
			require.True(t, m[1] != "" || strings.HasPrefix(strings.TrimSpace(lines[n+1]), "```"), "%s:%d: no block follows", file, n+1)
		case fence == "":
			if strings.HasPrefix(line, "#") {
				section = strings.TrimLeft(line, "# ")
			}
			prose += line + "\n"
		}
	}
	for _, paragraph := range strings.Split(prose, "\n\n") {
		for _, m := range span.FindAllStringSubmatch(strings.ReplaceAll(paragraph, "\n", " "), -1) {
			s := strings.ReplaceAll(m[1], `\|`, "|")
			if programs.MatchString(s) && runs(s) && !mention.MatchString(s) {
				found = append(found, docBlock{file: file, commands: []string{s}})
			}
		}
	}
	require.Empty(t, fence, "%s: a block that does not end", file)
	for command, there := range marked {
		require.True(t, there, "%s marks a command that it does not have: %s", file, command)
	}
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

// Every block of commands in README and docs, and every command in their text, runs as written, in a shell with OpenSSH's client, next to
// a club's data, a running server, and the service that docs/operation.md sets up; or the document's source says why not.
func TestCommandsOfTheDocs(t *testing.T) { // not beside others: it counts goroutines
	if testing.Short() {
		t.Skip("one command after another")
	}
	w := newReaderOfDocs(t)
	ran, blocks := make(map[string]bool), 0
	for _, file := range documents(t) {
		for _, b := range blocksOf(t, file) {
			if b.line == 0 && ran[b.commands[0]] {
				continue
			}
			ran[b.commands[0]] = true
			if w.ssh == "" && slices.ContainsFunc(b.commands, func(c string) bool { return strings.HasPrefix(c, "ssh") }) {
				t.Logf("not run, as there is no ssh here: %s", b)
				continue
			}
			if b.line > 0 {
				blocks++
			}
			w.runs(t, b)
		}
	}
	require.Greater(t, len(ran), 20)
	require.GreaterOrEqual(t, blocks, 7)
	for section, checked := range w.checked {
		require.True(t, checked, "no document has a block for %q", section)
	}
}

// Commands that documents only mention exist.
func TestCommandsThatTheDocsMention(t *testing.T) {
	named := regexp.MustCompile("`" + programName + ` ([a-z]+)((?: --[a-z-]+)*)`)
	for _, file := range documents(t) {
		all := readFile(t, filepath.Join("..", "..", file))
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
	return name == "help" || cmd.Flags().Lookup(name) != nil || cmd.PersistentFlags().Lookup(name) != nil ||
		cmd.InheritedFlags().Lookup(name) != nil
}

// Settings that documents name exist.
func TestSettingsThatTheDocsName(t *testing.T) {
	known := append(variables(), "BONEYARD_VERSIONS") // which callers send
	for _, file := range append(documents(t), "Dockerfile", "compose.yaml", "docs/boneyard.service") {
		all := readFile(t, filepath.Join("..", "..", file))
		for _, name := range regexp.MustCompile(`\bBONEYARD_[A-Z_]*[A-Z]`).FindAllString(string(all), -1) {
			require.True(t, slices.Contains(known, name), "%s names %s", file, name)
		}
	}
}

// The list of documents names every document, and README links to the list.
func TestAllDocumentsAreListed(t *testing.T) {
	list := readFile(t, "../../docs/README.md")
	entries, err := os.ReadDir("../../docs")
	require.NoError(t, err)
	for _, e := range entries {
		if name := e.Name(); name != "README.md" && filepath.Ext(name) != ".svg" {
			require.Contains(t, string(list), "]("+name, "docs/README.md does not list it")
		}
	}
	readme := readFile(t, "../../README.md")
	require.Contains(t, string(readme), "docs/README.md")
}

// readerOfDocs does what the documents say, in a folder of a test, which stands for the root of the machine.
type readerOfDocs struct {
	dir, ssh string
	env      []string
	asked    chan net.Conn // what the shell asks of systemd
	service  *process      // nil: it is stopped
	checked  map[string]bool
}

func newReaderOfDocs(t *testing.T) *readerOfDocs {
	t.Helper()
	w := &readerOfDocs{dir: t.TempDir(), asked: make(chan net.Conn),
		checked: map[string]bool{"Host keys": false, "Backup and restore": false, "What a damaged log still has": false, "Upgrades": false}}
	w.ssh, _ = exec.LookPath("ssh")
	file := func(name string) string { return filepath.Join(w.dir, name) }
	newDocsClub(t, file("club.db"))
	require.NoError(t, store.Backup(context.Background(), file("club.db"), file("live.db"), nil))
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

	// What the service needs: the program as it was built, the documents, and a machine's folders.
	require.NoError(t, os.WriteFile(file("boneyard"), []byte("#!/bin/sh\nexec "+programName+" \"$@\"\n"), 0o700))
	require.NoError(t, os.CopyFS(file("docs"), os.DirFS("../../docs")))
	for _, d := range []string{"root", "etc/systemd/system", "usr/local/bin", "usr/local/share/man", "mnt/backup/club",
		"var/lib/private/boneyard"} {
		require.NoError(t, os.MkdirAll(file(d), 0o700))
	}
	require.NoError(t, os.Symlink("private/boneyard", file("var/lib/boneyard")))
	systemctl, err := net.Listen("tcp", "127.0.0.1:0")
	require.NoError(t, err)
	t.Cleanup(func() { _ = systemctl.Close() })
	go func() {
		for conn, err := systemctl.Accept(); err == nil; conn, err = systemctl.Accept() {
			w.asked <- conn
		}
	}()

	w.env = append(os.Environ(), "PATH="+file("bin")+string(os.PathListSeparator)+os.Getenv("PATH"),
		"BONEYARD_LISTEN="+m.Addr().String(), "BONEYARD_DATA="+file("club.db"), systemctlAt+"="+systemctl.Addr().String())
	for _, c := range []string{"boneyard version", "cp club.db boneyard.db",
		"boneyard backup /mnt/backup/club/" + time.Now().UTC().Format(backupName),
		"boneyard backup /root/copy.db", "ssh HOST register reader", "ssh HOST export 412 > game.dom", "cp game.dom FILE"} {
		if out, err := w.do(t, c); w.ssh != "" || !strings.HasPrefix(c, "ssh") && !strings.Contains(c, "game.dom") {
			require.NoError(t, err, "%s\n%s", c, out)
		}
	}
	// The backup that is restored was made before an upgrade.
	change(t, file("root/copy.db"), `DELETE FROM goose_db_version WHERE version_id = 21`, `DELETE FROM numbers WHERE name = 'rebuild'`)
	return w
}

// change has SQL change a file.
func change(t *testing.T, path string, statements ...string) {
	t.Helper()
	db, err := sql.Open("sqlite", path)
	require.NoError(t, err)
	for _, s := range statements {
		_, err = db.Exec(s)
		require.NoError(t, err)
	}
	require.NoError(t, db.Close())
}

// runs runs a block in the context of its section, and checks afterwards that the service is well.
func (w *readerOfDocs) runs(t *testing.T, b docBlock) {
	t.Helper()
	if b.section == "What a damaged log still has" && b.line > 0 {
		w.damageLog(t)
	}
	out, err := w.do(t, b.script())
	require.NoError(t, err, "%s\n%s", b, out)
	if w.service == nil || b.line == 0 {
		return
	}
	data := filepath.Join(w.dir, "var/lib/boneyard/boneyard.db")
	found, err := store.Check(t.Context(), data, nil)
	require.NoError(t, err, "%s", b)
	require.Empty(t, found.Problems, "%s", b)
	key, err := presented(w.service.Addr().String())
	require.NoError(t, err, "the service does not serve after %s", b)
	switch b.section {
	case "Host keys":
		w.checked[b.section] = strings.Contains(out, gossh.FingerprintSHA256(key)) || w.checked[b.section]
	case "Backup and restore":
		require.Equal(t, 1, found.Games, "the games of the copy")
		kept, err := filepath.Glob(data + ".schema-*")
		require.NoError(t, err)
		require.NotEmpty(t, kept, "the copy is an older program's")
		w.checked[b.section] = true
	default:
		if _, is := w.checked[b.section]; is {
			w.checked[b.section] = true
		}
	}
}

// damageLog kills the service while its log has something, and flips a bit there.
func (w *readerOfDocs) damageLog(t *testing.T) {
	t.Helper()
	ask(t, w.service.Main, newKey(t), "lena", "register lena")
	w.service.kill()
	w.service = nil
	log := filepath.Join(w.dir, "var/lib/boneyard/boneyard.db-wal")
	all := readFile(t, log)
	require.Greater(t, len(all), 4096)
	all[len(all)/2] ^= 1
	require.NoError(t, os.WriteFile(log, all, 0o600))
	_, err := store.Check(t.Context(), strings.TrimSuffix(log, "-wal"), nil)
	require.ErrorIs(t, err, store.ErrLog)
}

// presented returns the host key that a server presents.
func presented(addr string) (key gossh.PublicKey, err error) {
	config := &gossh.ClientConfig{Timeout: patience, HostKeyCallback: func(_ string, _ net.Addr, k gossh.PublicKey) error {
		key = k
		return nil
	}}
	client, err := gossh.Dial("tcp", addr, config)
	if key != nil { // whether it lets in somebody who has no key is another matter
		err = nil
	}
	if client != nil {
		_ = client.Close()
	}
	return key, err
}

// absolute matches the names of files that documents give from the machine's root.
var absolute = regexp.MustCompile(`(^|[\s"'=])/(var|etc|usr/local|root|mnt)/`)

// do runs commands in a shell, and carries out what they ask of systemd.
func (w *readerOfDocs) do(t *testing.T, commands string) (string, error) {
	t.Helper()
	ctx, cancel := context.WithTimeout(context.Background(), patience)
	defer cancel()
	cmd := exec.CommandContext(ctx, "sh", "-c", absolute.ReplaceAllString(commands, "${1}"+w.dir+"/$2/"))
	cmd.Dir, cmd.Env = w.dir, w.env
	var out []byte
	ended := make(chan error, 1)
	go func() {
		var err error
		out, err = cmd.CombinedOutput()
		ended <- err
	}()
	for {
		select {
		case err := <-ended:
			return string(out), err
		case conn := <-w.asked:
			w.systemd(t, conn)
		}
	}
}

// systemd does what the shell asks of it, with the unit's own command line.
func (w *readerOfDocs) systemd(t *testing.T, conn net.Conn) {
	t.Helper()
	defer conn.Close()
	words, err := bufio.NewReader(conn).ReadString('\n')
	require.NoError(t, err)
	verb, units, _ := strings.Cut(strings.TrimSpace(words), " ")
	if verb == "daemon-reload" {
		return
	}
	require.Contains(t, units, "boneyard")
	if verb == "stop" || verb == "restart" {
		require.NotNil(t, w.service, "%s: it does not run", verb)
		w.service.terminate(t)
		w.service = nil
	}
	if verb == "stop" {
		return
	}
	require.True(t, verb == "start" || verb == "restart" || verb == "enable" && strings.HasPrefix(units, "--now "), words)
	unit := readFile(t, filepath.Join(w.dir, "etc/systemd/system/boneyard.service"))
	line := regexp.MustCompile(`(?m)^ExecStart=(.*)$`).FindSubmatch(unit)
	require.NotNil(t, line)
	args := strings.Fields(strings.ReplaceAll(absolute.ReplaceAllString(string(line[1]), "${1}"+w.dir+"/$2/"), ":2222", "127.0.0.1:0"))
	p := &process{open: make(chan net.Addr, 1), joined: make(chan struct{}), exited: make(chan struct{})}
	p.cmd = exec.Command(args[0], append(args[1:], "--log-format", "json", "--exempt-networks", "127.0.0.0/8")...)
	settings := readFile(t, filepath.Join(w.dir, "etc/boneyard.env"))
	info, err := os.Stat(filepath.Join(w.dir, "etc/boneyard.env"))
	require.NoError(t, err)
	require.Zero(t, info.Mode().Perm()&0o007, "others can read the settings, which may hold a secret")
	p.cmd.Env = append(os.Environ(), strings.Fields(string(settings))...)
	p.start(t)
	p.opened(t)
	w.service = p
}

// systemctlAt is the variable with the address of the test's systemd.
const systemctlAt = "SYSTEMCTL_AT"

// systemctlMain is systemctl in tests.
func systemctlMain() {
	conn, err := net.Dial("tcp", os.Getenv(systemctlAt))
	if err == nil {
		_, err = fmt.Fprintln(conn, strings.Join(os.Args[1:], " "))
	}
	if err == nil {
		_, err = io.Copy(io.Discard, conn) // until it is done
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(exitFailed)
	}
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
	change(t, path, `UPDATE numbers SET last = 411 WHERE name = 'game'`)
	s, err = store.Open(ctx, path, store.DefaultOptions())
	require.NoError(t, err)
	_, err = grow.Fill(ctx, s, grow.Plan{Games: 1, Members: 8, Teams: 2, Seed: 1}, nil)
	require.NoError(t, err)
	require.NoError(t, s.Close())
}
