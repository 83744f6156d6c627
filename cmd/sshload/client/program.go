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
	"time"

	"golang.org/x/crypto/ssh"
)

// Program plays at a table with the line protocol, always the first option. Every move that the club
// acknowledges is on disk.
type Program struct {
	*Client
	Table *Table
	Pace  time.Duration
	Gate  *Gate
	Arena bool // it is paired again and again, and asks for no rematch

	line    []byte // that has not ended yet
	state   state  // the newest
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

// state is what the club writes, as far as it matters here.
type state struct {
	Type, Duty, Error, ID string
	Table                 int64
	Version               uint64
	Round                 int
	Options               []struct{ Play, Arm string }
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
	c, err = dial(key)
	return &Program{Client: c}, err
}

// Sit begins the session with a play command, and returns the number of the table. No game begins until it is
// ready.
func (p *Program) Sit(ctx context.Context, command string) (string, error) {
	if err := p.open(ctx, 0, 0, command, p.take); err != nil {
		return "", err
	}
	err := p.until(ctx, "table", func() bool { return p.state.Table != 0 })
	return strconv.FormatInt(p.state.Table, 10), err
}

// Ready says that a game may begin.
func (p *Program) Ready() error { return p.Send(`{"ready":true}` + "\n") }

// Known is the latest version of the table that the program has been told.
func (p *Program) Known() uint64 {
	p.mu.Lock()
	defer p.mu.Unlock()
	return max(p.kept, p.state.Version)
}

// Settled waits until every move that was sent has been acknowledged, or one was refused. It returns when the
// last was sent, and why moves were refused.
func (p *Program) Settled(ctx context.Context) (last time.Time, denied []string, err error) {
	err = p.until(ctx, "acknowledgment", func() bool {
		last, denied = p.sentAt, slices.Clone(p.denied)
		return p.done == p.sent || len(denied) > 0
	})
	return last, denied, err
}

// take reads lines.
func (p *Program) take(b []byte) bool {
	now := time.Now()
	p.line = append(p.line, b...)
	for {
		line, rest, ok := bytes.Cut(p.line, []byte("\n"))
		if !ok {
			return true
		}
		p.read(line, now)
		p.line = rest
	}
}

// read takes notice of one line.
func (p *Program) read(line []byte, now time.Time) {
	var s state
	if err := json.Unmarshal(line, &s); err != nil {
		p.refused = fmt.Sprintf("cannot be read: %s", line)
		return
	}
	switch s.Type {
	case "state":
		if p.Arena && s.Table != p.state.Table && !p.free.IsZero() {
			p.Table.Tally.Load().Paired.Add(now.Sub(p.free))
			p.free = time.Time{}
		}
		p.state = s
	case "result":
		p.over, p.free = true, now
	case "error":
		p.refused = s.Error
		if s.ID != "" {
			p.denied = append(p.denied, s.Error)
		}
	case "ok":
		if n, err := strconv.Atoi(s.ID); err == nil && n == p.sent && n > p.done {
			p.done, p.kept = n, p.from+1
			p.Table.acknowledged(now.Sub(p.sentAt))
		}
	}
}

func (p *Program) until(ctx context.Context, want string, ok func() bool) error {
	return p.wait(ctx, want, ok, func() string { return p.refused })
}

// Begun waits for the first round.
func (p *Program) Begun(ctx context.Context) error {
	return p.until(ctx, "first round", func() bool { return p.state.Round > 0 })
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
		var now state
		over := false
		err := p.until(ctx, "turn", func() bool {
			now, over = p.state, p.over
			p.over = false
			return over || now.Duty == "play" && (now.Version != answered || now.Table != at)
		})
		if ctx.Err() != nil || !p.Gate.pass(ctx) {
			return nil
		}
		switch {
		case err != nil:
		case over && p.Arena:
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
func (p *Program) move(s state) error {
	if len(s.Options) == 0 {
		return errors.New("a state wants a play and offers none")
	}
	p.mu.Lock()
	p.sent++
	p.sentAt, p.from = time.Now(), s.Version
	p.Table.moved(s.Version, p.sentAt)
	line, err := json.Marshal(struct {
		ID      string `json:"id"`
		Version uint64 `json:"version"`
		Play    string `json:"play"`
		Arm     string `json:"arm,omitempty"`
	}{strconv.Itoa(p.sent), s.Version, s.Options[0].Play, s.Options[0].Arm})
	p.mu.Unlock()
	if err != nil {
		return err
	}
	return p.Send(string(line) + "\n")
}

// Join begins a session of the bare server: whatever one of its group says, all of them are sent. Nobody reads it.
func (c *Client) Join(ctx context.Context, group string) error {
	return c.open(ctx, 0, 0, "group "+group, func([]byte) bool { return false })
}
