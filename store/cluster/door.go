package cluster

import (
	"errors"
	"log/slog"
	"net"
	"net/netip"
	"slices"
	"sync"
	"time"

	"boneyard/lobby/limit"
)

// door is a listener that limits how many open connections have not yet proved that they hold the cluster's
// secret. When there are too many, it closes the oldest from the address with the most, within the network
// with the most: a real node is one of few from its network, and needs only a moment.
type door struct {
	net.Listener
	log *slog.Logger

	mu     sync.Mutex
	guests []*guest // the oldest first
}

const mostGuests = 32

// guest is a connection accepted by a door.
type guest struct {
	net.Conn
	door *door
	from netip.Addr
}

// Accept returns the next connection, or an error when the door is closed.
func (d *door) Accept() (net.Conn, error) {
	conn, err := d.Listener.Accept()
	for err != nil {
		if errors.Is(err, net.ErrClosed) {
			return nil, err
		}
		d.log.Warn("cluster: accept", "err", err)
		time.Sleep(100 * time.Millisecond) // out of file descriptors, for example
		conn, err = d.Listener.Accept()
	}
	g := &guest{Conn: conn, door: d}
	if at, err := netip.ParseAddrPort(conn.RemoteAddr().String()); err == nil {
		g.from = at.Addr()
	}
	if displaced := d.admit(g); displaced != nil {
		_ = displaced.Conn.Close()
	}
	return g, nil
}

// admit adds a guest and returns the one to close in its place, if any.
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

// remove stops counting a guest. Called with mu held.
func (d *door) remove(g *guest) {
	d.guests = slices.DeleteFunc(d.guests, func(o *guest) bool { return o == g })
}

// Proved marks the guest as authenticated: it is no longer counted.
func (g *guest) Proved() {
	g.door.mu.Lock()
	defer g.door.mu.Unlock()
	g.door.remove(g)
}

func (g *guest) Close() error {
	g.Proved()
	return g.Conn.Close()
}
