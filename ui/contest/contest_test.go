package contest

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"charm.land/bubbles/v2/key"
	tea "charm.land/bubbletea/v2"
	"github.com/charmbracelet/x/ansi"
	"github.com/stretchr/testify/require"

	"boneyard/lobby"
	"boneyard/lobby/event"
	"boneyard/lobby/event/cup"
	"boneyard/lobby/event/league"
	"boneyard/lobby/event/match"
	"boneyard/lobby/event/season"
	"boneyard/lobby/text"
	"boneyard/lobby/text/texttest"
	"boneyard/table"
	"boneyard/ui/page"
	"boneyard/ui/page/pagetest"
	"boneyard/ui/plain"
)

// fakeClub is a club with a league and a cup.
type fakeClub struct {
	pagetest.Talk
	team table.TeamID
	all  []match.View
	did  []string

	follows bool // is not the captain
	guest   bool
}

func (c *fakeClub) EnterEvent(context.Context, event.Kind, event.ID, string) error { return nil }
func (c *fakeClub) LeaveEvent(context.Context, event.Kind, event.ID) error         { return nil }
func (c *fakeClub) MayCallOff(by string) bool                                      { return by == "me" }
func (c *fakeClub) CallOff(_ context.Context, kind event.Kind, id event.ID) error {
	c.did = append(c.did, fmt.Sprint("off ", kind, " ", id))
	return nil
}
func (c *fakeClub) Player() table.Player {
	if c.guest {
		return table.Player{ID: -10, Name: "guest-10"}
	}
	return table.Player{ID: 10, Name: "me", Team: c.team}
}
func (c *fakeClub) Contests() []match.View { return c.all }
func (c *fakeClub) Contest(_ context.Context, id event.ID) (*match.View, error) {
	for i := range c.all {
		if c.all[i].ID == id {
			return &c.all[i], nil
		}
	}
	return nil, match.ErrNone
}
func (c *fakeClub) Team(_ context.Context, id table.TeamID) (*lobby.Team, error) {
	t := &lobby.Team{ID: id}
	if !c.follows {
		t.Captain = c.Player().ID
	}
	return t, nil
}
func (c *fakeClub) SignUp(_ context.Context, id event.ID, on bool) error {
	c.did = append(c.did, fmt.Sprint("sign up ", id, on))
	return nil
}
func (c *fakeClub) ProposeTime(_ context.Context, id event.ID, at time.Time) error {
	c.did = append(c.did, fmt.Sprint("propose ", id, at.Format(" 2006-01-02T15:04")))
	return nil
}
func (c *fakeClub) DeclineTime(_ context.Context, id event.ID) error {
	c.did = append(c.did, fmt.Sprint("decline ", id))
	return nil
}

func (c *fakeClub) AcceptTime(_ context.Context, id event.ID, at time.Time) error {
	c.did = append(c.did, fmt.Sprint("accept ", id, at.Format(" 2006-01-02T15:04")))
	return nil
}

var names = []string{
	"Night Owls/OWL", "Alley Cats/CAT", "Bone Shakers/BONES", "The Double Sixes/66", "Harbour Dogs/DOG", "Five Alive/FIVES",
	"Old Boneyard/OLD", "Quiet Corner/QC", "Spinners/SPIN",
	"Domino Effect/FX", "The Pips/PIPS", "Left Arm/LEFT", "Last Orders/LAST",
}

func someTeams(n int) (teams []match.Team) {
	for i := range n {
		name, tag, _ := strings.Cut(names[i], "/")
		teams = append(teams, match.Team{ID: table.TeamID(i + 1), Name: name, Tag: tag, Rating: 1900 - 20*i, Seed: i + 1})
	}
	return teams
}

// story returns a league or a cup after some entries.
func story(t *testing.T, id event.ID, kind event.Kind, cfg any, begins time.Time, entries ...event.Entry) event.Rules {
	t.Helper()
	e := event.Make(kind, cfg, begins)
	e.ID = id
	r, err := event.KindsOf(league.Type, cup.Type)[kind].New(e)
	require.NoError(t, err)
	for i := range entries {
		if entries[i].At.IsZero() {
			entries[i].At = begins
		}
		require.NoError(t, r.Apply(entries[i]))
	}
	return r
}

type fields map[string]any

// won returns the entries of a match that a side has won by 2:1.
func won(no, side int) []event.Entry {
	pairing := int64(1000 + 10*no)
	entries := []event.Entry{event.New("open", fields{"no": no})}
	for g, winner := range []int{side, 3 - side, side} {
		n := pairing + int64(g)
		points := []int{100, 40 + no}
		if winner == 2 {
			points = []int{60 - no, 100}
		}
		entries = append(entries, event.New("table", fields{"no": no, "pairing": n}),
			event.New("took", fields{"no": no, "pairing": n, "game": n, "winner": winner, "points": points}))
	}
	return append(entries, event.New("close", fields{"no": no, "winner": side}))
}

func ofTeams(id table.TeamID) []table.Player {
	return []table.Player{{ID: 10 * table.PlayerID(id)}, {ID: 10*table.PlayerID(id) + 1}}
}

// winter is a league of 13 teams in its second window, and a cup of 13 teams in its second round. Team 1 has a match in both.
func winter(t *testing.T) *fakeClub {
	cfg := match.Config{Name: "Winter league", Rules: "block", Pace: table.PaceNormal}
	begins := pagetest.Now.Add(-8 * 24 * time.Hour)
	entries := []event.Entry{event.New("begin", fields{"teams": someTeams(13)})}
	r := story(t, 3, league.Kind, league.Config{Config: cfg, Window: match.Week, Size: 8}, begins, entries...)
	current := 0
	for _, m := range r.View(nil).(*match.View).Matches {
		switch {
		case m.Round == 1 && m.No == 2:
			entries = append(entries, event.New("open", fields{"no": m.No}), event.New("close", fields{"no": m.No, "winner": 1, "walkover": true}))
		case m.Round == 1:
			entries = append(entries, won(m.No, 1+m.No%2)...)
		case m.Round == 2:
			entries = append(entries, event.New("open", fields{"no": m.No, "rosters": []any{ofTeams(m.Sides[0].ID), ofTeams(m.Sides[1].ID)}}))
			switch {
			case m.Of(1) >= 0:
				current = m.No
			case m.No%2 == 0:
				entries = append(entries, event.New("agree", fields{"no": m.No, "at": pagetest.Now.Add(27 * time.Hour)}))
			}
		}
	}
	m := r.View(nil).(*match.View).Matches[current-1]
	offer := event.New("offer", fields{"no": current, "side": 1 - m.Of(1), "at": pagetest.Now.Add(2 * time.Hour)})
	offer.At = pagetest.Now
	entries = append(entries, offer)
	r = story(t, 3, league.Kind, league.Config{Config: cfg, Window: match.Week, Size: 8}, begins, entries...)

	cfg.Name = "Winter cup"
	kc := cup.Config{Config: cfg, Round: match.Week}
	log := []event.Entry{event.New("begin", fields{"teams": someTeams(13)})}
	k := story(t, 4, cup.Kind, kc, begins, log...)
	for _, m := range k.View(nil).(*match.View).Matches {
		log = append(log, won(m.No, 1+m.No/4)...)
	}
	log = append(log, event.New("open", fields{"no": 6, "rosters": []any{ofTeams(1), ofTeams(8)}}),
		event.New("table", fields{"no": 6, "pairing": 2000}),
		event.New("took", fields{"no": 6, "pairing": 2000, "game": 2000, "winner": 1, "points": []int{100, 20}}),
		event.New("table", fields{"no": 6, "pairing": 2001}))
	k = story(t, 4, cup.Kind, kc, begins, log...)
	planned := story(t, 5, cup.Kind,
		cup.Config{Config: match.Config{Name: "Spring cup", Rules: "block target=50", Pace: table.PaceFast}, Round: match.Week},
		pagetest.Now.Add(5*24*time.Hour),
		event.New("sign-up", someTeams(2)[0]), event.New("sign-up", someTeams(2)[1]))
	return &fakeClub{
		team: 1,
		all: []match.View{
			*r.View(nil).(*match.View), *k.View(map[int64]table.ID{2001: 112}).(*match.View), *planned.View(nil).(*match.View),
		},
		Talk: pagetest.Talk{Over: []season.Past{{Outcome: event.Outcome{Event: 2, Kind: league.Kind, Title: "Autumn league",
			At: pagetest.Now.Add(-20 * 24 * time.Hour)},
			Podium: []event.Placing{{Place: 1, Name: "[OWL] Night Owls"}, {Place: 2, Name: "[CAT] Alley Cats"}}}}},
	}
}

func TestPictures(t *testing.T) {
	picture := func(c *fakeClub, id event.ID, name string, keys ...string) {
		e := pagetest.Env(t, nil)
		d := pagetest.Drive(New(e, c, id))
		d.Lines(80, 24)
		d.Press(keys...)
		pagetest.Golden(t, e, d.Page, name)
	}
	picture(winter(t), 0, "list")
	picture(&fakeClub{}, 0, "none")
	picture(winter(t), 3, "league")
	picture(winter(t), 3, "tables", "home")
	picture(winter(t), 4, "cup")
	picture(winter(t), 4, "final", "right", "right")
	picture(winter(t), 5, "planned")
	loner := winter(t)
	loner.team = 0
	picture(loner, 5, "teamless")
	picture(winter(t), 9, "gone")
}

// A captain who proposes the time that is agreed on, or the opponents' own, reads that it is agreed, not that
// somebody has been told of a proposal.
func TestProposingTheAgreedTime(t *testing.T) {
	c := winter(t)
	m := c.all[0].Current(1)
	m.At = pagetest.Now.Add(30 * time.Hour).Truncate(time.Minute)
	offer := &m.Sides[1-m.Of(1)].Offer
	*offer = offer.Truncate(time.Minute)
	d := pagetest.Drive(New(pagetest.Env(t, nil), c, 3))
	d.Lines(80, 24)
	const proposed, agreed = "Time proposed; your opponents have been told.", "The time is agreed."
	for at, say := range map[time.Time]string{m.At: agreed, *offer: agreed, m.At.Add(time.Hour): proposed} {
		d.Sent = nil
		d.Press("p")
		d.Type(at.UTC().Format("2006-01-02T15:04"))
		d.Press("enter")
		require.Equal(t, page.Say(say), pagetest.Take[page.Toast](t, d))
	}
}

// A list says at every width when an event begins, and gives names the room that there is.
func TestNarrowLists(t *testing.T) {
	d := pagetest.Drive(New(pagetest.Env(t, nil), winter(t), 0))
	for w := page.MinWidth; w < 90; w++ {
		require.Regexp(t, `on 26 Nov \d\d:\d\d`, strings.Join(d.Lines(w, 20), "\n"), w)
	}
	require.Contains(t, strings.Join(d.Lines(52, 20), "\n"), "Winter league")
}

// At 80 columns the longest names of teams are whole in the table and in the matches, whatever their tags.
func TestLongNamesAreWhole(t *testing.T) {
	teams := someTeams(2)
	for i := range teams {
		teams[i].Name, teams[i].Tag = strings.Repeat(string(rune('A'+i)), text.MaxTitle), "BONES"
	}
	cfg := league.Config{Config: match.Config{Name: "Winter league", Rules: "block", Pace: table.PaceNormal}, Window: match.Week, Size: 8}
	r := story(t, 3, league.Kind, cfg, pagetest.Now.Add(-time.Hour), event.New("begin", fields{"teams": teams}))
	c := &fakeClub{all: []match.View{*r.View(nil).(*match.View)}}
	d := pagetest.Drive(New(pagetest.Env(t, nil), c, 3))
	require.Contains(t, ansi.Strip(strings.Join(d.Lines(79, 24), "\n")), "[BONES] "+teams[0].Name)
	drawn := ansi.Strip(strings.Join(d.Lines(80, 24), "\n"))
	for i := range teams {
		require.Equal(t, 2, strings.Count(drawn, teams[i].Name), drawn)
		require.Contains(t, drawn, "[BONES] "+teams[i].Name)
	}
}

// The lines of a bracket begin right behind its longest name, whatever the width.
func TestLinesFollowTheNames(t *testing.T) {
	teams := someTeams(4)
	for i, name := range []string{"The Oaks", "The Elms", "The Night Ashes", "Yew"} {
		teams[i].Name, teams[i].Tag = name, "TAG"
	}
	cfg := cup.Config{Config: match.Config{Name: "Winter cup", Rules: "block", Pace: table.PaceNormal}, Round: match.Week}
	r := story(t, 3, cup.Kind, cfg, pagetest.Now.Add(-time.Hour), event.New("begin", fields{"teams": teams}))
	c := &fakeClub{all: []match.View{*r.View(nil).(*match.View)}}
	for _, w := range []int{80, 120, 200} {
		drawn := ansi.Strip(strings.Join(pagetest.Drive(New(pagetest.Env(t, nil), c, 3)).Lines(w, 24), "\n"))
		require.Regexp(t, `TAG The Night Ashes {3,7}[^ ]?─`, drawn)
	}
}

// The cursor starts at the reader's own match and moves over teams and matches; captains agree on times here.
func TestKeys(t *testing.T) {
	c := winter(t)
	e := pagetest.Env(t, nil)
	d := pagetest.Drive(New(e, c, 3))
	d.Lines(80, 24)
	d.Press("a")
	d.Press("p")
	d.Type("2026-11-27T20:00")
	d.Press("enter")
	d.Press("p", "esc", "x", "e")
	require.Equal(t, []string{"accept 3 2026-11-21T22:15", "propose 3 2026-11-27T20:00"}, c.did)
	d.Press("home", "enter")
	first := c.all[0].Divisions[0][0].Team.ID
	require.Equal(t, page.Target{Kind: page.TeamPage, Team: first}, pagetest.Take[page.GotoMsg](t, d).To)
	d.Press("W")
	require.Equal(t, page.Target{Kind: page.Wall, Event: 3}, pagetest.Take[page.GotoMsg](t, d).To)

	d = pagetest.Drive(New(e, c, 4))
	d.Lines(80, 24)
	d.Press("enter")
	require.Equal(t, page.Target{Kind: page.Table, Table: 112}, pagetest.Take[page.GotoMsg](t, d).To,
		"the cursor is at the match of one's own team")
	for key, want := range map[string][2]int{"right": {2, 0}, "left": {0, 0}, "down": {1, 1}, "end": {1, 3}, "up": {1, 0}} {
		d = pagetest.Drive(New(e, c, 4))
		d.Lines(80, 24)
		d.Press(key)
		p := d.Page.(*Page)
		require.Equal(t, want, [2]int{p.round, p.place}, key)
	}

	d = pagetest.Drive(New(e, c, 5))
	d.Press("x", "e")
	c.team = 7
	d.Press("e")
	require.Equal(t, []string{"sign up 5 false", "sign up 5 true"}, c.did[2:])

	did := len(c.did)
	c.follows = true
	for _, id := range []event.ID{3, 5} {
		member := pagetest.Drive(New(e, c, id))
		member.Lines(80, 24)
		member.Press("e", "x", "a", "p")
		require.False(t, member.Page.Chrome().Typing)
		require.Len(t, c.did, did, "these are for captains")
	}
	c.follows = false
	other := pagetest.Drive(New(e, c, 5))
	other.Lines(80, 24)
	require.False(t, slices.ContainsFunc(other.Page.Actions().Keys(), func(b key.Binding) bool { return b.Help().Key == "X" }),
		"somebody else has created it")
	c.all[slices.IndexFunc(c.all, func(v match.View) bool { return v.ID == 5 })].Config.By = "me"
	pagetest.CallOff(t, pagetest.Drive(New(e, c, 5)), pagetest.Drive(New(e, c, 3)))
	require.Contains(t, c.did[len(c.did)-1], "off ")

	d = pagetest.Drive(New(e, c, 0))
	d.Press("down", "enter")
	require.Equal(t, page.Target{Kind: page.Contest, Event: 4}, pagetest.Take[page.GotoMsg](t, d).To)
}

// A result that changes the order leaves the cursor at its team, and a row more leaves it at its match.
func TestTheCursorStays(t *testing.T) {
	c := winter(t)
	d := pagetest.Drive(New(pagetest.Env(t, nil), c, 3))
	d.Lines(80, 24)
	p := d.Page.(*Page)
	d.Press("home")
	first := p.team()
	require.NotZero(t, first)
	turned := slices.Clone(c.all[0].Divisions[0])
	slices.Reverse(turned)
	c.all[0].Divisions = slices.Concat([][]match.Row{turned}, c.all[0].Divisions[1:])
	d.Send(page.ClubUpdateMsg{})
	require.Equal(t, first, p.team())

	d.Press("end")
	last := p.chosen().No
	c.all[0].Divisions = append(c.all[0].Divisions, turned[:1])
	d.Send(page.ClubUpdateMsg{})
	require.Equal(t, last, p.chosen().No)
}

// A time that cannot be read is refused with an example.
func TestWrongTime(t *testing.T) {
	c := winter(t)
	d := pagetest.Drive(New(pagetest.Env(t, nil), c, 3))
	d.Lines(80, 24)
	d.Press("p")
	d.Type("friday")
	d.Press("enter")
	require.Contains(t, pagetest.Take[page.Toast](t, d).Text, "2026-11-27T20:00")
	require.Empty(t, c.did)
}

func TestHostileText(t *testing.T) {
	for _, h := range texttest.Hostile() {
		c := winter(t)
		for i := range c.all {
			v := &c.all[i]
			v.Config.Name = h.Text
			for k := range v.Teams {
				v.Teams[k].Name, v.Teams[k].Tag = h.Text, h.Text
			}
			for k := range v.Matches {
				for s := range v.Matches[k].Sides {
					v.Matches[k].Sides[s].Name, v.Matches[k].Sides[s].Tag = h.Text, h.Text
				}
			}
		}
		for _, rows := range c.all[0].Divisions {
			rows[0].Team.Name, rows[0].Team.Tag = h.Text, h.Text
		}
		for _, ties := range c.all[1].Rounds {
			ties[0].Teams[0].Name, ties[0].Teams[0].Tag = h.Text, h.Text
		}
		c.Over[0].Title, c.Over[0].Podium[0].Name = h.Text, h.Text
		e := pagetest.Env(t, nil)
		e.Theme = pagetest.Plain
		for _, id := range []event.ID{0, 3, 4, 5} {
			pagetest.CheckHostile(t, pagetest.Drive(New(e, c, id)).Page, h)
		}
	}
}

// Each tie of the bracket is chosen by a click on either of its teams, and the chosen one is opened.
func TestMouseInTheBracket(t *testing.T) {
	c := winter(t)
	for _, size := range [][2]int{{80, 24}, {60, 12}, {40, 10}} {
		for r, ties := range c.all[1].Rounds {
			for i := range ties {
				for _, k := range []int{0, 1} {
					d := pagetest.Drive(New(pagetest.Env(t, nil), c, 4))
					p := d.Page.(*Page)
					d.Lines(size[0], size[1])
					p.round, p.place = r, i
					p.show()
					at := -1
					for y, line := range d.Lines(size[0], size[1]) {
						if strings.Contains(line, "▸") {
							at = y + k
							break
						}
					}
					from, _ := p.seen()
					x := 1 + (r-from)*(p.cell()+joint) + 2
					p.place = (i + 1) % len(ties) // its scroll position stays
					d.Click(x, at)
					require.Equal(t, [2]int{r, i}, [2]int{p.round, p.place}, "%v, round %d, tie %d", size, r, i)
				}
			}
		}
	}
	d := pagetest.Drive(New(pagetest.Env(t, nil), c, 4))
	for y, line := range d.Lines(80, 24) {
		if before, _, ok := strings.Cut(ansi.Strip(line), "▸"); ok {
			d.Click(ansi.StringWidth(before)+2, y)
		}
	}
	opens := page.GotoMsg{To: page.Target{Kind: page.Table, Table: 112}}
	require.Equal(t, []tea.Msg{opens, opens}, d.Sent, "by either team")
}

// The result of the chosen tie is never cut: tags replace names that do not fit beside it.
func TestTheTieIsWhole(t *testing.T) {
	c := winter(t)
	d := pagetest.Drive(New(pagetest.Env(t, nil), c, 4))
	d.Lines(80, 24)
	d.Page.(*Page).tie().Teams[0].Name = "Night Owls of the whole upper valley and beyond"
	require.Contains(t, strings.Join(d.Lines(80, 24), "\n"), "OWL – SPIN: 1:0 at table 112")
	require.Contains(t, strings.Join(d.Lines(120, 40), "\n"), "beyond against [SPIN] Spinners: 1:0 at table 112")
}

// A match that was won by default has no score of 0 to 0, and a team that advances by its seed has not won.
func TestWonWithoutAGame(t *testing.T) {
	c := winter(t)
	c.team = 0
	v := &c.all[1]
	tie := &v.Rounds[0][1]
	m := &v.Matches[tie.Match-1]
	m.Walkover, m.Games = true, nil
	for i := range m.Sides {
		m.Sides[i].Wins, m.Sides[i].Points = 0, 0
	}
	shown := func() string {
		d := pagetest.Drive(New(pagetest.Env(t, nil), c, 4))
		d.Lines(80, 24)
		d.Press("left", "left", "left", "home", "down")
		return ansi.Strip(strings.Join(d.Lines(80, 24), "\n"))
	}
	winner, loser := tie.Teams[tie.Winner-1].Tag, tie.Teams[2-tie.Winner].Tag
	require.Regexp(t, winner+` +def`, shown())
	require.NotRegexp(t, `▸ *[0-9]+ [A-Z]+ +[0-9]`, shown())
	require.Contains(t, shown(), ":0 by default")
	require.Equal(t, winner+" against "+loser+", won by "+winner+" by default", plain.Tie(v, tie))

	m.Walkover, m.Winner = false, 0
	require.Contains(t, shown(), winner+" advances with the better seed")
	require.Equal(t, winner+" against "+loser+", won by nobody; "+winner+" advances with the better seed", plain.Tie(v, tie))
}

// Readers whose team does not play find the first match that is not over, with names if there is room for them.
func TestACupOpensAtItsFirstMatch(t *testing.T) {
	c := winter(t)
	c.team = 0
	v := &c.all[1]
	next := v.Matches[slices.IndexFunc(v.Matches, func(m match.Match) bool { return !m.Done })].Sides
	shown := ansi.Strip(strings.Join(pagetest.Drive(New(pagetest.Env(t, nil), c, 4)).Lines(120, 40), "\n"))
	require.Contains(t, shown, fmt.Sprintf("[%s] %s against [%s] %s", next[0].Tag, next[0].Name, next[1].Tag, next[1].Name))
	require.Regexp(t, `▸ *[0-9]+ `+next[0].Tag+" "+next[0].Name[:4], shown)
}

// A cup that is over opens at its final, which says who has won.
func TestAFinishedCupShowsItsFinal(t *testing.T) {
	c := winter(t)
	v := &c.all[1]
	c.team, v.Over = 0, true
	v.Final.Trophies = []match.Trophy{{Team: v.Teams[0].ID, Title: match.WinnerOf + v.Config.Name}}
	d := pagetest.Drive(New(pagetest.Env(t, nil), c, 4))
	p := d.Page.(*Page)
	require.Equal(t, &p.One.Rounds[len(p.One.Rounds)-1][0], p.tie())
	require.Contains(t, strings.Join(d.Lines(80, 24), "\n"), "won by "+v.Teams[0].Tag)
}

// All signed-up teams can be seen, and no key for the bracket is offered before there is one.
func TestManySignUp(t *testing.T) {
	c := winter(t)
	cup := &c.all[2]
	cup.Teams = nil
	for i := range 64 {
		cup.Teams = append(cup.Teams, match.Team{ID: table.TeamID(i + 1), Tag: fmt.Sprint("T", i), Name: fmt.Sprint("Team ", i)})
	}
	d := pagetest.Drive(New(pagetest.Env(t, nil), c, 5))
	d.Lines(80, 20)
	for _, a := range d.Page.Actions() {
		require.NotEqual(t, page.Chooses, a.Role)
	}
	d.Press("end")
	require.Contains(t, strings.Join(d.Lines(80, 20), "\n"), "[T63] Team 63")
}

// A guest reads who may take part while teams sign up, and of no key that would refuse them.
func TestGuests(t *testing.T) {
	c := winter(t)
	c.team, c.guest = 0, true
	c.all[2].Teams = nil
	d := pagetest.Drive(New(pagetest.Env(t, nil), c, 5))
	shown := strings.Join(d.Lines(80, 20), "\n")
	require.Contains(t, shown, "Teams of members take part.")
	require.Contains(t, shown, "No team has signed up yet.")
	require.NotContains(t, shown, "captains sign theirs up")
	c.all[2].Begun = true
	require.NotContains(t, strings.Join(pagetest.Drive(New(pagetest.Env(t, nil), c, 5)).Lines(80, 20), "\n"), "take part")
}

func TestMouse(t *testing.T) {
	for _, id := range []event.ID{0, 3} {
		pagetest.Clicks(t, pagetest.Drive(New(pagetest.Env(t, nil), winter(t), id)))
	}
}

// The example of a time can be proposed.
func TestTheExampleIsWithinTheMatchsTime(t *testing.T) {
	c := winter(t)
	d := pagetest.Drive(New(pagetest.Env(t, nil), c, 3))
	d.Lines(80, 24)
	own := d.Page.(*Page).own()
	own.Closes = pagetest.Now.Add(2 * time.Hour)
	d.Press("p")
	hint := d.Page.(*Page).Line.Hint
	at, err := plain.ParseMoment(hint)
	require.NoError(t, err)
	require.True(t, at.After(pagetest.Now) && at.Before(own.Closes), hint)
}
