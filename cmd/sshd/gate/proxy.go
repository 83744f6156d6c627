package gate

import (
	"errors"
	"net"
	"net/netip"
	"time"

	"github.com/pires/go-proxyproto"
)

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
