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

// Speaker hears what is said at events, and says something there; a visit does.
type Speaker interface {
	Said(ctx context.Context, kind event.Kind, id event.ID) ([]lobby.Line, error)
	SayIn(ctx context.Context, kind event.Kind, id event.ID, line string) (reply string, err error)
}

// Talk is the chat of an event, at the foot of its page. A page calls Begin, and asks for it with Ask.
type Talk struct {
	Line Input
	env  *Env
	club Speaker
	kind event.Kind
	id   event.ID
	said []lobby.Line
	shut error // why the person hears nothing
	load Question
}

// KeyTalk lets the reader say something.
var KeyTalk = Bind("t", "talk", "t")

// Begin says whose chat it is.
func (t *Talk) Begin(e *Env, club Speaker) {
	t.env, t.club, t.Line = e, club, NewInput("Say:", "", text.MaxLine)
}

// Ask asks what was said at an event.
func (t *Talk) Ask(kind event.Kind, id event.ID) tea.Cmd {
	t.kind, t.id = kind, id
	return Find(t.load.Once, t.env, func(ctx context.Context) ([]lobby.Line, error) { return t.club.Said(ctx, kind, id) },
		func(said []lobby.Line, err error) tea.Cmd {
			t.said, t.shut = said, err
			return nil
		})
}

// Add adds the key that begins to talk. Where it may not, it says why.
func (t *Talk) Add(does *Actions) {
	does.Offer(t.shut == nil, KeyTalk, func() tea.Cmd {
		if t.shut != nil {
			return Refused(t.shut)
		}
		t.Line.Focus()
		return nil
	})
}

// Typed is the input that takes keys while a page may have another one: the chat's own, or that.
func (t *Talk) Typed(other *Input) *Input {
	if t.Line.Active() {
		return &t.Line
	}
	return other
}

// Talking are the actions while a line is typed. Unlike in other lines, Enter leaves it open for the next.
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
					if t.Line.Value() == "" {
						t.Line.Set(line) // it may be sent again
					}
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

// Foot is what was said last, in as many rows as the page has to spare, and the line that is typed.
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

// Beginning is as much of a line in rows of w columns as h rows have room for: from its beginning, which says who speaks.
func Beginning(t *theme.Theme, rows []string, w, h int) []string {
	if len(rows) <= h {
		return rows
	}
	more := t.Glyphs().Ellipsis
	return append(slices.Clone(rows[:h-1]), ansi.Truncate(rows[h-1], w-text.Width(more), "")+more)
}

// SaidStamp is how wide the time before a line of today is, with the blank behind it.
const SaidStamp = 6

// How times are written. They are in UTC, as sessions come from anywhere.
const (
	TimeOfDay = "15:04"
	dayOfYear = "2 Jan"
)

// When is when something was: the time if it was today, else the day, or the year where the day would seem to be to come.
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

// SaidRows wraps a line that was said into w columns; what does not fit into the first row is indented. It begins with
// when it was, unless now is zero.
func SaidRows(t *theme.Theme, l *lobby.Line, w int, now time.Time) []string {
	name, indent, when := text.Printable(l.From.Name)+"  ", 2, ""
	if !now.IsZero() {
		at := When(l.At, now)
		indent, when = max(len(at)+1, SaidStamp), t.Paint(theme.Faint, at)+strings.Repeat(" ", max(SaidStamp-len(at), 1))
	}
	role := theme.Chat
	if l.House {
		name, role = "", theme.System
	}
	rows := Wrap(name+Plain(t, text.Printable(l.Text)), w-indent)
	for i, row := range rows {
		switch {
		case i > 0:
			rows[i] = strings.Repeat(" ", indent) + t.Paint(role, row)
		case name != "" && strings.HasPrefix(row, name):
			rows[i] = when + t.Paint(theme.Title, name) + t.Paint(role, row[len(name):])
		default:
			rows[i] = when + t.Paint(role, row)
		}
	}
	return rows
}
