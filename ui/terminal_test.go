package ui_test

import (
	"io"
	"strings"
	"testing"
	"time"

	"github.com/charmbracelet/x/ansi"
	"github.com/stretchr/testify/require"

	"boneyard/ui"
	"boneyard/ui/page/clubtest"
	"boneyard/ui/theme"
)

// The theme follows the terminal's answer.
func TestTheBackgroundIsAskedForWhereItMatters(t *testing.T) {
	club := clubtest.Open(t)
	for _, tc := range []struct {
		term  string
		env   []string
		asked bool
	}{
		{"xterm-256color", nil, true},
		{"linux", nil, true},
		{"xterm-256color", []string{"NO_COLOR=1"}, false},
		{"vt220", nil, false},
	} {
		t.Run(tc.term, func(t *testing.T) {
			c := sit(t, club, nil, 80, 24, func(s *ui.Session) { s.Term, s.Env = tc.term, tc.env })
			c.sees("1 Lobby")
			c.press("\x1b]11;rgb:ffff/ffff/ffff\x1b\\")
			if tc.asked {
				light := theme.Get(theme.Light, theme.Detect(tc.term, tc.env), theme.Digits).Paint(theme.Accent, "x")
				c.until("the light theme", func(string) bool {
					c.mu.Lock()
					defer c.mu.Unlock()
					return strings.Contains(c.raw.String(), light[len("\x1b["):strings.Index(light, "m")])
				})
			}
			c.press("ctrl+c")
			if raw := c.leaves(); tc.asked {
				require.Contains(t, raw, ansi.RequestBackgroundColor)
			} else {
				require.NotContains(t, raw, ansi.RequestBackgroundColor)
			}
		})
	}
}

// gone is the output of a connection that ends when it is closed.
type gone struct {
	io.Writer
	closed chan struct{}
}

func (g *gone) Write(p []byte) (int, error) {
	select {
	case <-g.closed:
		return 0, io.EOF
	default:
		return g.Writer.Write(p)
	}
}

// Closing the window is nothing that an operator should read about.
func TestADisconnectionIsNoError(t *testing.T) {
	out := &gone{closed: make(chan struct{})}
	c := sit(t, clubtest.Open(t), nil, 80, 24, func(s *ui.Session) {
		out.Writer = s.Out
		s.Out = out
	})
	c.sees("1 Lobby")
	close(out.closed)
	c.keys.hangUp()
	select {
	case err := <-c.ended:
		require.NoError(t, err)
	case <-time.After(patience):
		require.FailNow(t, "the session does not end")
	}
}
