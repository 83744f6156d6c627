// Package games is the page of the games that were played: a list to look through, and the page on which one of them is
// played again. It asks the club for games and records; it must not know where they are kept, nor how they are drawn.
package games

import (
	"context"

	"charm.land/bubbles/v2/key"
	tea "charm.land/bubbletea/v2"

	"boneyard/lobby"
	"boneyard/table"
	"boneyard/ui/page"
	"boneyard/ui/screen"
)

// Page lists games, the newest first: all that are over, and the player's own that are not.
type Page struct {
	env    *page.Env
	search page.Input
	mine   bool // only games in which the player sat

	list   []lobby.GameInfo
	cursor page.Cursor
	rows   int  // how many are seen, as drawn last
	asked  int  // the number of the latest question; answers to earlier ones are not taken
	asking bool // it has not been answered yet
	older  bool // there may be more than are listed
	newest int64
	want   table.GameID // to be chosen when it has come, 0 if none
}

// pageSize is how many games are asked for at once.
const pageSize = 50

var (
	keyOpen   = page.Bind("enter", "replay", "enter")
	keyFilter = page.Bind("/", "search", "/")
	keyMine   = page.Bind("m", "my games", "m")
	keyReload = page.Bind("r", "reload", "r")
	keyMove   = page.Bind("↑↓", "choose", "up", "down", "j", "k", "pgup", "pgdown", "home", "end")

	keyDone  = page.Bind("enter", "done", "enter")
	keyClear = page.Bind("esc", "show all", "esc")
)

// answerMsg is a part of the list: the beginning, or what follows after before.
type answerMsg struct {
	asked  int
	before table.GameID
	list   []lobby.GameInfo
	err    error
}

// New returns the page, with a search and a chosen game if to says so.
func New(e *page.Env, to page.Target) *Page {
	p := &Page{env: e, search: page.NewInput("/", "player, team, game or date such as 2026-11", 60), rows: 10, mine: to.Mine, want: to.Game}
	p.search.Set(to.Search)
	return p
}

// Place is the list as it is now.
func (p *Page) Place() page.Target {
	to := page.Target{Kind: page.Games, Search: p.search.Value(), Mine: p.mine}
	if g := p.chosen(); g != nil && p.cursor.At > 0 {
		to.Game = g.ID
	}
	return to
}

// Init loads the newest games.
func (p *Page) Init() tea.Cmd {
	p.newest = p.latestResult()
	return p.ask(0)
}

// Title is the page's name.
func (p *Page) Title() string { return "Games" }

// Typing reports whether the search takes keys.
func (p *Page) Typing() bool { return p.search.Active() }

// Cursor is where the search is typed.
func (p *Page) Cursor(w, _ int) screen.Cursor { return p.search.CursorAt(p.env.Theme, 1, 0, w-2) }

// Keys are the page's keys.
func (p *Page) Keys() []key.Binding {
	if p.search.Active() {
		return []key.Binding{keyDone, keyClear, keyMove}
	}
	open := keyOpen
	if g := p.chosen(); g != nil && unfinished(g) {
		open.SetHelp("enter", "go to the table")
	}
	return []key.Binding{open, keyFilter, keyMine, keyExport, keyMove, keyReload}
}

// ask asks for games older than before, or for the newest. An answer to an earlier question is not waited for.
func (p *Page) ask(before table.GameID) tea.Cmd {
	p.asked++
	p.asking = true
	q := lobby.GamesQuery{Text: p.search.Value(), Before: before, Limit: pageSize, Mine: p.env.Visit.Player().ID}
	if p.mine {
		q.Player = q.Mine
	}
	asked := p.asked
	return p.env.Call(func(ctx context.Context) tea.Msg {
		list, err := p.env.Visit.Games(ctx, q)
		return answerMsg{asked, before, list, err}
	})
}

// chosen is the game under the cursor, nil if there is none.
func (p *Page) chosen() *lobby.GameInfo {
	if p.cursor.At >= len(p.list) {
		return nil
	}
	return &p.list[p.cursor.At]
}

func unfinished(g *lobby.GameInfo) bool { return g.Ended.IsZero() }

// latestResult is the number of the club's latest result in the news, by which a new game is noticed.
func (p *Page) latestResult() int64 {
	for _, n := range p.env.Visit.Snapshot().News {
		if n.Kind == lobby.NewsResult {
			return n.ID
		}
	}
	return 0
}

// Update handles a message.
func (p *Page) Update(msg tea.Msg) (page.Page, tea.Cmd) {
	switch msg := msg.(type) {
	case answerMsg:
		return p, p.take(msg)
	case page.ClubUpdateMsg:
		// A game that has just ended appears by itself where that moves nothing somebody looks at.
		if id := p.latestResult(); id != p.newest && p.cursor.At == 0 {
			p.newest = id
			return p, p.ask(0)
		}
	case tea.PasteMsg:
		if p.search.Active() {
			return p, p.typed(msg)
		}
	case tea.MouseWheelMsg:
		return p, p.wheel(msg)
	case tea.MouseClickMsg:
		return p, p.click(msg)
	case tea.KeyPressMsg:
		if p.search.Active() {
			return p, p.keyInSearch(msg)
		}
		return p, p.key(msg)
	}
	return p, nil
}

func (p *Page) take(a answerMsg) tea.Cmd {
	if a.asked != p.asked {
		return nil
	}
	p.asking = false
	if a.err != nil {
		p.older = false
		return page.Send(page.Complain(a.err))
	}
	p.older = len(a.list) == pageSize
	if a.before == 0 {
		p.list = a.list
	} else {
		p.list = append(p.list[:len(p.list):len(p.list)], a.list...)
	}
	if p.want != 0 {
		return p.find()
	}
	p.cursor.Clamp(len(p.list), p.rows)
	return nil
}

// find chooses the game that is wanted, or asks for what is older than the list.
func (p *Page) find() tea.Cmd {
	for i := range p.list {
		if p.list[i].ID <= p.want {
			p.cursor = page.Cursor{At: i, Top: max(i-p.rows/2, 0)}
			p.want = 0
			return nil
		}
	}
	if !p.older {
		p.want = 0
		return nil
	}
	return p.ask(p.list[len(p.list)-1].ID)
}

func (p *Page) key(msg tea.KeyPressMsg) tea.Cmd {
	switch {
	case p.cursor.Move(msg, len(p.list), p.rows):
		return p.more()
	case key.Matches(msg, keyFilter):
		p.search.Focus()
	case key.Matches(msg, keyMine):
		p.mine = !p.mine
		return p.again()
	case key.Matches(msg, keyReload):
		return p.again()
	case key.Matches(msg, keyOpen):
		return p.open()
	case key.Matches(msg, keyExport):
		return p.export()
	}
	return nil
}

func (p *Page) keyInSearch(msg tea.KeyPressMsg) tea.Cmd {
	switch msg.String() {
	case "enter":
		p.search.Blur()
		return nil
	case "esc":
		p.search.Blur()
		if p.search.Take() == "" {
			return nil
		}
		return p.again()
	case "up", "down", "pgup", "pgdown":
		p.cursor.Move(msg, len(p.list), p.rows)
		return p.more()
	}
	return p.typed(msg)
}

// typed searches as one types.
func (p *Page) typed(msg tea.Msg) tea.Cmd {
	before := p.search.Value()
	p.search.Update(msg)
	if p.search.Value() == before {
		return nil
	}
	return p.again()
}

// again asks for the list from its beginning.
func (p *Page) again() tea.Cmd {
	p.cursor, p.want = page.Cursor{}, 0
	p.newest = p.latestResult()
	return p.ask(0)
}

// more asks for older games when the end of the list comes near.
func (p *Page) more() tea.Cmd {
	if p.asking || !p.older || p.cursor.At < len(p.list)-p.rows {
		return nil
	}
	return p.ask(p.list[len(p.list)-1].ID)
}

func (p *Page) open() tea.Cmd {
	g := p.chosen()
	switch {
	case g == nil:
		return nil
	case unfinished(g):
		return page.Open(page.Target{Kind: page.Table, Table: g.Table})
	}
	return page.Open(page.Target{Kind: page.Replay, Game: g.ID})
}

func (p *Page) export() tea.Cmd {
	g := p.chosen()
	switch {
	case g == nil:
		return nil
	case unfinished(g):
		return page.Send(page.Say("A game can be exported when it is over."))
	}
	return export(p.env, g.ID)
}

func (p *Page) wheel(msg tea.MouseWheelMsg) tea.Cmd {
	switch msg.Button {
	case tea.MouseWheelUp:
		p.cursor.At--
	case tea.MouseWheelDown:
		p.cursor.At++
	}
	p.cursor.Clamp(len(p.list), p.rows)
	return p.more()
}

// click chooses a game, or opens the chosen one.
func (p *Page) click(msg tea.MouseClickMsg) tea.Cmd {
	row := msg.Y - listTop
	at := p.cursor.Top + row
	if row < 0 || row >= p.rows || at >= len(p.list) {
		return nil
	}
	if at == p.cursor.At {
		return p.open()
	}
	p.cursor.At = at
	return nil
}
