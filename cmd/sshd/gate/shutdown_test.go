package gate_test

import (
	"context"
	"errors"
	"io"
	"net"
	"regexp"
	"sync"
	"testing"
	"time"

	"boneyard/cmd/sshd/gate"

	"github.com/stretchr/testify/require"
)

// goodbye says goodbye when the server drains, and notes the order of things.
type goodbye struct {
	opened  chan struct{}
	drained chan struct{}
}

func (f goodbye) Serve(ctx context.Context, c *gate.Call) int {
	f.opened <- struct{}{}
	<-ctx.Done()
	if !errors.Is(context.Cause(ctx), gate.ErrServerClosed) {
		return 1
	}
	select {
	case <-f.drained:
		_, _ = io.WriteString(c.Out, "Please call again in a minute.")
		return 0
	default:
		return 2
	}
}

func (f goodbye) Drain(context.Context) { close(f.drained) }

func TestShutdownSaysGoodbye(t *testing.T) {
	f := goodbye{make(chan struct{}, 3), make(chan struct{})}
	c := open(t, f, nil)
	type end struct {
		out string
		err error
	}
	ends := make(chan end)
	for range 3 {
		cl := c.mustLogin("127.0.0.1")
		go func() {
			out, _, err := run(cl, "x")
			ends <- end{out, err}
		}()
		<-f.opened
	}
	early := c.mustDialFrom("127.0.0.1") // not logged in
	_, err := firstLine(early)
	require.NoError(t, err)

	began := time.Now()
	var shut sync.WaitGroup
	shut.Go(c.shut)
	for range 3 {
		e := <-ends
		require.NoError(t, e.err)
		require.Equal(t, "Please call again in a minute.", e.out)
	}
	requireClosed(t, early)
	shut.Wait()
	closed := regexp.MustCompile(`msg="session closed".* why=(\w+)`).FindAllStringSubmatch(c.log(), -1)
	require.Len(t, closed, 3)
	for _, m := range closed {
		require.Equal(t, "shutdown", m[1], "in the log and in the metrics they ended because the server did")
	}
	require.Error(t, errOf(net.Dial("tcp", c.addr)), "nobody else is let in")
	require.Less(t, time.Since(began), patience/2, "not when the time for it is over")
}

func TestShutdownDoesNotWaitForever(t *testing.T) {
	release := make(chan struct{})
	opened := make(chan struct{}, 1)
	c := open(t, handlerFunc(func(context.Context, *gate.Call) int {
		opened <- struct{}{}
		<-release
		return 0
	}), nil)
	cl := c.mustLogin("127.0.0.1")
	request(t, session(t, cl), "shell", nil)
	<-opened
	ctx, cancel := context.WithTimeout(t.Context(), 300*time.Millisecond)
	defer cancel()
	require.ErrorIs(t, c.server.Shutdown(ctx), context.DeadlineExceeded)
	require.Error(t, cl.Wait(), "the line is closed all the same")
	close(release)
}

func TestServeAfterShutdown(t *testing.T) {
	c := open(t, whoami, nil)
	c.shut()
	ln, err := net.Listen("tcp", "127.0.0.1:0")
	require.NoError(t, err)
	require.ErrorIs(t, c.server.Serve(ln), gate.ErrServerClosed)
	require.Error(t, errOf(ln.Accept()), "and the listener is closed")
}
