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

// headers holds proxies' connections that still wait for their header.
//
// A proxy sends the header with the connection, so that even in a burst few wait at once. When there are too
// many, the oldest goes rather than the newcomer: otherwise anybody who can connect from a listed network
// without being a proxy could keep everybody out.
type headers struct {
	most int

	mu      sync.Mutex
	waiting []net.Conn // the oldest first
}

// add lets conn wait. If that makes too many, displaced is the oldest, which the caller must close.
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

// done ends the wait of conn. It returns false if conn was displaced before.
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

// count returns how many are waiting.
func (h *headers) count() int {
	h.mu.Lock()
	defer h.mu.Unlock()
	return len(h.waiting)
}

// end closes all that wait.
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

// readProxyHeader reads the PROXY protocol v2 header with which a listed proxy begins each connection, and
// returns the connection after it with the client's address. For a connection of the proxy's own (the LOCAL
// command: a health check) that is the proxy's address.
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
	// Only ProxyHeader shows whether there was a valid header: RemoteAddr and a second Read would both
	// succeed without one.
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
