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

// glance is the picture of the table under the cursor. It follows the cursor once that rests, and shows the
// previous table until the next one has come, so that nothing flickers.
type glance struct {
	at     table.ID  // the table that is shown, or asked for; 0 for none
	since  time.Time // when the cursor moved
	ask    page.Question
	latest func() *table.View // nil if there is nothing to show
	view   *table.View
	fault  string // why there is nothing to show
}

// rests is how long the cursor rests before its table is shown: scrolling past tables shows none.
const rests = 150 * time.Millisecond

func (g *glance) look() {
	if g.latest != nil {
		g.view = g.latest()
	}
}

// watched returns the table to show; 0 if there is no table, or no room.
func (p *Page) watched() table.ID {
	if p.layout().glance.h == 0 {
		return 0
	}
	return p.chosen
}

// NextTick returns when there is another table to show, or an appointment is a minute closer.
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

// turn watches the table under the cursor, if that has rested.
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

// Close stops watching a table.
func (p *Page) Close() { _, _ = p.club.Glance(0) }

func (p *Page) drawGlance(r rect) []string {
	t, g := p.env.Theme, &p.glance
	var lines []string
	switch {
	case g.view != nil:
		lines = append(lines, wall.Table(g.view, t, r.w-1, r.h+1)[:r.h]...) // its last row is blank, and a blank row follows anyway
	case g.fault != "":
		lines = []string{page.Rule(t, "Table "+number(g.at), r.w-1), t.Paint(theme.Muted, page.Clip(t, g.fault, r.w-1))}
	}
	return page.Shift(lines, 1)
}
