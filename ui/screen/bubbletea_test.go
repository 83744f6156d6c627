package screen_test

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"strings"
	"testing"

	tea "charm.land/bubbletea/v2"
	"github.com/charmbracelet/colorprofile"
	"github.com/hinshun/vt10x"
	"github.com/stretchr/testify/require"

	"boneyard/ui/screen"
)

// model is the smallest model that shows its page through a screen.
type model struct {
	scr  *screen.Screen
	size tea.WindowSizeMsg
	keys []string
}

func (m model) Init() tea.Cmd { return nil }

func (m model) Update(msg tea.Msg) (tea.Model, tea.Cmd) {
	switch msg := msg.(type) {
	case tea.WindowSizeMsg:
		m.size = msg
		m.scr.Repaint()
	case tea.KeyPressMsg:
		if msg.String() == "q" {
			return m, tea.Quit
		}
		m.keys = append(m.keys, msg.String())
	}
	return m, nil
}

func (m model) View() tea.View {
	if m.size.Width > 0 {
		m.scr.Show(screen.NewFrame(screen.Content{
			Width: m.size.Width, Height: m.size.Height,
			Lines: []string{"boneyard", fmt.Sprint("keys: ", strings.Join(m.keys, " "))},
		}))
	}
	return tea.View{}
}

// session is the terminal.
type session struct {
	vt    vt10x.Terminal
	first []byte
	shows chan string // the content after each write
}

func (s *session) Write(p []byte) (int, error) {
	if s.first == nil {
		s.first = bytes.Clone(p)
	}
	n, err := s.vt.Write(p)
	s.shows <- s.vt.String()
	return n, err
}

// The program of the package comment: Bubble Tea reads the input and runs the model, and only the screen
// writes.
func TestWithBubbleTea(t *testing.T) {
	s := &session{vt: vt10x.New(vt10x.WithSize(40, 6)), shows: make(chan string, 100)}
	before := s.vt.Mode()
	scr := screen.New(s)
	in, keys := io.Pipe()
	var other bytes.Buffer // what Bubble Tea itself writes
	p := tea.NewProgram(model{scr: scr},
		tea.WithInput(in),
		tea.WithOutput(&other),
		tea.WithoutRenderer(),
		tea.WithColorProfile(colorprofile.ANSI256),
		tea.WithFPS(1),
		tea.WithWindowSize(40, 6),
		tea.WithoutSignalHandler(),
	)
	ended := make(chan error, 1)
	go func() {
		_, err := p.Run()
		ended <- errors.Join(err, scr.Leave())
	}()
	waitFor := func(want string) {
		for got := range s.shows {
			if strings.Contains(got, want) {
				return
			}
		}
	}
	waitFor("boneyard")
	require.Contains(t, string(s.first), "\x1b[?1049h", "the screen sets the modes, with its first write")
	for i, key := range []string{"6", "4", "up"} {
		_, err := keys.Write([]byte(map[string]string{"up": "\x1b[A"}[key] + strings.TrimPrefix(key, "up")))
		require.NoError(t, err)
		waitFor("keys: " + strings.Join([]string{"6", "4", "up"}[:i+1], " "))
	}
	_, err := keys.Write([]byte("q"))
	require.NoError(t, err)
	require.NoError(t, <-ended)
	require.Equal(t, before, s.vt.Mode())
	require.True(t, s.vt.CursorVisible())
	require.Empty(t, other.String())
	require.NoError(t, keys.Close())
}
