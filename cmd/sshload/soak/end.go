package soak

import (
	"context"
	"encoding/json"
	"fmt"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"boneyard/cmd/sshload/client"
	"boneyard/cmd/sshload/server"
)

// resting is what the club holds when nobody is there.
type resting struct {
	goroutines float64
	tables     float64 // each has a goroutine
	events     float64 // likewise
	sessions   float64
	files      int // sockets among them, but not the data's
	data       int // of the data: the store opens connections to its file when it needs them, and keeps them
}

// own is how many goroutines there are beside those of tables and events.
func (r resting) own() float64 { return r.goroutines - r.tables - r.events }

// rest asks the club what it holds.
func (s *soaker) rest() (r resting, err error) {
	m, err := s.club.Scrape()
	if err != nil {
		return r, err
	}
	names, err := server.OpenFiles(s.club.PID)
	if err != nil {
		return r, err
	}
	r = resting{
		goroutines: m.Value("go_goroutines"), tables: m.Value("boneyard_tables"), events: m.Value("boneyard_events"),
		sessions: m.Value("boneyard_sessions") + m.Value("boneyard_visits"),
	}
	for _, name := range names {
		if strings.HasPrefix(name, filepath.Join(s.dir, server.ClubData)) {
			r.data++
		} else {
			r.files++
		}
	}
	return r, nil
}

// left finds out what is left when everybody has gone, apart from a goroutine for each table that waits for its players, and for each event
// that somebody was the first to ask for.
func (s *soaker) left(ctx context.Context, before resting) error {
	l := &Left{}
	for range 300 { // hanging up takes the server a moment, and nothing tells when it is done
		now, err := s.rest()
		if err != nil {
			return err
		}
		*l = Left{
			Goroutines: now.own() - before.own(),
			Files:      now.files - before.files, DataFiles: now.data - before.data, Sessions: now.sessions, Tables: now.tables,
		}
		if l.nothing() {
			break
		}
		if !client.Sleep(ctx, 100*time.Millisecond) {
			return context.Cause(ctx)
		}
	}
	s.report.Left = l
	if !l.nothing() {
		stacks, err := s.club.Debug(ctx, "/debug/pprof/goroutine?debug=1")
		if err != nil {
			return err
		}
		s.tell("what is left:\n%s", stacks)
	}
	u, err := s.club.Usage()
	s.report.Peak = float64(u.Top) / (1 << 20)
	return err
}

// kept asks the club for every ordinary table: each must be there, at least as its players have last seen it.
func (s *soaker) kept(ctx context.Context) error {
	wanted := make(map[string]uint64)
	for _, p := range slices.Concat(s.programs, s.hosts) {
		wanted[p.Table.Number] = max(wanted[p.Table.Number], p.Known())
	}
	s.report.Tables = len(wanted)
	for number, version := range wanted {
		now, err := s.ask(ctx, "show table "+number+" --json")
		switch {
		case err != nil:
		case now.Version < version:
			err = fmt.Errorf("it is at version %d, and its players have seen version %d", now.Version, version)
		default:
			s.report.Kept++
		}
		s.fault("table "+number, err)
	}
	return ctx.Err()
}

// ask runs a command and returns the first object of the answer.
func (s *soaker) ask(ctx context.Context, command string) (o client.Object, err error) {
	ctx, cancel := client.Sight(ctx)
	defer cancel()
	c, _, err := s.call(ctx, "asker", nil)
	if err != nil {
		return o, err
	}
	said, err := c.Run(ctx, command)
	if err == nil {
		err = json.Unmarshal([]byte(said), &o)
	}
	if err != nil {
		return o, fmt.Errorf("%s was not answered: %w", command, err)
	}
	return o, nil
}
