package gate

import (
	"crypto/ed25519"
	"io"
	"net"
	"net/netip"
	"os"
	"slices"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/require"
	gossh "golang.org/x/crypto/ssh"
	"golang.org/x/time/rate"
)

// pipeLine returns a line with the default limits, and the client's end of it.
func pipeLine(t *testing.T) (*line, net.Conn) {
	t.Helper()
	cfg := DefaultConfig()
	key, err := gossh.NewSignerFromSigner(ed25519.NewKeyFromSeed(make([]byte, ed25519.SeedSize)))
	require.NoError(t, err)
	cfg.HostKeys = []gossh.Signer{key}
	s, err := New(cfg, nil)
	require.NoError(t, err)
	return pipeLineOf(t, s)
}

// pipeLineOf does the same on a server of one's own.
func pipeLineOf(t *testing.T, s *Server) (*line, net.Conn) {
	t.Helper()
	ours, theirs := net.Pipe()
	l := newLine(s, ours, netip.MustParseAddr("192.0.2.1"))
	t.Cleanup(func() {
		l.end(ReasonDone)
		_ = theirs.Close()
		l.join()
	})
	return l, theirs
}

func TestASilentLineIsFoundWithin45Seconds(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		l, client := pipeLine(t)
		go func() { _, _ = io.Copy(io.Discard, l) }()
		_, err := io.WriteString(client, "SSH-")
		require.NoError(t, err)
		asked := make(chan time.Time, 10)
		require.True(t, l.begin(func() {
			asked <- time.Now()
			<-l.done // no answer
		}))
		time.Sleep(7 * time.Second)
		_, err = io.WriteString(client, "x") // its last sign of life
		require.NoError(t, err)
		last := time.Now()
		<-l.done
		slack := 15 * time.Second / 16
		require.InDelta(t, 45*time.Second-slack/2, time.Since(last), float64(slack/2))
		require.Equal(t, ReasonSilent, l.reason())
		require.InDelta(t, 15*time.Second-slack/2, (<-asked).Sub(last), float64(slack/2))
		require.Empty(t, asked, "one question at a time")
	})
}

func TestALineThatAnswersLives(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		l, client := pipeLine(t)
		go func() { _, _ = io.Copy(io.Discard, l) }()
		_, err := io.WriteString(client, "SSH-")
		require.NoError(t, err)
		var asked atomic.Int64
		require.True(t, l.begin(func() {
			asked.Add(1)
			time.Sleep(time.Second) // a slow way there and back
			_, _ = io.WriteString(client, "yes")
		}))
		time.Sleep(24 * time.Hour)
		require.Empty(t, l.reason())
		require.InDelta(t, 24*60*60/15.5, asked.Load(), 24*60*60/15.5*0.04, "one packet in 15 seconds of silence, hardly more")
	})
}

// A server that stood still, as on a paused machine, has unread input. It must ask before it gives up a
// client.
func TestAServerThatStoodStillAsksFirst(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		l, client := pipeLine(t)
		go func() { _, _ = io.Copy(io.Discard, l) }()
		_, err := io.WriteString(client, "SSH-")
		require.NoError(t, err)
		require.True(t, l.begin(func() { _, _ = io.WriteString(client, "yes") }))
		for range 3 {
			time.Sleep(7 * time.Second)
			l.heard.Add(-int64(time.Minute))
			time.Sleep(time.Minute)
			require.Empty(t, l.reason())
		}
	})
}

// Lines that fell silent at different times are asked together.
func TestLinesAreAskedTogether(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		first, _ := pipeLine(t)
		s := first.srv
		var asked []time.Time
		var mu sync.Mutex
		for range 100 {
			l, client := pipeLineOf(t, s)
			go func() { _, _ = io.Copy(io.Discard, l) }()
			_, err := io.WriteString(client, "SSH-")
			require.NoError(t, err)
			require.True(t, l.begin(func() {
				mu.Lock()
				defer mu.Unlock()
				asked = append(asked, time.Now())
			}))
			time.Sleep(20 * time.Millisecond)
		}
		time.Sleep(16 * time.Second)
		mu.Lock()
		defer mu.Unlock()
		require.Len(t, asked, 100)
		require.LessOrEqual(t, len(slices.Compact(asked)), 4, "moments at which two seconds' lines were asked")
	})
}

func TestAWriteWaitsTenSeconds(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		l, client := pipeLine(t)
		began := time.Now()
		_, err := l.Write([]byte("nobody reads this"))
		require.ErrorIs(t, err, os.ErrDeadlineExceeded)
		require.Equal(t, 10*time.Second, time.Since(began))
		require.Equal(t, ReasonStall, l.reason())
		_, err = client.Read(make([]byte, 1))
		require.ErrorIs(t, err, io.EOF)
	})
}

func TestALineIsSlowedDownToItsRate(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		l, client := pipeLine(t)
		in := DefaultConfig().Input
		l.unread = rate.NewLimiter(rate.Inf, in.LineBurst) // as with a terminal
		total := in.LineBurst + 2*in.LineRate
		began := time.Now()
		go func() {
			_, _ = client.Write(append([]byte("SSH-"), make([]byte, total-4)...))
		}()
		_, err := io.CopyN(io.Discard, l, int64(total))
		require.NoError(t, err)
		require.InDelta(t, 2, time.Since(began).Seconds(), 0.01)

		go func() { _, _ = client.Write(make([]byte, 8<<20)) }()
		_, err = io.Copy(io.Discard, l)
		require.Error(t, err)
		require.Equal(t, ReasonFlood, l.reason(), "one who goes on is ended")
	})
}
