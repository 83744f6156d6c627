package club

import (
	"context"
	"slices"
	"strconv"
	"strings"

	tea "charm.land/bubbletea/v2"

	"boneyard/lobby"
	"boneyard/table"
	"boneyard/ui/page"
	"boneyard/ui/plain"
)

// arrange sorts and filters the snapshot's tables for this person. The cursor stays on its table, or Enter
// would open another one than the person sees; if the table is gone, the cursor is on the one that follows.
func (p *Page) arrange() {
	p.order, p.yours = p.snap.SortFor(p.me), 0
	p.live = slices.ContainsFunc(p.order, lobby.Watchable)
	for p.yours < len(p.order) && p.order[p.yours].MoveOf(p.me.ID) {
		p.yours++
	}
	p.order = slices.DeleteFunc(p.order, func(s *table.Summary) bool { return !p.filter.Match(s, p.me) })
	p.drawn.tables = nil
	c := &p.cursor[tables]
	if i := slices.IndexFunc(p.order, func(s *table.Summary) bool { return s.Table == p.chosen }); i >= 0 {
		if c.Top > 0 { // the row stays in place on the screen; a list that is not scrolled shows its first row
			c.Top += i - c.At
		}
		c.At = i
	}
	c.Clamp(len(p.order), p.rows(tables))
	p.follow()
}

// follow records the table under the cursor.
func (p *Page) follow() {
	was := p.chosen
	p.chosen = 0
	if s := p.table(); s != nil {
		p.chosen = s.Table
	}
	if p.chosen != was {
		p.glance.since = p.env.Now()
	}
}

// table returns the table under the cursor, or nil.
func (p *Page) table() *table.Summary {
	if i := p.cursor[tables].At; i < len(p.order) {
		return p.order[i]
	}
	return nil
}

// narrow changes the filter. If that hides the chosen table, the first one is chosen.
func (p *Page) narrow(change func(*lobby.Filter)) {
	change(&p.filter)
	p.focus = tables
	was := p.chosen
	if p.arrange(); p.chosen != was {
		p.cursor[tables] = page.Cursor{}
		p.follow()
	}
}

// action is what a person can do with a table.
type action int

const (
	toSeat action = iota // the person has a seat there
	toSit
	toTake // a bot's seat, from the next round on
	toCode
	toWatch
	noAction
)

// verbs are what Enter does.
var verbs = [...]string{
	toSeat: "go to your seat", toSit: "sit down", toTake: "take a bot's seat", toCode: "sit down by code", toWatch: "watch", noAction: "",
}

func (p *Page) action(s *table.Summary) action {
	switch {
	case s.SeatOf(p.me.ID) != 0, s.Takes(p.me.ID):
		return toSeat
	case s.MayJoin(p.me):
		return toSit
	case s.MayTake(p.me) && !p.newcomer:
		return toTake
	case s.Config.Watchers:
		return toWatch
	case s.MaySit(p.me):
		return toCode
	}
	return noAction
}

// enter adds what a person most likely wants to do with the item under the cursor.
func (p *Page) enter(does *page.Actions) {
	switch p.focus {
	case people:
		if who := p.person(); who != nil {
			does.OpenPage(true, page.Named(keyEnter, "open the person"), page.Target{Kind: page.Person, Name: who.Player.Name})
		}
	case news:
		if i := p.cursor[news].At; i < len(p.snap.News) && p.snap.News[i].Game != 0 {
			does.OpenPage(true, page.Named(keyEnter, "open the game"), page.Target{Kind: page.Replay, Game: p.snap.News[i].Game})
		}
	case tables:
		s := p.table()
		if s == nil {
			return
		}
		action := p.action(s)
		b := page.Named(keyEnter, verbs[action])
		switch action {
		case toSeat, toWatch:
			if action == toWatch {
				b = bothWatch
			}
			does.Table(true, b, page.Opens, s.Table)
		case toSit, toTake:
			does.Open(true, b, func() tea.Cmd {
				return p.goToSeat(func(ctx context.Context) (table.ID, error) { return s.Table, p.club.Do(ctx, s.Table, table.Sit{}) })
			})
		case toCode:
			does.Open(true, b, func() tea.Cmd {
				p.write(joining)
				return nil
			})
		}
	}
}

// goToSeat asks the club for a seat, one request at a time, and opens its table.
func (p *Page) goToSeat(ask func(context.Context) (table.ID, error)) tea.Cmd {
	return page.Find(p.seat.Once, p.env, ask, p.goTo)
}

// goTo opens the table with the seat, or offers to watch it if it has none.
func (p *Page) goTo(at table.ID, err error) tea.Cmd {
	to := page.GotoMsg{To: page.Target{Kind: page.Table, Table: at}}
	if question := plain.WatchInstead(at, err); question != "" {
		return page.Send(page.AskMsg{Question: question, Then: to})
	}
	if err != nil {
		return page.Refused(err)
	}
	return page.Send(to)
}

func (p *Page) goAnywhere(at table.ID, err error) tea.Cmd {
	open := p.goTo(at, err)
	for _, s := range p.club.MyTables() {
		if say := plain.Joined(&s, p.club.Player().ID); err == nil && s.Table == at && say != "" {
			game, _, _ := strings.Cut(say, ";") // a notice of two rows would cover tiles or keys on small screens
			say = page.Longest(p.Width-2, say, game)
			return tea.Sequence(open, page.Send(page.Say(page.Plain(p.env.Theme, say))))
		}
	}
	return open
}

// quick finds a seat at a game that the filter allows, or makes a table with bots as strong as wish says. A
// newcomer without a wish gets a guided first round.
func (p *Page) quick(wish lobby.QuickWish) tea.Cmd {
	prefs := lobby.QuickPrefs{Game: p.filter.Game, Wish: wish}
	prefs.Guide = p.newcomer && prefs == lobby.QuickPrefs{}
	find := func(ctx context.Context) (table.ID, error) { return p.club.QuickPlay(ctx, prefs) }
	return page.Find(p.seat.Once, p.env, find, p.goAnywhere)
}

func (p *Page) mayWatch(s *table.Summary) bool {
	return s.Config.Watchers || s.SeatOf(p.me.ID) != 0
}

// newest returns the newest game in the news, or nil.
func (p *Page) newest() *lobby.NewsItem {
	for i := range p.snap.News {
		if p.snap.News[i].Game != 0 {
			return &p.snap.News[i]
		}
	}
	return nil
}

func number(t table.ID) string { return strconv.FormatInt(int64(t), 10) }
