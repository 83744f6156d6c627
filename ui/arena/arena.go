// Package arena shows the club's arenas: a list of them, and of one the standing, who plays whom, and how much time is left. It asks
// the club, and knows no rule of an arena.
package arena

import (
	"context"
	"time"

	tea "charm.land/bubbletea/v2"

	"boneyard/lobby"
	"boneyard/lobby/event"
	"boneyard/lobby/event/arena"
	"boneyard/table"
	"boneyard/ui/page"
)

// club is what the page asks of the club.
type club interface {
	Player() table.Player
	Arenas() []lobby.Arena
	Arena(ctx context.Context, id event.ID) (*lobby.Arena, error)
	EnterArena(ctx context.Context, id event.ID, partner string) error
	LeaveArena(ctx context.Context, id event.ID) error
	page.Organizer
}

var _ club = (*lobby.Visit)(nil)

// Page is the list of arenas, or one of them.
type Page struct {
	page.Size
	env  *page.Env
	club club
	id   event.ID // 0: the list

	all   page.List[lobby.Arena]
	one   *lobby.Arena
	rows  page.List[arena.Entrant]
	fault string // why there is nothing to see
	load  page.Question
	moved bool       // the reader has chosen a row; until then it is their own
	line  page.Input // a partner's name
}

var (
	_ page.Page  = (*Page)(nil)
	_ page.Clock = (*Page)(nil)
)

// New returns the page of an arena, or with 0 the list of all.
func New(e *page.Env, id event.ID) page.Page { return newPage(e, e.Visit, id) }

func newPage(e *page.Env, c club, id event.ID) *Page {
	return &Page{env: e, club: c, id: id, line: page.NewPartner()}
}

// Init asks for what there is.
func (p *Page) Init() tea.Cmd { return p.look() }

// look takes up the arenas as they are now.
func (p *Page) look() tea.Cmd {
	if p.id == 0 {
		p.all.Set(p.club.Arenas())
		return nil
	}
	club, id := p.club, p.id
	return page.Find(&p.load, p.env, func(ctx context.Context) (*lobby.Arena, error) { return club.Arena(ctx, id) })
}

// Update handles a message.
func (p *Page) Update(msg tea.Msg) (page.Page, tea.Cmd) {
	if cmd, ok := p.line.Handle(msg, p.Actions()); ok {
		return p, cmd
	}
	switch msg := msg.(type) {
	case page.ClubUpdateMsg:
		if p.one == nil || !p.one.Over {
			return p, p.look()
		}
	case page.Found[*lobby.Arena]:
		if msg.Take(&p.one, &p.fault) {
			p.take()
		}
	case page.CallOffMsg:
		return p, p.env.CallOff(p.club, arena.Kind, p.id)
	case tea.MouseClickMsg:
		return p, p.click(msg)
	case tea.KeyPressMsg:
		return p, page.Press(p, msg)
	}
	return p, nil
}

// take takes up what the club has said; the cursor stays at whom it was.
func (p *Page) take() {
	at := p.club.Player().ID
	if c := p.rows.Chosen(); p.moved && c != nil {
		at = c.ID
	}
	p.rows.Set(p.one.Entrants)
	p.Resize(p.Width, p.Height)
	for i := range p.one.Entrants {
		if p.one.Entrants[i].Has(at) {
			p.rows.Choose(i)
		}
	}
}

var (
	keyWatch = page.Bind("enter", "watch", "enter")
	keyEnter = page.Bind("e", "join", "e")
	keyLeave = page.Bind("x", "no more games", "x")
)

// Actions implements [page.Page].
func (p *Page) Actions() (does page.Actions) {
	club, id := p.club, p.id
	switch {
	case id == 0:
		does.Add(p.all.Chosen() != nil, page.KeyOpen, p.open)
		does.Move(true, page.KeyMove, p.all.Move)
		return does
	case p.line.Active():
		return p.line.Actions("done", p.enter)
	case p.one == nil:
		return nil
	}
	mine, runs := p.own(), !p.one.Over
	does.Add(p.table() != 0, keyWatch, p.open)
	does.Add(p.mayEnter(), keyEnter, func() tea.Cmd {
		if p.one.Config.Pairs && mine == nil {
			p.line.Focus()
			return nil
		}
		return p.env.DoAndSay(func(ctx context.Context) error { return club.EnterArena(ctx, id, "") }, "You're in: your games open by themselves.")
	})
	does.Add(runs && mine != nil && !mine.Away, keyLeave, func() tea.Cmd {
		return p.env.DoAndSay(func(ctx context.Context) error { return club.LeaveArena(ctx, id) }, "You're out; press e to play on.")
	})
	does.Go(runs, page.KeyWall, page.Target{Kind: page.Wall, Event: id})
	does.Move(true, page.KeyMove, func(pressed string) tea.Cmd {
		p.moved = true
		return p.rows.Move(pressed)
	})
	does.CallOff(club, p.one.Config.By, p.one.Begun || p.one.Over)
	return does
}

// mayEnter reports whether the reader may take part and does not.
func (p *Page) mayEnter() bool {
	mine := p.own()
	return p.one != nil && !p.one.Over && (mine == nil || mine.Away) && !p.club.Player().ID.Guest()
}

// own is the reader, if they take part.
func (p *Page) own() *arena.Entrant {
	if p.one == nil {
		return nil
	}
	return p.one.Of(p.club.Player().ID)
}

// table is where the chosen one plays, 0 if nowhere.
func (p *Page) table() table.ID {
	if c := p.rows.Chosen(); c != nil && p.one != nil {
		return p.one.Tables[c.Game]
	}
	return 0
}

// open leads to the chosen arena, or to where the chosen one plays.
func (p *Page) open() tea.Cmd {
	switch a := p.all.Chosen(); {
	case p.id != 0 && p.table() != 0:
		return page.Open(page.Target{Kind: page.Table, Table: p.table()})
	case p.id == 0 && a != nil:
		return page.Open(page.Target{Kind: page.Arena, Event: a.ID})
	}
	return nil
}

// click chooses a row, or opens the chosen one.
func (p *Page) click(msg tea.MouseClickMsg) tea.Cmd {
	again := false
	if p.id == 0 {
		again = p.all.Click(msg.Y)
	} else {
		again = p.rows.Click(msg.Y - p.top())
		p.moved = true
	}
	if !again {
		return nil
	}
	return p.open()
}

// enter names a partner.
func (p *Page) enter(partner string) tea.Cmd {
	if partner == "" {
		return nil
	}
	club, id := p.club, p.id
	return p.env.DoAndSay(func(ctx context.Context) error { return club.EnterArena(ctx, id, partner) }, page.PartnerNamed)
}

// Chrome implements [page.Page].
func (p *Page) Chrome() page.Chrome {
	return page.Chrome{Title: p.title(), Typing: p.line.Active(), Cursor: p.line.FootCursor(p.env.Theme, p.Size)}
}

// NextTick is when the time left reads differently.
func (p *Page) NextTick(now time.Time) time.Time {
	if p.one == nil || p.one.Over {
		return time.Time{}
	}
	at := p.one.Begins
	if p.one.Begun {
		at = p.one.Ends
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
