package club

import (
	"context"
	"errors"
	"fmt"
	"time"

	tea "charm.land/bubbletea/v2"

	"boneyard/lobby/event"
	"boneyard/lobby/event/daily"
	"boneyard/lobby/text"
	"boneyard/ui/page"
	"boneyard/ui/plain"
	"boneyard/ui/theme"
)

// agenda is what is planned, and how yesterday's daily deal ended.
type agenda struct {
	coming []event.Appointment
	today  time.Time // the day before which past was
	asked  time.Time // the minute of the last request
	past   *daily.Day
	ask    page.Question
}

// stale reports whether it is unknown how yesterday's deal ended, and this minute has had no request.
func (a *agenda) stale(now time.Time) bool {
	today, _ := daily.Bounds(now)
	return !today.Equal(a.today) && !now.Truncate(time.Minute).Equal(a.asked)
}

// recall loads how yesterday's daily deal ended, and retries a minute later if it has not ended yet.
func (p *Page) recall() tea.Cmd {
	a, now := &p.agenda, p.env.Now()
	if p.layout().agenda.h == 0 || !a.stale(now) {
		return nil
	}
	a.asked, a.past = now.Truncate(time.Minute), nil
	today, _ := daily.Bounds(now)
	day := daily.KeyOf(now.Add(-24 * time.Hour))
	find := func(ctx context.Context) (*daily.Deal, error) { return p.club.Daily(ctx, day) }
	return page.Find(a.ask.Ask, p.env, find, func(d *daily.Deal, err error) tea.Cmd {
		switch {
		case err == nil && d.Over:
			if a.today = today; d.Placed() > 0 {
				a.past = d.Day
			}
		case errors.Is(err, daily.ErrNone), errors.Is(err, daily.ErrOff):
			a.today = today
		}
		return nil
	})
}

// pointAgenda opens what is planned at a place of the body.
func (p *Page) pointAgenda(x, y int) (cmd tea.Cmd, hit bool) {
	r := p.layout().agenda
	if !r.has(x, y) {
		return nil, false
	}
	_, of := p.drawAgenda(r)
	if row := y - r.y - 1; row >= 0 && row < len(of) {
		return page.Open(page.EventTarget(of[row].Kind, of[row].Event, "")), true
	}
	return nil, false
}

// drawAgenda draws what is planned in a panel. of are the appointments in the lines below its head.
func (p *Page) drawAgenda(r rect) (lines []string, of []*event.Appointment) {
	const winners = 3 // how many of yesterday's best players are named
	const left = len("in 25 min")
	t, now := p.env.Theme, p.env.Now()
	w := r.w - left - 6
	row := func(role theme.Role, first string, then theme.Role, say string) string {
		l := page.NewLine(t)
		l.Add(role, first, left)
		l.Gap(2)
		l.Add(then, page.Plain(t, say), w)
		return l.Draw(false)
	}
	var best []string
	if d := p.agenda.past; d != nil {
		best = []string{"", " " + page.Rule(t, "Yesterday's daily deal", r.w-1)}
		for i := range min(d.Placed(), winners) {
			b := &d.Rows[i]
			best = append(best, row(theme.Muted, fmt.Sprintf("%2d  %s", b.Place, text.Signed(b.Diff())), theme.Text, b.Name))
		}
	}
	lines = []string{" " + page.RuleTo(t, "Now and next", " "+t.Paint(theme.Faint, inUTC), r.w-1)}
	for i := range p.agenda.coming {
		a, when, what := &p.agenda.coming[i], theme.Muted, theme.Text
		if a.Own {
			what = theme.Accent
		}
		if !now.Before(a.Begins) {
			when = theme.Good
		}
		if !now.Before(a.Ends) { // the club is about to remove it
			continue
		}
		title := text.Printable(a.Title)
		said := page.Wrap(title, w)
		if room := r.h - len(lines) - len(best) - (len(p.agenda.coming) - i - 1); len(said) > room { // the others come first
			said = []string{title}
		}
		first := plain.Until(a, now)
		for _, say := range said {
			if len(lines)+len(best) < r.h {
				lines, first, of = append(lines, row(when, first, what, say)), "", append(of, a)
			}
		}
	}
	if len(lines) == 1 {
		lines = append(lines, "   "+t.Paint(theme.Faint, plain.Appointments.None))
	}
	return append(lines, best...), of
}
