// Package calendar shows what is planned: events, and the matches of the reader's team.
package calendar

import (
	tea "charm.land/bubbletea/v2"

	"boneyard/lobby"
	"boneyard/lobby/event/arena"
	"boneyard/lobby/event/daily"
	"boneyard/lobby/event/field"
	"boneyard/ui/page"
	"boneyard/ui/plain"
	"boneyard/ui/theme"
)

// club is what the page asks of the club.
type club interface{ Calendar() []lobby.Appointment }

var _ club = (*lobby.Visit)(nil)

// Page is the calendar.
type Page struct {
	page.Size
	env  *page.Env
	club club
	list page.List[lobby.Appointment]
}

var _ page.Page = (*Page)(nil)

// New returns the page of the calendar.
func New(e *page.Env) page.Page { return newPage(e, e.Visit) }

func newPage(e *page.Env, c club) *Page { return &Page{env: e, club: c} }

// Init reads the calendar.
func (p *Page) Init() tea.Cmd {
	p.look()
	return nil
}

func (p *Page) look() {
	p.list.Update(p.club.Calendar(), func(a, b *lobby.Appointment) bool { return a.Key == b.Key })
}

// Update handles a message.
func (p *Page) Update(msg tea.Msg) (page.Page, tea.Cmd) {
	switch msg := msg.(type) {
	case page.ClubUpdateMsg:
		p.look()
	case tea.MouseClickMsg:
		if p.list.Click(msg.Y - above) {
			return p, p.open()
		}
	case tea.KeyPressMsg:
		return p, page.Press(p, msg)
	}
	return p, nil
}

// open opens what is chosen.
func (p *Page) open() tea.Cmd {
	a := p.list.Chosen()
	if a == nil {
		return nil
	}
	to := page.Target{Kind: page.Contest, Event: a.Event}
	switch a.Kind {
	case daily.Kind:
		to = page.Target{Kind: page.Daily}
	case arena.Kind:
		to.Kind = page.Arena
	case field.Kind:
		to.Kind = page.Field
	}
	return page.Open(to)
}

// Chrome implements [page.Page].
func (p *Page) Chrome() page.Chrome {
	return page.Chrome{Title: "Calendar"}
}

// Actions implements [page.Page].
func (p *Page) Actions() (does page.Actions) {
	does.Add(p.list.Chosen() != nil, page.KeyOpen, p.open)
	does.Move(true, page.KeyMove, p.list.Move)
	return does
}

// above and below are the rows above and below the list.
const above, below = 1, 2

// Resize implements [page.Page].
func (p *Page) Resize(w, h int) {
	p.Size.Resize(w, h)
	p.list.Resize(h - above - below)
}

// Lines draws the page.
func (p *Page) Lines() []string {
	t := p.env.Theme
	fit := func(r theme.Role, s string, w int) string { return page.Fit(t, r, s, w) }
	if p.list.Len() == 0 {
		return page.Fill([]string{" " + fit(theme.Muted, "Nothing is planned.", p.Width-2)}, p.Height)
	}
	const when = 22
	row := func(chosen bool, role theme.Role, date, title string) string {
		r := page.NewLine(t)
		r.Add(theme.Muted, date, when)
		r.Gap(2)
		r.Add(role, page.Plain(t, title), p.Width-when-6)
		return r.Draw(chosen)
	}
	lines := []string{row(false, theme.Muted, "When (UTC)", "What")}
	for i, a := range p.list.Seen() {
		role := theme.Text
		if a.Own {
			role = theme.Accent
		}
		lines = append(lines, row(i == p.list.At(), role, plain.When(a), a.Title))
	}
	foot := []string{"", " " + fit(theme.Faint, "In your own calendar: ssh "+p.env.Address+" calendar > boneyard.ics", p.Width-2)}
	return append(page.Fill(lines, p.Height-len(foot)), foot...)
}
