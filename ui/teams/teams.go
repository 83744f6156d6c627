// Package teams has the pages of the teams: the list, where players make a team or answer invitations, and
// the page of one team, alone or head to head with another. It asks the club for teams, and must not know how
// they are kept or rated.
package teams

import (
	"context"
	"slices"

	tea "charm.land/bubbletea/v2"

	"boneyard/lobby"
	"boneyard/lobby/text"
	"boneyard/table"
	"boneyard/ui/page"
	"boneyard/ui/screen"
	"boneyard/ui/theme"
)

// Page lists the teams, after the invitations that wait for an answer.
type Page struct {
	page.Listed
	env         *page.Env
	form        form // of a new team
	list        page.List[row]
	invitations int // how many rows are invitations; they come first
	load        page.Question
	seen        stamp         // as of the list
	doing       page.Question // a change that is under way

	loaded bool
	whole  bool // the list has all teams, not just the first ones
}

// row is a row of the list: an invitation or a team.
type row struct {
	invitation *lobby.Invitation
	team       *lobby.TeamRow
}

func (r *row) id() table.TeamID {
	if r.invitation != nil {
		return r.invitation.Team
	}
	return r.team.ID
}

var (
	keyMake    = page.Bind("c", "make a team", "c")
	keyAccept  = page.Bind("a", "accept", "a")
	keyDecline = page.Bind("d", "decline", "d")
	keyOwn     = page.Bind("o", "your team", "o")
)

// stamp changes whenever teams may have changed.
type stamp struct {
	news int64 // the latest
	note int   // the number of the latest for this person
	own  table.TeamID
}

func stampOf(v *lobby.Visit) stamp {
	s := stamp{own: v.Player().Team}
	if news := v.Snapshot().News; len(news) > 0 {
		s.news = news[0].ID
	}
	if notes := v.Notes(); len(notes) > 0 {
		s.note = notes[len(notes)-1].Seq
	}
	return s
}

type (
	// listed is the answer to a request for the list.
	listed struct {
		invitations []lobby.Invitation
		teams       []lobby.TeamRow
		whole       bool // there are no more
	}
	// changed is what the club has done.
	changed struct {
		say  string
		open table.TeamID // the team to open; 0 for none
	}
)

// New returns the page of all teams.
func New(e *page.Env) *Page {
	p := &Page{env: e, form: form{
		name: page.NewInput("Name of the team", "such as Night Owls", text.MaxTitle),
		tag:  page.NewInput("Tag             ", "2 to 5 letters or digits, such as OWL", text.MaxTag),
	}}
	p.Sheet = p.sheet
	return p
}

func (p *Page) Chrome() page.Chrome {
	return page.Chrome{Title: "Teams", Widest: page.WidestList, Typing: p.form.open(), Cursor: p.form.cursor(p.env.Theme, p.Width)}
}

func (p *Page) Actions() (does page.Actions) {
	if p.form.open() {
		return p.form.actions(p.create)
	}
	does.Add(p.meant() != nil, keyAccept, func() tea.Cmd { return p.answer(true) })
	does.Add(p.meant() != nil, keyDecline, func() tea.Cmd { return p.answer(false) })
	if r := p.list.Chosen(); r != nil {
		does.OpenPage(true, page.KeyOpen, of(r.id()))
	}
	does.Go(p.own() != 0, keyOwn, of(p.own()))
	does.Set(p.own() == 0 && p.env.Visit.Account() != nil, keyMake, p.form.name.Focus)
	does.Move(p.list.Len() > 0, page.KeyMove, func(pressed string) tea.Cmd {
		if p.Move(pressed); p.whole || !p.loaded || p.load.Waiting() || !p.list.AtEnd() {
			return nil
		}
		return p.askFor(p.list.Len() - p.invitations + 1) // there may be more below
	})
	does.Add(true, page.KeyReload, p.Init)
	return does
}

func (p *Page) own() table.TeamID { return p.env.Visit.Player().Team }

// Init loads the list.
func (p *Page) Init() tea.Cmd { return p.askFor(max(p.list.Len()-p.invitations, 1)) }

// askFor asks for at least so many teams, if there are that many.
func (p *Page) askFor(rows int) tea.Cmd {
	p.seen = stampOf(p.env.Visit)
	return page.Get(p.load.Ask, p.env, func(ctx context.Context) (all listed, err error) {
		all.invitations, err = p.env.Visit.Invitations(ctx)
		for len(all.teams) < rows && err == nil && !all.whole {
			err = all.next(ctx, p.env.Visit)
		}
		return all, err
	}, p.take)
}

// next adds the teams that follow those in the answer.
func (l *listed) next(ctx context.Context, visit *lobby.Visit) error {
	after := ""
	if n := len(l.teams); n > 0 {
		after = l.teams[n-1].Name
	}
	more, err := visit.Teams(ctx, after)
	l.teams = slices.Concat(l.teams, more)
	l.whole = err == nil && len(more) < lobby.TeamsLength
	return err
}

func (p *Page) Update(msg tea.Msg) tea.Cmd {
	if _, ok := msg.(page.ClubUpdateMsg); ok && p.seen != stampOf(p.env.Visit) {
		return p.Init()
	}
	p.form.name.Handle(msg)
	p.form.tag.Handle(msg)
	return nil
}

// take shows the answer; the cursor stays on the team it was on.
func (p *Page) take(l listed) tea.Cmd {
	was := p.list.Chosen()
	rows := make([]row, 0, len(l.invitations)+len(l.teams))
	for i := range l.invitations {
		rows = append(rows, row{invitation: &l.invitations[i]})
	}
	for i := range l.teams {
		rows = append(rows, row{team: &l.teams[i]})
	}
	p.invitations, p.loaded, p.whole = len(l.invitations), true, l.whole
	if was != nil && was.invitation != nil { // an answered invitation gives way to the next one
		p.list.Set(rows)
		p.list.Choose(min(p.list.At(), max(p.invitations-1, 0)))
		return nil
	}
	p.list.Update(rows, func(a, b *row) bool { return b.team != nil && b.id() == a.id() })
	return nil
}

// do asks the club for a change, one at a time. If the club refuses, the form stays, to be corrected.
func (p *Page) do(f func(ctx context.Context) (changed, error)) tea.Cmd {
	return page.Get(p.doing.Once, p.env, f, func(c changed) tea.Cmd {
		p.form.close()
		cmds := []tea.Cmd{p.Init(), page.Send(page.Say(c.say))}
		if c.open != 0 {
			cmds = append(cmds, page.Open(of(c.open)))
		}
		return tea.Batch(cmds...)
	})
}

func of(id table.TeamID) page.Target { return page.Target{Kind: page.TeamPage, Team: id} }

// meant returns the invitation to answer: the one under the cursor, or the only one; nil if that is not
// clear.
func (p *Page) meant() *lobby.Invitation {
	if p.invitations == 1 {
		return p.list.Items()[0].invitation
	}
	if r := p.list.Chosen(); r != nil {
		return r.invitation
	}
	return nil
}

func (p *Page) answer(accept bool) tea.Cmd {
	meant := p.meant()
	if meant == nil {
		return nil
	}
	a := *meant
	return p.do(func(ctx context.Context) (changed, error) { return answer(ctx, p.env.Visit, a.Team, a.Name, accept) })
}

func answer(ctx context.Context, visit *lobby.Visit, id table.TeamID, name string, accept bool) (changed, error) {
	if accept {
		return changed{"You play for " + text.Printable(name) + " now.", id}, visit.Accept(ctx, id)
	}
	return changed{say: "Invitation declined."}, visit.Decline(ctx, id)
}

func (p *Page) create(name, tag string) tea.Cmd {
	return p.do(func(ctx context.Context) (changed, error) {
		t, err := p.env.Visit.CreateTeam(ctx, name, tag)
		if err != nil {
			return changed{}, err
		}
		return changed{"Your team is ready: invite members by name.", t.ID}, nil
	})
}

// form asks for a new team's name and tag, in the first two rows of the page.
type form struct {
	name, tag page.Input
}

var (
	keyNext = page.Bind("enter", "next, then create", "enter")
	keyTurn = page.Bind("tab", "name or tag", "tab", "shift+tab", "up", "down")
)

func (f *form) open() bool { return f.name.Active() || f.tag.Active() }

func (f *form) close() {
	f.name.Blur()
	f.tag.Blur()
	f.name.Take()
	f.tag.Take()
}

// actions returns the actions of the open form; send submits it, and it stays open until it is closed.
func (f *form) actions(send func(name, tag string) tea.Cmd) (does page.Actions) {
	does.Add(true, keyNext, func() tea.Cmd {
		if f.name.Active() {
			f.turn()
			return nil
		}
		return send(f.name.Value(), f.tag.Value())
	})
	does.Set(true, keyTurn, f.turn)
	does.Set(true, page.KeyCancel, f.close)
	return does
}

func (f *form) turn() {
	if f.name.Active() {
		f.name.Blur()
		f.tag.Focus()
		return
	}
	f.tag.Blur()
	f.name.Focus()
}

func (f *form) lines(t *theme.Theme, w int) []string {
	name, _ := f.name.Line(t, w-2)
	tag, _ := f.tag.Line(t, w-2)
	return []string{" " + name, " " + tag}
}

func (f *form) cursor(t *theme.Theme, w int) screen.Cursor {
	if f.tag.Active() {
		return f.tag.CursorAt(t, 1, 1, w-2)
	}
	return f.name.CursorAt(t, 1, 0, w-2)
}
