package line_test

import (
	"context"
	"fmt"
	"io"
	"log/slog"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/require"

	"boneyard/lobby"
	"boneyard/lobby/lobbytest"
	"boneyard/ui/feature"
	"boneyard/ui/line"
)

// club is a club with people who type.
type club struct{ *lobbytest.Club }

// bubble runs a test with a club, in which time stands still while anybody works.
func bubble(t *testing.T, f func(t *testing.T, c *club), change ...func(*lobby.Config)) {
	t.Helper()
	lobbytest.Bubble(t, func(t *testing.T, c *lobbytest.Club) { f(t, &club{c}) }, change...)
}

// person is somebody in line mode, who knows nothing but the text they read.
type person struct {
	t      *testing.T
	key    *lobby.KeyID
	in     *io.PipeWriter
	cancel context.CancelFunc
	done   chan struct{}
	err    error

	mu   sync.Mutex
	all  strings.Builder // all that ever came
	read int             // how much of it has been looked at
	sent int
}

// Write implements io.Writer: text has come.
func (p *person) Write(b []byte) (int, error) {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.all.Write(b)
}

// key makes a key; its holder has an account if name is not empty.
func (c *club) key(name string) *lobby.KeyID {
	c.T.Helper()
	key := c.NewKey()
	if name != "" {
		_, err := c.Register(context.Background(), lobby.Origin{Key: key}, name)
		require.NoError(c.T, err)
	}
	return &key
}

// come lets somebody in; a nil key is a guest's.
func (c *club) come(key *lobby.KeyID, change ...func(*line.Session)) *person {
	c.T.Helper()
	in, w := io.Pipe()
	ctx, cancel := context.WithCancel(context.Background())
	p := &person{t: c.T, key: key, in: w, cancel: cancel, done: make(chan struct{})}
	s := line.Session{
		Caller: feature.Caller{Club: c.Lobby, Key: key, User: "somebody", Address: "club.example.org", Out: p,
			Log: slog.New(slog.DiscardHandler), Origin: lobby.Origin{Net: "10.9.9.9"}},
		In: in, Err: p, Size: line.Size{Width: 80},
	}
	if key != nil {
		s.Origin = lobby.Origin{Key: *key, Net: fmt.Sprintf("10.0.%d.%d", key[2], key[1])}
		if a, err := c.Account(ctx, *key); err == nil {
			s.Account = a
		}
	}
	for _, f := range change {
		f(&s)
	}
	go func() {
		defer close(p.done)
		p.err = line.Run(ctx, &s)
		_ = in.Close() // as the server does
	}()
	p.settle()
	return p
}

// settle waits until nobody works any more.
func (p *person) settle() { synctest.Wait() }

// fresh is what has come since it was asked last.
func (p *person) fresh() string {
	p.settle()
	p.mu.Lock()
	defer p.mu.Unlock()
	s := p.all.String()[p.read:]
	p.read = p.all.Len()
	return s
}

// text is all that ever came.
func (p *person) text() string {
	p.settle()
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.all.String()
}

// typing types keys as they are.
func (p *person) typing(keys string) {
	p.t.Helper()
	_, err := io.WriteString(p.in, keys)
	require.NoError(p.t, err)
	p.settle()
}

// say types a line and returns what comes.
func (p *person) say(format string, args ...any) string {
	p.t.Helper()
	p.fresh()
	p.sent++
	if p.sent%8 == 0 {
		time.Sleep(10 * time.Second) // the limits of typing and of commands
	}
	p.typing(fmt.Sprintf(format, args...) + "\n")
	time.Sleep(600 * time.Millisecond) // what the club publishes in batches
	return p.fresh()
}

// wants types a line whose answer must hold each text.
func (p *person) wants(line string, texts ...string) string {
	p.t.Helper()
	got := p.say("%s", line)
	for _, s := range texts {
		require.Contains(p.t, flat(got), s, "after %q", line)
	}
	return got
}

// flat takes out how lines were broken.
func flat(s string) string { return strings.Join(strings.Fields(s), " ") }

// hangUp ends the input, and waits for the end of the session.
func (p *person) hangUp() {
	p.t.Helper()
	_ = p.in.Close()
	<-p.done
	require.NoError(p.t, p.err)
}
