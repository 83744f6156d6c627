package client

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"math/rand/v2"
	"slices"
	"strconv"
	"strings"
	"sync"
	"time"

	"golang.org/x/crypto/ssh"
)

// Program plays at a table with the line protocol, always the first option. Every move that the club acknowledges is on disk.
type Program struct {
	*Client
	Table *Table
	Pace  time.Duration
	Gate  *Gate

	// Paired is called, in an arena, with the time from the end of a game to the program's next table. If it is set, the program asks for no
	// rematch.
	Paired func(d time.Duration)

	news bell // something has come

	mu      sync.Mutex
	line    []byte // that has not ended yet
	state   Object // the newest
	over    bool   // the game is, and there is to be another
	refused string // why the last line was
	sent    int    // plays so far; their number is their id
	done    int    // the last that was acknowledged
	sentAt  time.Time
	from    uint64    // the version that the last play answered
	kept    uint64    // the least version that the table has after what was acknowledged
	denied  []string  // why plays were refused, which are all legal
	free    time.Time // since when, in an arena; zero while it plays
}

// Object is what the club writes, as far as it matters here.
type Object struct {
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

// NewProgram makes an account for a new key, and logs in with it. Each connection is made by dial.
func NewProgram(ctx context.Context, name string, dial func(key ssh.Signer) (*Client, error)) (*Program, error) {
	key, err := NewKey()
	if err != nil {
		return nil, err
	}
	c, err := dial(key)
	if err != nil {
		return nil, err
	}
	said, err := c.Run(ctx, "register "+name+" --bot --json")
	if err == nil && !strings.Contains(said, `"`+name+`"`) {
		err = errors.New("the club did not make the account")
	}
	if err != nil {
		return nil, fmt.Errorf("register %s: %w", name, err)
	}
	if c, err = dial(key); err != nil {
		return nil, err
	}
	return &Program{Client: c}, nil
}

// Sit begins the session with a play command, and returns the number of the table. No game begins until it is ready.
func (p *Program) Sit(ctx context.Context, command string) (string, error) {
	if err := p.open(0, 0, command, p.take); err != nil {
		return "", err
	}
	err := p.until(ctx, "a table", func() bool { return p.state.Table != 0 })
	if err != nil {
		return "", err
	}
	return strconv.FormatInt(p.state.Table, 10), nil
}

// Ready says that a game may begin.
func (p *Program) Ready() error { return p.Send(`{"ready":true}` + "\n") }

// Known is the latest version of the table that the program has been told.
func (p *Program) Known() uint64 {
	p.mu.Lock()
	defer p.mu.Unlock()
	return max(p.kept, p.state.Version)
}

// Settled waits until every move that was sent has been acknowledged, or one was refused. It returns when the last was sent, and
// why moves were refused.
func (p *Program) Settled(ctx context.Context) (last time.Time, denied []string, err error) {
	err = p.until(ctx, "an acknowledgment", func() bool { return p.done == p.sent || len(p.denied) > 0 })
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.sentAt, slices.Clone(p.denied), err
}

// take reads lines.
func (p *Program) take(b []byte) {
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
func (p *Program) read(line []byte, now time.Time) {
	var o Object
	if err := json.Unmarshal(line, &o); err != nil {
		p.refused = fmt.Sprintf("cannot be read: %s", line)
		return
	}
	switch o.Type {
	case "state":
		if p.Paired != nil && o.Table != p.state.Table && !p.free.IsZero() {
			p.Paired(now.Sub(p.free))
			p.free = time.Time{}
		}
		p.state = o
	case "result":
		p.over, p.free = true, now
	case "error":
		p.refused = o.Error
		if o.ID != "" {
			p.denied = append(p.denied, o.Error)
		}
	case "ok":
		if n, err := strconv.Atoi(o.ID); err == nil && n == p.sent && n > p.done {
			p.done, p.kept = n, p.from+1
			p.Table.acknowledged(now.Sub(p.sentAt))
		}
	}
}

// until waits for something that ok tells. It is called with mu held.
func (p *Program) until(ctx context.Context, want string, ok func() bool) error {
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
		case <-p.Ended:
			return fmt.Errorf("the session ended before there was %s (%s)", want, refused)
		case <-ctx.Done():
			return fmt.Errorf("there was no %s: %w (%s)", want, context.Cause(ctx), refused)
		}
	}
}

// Begun waits for the first round.
func (p *Program) Begun(ctx context.Context) error {
	return p.until(ctx, "a first round", func() bool { return p.state.Round > 0 })
}

// Mark is the version of the table in the latest message.
func (p *Program) Mark() uint64 {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.state.Version
}

// Play plays until ctx ends, which is no error.
func (p *Program) Play(ctx context.Context) error {
	answered, at := uint64(0), int64(0)
	for {
		var now Object
		over := false
		err := p.until(ctx, "something to do", func() bool {
			now, over = p.state, p.over
			p.over = false
			return over || now.Duty == "play" && (now.Version != answered || now.Table != at)
		})
		if ctx.Err() != nil || !p.Gate.pass(ctx) {
			return nil
		}
		if err != nil {
			return err
		}
		switch {
		case over && p.Paired != nil:
		case over:
			err = p.Send(`{"rematch":true}` + "\n")
		case Sleep(ctx, p.Pace/2+rand.N(p.Pace+1)) && p.Gate.pass(ctx):
			answered, at = now.Version, now.Table
			err = p.move(now)
		}
		if err != nil {
			return err
		}
	}
}

// move plays the first option of a state.
func (p *Program) move(o Object) error {
	if len(o.Options) == 0 {
		return errors.New("a state wants a play and offers none")
	}
	p.mu.Lock()
	p.sent++
	p.sentAt, p.from = time.Now(), o.Version
	p.Table.moved(o.Version, p.sentAt)
	line, err := json.Marshal(playLine{ID: strconv.Itoa(p.sent), Version: o.Version, Play: o.Options[0].Play, Arm: o.Options[0].Arm})
	p.mu.Unlock()
	if err != nil {
		return err
	}
	return p.Send(string(line) + "\n")
}
