package page

import (
	"context"
	"slices"
	"strings"
	"time"

	tea "charm.land/bubbletea/v2"
	"github.com/charmbracelet/x/ansi"

	"boneyard/lobby"
	"boneyard/lobby/event"
	"boneyard/lobby/text"
	"boneyard/ui/theme"
)

// Speaker reads and writes the chat of events; a visit does.
type Speaker interface {
	Said(ctx context.Context, kind event.Kind, id event.ID) ([]lobby.Line, error)
	SayIn(ctx context.Context, kind event.Kind, id event.ID, line string) (reply string, err error)
}

// Talk is the chat of an event, at the foot of its page. A page calls Begin, then Ask.
type Talk struct {
	Line Input
	env  *Env
	club Speaker
	kind event.Kind
	id   event.ID
	said []lobby.Line
	shut error // why the person may not read the chat
	load Question
}

// KeyTalk begins a line of chat.
var KeyTalk = Bind("t", "talk", "t")

// Begin sets the reader of the chat.
func (t *Talk) Begin(e *Env, club Speaker) {
	t.env, t.club, t.Line = e, club, NewInput("Say:", "", text.MaxLine)
}

// Ask loads the chat of an event.
func (t *Talk) Ask(kind event.Kind, id event.ID) tea.Cmd {
	t.kind, t.id = kind, id
	return Find(t.load.Once, t.env, func(ctx context.Context) ([]lobby.Line, error) { return t.club.Said(ctx, kind, id) },
		func(said []lobby.Line, err error) tea.Cmd {
			t.said, t.shut = said, err
			return nil
		})
}

// Add adds the key that begins a line, or says why the person may not talk.
func (t *Talk) Add(does *Actions) {
	does.Offer(t.shut == nil, KeyTalk, func() tea.Cmd {
		if t.shut != nil {
			return Refused(t.shut)
		}
		t.Line.Focus()
		return nil
	})
}

// Typed returns the active input: the chat's line, or other, the page's.
func (t *Talk) Typed(other *Input) *Input {
	if t.Line.Active() {
		return &t.Line
	}
	return other
}

// Talking are the actions while a line is typed. Unlike other lines, it stays open after Enter.
func (t *Talk) Talking() Actions {
	return t.Line.Actions("say", func(line string) tea.Cmd {
		if line == "" {
			return nil
		}
		t.Line.Focus()
		return Find((*Env).Call, t.env, func(ctx context.Context) (string, error) { return t.club.SayIn(ctx, t.kind, t.id, line) },
			func(reply string, err error) tea.Cmd {
				switch {
				case err != nil:
					t.Line.Reopen(line)
					return Refused(err)
				case strings.Contains(reply, "\n"):
					return Send(Say("The answer is long; please ask in the lobby."))
				case reply != "":
					return Send(Say(reply))
				}
				return t.Ask(t.kind, t.id)
			})
	})
}

// Foot draws the latest lines, in as many rows as the page can spare, and the line being typed.
func (t *Talk) Foot(s Size) (rows []string) {
	th, most := t.env.Theme, (s.Height-9)/4
	if t.Line.Active() {
		most = s.Height / 2
	}
	for i := len(t.said) - 1; i >= 0 && len(rows) < most; i-- {
		rows = append(Beginning(th, SaidRows(th, &t.said[i], s.Width-2, t.env.Now()), s.Width-2, most-len(rows)), rows...)
	}
	if len(rows) > 0 {
		rows = append([]string{Rule(th, "Chat", s.Width-2)}, rows...)
	}
	return append(Shift(rows, 1), t.Line.Foot(th, s.Width)...)
}

// Beginning returns the first h of a line's rows of w columns, which say who speaks.
func Beginning(t *theme.Theme, rows []string, w, h int) []string {
	if len(rows) <= h {
		return rows
	}
	more := t.Glyphs().Ellipsis
	return append(slices.Clone(rows[:h-1]), ansi.Truncate(rows[h-1], w-text.Width(more), "")+more)
}

// SaidStamp is the width of the time of a line of today, with the blank after it.
const SaidStamp = 6

// The formats of times. Times are in UTC, since people come from anywhere.
const (
	TimeOfDay = "15:04"
	dayOfYear = "2 Jan"
)

// When returns when something was: the time if today, else the day, or the year if the day might be to come.
func When(at, now time.Time) string {
	at, now = at.UTC(), now.UTC()
	switch {
	case at.Format(time.DateOnly) == now.Format(time.DateOnly):
		return at.Format(TimeOfDay)
	case at.Before(now.AddDate(0, -11, 0)):
		return at.Format("2006")
	}
	return at.Format(dayOfYear)
}

// SaidRows wraps a line of chat into w columns, and indents all rows but the first. It begins with the time,
// unless now is zero.
func SaidRows(t *theme.Theme, l *lobby.Line, w int, now time.Time) []string {
	name, indent, when := text.Printable(l.From.Name)+"  ", 2, ""
	if !now.IsZero() {
		at := When(l.At, now)
		indent, when = max(len(at)+1, SaidStamp), t.Paint(theme.Faint, at)+strings.Repeat(" ", max(SaidStamp-len(at), 1))
	}
	rows := Wrap(name+Plain(t, text.Printable(l.Text)), w-indent)
	for i, row := range rows {
		switch {
		case i > 0:
			rows[i] = strings.Repeat(" ", indent) + t.Paint(theme.Chat, row)
		case strings.HasPrefix(row, name):
			rows[i] = when + t.Paint(theme.Title, name) + t.Paint(theme.Chat, row[len(name):])
		default:
			rows[i] = when + t.Paint(theme.Chat, row)
		}
	}
	return rows
}
