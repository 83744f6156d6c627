package teams

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"charm.land/bubbles/v2/key"
	tea "charm.land/bubbletea/v2"

	"boneyard/lobby"
	"boneyard/lobby/text"
	"boneyard/table"
	"boneyard/ui/page"
	"boneyard/ui/screen"
)

// TeamPage is one team with its roster, record and games, or two teams held against each other.
type TeamPage struct {
	env   *page.Env
	id    table.TeamID
	other table.TeamID // 0 for one team alone
	line  page.Input   // a name to invite, or a tag to compare with
	what  purpose      // of line

	team   *lobby.Team       // nil until it is loaded
	versus *lobby.HeadToHead // nil for one team alone, or until it is loaded
	gone   bool              // there is no such team

	cursor page.Cursor // over members (of one team alone), then games
	view   page.Cursor // the line of the list in which that is, as drawn last
	rows   int         // how many are seen, as drawn last
	asked  int         // the number of the latest question; answers to earlier ones are not taken
	seen   stamp
	busy   bool
}

// purpose is what the line is typed for.
type purpose int

const (
	invite purpose = iota
	compare
)

var (
	keyReplay   = page.Bind("enter", "replay the game", "enter")
	keyInvite   = page.Bind("i", "invite", "i")
	keyCompare  = page.Bind("v", "against another team", "v")
	keyHandOver = page.Bind("h", "hand over", "h")
	keyLeave    = page.Bind("l", "leave the team", "l")
)

type (
	// loaded is the answer to a question for the team.
	loadedMsg struct {
		asked  int
		team   *lobby.Team
		versus *lobby.HeadToHead
		err    error
	}
	// leaving and handing are what the player has been asked about and wants.
	leaveMsg    struct{}
	handOverMsg struct{ to string }
	// left says that the player is in the team no more.
	leftMsg struct{}
)

// NewTeam returns the page of one team; with other, of the two against each other.
func NewTeam(e *page.Env, id, other table.TeamID) *TeamPage {
	return &TeamPage{env: e, id: id, other: other, rows: 10}
}

// Init loads the team.
func (p *TeamPage) Init() tea.Cmd { return p.ask() }

// Title is the team's name when it is known.
func (p *TeamPage) Title() string {
	switch {
	case p.versus != nil:
		return text.Printable(tagged(p.versus.A.Tag, "against ["+p.versus.B.Tag+"]"))
	case p.team != nil:
		return text.Printable(teamName(p.team))
	}
	return "Team"
}

// Typing reports whether a name or a tag is being typed.
func (p *TeamPage) Typing() bool { return p.line.Active() }

// Cursor is in that line.
func (p *TeamPage) Cursor(w, h int) screen.Cursor {
	if !p.line.Active() {
		return screen.Cursor{}
	}
	return p.line.CursorAt(p.env.Theme, 1, h-1, w-2)
}

// Keys are the page's keys.
func (p *TeamPage) Keys() []key.Binding {
	if p.line.Active() {
		does := "invite"
		if p.what == compare {
			does = "compare"
		}
		return []key.Binding{page.Bind("enter", does, "enter"), page.Bind("esc", "never mind", "esc")}
	}
	var keys []key.Binding
	if p.team == nil {
		return keys
	}
	if p.game() != nil {
		keys = append(keys, keyReplay)
	}
	if p.captain() {
		keys = append(keys, keyInvite)
	}
	keys = append(keys, keyCompare)
	if p.heir() != nil {
		keys = append(keys, keyHandOver)
	}
	if p.own() && p.other == 0 {
		keys = append(keys, keyLeave)
	}
	return append(keys, keyMove, keyReload)
}

// own reports whether the player is in the team.
func (p *TeamPage) own() bool { return p.env.Visit.Player().Team == p.id }

// captain reports whether the player is the captain of the team, and it is shown alone.
func (p *TeamPage) captain() bool {
	return p.team != nil && p.other == 0 && p.own() && p.team.Captain == p.env.Visit.Player().ID
}

// heir is the member under the cursor to whom the player could hand the team over, nil if there is none.
func (p *TeamPage) heir() *lobby.Member {
	if m := p.member(); m != nil && p.captain() && m.ID != p.team.Captain {
		return m
	}
	return nil
}

// members are those that are listed.
func (p *TeamPage) members() []lobby.Member {
	if p.team == nil || p.other != 0 {
		return nil
	}
	return p.team.Members
}

// games are those that are listed.
func (p *TeamPage) games() []lobby.GameInfo {
	switch {
	case p.versus != nil:
		return p.versus.Games
	case p.team != nil && p.other == 0:
		return p.team.Recent
	}
	return nil
}

func (p *TeamPage) count() int { return len(p.members()) + len(p.games()) }

func (p *TeamPage) member() *lobby.Member {
	if m := p.members(); p.cursor.At < len(m) {
		return &m[p.cursor.At]
	}
	return nil
}

func (p *TeamPage) game() *lobby.GameInfo {
	games := p.games()
	if i := p.cursor.At - len(p.members()); i >= 0 && i < len(games) {
		return &games[i]
	}
	return nil
}

func (p *TeamPage) ask() tea.Cmd {
	p.asked++
	p.seen = stampOf(p.env.Visit)
	asked, visit := p.asked, p.env.Visit
	return p.env.Call(func(ctx context.Context) tea.Msg {
		team, err := visit.Team(ctx, p.id)
		if err != nil || p.other == 0 {
			return loadedMsg{asked: asked, team: team, err: err}
		}
		versus, err := visit.HeadToHead(ctx, p.id, p.other)
		return loadedMsg{asked, team, versus, err}
	})
}

// Update handles a message.
func (p *TeamPage) Update(msg tea.Msg) (page.Page, tea.Cmd) {
	switch msg := msg.(type) {
	case loadedMsg:
		return p, p.take(msg)
	case changedMsg:
		return p, p.done(msg)
	case leftMsg:
		return p, tea.Batch(page.Send(page.Say("You have left the team.")), page.Send(page.BackMsg{}))
	case leaveMsg:
		return p, p.leave()
	case handOverMsg:
		return p, p.handOver(msg.to)
	case page.ClubUpdateMsg:
		if p.seen != stampOf(p.env.Visit) {
			return p, p.ask()
		}
	case tea.PasteMsg:
		if p.line.Active() {
			p.line.Update(msg)
		}
	case tea.MouseWheelMsg:
		p.wheel(msg)
	case tea.KeyPressMsg:
		if p.line.Active() {
			return p, p.keyInLine(msg)
		}
		return p, p.key(msg)
	}
	return p, nil
}

func (p *TeamPage) take(l loadedMsg) tea.Cmd {
	if l.asked != p.asked {
		return nil
	}
	if errors.Is(l.err, lobby.ErrNoTeam) {
		p.team, p.versus, p.gone = nil, nil, true
		return nil
	}
	if l.err != nil {
		return page.Send(page.Complain(l.err))
	}
	p.team, p.versus = l.team, l.versus
	p.cursor.Clamp(p.count(), p.rows)
	return nil
}

// do asks the club to change something, one thing at a time.
func (p *TeamPage) do(f func(ctx context.Context) tea.Msg) tea.Cmd {
	if p.busy {
		return nil
	}
	p.busy = true
	return p.env.Call(f)
}

func (p *TeamPage) done(c changedMsg) tea.Cmd {
	p.busy = false
	if c.err != nil {
		return page.Send(page.Complain(c.err))
	}
	return tea.Batch(p.ask(), page.Send(page.Say(c.say)))
}

func (p *TeamPage) key(msg tea.KeyPressMsg) tea.Cmd {
	if p.team == nil {
		if key.Matches(msg, keyReload) {
			return p.ask()
		}
		return nil
	}
	switch {
	case p.cursor.Move(msg, p.count(), p.rows):
	case key.Matches(msg, keyReload):
		return p.ask()
	case key.Matches(msg, keyReplay):
		if g := p.game(); g != nil {
			return page.Open(page.Target{Kind: page.Replay, Game: g.ID})
		}
	case key.Matches(msg, keyInvite) && p.captain():
		p.line, p.what = page.NewInput("Invite", "a member's name", text.MaxName), invite
		p.line.Focus()
	case key.Matches(msg, keyCompare):
		p.line, p.what = page.NewInput("Against", p.compareHint(), text.MaxTitle), compare
		p.line.Focus()
	case key.Matches(msg, keyHandOver):
		if m := p.heir(); m != nil {
			name := text.Printable(m.Name)
			return page.Send(page.AskMsg{Question: fmt.Sprintf("Make %s the captain in your place?", name), Then: handOverMsg{m.Name}})
		}
	case key.Matches(msg, keyLeave) && p.own() && p.other == 0:
		return p.askToLeave()
	}
	return nil
}

func (p *TeamPage) askToLeave() tea.Cmd {
	question := "Leave the team? Only its captain can have you back."
	switch {
	case len(p.team.Members) == 1:
		question = "Leave? You are the last member, so the team ends."
	case p.captain():
		return page.Send(page.Complain(lobby.ErrHandOver))
	}
	return page.Send(page.AskMsg{Question: question, Then: leaveMsg{}})
}

func (p *TeamPage) leave() tea.Cmd {
	visit := p.env.Visit
	return p.do(func(ctx context.Context) tea.Msg {
		if err := visit.LeaveTeam(ctx); err != nil {
			return changedMsg{err: err}
		}
		return leftMsg{}
	})
}

func (p *TeamPage) handOver(to string) tea.Cmd {
	visit := p.env.Visit
	return p.do(func(ctx context.Context) tea.Msg {
		return changedMsg{say: text.Printable(to) + " is the captain now.", err: visit.HandOver(ctx, to)}
	})
}

// compareHint says what can be typed to compare teams; nothing typed is one's own.
func (p *TeamPage) compareHint() string {
	if me := p.env.Visit.Player(); me.Team != 0 && me.Team != p.id {
		return fmt.Sprintf("tag or name of a team; nothing is your own, [%s]", me.Tag)
	}
	return "tag or name of a team"
}

func (p *TeamPage) keyInLine(msg tea.KeyPressMsg) tea.Cmd {
	switch msg.String() {
	case "esc":
		p.line.Blur()
	case "enter":
		typed := strings.TrimSpace(p.line.Value())
		p.line.Blur()
		if p.what == compare {
			return p.compareWith(typed)
		}
		return p.invite(typed)
	default:
		p.line.Update(msg)
	}
	return nil
}

func (p *TeamPage) invite(name string) tea.Cmd {
	if name == "" {
		return nil
	}
	visit := p.env.Visit
	return p.do(func(ctx context.Context) tea.Msg {
		return changedMsg{say: text.Printable(name) + " is invited.", err: visit.Invite(ctx, name)}
	})
}

// compareWith opens the page of this team against the one whose tag or name was typed.
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
	visit := p.env.Visit
	return p.env.Call(func(ctx context.Context) tea.Msg {
		teams, err := visit.Teams(ctx)
		if err != nil {
			return page.Complain(err)
		}
		want := text.Skeleton(typed)
		i := slices.IndexFunc(teams, func(t lobby.Team) bool {
			return text.Skeleton(t.Tag) == want || text.Skeleton(t.Name) == want
		})
		switch {
		case i < 0:
			return page.Complain(errNoSuchTeam)
		case teams[i].ID == p.id:
			return page.Complain(errItself)
		}
		return against(teams[i].ID)
	})
}

// Refusals of a comparison.
const (
	errNoSuchTeam text.Refusal = "No team has that tag or name."
	errItself     text.Refusal = "A team has no games against itself."
)

func (p *TeamPage) wheel(msg tea.MouseWheelMsg) {
	switch msg.Button {
	case tea.MouseWheelUp:
		p.cursor.At--
	case tea.MouseWheelDown:
		p.cursor.At++
	}
	p.cursor.Clamp(p.count(), p.rows)
}
