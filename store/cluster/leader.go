package cluster

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"time"

	"github.com/nats-io/nats-server/v2/server"
)

// All entries of the log go through one node, its leader. If it fails, the others elect another after 4 to 9 seconds, which NATS has no setting for, and
// until then nothing can be written. So the club's owner gives the leadership away: a machine that fails then costs either an election or
// the time until another takes the club over, but not one after the other. And a node that ends in order gives it away first, which needs no election.

const (
	leadEvery = beatEvery       // looks at who leads
	leadGap   = 2 * time.Second // between attempts to give the leadership away
	leadTime  = 2 * time.Second // for one attempt
)

// watchLead tells the others whether this node leads the log, and gives the leadership away while this node owns the club.
func (n *Node) watchLead(ctx context.Context) {
	tick := time.NewTicker(leadEvery)
	defer tick.Stop()
	var last time.Time
	for {
		select {
		case <-tick.C:
		case <-ctx.Done():
			return
		}
		leads := n.leads()
		if owns := n.SetLeads(leads, n.server.JetStreamIsStreamCurrent(server.DEFAULT_GLOBAL_ACCOUNT, stream)); !leads || !owns || time.Since(last) < leadGap {
			continue
		}
		if n.YieldLead(ctx) {
			last = time.Now()
		}
	}
}

func (n *Node) leads() bool {
	return n.server.JetStreamIsStreamLeader(server.DEFAULT_GLOBAL_ACCOUNT, stream)
}

// nextLeader is the node that could lead the log and has applied most of it, if one is heard.
func (n *Node) nextLeader() (name string, ok bool) {
	members, _ := n.Members()
	var best uint64
	for _, m := range members {
		if m.Node != n.Name() && m.Current && !m.Leaving && (!ok || m.Position > best) {
			name, best, ok = m.Node, m.Position, true
		}
	}
	return name, ok
}

// YieldLead makes another node the leader of the log, if this one is and another can be, and reports whether it has tried.
func (n *Node) YieldLead(ctx context.Context) bool {
	if !n.leads() {
		return false
	}
	to, ok := n.nextLeader()
	if !ok {
		return false
	}
	if err := n.giveLead(ctx, to); err != nil {
		// After a fault this goes on for up to half a minute, and is tried again; the metrics say who leads.
		n.config.Log.Debug("cluster: could not make another node the leader of the log", "node", to, "err", err)
	}
	return true
}

// giveLead makes another node the leader of the log.
func (n *Node) giveLead(ctx context.Context, to string) error {
	ask, err := json.Marshal(server.JSApiLeaderStepdownRequest{Placement: &server.Placement{Preferred: to}})
	if err != nil {
		return err
	}
	ctx, cancel := context.WithTimeout(ctx, leadTime)
	defer cancel()
	m, err := n.conn.RequestWithContext(ctx, fmt.Sprintf(server.JSApiStreamLeaderStepDownT, stream), ask)
	if err != nil {
		return err
	}
	var said server.JSApiStreamLeaderStepDownResponse
	if err := json.Unmarshal(m.Data, &said); err != nil {
		return err
	}
	if said.Error != nil {
		return errors.New(said.Error.Description)
	}
	return nil
}
