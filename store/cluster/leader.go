package cluster

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"time"

	"github.com/nats-io/nats-server/v2/server"
)

// All entries of the log go through one node, its leader. If it fails, the others elect another after 4 to 9
// seconds, which NATS has no setting for, and until then nothing can be written. So the club's owner gives
// the leadership away: a machine that fails then costs either an election or the time until another takes the
// club over, but not one after the other. And a node that ends in order gives it away first, which needs no
// election.
//
// A node that does not hear the leader, but another, calls for an election again and again. So the leadership goes to a node that hears all
// others, if there is one, even if that is the owner.

const (
	leadEvery = beatEvery       // looks at who leads
	leadGap   = 2 * time.Second // between attempts to give the leadership away
	leadSure  = time.Second     // for which another node hears more than the leader: one that has ended is not missed by all at once
	leadTime  = 2 * time.Second // for one attempt
)

// watchLead tells the others whether this node leads the log, and gives the leadership away when another node should have it.
func (n *Node) watchLead(ctx context.Context) {
	tick := time.NewTicker(leadEvery)
	defer tick.Stop()
	var last, since time.Time
	for {
		select {
		case <-tick.C:
		case <-ctx.Done():
			return
		}
		leads := n.leads()
		owns := n.SetLeads(leads, n.server.JetStreamIsStreamCurrent(server.DEFAULT_GLOBAL_ACCOUNT, stream))
		members, _ := n.Members()
		to, ok := nextLeader(n.Name(), owns, members)
		switch now := time.Now(); {
		case !leads || !ok:
			since = time.Time{}
			continue
		case since.IsZero():
			since = now
		}
		if !owns && time.Since(since) < leadSure || time.Since(last) < leadGap {
			continue
		}
		n.giveLead(ctx, to)
		last = time.Now()
	}
}

func (n *Node) leads() bool {
	return n.server.JetStreamIsStreamLeader(server.DEFAULT_GLOBAL_ACCOUNT, stream)
}

// nextLeader is the node that should lead the log instead of this one, if there is one: one that hears more
// nodes or, if this one owns the club, as many. Of those it is the one that hears most, then the one that has
// applied most.
func nextLeader(own string, owns bool, members []Member) (name string, ok bool) {
	i := slices.IndexFunc(members, func(m Member) bool { return m.Node == own })
	hears := len(members[i].Hears)
	if !owns {
		hears++
	}
	return bestLeader(own, hears, members)
}

// bestLeader is the node other than this one that could lead the log best and hears at least so many others, if there is one.
func bestLeader(own string, hears int, members []Member) (name string, ok bool) {
	var best Member
	for _, m := range members {
		if m.Node == own || !m.Current || m.Leaving || len(m.Hears) < hears {
			continue
		}
		if !ok || cmp.Or(cmp.Compare(len(m.Hears), len(best.Hears)), cmp.Compare(m.Position, best.Position)) > 0 {
			best, ok = m, true
		}
	}
	return best.Node, ok
}

// YieldLead makes another node the leader of the log, if this one is and another can be: this one is about to end.
func (n *Node) YieldLead(ctx context.Context) {
	if !n.leads() {
		return
	}
	members, _ := n.Members()
	if to, ok := bestLeader(n.Name(), 0, members); ok {
		n.giveLead(ctx, to)
	}
}

// giveLead makes another node the leader of the log, if that succeeds.
func (n *Node) giveLead(ctx context.Context, to string) {
	if err := n.askStepDown(ctx, to); err != nil {
		// After a fault this goes on for up to half a minute, and is tried again; the metrics say who leads.
		n.config.Log.Debug("cluster: could not make another node the leader of the log", "node", to, "err", err)
	}
}

// askStepDown has NATS make another node the leader of the log.
func (n *Node) askStepDown(ctx context.Context, to string) error {
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
