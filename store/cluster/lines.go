package cluster

import (
	"bufio"
	"context"
	"crypto/tls"
	"crypto/x509"
	"encoding/json"
	"errors"
	"net"
	"slices"
	"sync"
	"time"

	"github.com/hashicorp/raft"
)

// All traffic between nodes uses one port; ALPN tells what a connection is for.
const (
	raftProtocol = "boneyard-raft/1"
	beatProtocol = "boneyard-beat/1"
)

// inlet is a listener for connections of one or more protocols.
type inlet struct {
	net.Listener // the door
	conns        chan net.Conn
	closed       chan struct{}
	close        sync.Once
}

// Accept returns the next connection, after its handshake.
func (i *inlet) Accept() (net.Conn, error) {
	select {
	case c := <-i.conns:
		return c, nil
	case <-i.closed:
		return nil, net.ErrClosed
	}
}

func (i *inlet) Close() error {
	i.close.Do(func() { close(i.closed) })
	return nil
}

// inlet starts to accept connections for protocols, the preferred ones first.
func (n *Node) inlet(protocols ...string) *inlet {
	in := &inlet{Listener: n.door, conns: make(chan net.Conn), closed: make(chan struct{})}
	n.mu.Lock()
	defer n.mu.Unlock()
	n.protocols = append(n.protocols, protocols...)
	for _, p := range protocols {
		n.inlets[p] = in
	}
	return in
}

// ListenRelay listens for other nodes' connections for one of the protocols.
func (n *Node) ListenRelay(protocols ...string) net.Listener { return n.inlet(protocols...) }

// welcome accepts connections until the door is closed.
func (n *Node) welcome() {
	for {
		conn, err := n.door.Accept()
		if err != nil {
			return
		}
		n.running.Go(func() { n.receive(conn.(*guest)) })
	}
}

func (n *Node) receive(g *guest) {
	ctx, cancel := context.WithTimeout(n.ctx, handshake)
	defer cancel()
	secret := n.secret.Clone()
	secret.GetConfigForClient = func(hello *tls.ClientHelloInfo) (*tls.Config, error) {
		if hello.ServerName != serverName {
			return nil, errors.New("it asks for no node") // and must not see the certificate, which names program and cluster
		}
		return nil, nil
	}
	n.mu.Lock()
	secret.NextProtos = slices.Clone(n.protocols)
	n.mu.Unlock()
	conn := tls.Server(g, secret)
	if err := conn.HandshakeContext(ctx); err != nil {
		n.config.Log.Debug("cluster: a connection was not from a node of this cluster", "addr", g.RemoteAddr().String(), "err", err)
		_ = g.Close()
		return
	}
	g.Proved()
	n.mu.Lock()
	in := n.inlets[conn.ConnectionState().NegotiatedProtocol]
	n.mu.Unlock()
	if in != nil {
		select {
		case in.conns <- conn:
			return
		case <-in.closed:
		}
	}
	_ = conn.Close()
}

// Dial connects to another node, for whichever of the protocols that node prefers.
func (n *Node) Dial(ctx context.Context, to string, protocols ...string) (net.Conn, error) {
	return dial(ctx, n.secret, to, protocols...)
}

func dial(ctx context.Context, secret *tls.Config, to string, protocols ...string) (net.Conn, error) {
	secret = secret.Clone()
	secret.NextProtos = protocols
	conn, err := (&tls.Dialer{Config: secret}).DialContext(ctx, "tcp", to)
	if _, strange := errors.AsType[x509.UnknownAuthorityError](err); strange {
		err = errOtherKey
	}
	return conn, err
}

var errOtherKey = errors.New("it has another key than this one, or its cluster has another name")

// raftStream is Raft's transport.
type raftStream struct {
	*inlet
	node *Node
}

// Addr returns the address where other nodes reach this one.
func (s raftStream) Addr() net.Addr { return address(s.node.at) }

// Dial implements raft.StreamLayer.
func (s raftStream) Dial(to raft.ServerAddress, timeout time.Duration) (net.Conn, error) {
	ctx, cancel := context.WithTimeout(s.node.ctx, timeout)
	defer cancel()
	return s.node.Dial(ctx, string(to), raftProtocol)
}

type address string

func (a address) Network() string { return "tcp" }
func (a address) String() string  { return string(a) }

// line sends heartbeats to another node.
type line struct {
	node  *Node
	to    string
	beats chan []byte // of capacity one: the latest, if unsent
	end   chan struct{}
}

// reach sends heartbeats to the log's nodes, the configured peers, and all nodes that are heard.
func (n *Node) reach(voters []string) {
	members, _ := n.Members()
	to := append(slices.Clone(voters), n.config.Peers...)
	for _, m := range members {
		to = append(to, m.Relay)
	}
	n.mu.Lock()
	defer n.mu.Unlock()
	for _, at := range to {
		if n.lines[at] == nil && at != string(n.at) {
			l := &line{node: n, to: at, beats: make(chan []byte, 1), end: make(chan struct{})}
			n.lines[at] = l
			n.running.Go(l.run)
		}
	}
	for at, l := range n.lines {
		if !slices.Contains(to, at) {
			close(l.end)
			delete(n.lines, at)
		}
	}
}

// run sends heartbeats until the line or the node ends. It drops those that it cannot send.
func (l *line) run() {
	var conn net.Conn
	var err, before error
	defer func() {
		if conn != nil {
			_ = conn.Close()
		}
	}()
	for {
		var beat []byte
		select {
		case beat = <-l.beats:
		case <-l.end:
			return
		case <-l.node.ctx.Done():
			return
		}
		if conn == nil {
			ctx, cancel := context.WithTimeout(l.node.ctx, deadAfter)
			conn, err = l.node.Dial(ctx, l.to, beatProtocol) // Raft logs who is unreachable
			cancel()
			if err == errOtherKey && before != err {
				l.node.config.Log.Error("cluster: the node at " + l.to + " is none of this cluster's: " + err.Error())
			}
			before = err
		}
		if conn == nil {
			continue
		}
		_ = conn.SetWriteDeadline(time.Now().Add(deadAfter))
		if _, err := conn.Write(append(beat, '\n')); err != nil {
			_ = conn.Close()
			conn = nil
		}
	}
}

// sendBeat is the Send of a node's Peers: it queues a heartbeat to all other nodes.
func (n *Node) sendBeat(data []byte) error {
	n.mu.Lock()
	defer n.mu.Unlock()
	for _, l := range n.lines {
		select {
		case <-l.beats:
		default:
		}
		select {
		case l.beats <- slices.Clone(data):
		default:
		}
	}
	return nil
}

// hear receives heartbeats from other nodes until the node ends.
func (n *Node) hear(in net.Listener) {
	const mostBeat = 64 << 10 // bytes
	n.serve(in, func(conn net.Conn) {
		var from struct{ Relay string }
		defer func() { n.lost(from.Relay) }()
		r := bufio.NewScanner(conn)
		r.Buffer(nil, mostBeat)
		for r.Scan() {
			if err := json.Unmarshal(r.Bytes(), &from); err != nil {
				return
			}
			n.Heard(r.Bytes())
		}
	})
}

// serve runs each for every connection until the listener is closed. Connections are closed after that, or
// when the node ends.
func (n *Node) serve(in net.Listener, each func(net.Conn)) {
	for {
		conn, err := in.Accept()
		if err != nil {
			return
		}
		n.running.Go(func() {
			defer conn.Close()
			defer context.AfterFunc(n.ctx, func() { _ = conn.Close() })()
			each(conn)
		})
	}
}
