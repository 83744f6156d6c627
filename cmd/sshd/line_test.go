package main

import (
	"bytes"
	"io"
	"regexp"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	gossh "golang.org/x/crypto/ssh"

	"boneyard/rules/record"
)

// liner is a person in line mode over SSH, who knows only the text they read.
type liner struct {
	t    *testing.T
	sess *gossh.Session
	in   io.WriteCloser
	tap  func(line []byte) // sees each line that comes

	mu      sync.Mutex
	all     bytes.Buffer
	changed chan struct{} // closed and replaced with each text
	read    int
	tapped  int // up to where tap has seen it
}

// Write implements io.Writer: text has come.
func (l *liner) Write(b []byte) (int, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	close(l.changed)
	l.changed = make(chan struct{})
	l.all.Write(b)
	for {
		line := l.all.Bytes()[l.tapped:]
		end := bytes.IndexByte(line, '\n') + 1
		if end == 0 {
			return len(b), nil
		}
		l.tap(line[:end])
		l.tapped += end
	}
}

// startLine calls in line mode: on a terminal of a name, or without one.
func startLine(t *testing.T, m *Main, key gossh.Signer, term, command string) *liner {
	t.Helper()
	return startLineTapped(t, m, key, term, command, func([]byte) {})
}

// startLineTapped does the same, and shows tap each line as it comes.
func startLineTapped(t *testing.T, m *Main, key gossh.Signer, term, command string, tap func(line []byte)) *liner {
	t.Helper()
	return startLineOf(t, dial(t, m, key, "liner"), term, command, tap)
}

// startLineOf does the same on a connection.
func startLineOf(t *testing.T, client *gossh.Client, term, command string, tap func(line []byte)) *liner {
	t.Helper()
	sess, err := client.NewSession()
	require.NoError(t, err)
	l := &liner{t: t, sess: sess, tap: tap, changed: make(chan struct{})}
	sess.Stdout = l
	l.in, err = sess.StdinPipe()
	require.NoError(t, err)
	if term != "" {
		require.NoError(t, sess.RequestPty(term, 24, 60, nil))
	}
	if command == "" {
		require.NoError(t, sess.Shell())
	} else {
		require.NoError(t, sess.Start(command))
	}
	return l
}

func (l *liner) say(line string) {
	l.t.Helper()
	_, err := io.WriteString(l.in, line+"\r")
	require.NoError(l.t, err)
}

// until waits until what has come since the last time matches, and returns it. Breaks of lines are blanks.
func (l *liner) until(pattern string) string {
	l.t.Helper()
	want := regexp.MustCompile(pattern)
	for {
		l.mu.Lock()
		fresh, changed := l.all.String()[l.read:], l.changed
		flat := strings.Join(strings.Fields(fresh), " ")
		if want.MatchString(flat) {
			l.read = l.all.Len()
			l.mu.Unlock()
			return flat
		}
		l.mu.Unlock()
		select {
		case <-changed:
		case <-time.After(patience):
			l.t.Fatalf("%q does not come; all that came:\n%s", pattern, l.all.String())
		}
	}
}

// playGame plays a game to its end, always the first of the moves that are offered, and returns the text that tells the end. A line
// that is refused because it came too fast is typed again.
func (l *liner) playGame() string {
	l.t.Helper()
	said := ""
	for {
		read := l.until(`Your move:.* 1\) [0-6]-[0-6]|Type next to go on|Type rematch to play again|` + tooFast)
		switch {
		case strings.Contains(read, "Type rematch to play again"):
			return read
		case strings.Contains(read, "Your move:"):
			said = "1"
		case strings.Contains(read, "Type next to go on"):
			said = "next"
		}
		l.say(said)
	}
}

// replay reads a game move by move; its moves are numbered without gaps.
func (l *liner) replay(game string) string {
	l.t.Helper()
	const last = "Points left on the table"
	text := ""
	for say := "replay " + game; !strings.Contains(text, last); {
		l.say(say)
		read := l.until(last + `|type more|` + tooFast)
		if strings.Contains(read, tooFast) {
			continue
		}
		text, say = text+" "+read, "more"
	}
	round, number := "", 0
	for _, m := range regexp.MustCompile(`([0-9]+)\.([0-9]+) \S+ (?:leads|plays|passes)`).FindAllStringSubmatch(text, -1) {
		if m[1] != round {
			round, number = m[1], 0
		}
		number++
		require.Equal(l.t, strconv.Itoa(number), m[2], text)
	}
	require.NotZero(l.t, number)
	return text
}

// tooFast is what the club says to a command that it has refused because too many came at once.
const tooFast = "Not so fast, please"

// A person with a dumb terminal, or without one, enters for the first time and plays a game by text alone.
func TestAGameInLineMode(t *testing.T) {
	t.Parallel()
	for name, term := range map[string]string{"dumb terminal": "dumb", "no terminal": ""} {
		t.Run(name, func(t *testing.T) {
			m := openClub(t)
			key := newKey(t)
			l := startLine(t, m, key, term, "")
			l.until(`Your name, of 2 to 16 letters`)
			l.say("lena")
			l.until(`You are lena\. 1 person here.* Type quick for a first round with a guide, rules for how to play, or help`)
			l.say("new classic target=30 bots=now pace=none")
			l.until(`Seat 2: nora\.regular`)
			l.say("ready")
			require.Regexp(t, `(nora\.regular wins|you win) the game\.`, l.playGame())
			l.say("games lena")
			game := regexp.MustCompile(`Game ([0-9]+)`).FindStringSubmatch(l.until(`Game [0-9]+, .* won by`))[1]
			require.NotRegexp(t, `[0-9]\.[0-9]+ \S+ draws`, l.replay(game), "draws do not use up numbers")
			l.say("quit")
			require.NoError(t, l.sess.Wait())
			require.Equal(t, 1, strings.Count(l.all.String(), "Goodbye."))
			require.NotContains(t, l.all.String(), "\x1b", "no escape sequences")
			require.NoError(t, record.Check(strings.NewReader(ask(t, m, key, "lena", "export "+game))))
		})
	}
}

func TestLineModeByChoice(t *testing.T) {
	m := openClub(t)
	key := member(t, m, "lena")
	l := startLine(t, m, key, "dumb", "")
	l.until(`help for all commands`)
	l.say("set line on")
	l.until(`line is on`)
	l.say("new classic bots=never access=code")
	l.until(`Seat 1: lena, you`)
	l.say("invite")
	invitation := regexp.MustCompile(`ssh -t .* (join [\w-]+)`).FindStringSubmatch(l.until(`ssh -t .* join \w+`))[1]
	other := startLine(t, m, member(t, m, "otto"), "", invitation)
	other.until(`Seat 2: otto, you`)
	l.until(`otto sits down`)
	_ = other.in.Close()
	require.NoError(t, other.sess.Wait())
	require.Equal(t, 1, strings.Count(other.all.String(), "Goodbye."))
	again := startLine(t, m, key, "xterm-256color", "")
	again.until(`You are lena\. .*Seat 1: lena, you`)
	require.NotContains(t, again.all.String(), "\x1b")
	l.until(`taken over by another session`)
	require.NoError(t, l.sess.Wait())
	require.Equal(t, 1, strings.Count(l.all.String(), "taken over"))
	again.say("\x03")
	require.NoError(t, again.sess.Wait())
	require.Equal(t, 1, strings.Count(again.all.String(), "Goodbye."))
}
