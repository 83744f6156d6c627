package main

import (
	"bytes"
	"context"
	"crypto/ed25519"
	"encoding/json"
	"errors"
	"fmt"
	"math/rand/v2"
	"strconv"
	"strings"
	"sync"
	"time"

	"golang.org/x/crypto/ssh"
)

// program plays at a table by the line protocol: the first option that the club offers. What is acknowledged to it is on disk.
type program struct {
	*client
	table *tableLoad
	pace  time.Duration
	gate  *gate

	news bell // something has come

	mu      sync.Mutex
	line    []byte // that has not ended yet
	state   object // the newest
	over    bool   // the game is, and there is to be another
	refused string // why the last line was
	sent    int    // plays so far; their number is their id
	done    int    // the last that was acknowledged
	sentAt  time.Time
	from    uint64   // the version that the last play answered
	kept    uint64   // the least version that the table has after what was acknowledged
	denied  []string // why plays were refused, which are all legal
}

// object is what the club writes, as far as it matters here.
type object struct {
	Type, State, Duty, Error, ID string
	Table                        int64
	Version                      uint64
	Round                        int
	Options                      []struct{ Play, Arm string }
}

// play is what a program writes on its turn.
type playLine struct {
	ID      string `json:"id"`
	Version uint64 `json:"version"`
	Play    string `json:"play"`
	Arm     string `json:"arm,omitempty"`
}

// newProgram makes an account for a new key, and logs in with it. Each connection is made by dial.
func newProgram(ctx context.Context, name string, dial func(key ssh.Signer) (*client, error)) (*program, error) {
	key, err := newKey()
	if err != nil {
		return nil, err
	}
	c, err := dial(key)
	if err != nil {
		return nil, err
	}
	var said bytes.Buffer
	err = c.open(0, 0, "register "+name+" --bot --json", func(p []byte) { said.Write(p) })
	if err == nil {
		select {
		case <-c.ended:
		case <-ctx.Done():
			err = context.Cause(ctx)
		}
	}
	c.close()
	if err == nil && !strings.Contains(said.String(), `"`+name+`"`) {
		err = errors.New("the club did not make the account")
	}
	if err != nil {
		return nil, fmt.Errorf("register %s: %w", name, err)
	}
	if c, err = dial(key); err != nil {
		return nil, err
	}
	return &program{client: c}, nil
}

func newKey() (ssh.Signer, error) {
	_, private, err := ed25519.GenerateKey(nil)
	if err != nil {
		return nil, err
	}
	return ssh.NewSignerFromKey(private)
}

// sit begins the session with a play command, and returns the number of the table.
func (p *program) sit(ctx context.Context, command string) (string, error) {
	if err := p.open(0, 0, command, p.take); err != nil {
		return "", err
	}
	err := p.until(ctx, "a table", func() bool { return p.state.Table != 0 })
	if err != nil {
		return "", err
	}
	return strconv.FormatInt(p.state.Table, 10), p.send(`{"ready":true}` + "\n")
}

// take reads lines.
func (p *program) take(b []byte) {
	now := time.Now()
	p.mu.Lock()
	for len(b) > 0 {
		i := bytes.IndexByte(b, '\n')
		if i < 0 {
			p.line = append(p.line, b...)
			break
		}
		p.line = append(p.line, b[:i]...)
		p.read(p.line, now)
		p.line, b = p.line[:0], b[i+1:]
	}
	p.mu.Unlock()
	p.news.ring()
}

// read takes notice of one line. Called with mu held.
func (p *program) read(line []byte, now time.Time) {
	var o object
	if err := json.Unmarshal(line, &o); err != nil {
		p.refused = fmt.Sprintf("cannot be read: %s", line)
		return
	}
	switch o.Type {
	case "state":
		p.state = o
	case "result":
		p.over = true
	case "error":
		p.refused = o.Error
		if o.ID != "" {
			p.denied = append(p.denied, o.Error)
		}
	case "ok":
		if n, err := strconv.Atoi(o.ID); err == nil && n == p.sent && n > p.done {
			p.done, p.kept = n, p.from+1
			p.table.acknowledged(now.Sub(p.sentAt))
		}
	}
}

// until waits for something that ok tells. It is called with mu held.
func (p *program) until(ctx context.Context, want string, ok func() bool) error {
	for {
		news := p.news.next()
		p.mu.Lock()
		yes, refused := ok(), p.refused
		p.mu.Unlock()
		if yes {
			return nil
		}
		select {
		case <-news:
		case <-p.ended:
			return fmt.Errorf("the session ended before there was %s (%s)", want, refused)
		case <-ctx.Done():
			return fmt.Errorf("there was no %s: %w (%s)", want, context.Cause(ctx), refused)
		}
	}
}

// begun waits for the first round.
func (p *program) begun(ctx context.Context) error {
	return p.until(ctx, "a first round", func() bool { return p.state.Round > 0 })
}

// mark is the version of the table that was last told.
func (p *program) mark() uint64 {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.state.Version
}

// play plays until ctx ends, which is no error.
func (p *program) play(ctx context.Context) error {
	answered := uint64(0)
	for {
		var now object
		over := false
		err := p.until(ctx, "something to do", func() bool {
			now, over = p.state, p.over
			p.over = false
			return over || now.Duty == "play" && now.Version != answered
		})
		if ctx.Err() != nil || !p.gate.pass(ctx) {
			return nil
		}
		if err != nil {
			return err
		}
		if over {
			err = p.send(`{"rematch":true}` + "\n")
		} else if sleep(ctx, p.pace/2+rand.N(p.pace+1)) && p.gate.pass(ctx) {
			answered = now.Version
			err = p.move(now)
		}
		if err != nil {
			return err
		}
	}
}

// move plays the first option of a state.
func (p *program) move(o object) error {
	if len(o.Options) == 0 {
		return errors.New("a state wants a play and offers none")
	}
	p.mu.Lock()
	p.sent++
	p.sentAt, p.from = time.Now(), o.Version
	p.table.moved(o.Version, p.sentAt)
	line, err := json.Marshal(playLine{ID: strconv.Itoa(p.sent), Version: o.Version, Play: o.Options[0].Play, Arm: o.Options[0].Arm})
	p.mu.Unlock()
	if err != nil {
		return err
	}
	return p.send(string(line) + "\n")
}

// nameLetters are letters that nobody mixes up, as the club does not have two names that look alike.
const nameLetters = "abdefhkptx"

// programName is a name for the n-th program of a run.
func programName(run string, n int) string {
	name := []byte("prog" + run)
	for range 4 {
		name = append(name, nameLetters[n%len(nameLetters)])
		n /= len(nameLetters)
	}
	return string(name)
}

// runName tells the programs of one run from those of another.
func runName() string {
	var b []byte
	for range 4 {
		b = append(b, nameLetters[rand.IntN(len(nameLetters))])
	}
	return string(b)
}
