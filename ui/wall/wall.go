// Package wall shows several tables on one screen, for the television in a club room: each is a board in a
// rectangle, drawn once for all viewers. The lobby chooses the tables; the page must know neither a store nor
// an event's rules.
package wall

import (
	"context"
	"fmt"
	"strings"
	"time"

	tea "charm.land/bubbletea/v2"

	"boneyard/lobby"
	"boneyard/lobby/event"
	"boneyard/lobby/text"
	"boneyard/table"
	"boneyard/ui/page"
	"boneyard/ui/plain"
)

// Page is a wall of tables.
type Page struct {
	page.Size
	env     *page.Env
	of      event.ID
	wall    *lobby.Wall    // nil before Init, or if it cannot be opened
	showing *lobby.Showing // open while the club's news is not needed
	views   []*table.View
	fault   string // why there is nothing to see
	shown   bool   // tables have been requested at least once
	room    int    // the number of tables last requested
	fill    page.Question
}

var (
	_ page.Closer = (*Page)(nil)
	_ page.Clock  = (*Page)(nil)
	_ page.Framer = (*Page)(nil)
)

// New returns the wall of an event, or the club's if of is 0.
func New(e *page.Env, of event.ID) page.Page { return &Page{env: e, of: of} }

// Init opens the wall, and requests tables.
func (p *Page) Init() tea.Cmd {
	w, err := p.env.Visit.Wall(p.of, p.env.Wake)
	if err != nil {
		p.fault = plain.Sentence(err)
		return nil
	}
	p.wall = w
	return p.arrange()
}

// Close closes the wall.
func (p *Page) Close() {
	p.fill.Forget()
	if p.wall != nil {
		p.wall.Close()
	}
	p.showing.Close()
}

const title = "The wall"

func (p *Page) Chrome() page.Chrome {
	return page.Chrome{Title: title, Subtitle: p.subtitle(), Digits: true, Opening: !p.shown && p.fault == ""}
}

// subtitle is shown where other pages name the reader, since the frame is shared.
func (p *Page) subtitle() string {
	if len(p.views) == 0 {
		return ""
	}
	return text.Number(len(p.views), "table")
}

// NextTick returns when a stopped table makes room; now if there is room for more or fewer.
func (p *Page) NextTick(now time.Time) time.Time {
	if p.wall == nil || p.fill.Waiting() {
		return time.Time{}
	}
	if p.places() != p.room { // the window was resized
		return now
	}
	return p.wall.Due()
}

func (p *Page) places() int {
	columns, rows := capacity(p.Width, p.Height)
	return columns * rows
}

// Update handles what the tables, the club and the reader do.
func (p *Page) Update(msg tea.Msg) tea.Cmd {
	switch msg.(type) {
	case page.WokenMsg:
		p.look()
	case page.TickMsg:
		return p.arrange()
	case page.ClubUpdateMsg:
		if p.wall != nil && p.wall.Stale() {
			return p.arrange()
		}
	}
	return nil
}

func (p *Page) look() {
	if p.wall != nil {
		p.views = p.wall.Views()
	}
}

func (p *Page) arrange() tea.Cmd {
	if p.wall == nil {
		return nil
	}
	w, n := p.wall, p.places()
	p.room = n
	arrange := func(ctx context.Context) (*lobby.Wall, error) { return w, w.Arrange(ctx, n) }
	return page.Find(p.fill.Ask, p.env, arrange, func(w *lobby.Wall, err error) tea.Cmd {
		p.look()
		if err != nil {
			return page.Refused(err)
		}
		p.shown = true
		if p.showing.Close(); !w.Open() {
			p.showing = p.env.Visit.Show(lobby.Place{})
		}
		return nil
	})
}

func (p *Page) Actions() (does page.Actions) {
	n, show := min(len(p.views), 9), "1" // of those that have a digit
	if n > 1 {
		show = fmt.Sprint("1-", n)
	}
	keys := page.Bind(show, "watch that table", strings.Split("123456789"[:n], "")...)
	does.Lead(n > 0, keys, page.ByKey, func(pressed string) tea.Cmd {
		return page.Open(page.Target{Kind: page.Table, Table: p.views[pressed[0]-'1'].Table})
	})
	return does
}
