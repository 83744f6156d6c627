// Package contest shows leagues and cups: a list, or one with its tables or bracket and its matches. It asks
// the club, and must not know the rules of leagues and cups.
package contest

import (
	"context"
	"fmt"
	"slices"
	"strconv"
	"time"

	tea "charm.land/bubbletea/v2"

	"boneyard/lobby"
	"boneyard/lobby/event"
	"boneyard/lobby/event/cup"
	"boneyard/lobby/event/league"
	"boneyard/lobby/event/match"
	"boneyard/lobby/text"
	"boneyard/table"
	"boneyard/ui/page"
	"boneyard/ui/plain"
)

type club interface {
	Contests() []match.View
	Contest(ctx context.Context, id event.ID) (*match.View, error)
	Team(ctx context.Context, id table.TeamID) (*lobby.Team, error)
	SignUp(ctx context.Context, id event.ID, on bool) error
	ProposeTime(ctx context.Context, id event.ID, at time.Time) error
	AcceptTime(ctx context.Context, id event.ID, at time.Time) error
	DeclineTime(ctx context.Context, id event.ID) error
	page.Organizer
}

// Page is the list of leagues and cups, or one of them.
type Page struct {
	page.EventPage[match.View]
	club club

	captain bool // the reader is their team's captain, who alone signs it up and agrees on times
	ask     page.Question

	rows  page.List[entry] // of one event; for a bracket its lines, with the chosen tie's first line chosen
	round int              // of a cup: the chosen tie's round, from 0
	place int              // and its place in the round
	teams page.Text        // those signed up, before the event begins
}

// entry is a row of one event: a heading, a team's place in its table, or a match.
type entry struct {
	head  string
	table bool // the heading is a table's
	place *match.Row
	match *match.Match
}

// New returns the page of a league or a cup, or the list of all if id is 0.
func New(e *page.Env, c club, id event.ID) *Page {
	const longestTime = 20
	p := &Page{club: c}
	p.rows.Heading = func(r *entry) bool {
		return r.place == nil && r.match == nil && (!p.isCup() || !p.One.Begun)
	}
	p.Begin(e, id, page.NewInput("When (UTC): ", "", longestTime), page.EventOf[match.View]{
		Club: c, Find: c.Contest, Take: p.take, Also: p.leads, Acts: p.acts, Sheet: p.sheet, List: p.list, Does: "propose", Enter: p.propose,
		Kinds: []event.Kind{league.Kind, cup.Kind}, Until: func(v *match.View) time.Time { return v.Begins },
		Title: func() string {
			if p.One == nil {
				return "Leagues and cups"
			}
			return p.Titled("", text.Capital(string(p.One.Kind)))
		},
		None: "No league or cup is planned. In a league each team plays against all others; in a cup, a team that loses is out. " +
			"Operators make one with ssh " + e.Address + " league new in=7d block name=Winter league",
	})
	return p
}

// leads finds out who leads the reader's team.
func (p *Page) leads() tea.Cmd {
	team := p.club.Player().Team
	if team == 0 {
		return nil
	}
	lead := func(ctx context.Context) (*lobby.Team, error) { return p.club.Team(ctx, team) }
	return page.Find(p.ask.Once, p.Env, lead, func(team *lobby.Team, err error) tea.Cmd {
		p.captain = err == nil && team.Captain == p.club.Player().ID
		return nil
	})
}

// take shows the club's answer; at first the reader's own match is chosen.
func (p *Page) take() {
	p.rows.Update(p.entries(), func(a, b *entry) bool {
		return a.match != nil && b.match != nil && a.match.No == b.match.No ||
			a.place != nil && b.place != nil && a.place.Team.ID == b.place.Team.ID
	})
	own := p.own()
	switch {
	case p.isCup():
		switch last := len(p.One.Rounds) - 1; {
		case p.Moved:
		case own != nil:
			p.round, p.place = p.tieOf(own.No)
		case p.One.Over && last >= 0: // the final
			p.round, p.place = last, 0
		default: // the first match that is not over
			if i := slices.IndexFunc(p.One.Matches, func(m match.Match) bool { return !m.Done }); i >= 0 {
				p.round, p.place = p.tieOf(p.One.Matches[i].No)
			}
		}
		p.show()
	case own != nil && !p.Moved:
		p.rows.Choose(slices.IndexFunc(p.rows.Items(), func(r entry) bool { return r.match != nil && r.match.No == own.No }))
	}
}

func (p *Page) entries() (rows []entry) {
	v := p.One
	switch {
	case !v.Begun:
		return nil
	case p.isCup():
		lines, _ := p.bracket()
		return make([]entry, len(lines))
	}
	divisions := v.Divisions
	for d, places := range divisions {
		title := "Table"
		if len(divisions) > 1 {
			title = "Division " + strconv.Itoa(d+1)
		}
		if d > 0 {
			rows = append(rows, entry{})
		}
		rows = append(rows, entry{head: title, table: true})
		for i := range places {
			rows = append(rows, entry{place: &places[i]})
		}
	}
	for i := range v.Matches {
		m := &v.Matches[i]
		if i == 0 || m.Division != v.Matches[i-1].Division || m.Round != v.Matches[i-1].Round {
			title := fmt.Sprintf("Window %d, until %s", m.Round, m.Closes.UTC().Format("Mon 2 Jan 15:04 UTC"))
			if len(divisions) > 1 {
				title = fmt.Sprintf("Division %d, w%s", m.Division, title[1:])
			}
			rows = append(rows, entry{}, entry{head: title})
		}
		rows = append(rows, entry{match: m})
	}
	return rows
}

// isCup reports whether the one event is a cup, which has a bracket.
func (p *Page) isCup() bool { return p.One.Kind == cup.Kind }

// own returns the match that the reader's team is to play now; nil if there is none.
func (p *Page) own() *match.Match {
	if team := p.club.Player().Team; team != 0 {
		return p.One.Current(team)
	}
	return nil
}

// chosen returns the match under the cursor; nil if there is none.
func (p *Page) chosen() *match.Match {
	v, tie, r := p.One, p.tie(), p.rows.Chosen()
	switch {
	case tie != nil && v.MatchOf(tie) != nil:
		return v.MatchOf(tie)
	case r != nil:
		return r.match
	}
	return nil
}

// team returns the team under the cursor; 0 for none.
func (p *Page) team() table.TeamID {
	if r := p.rows.Chosen(); r != nil && r.place != nil {
		return r.place.Team.ID
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

func (p *Page) acts() (does page.Actions) {
	club, v, me, team := p.club, p.One, p.club.Player().Team, p.team()
	does.OpenPage(team != 0, keyTeam, page.Target{Kind: page.TeamPage, Team: team})
	if m := p.chosen(); m != nil {
		at, watch := v.TableOf(m), keyWatch
		if me != 0 && m.Of(me) >= 0 {
			watch = page.Named(watch, "go to the table")
		}
		does.Table(true, watch, page.Opens, at)
	}
	signUp := func(on bool) func(ctx context.Context, id event.ID) error {
		return func(ctx context.Context, id event.ID) error { return club.SignUp(ctx, id, on) }
	}
	signs := me != 0 && p.captain && !v.Over && !v.Begun
	does.Add(signs && !v.Has(me), keyJoin, p.Do(signUp(true), "Your team is signed up."))
	does.Add(signs && v.Has(me), keyLeave, p.Do(signUp(false), "Your team isn't signed up."))
	if m := p.own(); m != nil && !m.Playing() && p.captain {
		offer := m.Sides[1-m.Of(me)].Offer
		proposed := !offer.IsZero()
		accept := func(ctx context.Context, id event.ID) error { return club.AcceptTime(ctx, id, offer) }
		does.Add(proposed, keyAccept, p.Do(accept, "The time is agreed."))
		does.Add(proposed, keyDecline, p.Do(club.DeclineTime, "Time declined; your opponents have been told."))
		does.Set(true, keyPropose, func() {
			p.Line.Hint = example(m, p.Env.Now())
			p.Line.Focus()
		})
	}
	does.Go(v.Begun && !v.Over, page.KeyWall, page.Target{Kind: page.Wall, Event: p.ID})
	does.Scroll(!v.Begun && p.Scrolls(), page.KeyScroll, p.Move)
	does.Move(p.isCup() && v.Begun, keyWalk, p.walk)
	does.Move(!p.isCup() && p.rows.Len() > 0, page.KeyMove, p.Move)
	return does
}

// Point implements [page.Pointed]: in a bracket a tie has two lines, and ties stand side by side.
func (p *Page) Point(x, y int) (again bool, cmd tea.Cmd) {
	was := p.rows.At()
	again, cmd = p.EventPage.Point(x, y)
	at := p.rows.At()
	if p.One == nil || !p.isCup() || at == was && !again {
		return again, cmd
	}
	round, place, ok := p.tieAt(x, at)
	if again = ok && round == p.round && place == p.place; ok {
		p.round, p.place = round, place
	}
	p.show()
	return again, nil
}

// example returns a time that can be proposed for a match: tomorrow at 20:00, or the last one if that is earlier.
func example(m *match.Match, now time.Time) string {
	at := now.UTC().Truncate(24 * time.Hour).Add(44 * time.Hour)
	if !at.Before(m.Closes) {
		at = m.Closes.UTC().Add(-time.Nanosecond)
	}
	return at.Format(plain.MomentForm)
}

func (p *Page) propose(typed string) tea.Cmd {
	if typed == "" {
		return nil
	}
	at, err := plain.ParseMoment(typed)
	if err != nil {
		return page.Refused(err)
	}
	say := "Time proposed; your opponents have been told."
	if m := p.own(); m != nil && (at.Equal(m.At) || at.Equal(m.Sides[1-m.Of(p.club.Player().Team)].Offer)) {
		say = "The time is agreed."
	}
	return p.Do(func(ctx context.Context, id event.ID) error { return p.club.ProposeTime(ctx, id, at) }, say)()
}

// walk moves through the bracket: up and down within a round, right to the winner's next tie, left to where
// the teams come from.
func (p *Page) walk(key string) tea.Cmd {
	rounds := p.One.Rounds
	if len(rounds) == 0 {
		return nil
	}
	p.Moved = true
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
	p.show()
	return nil
}

// tie returns the tie under the cursor in the bracket; nil if there is none.
func (p *Page) tie() *match.Tie {
	if p.round >= len(p.One.Rounds) || p.place >= len(p.One.Rounds[p.round]) {
		return nil
	}
	return &p.One.Rounds[p.round][p.place]
}

func (p *Page) tieOf(match int) (round, place int) {
	for r, ties := range p.One.Rounds {
		for i := range ties {
			if ties[i].Match == match {
				round, place = r, i
			}
		}
	}
	return round, place
}

func (p *Page) Resize(w, h int) {
	if p.EventPage.Resize(w, h); p.One != nil && p.isCup() {
		p.show()
	}
}

// show scrolls both lines of the chosen tie into view.
func (p *Page) show() {
	if _, rows := p.bracket(); p.place < len(rows) {
		p.Fit()
		p.rows.Choose(rows[p.place] + 1)
		p.rows.Choose(rows[p.place])
	}
}
