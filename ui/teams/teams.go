// Package teams is the pages of the teams: the list of them, in which one makes a team or answers invitations, and the page
// of one team, also held against another. It asks the club for teams; it must not know how they are kept or rated.
package teams

import (
	"context"
	"slices"
	"time"

	"charm.land/bubbles/v2/key"
	tea "charm.land/bubbletea/v2"

	"boneyard/lobby"
	"boneyard/lobby/text"
	"boneyard/table"
	"boneyard/ui/page"
	"boneyard/ui/screen"
)

// Page lists the teams, after the invitations that wait for an answer.
type Page struct {
	env   *page.Env
	form  form // of a new team
	asks  []lobby.Invitation
	teams []lobby.Team

	cursor page.Cursor // over asks, then teams
	rows   int         // how many are seen, as drawn last
	asked  int         // the number of the latest question; answers to earlier ones are not taken
	loaded bool
	seen   stamp // what the list is as new as
	busy   bool  // the club has been asked to change something
}

var (
	keyOpen    = page.Bind("enter", "open", "enter")
	keyMake    = page.Bind("c", "make a team", "c")
	keyAccept  = page.Bind("a", "accept", "a")
	keyDecline = page.Bind("d", "decline", "d")
	keyOwn     = page.Bind("o", "own team", "o")
	keyMove    = page.Bind("↑↓", "choose", "up", "down", "j", "k", "pgup", "pgdown", "home", "end")
	keyReload  = page.Bind("r", "reload", "r")
)

// stamp is what tells that teams may have changed.
type stamp struct {
	news int64     // the latest
	note time.Time // the latest for this person
	own  table.TeamID
}

func stampOf(v *lobby.Visit) stamp {
	s := stamp{own: v.Player().Team}
	if news := v.Snapshot().News; len(news) > 0 {
		s.news = news[0].ID
	}
	if notes := v.Notes(); len(notes) > 0 {
		s.note = notes[len(notes)-1].At
	}
	return s
}

type (
	// listed is the answer to a question for the list.
	listedMsg struct {
		asked int
		asks  []lobby.Invitation
		teams []lobby.Team
		err   error
	}
	// changed says that the club has done what it was asked for, or why not.
	changedMsg struct {
		say  string
		open table.TeamID // the team to go to, 0 for none
		err  error
	}
)

// New returns the page of all teams.
func New(e *page.Env) *Page { return &Page{env: e, form: newForm(), rows: 10} }

// Init loads the list.
func (p *Page) Init() tea.Cmd { return p.ask() }

// Title is the page's name.
func (p *Page) Title() string { return "Teams" }

// Typing reports whether the form of a new team is open.
func (p *Page) Typing() bool { return p.form.open() }

// Keys are the page's keys.
func (p *Page) Keys() []key.Binding {
	if p.form.open() {
		return formKeys
	}
	var keys []key.Binding
	if p.meant() != nil {
		keys = append(keys, keyAccept, keyDecline)
	}
	if len(p.asks)+len(p.teams) > 0 {
		keys = append(keys, keyOpen)
	}
	switch {
	case p.own() != 0:
		keys = append(keys, keyOwn)
	case p.env.Visit.Account() != nil:
		keys = append(keys, keyMake)
	}
	return append(keys, keyMove, keyReload)
}

func (p *Page) own() table.TeamID { return p.env.Visit.Player().Team }

func (p *Page) ask() tea.Cmd {
	p.asked++
	p.seen = stampOf(p.env.Visit)
	asked, visit := p.asked, p.env.Visit
	return p.env.Call(func(ctx context.Context) tea.Msg {
		asks, err := visit.Invitations(ctx)
		if err != nil {
			return listedMsg{asked: asked, err: err}
		}
		teams, err := visit.Teams(ctx)
		return listedMsg{asked, asks, teams, err}
	})
}

// invitation is the one under the cursor, nil if there is none.
func (p *Page) invitation() *lobby.Invitation {
	if p.cursor.At >= len(p.asks) {
		return nil
	}
	return &p.asks[p.cursor.At]
}

// chosen is the team under the cursor, also of an invitation; 0 if there is none.
func (p *Page) chosen() table.TeamID {
	if a := p.invitation(); a != nil {
		return a.Team
	}
	if i := p.cursor.At - len(p.asks); i < len(p.teams) {
		return p.teams[i].ID
	}
	return 0
}

// Update handles a message.
func (p *Page) Update(msg tea.Msg) (page.Page, tea.Cmd) {
	switch msg := msg.(type) {
	case listedMsg:
		return p, p.take(msg)
	case changedMsg:
		return p, p.done(msg)
	case page.ClubUpdateMsg:
		if p.seen != stampOf(p.env.Visit) {
			return p, p.ask()
		}
	case tea.PasteMsg:
		p.form.update(msg)
	case tea.MouseWheelMsg:
		p.wheel(msg)
	case tea.MouseClickMsg:
		return p, p.click(msg)
	case tea.KeyPressMsg:
		if p.form.open() {
			return p, p.keyInForm(msg)
		}
		return p, p.key(msg)
	}
	return p, nil
}

// take shows the answer to the latest question; the cursor stays on the team it was on.
func (p *Page) take(l listedMsg) tea.Cmd {
	if l.asked != p.asked {
		return nil
	}
	if l.err != nil {
		return page.Send(page.Complain(l.err))
	}
	was, asked := p.chosen(), p.invitation() != nil
	p.asks, p.teams, p.loaded = l.asks, l.teams, true
	if asked { // an answered invitation gives way to the next one
		p.cursor.At = min(p.cursor.At, max(len(p.asks)-1, 0))
	} else if i := slices.IndexFunc(p.teams, func(t lobby.Team) bool { return t.ID == was }); i >= 0 {
		at := len(p.asks) + i
		p.cursor.Top += at - p.cursor.At
		p.cursor.At = at
	}
	p.cursor.Clamp(len(p.asks)+len(p.teams), p.rows)
	return nil
}

// do asks the club to change something, one thing at a time.
func (p *Page) do(f func(ctx context.Context) changedMsg) tea.Cmd {
	if p.busy {
		return nil
	}
	p.busy = true
	return p.env.Call(func(ctx context.Context) tea.Msg { return f(ctx) })
}

func (p *Page) done(c changedMsg) tea.Cmd {
	p.busy = false
	if c.err != nil { // the form stays as it is, to be corrected
		return page.Send(page.Complain(c.err))
	}
	p.form.close()
	cmds := []tea.Cmd{p.ask(), page.Send(page.Say(c.say))}
	if c.open != 0 {
		cmds = append(cmds, page.Open(page.Target{Kind: page.TeamPage, Team: c.open}))
	}
	return tea.Batch(cmds...)
}

func (p *Page) key(msg tea.KeyPressMsg) tea.Cmd {
	member := p.env.Visit.Account() != nil
	switch {
	case p.cursor.Move(msg, len(p.asks)+len(p.teams), p.rows):
	case key.Matches(msg, keyReload):
		return p.ask()
	case key.Matches(msg, keyMake) && member && p.own() == 0:
		p.form.begin()
	case key.Matches(msg, keyAccept):
		return p.answer(true)
	case key.Matches(msg, keyDecline):
		return p.answer(false)
	case key.Matches(msg, keyOwn) && p.own() != 0:
		return open(p.own())
	case key.Matches(msg, keyOpen):
		return open(p.chosen())
	}
	return nil
}

func open(id table.TeamID) tea.Cmd {
	if id == 0 {
		return nil
	}
	return page.Open(page.Target{Kind: page.TeamPage, Team: id})
}

// meant is the invitation that is answered: the one under the cursor, or the only one; nil if that is not clear.
func (p *Page) meant() *lobby.Invitation {
	if len(p.asks) == 1 {
		return &p.asks[0]
	}
	return p.invitation()
}

// answer accepts or declines an invitation.
func (p *Page) answer(accept bool) tea.Cmd {
	meant := p.meant()
	if meant == nil {
		return nil
	}
	a, visit := *meant, p.env.Visit
	return p.do(func(ctx context.Context) changedMsg {
		if accept {
			return changedMsg{say: "You play for " + text.Printable(a.Name) + " now.", open: a.Team, err: visit.Accept(ctx, a.Team)}
		}
		return changedMsg{say: "You have declined.", err: visit.Decline(ctx, a.Team)}
	})
}

func (p *Page) keyInForm(msg tea.KeyPressMsg) tea.Cmd {
	name, tag, whole := p.form.key(msg)
	if !whole {
		return nil
	}
	visit := p.env.Visit
	return p.do(func(ctx context.Context) changedMsg {
		t, err := visit.CreateTeam(ctx, name, tag)
		if err != nil {
			return changedMsg{err: err}
		}
		return changedMsg{say: "Your team is made: invite its members by name.", open: t.ID}
	})
}

func (p *Page) wheel(msg tea.MouseWheelMsg) {
	switch msg.Button {
	case tea.MouseWheelUp:
		p.cursor.At--
	case tea.MouseWheelDown:
		p.cursor.At++
	}
	p.cursor.Clamp(len(p.asks)+len(p.teams), p.rows)
}

// click chooses a row, or opens the chosen one.
func (p *Page) click(msg tea.MouseClickMsg) tea.Cmd {
	if p.form.open() {
		return nil
	}
	at := p.cursor.Top + msg.Y - listTop
	if msg.Y < listTop || msg.Y >= listTop+p.rows || at >= len(p.asks)+len(p.teams) {
		return nil
	}
	if at == p.cursor.At {
		return open(p.chosen())
	}
	p.cursor.At = at
	return nil
}

// Cursor is in the form of a new team.
func (p *Page) Cursor(w, _ int) screen.Cursor { return p.form.cursor(p.env.Theme, w) }
