package gate_test

import (
	"bufio"
	"context"
	"crypto/rand"
	"crypto/rsa"
	"errors"
	"fmt"
	"io"
	"math/big"
	"net"
	"net/netip"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
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

// Two thousand connections that are opened and left alone, five from each of four hundred addresses,
// once saying nothing and once with a client's greeting.
func TestStalledConnectionsKeepNobodyOut(t *testing.T) {
	for name, greeting := range map[string]string{"mute": "", "greeted": "SSH-2.0-stalled\r\n"} {
		t.Run(name, func(t *testing.T) {
			c := open(t, whoami, nil)
			const stalled = 2000
			var wg sync.WaitGroup
			for part := range 8 {
				wg.Go(func() {
					for i := part; i < stalled; i += 8 {
						conn, err := c.dialFrom(fmt.Sprintf("127.1.%d.%d", i/5/200, 1+i/5%200))
						if err != nil {
							t.Error(err)
							return
						}
						t.Cleanup(func() { _ = conn.Close() })
						_, _ = io.WriteString(conn, greeting) // refused ones may be closed already
					}
				})
			}
			wg.Wait()

			began := time.Now()
			var err error
			for time.Since(began) < time.Second { // as a person would: call, and call again
				var cl *gossh.Client
				if cl, err = c.login("127.0.0.1"); err == nil {
					var out string
					out, _, _ = run(cl, "x")
					require.Equal(t, "guest", out)
					_ = cl.Close()
					break
				}
			}
			require.NoError(t, err)
			require.Less(t, time.Since(began), time.Second)

			var m runtime.MemStats
			runtime.ReadMemStats(&m)
			require.Less(t, m.HeapInuse+m.StackInuse, uint64(100<<20))
			require.LessOrEqual(t, c.counted("accepted")-c.counted("refused displaced"), 101, "held at one time")
		})
	}
}

func TestFivePlacesOfOneAddress(t *testing.T) {
	c := open(t, whoami, func(cfg *gate.Config) {
		cfg.Startups.Mute, cfg.Startups.Stalled = time.Hour, time.Hour // nobody gives way
	})
	var held []net.Conn
	for range 5 {
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

	_ = held[0].Close()
	c.await("refused handshake", 1)
	c.mustLogin("127.0.0.2")
}

func TestLoginTakesAtMostTheGrace(t *testing.T) {
	c := open(t, lasting, func(cfg *gate.Config) { cfg.LoginGrace = 200 * time.Millisecond })

	requireClosed(t, c.mustDialFrom("127.0.0.2"))
	slow := c.mustDialFrom("127.0.0.3")
	_, err := io.WriteString(slow, "SSH-2.0-slow\r\n")
	require.NoError(t, err)
	requireClosed(t, slow)
	c.await("refused grace", 2)

	idle := c.mustLogin("127.0.0.4")
	require.Error(t, idle.Wait(), "one who logs in and opens no session has not finished")
	c.await("refused grace", 3)
	require.Zero(t, c.counted("opened"))
}

func TestWhatIsNoSSHClientIsClosedAtOnce(t *testing.T) {
	c := open(t, whoami, nil)
	for i, hello := range []string{"GET / HTTP/1.1\r\n", "\x16\x03\x01", "PROXY TCP4 1.2.3.4 5.6.7.8 1 2\r\nSSH-2.0-x\r\n", "\nSSH-2.0-x\r\n"} {
		conn := c.mustDialFrom("127.0.0.1")
		_, err := io.WriteString(conn, hello)
		require.NoError(t, err)
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
		_, err := c.login("127.0.0.2", old)
		require.ErrorContains(t, err, "unable to authenticate")
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
		cfg.Startups.Mute, cfg.Startups.Stalled = time.Hour, time.Hour
		cfg.Startups.Begin, cfg.Startups.Full = 1, 1
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
		cfg.LoginGrace = 500 * time.Millisecond
		cfg.Startups.Mute, cfg.Startups.Stalled = time.Hour, time.Hour
	})
	header := func(version byte, client string) *proxyproto.Header {
		return proxyproto.HeaderProxyFromAddrs(version,
			&net.TCPAddr{IP: net.ParseIP(client), Port: 4711}, &net.TCPAddr{IP: net.ParseIP("192.0.2.1"), Port: 22})
	}
	local := &proxyproto.Header{Version: 2, Command: proxyproto.LOCAL, TransportProtocol: proxyproto.UNSPEC}
	call := func(from string, h *proxyproto.Header) error {
		conn := c.mustDialFrom(from)
		if h != nil {
			_, err := h.WriteTo(conn)
			require.NoError(t, err)
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
	for i := range 6 {
		conn := c.mustDialFrom("127.0.9.1")
		_, err := header(2, "203.0.113.9").WriteTo(conn)
		require.NoError(t, err)
		line, err := firstLine(conn)
		require.NoError(t, err)
		require.Equal(t, i == 5, gate.IsRefusal(line), "connection %d", i)
	}
	require.NoError(t, call("127.0.9.1", header(2, "203.0.113.10")))
}

func newRSAKey(tb testing.TB, bits int) gossh.Signer {
	tb.Helper()
	k, err := rsa.GenerateKey(rand.Reader, bits)
	require.NoError(tb, err)
	s, err := gossh.NewSignerFromKey(k)
	require.NoError(tb, err)
	return s
}

func TestKeysAndNothingElse(t *testing.T) {
	c := open(t, whoami, func(cfg *gate.Config) {
		cfg.Startups.PerSource = 100
		cfg.Penalties.AuthFail = 0
	})
	_, err := c.login("127.0.0.1", gossh.Password(""))
	require.ErrorContains(t, err, "attempted methods [none]", "passwords are not offered")

	// A client that prefers to be a guest may be one.
	out, _, _ := run(c.mustLogin("127.0.0.1", guestAuth(t), gossh.PublicKeys(newKey(t))), "x")
	require.Equal(t, "guest", out)

	refused := make(chan string, 1)
	c = open(t, handlerFunc(func(_ context.Context, call *gate.Call) int {
		refused <- call.KeyRefused
		return 0
	}), nil)
	_, _, err = run(c.mustLogin("127.0.0.1", gossh.PublicKeys(newRSAKey(t, 1024)), guestAuth(t)), "x")
	require.NoError(t, err)
	require.Contains(t, <-refused, "1024 bits", "the guest can be told why the key did not count")
}

func TestGuestsCanBeKeptOut(t *testing.T) {
	c := open(t, whoami, func(cfg *gate.Config) { cfg.Guests = false })
	_, err := c.login("127.0.0.1")
	require.ErrorContains(t, err, "attempted methods [none]")
	c.mustLogin("127.0.0.1", gossh.PublicKeys(newKey(t)))
}

// twoFaced is a key that is offered as another one than it signs with.
type twoFaced struct {
	gossh.Signer
	offered gossh.PublicKey
	format  string
	asked   int
	sign    func() (*gossh.Signature, error)
}

func (k *twoFaced) PublicKey() gossh.PublicKey { return twoFacedKey{k.offered, k} }

func (k *twoFaced) SignWithAlgorithm(r io.Reader, data []byte, algo string) (*gossh.Signature, error) {
	if k.sign != nil {
		return k.sign()
	}
	return k.Signer.Sign(r, data)
}

type twoFacedKey struct {
	gossh.PublicKey
	k *twoFaced
}

// Marshal gives the offered key to the query and to the check of its answer, and the other one to the
// signed request, which is how often and when the client library asks.
func (p twoFacedKey) Marshal() []byte {
	p.k.asked++
	if p.k.asked <= 2 {
		return p.k.offered.Marshal()
	}
	return p.k.Signer.PublicKey().Marshal()
}

func TestAnOfferedKeyProvesNothing(t *testing.T) {
	c := open(t, whoami, nil)
	victim, own := newKey(t), newKey(t)
	liar := &twoFaced{Signer: own, offered: victim.PublicKey()}
	out, _, _ := run(c.mustLogin("127.0.0.1", gossh.PublicKeys(liar)), "x")
	require.Equal(t, 3, liar.asked, "the victim's key was offered")
	require.Equal(t, gossh.FingerprintSHA256(own.PublicKey()), out)
}

// hugeKey is an RSA key of 16,384 bits that nobody holds; checking a signature of it costs the same.
type hugeKey struct {
	gossh.Signer
	pub gossh.PublicKey
}

func newHugeKey(tb testing.TB) gossh.PublicKey {
	tb.Helper()
	n, err := rand.Int(rand.Reader, new(big.Int).Lsh(big.NewInt(1), 16384))
	require.NoError(tb, err)
	n.SetBit(n, 16383, 1).SetBit(n, 0, 1)
	key, err := gossh.NewPublicKey(&rsa.PublicKey{N: n, E: 1<<24 - 1})
	require.NoError(tb, err)
	return key
}

func (k hugeKey) PublicKey() gossh.PublicKey { return k.pub }

func TestAHugeKeyIsCheap(t *testing.T) {
	c := open(t, whoami, func(cfg *gate.Config) { cfg.Penalties.AuthFail, cfg.Penalties.NoAuth = 0, 0 })
	huge := newHugeKey(t)
	const few = 10 * time.Millisecond

	// Offered: refused for its size, and the client goes on.
	out, _, _ := run(c.mustLogin("127.0.0.1", gossh.PublicKeys(hugeKey{newKey(t), huge}), guestAuth(t)), "x")
	require.Equal(t, "guest", out)

	// Signed with at once, without an offer: the library verifies before it looks at the refusal.
	// The shortest of some tries is what it costs; the others are what the machine did besides.
	best := time.Hour
	for range 10 {
		var signed time.Time
		liar := &twoFaced{Signer: hugeKey{newKey(t), huge}, offered: newRSAKey(t, 2048).PublicKey()}
		liar.sign = func() (*gossh.Signature, error) {
			blob := make([]byte, 2048)
			_, _ = rand.Read(blob)
			signed = time.Now()
			return &gossh.Signature{Format: gossh.KeyAlgoRSASHA512, Blob: blob}, nil
		}
		_, err := c.login("127.0.0.1", gossh.PublicKeys(liar))
		require.Error(t, err)
		require.False(t, signed.IsZero(), "the key that was offered first is accepted")
		best = min(best, time.Since(signed))
	}
	require.Less(t, best, few)
	t.Logf("a signature of a 16,384-bit key costs %s", best)
}

// The client that nearly everybody has, with a key, without one, and with one it may not use.
func TestOpenSSH(t *testing.T) {
	ssh, err := exec.LookPath("ssh")
	if err != nil {
		t.Skip("there is no ssh here")
	}
	c := open(t, whoami, nil)
	dir := t.TempDir()
	keys, made, err := gate.LoadHostKeys(dir) // any key file
	require.NoError(t, err)
	host, port, err := net.SplitHostPort(c.addr)
	require.NoError(t, err)

	for name, tc := range map[string]struct {
		args []string
		want string
	}{
		"key":          {[]string{"-i", made}, gossh.FingerprintSHA256(keys[0].PublicKey())},
		"no key":       {[]string{"-i", filepath.Join(dir, "none")}, "guest"},
		"key not used": {[]string{"-i", made, "-o", "PubkeyAuthentication=no"}, "guest"},
		"agent":        {[]string{"-A", "-i", made}, gossh.FingerprintSHA256(keys[0].PublicKey())},
		"no terminal":  {[]string{"-T", "-i", made}, gossh.FingerprintSHA256(keys[0].PublicKey())},
	} {
		t.Run(name, func(t *testing.T) {
			ctx, cancel := context.WithTimeout(t.Context(), patience)
			defer cancel()
			args := append([]string{"-F", "none", "-p", port, "-o", "StrictHostKeyChecking=no", "-o", "IdentitiesOnly=yes",
				"-o", "UserKnownHostsFile=/dev/null", "-o", "LogLevel=ERROR", "-o", "IdentityAgent=none"}, tc.args...)
			cmd := exec.CommandContext(ctx, ssh, append(args, "someone@"+host, "one two")...)
			out, err := cmd.Output()
			var exit *exec.ExitError
			require.ErrorAs(t, err, &exit)
			require.Equal(t, 2, exit.ExitCode(), "%s", exit.Stderr)
			require.Equal(t, tc.want, string(out))
		})
	}
}

func TestHostKeysAreMadeOnce(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "a", "host_keys")
	first, made, err := gate.LoadHostKeys(dir)
	require.NoError(t, err)
	require.Len(t, first, 1)
	require.Equal(t, gossh.KeyAlgoED25519, first[0].PublicKey().Type())
	info, err := os.Stat(made)
	require.NoError(t, err)
	require.Equal(t, os.FileMode(0o600), info.Mode().Perm())
	files, err := os.ReadDir(dir)
	require.NoError(t, err)
	require.Len(t, files, 2, "the key and its public half, nothing else")

	again, made, err := gate.LoadHostKeys(dir)
	require.NoError(t, err)
	require.Empty(t, made)
	require.Equal(t, first[0].PublicKey().Marshal(), again[0].PublicKey().Marshal())

	require.NoError(t, os.WriteFile(filepath.Join(dir, "ssh_host_rsa_key"), []byte("half a ke"), 0o600))
	_, _, err = gate.LoadHostKeys(dir)
	require.ErrorContains(t, err, "ssh_host_rsa_key")
}
