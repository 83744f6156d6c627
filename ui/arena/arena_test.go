package arena

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/charmbracelet/x/ansi"
	"github.com/stretchr/testify/require"

	"boneyard/lobby"
	"boneyard/lobby/event"
	"boneyard/lobby/event/arena"
	"boneyard/lobby/text/texttest"
	"boneyard/table"
	"boneyard/ui/page"
	"boneyard/ui/page/pagetest"
	"boneyard/ui/plain"
)

// fakeClub is a club with one arena.
type fakeClub struct {
	pagetest.Talk
	me   table.PlayerID
	one  arena.View
	did  []string
	none bool
	more int // such arenas

	operator bool
}

func (c *fakeClub) MayCallOff(by string) bool { return by == "me" || c.operator }
func (c *fakeClub) CallOff(_ context.Context, kind event.Kind, id event.ID) error {
	c.did = append(c.did, fmt.Sprint("off ", kind, " ", id))
	return nil
}
func (c *fakeClub) Player() table.Player { return table.Player{ID: c.me, Name: "me"} }
func (c *fakeClub) Arenas() []arena.View {
	if c.none {
		return nil
	}
	return slices.Repeat([]arena.View{c.one}, 1+c.more)
}
func (c *fakeClub) Arena(_ context.Context, id event.ID) (*arena.View, error) {
	if id != c.one.ID {
		return nil, arena.ErrNone
	}
	a := c.one
	return &a, nil
}
func (c *fakeClub) EnterEvent(_ context.Context, _ event.Kind, id event.ID, partner string) error {
	c.did = append(c.did, fmt.Sprint("enter ", id, partner))
	return nil
}
func (c *fakeClub) LeaveEvent(_ context.Context, _ event.Kind, id event.ID) error {
	c.did = append(c.did, fmt.Sprint("leave ", id))
	return nil
}

// friday is an arena with thirty players, of whom two play.
func friday() *fakeClub {
	v := arena.View{
		Head:   event.Head{ID: 3, At: map[int64]table.ID{41: 112}},
		Config: arena.Config{Name: "Friday night", Rules: "classic target=100", Pace: table.PaceNormal, Battle: true},
		Begins: pagetest.Now.Add(-26 * time.Minute), Ends: pagetest.Now.Add(34 * time.Minute), Begun: true, Played: 41,
		Teams: []arena.Team{{ID: 1, Tag: "OWL", Score: 46, Rank: 1}, {ID: 2, Tag: "CAT", Score: 38, Rank: 2}},
		Games: []arena.Game{{No: 41, A: 1, B: 2}},
	}
	for i := 1; i <= 30; i++ {
		p := table.Player{ID: table.PlayerID(i), Name: fmt.Sprintf("player%d", i), Team: table.TeamID(1 + i%2), Tag: []string{"OWL", "CAT"}[i%2]}
		e := arena.Entrant{ID: p.ID, Entrant: event.Entrant{Members: []table.Player{p}}, Score: 40 - i, Tie: float64(i) / 3, Games: 12, Won: 9,
			Row: i % 4, Rank: i}
		switch {
		case i <= 2:
			e.Game = 41
		case i == 5:
			e.Away = true
		case i == 6:
			e.Away, e.Idle = true, true
		}
		v.Entrants = append(v.Entrants, e)
	}
	return &fakeClub{me: 28, one: v}
}

func TestPictures(t *testing.T) {
	picture := func(c *fakeClub, id event.ID, name string) {
		e := pagetest.Env(t, nil)
		pagetest.Golden(t, e, pagetest.Drive(New(e, c, id)).Page, name)
	}
	picture(friday(), 3, "arena")
	picture(friday(), 0, "list")
	picture(&fakeClub{none: true}, 0, "none")
	guest := pagetest.Drive(New(pagetest.Env(t, nil), &fakeClub{none: true, me: -1}, 0))
	require.NotContains(t, guest.Lines(80, 20)[0], "press", "no key is named that a guest has not")
	picture(friday(), 9, "gone")
	idle := friday()
	idle.me = 6
	d := pagetest.Drive(New(pagetest.Env(t, nil), idle, 3))
	require.Contains(t, d.Lines(40, 12)[1], "You did not move. e joins again.")
}

// A member makes an arena on the page of all arenas.
func TestANewArena(t *testing.T) {
	c := friday()
	d := pagetest.Drive(New(pagetest.Env(t, nil), c, 0))
	d.Press("n")
	require.Equal(t, page.Target{Kind: page.NewArena}, pagetest.Take[page.GotoMsg](t, d).To)
}

// A guest reads who may join an arena, until it is over.
func TestGuests(t *testing.T) {
	c := friday()
	c.me = -3
	shown := func() string {
		return strings.Join(pagetest.Drive(New(pagetest.Env(t, nil), c, c.one.ID)).Lines(80, 20), "\n")
	}
	require.Contains(t, shown(), "Members can take part. To be one, make a key with ssh-keygen")
	c.one.Over = true
	require.NotContains(t, shown(), "Members can take part.")
}

// The chat of an event stands at the foot of its page, more of it while the reader talks.
func TestTalk(t *testing.T) {
	c := friday()
	for i, text := range []string{"who else waits for a game?",
		"me, since a minute: it seems that all the others play, and that nobody is left for me", "here", "good luck"} {
		c.Lines = append(c.Lines, lobby.Line{At: pagetest.Now.Add(time.Duration(i-9) * time.Minute), From: table.Player{Name: "ben"}, Text: text})
	}
	e := pagetest.Env(t, nil)
	d := pagetest.Drive(New(e, c, 3))
	pagetest.Golden(t, e, d.Page, "chat")
	d.Press("t")
	d.Type("hello")
	pagetest.Golden(t, e, d.Page, "talking")
	d.Press("enter")
	require.Equal(t, "hello", c.Lines[4].Text)
	require.Contains(t, strings.Join(d.Lines(80, 20), "\n"), "hello")
	c.Shut = lobby.ErrHushed
	d = pagetest.Drive(New(e, c, 3))
	d.Press("t")
	require.Equal(t, page.Complain(lobby.ErrHushed), pagetest.Take[page.Toast](t, d))
}

// The reader's own row is always on the screen.
func TestOwnRow(t *testing.T) {
	e := pagetest.Env(t, nil)
	d := pagetest.Drive(New(e, friday(), 3))
	shows := func() string { return strings.Join(d.Lines(80, 20), "\n") }
	require.Contains(t, shows(), "player28", "the cursor is at oneself")
	d.Press("home")
	require.Contains(t, shows(), "player1 ")
	require.Contains(t, shows(), "player28")
}

func TestKeys(t *testing.T) {
	c := friday()
	e := pagetest.Env(t, nil)
	d := pagetest.Drive(New(e, c, 3))
	d.Press("enter")
	require.Empty(t, d.Sent, "nobody plays there")
	d.Press("home", "enter")
	require.Equal(t, page.Target{Kind: page.Table, Table: 112}, pagetest.Take[page.GotoMsg](t, d).To)
	d.Press("W")
	require.Equal(t, page.Target{Kind: page.Wall, Event: 3}, pagetest.Take[page.GotoMsg](t, d).To)
	d.Press("e", "x")
	c.one.Of(c.Player().ID).Away = true
	d.Press("x", "e")
	require.Equal(t, []string{"leave 3", "enter 3"}, c.did)
	closed := friday()
	closed.one.Closed, closed.one.Of(c.Player().ID).Away = true, true
	pagetest.Drive(New(e, closed, 3)).Press("e")
	require.Empty(t, closed.did, "nobody is paired any more")
	planned := friday()
	planned.one.Begun, planned.one.Config.By = false, "me"
	c.one.Config.By = "me"
	pagetest.CallOff(t, pagetest.Drive(New(e, planned, 3)), d)
	require.Equal(t, []string{"off arena 3"}, planned.did)
	operator := friday()
	operator.operator = true
	running := pagetest.Drive(New(e, operator, 3))
	running.Press("X")
	running.Send(pagetest.Take[page.AskMsg](t, running).Then)
	require.Equal(t, "Ended.", pagetest.Take[page.Toast](t, running).Text)
	require.Equal(t, []string{"off arena 3"}, operator.did)
	operator.one.Closed = true
	running = pagetest.Drive(New(e, operator, 3))
	running.Press("X")
	require.Empty(t, running.Sent, "it has ended")
	list := pagetest.Drive(New(e, c, 0))
	list.Press("enter")
	require.Equal(t, page.Target{Kind: page.Arena, Event: 3}, pagetest.Take[page.GotoMsg](t, list).To)
}

// The time left is only redrawn when it reads differently.
// An arena that was called off is not one that was played.
func TestCalledOff(t *testing.T) {
	e, c := pagetest.Env(t, nil), friday()
	state := func() string { return strings.Join(pagetest.Drive(New(e, c, 0)).Lines(80, 20), "\n") }
	c.one.Over = true
	require.Contains(t, state(), " over ")
	require.NotContains(t, state(), "called off")
	c.one.Begun = false
	require.Contains(t, state(), "called off")
	require.Equal(t, "called off", plain.Arenas.Column("STATE").Cell(&c.one))
}

func TestTimeLeft(t *testing.T) {
	e := pagetest.Env(t, nil)
	p := pagetest.Drive(New(e, friday(), 3)).Page.(page.Clock)
	require.Equal(t, pagetest.Now.Add(time.Minute), p.NextTick(pagetest.Now))
	ends := pagetest.Now.Add(34 * time.Minute)
	require.Equal(t, ends.Add(-55*time.Second), p.NextTick(ends.Add(-time.Minute)))
	require.Zero(t, p.NextTick(ends))
}

func TestHostileText(t *testing.T) {
	for _, c := range texttest.Hostile() {
		club := friday()
		club.one.Config.Name = c.Text
		club.one.Entrants[0].Members[0].Name, club.one.Entrants[0].Members[0].Tag, club.one.Teams[0].Tag = c.Text, c.Text, c.Text
		e := pagetest.Env(t, nil)
		e.Theme = pagetest.Plain
		for _, id := range []event.ID{0, 3} {
			pagetest.CheckHostile(t, pagetest.Drive(New(e, club, id)).Page, c)
		}
	}
}

func TestMouse(t *testing.T) {
	e, c := pagetest.Env(t, nil), friday()
	c.one.Games[0].A, c.one.Games[0].B = 29, 30
	for i := range c.one.Entrants {
		c.one.Entrants[i].Game = 41
	}
	pagetest.Clicks(t, pagetest.Drive(New(e, c, 3)))
	c.more = 2
	pagetest.Clicks(t, pagetest.Drive(New(e, c, 0)))
}

// When an arena begins is not cut in the list.
func TestWhenOneBegins(t *testing.T) {
	c := friday()
	d := pagetest.Drive(New(pagetest.Env(t, nil), c, 0))
	for in, want := range map[time.Duration]string{
		44 * time.Minute: "in 44 min",
		3 * time.Hour:    "on 21 Nov 23:15 UTC",
	} {
		c.one.Begun, c.one.Begins = false, pagetest.Now.Add(in)
		d.Send(page.ClubUpdateMsg{})
		for _, w := range []int{80, 60, 40} {
			require.Contains(t, strings.Join(d.Lines(w, 20), "\n"), want)
		}
	}
}

// Time passes in the list, too, even if nothing else happens in the club.
func TestTimePassesInTheList(t *testing.T) {
	e, c := pagetest.Env(t, nil), friday()
	c.one.Begun, c.one.Begins = false, pagetest.Now.Add(44*time.Minute)
	d := pagetest.Drive(New(e, c, 0))
	next := d.Page.(page.Clock).NextTick(pagetest.Now)
	require.Equal(t, pagetest.Now.Add(time.Minute), next)
	e.Now = func() time.Time { return next }
	d.Send(page.TickMsg{Now: next})
	require.Contains(t, d.Lines(80, 20)[0], "in 43 min")
}

// Before an arena begins, its page says when, for how long, and what happens then.
func TestBeforeItBegins(t *testing.T) {
	c := friday()
	c.one.Begun, c.one.Played, c.one.Begins = false, 0, pagetest.Now.Add(4*time.Minute)
	shown := strings.Join(pagetest.Drive(New(pagetest.Env(t, nil), c, 3)).Lines(80, 20), "\n")
	require.Contains(t, shown, "begins in 4 min")
	require.Contains(t, shown, "From 20:19 to 20:49 UTC everybody who is free gets a game")
	require.NotContains(t, shown, "so far")
	shown = strings.Join(pagetest.Drive(New(pagetest.Env(t, nil), c, 3)).Lines(40, 10), "\n")
	require.Contains(t, shown, "opens by")
	require.NotContains(t, shown, "A win scores", "the players need the room")
}

// At 80 columns the longest name of a player with a tag is whole, and beside pairs stands where they play.
func TestLongNames(t *testing.T) {
	c := friday()
	c.one.Entrants[0].Members[0].Name, c.one.Entrants[0].Members[0].Tag = "Maximiliana-Theo", "BONES"
	shown := func() string {
		return ansi.Strip(strings.Join(pagetest.Drive(New(pagetest.Env(t, nil), c, 3)).Lines(80, 40), "\n"))
	}
	require.Regexp(t, `1  BONES Maximiliana-Theo +39 .* table 112: player2`, shown())
	c.one.Config.Pairs = true
	for i := range c.one.Entrants {
		of := &c.one.Entrants[i].Members
		*of = append(*of, table.Player{ID: table.PlayerID(100 + i), Name: "Alexandrina_York"})
	}
	require.Regexp(t, `1  BONES Maximiliana-Theo \+ Ale\S+ +39 .* table 112`, shown())
	require.Contains(t, strings.Join(pagetest.Drive(New(pagetest.Env(t, nil), c, 0)).Lines(100, 20), "\n"), "30 pairs")
}
