// Package ui is the club on a terminal: it leads one person from page to page. It knows pages, keys and the
// frame around a page; it does not know SSH, stores or the rules of a game.
package ui

import (
	"cmp"
	"context"
	"errors"
	"io"
	"strings"
	"time"

	tea "charm.land/bubbletea/v2"

	"boneyard/lobby"
	"boneyard/lobby/text"
	"boneyard/ui/feature"
	"boneyard/ui/page"
	"boneyard/ui/screen"
	"boneyard/ui/theme"
)

// Size is a terminal's size in columns and rows.
type Size = struct{ Width, Height int }

// Session is one person at one terminal, as handed over by the server.
type Session struct {
	feature.Caller
	In      feature.Input
	Term    string   // the terminal's name
	Env     []string // NAME=value, if the server accepts the name
	Size    Size
	Resizes <-chan Size // the window's next sizes
	Version string      // of the server, for the settings; may be empty

	Figures func() []page.Figure // the server's figures for operators; nil for others
}

// Run shows the club until the person leaves, is disconnected, or ctx ends, and restores the terminal. If ctx
// ends, Run prints its cause if that is a [text.Refusal], and else that the server shuts down. Run returns a
// *[PanicError] if something panicked.
//
// Package screen replaces Bubble Tea's renderer, and package input its reader, so that an idle session keeps
// a few kilobytes and runs nothing.
func Run(ctx context.Context, s *Session) error {
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	scr := screen.New(s.Out)
	m := newModel(ctx, s, scr)
	m.trap.end = cancel
	p := program(ctx, m)
	m.stopTicker = func() { _ = p.ReleaseTerminal() } // there is no terminal whose state it could fail to restore
	m.send = func(msg tea.Msg) { m.pass(msg, p.Send) }
	m.listener.start(ctx, s.In, s.Resizes, m.send)
	_, err := p.Run()
	lost := ctx.Err() != nil // the connection is lost, or the server shuts down: no error of this session
	m.end()
	cancel()
	m.listener.join()
	if lost && errors.Is(err, tea.ErrProgramKilled) && !errors.Is(err, tea.ErrProgramPanic) {
		err = nil
	}
	if caught := m.trap.err(); caught != nil {
		err = caught
	} else if why, ok := errors.AsType[text.Refusal](context.Cause(ctx)); lost && ok {
		m.goodbye = why.Error()
	} else if lost { // by the server, unless nobody reads it
		m.goodbye = cmp.Or(m.goodbye, lobby.NoticeDraining)
	}
	if left := scr.Leave(); !lost {
		err = errors.Join(err, left)
	}
	if m.goodbye != "" && scr.Err() == nil {
		lines := page.Wrap(text.Printable(m.goodbye), m.size().Width)
		_, _ = io.WriteString(s.Out, strings.Join(lines, "\r\n")+"\r\n") // the connection may be gone
	}
	return err
}

// program returns Bubble Tea's program for a session, see [Run].
func program(ctx context.Context, m *model) *tea.Program {
	return tea.NewProgram(m,
		tea.WithContext(ctx),
		tea.WithInput(nil),
		tea.WithOutput(io.Discard),
		tea.WithoutRenderer(),
		tea.WithColorProfile(m.profile), // or it looks at the server's own environment variables
		tea.WithEnvironment([]string{"TERM=" + m.session.Term}),
		tea.WithFPS(1), // until stopTicker; the lowest there is
		tea.WithWindowSize(m.session.Size.Width, m.session.Size.Height),
		tea.WithoutSignalHandler(),
		tea.WithFilter(filter),
	)
}

// The largest window that is drawn; clients may claim any size.
const (
	maxWidth  = 500
	maxHeight = 200
)

// filter keeps windows of absurd size from the program. It also drops Bubble Tea's first messages, whose content
// the session knows: each would cost an update and a frame.
func filter(m tea.Model, msg tea.Msg) tea.Msg {
	switch msg := msg.(type) {
	case tea.ColorProfileMsg, tea.EnvMsg:
		return nil
	case tea.WindowSizeMsg:
		if size := clampSize(msg); size != m.(*model).size() {
			return size
		}
		return nil
	}
	return msg
}

func clampSize(s tea.WindowSizeMsg) tea.WindowSizeMsg {
	if s.Width < 1 || s.Height < 1 { // some clients send 0×0
		return tea.WindowSizeMsg{Width: 80, Height: 24}
	}
	return tea.WindowSizeMsg{Width: min(s.Width, maxWidth), Height: min(s.Height, maxHeight)}
}

// toastTime is how long a line stays at the foot of the screen, unless a key removes it.
const toastTime = 8 * time.Second

// styleFor chooses a session's theme from its settings and the terminal's background.
func styleFor(s lobby.Settings, m *model) *theme.Theme {
	name, err := theme.ParseName(s.Theme)
	if err != nil {
		name = theme.Dark
		if m.lightGround {
			name = theme.Light
		}
	}
	faces, err := theme.ParseFaces(s.Faces)
	if err != nil {
		faces = theme.Digits
	}
	return theme.Get(name, m.profile, faces)
}
