package gate

import (
	"context"
	"net"
	"testing"
	"testing/synctest"

	"github.com/stretchr/testify/require"
)

// Between the key exchange and the login, no more is read than the library keeps; the rest waits until the client is asked to log in,
// or its line has ended.
func TestLittleIsReadBeforeLogin(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		cfg := DefaultConfig()
		s := &Server{cfg: cfg, returning: newRecent[source](maxReturning, cfg.Now)}
		s.ctx, s.cancel = context.WithCancelCause(t.Context())
		ours, theirs := net.Pipe()
		l := newLine(s, ours, addrOf(ours.RemoteAddr()))
		l.greeting = len("SSH-") // it has come
		defer l.end(ReasonDone)
		read := func() int {
			n, err := l.Read(make([]byte, 4096))
			require.NoError(t, err)
			return n
		}
		go func() {
			for range 4 {
				_, _ = theirs.Write(make([]byte, 1000))
			}
		}()
		require.Equal(t, 1000, read())
		l.signed.Store(true)
		require.Equal(t, mostEarly, read())
		more := make(chan int)
		go func() { more <- read() }()
		synctest.Wait()
		require.Empty(t, more)
		l.keyed.Store(true)
		close(l.login)
		require.Equal(t, 1000-mostEarly, <-more)
		require.Equal(t, 1000, read())
	})
}
