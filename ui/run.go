package ui

import (
	"context"
	"errors"
	"io"
	"log/slog"
	"time"

	tea "charm.land/bubbletea/v2"

	"boneyard/lobby"
	"boneyard/lobby/text"
	"boneyard/ui/screen"
	"boneyard/ui/theme"
)

// Size is a terminal's size in columns and rows.
type Size struct{ Width, Height int }

// Session is one person at one terminal, as the server hands it over.
type Session struct {
	Club    *lobby.Lobby
	Account *lobby.Account // nil: not known yet, or a guest
	Key     *lobby.KeyID   // nil for a guest
	Origin  lobby.Origin
	User    string // the name that was given to ssh, cleaned; it proposes a name on the first visit
	Address string // for invitations, the part of the ssh command that names this club: "-p 2222 localhost"
	Start   Start

	In      io.Reader
	Out     io.Writer
	Term    string   // the terminal's name
	Env     []string // NAME=value, as far as the server lets it through
	Size    Size
	Resizes <-chan Size
	OnStall func() // called when the terminal does not take its output; must close the line
	Log     *slog.Logger
}

// Start is where the person wants to go at once. The zero value leads to the lobby, or back to one's seat.
type Start struct {
	Watch int64  // a table's number
	Join  string // a table's code
}

// Run shows the club until the person leaves, the line is lost or the context ends. The terminal is as before when it returns.
func Run(ctx context.Context, s Session) error {
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	scr := screen.New(s.Out, screen.Options{OnStall: func() {
		cancel()
		if s.OnStall != nil {
			s.OnStall()
		}
	}})
	m := newModel(ctx, s, scr)
	p := tea.NewProgram(m,
		tea.WithContext(ctx),
		tea.WithInput(s.In),
		tea.WithOutput(io.Discard),
		tea.WithoutRenderer(),
		tea.WithColorProfile(m.profile),
		tea.WithEnvironment([]string{"TERM=" + s.Term}),
		tea.WithFPS(1), // the lowest; nothing is drawn by it
		tea.WithWindowSize(s.Size.Width, s.Size.Height),
		tea.WithoutSignalHandler(),
		tea.WithoutCatchPanics(), // the server contains a panic to this session, and logs it
		tea.WithFilter(filter),
	)
	done := make(chan struct{})
	defer func() { <-done }()
	go func() {
		defer close(done)
		for {
			select {
			case <-ctx.Done():
				return
			case size, ok := <-s.Resizes:
				if !ok {
					return
				}
				p.Send(tea.WindowSizeMsg{Width: size.Width, Height: size.Height})
			}
		}
	}()
	defer cancel()
	defer m.end()
	_, err := p.Run()
	if errors.Is(err, tea.ErrProgramKilled) && ctx.Err() != nil {
		err = context.Cause(ctx)
	}
	err = errors.Join(err, scr.Leave())
	if m.goodbye != "" && scr.Err() == nil {
		_, _ = io.WriteString(s.Out, text.Printable(m.goodbye)+"\r\n") // the line may be gone; nobody is left to tell
	}
	return err
}

// The largest window that is drawn: clients may claim any size.
const (
	maxWidth  = 500
	maxHeight = 200
)

// filter keeps what a terminal must not do to a server away from the program: suspending it, and windows of absurd size.
func filter(_ tea.Model, msg tea.Msg) tea.Msg {
	switch msg := msg.(type) {
	case tea.SuspendMsg:
		return tea.ResumeMsg{}
	case tea.WindowSizeMsg:
		return clampSize(msg)
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

// styleFor chooses the theme of a session from its settings; dark is what the terminal says of its background.
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
