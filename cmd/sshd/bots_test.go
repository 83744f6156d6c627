package main

import (
	"bufio"
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	gossh "golang.org/x/crypto/ssh"

	"boneyard/lobby"
)

// ask runs one command in a connection of its own and returns what it wrote to its output; the command must succeed. One that came too
// fast is sent again.
func ask(t testing.TB, m *Main, key gossh.Signer, name, command string) string {
	t.Helper()
	status, out, errs := answer(t, m, key, name, command, false)
	if status != exitOK && strings.Contains(errs, string(lobby.ErrTooFast)) {
		time.Sleep(commandEvery)
		return ask(t, m, key, name, command)
	}
	require.Equal(t, exitOK, status, "%s: %s%s", command, out, errs)
	return out
}

// member makes an account for a new key.
func member(t testing.TB, m *Main, name string) gossh.Signer {
	t.Helper()
	key := newKey(t)
	ask(t, m, key, name, "register "+name)
	return key
}

// object is one line of JSON that a program reads, as far as tests look at it.
type object struct {
	Type    string
	ID      string
	Error   string
	Text    string
	State   string
	Table   int64
	Game    int64
	Version uint64
	Seat    int
	Turn    int
	Duty    string
	Round   int
	Hand    []string
	Stock   int
	Rated   bool
	Casual  string
	Seed    string
	Options []struct{ Play, Arm string }
	Code    string
	Layout  []struct{ Tile string }
	Seats   []struct{ Name string }

	line string // as it came
}

// program is a session without a terminal that reads and writes lines of JSON, as bots do.
type program struct {
	t    testing.TB
	name string
	sess *gossh.Session
	in   io.WriteCloser
	errs syncBuffer
	tap  func(line []byte) // sees each line that comes

	mu      sync.Mutex
	raw     bytes.Buffer // all that ever came
	objects []object
	changed chan struct{} // closed and replaced at each change
	ended   bool
}

// startProgram starts a command that reads and writes lines of JSON.
func startProgram(t testing.TB, m *Main, key gossh.Signer, name, command string) *program {
	t.Helper()
	return startTapped(t, m, key, name, command, func([]byte) {})
}

// startTapped does the same, and shows tap each line as it comes.
func startTapped(t testing.TB, m *Main, key gossh.Signer, name, command string, tap func([]byte)) *program {
	t.Helper()
	sess, err := dial(t, m, key, name).NewSession()
	require.NoError(t, err)
	p := &program{t: t, name: name, sess: sess, tap: tap, changed: make(chan struct{})}
	p.in, err = sess.StdinPipe()
	require.NoError(t, err)
	out, err := sess.StdoutPipe()
	require.NoError(t, err)
	sess.Stderr = &p.errs
	require.NoError(t, sess.Start(command))
	go p.read(out)
	return p
}

// read takes what the server sends.
func (p *program) read(out io.Reader) {
	lines := bufio.NewReader(out)
	for {
		line, err := lines.ReadBytes('\n')
		p.tap(line)
		p.mu.Lock()
		p.raw.Write(line)
		var o object
		if json.Unmarshal(line, &o) == nil {
			o.line = string(line)
			p.objects = append(p.objects, o)
		}
		p.ended = err != nil
		close(p.changed)
		p.changed = make(chan struct{})
		p.mu.Unlock()
		if err != nil {
			return
		}
	}
}

// next waits for the first object from index from on that is as wanted, and returns it and the index after it.
func (p *program) next(from int, want string, ok func(o *object) bool) (object, int) {
	p.t.Helper()
	limit := time.After(patience)
	for {
		p.mu.Lock()
		objects, changed, ended := p.objects, p.changed, p.ended
		p.mu.Unlock()
		for ; from < len(objects); from++ {
			if ok(&objects[from]) {
				return objects[from], from + 1
			}
		}
		if ended {
			p.t.Fatalf("%s: the session ended while waiting for %s: %s%s", p.name, want, p.errs.String(), p.bytes())
		}
		select {
		case <-changed:
		case <-limit:
			p.t.Fatalf("%s: no %s after %v; it got:\n%s", p.name, want, patience, p.bytes())
		}
	}
}

// now is the index of the next object that comes.
func (p *program) now() int {
	p.mu.Lock()
	defer p.mu.Unlock()
	return len(p.objects)
}

// bytes returns all that ever came.
func (p *program) bytes() []byte {
	p.mu.Lock()
	defer p.mu.Unlock()
	return bytes.Clone(p.raw.Bytes())
}

// send writes one line.
func (p *program) send(line string) {
	p.t.Helper()
	_, err := io.WriteString(p.in, line+"\n")
	require.NoError(p.t, err, p.name)
}

// say sends an object with an id, and returns the answer.
func (p *program) say(id, fields string) object {
	p.t.Helper()
	from := p.now()
	p.send(`{"id":"` + id + `",` + fields + `}`)
	answer, _ := p.next(from, "answer to "+id, func(o *object) bool { return o.ID == id && (o.Type == "ok" || o.Type == "error") })
	return answer
}

// playGame plays one game to its end, always with the first option, and returns its result. before, which may be nil, is
// called whenever it is the program's turn to play, with the state that says so.
func (p *program) playGame(before func(state *object)) object {
	p.t.Helper()
	ready := false
	var answered uint64 // the version of the last state that was answered with a play
	for from := 0; ; {
		var o object
		o, from = p.next(from, "something to do", func(o *object) bool {
			require.NotEqual(p.t, string(lobby.ErrTooFast), o.Error, "what comes too fast waits")
			return o.Type == "result" ||
				o.Type == "state" && (o.State == "gathering" && !ready || o.Duty == "play" && o.Turn == o.Seat && o.Version > answered)
		})
		switch {
		case o.Type == "result":
			return o
		case o.State == "gathering":
			ready = true
			p.send(`{"ready":true}`)
		default:
			answered = o.Version
			if before != nil {
				before(&o)
			}
			play, _ := json.Marshal(o.Options[0].Play)
			arm, _ := json.Marshal(o.Options[0].Arm)
			// With the version, or a line that comes late could be a move of the next round.
			p.send(fmt.Sprintf(`{"play":%s,"arm":%s,"version":%d}`, play, arm, o.Version))
		}
	}
}

// joinBoth seats two programs at a new table of their own and returns them.
func joinBoth(t testing.TB, m *Main, words string) (ana, ben *program) {
	t.Helper()
	ana = startProgram(t, m, member(t, m, "ana"), "ana", "play new "+words+" seats=2 bots=never --json --bot")
	first, _ := ana.next(0, "state", func(o *object) bool { return o.Type == "state" })
	ben = startProgram(t, m, member(t, m, "ben"), "ben", "play "+strconv.FormatInt(first.Table, 10)+" --json --bot")
	ben.next(0, "state", func(o *object) bool { return o.Type == "state" && o.Seat == 2 })
	return ana, ben
}

// playBoth has programs play a game to its end.
func playBoth(players ...*program) {
	var all sync.WaitGroup
	for _, p := range players {
		all.Go(func() { p.playGame(nil) })
	}
	all.Wait()
}

// Programs that answer at once play a game of many short rounds. Nothing that they send is refused as too
// fast, nor what the club sends for them to continue after a round.
func TestProgramsAreNeverTooFast(t *testing.T) {
	t.Parallel()
	m := openClub(t, func(m *Main) { m.Settings.Exhibition, m.tables.Times.Scoring = false, time.Hour })
	players := []*program{startProgram(t, m, member(t, m, "ana"), "ana",
		"play new classic hand=1 target=60 seats=4 pace=none bots=never --json --bot")}
	first, _ := players[0].next(0, "state", func(o *object) bool { return o.Type == "state" })
	for _, name := range []string{"ben", "cleo", "dina"} {
		players = append(players, startProgram(t, m, member(t, m, name), name, fmt.Sprintf("play %d --json --bot", first.Table)))
	}
	playBoth(players...)
}
