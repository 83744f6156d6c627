package teams

import (
	"context"
	"errors"
	"fmt"
	"slices"

	tea "charm.land/bubbletea/v2"

	"boneyard/lobby"
	"boneyard/lobby/event/contest"
	"boneyard/lobby/text"
	"boneyard/table"
	"boneyard/ui/feature"
	"boneyard/ui/page"
)

// TeamPage shows one team with its roster, record and games, or two teams head to head.
type TeamPage struct {
	page.Listed
	env   *page.Env
	id    table.TeamID
	other table.TeamID // 0 unless two teams are compared
	line  page.Input   // a name to invite, or a tag to compare with
	what  purpose      // of line

	team    *lobby.Team       // nil until loaded
	mine    *lobby.Team       // the player's own; nil if they have none
	versus  *lobby.HeadToHead // nil until loaded, and for one team
	won     []contest.Trophy  // for one team
	missing bool              // there is no such team

	list  page.List[entry]
	load  page.Question
	seen  stamp
	doing page.Question // a change that is under way
}

// entry is a row of the page: a member, a game, or a line that cannot be chosen.
type entry struct {
	member *lobby.Member
	game   *lobby.GameInfo
	line   string
}

// purpose is what the typed line is for.
type purpose int

const (
	invite purpose = iota
	compare
)

var (
	keyReplay   = page.Bind("enter", "replay the game", "enter")
	keyPerson   = page.Bind("enter", "open the player", "enter")
	keyInvite   = page.Bind("i", "invite", "i")
	keyCompare  = page.Bind("c", "compare", "c")
	keyHandOver = page.Bind("h", "hand over", "h")
	keyTakeOver = page.Bind("h", "become captain", "h")
	keyLeave    = page.Bind("l", "leave the team", "l")
)

type loaded struct {
	team     *lobby.Team
	mine     *lobby.Team
	versus   *lobby.HeadToHead
	trophies []contest.Trophy
}

// NewTeam returns the page of one team or, if other is not 0, of two head to head.
func NewTeam(e *page.Env, id, other table.TeamID) *TeamPage {
	p := &TeamPage{env: e, id: id, other: other}
	p.list.Heading = func(r *entry) bool { return r.member == nil && r.game == nil }
	p.Sheet = p.sheet
	return p
}

func (p *TeamPage) Chrome() page.Chrome {
	return page.Chrome{Title: p.title(), Widest: page.WidestList, Typing: p.line.Active(), Cursor: p.line.FootCursor(p.env.Theme, p.Size)}
}

func (p *TeamPage) title() string {
	switch {
	case p.versus != nil:
		return text.Printable(tagged(p.versus.A.Tag, "against ["+p.versus.B.Tag+"]"))
	case p.team != nil:
		return text.Printable(tagged(p.team.Tag, p.team.Name))
	}
	return "Team"
}

func (p *TeamPage) Actions() (does page.Actions) {
	switch {
	case p.line.Active() && p.what == compare:
		return p.line.Actions("compare", p.compareWith)
	case p.line.Active():
		return p.line.Actions("invite", p.invite)
	case p.team == nil:
		does.Add(true, page.KeyReload, p.Init)
		return does
	}
	does.Add(p.invited(), keyAccept, func() tea.Cmd { return p.answer(true) })
	does.Add(p.invited(), keyDecline, func() tea.Cmd { return p.answer(false) })
	if g := p.chosen().game; g != nil {
		does.OpenPage(true, keyReplay, page.Target{Kind: page.Replay, Game: g.ID})
	}
	if m := p.chosen().member; m != nil {
		does.OpenPage(true, keyPerson, page.Target{Kind: page.Person, Name: m.Name})
	}
	does.Set(p.captain(), keyInvite, func() { p.write(invite, page.NewInput("Invite", "a member's name", text.MaxName)) })
	if p.other == 0 && !p.own() {
		does.Challenge(p.env.Visit.MayChallengeTeam(p.mine), page.Target{Team: p.id})
	}
	hint := "tag or name of a team"
	if me := p.env.Visit.Player(); me.Team != 0 && me.Team != p.id {
		hint += fmt.Sprintf("; empty for your own, [%s]", me.Tag)
	}
	does.Set(true, keyCompare, func() { p.write(compare, page.NewInput("Against", hint, text.MaxTitle)) })
	if m := p.chosen().member; m != nil && p.captain() && m.ID != p.team.Captain {
		does.Add(true, keyHandOver, func() tea.Cmd {
			return page.Ask(fmt.Sprintf("Make %s the captain in your place?", text.Printable(m.Name)), p.handOver(m.Name))
		})
	}
	if p.other == 0 && p.env.Visit.MayTakeOver(p.team) {
		does.Add(true, keyTakeOver, func() tea.Cmd {
			const question = "Become the captain? The one you have does not come any more."
			return page.Ask(question, p.handOver(p.env.Visit.Player().Name))
		})
	}
	does.Add(p.own() && p.other == 0, keyLeave, p.askToLeave)
	does.Move(p.list.Len() > 0, page.KeyMove, p.Move)
	does.Add(true, page.KeyReload, p.Init)
	return does
}

func (p *TeamPage) write(what purpose, line page.Input) {
	p.line, p.what = line, what
	p.line.Focus()
}

func (p *TeamPage) own() bool { return p.env.Visit.Player().Team == p.id }

// invited reports whether the team has invited the player and is shown alone.
func (p *TeamPage) invited() bool {
	return p.team != nil && p.other == 0 && slices.Contains(p.team.Invited, p.env.Visit.Player().Name)
}

func (p *TeamPage) captain() bool {
	return p.team != nil && p.other == 0 && p.own() && p.team.Captain == p.env.Visit.Player().ID
}

// chosen returns the row under the cursor; an empty one if there is none.
func (p *TeamPage) chosen() entry {
	if r := p.list.Chosen(); r != nil {
		return *r
	}
	return entry{}
}

// Init loads the team.
func (p *TeamPage) Init() tea.Cmd {
	p.seen = stampOf(p.env.Visit)
	visit := p.env.Visit
	return page.Find(p.load.Ask, p.env, func(ctx context.Context) (l loaded, err error) {
		switch l.team, err = visit.Team(ctx, p.id); {
		case err != nil:
		case p.other == 0:
			if own := visit.Player().Team; own != 0 {
				l.mine, _ = visit.Team(ctx, own) // the club says once more who may challenge
			}
			l.trophies, err = feature.Trophies(ctx, visit, p.id)
		default:
			l.versus, err = visit.HeadToHead(ctx, p.id, p.other)
		}
		return l, err
	}, p.take)
}

func (p *TeamPage) Update(msg tea.Msg) tea.Cmd {
	if _, ok := msg.(page.ClubUpdateMsg); ok && p.seen != stampOf(p.env.Visit) {
		return p.Init()
	}
	p.line.Handle(msg)
	return nil
}

func (p *TeamPage) take(l loaded, err error) tea.Cmd {
	if errors.Is(err, lobby.ErrNoTeam) {
		p.team, p.versus, p.missing = nil, nil, true
		return nil
	}
	if err != nil {
		return page.Refused(err)
	}
	p.team, p.mine, p.versus, p.won = l.team, l.mine, l.versus, l.trophies
	p.fill()
	return nil
}

// do asks the club for a change, one at a time, and says that it was made; then is what follows.
func (p *TeamPage) do(f func(ctx context.Context) (changed, error), then func() tea.Cmd) tea.Cmd {
	return page.Get(p.doing.Once, p.env, f, func(c changed) tea.Cmd { return tea.Batch(then(), page.Send(page.Say(c.say))) })
}

func (p *TeamPage) answer(accept bool) tea.Cmd {
	name := p.team.Name
	return p.do(func(ctx context.Context) (changed, error) { return answer(ctx, p.env.Visit, p.id, name, accept) }, p.Init)
}

func (p *TeamPage) askToLeave() tea.Cmd {
	question := "Leave the team? Only its captain can invite you back."
	switch {
	case len(p.team.Members) == 1:
		question = "Leave? You are the last member, so the team ends."
	case p.captain():
		return page.Refused(lobby.ErrHandOver)
	}
	return page.Ask(question, func() tea.Cmd {
		return p.do(func(ctx context.Context) (changed, error) {
			return changed{say: "You have left the team."}, p.env.Visit.LeaveTeam(ctx)
		}, func() tea.Cmd { return page.Send(page.BackMsg{}) })
	})
}

// handOver returns what makes somebody the captain.
func (p *TeamPage) handOver(to string) func() tea.Cmd {
	return func() tea.Cmd {
		return p.do(func(ctx context.Context) (changed, error) {
			return changed{say: feature.Captain(p.env.Visit, to)}, p.env.Visit.HandOver(ctx, to)
		}, p.Init)
	}
}

func (p *TeamPage) invite(name string) tea.Cmd {
	if name == "" {
		return nil
	}
	return p.do(func(ctx context.Context) (changed, error) {
		return changed{say: text.Printable(name) + " is invited."}, p.env.Visit.Invite(ctx, name)
	}, p.Init)
}

func (p *TeamPage) compareWith(typed string) tea.Cmd {
	me := p.env.Visit.Player().Team
	against := func(other table.TeamID) page.GotoMsg {
		return page.GotoMsg{To: page.Target{Kind: page.TeamPage, Team: p.id, Other: other}, Replace: p.other != 0}
	}
	if typed == "" {
		if me == 0 || me == p.id {
			return nil
		}
		return page.Send(against(me))
	}
	return p.env.Call(func(ctx context.Context) tea.Msg {
		other, err := p.env.Visit.FindTeam(ctx, typed)
		switch {
		case errors.Is(err, lobby.ErrNoTeam):
			return page.Complain(errNoSuchTeam)
		case err != nil:
			return page.Complain(err)
		case other.ID == p.id:
			return page.Complain(errItself)
		}
		return against(other.ID)
	})
}

// Refusals of a comparison.
const (
	errNoSuchTeam text.Refusal = "No team has that tag or name."
	errItself     text.Refusal = "That is the team you are looking at; name another one."
)
