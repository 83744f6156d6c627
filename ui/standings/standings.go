// Package standings is the page of the standings: teams, pairs and players by rank. It asks the club for them; it must not
// know how anybody is rated.
package standings

import (
	"context"
	"slices"
	"strings"

	"charm.land/bubbles/v2/key"
	tea "charm.land/bubbletea/v2"

	"boneyard/lobby"
	"boneyard/rules"
	"boneyard/table"
	"boneyard/ui/page"
)

// Page shows one table of standings at a time. What is asked for is drawn at once; the rows that are there stay until
// those that were asked for have come.
type Page struct {
	env    *page.Env
	query  lobby.StandingsQuery // what is asked for
	months []string             // to choose from, the newest first

	list   []lobby.Standing
	shown  lobby.StandingsQuery // what list answers
	cursor page.Cursor
	rows   int // how many are seen, as drawn last
	asked  int // the number of the latest question; answers to earlier ones are not taken
	asking bool
	newest int64 // the news that the list is as new as
}

// most is how many rows are asked for.
const most = 500

var (
	keyOpen  = page.Bind("enter", "open", "enter")
	keyKind  = page.Bind("←→", "teams, pairs, players", "left", "right", "h", "l")
	keyMonth = page.Bind("m", "month", "m")
	keyGame  = page.Bind("g", "game", "g")
	keyMe    = page.Bind("o", "own row", "o")
	keyMove  = page.Bind("↑↓", "choose", "up", "down", "j", "k", "pgup", "pgdown", "home", "end")

	keyMonthBack = page.Bind("M", "month back", "M")
	keyGameBack  = page.Bind("G", "game back", "G")
	keyReload    = page.Bind("r", "reload", "r")
)

// kinds are the tables of standings, in the order in which they are offered.
var kinds = []lobby.Kind{lobby.KindTeam, lobby.KindPair, lobby.KindPlayer}

var kindNames = []string{"Teams", "Pairs", "Players"}

type (
	answerMsg struct {
		asked int
		query lobby.StandingsQuery
		list  []lobby.Standing
		err   error
	}
	monthsMsg struct{ list []string }
)

var _ page.Restorer = (*Page)(nil)

// New returns the page with what the target asks for; the teams of all time, if it asks for nothing.
func New(e *page.Env, to page.Target) *Page {
	p := &Page{env: e, query: to.Query, rows: 10}
	if p.query.Kind == "" {
		p.query.Kind = lobby.KindTeam
	}
	p.query.Limit = most
	return p
}

// Place is how the page is opened again as it is.
func (p *Page) Place() page.Target { return page.Target{Kind: page.Standings, Query: p.query} }

// Init loads the months and the first table.
func (p *Page) Init() tea.Cmd { return tea.Batch(p.askMonths(), p.ask()) }

// Title is the page's name.
func (p *Page) Title() string { return "Standings" }

// Keys are the page's keys.
func (p *Page) Keys() []key.Binding {
	keys := []key.Binding{keyKind, keyMonth, keyGame, keyMove, keyMe, keyReload, keyMonthBack, keyGameBack}
	if p.chosen() == nil {
		return keys
	}
	open := keyOpen
	switch p.shown.Kind {
	case lobby.KindTeam:
		open.SetHelp("enter", "open the team")
	default:
		open.SetHelp("enter", "their games")
	}
	return append([]key.Binding{open}, keys...)
}

// ask asks for what is chosen.
func (p *Page) ask() tea.Cmd {
	p.asked++
	p.asking = true
	p.newest = p.latestResult()
	asked, q := p.asked, p.query
	return p.env.Call(func(ctx context.Context) tea.Msg {
		list, err := p.env.Visit.Standings(ctx, q)
		return answerMsg{asked, q, list, err}
	})
}

func (p *Page) askMonths() tea.Cmd {
	return p.env.Call(func(ctx context.Context) tea.Msg {
		list, err := p.env.Visit.Months(ctx)
		if err != nil {
			return page.Complain(err)
		}
		return monthsMsg{list}
	})
}

// latestResult is the number of the club's latest result in the news, by which changed standings are noticed.
func (p *Page) latestResult() int64 {
	for _, n := range p.env.Visit.Snapshot().News {
		if n.Kind == lobby.NewsResult {
			return n.ID
		}
	}
	return 0
}

// chosen is the row under the cursor, nil if there is none.
func (p *Page) chosen() *lobby.Standing {
	if p.cursor.At >= len(p.list) {
		return nil
	}
	return &p.list[p.cursor.At]
}

// Update handles a message.
func (p *Page) Update(msg tea.Msg) (page.Page, tea.Cmd) {
	switch msg := msg.(type) {
	case answerMsg:
		return p, p.take(msg)
	case monthsMsg:
		p.months = msg.list
	case page.ClubUpdateMsg:
		if p.latestResult() != p.newest {
			return p, tea.Batch(p.askMonths(), p.ask())
		}
	case tea.MouseWheelMsg:
		p.wheel(msg)
	case tea.MouseClickMsg:
		return p, p.click(msg)
	case tea.KeyPressMsg:
		return p, p.key(msg)
	}
	return p, nil
}

// take shows the answer to the latest question. If it is the same table again, the cursor stays on its row wherever that
// stands now.
func (p *Page) take(a answerMsg) tea.Cmd {
	if a.asked != p.asked {
		return nil
	}
	p.asking = false
	if a.err != nil {
		p.query = p.shown
		if p.shown.Kind == "" { // nothing has been shown yet
			p.query = a.query
		}
		return page.Send(page.Complain(a.err))
	}
	if at := p.chosen(); at != nil && a.query == p.shown {
		if i := slices.IndexFunc(a.list, func(s lobby.Standing) bool { return s.ID == at.ID }); i >= 0 {
			p.cursor.Top += i - p.cursor.At
			p.cursor.At = i
		}
	} else {
		p.cursor = page.Cursor{}
	}
	p.list, p.shown = a.list, a.query
	p.cursor.Clamp(len(p.list), p.rows)
	return nil
}

func (p *Page) key(msg tea.KeyPressMsg) tea.Cmd {
	switch {
	case key.Matches(msg, keyKind):
		by := 1
		if s := msg.String(); s == "left" || s == "h" {
			by = -1
		}
		i := slices.Index(kinds, p.query.Kind)
		p.query.Kind = kinds[(i+by+len(kinds))%len(kinds)]
	case key.Matches(msg, keyMonth):
		p.query.Month = next(p.months, p.query.Month, 1)
	case key.Matches(msg, keyMonthBack):
		p.query.Month = next(p.months, p.query.Month, -1)
	case key.Matches(msg, keyGame):
		p.query.Game = next(games(), p.query.Game, 1)
	case key.Matches(msg, keyGameBack):
		p.query.Game = next(games(), p.query.Game, -1)
	case key.Matches(msg, keyReload):
		return tea.Batch(p.askMonths(), p.ask())
	case key.Matches(msg, keyMe):
		return p.own()
	case key.Matches(msg, keyOpen):
		return p.open()
	default:
		p.cursor.Move(msg, len(p.list), p.rows)
		return nil
	}
	return p.ask()
}

// games are the games there are standings of.
func games() []string {
	var list []string
	for _, g := range rules.Presets() {
		list = append(list, g.String())
	}
	return list
}

// next steps through the choices, among which "" for all comes before the first.
func next(choices []string, now string, by int) string {
	i := slices.Index(choices, now) + 1 + by // counted from "", which is 0
	n := len(choices) + 1
	if i = (i + n) % n; i > 0 {
		return choices[i-1]
	}
	return ""
}

// own goes to the row of the player, of their team, or of the first of their pairs.
func (p *Page) own() tea.Cmd {
	mine := p.ownRows()
	i := slices.IndexFunc(p.list, func(s lobby.Standing) bool { return mine(&s) })
	if i < 0 {
		return page.Send(page.Say("You are not in this table; games with members alone count."))
	}
	p.cursor.At = i
	p.cursor.Clamp(len(p.list), p.rows)
	return nil
}

// open leads to a team, or to the games of a player or pair.
func (p *Page) open() tea.Cmd {
	s := p.chosen()
	switch {
	case s == nil:
		return nil
	case p.shown.Kind == lobby.KindTeam:
		return page.Open(page.Target{Kind: page.TeamPage, Team: table.TeamID(s.ID)})
	}
	return page.Open(page.Target{Kind: page.Games, Search: strings.ReplaceAll(s.Name, " + ", " ")})
}

func (p *Page) wheel(msg tea.MouseWheelMsg) {
	switch msg.Button {
	case tea.MouseWheelUp:
		p.cursor.At--
	case tea.MouseWheelDown:
		p.cursor.At++
	}
	p.cursor.Clamp(len(p.list), p.rows)
}

// click chooses a row, or opens the chosen one.
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
