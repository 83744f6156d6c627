package cluster

import (
	"cmp"
	"context"
	"crypto/tls"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net"
	"slices"
	"strings"
	"time"

	"github.com/hashicorp/raft"
)

// controlProtocol is for requests to a node: one per connection, a JSON object each way.
const controlProtocol = "boneyard-control/1"

// Request is a request to a node. All but status must be sent to the leader.
type Request struct {
	Do   string // "status", "add", "remove", "transfer", "compare", or "admit" by a node without a log, which may then begin
	Node string // its name or address; for add and admit, its address
}

// Reply is a node's answer. Whatever the request, it includes what the node knows of the cluster.
type Reply struct {
	Error  string
	Ask    string   // the address of the leader, to which the request must be sent instead, even for status
	By     string   // the name of the answering node
	Last   uint64   // entry in its log; 0: it has no log, and is not yet in the cluster
	Leader string   // its address; empty: none is known
	Nodes  []Server // of the log, and others that send heartbeats
}

// Server is a node as another node knows it.
type Server struct {
	Address  string
	Name     string // empty while it sends no heartbeats
	Voter    bool   // it votes in the log's elections
	Owner    bool   // it runs the club
	Position uint64 // of the last entry that it has applied
	Behind   uint64
	Compared Compared `json:",omitzero"` // with the answering node's file
}

const (
	changeTime  = 10 * time.Second // for a change of the log's nodes
	mostRequest = 1 << 16          // bytes
)

// Ask sends a request to the node at an address, and on to the leader if that node says so.
func Ask(ctx context.Context, name string, key []byte, at string, r Request) (reply Reply, err error) {
	secret, err := secretFrom(name, key)
	if err != nil {
		return reply, err
	}
	for range 3 { // the leader may change in between
		if reply, err = ask(ctx, secret, at, r); err != nil || reply.Ask == "" {
			break
		}
		at = reply.Ask
	}
	switch {
	case err != nil:
		return reply, fmt.Errorf("the node at %s does not answer: %w", at, err)
	case reply.Ask != "":
		return reply, errors.New("the cluster elects a leader at the moment: please try again")
	case reply.Error != "":
		return reply, errors.New(reply.Error)
	}
	return reply, nil
}

func ask(ctx context.Context, secret *tls.Config, at string, r Request) (reply Reply, err error) {
	ctx, cancel := context.WithTimeout(ctx, handshake+changeTime)
	defer cancel()
	conn, err := dial(ctx, secret, at, controlProtocol)
	if err != nil {
		return reply, err
	}
	defer conn.Close()
	defer context.AfterFunc(ctx, func() { _ = conn.Close() })()
	if err := json.NewEncoder(conn).Encode(r); err != nil {
		return reply, err
	}
	err = json.NewDecoder(io.LimitReader(conn, mostRequest)).Decode(&reply)
	return reply, err
}

// ask sends a request to another node.
func (n *Node) ask(at string, r Request) (Reply, error) { return ask(n.ctx, n.secret, at, r) }

// serveControl answers requests until the node ends.
func (n *Node) serveControl(in net.Listener) {
	n.serve(in, func(conn net.Conn) {
		_ = conn.SetDeadline(time.Now().Add(handshake + changeTime))
		var r Request
		if json.NewDecoder(io.LimitReader(conn, mostRequest)).Decode(&r) == nil {
			_ = json.NewEncoder(conn).Encode(n.answer(r)) // if this fails, the caller asks again
		}
	})
}

// answer carries out a request.
func (n *Node) answer(r Request) Reply {
	reply := n.status()
	if r.Do == "status" {
		return reply
	}
	if !n.Leads() {
		if reply.Ask = cmp.Or(reply.Leader, reply.Ask); reply.Ask == "" {
			reply.Error = "no node leads the log at the moment: too few of its nodes run, or reach each other"
		}
		return reply
	}
	if err := n.change(r, reply.Nodes); err != nil {
		reply.Error = plain(err).Error()
		return reply
	}
	return n.status()
}

// plain explains in our own words why Raft did not make a change.
func plain(err error) error {
	for _, early := range []error{raft.ErrNotLeader, raft.ErrLeadershipTransferInProgress, raft.ErrEnqueueTimeout, raft.ErrRaftShutdown} {
		if errors.Is(err, early) {
			return errors.New("nothing was changed, since the cluster elects a leader at the moment: please try again")
		}
	}
	if errors.Is(err, raft.ErrLeadershipLost) {
		return errors.New("the leader of the log was lost before the change was certain: boneyard cluster status shows whether it was made")
	}
	return err
}

// status returns what this node knows of the cluster.
func (n *Node) status() Reply {
	reply := Reply{By: n.Name()}
	r := n.raft.Load()
	if r != nil {
		leader, _ := r.LeaderWithID()
		reply.Last, reply.Leader = r.LastIndex(), string(leader)
	} else if leader := n.outside.Load(); leader != nil {
		reply.Ask = *leader
	}
	members, _ := n.Members()
	servers := n.servers()
	for _, m := range members {
		if !slices.ContainsFunc(servers, func(s raft.Server) bool { return string(s.Address) == m.Relay }) {
			reply.Nodes = append(reply.Nodes, Server{Address: m.Relay})
		}
	}
	for _, s := range servers {
		reply.Nodes = append(reply.Nodes, Server{Address: string(s.Address), Voter: s.Suffrage == raft.Voter})
	}
	for i := range reply.Nodes {
		s := &reply.Nodes[i]
		if k := slices.IndexFunc(members, func(m Member) bool { return m.Relay == s.Address }); k >= 0 {
			m := members[k]
			s.Name, s.Owner, s.Position, s.Behind, s.Compared = m.Node, m.Owns, m.Position, m.Behind, m.Compared
		}
	}
	slices.SortFunc(reply.Nodes, func(a, b Server) int {
		return cmp.Or(strings.Compare(a.Name, b.Name), strings.Compare(a.Address, b.Address))
	})
	return reply
}

// servers returns the nodes of the log, including those without a vote yet.
func (n *Node) servers() []raft.Server {
	r := n.raft.Load()
	if r == nil {
		return nil
	}
	f := r.GetConfiguration()
	if f.Error() != nil {
		return nil
	}
	return f.Configuration().Servers
}

// voters returns the addresses of the log's voting nodes, sorted.
func (n *Node) voters() (all []string) {
	for _, s := range n.servers() {
		if s.Suffrage == raft.Voter {
			all = append(all, string(s.Address))
		}
	}
	slices.Sort(all)
	return all
}

// errNotMember is the answer to a node that asks to be admitted but has not been added.
const errNotMember = "this node is none of the cluster's"

// change carries out a request that needs the leader.
func (n *Node) change(r Request, nodes []Server) error {
	all := n.servers()
	is := func(at string) bool {
		return slices.ContainsFunc(all, func(s raft.Server) bool { return string(s.Address) == at })
	}
	log := n.raft.Load()
	switch r.Do {
	case "admit":
		// What the node confirmed before it lost its log no longer counts, and it votes again only once it
		// has caught up.
		if !is(r.Node) {
			return errors.New(errNotMember)
		}
		n.config.Log.Info("cluster: a node without a log begins anew", "addr", r.Node)
		if err := log.DemoteVoter(raft.ServerID(r.Node), 0, changeTime).Error(); err != nil {
			return err
		}
		return log.AddVoter(raft.ServerID(r.Node), raft.ServerAddress(r.Node), 0, changeTime).Error()
	case "compare":
		return n.compareAll()
	case "add":
		return n.add(r.Node, is(r.Node), nodes)
	}
	i := slices.IndexFunc(nodes, func(s Server) bool { return r.Node != "" && (s.Address == r.Node || s.Name == r.Node) })
	if i < 0 || !is(nodes[i].Address) {
		return fmt.Errorf("the cluster has no node %q: name one of those that boneyard cluster status lists", r.Node)
	}
	at := nodes[i].Address
	switch r.Do {
	case "remove":
		if at == string(n.at) {
			return fmt.Errorf("%s leads the log: hand over first, with boneyard cluster transfer", r.Node)
		}
		if silent := silentWithout(at, nodes); silent != "" {
			return fmt.Errorf("without %s the others would be too few to go on, for no answer comes from %s: start that one, or remove it first",
				r.Node, silent)
		}
		n.config.Log.Info("cluster: removing a node", "addr", at)
		return log.RemoveServer(raft.ServerID(at), 0, changeTime).Error()
	case "transfer":
		switch {
		case at == string(n.at):
			return fmt.Errorf("%s leads the log already", r.Node)
		case !nodes[i].Voter || nodes[i].Name == "":
			return fmt.Errorf("%s cannot be reached, or does not have the log yet", r.Node)
		}
		orders, err := n.orders()
		if err == nil {
			n.heir.Store(&at)
			orders.HandOver()
		}
		return err
	}
	return fmt.Errorf("unknown request %q", r.Do)
}

// silentWithout returns a silent voter if, without the node at an address, the voters that are heard would be
// no majority: the log could then not even undo the removal.
func silentWithout(at string, nodes []Server) (silent string) {
	heard, voters := 0, 0
	for _, s := range nodes {
		switch {
		case !s.Voter || s.Address == at:
			continue
		case s.Name == "":
			silent = s.Address
		default:
			heard++
		}
		voters++
	}
	if 2*heard > voters {
		return ""
	}
	return silent
}

// add adds a new node to the log without a vote; it gets one when it is admitted. The node is waiting for
// this.
func (n *Node) add(at string, known bool, nodes []Server) error {
	if known {
		return fmt.Errorf("%s is one of the cluster's nodes already", at)
	}
	if _, _, err := splitPort(at); err != nil {
		return err
	}
	is, err := n.ask(at, Request{Do: "status"})
	switch {
	case err != nil:
		return fmt.Errorf("the node at %s does not answer: start it first (%w)", at, err)
	case is.Last > 0:
		return fmt.Errorf("the node at %s has a log already: end it, move that away, and start it again", at)
	}
	if i := slices.IndexFunc(nodes, func(s Server) bool { return s.Name == is.By && s.Address != at }); i >= 0 {
		return fmt.Errorf("%s is the name of the node at %s: add it by that address, or give the node at %s another name",
			is.By, nodes[i].Address, at)
	}
	n.config.Log.Info("cluster: adding a node", "node", is.By, "addr", at)
	return n.raft.Load().AddNonvoter(raft.ServerID(at), raft.ServerAddress(at), 0, changeTime).Error()
}

// Orders are what an operator can have a node do.
type Orders struct {
	Compare  func(context.Context) error // the nodes' files
	HandOver func()                      // moves the club to another node; it may be called several times
}

// Obey sets what carries out orders from now on.
func (n *Node) Obey(o Orders) { n.obeys.Store(&o) }

func (n *Node) orders() (*Orders, error) {
	o := n.obeys.Load()
	if o == nil {
		return nil, errors.New("the node that leads the log has only just begun: please try again")
	}
	return o, nil
}

func (n *Node) compareAll() error {
	o, err := n.orders()
	if err != nil {
		return err
	}
	ctx, cancel := context.WithTimeout(n.ctx, changeTime)
	defer cancel()
	return o.Compare(ctx)
}

// begin makes a node without a log part of the cluster: with all the others, if none of them has a log; else
// once the leader has admitted it. Until then it neither votes nor confirms anything, since it does not know
// what it confirmed if it once had a log.
func (n *Node) begin() {
	last := ""
	tell := func(say string) {
		if last != say {
			last = say
			n.config.Log.Warn("cluster: " + say)
		}
	}
	for {
		fresh, leader := true, ""
		silent := ""
		for _, at := range n.config.Peers {
			is, err := n.ask(at, Request{Do: "status"})
			if err != nil {
				silent = at
			}
			fresh = fresh && err == nil && is.Last <= 1 // a new log has one entry
			leader = cmp.Or(leader, is.Leader)
		}
		n.outside.Store(&leader)
		switch {
		case fresh:
			n.mustRun(true)
			return
		case leader != "":
			switch is, err := n.ask(leader, Request{Do: "admit", Node: string(n.at)}); {
			case err != nil || is.Ask != "":
			case is.Error == "":
				n.mustRun(false)
				return
			case is.Error == errNotMember:
				tell("this node is none of the cluster's yet: boneyard cluster add " + string(n.at) + " makes it one")
			default:
				tell("this node has no log yet, and cannot begin: " + is.Error)
			}
		case silent != "":
			tell("this node has no log yet; it begins when all nodes run, or the others lead one. No answer from " + silent)
		}
		if pause(n.ctx, beatEvery) != nil {
			return
		}
	}
}

// mustRun calls run, and ends the node if it fails.
func (n *Node) mustRun(bootstrap bool) {
	if err := n.run(bootstrap); err != nil {
		n.fail(err)
	}
}

// ErrRemoved is returned by Follow when this node is no longer in the cluster.
var ErrRemoved = errors.New("this node was removed from the cluster; " +
	"to add it again, move its log's folder away, start it, and use boneyard cluster add")

// lookForRemoval ends a node that was removed while it was down: no leader tells it.
func (n *Node) lookForRemoval() {
	const lonely = 3 * time.Second // how long a node hears no leader before it asks the others whether it was removed while it was down
	for pause(n.ctx, lonely) == nil {
		if n.Reachable() || n.raft.Load() == nil || pause(n.ctx, lonely) != nil || n.Reachable() {
			continue
		}
		for _, at := range append(n.voters(), n.config.Peers...) {
			if at == string(n.at) {
				continue
			}
			is, err := n.ask(at, Request{Do: "status"})
			if err == nil && is.Leader != "" && !n.Reachable() &&
				!slices.ContainsFunc(is.Nodes, func(s Server) bool { return s.Voter && s.Address == string(n.at) }) {
				n.fail(ErrRemoved)
				return
			}
		}
	}
}

// fail ends the node; the first reason counts.
func (n *Node) fail(err error) {
	select {
	case n.broken <- err:
	default:
	}
}
