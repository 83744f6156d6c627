// Package contest shows leagues and cups: a list, or the tables or bracket and the matches of one. It asks the club, and knows no rule of a
// league or a cup.
package contest

import (
	"context"
	"slices"
	"time"

	tea "charm.land/bubbletea/v2"

	"boneyard/lobby"
	"boneyard/lobby/event"
	"boneyard/lobby/event/cup"
	"boneyard/lobby/event/match"
	"boneyard/table"
	"boneyard/ui/page"
	"boneyard/ui/plain"
)

// club is what the page asks of the club.
type club interface {
	Player() table.Player
	Contests() []lobby.Contest
	PastContests(ctx context.Context) ([]lobby.PastContest, error)
	Contest(ctx context.Context, id event.ID) (*lobby.Contest, error)
	Team(ctx context.Context, id table.TeamID) (*lobby.Team, error)
	SignUp(ctx context.Context, id event.ID, on bool) error
	ProposeTime(ctx context.Context, id event.ID, at time.Time) error
	AcceptTime(ctx context.Context, id event.ID) error
	DeclineTime(ctx context.Context, id event.ID) error
	page.Organizer
}

var _ club = (*lobby.Visit)(nil)

// Page is the list of leagues and cups, or one of them.
type Page struct {
	page.Size
	env  *page.Env
	club club
	id   event.ID // 0: the list

	now   []lobby.Contest
	past  []lobby.PastContest
	all   page.List[row] // both
	one   *lobby.Contest
	fault string // why there is nothing to see
	load  page.Question
	line  page.Input // a time to propose

	captain bool // the reader is the captain of their team, who alone signs it up and agrees on times
	ask     page.Question

	cursor page.Cursor // over what can be chosen
	view   page.Cursor // the line in which that is
	moved  bool        // the reader has chosen; until then it is their own match
	round  int         // of a cup: the round in which the cursor is, from 0
	place  int         // and its tie
}

// row is a league or a cup in the list.
type row struct {
	id    event.ID
	kind  event.Kind
	name  string
	state string
	teams string
}

var _ page.Page = (*Page)(nil)

// longestTime is how many characters a typed time may have.
const longestTime = 20

// New returns the page of a league or a cup, or with 0 the list of all.
func New(e *page.Env, id event.ID) page.Page { return newPage(e, e.Visit, id) }

func newPage(e *page.Env, c club, id event.ID) *Page {
	return &Page{env: e, club: c, id: id, line: page.NewInput("When (UTC): ", "2026-11-27T20:00", longestTime)}
}

// Init asks for what there is.
func (p *Page) Init() tea.Cmd { return p.look() }

// look takes up how it stands now.
func (p *Page) look() tea.Cmd {
	club, id := p.club, p.id
	if id == 0 {
		p.now = club.Contests()
		p.list()
		return page.Find(&p.load, p.env, club.PastContests)
	}
	look := page.Find(&p.load, p.env, func(ctx context.Context) (*lobby.Contest, error) { return club.Contest(ctx, id) })
	team := club.Player().Team
	if team == 0 {
		return look
	}
	return tea.Batch(look, page.Find(&p.ask, p.env, func(ctx context.Context) (*lobby.Team, error) { return club.Team(ctx, team) }))
}

// Update handles a message.
func (p *Page) Update(msg tea.Msg) (page.Page, tea.Cmd) {
	if cmd, ok := p.line.Handle(msg, p.Actions()); ok {
		return p, cmd
	}
	switch msg := msg.(type) {
	case page.ClubUpdateMsg:
		if p.one == nil || !p.one.View().Over {
			return p, p.look()
		}
	case page.Found[*lobby.Contest]:
		if msg.Take(&p.one, &p.fault) {
			p.take()
		}
	case page.Found[*lobby.Team]:
		p.captain = msg.Err == nil && msg.It.Captain == p.club.Player().ID
	case page.Found[[]lobby.PastContest]:
		if msg.Err == nil {
			p.past = slices.DeleteFunc(slices.Clone(msg.It), func(c lobby.PastContest) bool { return c.Called })
			p.list()
		}
	case page.CallOffMsg:
		return p, p.env.CallOff(p.club, p.one.Kind, p.id)
	case tea.MouseClickMsg:
		return p, p.click(msg)
	case tea.KeyPressMsg:
		return p, page.Press(p, msg)
	}
	return p, nil
}

// take shows the club's answer; at first the cursor is at the reader's own match.
func (p *Page) take() {
	if own := p.own(); own != nil && !p.moved {
		p.choose(own.No)
	}
	p.scroll()
}

// own is the match that the reader's team is to play now, nil if there is none.
func (p *Page) own() *match.Match {
	team := p.club.Player().Team
	if p.one == nil || team == 0 {
		return nil
	}
	return p.one.View().Current(team)
}

// chosen is the match under the cursor, nil if there is none.
func (p *Page) chosen() *match.Match {
	v := p.one.View()
	no := 0
	if p.one.Cup != nil {
		if tie := p.tie(); tie != nil {
			no = tie.Match
		}
	} else if i := p.cursor.At - p.places(); i >= 0 {
		no = i + 1
	}
	if no < 1 || no > len(v.Matches) {
		return nil
	}
	return &v.Matches[no-1]
}

// choose puts the cursor on a match.
func (p *Page) choose(no int) {
	if p.one.Cup == nil {
		p.cursor.At = p.places() + no - 1
		return
	}
	for r, ties := range p.one.Cup.Rounds {
		for i, t := range ties {
			if t.Match == no {
				p.round, p.place = r, i
			}
		}
	}
}

// places is how many rows the tables of a league have.
func (p *Page) places() (n int) {
	if p.one.League != nil {
		for _, rows := range p.one.League.Divisions {
			n += len(rows)
		}
	}
	return n
}

// team is the team under the cursor, 0 for none.
func (p *Page) team() table.TeamID {
	if p.one.League == nil {
		return 0
	}
	i := p.cursor.At
	for _, rows := range p.one.League.Divisions {
		if i < len(rows) {
			return rows[i].Team.ID
		}
		i -= len(rows)
	}
	return 0
}

var (
	keyWatch   = page.Bind("enter", "watch", "enter")
	keyTeam    = page.Bind("enter", "open the team", "enter")
	keyJoin    = page.Bind("e", "sign up", "e")
	keyLeave   = page.Bind("x", "withdraw", "x")
	keyPropose = page.Bind("p", "propose a time", "p")
	keyAccept  = page.Bind("a", "accept the time", "a")
	keyDecline = page.Bind("d", "decline it", "d")
	keyWalk    = page.Bind("←↑↓→", "move", "up", "down", "left", "right", "h", "l", "home", "end")
)

// Actions implements [page.Page].
func (p *Page) Actions() (does page.Actions) {
	switch {
	case p.line.Active():
		return p.line.Actions("propose", p.propose)
	case p.id == 0:
		does.Add(p.all.Chosen() != nil, page.KeyOpen, p.open)
		does.Move(true, page.KeyMove, p.all.Move)
		return does
	case p.one == nil:
		return nil
	}
	club, id := p.club, p.id
	v, me := p.one.View(), club.Player().Team
	does.Add(p.team() != 0, keyTeam, p.open)
	does.Add(p.team() == 0 && p.table() != 0, keyWatch, p.open)
	signs := me != 0 && p.captain && !v.Over && !v.Begun
	does.Add(signs && !v.Has(me), keyJoin, func() tea.Cmd {
		return p.env.DoAndSay(func(ctx context.Context) error { return club.SignUp(ctx, id, true) }, "Your team is signed up.")
	})
	does.Add(signs && v.Has(me), keyLeave, func() tea.Cmd {
		return p.env.DoAndSay(func(ctx context.Context) error { return club.SignUp(ctx, id, false) }, "Your team isn't signed up.")
	})
	if m := p.own(); m != nil && m.Pairing == 0 && p.captain {
		proposed := !m.Sides[1-m.Of(me)].Offer.IsZero()
		does.Add(proposed, keyAccept, func() tea.Cmd {
			return p.env.DoAndSay(func(ctx context.Context) error { return club.AcceptTime(ctx, id) }, "The time is agreed.")
		})
		does.Add(proposed, keyDecline, func() tea.Cmd {
			return p.env.DoAndSay(func(ctx context.Context) error { return club.DeclineTime(ctx, id) }, "Time declined; your opponents have been told.")
		})
		does.Add(true, keyPropose, func() tea.Cmd {
			p.line.Focus()
			return nil
		})
	}
	does.Go(v.Begun && !v.Over, page.KeyWall, page.Target{Kind: page.Wall, Event: id})
	does.Move(p.one.Cup != nil, keyWalk, p.move)
	does.Move(p.one.Cup == nil, page.KeyMove, p.move)
	does.CallOff(club, v.Config.By, v.Begun || v.Over)
	return does
}

// table is where the chosen match is played, 0 if nowhere.
func (p *Page) table() table.ID {
	if m := p.chosen(); m != nil {
		return p.one.TableOf(m)
	}
	return 0
}

// open opens the chosen league or cup, or leads to the chosen team, or to where the chosen match is played.
func (p *Page) open() tea.Cmd {
	if p.id == 0 {
		if c := p.all.Chosen(); c != nil {
			return page.Open(page.Target{Kind: page.Contest, Event: c.id})
		}
		return nil
	}
	if team := p.team(); team != 0 {
		return page.Open(page.Target{Kind: page.TeamPage, Team: team})
	}
	if t := p.table(); t != 0 {
		return page.Open(page.Target{Kind: page.Table, Table: t})
	}
	return nil
}

// click chooses a row of a list or a tie of a bracket, or opens the chosen one.
func (p *Page) click(msg tea.MouseClickMsg) tea.Cmd {
	switch {
	case p.id == 0 && p.all.Click(msg.Y):
		return p.open()
	case p.one == nil:
		return nil
	}
	row := msg.Y - len(p.head())
	if row < 0 {
		return nil
	}
	if p.one.Cup != nil {
		return p.clickTie(p.tieAt(msg.X, p.view.Top+row))
	}
	_, rows := p.body()
	i := slices.Index(rows, p.view.Top+row)
	switch {
	case i < 0:
	case i == p.cursor.At:
		return p.open()
	default:
		p.cursor.At, p.moved = i, true
		p.scroll()
	}
	return nil
}

// clickTie chooses a tie of the bracket, or opens the chosen one.
func (p *Page) clickTie(round, place int, ok bool) tea.Cmd {
	switch {
	case !ok:
	case round == p.round && place == p.place:
		return p.open()
	default:
		p.round, p.place, p.moved = round, place, true
		p.scroll()
	}
	return nil
}

// propose proposes the time that was typed.
func (p *Page) propose(typed string) tea.Cmd {
	if typed == "" {
		return nil
	}
	club, id := p.club, p.id
	return p.env.DoAndSay(func(ctx context.Context) error {
		at, err := plain.ParseMoment(typed)
		if err != nil {
			return err
		}
		return club.ProposeTime(ctx, id, at)
	}, "Time proposed; your opponents have been told.")
}

func (p *Page) move(pressed string) tea.Cmd {
	p.moved = true
	if p.one.Cup != nil {
		p.walk(pressed)
	} else {
		p.cursor.Move(pressed, p.places()+len(p.one.View().Matches), max(p.Height-2, 1))
	}
	p.scroll()
	return nil
}

// walk moves through the bracket: up and down within a round, right to where the winner goes, left to where the teams come from.
func (p *Page) walk(key string) {
	rounds := p.one.Cup.Rounds
	if len(rounds) == 0 {
		return
	}
	switch key {
	case "up":
		p.place--
	case "down":
		p.place++
	case "right", "l":
		if p.round < len(rounds)-1 {
			p.round, p.place = p.round+1, p.place/2
		}
	case "left", "h":
		if p.round > 0 {
			p.round, p.place = p.round-1, p.place*2
		}
	case "home":
		p.place = 0
	case "end":
		p.place = len(rounds[p.round]) - 1
	}
	p.place = max(min(p.place, len(rounds[p.round])-1), 0)
}

// tie is the one under the cursor in the bracket, nil if there is none.
func (p *Page) tie() *cup.Tie {
	rounds := p.one.Cup.Rounds
	if p.round >= len(rounds) || p.place >= len(rounds[p.round]) {
		return nil
	}
	return &rounds[p.round][p.place]
}

// Chrome implements [page.Page].
func (p *Page) Chrome() page.Chrome {
	return page.Chrome{Title: p.title(), Typing: p.line.Active(), Cursor: p.line.FootCursor(p.env.Theme, p.Size)}
}
