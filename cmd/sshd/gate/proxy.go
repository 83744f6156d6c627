package gate

import (
	"errors"
	"net"
	"net/netip"
	"slices"
	"sync"
	"time"

	"github.com/pires/go-proxyproto"
)

// headers holds the connections of proxies whose header has not come yet.
//
// A proxy sends the header with the connection, so that even of a burst few wait at any one moment. Where
// there are too many, it is the one that has waited longest that goes, and not the newcomer: otherwise
// whoever can connect from a listed network without being a proxy would keep everybody out.
type headers struct {
	most int

	mu      sync.Mutex
	waiting []net.Conn // the oldest first
}

// add lets conn wait. If there are too many now, displaced is the oldest, which the caller must close.
func (h *headers) add(conn net.Conn) (displaced net.Conn) {
	h.mu.Lock()
	defer h.mu.Unlock()
	if len(h.waiting) == h.most {
		displaced = h.waiting[0]
		h.waiting = slices.Delete(h.waiting, 0, 1)
	}
	h.waiting = append(h.waiting, conn)
	return displaced
}

// done tells that conn waits no longer. It reports false if conn had to go before.
func (h *headers) done(conn net.Conn) bool {
	h.mu.Lock()
	defer h.mu.Unlock()
	i := slices.Index(h.waiting, conn)
	if i < 0 {
		return false
	}
	h.waiting = slices.Delete(h.waiting, i, i+1)
	return true
}

// count is how many wait.
func (h *headers) count() int {
	h.mu.Lock()
	defer h.mu.Unlock()
	return len(h.waiting)
}

// end has all go that wait.
func (h *headers) end() {
	h.mu.Lock()
	gone := h.waiting
	h.waiting = nil
	h.mu.Unlock()
	for _, conn := range gone {
		_ = conn.Close()
	}
}

var errProxyHeader = errors.New("no valid PROXY v2 header")

// readProxyHeader reads the PROXY protocol v2 header that a listed proxy begins each connection with,
// and returns the connection behind it with the client's address. A proxy's connection of its own
// (the LOCAL command: a health check) has the proxy's address.
func readProxyHeader(conn net.Conn, timeout time.Duration) (net.Conn, netip.Addr, error) {
	pc := proxyproto.NewConn(conn,
		proxyproto.WithPolicy(proxyproto.REQUIRE),
		proxyproto.SetReadHeaderTimeout(timeout),
		proxyproto.ValidateHeader(func(h *proxyproto.Header) error {
			if h.Version != 2 {
				return errProxyHeader // version 1 is text that could be confused with a client's
			}
			return nil
		}))
	// Only the header reports whether there was a good one: RemoteAddr and the second Read would both
	// go on without it.
	h := pc.ProxyHeader()
	if h == nil {
		return nil, netip.Addr{}, errProxyHeader
	}
	if h.Command.IsLocal() {
		return pc, addrOf(conn.RemoteAddr()), nil
	}
	addr := addrOf(h.SourceAddr)
	if !addr.IsValid() {
		return nil, netip.Addr{}, errProxyHeader
	}
	return pc, addr, nil
}
