// Package arena shows the club's arenas: a list of them, and of one the standing, who plays whom, and how
// much time is left. It asks the club, and knows no rule of an arena.
package arena

import (
	"context"
	"time"

	tea "charm.land/bubbletea/v2"

	"boneyard/lobby/event"
	"boneyard/lobby/event/arena"
	"boneyard/table"
	"boneyard/ui/page"
)

type club interface {
	Player() table.Player
	Arenas() []arena.View
	Arena(ctx context.Context, id event.ID) (*arena.View, error)
	EnterEvent(ctx context.Context, kind event.Kind, id event.ID, partner string) error
	LeaveEvent(ctx context.Context, kind event.Kind, id event.ID) error
	page.Organizer
}

// Page is the list of arenas, or one of them.
type Page struct {
	page.EventPage[arena.View]
	club  club
	rows  page.List[arena.Entrant]
	moved bool // the reader has chosen a row; until then it is their own
}

var _ page.Clock = (*Page)(nil)

// New returns the page of an arena, or with 0 the list of all.
func New(e *page.Env, id event.ID) page.Page { return newPage(e, e.Visit, id) }

func newPage(e *page.Env, c club, id event.ID) *Page {
	p := &Page{club: c}
	p.Begin(e, id, page.NewPartner(), page.EventOf[arena.View]{
		Club: c, Find: c.Arena, Take: p.take, Sheet: p.standing, List: p.list,
		None:   "No arena is planned. Captains and operators make one with ssh " + e.Address + " arena new in=30 length=60 classic",
		Widths: func(w int) (name, kind, state, says int) { return 22, 0, min(22, w-28), w - 53 },
		Facts: func(a *arena.View) page.EventFacts {
			return page.EventFacts{Kind: arena.Kind, By: a.Config.By, Begun: a.Begun, Over: a.Over}
		},
	})
	return p
}

func (p *Page) Update(msg tea.Msg) (page.Page, tea.Cmd) { return p.Handle(p, msg) }

// take takes up what the club has said; the cursor stays at whom it was.
func (p *Page) take() {
	at := p.club.Player().ID
	if c := p.rows.Chosen(); p.moved && c != nil {
		at = c.ID
	}
	p.rows.Set(p.One.Entrants)
	for i := range p.One.Entrants {
		if p.One.Entrants[i].Has(at) {
			p.rows.Choose(i)
		}
	}
}

func (p *Page) Point(x, y int) (again bool, cmd tea.Cmd) {
	p.moved = true
	return p.EventPage.Point(x, y)
}

var (
	keyWatch = page.Bind("enter", "watch", "enter")
	keyEnter = page.Bind("e", "join", "e")
	keyLeave = page.Bind("x", "no more games", "x")
)

func (p *Page) enter(ctx context.Context, id event.ID, partner string) error {
	return p.club.EnterEvent(ctx, arena.Kind, id, partner)
}

func (p *Page) Actions() (does page.Actions) {
	switch {
	case p.ID == 0:
		return p.ListActions()
	case p.Line.Active():
		return p.Line.Actions("done", p.Partner(p.enter))
	case p.One == nil:
		return nil
	}
	mine, runs := p.One.Of(p.club.Player().ID), !p.One.Over
	does.Open(p.table() != 0, keyWatch, func() tea.Cmd { return page.Open(page.Target{Kind: page.Table, Table: p.table()}) })
	enter := p.Do(func(ctx context.Context, id event.ID) error { return p.enter(ctx, id, "") }, "You're in: your games open by themselves.")
	if p.One.Config.Pairs && mine == nil {
		enter = p.Write
	}
	does.Add(p.mayEnter(), keyEnter, enter)
	does.Add(runs && mine != nil && !mine.Away, keyLeave,
		p.Do(func(ctx context.Context, id event.ID) error { return p.club.LeaveEvent(ctx, arena.Kind, id) }, page.Keyed("You're out; press %s to play on.", keyEnter)))
	does.Go(runs, page.KeyWall, page.Target{Kind: page.Wall, Event: p.ID})
	does.Move(true, page.KeyMove, func(pressed string) tea.Cmd {
		p.moved = true
		return p.Move(pressed)
	})
	p.CallOff(&does)
	return does
}

// mayEnter reports whether the reader may take part and does not.
func (p *Page) mayEnter() bool {
	me := p.club.Player().ID
	mine := p.One.Of(me)
	return !p.One.Over && (mine == nil || mine.Away) && !me.Guest()
}

// table is where the chosen one plays, 0 if nowhere.
func (p *Page) table() table.ID {
	if c := p.rows.Chosen(); c != nil {
		return p.One.At[c.Game]
	}
	return 0
}

func (p *Page) Chrome() page.Chrome { return p.Around(p.title()) }

// NextTick is when the time left reads differently.
func (p *Page) NextTick(now time.Time) time.Time {
	if p.One == nil || p.One.Over {
		return time.Time{}
	}
	at := p.One.Begins
	if p.One.Begun {
		at = p.One.Ends
	}
	left := at.Sub(now)
	if left <= 0 {
		return time.Time{}
	}
	step := time.Minute
	if left <= 90*time.Second {
		step = 5 * time.Second
	}
	return at.Add(-(left - 1) / step * step)
}
