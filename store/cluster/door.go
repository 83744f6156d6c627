package cluster

import (
	"crypto/tls"
	"errors"
	"io"
	"log/slog"
	"net"
	"net/netip"
	"slices"
	"sync"
	"sync/atomic"
	"time"

	"boneyard/lobby/limit"
)

// door is a listener that lets few connections be open that have not proved that they have the cluster's secret. Where there are too
// many, the oldest goes of those from the network that has the most, and in it from the address that has the most: a node is
// one of few from its own, and needs a moment.
type door struct {
	net.Listener
	log *slog.Logger

	mu     sync.Mutex
	guests []*guest // the oldest first
}

const mostGuests = 32

// guest is a connection that has come in by a door.
type guest struct {
	net.Conn
	door *door
	from netip.Addr
	at   string // where the server of the handshake sees it; the door's mu protects it

	shown atomic.Bool // a certificate, which may be a copy: only the handshake's end proves that the key is there, too
}

// Accept returns the next connection, or an error when the door is closed.
func (d *door) Accept() (net.Conn, error) {
	conn, err := d.Listener.Accept()
	for err != nil {
		if errors.Is(err, net.ErrClosed) {
			return nil, err
		}
		d.log.Warn("cluster: accept", "err", err)
		time.Sleep(100 * time.Millisecond) // for example out of file descriptors
		conn, err = d.Listener.Accept()
	}
	g := &guest{Conn: conn, door: d, at: conn.RemoteAddr().String()}
	if at, err := netip.ParseAddrPort(g.at); err == nil {
		g.from = at.Addr()
	}
	if displaced := d.admit(g); displaced != nil {
		_ = displaced.Conn.Close()
	}
	return g, nil
}

// admit adds a guest and returns the one that has to go for it, if any.
func (d *door) admit(g *guest) (displaced *guest) {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.guests = append(d.guests, g)
	if len(d.guests) <= mostGuests {
		return nil
	}
	n := make(map[netip.Prefix]int)
	for _, o := range d.guests {
		n[limit.Network(o.from)]++
		n[limit.Household(o.from)]++
	}
	crowd := func(o *guest) int { return 2*mostGuests*n[limit.Network(o.from)] + n[limit.Household(o.from)] }
	displaced = slices.MaxFunc(d.guests, func(a, b *guest) int { return crowd(a) - crowd(b) }) // the first of equals
	d.remove(displaced)
	return displaced
}

// remove no longer counts a guest. Called with mu held.
func (d *door) remove(g *guest) {
	d.guests = slices.DeleteFunc(d.guests, func(o *guest) bool { return o == g })
}

// Proved lets the guest stay.
func (g *guest) Proved() {
	g.door.mu.Lock()
	defer g.door.mu.Unlock()
	g.door.remove(g)
}

// Proved is called for a connection that [Node.ListenRelay] has accepted, once its handshake is complete: it
// no longer counts as a stranger's.
func Proved(conn *tls.Conn) { conn.NetConn().(*guest).Proved() }

func (g *guest) Close() error {
	g.Proved()
	return g.Conn.Close()
}

// proving returns a configuration for a server of handshakes to which the door forwards: it notes who has shown a certificate.
func (d *door) proving(secret *tls.Config) *tls.Config {
	c := secret.Clone()
	c.GetConfigForClient = func(hello *tls.ClientHelloInfo) (*tls.Config, error) {
		own := secret.Clone()
		own.VerifyConnection = func(tls.ConnectionState) error {
			at := hello.Conn.RemoteAddr().String()
			d.mu.Lock()
			defer d.mu.Unlock()
			for _, g := range d.guests {
				if g.at == at {
					g.shown.Store(true)
				}
			}
			return nil
		}
		return own, nil
	}
	return c
}

// forward connects all who come in by the door to an address on this machine, until the door and their connections are closed.
func (d *door) forward(to string) {
	var open sync.WaitGroup
	defer open.Wait()
	for {
		conn, err := d.Accept()
		if err != nil {
			return
		}
		open.Go(func() { conn.(*guest).forward(to) })
	}
}

func (g *guest) forward(to string) {
	defer g.Close()
	there, err := net.Dial("tcp", to)
	if err != nil {
		return // the server is ending
	}
	defer there.Close()
	g.door.mu.Lock()
	g.at = there.LocalAddr().String()
	g.door.mu.Unlock()
	back := make(chan struct{})
	go func() {
		defer close(back)
		g.back(there)
		_ = g.Close()
	}()
	_, _ = io.Copy(there, g)
	_ = there.Close()
	<-back
}

// back sends a guest what the server says. What it says after a certificate was shown proves the guest: until then it waits for the
// signature, without which it ends the connection. A guest that takes nothing for too long is disconnected, as the server would do.
func (g *guest) back(from net.Conn) {
	buf := make([]byte, 32<<10)
	for {
		n, err := from.Read(buf)
		if n > 0 {
			if g.shown.CompareAndSwap(true, false) {
				g.Proved()
			}
			_ = g.SetWriteDeadline(time.Now().Add(writeDeadline))
			if _, err := g.Write(buf[:n]); err != nil {
				return
			}
		}
		if err != nil {
			return
		}
	}
}
