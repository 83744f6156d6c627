package client

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"strconv"
	"time"
)

// Program is a client that speaks the line protocol. Every move that the club acknowledges is on disk.
type Program struct {
	*Client
	arena bool // it is paired again and again, and asks for no rematch

	line    []byte    // the beginning of a line
	state   state     // the newest
	over    int64     // the game that has just ended; 0: none
	refused string    // why the last line was refused
	free    time.Time // since when it waits in an arena; zero while it plays
}

// state has the fields of the club's lines that matter here.
type state struct {
	Type, Duty, Error, ID string
	Table, Game           int64
	Version               uint64
	Round                 int
	Options               []struct{ Play, Arm string }
}

// NewProgram makes a program of a client that is logged in.
func NewProgram(c *Client, arena bool) *Program {
	p := &Program{Client: c, arena: arena}
	c.picture = func() string { return p.refused }
	return p
}

// Sit begins the session with a play command, is ready unless the table is open, and returns its number.
func (p *Program) Sit(ctx context.Context, command string) (string, error) {
	err := p.Open(ctx, Session{Command: command + " --json"}, p.take)
	if err == nil {
		err = p.wait(ctx, "table", func() bool { return p.state.Table != 0 })
	}
	if err == nil && !p.arena && !p.Table.Open {
		err = p.Send(`{"ready":true}` + "\n")
	}
	return strconv.FormatInt(p.state.Table, 10), err
}

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

// read handles one line.
func (p *Program) read(line []byte, now time.Time) {
	var s state
	if err := json.Unmarshal(line, &s); err != nil {
		p.refused = fmt.Sprintf("cannot be read: %s", line)
		return
	}
	switch s.Type {
	case "state":
		if p.arena && s.Table != p.state.Table && !p.free.IsZero() {
			p.Table.Tally.Load().Paired.Add(now.Sub(p.free))
			p.free = time.Time{}
		}
		if s.Duty == "play" {
			p.over = 0
		}
		p.state, p.version, p.begun = s, max(p.version, s.Version), p.begun || s.Round > 0
	case "result":
		p.over, p.free = s.Game, now
	case "error":
		p.refused = s.Error
		if s.ID != "" {
			p.denied, p.waits = append(p.denied, fmt.Errorf("a move was refused: %s", s.Error)), nil
		}
	case "ok":
		if s.ID != "" && p.waits != nil {
			p.acknowledged(now)
		}
	}
}

// turn answers with a move or, after a game, asks for a rematch.
func (p *Program) turn() turn {
	s := &p.state
	where := strconv.FormatInt(s.Table, 10)
	switch {
	case p.over != 0 && !p.arena:
		return turn{answer: `{"rematch":true}` + "\n", where: where, version: uint64(p.over)}
	case p.over == 0 && s.Duty == "play" && len(s.Options) > 0:
		o := s.Options[0]
		return turn{answer: fmt.Sprintf(`{"id":"%d.%d","version":%d,"play":"%s","arm":"%s"}`+"\n", s.Table, s.Version, s.Version, o.Play, o.Arm),
			where: where, version: s.Version, thinks: true, plays: true}
	}
	return turn{}
}
