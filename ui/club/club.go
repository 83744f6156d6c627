// Package club is the lobby: the tables, the people here, the chat and the news. It draws snapshots of the
// club and asks the club only for what keys need; it knows no rules of a game.
package club

import (
	"context"
	"slices"

	tea "charm.land/bubbletea/v2"

	"boneyard/lobby"
	"boneyard/lobby/event"
	"boneyard/lobby/event/daily"
	"boneyard/lobby/text"
	"boneyard/table"
	"boneyard/ui/page"
	"boneyard/ui/plain"
)

type visit interface {
	Player() table.Player
	Reader() table.Reader
	MayPlay() bool
	Newcomer() bool
	Snapshot() *lobby.Snapshot
	page.Friendly
	FriendsFirst(people []lobby.Person) lobby.Roster
	Hears(from table.Player) bool
	Do(ctx context.Context, id table.ID, c table.Command) error
	QuickPlay(ctx context.Context, q lobby.QuickPrefs) (table.ID, error)
	MyTables() []table.Summary
	BestGame(ctx context.Context) (table.ID, error)
	Today() (deal *daily.Day, open bool)
	Daily(ctx context.Context, day string) (*daily.Deal, error)
	Calendar() []event.Appointment
	Glance(id table.ID) (latest func() *table.View, err error)
	Join(ctx context.Context, code string) (table.ID, error)
	Say(ctx context.Context, line string) (reply string, err error)
}

type panel int

const (
	tables panel = iota
	chat
	people
	news

	panels
)

type typing int

const (
	nothing typing = iota
	talking
	finding // a filter
	joining // a code
)

// Page is the lobby.
type Page struct {
	page.Size
	env  *page.Env
	club visit
	me   table.Reader
	snap *lobby.Snapshot

	people lobby.Roster // the snapshot's people, friends first

	focus  panel
	cursor [panels]page.Cursor // in the chat At counts lines from the newest
	filter lobby.Filter
	order  []*table.Summary // of the snapshot, sorted for this person and filtered
	yours  int              // tables that wait for this person's move
	live   bool             // a game can be watched
	chosen table.ID         // the table under the cursor
	moved  bool             // the person has chosen it; otherwise the lobby reopens with the first table chosen

	newcomer  bool // has not played, and is led to a first round
	mentioned bool // the news mention this person

	talk   talk
	answer *page.Answer // to a command; nil if none is being read
	typing typing
	input  page.Input
	seat   page.Question // at any table
	today  int           // the number of today's deal, 0 without one
	daily  int           // the same until the person has played it; then 0

	glance glance
	agenda agenda
	drawn  cache
}

var (
	_ page.Clock  = (*Page)(nil)
	_ page.Closer = (*Page)(nil)
)

// New returns the lobby as the target describes it.
func New(e *page.Env, v visit, to page.Target) *Page {
	p := &Page{env: e, club: v, filter: to.Filter, chosen: to.Table, moved: to.Table != 0, focus: panel(to.PanelOf(int(panels)))}
	p.look()
	p.cursorOn(func(who *lobby.Person) bool { return who.Player.Name == to.Name })
	p.scroll()
	return p
}

// reopen returns the target that opens the lobby as it is.
func (p *Page) reopen() page.Target {
	to := page.Target{Kind: page.Lobby, Filter: p.filter, Panel: int(p.focus)}
	if p.moved {
		to.Table = p.chosen
	}
	if who := p.person(); who != nil {
		to.Name = who.Player.Name
	}
	return to
}

// Chrome implements [page.Page]. While a line is typed or an answer is read, all keys are the page's.
func (p *Page) Chrome() page.Chrome {
	c := page.Chrome{Title: "Lobby", Widest: widest, Typing: p.typing != nothing || p.answer != nil, Reopen: p.reopen()}
	if p.typing != nothing && p.answer == nil {
		say := p.layout().say
		c.Cursor = p.input.CursorAt(p.env.Theme, say.x+1, say.y, say.w-1)
	}
	return c
}

func (p *Page) Resize(w, h int) {
	p.Size.Resize(w, h)
	p.answer.Resize(p.env.Theme, w, h)
	p.scroll()
}

func (p *Page) look() {
	p.glance.look()
	snap := p.club.Snapshot()
	if snap == p.snap {
		return
	}
	p.today, p.daily = 0, 0
	if deal, open := p.club.Today(); deal != nil {
		if p.today = deal.Number; open {
			p.daily = deal.Number
		}
	}
	before := p.snap
	p.snap = snap
	if before == nil || before.Events != snap.Events {
		p.agenda.coming = p.club.Calendar()
	}
	who := p.person()
	p.people = p.club.FriendsFirst(snap.People)
	p.newcomer = p.club.Newcomer()
	if who != nil { // the cursor stays on them, wherever they are in the new list
		p.cursorOn(func(other *lobby.Person) bool { return other.Player.ID == who.Player.ID })
	}
	me := p.club.Reader()
	other := before == nil || me != p.me // than before
	p.me = me
	if other || !same(before.Tables, snap.Tables) {
		p.arrange()
	}
	if other || !same(before.News, snap.News) {
		p.stayOnNews(before)
		p.mentioned = slices.ContainsFunc(snap.News, func(n lobby.NewsItem) bool { return plain.NewsFor(&n, me.Player) != n.Text })
	}
	p.talk.hear(snap.Chat, p.club.Hears)
	p.scroll()
}

// cursorOn moves the cursor of the people to the first one for whom is returns true, if there is one.
func (p *Page) cursorOn(is func(*lobby.Person) bool) {
	for i := range p.people.People {
		if is(p.people.At(i)) {
			p.cursor[people].At = i
			return
		}
	}
}

// stayOnNews keeps the cursor of the news on its item, if the cursor is in that panel.
func (p *Page) stayOnNews(before *lobby.Snapshot) {
	c := &p.cursor[news]
	if p.focus != news || before == nil || c.At >= len(before.News) {
		return
	}
	was := before.News[c.At].ID
	if i := slices.IndexFunc(p.snap.News, func(n lobby.NewsItem) bool { return n.ID == was }); i >= 0 {
		c.At = i
	}
}

// same reports whether two lists of snapshots are identical.
func same[T any](a, b []T) bool { return len(a) == len(b) && (len(a) == 0 || &a[0] == &b[0]) }

func (p *Page) Update(msg tea.Msg) tea.Cmd {
	switch msg := msg.(type) {
	case page.ClubUpdateMsg:
		p.look()
	case page.TickMsg:
		return tea.Batch(p.turn(msg.Now), p.recall())
	case tea.PasteMsg, tea.KeyPressMsg:
		_, pressed := msg.(tea.KeyPressMsg)
		switch {
		case p.answer != nil && pressed:
			p.answer = nil
		case p.typing != nothing:
			p.input.Update(msg)
			p.typed()
		}
	}
	return nil
}

func (p *Page) write(what typing) tea.Cmd {
	p.typing = what
	switch what {
	case talking:
		p.input = page.NewInput("Say", "to everybody; /help lists commands", text.MaxLine)
		p.cursor[chat] = page.Cursor{}
	case finding:
		p.input = page.NewInput("Find", "a player, team, table or game", 40)
		p.input.Set(p.filter.Text)
	case joining:
		p.input = page.NewInput("Code", "of a table, such as K7QX-4HDM, or its number", 20)
	}
	p.input.Focus()
	return nil
}

// person returns the person under the cursor, or nil.
func (p *Page) person() *lobby.Person {
	if i := p.cursor[people].At; p.focus == people && i < len(p.people.People) {
		return p.people.At(i)
	}
	return nil
}

// take shows the reply to a line: one line at the foot of the screen, a longer reply in place of the lobby.
func (p *Page) take(line, reply string, err error) tea.Cmd {
	switch long := page.NewAnswer(p.env.Theme, p.Size, line, reply); {
	case err != nil:
		if p.typing == talking && p.input.Value() == "" {
			p.input.Set(line) // so that it can be sent again
		}
		return page.Refused(err)
	case long != nil:
		p.typing, p.answer = nothing, long
	case reply != "":
		p.talk.unheard, p.talk.last = nil, 0 // the reader may ignore other people now
		p.talk.hear(p.talk.chat, p.club.Hears)
		return page.Send(page.Say(reply))
	}
	return nil
}
