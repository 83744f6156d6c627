package client

import (
	"net"
	"sync/atomic"
)

// Addresses are loopback addresses, each given out once: to the club, clients with different ones live in different places.
type Addresses struct {
	Net   byte // 127.net.0.0/16
	Apart bool // neighbours are in /24 networks of their own, as people are who do not know each other
	next  atomic.Uint32
}

// Take returns the next one.
func (a *Addresses) Take() net.Addr {
	n := a.next.Add(1)
	if a.Apart {
		return &net.TCPAddr{IP: net.IPv4(127, a.Net, byte(n), byte(n>>8)+1)}
	}
	return &net.TCPAddr{IP: net.IPv4(127, a.Net, byte(n>>8), byte(n))}
}
