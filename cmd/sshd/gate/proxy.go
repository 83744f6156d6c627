package gate

import (
	"errors"
	"net"
	"net/netip"
	"time"

	"github.com/pires/go-proxyproto"
)

// proxyHeaderTimeout is how long a listed proxy may take to send its header at most. It has it ready
// when it connects.
const proxyHeaderTimeout = 5 * time.Second

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
	// Only the header tells whether there was a good one: RemoteAddr and the second Read would both
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
