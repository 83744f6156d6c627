package main

import (
	"net"
	"net/netip"
	"slices"
	"sync"
)

// door is a listener that lets few connections be open that have not proved to be a node's. Where there are
// too many, the oldest goes of those from the address that has the most: a node is one of few from its own,
// and needs a moment.
type door struct {
	net.Listener

	mu     sync.Mutex
	guests []*guest // the oldest first
}

const mostGuests = 32

// guest is a connection at a door.
type guest struct {
	net.Conn
	door *door
	from netip.Addr
}

func (d *door) Accept() (net.Conn, error) {
	conn, err := d.Listener.Accept()
	if err != nil {
		return nil, err
	}
	g := &guest{Conn: conn, door: d}
	if at, err := netip.ParseAddrPort(conn.RemoteAddr().String()); err == nil {
		g.from = at.Addr().Unmap()
	}
	d.mu.Lock()
	d.guests = append(d.guests, g)
	var displaced *guest
	if len(d.guests) > mostGuests {
		n := make(map[netip.Addr]int)
		for _, o := range d.guests {
			n[o.from]++
		}
		for _, o := range d.guests {
			if displaced == nil || n[o.from] > n[displaced.from] {
				displaced = o
			}
		}
		d.remove(displaced)
	}
	d.mu.Unlock()
	if displaced != nil {
		_ = displaced.Conn.Close()
	}
	return g, nil
}

// remove forgets a guest. Called with mu held.
func (d *door) remove(g *guest) {
	d.guests = slices.DeleteFunc(d.guests, func(o *guest) bool { return o == g })
}

// proved says that the connection is a node's, which may stay.
func (g *guest) proved() {
	g.door.mu.Lock()
	defer g.door.mu.Unlock()
	g.door.remove(g)
}

func (g *guest) Close() error {
	g.proved()
	return g.Conn.Close()
}
