package calendar

import (
	"context"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/charmbracelet/x/ansi"
	"github.com/stretchr/testify/require"

	"boneyard/lobby"
	"boneyard/lobby/event"
	"boneyard/lobby/event/arena"
	"boneyard/lobby/event/challenge"
	"boneyard/lobby/event/cup"
	"boneyard/lobby/event/daily"
	"boneyard/lobby/event/league"
	"boneyard/lobby/text/texttest"
	"boneyard/ui/page"
	"boneyard/ui/page/pagetest"
)

type fakeClub []event.Appointment

func (c fakeClub) EndChallenge(_ context.Context, id event.ID) error {
	if id != 5 {
		return challenge.ErrNone
	}
	return nil
}

func (c fakeClub) Calendar() []event.Appointment { return c }

func (c fakeClub) Settings() lobby.Settings { return lobby.Settings{} }

func (c fakeClub) SaveSettings(context.Context, lobby.Settings) error { return nil }

func november() fakeClub {
	at := func(d time.Duration) time.Time { return pagetest.Now.Add(d) }
	c := fakeClub{
		{Key: "daily", Kind: daily.Kind, Begins: at(-12 * time.Hour), Ends: at(12 * time.Hour), Title: "Daily deal"},
		{Key: "arena-7", Kind: arena.Kind, Event: 7, Begins: at(3 * time.Hour), Ends: at(4 * time.Hour), Title: "Arena 7, Friday night"},
		{Key: "league-3-match-8", Kind: league.Kind, Event: 3, Begins: at(27 * time.Hour), Ends: at(28 * time.Hour),
			Title: "Winter league: your team plays Alley Cats", Own: true},
		{Key: "cup-4-round-2", Kind: cup.Kind, Event: 4, Begins: at(140 * time.Hour), Ends: at(140 * time.Hour),
			Title: "Winter cup: end of the semifinals"},
	}
	for i := range 30 {
		c = append(c, event.Appointment{Key: fmt.Sprint("arena-", 10+i), Kind: arena.Kind, Event: 10,
			Begins: at(time.Duration(150+24*i) * time.Hour), Ends: at(time.Duration(151+24*i) * time.Hour), Title: fmt.Sprint("Arena ", 10+i)})
	}
	return c
}

func TestPictures(t *testing.T) {
	e := pagetest.Env(t, nil)
	pagetest.Golden(t, e, pagetest.Drive(New(e, november())).Page, "calendar", pagetest.Large)
	pagetest.Golden(t, e, pagetest.Drive(New(e, fakeClub{})).Page, "none")
}

// The command for one's own calendar can be read whole at every width.
func TestTheCommandIsWhole(t *testing.T) {
	e := pagetest.Env(t, nil)
	for w := page.MinWidth; w < 100; w++ {
		said := strings.Join(strings.Fields(ansi.Strip(strings.Join(pagetest.Drive(New(e, november())).Lines(w, 20), " "))), " ")
		require.Contains(t, said, "ssh "+e.Address+" calendar > boneyard.ics", w)
	}
}

func TestKeys(t *testing.T) {
	e := pagetest.Env(t, nil)
	d := pagetest.Drive(New(e, november()))
	d.Lines(80, 24)
	for _, want := range []page.Target{{Kind: page.Daily}, {Kind: page.Arena, Event: 7}, {Kind: page.Contest, Event: 3},
		{Kind: page.Contest, Event: 4}} {
		d.Press("enter")
		require.Equal(t, want, pagetest.Take[page.GotoMsg](t, d).To)
		d.Press("down")
	}
	challenged := pagetest.Drive(New(e, fakeClub{{Key: "challenge-5", Kind: challenge.Kind, Event: 5, Begins: pagetest.Now.Add(time.Hour)}}))
	challenged.Press("enter")
	require.Empty(t, challenged.Sent, "a challenge has no page")
	challenged.Press("X")
	challenged.Send(pagetest.Take[page.AskMsg](t, challenged).Then)
	require.Equal(t, "That challenge is off.", pagetest.Take[page.Toast](t, challenged).Text)
	none := pagetest.Drive(New(e, fakeClub{}))
	none.Press("enter")
	require.Empty(t, none.Sent)
}

func TestHostileText(t *testing.T) {
	for _, h := range texttest.Hostile() {
		c := november()
		c[1].Title = h.Text
		e := pagetest.Env(t, nil)
		e.Theme = pagetest.Plain
		pagetest.CheckHostile(t, pagetest.Drive(New(e, c)).Page, h)
	}
}

func TestMouse(t *testing.T) {
	pagetest.Clicks(t, pagetest.Drive(New(pagetest.Env(t, nil), november())))
}
