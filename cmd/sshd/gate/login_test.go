package gate_test

import (
	"bufio"
	"context"
	"errors"
	"io"
	"net"
	"net/netip"
	"os"
	"strings"
	"sync"
	"testing"
	"time"

	"boneyard/cmd/sshd/gate"

	"github.com/pires/go-proxyproto"
	"github.com/stretchr/testify/require"
	gossh "golang.org/x/crypto/ssh"
)

// firstLine reads the first line that the server sends.
func firstLine(conn net.Conn) (string, error) {
	_ = conn.SetReadDeadline(time.Now().Add(patience))
	line, err := bufio.NewReader(conn).ReadString('\n')
	return strings.TrimRight(line, "\r\n"), err
}

// requireClosed waits until the server has closed the connection.
func requireClosed(tb testing.TB, conn net.Conn) {
	tb.Helper()
	_ = conn.SetReadDeadline(time.Now().Add(patience))
	_, err := io.Copy(io.Discard, conn)
	require.False(tb, errors.Is(err, os.ErrDeadlineExceeded), "still open")
}

func TestGreetingTellsNoVersion(t *testing.T) {
	c := open(t, whoami, nil)
	line, err := firstLine(c.mustDialFrom("127.0.0.1"))
	require.NoError(t, err)
	require.Equal(t, "SSH-2.0-Boneyard", line)
}

func TestPlacesOfOneAddress(t *testing.T) {
	c := open(t, whoami, func(cfg *gate.Config) {
		cfg.Sessions = 500
		cfg.Startups.BeforeKeys = time.Hour // nobody gives way
	})
	var held []net.Conn
	for range 10 {
		conn := c.mustDialFrom("127.0.0.2")
		line, err := firstLine(conn)
		require.NoError(t, err)
		require.Equal(t, "SSH-2.0-Boneyard", line)
		held = append(held, conn)
	}
	line, err := firstLine(c.mustDialFrom("127.0.0.2"))
	require.NoError(t, err)
	require.True(t, gate.IsRefusal(line), line)
	c.await("refused source", 1)
	c.mustLogin("127.0.0.3") // others are not concerned

	_, err = held[0].Write([]byte("SSH-2.0-hasty\r\n")) // without a word it could be a health check, which is not counted
	require.NoError(t, err)
	_ = held[0].Close()
	c.await("refused handshake", 1)
	c.mustLogin("127.0.0.2")
}

func TestLoginTakesAtMostTheGrace(t *testing.T) {
	var c *club
	var idle *gossh.Client
	for grace := 200 * time.Millisecond; idle == nil; grace *= 4 { // as much as this machine needs to log in
		require.Less(t, grace, patience)
		c = open(t, lasting, func(cfg *gate.Config) { cfg.LoginGrace = grace })
		idle, _ = c.login("127.0.0.4")
	}
	defer func() { _ = idle.Close() }()

	requireClosed(t, c.mustDialFrom("127.0.0.2"))
	slow := c.mustDialFrom("127.0.0.3")
	require.NoError(t, errOf(io.WriteString(slow, "SSH-2.0-slow\r\n")))
	requireClosed(t, slow)
	require.Error(t, idle.Wait(), "one who logs in and opens no session has not finished")
	c.await("refused grace", 3)
	require.Zero(t, c.counted("opened"))
}

func TestWhatIsNoSSHClientIsClosedAtOnce(t *testing.T) {
	c := open(t, whoami, nil)
	for i, hello := range []string{"GET / HTTP/1.1\r\n", "\x16\x03\x01", "PROXY TCP4 1.2.3.4 5.6.7.8 1 2\r\nSSH-2.0-x\r\n",
		"\nSSH-2.0-x\r\n"} {
		conn := c.mustDialFrom("127.0.0.1")
		require.NoError(t, errOf(io.WriteString(conn, hello)))
		requireClosed(t, conn)
		c.await("refused not_ssh", i+1)
	}
}

func TestPenaltiesShutASourceOut(t *testing.T) {
	var mu sync.Mutex
	now := time.Unix(1e9, 0)
	c := open(t, whoami, func(cfg *gate.Config) {
		cfg.Guests = false
		cfg.Now = func() time.Time { mu.Lock(); defer mu.Unlock(); return now }
	})
	old := gossh.PublicKeys(newRSAKey(t, 1024))
	for i := range 4 { // 5 s each; more than 15 s shut out
		require.ErrorContains(t, errOf(c.login("127.0.0.2", old)), "unable to authenticate")
		c.await("refused auth", i+1)
	}
	line, err := firstLine(c.mustDialFrom("127.0.0.2"))
	require.NoError(t, err)
	require.True(t, gate.IsRefusal(line), line)
	c.await("refused penalty", 1)

	key := gossh.PublicKeys(newKey(t))
	c.mustLogin("127.0.0.3", key)
	mu.Lock()
	now = now.Add(20 * time.Second)
	mu.Unlock()
	c.mustLogin("127.0.0.2", key)
}

func TestExemptNetworksAreNotCounted(t *testing.T) {
	c := open(t, lasting, func(cfg *gate.Config) {
		cfg.Exempt = gate.Networks{netip.MustParsePrefix("127.0.7.0/24")}
		cfg.Startups.BeforeKeys = time.Hour
		cfg.Startups.Full = 1
	})
	for range 20 {
		line, err := firstLine(c.mustDialFrom("127.0.7.1"))
		require.NoError(t, err)
		require.Equal(t, "SSH-2.0-Boneyard", line)
	}
	c.mustDialFrom("127.0.0.2")
	c.await("accepted", 21)
	line, err := firstLine(c.mustDialFrom("127.0.0.3"))
	require.NoError(t, err)
	require.True(t, gate.IsRefusal(line), "loopback is not exempt of itself")

	for range 8 { // nor are an exempt network's guests
		s, err := c.mustLogin("127.0.7.2").NewSession()
		require.NoError(t, err)
		require.NoError(t, s.Shell())
	}
	c.await("opened", 8)
}

func TestProxyHeaders(t *testing.T) {
	addrs := make(chan netip.Addr, 1)
	c := open(t, handlerFunc(func(_ context.Context, call *gate.Call) int {
		addrs <- call.Addr
		return 0
	}), func(cfg *gate.Config) {
		cfg.Proxies = gate.Networks{netip.MustParsePrefix("127.0.9.0/24")}
		cfg.ProxyHeaderTime = 2 * time.Second
		cfg.Sessions = 500
		cfg.Startups.BeforeKeys = time.Hour
	})
	header := func(version byte, client string) *proxyproto.Header {
		return proxyproto.HeaderProxyFromAddrs(version,
			&net.TCPAddr{IP: net.ParseIP(client), Port: 4711}, &net.TCPAddr{IP: net.ParseIP("192.0.2.1"), Port: 22})
	}
	local := &proxyproto.Header{Version: 2, Command: proxyproto.LOCAL, TransportProtocol: proxyproto.UNSPEC}
	call := func(from string, h *proxyproto.Header) error {
		conn := c.mustDialFrom(from)
		if h != nil {
			require.NoError(t, errOf(h.WriteTo(conn)))
		}
		sc, chans, reqs, err := gossh.NewClientConn(conn, c.addr, clientConfig(guestAuth(t)))
		if err != nil {
			return err
		}
		cl := gossh.NewClient(sc, chans, reqs)
		defer func() { _ = cl.Close() }()
		_, _, err = run(cl, "x")
		return err
	}

	require.NoError(t, call("127.0.9.1", header(2, "203.0.113.7")))
	require.Equal(t, "203.0.113.7", (<-addrs).String())
	require.NoError(t, call("127.0.9.1", local))
	require.Equal(t, "127.0.9.1", (<-addrs).String())
	require.NoError(t, call("127.0.0.1", nil))
	require.Equal(t, "127.0.0.1", (<-addrs).String())

	require.Error(t, call("127.0.0.2", header(2, "203.0.113.7")), "a source that is not listed")
	c.await("refused not_ssh", 1)
	require.Error(t, call("127.0.9.1", header(1, "203.0.113.7")), "the old protocol")
	require.Error(t, call("127.0.9.1", nil), "a proxy without a header")
	c.await("refused proxy", 2)
	requireClosed(t, c.mustDialFrom("127.0.9.1"))
	c.await("refused proxy", 3)

	// Limits count the address behind the proxy.
	for i := range 11 {
		conn := c.mustDialFrom("127.0.9.1")
		require.NoError(t, errOf(header(2, "203.0.113.9").WriteTo(conn)))
		line, err := firstLine(conn)
		require.NoError(t, err)
		require.Equal(t, i == 10, gate.IsRefusal(line), "connection %d", i)
	}
	require.NoError(t, call("127.0.9.1", header(2, "203.0.113.10")))
}

// Of connections from a proxy's network that send no header, only so many wait, and they keep nobody out.
func TestProxyHeadersThatDoNotCome(t *testing.T) {
	c := open(t, whoami, func(cfg *gate.Config) {
		cfg.Proxies = gate.Networks{netip.MustParsePrefix("127.0.9.0/24")}
		cfg.Exempt = gate.Networks{netip.MustParsePrefix("203.0.113.0/24")}
		cfg.ProxyHeaders = 20
		cfg.ProxyHeaderTime, cfg.LoginGrace = time.Hour, time.Hour
	})
	mute := make([]net.Conn, 100)
	for i := range mute {
		mute[i] = c.mustDialFrom("127.0.9.2")
	}
	c.await("refused headers", 80)
	for _, conn := range mute[:80] {
		requireClosed(t, conn)
	}
	// A burst of a real proxy, each with its header, comes in while the others wait.
	h := proxyproto.HeaderProxyFromAddrs(2,
		&net.TCPAddr{IP: net.ParseIP("203.0.113.7"), Port: 4711}, &net.TCPAddr{IP: net.ParseIP("192.0.2.1"), Port: 22})
	for range 15 {
		conn := c.mustDialFrom("127.0.9.1")
		require.NoError(t, errOf(h.WriteTo(conn)))
		line, err := firstLine(conn)
		require.NoError(t, err)
		require.True(t, strings.HasPrefix(line, "SSH-2.0-"), line)
	}
	require.LessOrEqual(t, c.counted("refused headers"), 95)
	require.Zero(t, c.counted("refused proxy"), "the last of them wait for their time")
	c.shut() // which fails if it waits for those that wait
}
