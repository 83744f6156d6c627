// Package games is the page of past games: a list, and the page that replays one of them. It asks the club
// for games and records; it must not know where they are kept, nor how they are drawn.
package games

import (
	"context"
	"slices"

	tea "charm.land/bubbletea/v2"

	"boneyard/lobby"
	"boneyard/table"
	"boneyard/ui/page"
)

// Page lists games, newest first: all that are over, and the player's own that are not.
type Page struct {
	page.Listed
	env    *page.Env
	search page.Input
	mine   bool // only games in which the player sat

	list   page.List[lobby.GameInfo]
	load   page.Question
	older  bool // there may be more than the list has
	newest int64
	want   table.GameID // to be chosen once it is listed; 0 if none
}

var (
	keyOpen   = page.Bind("enter", "replay", "enter")
	keyFilter = page.Bind("/", "search", "/")
	keyMine   = page.Bind("m", "my games", "m")

	keyDone  = page.Bind("enter", "done", "enter")
	keyClear = page.Bind("esc", "show all", "esc")
)

// New returns the page, with the search and the chosen game of to.
func New(e *page.Env, to page.Target) *Page {
	p := &Page{env: e, search: page.NewInput("/", "player, team, game or date such as 2026-11", 60), mine: to.Mine, want: to.Game}
	p.Sheet = p.sheet
	p.search.Set(to.Search)
	return p
}

func (p *Page) reopen() page.Target {
	to := page.Target{Kind: page.Games, Search: p.search.Value(), Mine: p.mine}
	if g := p.list.Chosen(); g != nil && p.list.At() > 0 {
		to.Game = g.ID
	}
	return to
}

// Init loads the newest games.
func (p *Page) Init() tea.Cmd { return p.ask(0) }

func (p *Page) Chrome() page.Chrome {
	return page.Chrome{
		Title: "Games", Widest: widest, Typing: p.search.Active(), Cursor: p.search.CursorAt(p.env.Theme, 1, 0, p.Width-2), Reopen: p.reopen(),
	}
}

func (p *Page) Actions() (does page.Actions) {
	clear := func() tea.Cmd {
		p.mine = false
		p.search.Blur()
		p.search.Take()
		return p.again()
	}
	move := func(pressed string) tea.Cmd {
		if p.Move(pressed); p.load.Waiting() || !p.older || !p.list.AtEnd() {
			return nil
		}
		return p.ask(p.oldest())
	}
	if p.search.Active() {
		does.Set(true, keyDone, p.search.Blur)
		does.Add(true, keyClear, clear)
		does.Move(p.list.Len() > 0, page.KeyMoveTyping, move)
		return does
	}
	g := p.list.Chosen()
	switch {
	case g == nil:
	case unfinished(g):
		does.Table(true, page.Named(keyOpen, "go to the table"), page.Opens, g.Table)
	default:
		does.OpenPage(true, keyOpen, page.Target{Kind: page.Replay, Game: g.ID})
	}
	does.Add(p.mine || p.search.Value() != "", keyClear, clear)
	does.Set(true, keyFilter, p.search.Focus)
	does.Add(true, keyMine, func() tea.Cmd {
		p.mine = !p.mine
		return p.again()
	})
	does.Add(g != nil, keyExport, p.export)
	does.Move(g != nil, page.KeyMove, move)
	does.Add(true, page.KeyReload, p.again)
	return does
}

// Row implements [page.Rowed]: the page's target names the chosen game.
func (p *Page) Row() int { return 0 }

func (p *Page) ask(before table.GameID) tea.Cmd {
	const pageSize = 50
	q := lobby.GamesQuery{Text: p.search.Value(), Before: before, Limit: pageSize + 1, Mine: p.env.Visit.Player().ID}
	if p.mine {
		q.Player = q.Mine
	}
	if before == 0 {
		p.newest = p.env.Visit.Snapshot().LatestResult()
	}
	find := func(ctx context.Context) ([]lobby.GameInfo, error) { return p.env.Visit.Games(ctx, q) }
	return page.Get(p.load.Ask, p.env, find, func(list []lobby.GameInfo) tea.Cmd {
		p.older = len(list) > pageSize
		return p.take(before, list[:min(len(list), pageSize)])
	})
}

func unfinished(g *lobby.GameInfo) bool { return g.Ended.IsZero() }

func (p *Page) Update(msg tea.Msg) tea.Cmd {
	before := p.search.Value()
	if p.search.Handle(msg) && p.search.Value() != before { // the list follows what is typed
		return p.again()
	}
	// A game that has just ended appears by itself, if the reader is at the top of the list.
	if _, ok := msg.(page.ClubUpdateMsg); ok && p.env.Visit.Snapshot().LatestResult() != p.newest && p.list.At() == 0 {
		return p.Init()
	}
	return nil
}

// take takes a part of the list: the beginning if before is 0, or the games after before.
func (p *Page) take(before table.GameID, list []lobby.GameInfo) tea.Cmd {
	if before == 0 {
		p.list.Set(list)
	} else {
		p.list.Append(list)
	}
	if p.want != 0 {
		return p.find()
	}
	return nil
}

func (p *Page) find() tea.Cmd {
	i := slices.IndexFunc(p.list.Items(), func(g lobby.GameInfo) bool { return g.ID <= p.want })
	if i < 0 && p.older {
		return p.ask(p.oldest())
	}
	if p.want = 0; i >= 0 {
		p.list.Choose(i)
	}
	return nil
}

func (p *Page) again() tea.Cmd {
	p.list.Top()
	p.want = 0
	return p.ask(0)
}

func (p *Page) oldest() table.GameID { return p.list.Items()[p.list.Len()-1].ID }

func (p *Page) export() tea.Cmd {
	g := p.list.Chosen()
	if unfinished(g) {
		return page.Send(page.Say("A game can be exported when it is over."))
	}
	return export(p.env, g.ID)
}
