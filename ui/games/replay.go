package games

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"time"

	"charm.land/bubbles/v2/key"
	tea "charm.land/bubbletea/v2"

	"boneyard/lobby"
	"boneyard/rules/record"
	"boneyard/table"
	"boneyard/ui/games/replay"
	"boneyard/ui/page"
	"boneyard/ui/plain"
	"boneyard/ui/screen"
	"boneyard/ui/theme"
)

// Replay is the page on which one game is played again. It loads the record and leaves the rest to the viewer.
type Replay struct {
	env    *page.Env
	id     table.GameID
	viewer *replay.Viewer // nil until the record is there
	fault  string         // what is wrong with the record, a sentence
	coach  *coachSheet    // open over the replay; nil while it is not
}

var keyExport = page.Bind("x", "export", "x")

// NewReplay returns the page for a finished game.
func NewReplay(e *page.Env, id table.GameID) *Replay { return &Replay{env: e, id: id} }

// loadedMsg is a record that has come.
type loadedMsg struct {
	rec    *replay.Record
	ending string
	err    error
}

// Init loads the record.
func (p *Replay) Init() tea.Cmd {
	return p.env.Call(func(ctx context.Context) tea.Msg {
		info, lines, err := p.env.Visit.Record(ctx, p.id)
		if err != nil {
			return loadedMsg{err: err}
		}
		rec, err := replay.Read(strings.NewReader(strings.Join(lines, "\n") + "\n"))
		return loadedMsg{rec, ending(&info), err}
	})
}

// ending tells how a game ended that was not played to its end, of which the record says nothing.
func ending(g *lobby.GameInfo) string {
	switch g.Ending {
	case table.EndAbandoned:
		return "The game was abandoned: it has no result."
	case table.EndForfeit:
		return fmt.Sprintf("The game was forfeited: %s won.", sideName(g, g.Winner))
	}
	return ""
}

// Title names the game.
func (p *Replay) Title() string { return fmt.Sprintf("Game %d", p.id) }

// Keys are the viewer's keys, and the one for the export.
func (p *Replay) Keys() []key.Binding {
	if p.viewer == nil {
		return []key.Binding{keyExport}
	}
	if p.coach != nil {
		return p.coach.keys()
	}
	keys := p.viewer.Keys()
	if p.viewer.Typing() {
		return keys
	}
	return append(keys, keyCoach, keyExport)
}

// Typing reports whether the number of a move is being typed.
func (p *Replay) Typing() bool { return p.viewer != nil && p.viewer.Typing() }

// NextTick is when the game goes on by itself.
func (p *Replay) NextTick(time.Time) time.Time {
	if p.viewer == nil {
		return time.Time{}
	}
	return p.viewer.NextTick()
}

// Cursor is where a number is typed.
func (p *Replay) Cursor(w, h int) screen.Cursor {
	if p.viewer == nil {
		return screen.Cursor{}
	}
	return p.viewer.Cursor(p.env.Theme, w, h)
}

// Update hands keys and ticks to the viewer.
func (p *Replay) Update(msg tea.Msg) (page.Page, tea.Cmd) {
	switch msg := msg.(type) {
	case loadedMsg:
		return p, p.load(msg)
	case coachedMsg:
		p.coachSays(msg)
		return p, nil
	case tea.KeyPressMsg:
		switch {
		case p.coach != nil:
			p.keyAtCoach(msg)
			return p, nil
		case p.Typing():
		case key.Matches(msg, keyExport):
			return p, export(p.env, p.id)
		case key.Matches(msg, keyCoach) && p.viewer != nil:
			return p, p.askCoach()
		}
	}
	if p.viewer != nil {
		p.viewer.Update(msg, p.env.Now())
	}
	return p, nil
}

// load shows a record. Of one that is damaged it shows what holds, and says where it breaks off.
func (p *Replay) load(msg loadedMsg) tea.Cmd {
	var fault *record.Error
	switch {
	case errors.As(msg.err, &fault):
		p.fault = "The record is damaged. " + plain.Sentence(fault)
	case msg.err != nil:
		p.fault = plain.Sentence(msg.err)
	case len(msg.rec.Moments) == 0:
		p.fault = "Nothing was played in this game."
	}
	if msg.rec == nil || len(msg.rec.Moments) == 0 {
		return nil
	}
	p.viewer = replay.New(msg.rec, msg.ending)
	if p.fault != "" {
		return page.Send(page.Toast{Role: theme.Bad, Text: p.fault})
	}
	return nil
}

// Lines draws the viewer, or why there is none.
func (p *Replay) Lines(w, h int) []string {
	switch {
	case p.coach != nil:
		return p.coach.lines(p.env.Theme, p.id, w, h)
	case p.viewer != nil:
		return p.viewer.Lines(p.env.Theme, w, h)
	case p.fault != "":
		return notice(p.env.Theme, theme.Bad, p.fault, w)
	}
	return notice(p.env.Theme, theme.Faint, fmt.Sprintf("Opening game %d", p.id)+p.env.Theme.Glyphs().Ellipsis, w)
}

// notice is a sentence that stands alone on a page.
func notice(t *theme.Theme, role theme.Role, s string, w int) []string {
	lines := []string{""}
	for _, l := range page.Wrap(s, min(w-2, 76)) {
		lines = append(lines, " "+t.Paint(role, l))
	}
	return lines
}

// export puts the command that exports a game on the player's clipboard, and shows it.
func export(e *page.Env, id table.GameID) tea.Cmd {
	command := fmt.Sprintf("ssh %s export %d > %d.dom", e.Address, id, id)
	e.Copy(command)
	return page.Send(page.Say(command))
}
