package main

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"time"
)

// hostileCommand starts this program as the hostile clients, if hostileVariable is set as well: nobody calls it by hand. They
// are a process of their own, so that those whose delays are measured do not wait for attackers on their own side.
const (
	hostileCommand  = "hostile"
	hostileVariable = "SSHLOAD_HOSTILE"
)

// runHostile reads an campaign, attacks until there is nothing more to read, and writes what it has done.
func runHostile(in io.Reader, out io.Writer) error {
	var o campaign
	if err := json.NewDecoder(in).Decode(&o); err != nil {
		return err
	}
	club, err := loopback(o.Club)
	if err != nil {
		return err
	}
	o.Club = club
	ctx, cancel := context.WithCancel(context.Background())
	defer cancel()
	go func() {
		_, _ = io.Copy(io.Discard, in) // ends with whoever has started this, too
		cancel()
	}()
	return json.NewEncoder(out).Encode(o.run(ctx))
}

// attack lets hostile clients loose until ctx ends, and tells what they have done.
func (s *soaker) attack(ctx context.Context) (rows []AttackRow, err error) {
	o := campaign{Club: s.club.addr, Only: s.Only, Hostile: s.Hostile, Run: s.name}
	for _, p := range s.programs {
		o.Tables = append(o.Tables, p.table.number)
	}
	for _, p := range s.hosts {
		o.Open = append(o.Open, p.table.number)
	}
	life, cancel := context.WithCancel(context.Background())
	defer cancel()
	cmd, in, out, err := startSelf(life, hostileCommand, hostileVariable)
	if err != nil {
		return nil, fmt.Errorf("start the hostile clients: %w", err)
	}
	if err := json.NewEncoder(in).Encode(o); err != nil {
		return nil, fmt.Errorf("tell the hostile clients: %w", err)
	}
	<-ctx.Done()
	_ = in.Close() // they may have ended, and then there is no answer
	stuck := time.AfterFunc(startTime, cancel)
	defer stuck.Stop()
	told := json.NewDecoder(out).Decode(&rows)
	if err := cmd.Wait(); err != nil {
		return nil, fmt.Errorf("the hostile clients: %w", err)
	}
	return rows, told
}
