package club

import (
	"context"
	"time"

	tea "charm.land/bubbletea/v2"

	"boneyard/table"
	"boneyard/ui/page"
	"boneyard/ui/plain"
	"boneyard/ui/theme"
	"boneyard/ui/wall"
)

// glance is the picture of the table under the cursor. It follows the cursor when that rests, and shows the table before until the next
// one is there, so that nothing flickers.
type glance struct {
	at     table.ID  // that is shown, or asked for; 0 for none
	since  time.Time // when the cursor was moved
	ask    page.Question
	latest func() *table.View // nil while nothing is seen
	view   *table.View
	fault  string // why there is nothing to see
}

// rests is how long a cursor stands at a table before it is looked at: whoever scrolls through a list looks at none.
const rests = 150 * time.Millisecond

func (g *glance) look() {
	if g.latest != nil {
		g.view = g.latest()
	}
}

// watched is the table to be shown, 0 where there is no room or no table.
func (p *Page) watched() table.ID {
	if p.layout().glance.h == 0 {
		return 0
	}
	return p.chosen
}

// NextTick is when there is something else to look at, or what is planned is a minute nearer.
func (p *Page) NextTick(now time.Time) time.Time {
	g, at := &p.glance, p.watched()
	switch {
	case at != g.at && g.at != 0:
		return g.since.Add(rests)
	case at != g.at, p.agenda.stale(now) && p.layout().agenda.h > 0:
		return now
	case p.layout().agenda.h > 0:
		return now.Truncate(time.Minute).Add(time.Minute)
	}
	return time.Time{}
}

// turn looks at the table under the cursor, if that has rested.
func (p *Page) turn(now time.Time) tea.Cmd {
	g, at := &p.glance, p.watched()
	if at == g.at || g.at != 0 && now.Before(g.since.Add(rests)) {
		return nil
	}
	g.at, g.latest = at, nil
	if g.at == 0 {
		g.ask.Forget()
		g.view, g.fault = nil, ""
		p.Close()
		return nil
	}
	find := func(context.Context) (func() *table.View, error) { return p.club.Glance(at) }
	return page.Find(g.ask.Ask, p.env, find, func(latest func() *table.View, err error) tea.Cmd {
		g.latest, g.view, g.fault = latest, nil, ""
		if g.look(); err != nil {
			g.fault = plain.Sentence(err)
		}
		return nil
	})
}

// Close ends looking at a table.
func (p *Page) Close() { _, _ = p.club.Glance(0) }

func (p *Page) drawGlance(r rect) []string {
	t, g := p.env.Theme, &p.glance
	var lines []string
	switch {
	case g.view != nil:
		lines = append(lines, wall.Table(g.view, t, r.w-1, r.h+1)[:r.h]...) // its last row is air, and a blank row follows here anyway
	case g.fault != "":
		lines = []string{page.Rule(t, "Table "+number(g.at), r.w-1), t.Paint(theme.Muted, page.Clip(t, g.fault, r.w-1))}
	}
	return page.Shift(lines, 1)
}
