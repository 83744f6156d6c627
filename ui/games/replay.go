package games

import (
	"context"
	"errors"
	"fmt"
	"time"

	tea "charm.land/bubbletea/v2"

	"boneyard/lobby"
	"boneyard/rules/record"
	"boneyard/rules/replay"
	"boneyard/table"
	"boneyard/ui/feature"
	"boneyard/ui/games/viewer"
	"boneyard/ui/page"
	"boneyard/ui/plain"
	"boneyard/ui/theme"
)

// Replay is the page that replays one game. It loads the record and leaves the rest to the viewer.
type Replay struct {
	page.Size
	env     *page.Env
	showing *lobby.Showing // the screen no longer shows the club
	id      table.GameID
	rec     *replay.Record
	viewer  *viewer.Viewer // nil until the record has come
	fault   string         // what is wrong with the record, as a sentence
	coach   *coachSheet    // open over the replay; nil if it is not
	coached bool           // the coach's sheet opened with the record, or will, and was not closed
}

var keyExport = page.Bind("x", "export", "x")

// NewReplay returns the page for a finished game. If coach is true, it opens with the coach's review.
func NewReplay(e *page.Env, id table.GameID, coach bool) *Replay {
	return &Replay{env: e, id: id, coached: coach}
}

// Init loads the record.
func (p *Replay) Init() tea.Cmd {
	p.showing = p.env.Visit.Show(lobby.Place{})
	var end string
	return page.Find((*page.Env).Call, p.env, func(ctx context.Context) (*replay.Record, error) {
		info, rec, err := feature.Record(ctx, p.env.Visit, p.id)
		if rec != nil {
			end = ending(info, me(p.env))
		}
		return rec, err
	}, func(rec *replay.Record, err error) tea.Cmd { return p.load(rec, end, err) })
}

// Close shows the club again.
func (p *Replay) Close() { p.showing.Close() }

// ending returns how a game ended that was not played to its end, since the record does not say.
func ending(g *lobby.GameInfo, me string) string {
	switch g.Ending {
	case table.EndAbandoned:
		return "The game was abandoned: it has no result."
	case table.EndForfeit:
		return fmt.Sprintf("The game was forfeited: %s won.", sideName(g, me, g.Winner))
	}
	return ""
}

// Chrome implements [page.Page]. The number of a move may be being typed.
func (p *Replay) Chrome() page.Chrome {
	c := page.Chrome{Title: fmt.Sprintf("Game %d", p.id), Typing: p.typing(), Digits: true}
	if p.viewer != nil {
		c.Cursor = p.viewer.Cursor()
	}
	return c
}

func (p *Replay) Resize(w, h int) {
	p.Size.Resize(w, h)
	if p.viewer != nil {
		p.viewer.Resize(p.env.Theme, w, h)
	}
	if p.coach != nil {
		p.coach.Resize(w, h)
	}
}

// Actions returns the actions of the viewer or the coach, and those on the record.
func (p *Replay) Actions() (does page.Actions) {
	switch {
	case p.coach != nil:
		return p.coachActions()
	case p.viewer != nil:
		does = p.viewer.Actions(p.env.Now())
	}
	does.Add(p.viewer != nil && !p.typing(), keyCoach, p.askCoach)
	does.Add(!p.typing(), keyExport, func() tea.Cmd { return export(p.env, p.id) })
	return does
}

func (p *Replay) typing() bool { return p.viewer != nil && p.viewer.Typing() }

// NextTick returns when the playback goes on.
func (p *Replay) NextTick(time.Time) time.Time {
	if p.viewer == nil {
		return time.Time{}
	}
	return p.viewer.NextTick()
}

// Update passes what is typed, and ticks, to the viewer.
func (p *Replay) Update(msg tea.Msg) tea.Cmd {
	if p.viewer != nil {
		p.viewer.Update(msg)
	}
	return nil
}

// load shows a record. If it is damaged, load shows the valid part, and says where it ends.
func (p *Replay) load(rec *replay.Record, ending string, err error) tea.Cmd {
	var fault *record.Error
	switch {
	case errors.As(err, &fault):
		p.fault = "The record is damaged. " + plain.Sentence(fault)
	case err != nil:
		p.fault = plain.Sentence(err)
	case len(rec.Moments) == 0:
		p.fault = "Nothing was played in this game."
	}
	if rec == nil || len(rec.Moments) == 0 {
		return nil
	}
	p.rec, p.viewer = rec, viewer.New(rec, ending)
	p.viewer.Resize(p.env.Theme, p.Width, p.Height)
	if p.fault != "" {
		return page.Send(page.Toast{Role: theme.Bad, Text: p.fault})
	}
	p.viewer.ShowChances()
	if p.coached {
		return p.askCoach()
	}
	return nil
}

// Lines draws the viewer, or why there is none.
func (p *Replay) Lines() []string {
	switch {
	case p.coach != nil:
		return p.coach.Lines()
	case p.viewer != nil:
		return p.viewer.Lines()
	case p.fault != "":
		return notice(p.env.Theme, theme.Bad, p.fault, p.Width)
	}
	return notice(p.env.Theme, theme.Faint, fmt.Sprintf("Opening game %d", p.id)+p.env.Theme.Glyphs().Ellipsis, p.Width)
}

func notice(t *theme.Theme, role theme.Role, s string, w int) []string {
	return append([]string{""}, page.Paragraph(t, role, s, 1, min(w-2, 76))...)
}

// export copies the command that exports a game to the player's clipboard, and shows it.
func export(e *page.Env, id table.GameID) tea.Cmd {
	command := fmt.Sprintf("ssh %s export %d > %d.dom", e.Address, id, id)
	e.Copy(command)
	return page.Send(page.Say(command))
}
