package main

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"path/filepath"
	"slices"
	"strings"
	"time"
)

// resting is what the club holds when nobody is there.
type resting struct {
	goroutines float64
	tables     float64 // each has a goroutine
	sessions   float64
	files      int // sockets among them, but not the data's
	data       int // of the data: the store opens connections to its file when it needs them, and keeps them
}

// rest asks the club what it holds.
func (s *soaker) rest() (r resting, err error) {
	m, err := s.club.scrape()
	if err != nil {
		return r, err
	}
	names, err := openFiles(s.club.pid)
	if err != nil {
		return r, err
	}
	r = resting{goroutines: m["go_goroutines"], tables: m["boneyard_tables"], sessions: m["boneyard_sessions"] + m["boneyard_visits"]}
	for _, name := range names {
		if strings.HasPrefix(name, filepath.Join(s.dir, clubData)) {
			r.data++
		} else {
			r.files++
		}
	}
	return r, nil
}

// left finds out what stays behind when all have gone, beside a goroutine for each table that waits for its people.
func (s *soaker) left(ctx context.Context, before resting) error {
	l := &SoakLeft{}
	for range 300 { // hanging up takes the server a moment, and nothing tells when it is done
		now, err := s.rest()
		if err != nil {
			return err
		}
		*l = SoakLeft{
			Goroutines: now.goroutines - now.tables - (before.goroutines - before.tables),
			Files:      now.files - before.files, DataFiles: now.data - before.data, Sessions: now.sessions, Tables: now.tables,
		}
		if l.nothing() {
			break
		}
		if !sleep(ctx, 100*time.Millisecond) {
			return context.Cause(ctx)
		}
	}
	s.report.Left = l
	if !l.nothing() && s.club.metrics != "" {
		stacks, err := get(ctx, "http://"+s.club.metrics+"/debug/pprof/goroutine?debug=1")
		if err != nil {
			return err
		}
		s.tell("what is left:\n%s", stacks)
	}
	u, err := s.club.usage()
	s.report.Peak = float64(u.top) / (1 << 20)
	return err
}

// kept asks the club for every ordinary table: each must be there, at least as its players have last seen it.
func (s *soaker) kept(ctx context.Context) error {
	wanted := make(map[string]uint64)
	for _, p := range slices.Concat(s.programs, s.hosts) {
		p.mu.Lock()
		wanted[p.table.number] = max(wanted[p.table.number], p.kept, p.state.Version)
		p.mu.Unlock()
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
func (s *soaker) ask(ctx context.Context, command string) (o object, err error) {
	ctx, cancel := sight(ctx)
	defer cancel()
	c, _, err := s.call(ctx, "asker", nil)
	if err != nil {
		return o, err
	}
	var answer bytes.Buffer
	if err := c.open(0, 0, command, func(p []byte) { answer.Write(p) }); err != nil {
		_ = c.conn.Close()
		return o, err
	}
	select {
	case <-c.ended:
	case <-ctx.Done():
	}
	c.close()
	if err := json.NewDecoder(&answer).Decode(&o); err != nil {
		return o, fmt.Errorf("%s was not answered: %w", command, err)
	}
	return o, nil
}
