package soak

import (
	"context"
	"encoding/json"
	"fmt"
	"time"

	"boneyard/cmd/sshload/attack"
	"boneyard/cmd/sshload/server"
)

// attack runs the hostile clients until ctx ends, and reports what they have done.
func (s *soaker) attack(ctx context.Context) (rows []attack.Row, err error) {
	o := attack.Campaign{Club: s.club.Addr, Only: s.Only, Hostile: s.Hostile, Run: s.name, Names: maxPrograms}
	for _, p := range s.programs {
		o.Tables = append(o.Tables, p.Table.Number)
	}
	for _, p := range s.hosts {
		o.Open = append(o.Open, p.Table.Number)
	}
	life, cancel := context.WithCancel(context.Background())
	defer cancel()
	cmd, in, out, err := server.StartSelf(life, attack.Command, attack.Variable)
	if err != nil {
		return nil, fmt.Errorf("start the hostile clients: %w", err)
	}
	if err := json.NewEncoder(in).Encode(o); err != nil {
		return nil, fmt.Errorf("tell the hostile clients: %w", err)
	}
	<-ctx.Done()
	_ = in.Close() // they may have ended, and then there is no answer
	stuck := time.AfterFunc(server.StartTime, cancel)
	defer stuck.Stop()
	told := json.NewDecoder(out).Decode(&rows)
	if err := cmd.Wait(); err != nil {
		return nil, fmt.Errorf("the hostile clients: %w", err)
	}
	return rows, told
}
