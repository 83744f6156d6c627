package club

import (
	"context"
	"errors"
	"strings"

	tea "charm.land/bubbletea/v2"

	"boneyard/lobby"
	"boneyard/rules"
	"boneyard/table"
	"boneyard/ui/page"
)

var (
	keyEnter  = page.Bind("enter", "open", "enter")
	keyWatch  = page.Bind("w", "watch", "w")
	bothWatch = page.Bind("enter", "watch", "enter", "w")
	keyTeams  = page.Bind("L", "leagues and cups", "L")
	keyComes  = page.Bind("C", "calendar", "C")
	keySeason = page.Bind("S", "the season", "S")
	keyDaily  = page.Bind("d", "daily deal", "d")
	keyFirst  = page.Named(page.KeyQuick, "a first round with a guide")
	keyEasy   = page.Bind("e", "quick play, weaker bots", "e")
	keyHard   = page.Bind("h", "quick play, stronger bots", "h")
	keyBest   = page.Bind("v", "watch the best game", "v")
	keyJoin   = page.Bind("j", "join by code", "j")
	keyTalk   = page.Bind("t", "talk", "t")
	keyFind   = page.Bind("/", "find tables", "/")
	keyNews   = page.Bind("o", "open the latest news", "o")
	keyPanel  = page.Bind("←→", "tables, chat, people, news", "left", "right")
	keySeats  = page.Bind("f", "only free seats", "f")
	keyMine   = page.Bind("m", "only my tables", "m")
	keyGame   = page.Bind("g", "one game only", "g")
	keyKind   = page.Bind("k", "one kind only", "k")

	keySay   = page.Bind("enter", "send", "enter")
	keyTake  = page.Bind("enter", "join", "enter")
	keyKeep  = page.Bind("enter", "keep", "enter")
	keyAll   = page.Bind("esc", "show all", "esc")
	keyClose = page.Bind("esc", "close", "esc")
)

func (p *Page) Actions() (does page.Actions) {
	switch {
	case p.answer != nil:
		return p.answer.Actions()
	case p.typing != nothing:
		return p.lineActions()
	}
	p.offers(&does)
	p.finds(&does)
	return does
}

// offers adds what a person may do in the club. It is apart from finds because each takes much stack, which
// a session keeps while it waits.
func (p *Page) offers(does *page.Actions) {
	writes := func(what typing) func() tea.Cmd { return func() tea.Cmd { return p.write(what) } }
	quick := func(q lobby.QuickWish) func() tea.Cmd { return func() tea.Cmd { return p.quick(q) } }
	plays := p.club.MayPlay()
	if p.newcomer {
		does.Add(true, keyFirst, quick(lobby.QuickEven)) // with its one attempt the daily deal is not for a beginner
	} else {
		does.Page(p.daily != 0, keyDaily, page.Daily) // the first offer, until it has been played
	}
	p.enter(does)
	does.Offer(plays && !p.newcomer, page.KeyQuick, quick(lobby.QuickEven))
	does.OfferPage(p.me.MaySit(), page.KeyNewTable, page.NewTable)
	does.Add(true, keyTalk, writes(talking))
	if s := p.table(); p.focus == tables && s != nil {
		may := p.mayWatch(s)
		does.Table(may && p.action(s) != toWatch, keyWatch, page.ByKey, s.Table)
		does.Refuse(!may, keyWatch, func() tea.Cmd {
			return page.Send(page.Say("That table can't be watched: only its players see it."))
		})
	}
	if who := p.person(); who != nil {
		does.Table(true, keyWatch, page.ByKey, who.Table)
		does.Meet(p.env, p.club, who.Player.Name, who)
	}
	does.Offer(plays, keyJoin, writes(joining))
	does.Add(true, keyFind, func() tea.Cmd {
		p.focus = tables
		return p.write(finding)
	})
	does.Add(p.live, keyBest, func() tea.Cmd { return p.goToSeat(p.club.BestGame) })
	does.Offer(plays, keyEasy, quick(lobby.QuickEasy))
	does.Offer(plays, keyHard, quick(lobby.QuickHard))
	does.OfferPage(p.today != 0 && (p.daily == 0 || p.newcomer), keyDaily, page.Daily)
	if n := p.newest(); n != nil {
		does.Go(true, keyNews, page.Target{Kind: page.Replay, Game: n.Game})
	}
}

// finds adds how a person moves through the lists, narrows them and goes to other pages.
func (p *Page) finds(does *page.Actions) {
	narrows := func(change func(*lobby.Filter)) func() { return func() { p.narrow(change) } }
	does.With(true, keyPanel, func(pressed string) tea.Cmd {
		by := panel(1)
		if pressed == "left" {
			by = panels - 1
		}
		p.focus = (p.focus + by) % panels
		p.scroll() // the chosen item of the news takes more rows now
		return nil
	})
	does.Move(true, page.KeyMove, p.move)
	does.Set(p.person() == nil, keySeats, narrows(func(f *lobby.Filter) { f.Joinable = !f.Joinable }))
	does.Set(true, keyMine, narrows(func(f *lobby.Filter) { f.Mine = !f.Mine }))
	does.Set(true, keyGame, narrows(func(f *lobby.Filter) { f.Game = page.Next(rules.PresetNames(), f.Game, 1) }))
	does.Set(true, keyKind, narrows(func(f *lobby.Filter) { f.Access = page.Next(kinds, f.Access, 1) }))
	does.Page(true, page.KeyArenas, page.Arena)
	does.Page(true, keyTeams, page.Contest)
	does.Page(true, page.KeyDuplicates, page.Duplicate)
	does.Page(true, keyComes, page.Calendar)
	does.Pointed(p.pointAgenda)
	does.Page(true, keySeason, page.Season)
	does.Page(true, page.KeyWall, page.Wall)
	does.Set(p.filter != lobby.Filter{}, keyAll, narrows(func(f *lobby.Filter) { *f = lobby.Filter{} }))
}

func (p *Page) lineActions() (does page.Actions) {
	send, close, move := keySay, keyClose, page.KeyScrollTyping
	switch p.typing {
	case finding:
		send, close, move = keyKeep, keyAll, page.KeyMoveTyping
	case joining:
		send = keyTake
	}
	does.Add(true, send, p.send)
	does.Set(true, close, func() {
		if p.typing == finding {
			p.input.Set("")
			p.typed()
		}
		p.typing = nothing
	})
	does.Move(p.typing != joining, move, p.move)
	return does
}

// typed searches while the person types.
func (p *Page) typed() {
	if p.typing == finding && p.input.Value() != p.filter.Text {
		p.narrow(func(f *lobby.Filter) { f.Text = p.input.Value() })
	}
}

// send uses the line for what it was typed for. An empty line is closed.
func (p *Page) send() tea.Cmd {
	what := p.typing
	if what != talking || p.input.Value() == "" {
		p.typing = nothing
	}
	if what == finding {
		return nil
	}
	line := strings.TrimSpace(p.input.Take())
	switch {
	case line == "":
		return nil
	case what == joining:
		join := func(ctx context.Context) (table.ID, error) { return p.club.Join(ctx, line) }
		return page.Find(p.seat.Once, p.env, join, func(at table.ID, err error) tea.Cmd {
			if errors.Is(err, lobby.ErrNoCode) && p.typing == nothing { // mistyped
				p.write(joining)
				p.input.Set(line)
			}
			return p.goTo(at, err)
		})
	}
	return page.Find((*page.Env).Call, p.env, func(ctx context.Context) (string, error) { return p.club.Say(ctx, line) },
		func(reply string, err error) tea.Cmd { return p.take(line, reply, err) })
}

// looked returns the panel in use, which is the one shown on small screens: the chat while talking.
func (p *Page) looked() panel {
	if p.typing == talking {
		return chat
	}
	return p.focus
}

// move moves the cursor of the panel in use.
func (p *Page) move(pressed string) tea.Cmd {
	at := p.looked()
	c := &p.cursor[at]
	if at == chat {
		h, n := max(p.rows(chat)-1, 1), p.talk.count()
		by := map[string]int{"up": 1, "down": -1, "pgup": h, "pgdown": -h, "home": n, "end": -n}[pressed]
		c.At = max(min(c.At+by, n-1), 0)
		return nil
	}
	c.Move(pressed, p.length(at), p.rows(at))
	p.scroll()
	p.moved = p.moved || at == tables
	p.follow()
	return nil
}

func (p *Page) length(at panel) int {
	switch at {
	case people:
		return len(p.people.People)
	case news:
		return len(p.snap.News)
	}
	return len(p.order)
}

// FocusAt implements [page.Paneled].
func (p *Page) FocusAt(x, y int) {
	l := p.layout()
	if l.small || p.answer != nil || p.typing != nothing {
		return
	}
	for i, r := range l.panels {
		if r.has(x, y) {
			p.focus = panel(i)
		}
	}
}

func (p *Page) Point(x, y int) (again bool, cmd tea.Cmd) {
	l := p.layout()
	for i := range l.panels {
		at, r := panel(i), l.list(panel(i))
		if l.small && at != p.looked() || !r.has(x, y) {
			continue
		}
		row := y - r.y
		switch at {
		case chat:
			p.focus = chat
			return false, nil
		case news:
			rows := p.newsRows(l.panels[news])
			if row >= len(rows) {
				return false, nil
			}
			row = rows[row].item
		default:
			row += p.cursor[at].Top
		}
		if row >= p.length(at) {
			return false, nil
		}
		again = p.focus == at && row == p.cursor[at].At
		p.focus, p.cursor[at].At = at, row
		p.moved = p.moved || at == tables && !again
		p.follow()
		p.scroll()
		return again, nil
	}
	return false, nil
}

var kinds = []table.Access{table.AccessOpen, table.AccessCode, table.AccessTeams}
