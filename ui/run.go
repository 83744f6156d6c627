package ui

import (
	"cmp"
	"context"
	"errors"
	"io"
	"log/slog"
	"strings"
	"time"

	tea "charm.land/bubbletea/v2"

	"boneyard/lobby"
	"boneyard/lobby/text"
	"boneyard/table"
	"boneyard/ui/page"
	"boneyard/ui/screen"
	"boneyard/ui/theme"
)

// Size is a terminal's size in columns and rows.
type Size = struct{ Width, Height int }

// Session is one person at one terminal, as the server hands it over.
type Session struct {
	Club    *lobby.Lobby
	Account *lobby.Account // nil: not known yet, or a guest
	Key     *lobby.KeyID   // nil for a guest
	Origin  lobby.Origin
	User    string      // the name that was given to ssh, cleaned; it proposes a name on the first visit
	Address string      // for invitations, the part of the ssh command that names this club: "-p 2222 localhost"
	Start   page.Target // where the person wants to go at once

	In      Input
	Out     io.Writer // its Write must fail where the terminal takes nothing for long
	Term    string    // the terminal's name
	Env     []string  // NAME=value, as far as the server lets it through
	Size    Size
	Resizes <-chan Size // the window's next sizes
	Log     *slog.Logger
	Version string // of the server, for the settings; may be empty

	Figures func() []page.Figure // what the server says of itself, for operators; nil for others

	// Moved is told where the person is, as it changes. It must not wait for long, and may be nil.
	Moved func(page.Target)
	// Entered is told who the person is in the club, once. The same holds for it.
	Entered func(table.Player)
}

// Run shows the club until the person leaves, is disconnected, or the context ends. The terminal is as before
// when it returns. If the context ends, the person reads its cause where that is a [text.Refusal], and
// otherwise that the server goes down. The error is a *[PanicError] if something panicked.
//
// The program has neither Bubble Tea's renderer, for which package screen stands, nor its reader, for which
// package input stands: an idle session keeps a few kilobytes and runs nothing.
func Run(ctx context.Context, s Session) error {
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	scr := screen.New(s.Out, screen.Options{})
	m := newModel(ctx, s, scr)
	m.trap.end = cancel
	p := tea.NewProgram(m,
		tea.WithContext(ctx),
		tea.WithInput(nil),
		tea.WithOutput(io.Discard),
		tea.WithoutRenderer(),
		tea.WithColorProfile(m.profile), // or it looks at the server's own environment
		tea.WithEnvironment([]string{"TERM=" + s.Term}),
		tea.WithFPS(1), // until stopTicker; the lowest there is
		tea.WithWindowSize(s.Size.Width, s.Size.Height),
		tea.WithoutSignalHandler(),
		tea.WithFilter(filter),
	)
	m.stopTicker = func() { _ = p.ReleaseTerminal() } // there is no terminal whose state it could fail to restore
	m.send = func(msg tea.Msg) { m.pass(msg, p.Send) }
	m.listener.start(ctx, s.In, s.Resizes, m.send)
	_, err := p.Run()
	lost := ctx.Err() != nil // the line, or the server is going down: nothing that went wrong here
	m.end()
	cancel()
	m.listener.join()
	if lost && errors.Is(err, tea.ErrProgramKilled) && !errors.Is(err, tea.ErrProgramPanic) {
		err = nil
	}
	if caught := m.trap.err(); caught != nil {
		err = caught
	} else if why := text.Refusal(""); lost && errors.As(context.Cause(ctx), &why) {
		m.goodbye = why.Error()
	} else if lost { // by the server, or nobody reads it
		m.goodbye = cmp.Or(m.goodbye, lobby.NoticeDraining)
	}
	if left := scr.Leave(); !lost {
		err = errors.Join(err, left)
	}
	if m.goodbye != "" && scr.Err() == nil {
		lines := page.Wrap(text.Printable(m.goodbye), m.size().Width)
		_, _ = io.WriteString(s.Out, strings.Join(lines, "\r\n")+"\r\n") // the line may be gone; nobody is left to tell
	}
	return err
}

// The largest window that is drawn: clients may claim any size.
const (
	maxWidth  = 500
	maxHeight = 200
)

// filter keeps what a terminal must not do to a server away from the program: suspending it, and windows of
// absurd size. So it does with what Bubble Tea tells at the beginning, which the session knows: each would be
// an update and a frame.
func filter(m tea.Model, msg tea.Msg) tea.Msg {
	switch msg := msg.(type) {
	case tea.ColorProfileMsg, tea.EnvMsg:
		return nil
	case tea.SuspendMsg:
		return tea.ResumeMsg{}
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

// toastTime is how long a line at the foot of the screen stays, if no key takes it away.
const toastTime = 8 * time.Second

// styleFor chooses the theme of a session from its settings; dark is what the terminal says of its
// background.
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
