package main

import (
	"context"
	"errors"
	"io"
	"os"
	"time"

	"charm.land/bubbles/v2/key"
	tea "charm.land/bubbletea/v2"
	"github.com/charmbracelet/colorprofile"
	"github.com/charmbracelet/x/ansi"
	"github.com/charmbracelet/x/term"

	"boneyard/lobby/text"
	"boneyard/rules/record"
	"boneyard/rules/replay"
	"boneyard/ui/games/viewer"
	"boneyard/ui/page"
	plaintext "boneyard/ui/plain"
	"boneyard/ui/screen"
	"boneyard/ui/theme"
)

// replayer is the program that shows one record on a local terminal: the pages' viewer in its own frame.
type replayer struct {
	viewer  *viewer.Viewer
	title   string
	fault   string // where the record is damaged; empty if it is not
	look    look
	profile colorprofile.Profile
	theme   *theme.Theme
	screen  *screen.Screen

	width, height int
	ticking       time.Time // when the last requested tick is due
}

var (
	keyLeave = page.Bind("q", "leave", "q", "ctrl+c", "ctrl+d")
	keyQuit  = page.Bind("ctrl+c", "leave", "ctrl+c", "ctrl+d")
)

func newReplayer(rec *replay.Record, title string, fault *record.Error, l look) *replayer {
	p := &replayer{viewer: viewer.New(rec, ""), title: text.Printable(title), look: l, profile: theme.Detect(os.Getenv("TERM"), os.Environ())}
	if fault != nil {
		p.fault = "The record is damaged: " + plaintext.Sentence(fault)
	}
	p.style(theme.Dark)
	return p
}

// style chooses the theme; ground is the one for the terminal's background.
func (p *replayer) style(ground theme.Name) {
	if p.look.name != nil {
		ground = *p.look.name
	}
	p.theme = theme.Get(ground, p.profile, p.look.faces)
}

// run shows the record until the person leaves or ctx ends. resized waits for a new window size; it returns
// false when its context ends.
func (p *replayer) run(ctx context.Context, in, out *os.File, resized func(context.Context) (w, h int, ok bool)) error {
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	w, h, err := term.GetSize(out.Fd())
	if err != nil || w < 1 || h < 1 {
		w, h = 80, 24
	}
	p.width, p.height = w, h
	p.resize()
	p.screen = screen.New(out)
	program := tea.NewProgram(p, tea.WithInput(in), tea.WithOutput(io.Discard), tea.WithoutRenderer(),
		tea.WithColorProfile(p.profile), tea.WithFPS(1), tea.WithWindowSize(w, h))
	// Quit, not kill: a killed program, as by its own context, closes its input while still reading from it.
	defer context.AfterFunc(ctx, program.Quit)()
	ended := make(chan struct{})
	go func() {
		defer close(ended)
		for {
			w, h, ok := resized(ctx)
			if !ok {
				return
			}
			program.Send(tea.WindowSizeMsg{Width: w, Height: h})
		}
	}()
	_, err = program.Run()
	cancel()
	<-ended
	if errors.Is(err, tea.ErrProgramKilled) && !errors.Is(err, tea.ErrProgramPanic) || errors.Is(err, tea.ErrInterrupted) {
		err = nil // somebody wanted it to end
	}
	return errors.Join(err, p.screen.Leave())
}

// Init asks the terminal for its background.
func (p *replayer) Init() tea.Cmd {
	p.screen.Ask(ansi.RequestBackgroundColor)
	return nil
}

// Update passes keys and ticks to the viewer.
func (p *replayer) Update(msg tea.Msg) (tea.Model, tea.Cmd) {
	switch msg := msg.(type) {
	case tea.WindowSizeMsg:
		if msg.Width > 0 && msg.Height > 0 {
			p.width, p.height = msg.Width, msg.Height
			p.screen.Repaint()
			p.resize()
		}
		return p, nil
	case tea.BackgroundColorMsg:
		if !msg.IsDark() {
			p.style(theme.Light)
			p.resize()
		}
		return p, nil
	case tea.KeyPressMsg:
		if key.Matches(msg, keyQuit) {
			return p, tea.Quit
		}
		if _, ok := p.viewer.Actions(time.Now()).Press(msg); ok {
			return p, p.clock()
		}
		if key.Matches(msg, keyLeave) && !p.viewer.Typing() {
			return p, tea.Quit
		}
	}
	p.viewer.Update(msg)
	return p, p.clock()
}

// resize tells the viewer its size and theme.
func (p *replayer) resize() {
	_, rows := page.Room(p.height)
	p.viewer.Resize(p.theme, p.width, rows)
}

// clock schedules the viewer's next tick.
func (p *replayer) clock() tea.Cmd {
	next := p.viewer.NextTick()
	if next.IsZero() || next.Equal(p.ticking) {
		return nil
	}
	p.ticking = next
	return tea.Tick(time.Until(next), func(now time.Time) tea.Msg { return page.TickMsg{Now: now} })
}

// View shows the frame; Bubble Tea draws nothing itself.
func (p *replayer) View() tea.View {
	p.screen.Show(p.frame())
	return tea.View{}
}

func (p *replayer) frame() *screen.Frame {
	w, h := p.width, p.height
	top, _ := page.Room(h)
	cursor := p.viewer.Cursor()
	cursor.Y += top
	foot := ""
	if p.fault != "" {
		foot = " " + p.theme.Paint(theme.Bad, ansi.Truncate(p.fault, w-2, p.theme.Glyphs().Ellipsis))
	}
	does := p.viewer.Actions(time.Now())
	if !p.viewer.Typing() {
		does = does.And(keyLeave)
	}
	lines := page.Around(p.theme, w, h, page.Header(p.theme, "Replay",
		text.Fit(p.title, min(text.Width(p.title), max(w-20, 1))), w), p.viewer.Lines(), foot, does)
	return screen.NewFrame(screen.Content{Width: w, Height: h, Lines: lines, Cursor: cursor, Title: "Boneyard: " + p.title})
}
