package ui_test

import (
	"context"
	"io"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"boneyard/lobby"
	"boneyard/lobby/text"
	"boneyard/ui"
	"boneyard/ui/feature"
	"boneyard/ui/page"
	"boneyard/ui/page/clubtest"
)

// reading is input that is always ready, and read by a function.
type reading func() (int, error)

func (r reading) Read([]byte) (int, error) { return r() }

func (reading) Ready() <-chan struct{} {
	ready := make(chan struct{})
	close(ready)
	return ready
}

// A panic anywhere in a session ends it, and restores the terminal.
func TestAPanicEndsTheSession(t *testing.T) {
	for name, change := range map[string]func(*ui.Session){
		"reading": func(s *ui.Session) {
			s.In = reading(func() (int, error) { panic("a mistake while reading") })
		},
		"page": func(s *ui.Session) {
			s.Origin.Operator, s.Start.Kind = true, page.Admin
			s.Figures = func() []page.Figure { panic("a mistake of a page") }
		},
	} {
		t.Run(name, func(t *testing.T) {
			club := clubtest.Open(t)
			c := sit(t, club, nil, 80, 24, change)
			var err error
			select {
			case err = <-c.ended:
			case <-time.After(patience):
				t.Fatal("the session does not end")
			}
			var caught *ui.PanicError
			require.ErrorAs(t, err, &caught)
			require.Contains(t, caught.Value, "a mistake")
			require.Contains(t, string(caught.Stack), "trap_test.go")
			c.mu.Lock()
			raw := c.raw.String()
			c.mu.Unlock()
			require.Equal(t, strings.Count(raw, "\x1b[?1049h"), strings.Count(raw, "\x1b[?1049l"))
			require.Zero(t, club.Stats().Sessions, "nobody is left behind")
		})
	}
}

// A session that ends with a reason for the person prints it.
func TestTheEndSaysWhy(t *testing.T) {
	club := clubtest.Open(t)
	ctx, cancel := context.WithCancelCause(t.Context())
	var out strings.Builder
	s := &ui.Session{
		Caller: feature.Caller{Club: club.Lobby, Origin: lobby.Origin{Net: "10.1.1.1"}, Out: &out}, Term: "xterm",
		Size: ui.Size{Width: 80, Height: 24},
		In: reading(func() (int, error) {
			cancel(text.Refusal("You have thought about it for too long."))
			return 0, io.EOF
		}),
	}
	require.NoError(t, ui.Run(ctx, s))
	require.True(t, strings.HasSuffix(out.String(), "You have thought about it for too long.\r\n"), "%q", out.String())
}
