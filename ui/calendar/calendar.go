// Package calendar shows what is planned: events, and the matches of the reader's team.
package calendar

import (
	"context"

	tea "charm.land/bubbletea/v2"

	"boneyard/lobby"
	"boneyard/lobby/event"
	"boneyard/lobby/event/challenge"
	"boneyard/ui/page"
	"boneyard/ui/plain"
	"boneyard/ui/theme"
)

type club interface {
	Calendar() []event.Appointment
	Settings() lobby.Settings
	SaveSettings(ctx context.Context, s lobby.Settings) error
	EndChallenge(ctx context.Context, id event.ID) error
}

var (
	keyOff    = page.Bind("X", "call it off", "X")
	keyRemind = page.Bind("r", "reminders on or off", "r")
)

// Page is the calendar.
type Page struct {
	page.Listed
	env  *page.Env
	club club
	list page.List[event.Appointment]
}

// New returns the page of the calendar.
func New(e *page.Env, c club) *Page {
	p := &Page{env: e, club: c}
	p.Sheet = p.sheet
	return p
}

// Init loads the calendar.
func (p *Page) Init() tea.Cmd {
	p.list.Update(p.club.Calendar(), func(a, b *event.Appointment) bool { return a.Key == b.Key })
	return nil
}

func (p *Page) Update(msg tea.Msg) tea.Cmd {
	if _, ok := msg.(page.ClubUpdateMsg); ok {
		return p.Init()
	}
	return nil
}

func (p *Page) Chrome() page.Chrome { return page.Chrome{Title: "Calendar", Widest: page.WidestList} }

func (p *Page) Actions() (does page.Actions) {
	if a := p.list.Chosen(); a != nil {
		to := page.EventTarget(a.Kind, a.Event, "")
		does.OpenPage(to.Kind != page.Calendar, page.KeyOpen, to)
		does.Add(a.Kind == challenge.Kind, keyOff, func() tea.Cmd {
			end := func(ctx context.Context) error { return p.club.EndChallenge(ctx, a.Event) }
			return page.Ask("Call this challenge off, or decline it? The other side will be told.",
				func() tea.Cmd { return p.env.DoAndSay(end, "That challenge is off.") })
		})
	}
	does.Move(p.list.Len() > 0, page.KeyMove, p.Move)
	does.Add(true, keyRemind, p.remind)
	return does
}

func (p *Page) remind() tea.Cmd {
	s := p.club.Settings()
	s.NoReminders = !s.NoReminders
	say := "Reminders on: 30 and 5 minutes before something begins in which you take part."
	if s.NoReminders {
		say = "Reminders off."
	}
	return p.env.DoAndSay(func(ctx context.Context) error { return p.club.SaveSettings(ctx, s) }, say)
}

func (p *Page) sheet() page.Sheet {
	t, now := p.env.Theme, p.env.Now()
	if p.list.Len() == 0 {
		return page.Sheet{Above: page.Paragraph(t, theme.Muted, "Nothing is planned.", 1, p.Width-2)}
	}
	const when, until = 22, 10
	const dates = 64 // columns from which dates are shown as well as the time until then
	row := func(chosen bool, role theme.Role, date, left, title string) string {
		r := page.NewLine(t)
		room := p.Width - until - 6
		if p.Width >= dates {
			r.Add(theme.Muted, date, when)
			r.Gap(2)
			room -= when + 2
		}
		r.Add(theme.Muted, left, until)
		r.Gap(2)
		r.Add(role, page.Plain(t, title), room)
		return r.Draw(chosen)
	}
	own := "In your own calendar: ssh " + p.env.Address + " calendar > boneyard.ics"
	return page.Sheet{
		Above: []string{row(false, theme.Muted, "When (UTC)", "In", "What")},
		Rows: p.list.Drawn(func(_ int, a *event.Appointment, chosen bool) string {
			role := theme.Text
			if a.Own {
				role = theme.Accent
			}
			return row(chosen, role, plain.When(a), plain.FromNow(a, now), a.Title)
		}),
		Below: append([]string{""}, page.Paragraph(t, theme.Faint, own, 1, p.Width-2)...),
	}
}
