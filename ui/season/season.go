// Package season shows the season: who has how many points in a month, and who won past events.
package season

import (
	"context"
	"slices"
	"time"

	tea "charm.land/bubbletea/v2"

	"boneyard/lobby/event/season"
	"boneyard/table"
	"boneyard/ui/page"
	"boneyard/ui/plain"
	"boneyard/ui/theme"
)

type club interface {
	Player() table.Player
	Season(ctx context.Context, month string, teams bool) ([]season.Row, error)
	PastEvents(ctx context.Context, player table.PlayerID, team table.TeamID) ([]season.Past, error)
}

// The tables, in the order in which they are offered.
const (
	players = "Players"
	teams   = "Teams"
	past    = "Past events"
)

var tables = []string{players, teams, past}

var (
	keyTable     = page.Bind("←→", "players, teams, events", "left", "right", "h", "l")
	keyMonth     = page.Bind("m", "the month before", "m")
	keyMonthNext = page.Bind("M", "the month after", "M")
)

// Page is the season.
type Page struct {
	page.Listed
	env  *page.Env
	club club

	table string    // the one shown
	month time.Time // its first day
	rows  page.List[season.Row]
	past  page.List[season.Past]
	known bool
	load  page.Question
}

// New returns the page of the season, with a target's table and month.
func New(e *page.Env, c club, to page.Target) *Page {
	p := &Page{env: e, club: c, table: tables[to.PanelOf(len(tables))], month: season.FirstDay(e.Now())}
	if month, err := time.Parse("2006-01", to.Query.Month); err == nil {
		p.month = month
	}
	p.Sheet = p.sheet
	return p
}

// Init requests what is shown.
func (p *Page) Init() tea.Cmd {
	if p.table == past {
		return page.Get(p.load.Ask, p.env, func(ctx context.Context) ([]season.Past, error) { return p.club.PastEvents(ctx, 0, 0) },
			func(all []season.Past) tea.Cmd {
				p.past.Update(all, func(a, b *season.Past) bool { return a.Event == b.Event })
				return p.took()
			})
	}
	month, teams := season.Month(p.month), p.table == teams
	return page.Get(p.load.Ask, p.env, func(ctx context.Context) ([]season.Row, error) { return p.club.Season(ctx, month, teams) },
		func(all []season.Row) tea.Cmd {
			p.rows.Update(all, func(a, b *season.Row) bool { return a.Player == b.Player && a.Team == b.Team })
			return p.took()
		})
}

func (p *Page) took() tea.Cmd {
	p.known = true
	p.Fit()
	return nil
}

func (p *Page) Update(msg tea.Msg) tea.Cmd {
	if _, ok := msg.(page.ClubUpdateMsg); ok {
		return p.Init()
	}
	return nil
}

func (p *Page) Chrome() page.Chrome {
	again := page.Target{Kind: page.Season, Panel: slices.Index(tables, p.table)}
	if p.month.Before(season.FirstDay(p.env.Now())) {
		again.Query.Month = season.Month(p.month)
	}
	return page.Chrome{Title: "Season", Widest: page.WidestList, Reopen: again}
}

func (p *Page) Actions() (does page.Actions) {
	if target, ok := p.target(); ok {
		does.OpenPage(true, page.KeyOpen, target)
	}
	shows := func(change func()) func() tea.Cmd {
		return func() tea.Cmd {
			change()
			p.rows.Set(nil)
			p.known = false
			return p.Init()
		}
	}
	does.Leaves(keyTable, slices.Index(tables, p.table), 0, p.Width, tables, func(to int) tea.Cmd {
		return shows(func() { p.table = tables[to] })()
	})
	does.Add(p.table != past && p.month.After(season.Since(p.env.Now())), keyMonth, shows(func() { p.month = p.month.AddDate(0, -1, 0) }))
	does.Move(p.table == past && p.past.Len() > 0 || p.table != past && p.rows.Len() > 0, page.KeyMove, p.Move)
	later := p.month.Before(season.FirstDay(p.env.Now()))
	does.Add(p.table != past && later, keyMonthNext, shows(func() { p.month = p.month.AddDate(0, 1, 0) }))
	does.Add(true, page.KeyReload, p.Init)
	return does
}

func (p *Page) target() (to page.Target, ok bool) {
	if p.table == past {
		e := p.past.Chosen()
		if e == nil {
			return to, false
		}
		return page.EventTarget(e.Kind, e.Event, e.Key), true
	}
	r := p.rows.Chosen()
	switch {
	case r == nil:
		return to, false
	case r.Team != 0:
		return page.Target{Kind: page.TeamPage, Team: r.Team}, true
	}
	return page.Target{Kind: page.Person, Name: r.Name}, true
}

var columns = []page.Column[season.Row]{
	{Head: "#", Width: -3, Cell: page.From(plain.SeasonRows, "PLACE", 0).Cell},
	{Head: "Name", Cell: page.From(plain.SeasonRows, "NAME", 0).Cell},
	page.From(plain.SeasonRows, "POINTS", -6),
	page.From(plain.SeasonRows, "EVENTS", -6),
	page.From(plain.SeasonRows, "WON", -4),
}

func (p *Page) sheet() page.Sheet {
	const dates = 60 // the columns from which a past event has its date
	const widestName = 50
	t, w := p.env.Theme, p.Width
	head := " " + page.Choices(t, tables, p.table, true)
	if p.table != past {
		month := page.Longest(w-page.Width(head)-1, season.MonthName(p.month), p.month.UTC().Format("Jan 2006"))
		head = page.Right(head, t.Paint(theme.Muted, month)+" ", w)
	}
	above := []string{head, ""}
	says := func(s string) page.Sheet {
		return page.Sheet{Above: append(above, page.Paragraph(t, theme.Muted, s, 3, min(w-4, 72))...)}
	}
	switch {
	case !p.known:
		return says(page.Looking(t))
	case p.table == past && p.past.Len() == 0:
		return says(plain.PastEvents.None)
	case p.table != past && p.rows.Len() == 0:
		return says(plain.SeasonRows.None + " Events of all kinds give them: for each rival whom you leave behind.")
	case p.table == past:
		columns := []page.Column[season.Past]{
			page.From(plain.PastEvents, "DATE", len(time.DateOnly)),
			page.From(plain.PastEvents, "EVENT", (w-18)*2/5),
			page.From(plain.PastEvents, "BEST", 0),
		}
		if w < dates {
			columns = columns[1:]
		}
		d := page.NewGrid(t, columns, w-1, 0)
		return page.Sheet{Above: append(above, d.Heads()), Rows: p.past.Drawn(func(_ int, e *season.Past, chosen bool) string {
			return d.Row(e, chosen, page.Usual)
		})}
	}
	me, d := p.club.Player(), page.NewGrid(t, columns, w-1, widestName)
	return page.Sheet{Above: append(above, d.Heads()), Rows: p.rows.Drawn(func(_ int, r *season.Row, chosen bool) string {
		emphasis := page.Usual
		if r.Player != 0 && r.Player == me.ID || r.Team != 0 && r.Team == me.Team {
			emphasis = page.Own
		}
		return d.Row(r, chosen, emphasis)
	})}
}
