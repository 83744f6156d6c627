package main

import (
	"net"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"boneyard/cmd/sshd/gate"
)

// hanging is a connection that can go dead: nothing arrives any more, and neither side sees it end.
type hanging struct {
	net.Conn
	dead   chan struct{}
	closed chan struct{}
	once   sync.Once
}

func newHanging(t *testing.T, m *Main, user string) *hanging {
	t.Helper()
	conn, err := (&net.Dialer{LocalAddr: home(user, m.Addr())}).Dial("tcp", m.Addr().String())
	require.NoError(t, err)
	return &hanging{Conn: conn, dead: make(chan struct{}), closed: make(chan struct{})}
}

// Read returns what came before the connection went dead, and then nothing until it is closed.
func (h *hanging) Read(p []byte) (int, error) {
	n, err := h.Conn.Read(p)
	select {
	case <-h.dead:
		<-h.closed
		return 0, net.ErrClosed
	default:
		return n, err
	}
}

// Write sends, or seems to.
func (h *hanging) Write(p []byte) (int, error) {
	select {
	case <-h.dead:
		return len(p), nil
	default:
		return h.Conn.Write(p)
	}
}

// Close is how the test ends it.
func (h *hanging) Close() error {
	h.once.Do(func() { close(h.closed) })
	return h.Conn.Close()
}

// hangingGame starts a game between ana and ben, whose connection can go dead.
func hangingGame(t *testing.T, m *Main) (ana, ben *terminal, line *hanging, number string) {
	t.Helper()
	ana = newcomer(t, m, "ana", 80, 24)
	number = makeTable(ana, "classic target=30", never)
	key := member(t, m, "ben")
	line = newHanging(t, m, "ben")
	ben = sitOn(t, dialOver(t, m, line, key, "ben"), "ben", 80, 24)
	ben.until("the lobby", inLobby)
	ben.join(number)
	ana.press(" ")
	ben.press(" ")
	ana.shows("Round 1")
	ben.shows("Round 1")
	ben.key = key
	return ana, ben, line, number
}

// TestASilentLineIsSeenByTheOthers lets a connection go dead in a game. The server finds that out, and the
// other player reads that the connection was lost; of a player who says goodbye, that they have left.
func TestASilentLineIsSeenByTheOthers(t *testing.T) {
	t.Parallel()
	const interval = time.Second // silence of three of them ends a line; a line that is alive must not seem silent on a busy machine
	m := openClub(t, func(m *Main) { m.tune = func(c *gate.Config) { c.KeepAlive = interval } })
	ana, ben, line, number := hangingGame(t, m)
	close(line.dead)
	ana.shows("ben lost connection")

	fresh := sit(t, m, ben.key, "ben", 80, 24)
	fresh.shows("Table "+number, "Round 1")
	ana.until("ben to be back", func(s string) bool { return !strings.Contains(s, "lost connection") })
	fresh.press("\x03")
	_ = fresh.leaves()
	ana.shows("ben has left")

	fresh = sit(t, m, ben.key, "ben", 80, 24)
	fresh.shows("Table "+number, "Round 1")
	playOut(ana, fresh)
	export(t, m, ana.deals())
}

// TestTheSeatOfAHangingLine: ben comes back from another device before anybody knows that his old connection
// is dead. He has his seat at once, and the other player never reads that he was away.
func TestTheSeatOfAHangingLine(t *testing.T) {
	t.Parallel()
	m := openClub(t) // with the usual intervals: nothing is found in the time of this test
	ana, ben, line, number := hangingGame(t, m)
	close(line.dead)
	fresh := sit(t, m, ben.key, "ben", 120, 40)
	fresh.shows("Table "+number, "Round 1")
	playOut(ana, fresh)
	require.NotContains(t, string(ana.bytes()), "lost connection")
	export(t, m, ana.deals())
}
