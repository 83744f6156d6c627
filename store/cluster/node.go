// Package cluster lets a few nodes of one club share a log, on NATS JetStream, which runs in the same
// process: a stream with a replica on each node, written to the disk of a majority before an entry is
// acknowledged. It also reports which nodes are alive.
//
// It implements store.Log and knows nothing of what the entries mean.
package cluster

import (
	"cmp"
	"context"
	"crypto/rand"
	"crypto/tls"
	"encoding/json"
	"errors"
	"fmt"
	"log/slog"
	"net"
	"net/url"
	"os"
	"slices"
	"strconv"
	"strings"
	"sync"
	"syscall"
	"time"

	"github.com/nats-io/nats-server/v2/server"
	"github.com/nats-io/nats.go"

	"boneyard/store"
)

// Config says which node this is, and what the others are.
type Config struct {
	Name   string   // of the club; nodes of other clubs are refused
	Node   string   // this node's name, like no other's
	Listen string   // HOST:PORT, where the other nodes reach this one; the port after it is the relay's
	Peers  []string // HOST:PORT of the others
	Key    []byte   // the secret that all nodes share
	Folder string   // for the log
	Hosts  []string // fingerprints of the host keys, which are the same on all nodes; none: not compared
	Next   []string // of those that this node will have next
	Log    *slog.Logger

	advertise string // where NATS tells other nodes that this one is, if not Listen; tests have slow lines there
}

// size is the number of nodes of the club.
func (c Config) size() int { return len(c.Peers) + 1 }

// Relay is where the node takes callers that come by way of another: the port after that of Listen. Empty if Validate fails.
func (c Config) Relay() string {
	host, port, err := splitPort(c.Listen)
	if err != nil {
		return ""
	}
	return net.JoinHostPort(host, strconv.Itoa(port+1))
}

// Validate reports settings that cannot work.
func (c Config) Validate() error {
	switch {
	case !isName(c.Name):
		return fmt.Errorf("name of the cluster: %q: use letters, digits and hyphens", c.Name)
	case !isName(c.Node):
		return fmt.Errorf("name of the node: %q: use letters, digits and hyphens", c.Node)
	case c.size() < 3 || c.size()%2 == 0:
		return fmt.Errorf("%d nodes: must be 3 or 5, so that a majority is left when one fails", c.size())
	case len(c.Key) < 32:
		return fmt.Errorf("the cluster's key has %d bytes: must have at least 32", len(c.Key))
	}
	return c.validateAddresses()
}

// validateAddresses reports addresses that are no node's, or two nodes'. Each node has two ports.
func (c Config) validateAddresses() error {
	used := make(map[string]string)
	for _, addr := range append([]string{c.Listen}, c.Peers...) {
		host, port, err := splitPort(addr)
		if err != nil {
			return err
		}
		if ip := net.ParseIP(host); host == "" || ip != nil && ip.IsUnspecified() {
			return fmt.Errorf("%q: must have a host where the other nodes reach this one", addr)
		}
		for p := port; p <= port+1; p++ {
			at := net.JoinHostPort(host, strconv.Itoa(p))
			if by, ok := used[at]; ok {
				return fmt.Errorf("%s and %s are not two nodes: each uses its port and the next, and peers are the other nodes only", by, addr)
			}
			used[at] = addr
		}
	}
	return nil
}

func isName(s string) bool {
	return s != "" && len(s) <= 32 && strings.Trim(strings.ToLower(s), "abcdefghijklmnopqrstuvwxyz0123456789-") == ""
}

func splitPort(addr string) (host string, port int, err error) {
	host, p, err := net.SplitHostPort(addr)
	if err != nil {
		return "", 0, fmt.Errorf("%q: must be HOST:PORT: %w", addr, err)
	}
	if port, err = strconv.Atoi(p); err != nil || port < 1 || port > 65534 { // the next one is the relay's
		return "", 0, fmt.Errorf("%q: the port must be from 1 to 65534", addr)
	}
	return host, port, nil
}

// What NATS is run with. A node that is stopped, and not ended, is noticed by writes to it that do not end, and by pings.
const (
	writeDeadline = 700 * time.Millisecond
	pingEvery     = time.Second
	pingsOut      = 2

	readyTime  = 20 * time.Second // for the server in this process
	ackTime    = time.Second      // for one answer of the stream
	againAfter = 50 * time.Millisecond
	dedupTime  = 2 * time.Minute // in which NATS itself knows an entry that is sent again
	maxStore   = 64 << 30        // bytes on disk
	maxMemory  = 64 << 20
	kept       = 7 * 24 * time.Hour // of entries; a node that was away for longer is given a copy of another's file
)

// Node is one of the club's. Get one from [Start].
type Node struct {
	*Peers
	config  Config
	secret  *tls.Config
	server  *server.Server
	door    *door          // to the server, for the other nodes
	doorman sync.WaitGroup // who forwards them
	conn    *nats.Conn
	feed    chan *nats.Msg
	end     context.CancelFunc
	running sync.WaitGroup

	works    context.Context // ends with ErrStopped
	stopWork context.CancelCauseFunc
}

var _ store.Log = (*Node)(nil)

// Start starts a node and returns when it runs, whether or not the others do.
func Start(c Config) (*Node, error) {
	if err := c.Validate(); err != nil {
		return nil, err
	}
	secret, err := secretFrom(c.Name, c.Key)
	if err != nil {
		return nil, err
	}
	relay, err := c.listen(c.Relay()) // to find out now whether it can be used
	if err != nil {
		return nil, err
	}
	if err := relay.Close(); err != nil {
		return nil, err
	}
	door, err := c.listen(c.Listen)
	if err != nil {
		return nil, err
	}
	n := &Node{config: c, secret: secret, door: door, feed: make(chan *nats.Msg, 1<<14)}
	n.works, n.stopWork = context.WithCancelCause(context.Background())
	if err := n.start(); err != nil {
		_ = door.Close()
		if n.server != nil {
			n.server.Shutdown()
			n.server.WaitForShutdown()
		}
		return nil, fmt.Errorf("cluster: %w", err)
	}
	n.doorman.Go(func() { door.forward(n.server.ClusterAddr().String()) })
	return n, nil
}

// listen opens one of the node's two ports, which must be where the others can reach it.
func (c Config) listen(addr string) (*door, error) {
	ln, err := net.Listen("tcp", addr)
	switch {
	case errors.Is(err, syscall.EADDRINUSE):
		return nil, fmt.Errorf("cluster: is this node already running? %w", err)
	case err != nil:
		return nil, fmt.Errorf("cluster: %w", err)
	}
	if at := ln.Addr().(*net.TCPAddr); at.IP.IsLoopback() && c.elsewhere() {
		_ = ln.Close()
		return nil, fmt.Errorf("cluster: %q is %v, which other machines cannot reach: give this machine's own address", c.Listen, at.IP)
	}
	return &door{Listener: ln, log: c.Log}, nil
}

// elsewhere reports whether a peer is on another machine, as far as that can be known.
func (c Config) elsewhere() bool {
	return slices.ContainsFunc(c.Peers, func(peer string) bool {
		host, _, _ := splitPort(peer) // Validate has been called
		addrs, _ := net.LookupIP(host)
		return slices.ContainsFunc(addrs, func(ip net.IP) bool { return !ip.IsLoopback() })
	})
}

// options returns how NATS is run. It listens on loopback only; the other nodes come in by the door.
func (n *Node) options(token string) *server.Options {
	c := n.config
	o := &server.Options{
		ServerName: c.Node, NoSigs: true,
		// NATS makes no routes without a listener for clients. Nobody but this process knows the token, whoever has no certificate of
		// the cluster reads nothing at all, and has a millisecond; this process connects to itself without the listener.
		Host: "127.0.0.1", Port: server.RANDOM_PORT, Authorization: token, TLSConfig: n.secret, TLSHandshakeFirst: true, TLSTimeout: 0.001,
		JetStream: true, StoreDir: c.Folder, SyncAlways: true, JetStreamMaxStore: maxStore, JetStreamMaxMemory: maxMemory,
		WriteDeadline: writeDeadline, PingInterval: pingEvery, MaxPingsOut: pingsOut,
		LameDuckDuration: time.Second, LameDuckGracePeriod: time.Millisecond, // this process is the only client
		Cluster: server.ClusterOpts{
			Name: c.Name, Host: "127.0.0.1", Port: server.RANDOM_PORT, TLSConfig: n.door.proving(n.secret), TLSTimeout: 5,
			NoAdvertise: true, Advertise: cmp.Or(c.advertise, c.Listen),
			WriteDeadline: writeDeadline, PingInterval: pingEvery, MaxPingsOut: pingsOut,
		},
	}
	for _, p := range c.Peers {
		o.Routes = append(o.Routes, &url.URL{Scheme: "tls", Host: p})
	}
	return o
}

func (n *Node) start() (err error) {
	if err := os.MkdirAll(n.config.Folder, 0o700); err != nil {
		return err
	}
	token := rand.Text()
	if n.server, err = server.NewServer(n.options(token)); err != nil {
		return err
	}
	n.server.SetLogger(&natsLogger{log: n.config.Log}, false, false)
	n.server.Start()
	if !n.server.ReadyForConnections(readyTime) {
		return errors.New("the log's server did not start")
	}
	conn, err := nats.Connect("", nats.InProcessServer(n.server), nats.Token(token), nats.Name(n.config.Node),
		// The server drops this process too, when it was stopped for a while; then nothing is heard until it is back.
		nats.MaxReconnects(-1), nats.ReconnectWait(againAfter), nats.ReconnectJitter(0, 0), nats.ReconnectBufSize(-1),
		nats.DisconnectErrHandler(func(_ *nats.Conn, err error) {
			if err != nil {
				n.config.Log.Warn("cluster: disconnected from the log's server in this process", "err", err)
			}
		}),
		nats.ErrorHandler(func(_ *nats.Conn, _ *nats.Subscription, err error) { n.config.Log.Warn("cluster", "err", err) }))
	if err != nil {
		return err
	}
	n.conn = conn
	ctx, end := context.WithCancel(context.Background())
	n.end = end
	n.Peers = NewPeers(Member{Node: n.config.Node, Run: rand.Text(), Relay: n.config.Relay(), Hosts: n.config.Hosts, Next: n.config.Next, Kinds: store.Kinds()}, n.config.size(), n.sendBeat, n.config.Log)
	if _, err := conn.Subscribe(n.subject("alive"), func(m *nats.Msg) { n.Heard(m.Data) }); err != nil {
		return err
	}
	if _, err := conn.ChanSubscribe(n.subject("feed"), n.feed); err != nil {
		return err
	}
	n.running.Go(func() { n.Beat(ctx) })
	n.running.Go(func() { n.watchLead(ctx) })
	n.running.Go(func() { n.watchLog(ctx) })
	return nil
}

// watchLog notices when the log's server in this process has stopped. It does so by itself when its disk is full, and does not
// start again when there is room.
func (n *Node) watchLog(ctx context.Context) {
	tick := time.NewTicker(beatEvery)
	defer tick.Stop()
	for n.server.JetStreamEnabled() {
		select {
		case <-tick.C:
		case <-ctx.Done():
			return
		}
	}
	if ctx.Err() == nil {
		n.stopWork(ErrStopped)
	}
}

// Close ends the node, and hands the log over to another leader first if this node leads it. End calls of Append and Follow before.
func (n *Node) Close() {
	n.end()
	_ = n.door.Close()
	n.running.Wait()
	n.conn.Close()
	n.server.LameDuckShutdown()
	n.server.WaitForShutdown()
	n.doorman.Wait()
}

// sendBeat sends a heartbeat, as Send wants it.
func (n *Node) sendBeat(data []byte, urgent bool) error {
	if err := n.conn.Publish(n.subject("alive"), data); err != nil || !urgent {
		return err
	}
	_ = n.conn.FlushTimeout(beatEvery) // who is not reached hears the next beat, or none
	return nil
}

// Relay is where the node takes callers that come by way of another.
func (n *Node) Relay() string { return n.config.Relay() }

// ListenRelay listens there for other nodes, which show their certificates and choose one of the protocols.
// After the handshake of a connection, [Proved] is to be called.
func (n *Node) ListenRelay(protocols ...string) (net.Listener, error) {
	door, err := n.config.listen(n.Relay())
	if err != nil {
		return nil, err
	}
	secret := n.TLS()
	secret.NextProtos = protocols
	return tls.NewListener(door, secret), nil
}

// TLS is the configuration with which nodes authenticate each other, for connections other than those of NATS.
func (n *Node) TLS() *tls.Config { return n.secret.Clone() }

func (n *Node) subject(what string) string { return "boneyard." + n.config.Name + "." + what }

// Stream is the log's name in NATS.
const stream = "CLUB"

// ready makes the stream, if there is none, and waits until it can be asked.
func (n *Node) ready(ctx context.Context) error {
	js, err := n.conn.JetStream(nats.MaxWait(ackTime))
	if err != nil {
		return err
	}
	want := &nats.StreamConfig{
		Name: stream, Subjects: []string{n.subject("log")}, Replicas: n.config.size(), Storage: nats.FileStorage,
		AllowDirect: true, Duplicates: dedupTime, MaxAge: kept, DenyDelete: true, DenyPurge: true,
	}
	for {
		_, err := js.AddStream(want, nats.Context(ctx))
		if err == nil {
			return nil
		}
		if errors.Is(err, nats.ErrStreamNameAlreadyInUse) {
			return fmt.Errorf("the log was made for other nodes: %w", err)
		}
		if err := pause(ctx, againAfter); err != nil {
			return err
		}
	}
}

// pause waits for a while, or until ctx ends.
func pause(ctx context.Context, d time.Duration) error {
	t := time.NewTimer(d)
	defer t.Stop()
	select {
	case <-t.C:
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}

// answer is the stream's answer to an entry.
type answer struct {
	Seq   uint64
	Error *struct {
		Description string
	}
}

// Append implements store.Log. Without a majority of the nodes it waits.
func (n *Node) Append(ctx context.Context, e store.Entry) error {
	data, err := json.Marshal(e)
	if err != nil {
		return err
	}
	m := nats.NewMsg(n.subject("log"))
	m.Data = data
	m.Header.Set(nats.MsgIdHdr, e.ID)
	for {
		once, cancel := context.WithTimeout(ctx, ackTime)
		r, err := n.conn.RequestMsgWithContext(once, m)
		cancel()
		var a answer
		if err == nil {
			err = json.Unmarshal(r.Data, &a)
		}
		if err == nil && a.Error == nil && a.Seq != 0 {
			return n.push(a.Seq, data)
		}
		if err := pause(ctx, againAfter); err != nil {
			return err
		}
	}
}

// push hands an entry that is in the log to all nodes, so that they need not ask for it.
func (n *Node) push(seq uint64, data []byte) error {
	n.setLast(seq)
	f := nats.NewMsg(n.subject("feed"))
	f.Data = data
	f.Header.Set(nats.JSSequence, strconv.FormatUint(seq, 10))
	return n.conn.PublishMsg(f)
}
