package main

import (
	"bufio"
	"context"
	"fmt"
	"io"
	"net"
	"net/netip"
	"strings"
	"time"

	"boneyard/cmd/sshd/gate"

	"github.com/pires/go-proxyproto"
	"github.com/spf13/cobra"
)

func newHealth(m *Main) *cobra.Command {
	const healthTimeout = 3 * time.Second // how long a healthy server may take to answer
	cmd := &cobra.Command{
		Use:   "health",
		Short: "Check whether the server on this machine answers (exit status 0)",
		Args:  noArguments,
		RunE: func(cmd *cobra.Command, _ []string) error {
			ctx, cancel := context.WithTimeout(cmd.Context(), healthTimeout)
			defer cancel()
			answer, err := askHealth(ctx, m.Settings)
			if err != nil {
				return err
			}
			_, err = fmt.Fprintln(cmd.OutOrStdout(), answer)
			return err
		},
	}
	f := cmd.Flags()
	f.StringVar(&m.Settings.Listen, "listen", m.Settings.Listen, "the server's `address`")
	f.StringSliceVar(&m.Settings.ProxyProtocolFrom, "proxy-protocol-from", m.Settings.ProxyProtocolFrom, "the server's `networks` of proxies")
	return cmd
}

// askHealth connects to the server that s.Listen describes and reads its greeting. A server that turns the
// connection away is healthy, too: it defends itself, and a restart would only end sessions.
func askHealth(ctx context.Context, s Settings) (string, error) {
	if err := checkAddress(s.Listen); err != nil {
		return "", settingError{"--listen", err}
	}
	proxies, err := gate.ParseNetworks(s.ProxyProtocolFrom)
	if err != nil {
		return "", settingError{"--proxy-protocol-from", err}
	}
	conn, err := dialSelf(ctx, s.Listen)
	if err != nil {
		return "", err
	}
	defer func() { _ = conn.Close() }()
	deadline, _ := ctx.Deadline()
	if err := conn.SetDeadline(deadline); err != nil {
		return "", err
	}
	own := conn.LocalAddr().(*net.TCPAddr).AddrPort().Addr()
	if proxies.Contains(own) {
		local := &proxyproto.Header{Version: 2, Command: proxyproto.LOCAL, TransportProtocol: proxyproto.UNSPEC}
		if _, err := local.WriteTo(conn); err != nil {
			return "", fmt.Errorf("send PROXY header: %w", err)
		}
	}
	greeting, err := bufio.NewReader(io.LimitReader(conn, 255)).ReadString('\n')
	greeting = strings.TrimRight(greeting, "\r\n")
	switch {
	case strings.HasPrefix(greeting, "SSH-2.0-"):
		return fmt.Sprintf("ok: %s answers %s", conn.RemoteAddr(), greeting), nil
	case gate.IsRefusal(greeting):
		return fmt.Sprintf("ok: %s is busy: %s", conn.RemoteAddr(), greeting), nil
	case err != nil:
		return "", fmt.Errorf("no SSH greeting from %s: %w", conn.RemoteAddr(), err)
	default:
		return "", fmt.Errorf("%s is not an SSH server", conn.RemoteAddr())
	}
}

// dialSelf connects to an address that a server on this machine listens on. For a server that listens on all
// addresses it uses loopback by number, since an image without /etc/hosts cannot look up localhost.
func dialSelf(ctx context.Context, listen string) (net.Conn, error) {
	host, port, _ := net.SplitHostPort(listen)
	hosts := []string{host}
	if ip, err := netip.ParseAddr(host); host == "" || err == nil && ip.IsUnspecified() {
		hosts = []string{"127.0.0.1", "::1"}
	}
	var first error
	for _, host := range hosts {
		conn, err := new(net.Dialer).DialContext(ctx, "tcp", net.JoinHostPort(host, port))
		if err == nil {
			return conn, nil
		}
		if first == nil {
			first = err
		}
	}
	return nil, first
}
