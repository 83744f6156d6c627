// Package standings has the page of the standings: teams, pairs and players by rank. It asks the club for
// them, and must not know how ratings are computed.
package standings

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"strings"

	tea "charm.land/bubbletea/v2"

	"boneyard/lobby"
	"boneyard/rules"
	"boneyard/table"
	"boneyard/ui/page"
)

// Page shows one table of standings at a time. A new query is shown at once; the old rows stay until the new
// ones have come.
type Page struct {
	page.Listed
	env    *page.Env
	query  lobby.StandingsQuery // what is asked for
	limit  int                  // the most rows of it
	months []string             // to choose from, newest first

	list   page.List[lobby.Standing]
	shown  lobby.StandingsQuery // the query that list answers
	cut    bool                 // there may be more rows than list has
	toOwn  bool                 // more rows were requested, to find the player's own
	load   page.Question
	newest int64 // the club's latest result when the list was requested
}

// How many rows are loaded at first, which is enough for most people, and after scrolling.
const (
	few  = 100
	most = 500
)

var (
	keyKind  = page.Bind("←→", "teams, pairs, players", "left", "right", "h", "l")
	keyMonth = page.Bind("m", "month", "m")
	keyGame  = page.Bind("g", "game", "g")
	keyMe    = page.Bind("o", "your row", "o")

	keyMonthBack = page.Bind("M", "month back", "M")
	keyAll       = page.Bind("esc", "all games of all time", "esc")
	keyGameBack  = page.Bind("G", "game back", "G")
)

var kinds = []lobby.Kind{lobby.KindTeam, lobby.KindPair, lobby.KindPlayer}

var (
	kindNames = []string{"Teams", "Pairs", "Players"}
	nouns     = []string{"team", "pair", "player"}
)

// New returns the page for a target's query; by default the teams of all time.
func New(e *page.Env, to page.Target) *Page {
	p := &Page{env: e, query: to.Query, limit: few}
	p.Sheet = p.sheet
	p.query.Kind = cmp.Or(p.query.Kind, lobby.KindTeam)
	return p
}

// Init loads the months and the first table.
func (p *Page) Init() tea.Cmd { return tea.Batch(p.askMonths(), p.ask()) }

func (p *Page) Chrome() page.Chrome {
	return page.Chrome{Title: "Standings", Widest: page.WidestList, Reopen: page.Target{Kind: page.Standings, Query: p.query}}
}

func (p *Page) Actions() (does page.Actions) {
	changing := func(change func()) func() tea.Cmd {
		return func() tea.Cmd {
			change()
			p.toOwn, p.limit = false, few
			return p.ask()
		}
	}
	month := func(by int) func() tea.Cmd {
		return changing(func() { p.query.Month = page.Next(p.months, p.query.Month, by) })
	}
	game := func(by int) func() tea.Cmd {
		return changing(func() { p.query.Game = page.Next(rules.PresetNames(), p.query.Game, by) })
	}
	open := map[lobby.Kind]string{lobby.KindTeam: "open the team", lobby.KindPlayer: "open the player", lobby.KindPair: "their games"}
	if s := p.list.Chosen(); s != nil {
		does.OpenPage(true, page.Named(page.KeyOpen, open[p.shown.Kind]), p.pageOf(s))
	}
	does.Add(p.query.Month != "" || p.query.Game != "", keyAll, changing(func() { p.query.Month, p.query.Game = "", "" }))
	does.Leaves(keyKind, slices.Index(kinds, p.query.Kind), 0, p.Width, kindNames, func(to int) tea.Cmd {
		return changing(func() { p.query.Kind = kinds[to] })()
	})
	does.Add(true, keyMonth, month(1))
	does.Add(true, keyGame, game(1))
	does.Move(p.list.Len() > 0, page.KeyMove, func(pressed string) tea.Cmd {
		p.toOwn = false
		if p.Move(pressed); !p.cut || p.limit == most || !p.list.AtEnd() {
			return nil
		}
		return p.askAll() // there may be more below
	})
	does.Add(p.list.Len() > 0, keyMe, func() tea.Cmd {
		p.toOwn = false
		return p.own()
	})
	does.Add(true, page.KeyReload, func() tea.Cmd { return tea.Batch(p.askMonths(), changing(func() {})()) })
	does.Add(true, keyMonthBack, month(-1))
	does.Add(true, keyGameBack, game(-1))
	return does
}

func (p *Page) ask() tea.Cmd {
	p.newest = p.env.Visit.Snapshot().LatestResult()
	q, limited := p.query, p.query
	limited.Limit = p.limit
	find := func(ctx context.Context) ([]lobby.Standing, error) { return p.env.Visit.Standings(ctx, limited) }
	return page.Find(p.load.Ask, p.env, find, func(list []lobby.Standing, err error) tea.Cmd {
		if err != nil {
			return p.refused(q, err)
		}
		return p.take(q, list, len(list) == limited.Limit)
	})
}

func (p *Page) askAll() tea.Cmd {
	p.limit = most
	return p.ask()
}

func (p *Page) askMonths() tea.Cmd {
	return page.Get((*page.Env).Call, p.env, p.env.Visit.Months, func(list []string) tea.Cmd {
		p.months = list
		return nil
	})
}

func (p *Page) Update(msg tea.Msg) tea.Cmd {
	if _, ok := msg.(page.ClubUpdateMsg); ok && p.env.Visit.Snapshot().LatestResult() != p.newest {
		return p.Init()
	}
	return nil
}

// refused goes back to what is shown, if anything is, when the club refuses the query.
func (p *Page) refused(q lobby.StandingsQuery, err error) tea.Cmd {
	p.toOwn = false
	if p.list.Len() <= few { // so that more can be requested again
		p.limit = few
	}
	if p.query = p.shown; p.shown.Kind == "" {
		p.query = q
	}
	return page.Refused(err)
}

// take shows an answer. If it is the same table again, the cursor follows its row.
func (p *Page) take(q lobby.StandingsQuery, list []lobby.Standing, cut bool) tea.Cmd {
	if q != p.shown {
		p.list.Top()
		p.list.Set(nil)
	}
	p.shown, p.cut = q, cut
	p.list.Update(list, func(a, b *lobby.Standing) bool { return a.ID == b.ID })
	if p.toOwn {
		return p.own()
	}
	return nil
}

func (p *Page) own() tea.Cmd {
	asked := p.toOwn
	p.toOwn = false
	mine := p.ownRows()
	i := slices.IndexFunc(p.list.Items(), func(s lobby.Standing) bool { return mine(&s) })
	switch {
	case i >= 0:
		p.list.Choose(i)
		return nil
	case p.cut && !asked && p.list.Len() < most:
		p.toOwn = true
		return p.askAll()
	case p.cut:
		return page.Send(page.Say(fmt.Sprintf("You are not among the first %d here.", most)))
	}
	return page.Send(page.Say("You are not ranked here; only games between members count."))
}

func (p *Page) pageOf(s *lobby.Standing) page.Target {
	switch p.shown.Kind {
	case lobby.KindTeam:
		return page.Target{Kind: page.TeamPage, Team: table.TeamID(s.ID)}
	case lobby.KindPlayer:
		return page.Target{Kind: page.Person, Name: s.Name}
	}
	return page.Target{Kind: page.Games, Search: strings.ReplaceAll(s.Name, " + ", " ")}
}
