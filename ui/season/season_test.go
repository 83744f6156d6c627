package season

import (
	"context"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"boneyard/lobby"
	"boneyard/lobby/event"
	"boneyard/lobby/event/arena"
	"boneyard/lobby/event/daily"
	"boneyard/lobby/event/league"
	"boneyard/lobby/event/season"
	"boneyard/table"
	"boneyard/ui/page"
	"boneyard/ui/page/pagetest"
	"boneyard/ui/plain"
)

// fakeClub is a club in whose season some people have points: in the month of the test's clock.
type fakeClub struct {
	empty, wide bool
	fault       *error // of the store
}

// wide is a name of 32 columns, as wide as any.
func wide(i int) string { return strings.Repeat("W", 30) + fmt.Sprintf("%02d", i) }

func (fakeClub) Player() table.Player { return table.Player{ID: 3, Name: "cleo", Team: 2} }

func (c fakeClub) Season(_ context.Context, month string, teams bool) (rows []season.Row, err error) {
	if c.fault != nil && *c.fault != nil {
		return nil, *c.fault
	}
	if c.empty || month != season.Month(pagetest.Now) {
		return nil, nil
	}
	for i := range 30 {
		r := season.Row{Place: i + 1, Player: table.PlayerID(i + 1), Name: fmt.Sprint("player", i+1), Points: 200 - 5*i, Events: 20 - i/2,
			Won: 8 - i/4}
		if c.wide {
			r.Name = wide(i + 1)
		}
		if teams {
			if i > 3 {
				break
			}
			r.Player, r.Team, r.Name = 0, table.TeamID(i+1), fmt.Sprintf("[T%d] Team number %d", i+1, i+1)
		}
		rows = append(rows, r)
	}
	return rows, nil
}

func (c fakeClub) PastEvents(context.Context, table.PlayerID, table.TeamID) ([]season.Past, error) {
	if c.empty {
		return nil, nil
	}
	places := func(names ...string) (all []event.Placing) {
		for i, n := range names {
			all = append(all, event.Placing{Place: i + 1, Name: n})
		}
		return all
	}
	if c.wide {
		var all []season.Past
		for i := range 24 {
			all = append(all, season.Past{
				Outcome: event.Outcome{Event: event.ID(i + 1), Kind: arena.Kind, Title: fmt.Sprintf("Arena %d, %s", i+1, wide(i)), At: pagetest.Now},
				Podium:  places(wide(1), wide(2), wide(3)),
			})
		}
		return all, nil
	}
	shared := places("ana", "ben", "cleo")
	shared[1].Place = 1
	return []season.Past{
		{Outcome: event.Outcome{Event: 9, Kind: arena.Kind, Title: "Arena 9, Friday night", At: pagetest.Now},
			Podium: places("ana", "ben", "cleo")},
		{Outcome: event.Outcome{Event: 8, Kind: daily.Kind, Key: "2026-11-20", Title: "Daily deal of 20 Nov", At: pagetest.Now.Add(-time.Hour)},
			Podium: shared},
		{Outcome: event.Outcome{Event: 2, Kind: league.Kind, Title: "Winter league", At: pagetest.Now.Add(-50 * time.Hour)},
			Podium: places("[BNS] The Bones", "[CAT] Alley Cats")},
	}, nil
}

func TestPictures(t *testing.T) {
	e := pagetest.Env(t, nil)
	d := pagetest.Drive(New(e, fakeClub{}, page.Target{}))
	pagetest.Golden(t, e, d.Page, "players", pagetest.Large)
	d.Click(12, 0)
	pagetest.Golden(t, e, d.Page, "teams")
	d.Press("right")
	pagetest.Golden(t, e, d.Page, "past", pagetest.Large)
	pagetest.Golden(t, e, pagetest.Drive(New(e, fakeClub{empty: true}, page.Target{})).Page, "none")
	d = pagetest.Drive(New(e, fakeClub{wide: true}, page.Target{}))
	pagetest.Golden(t, e, d.Page, "wide-players")
	d.Press("left")
	pagetest.Golden(t, e, d.Page, "wide-past")
}

// Enter opens the chosen person or event; m goes to earlier months and M back, from a year ago to the present
// month.
func TestKeys(t *testing.T) {
	e := pagetest.Env(t, nil)
	d := pagetest.Drive(New(e, fakeClub{}, page.Target{}))
	d.Lines(80, 24)
	leads := func(want page.Target) {
		t.Helper()
		d.Press("enter")
		require.Equal(t, want, pagetest.Take[page.GotoMsg](t, d).To)
	}
	leads(page.Target{Kind: page.Person, Name: "player1"})
	d.Press("M") // there is no later month
	leads(page.Target{Kind: page.Person, Name: "player1"})
	d.Press("m")
	d.Press("enter") // nobody has points there
	for range 14 {
		d.Press("m") // to the first month that is known
	}
	for range 11 {
		d.Press("M")
	}
	d.Press("enter") // nobody has points there either
	d.Press("M", "right")
	leads(page.Target{Kind: page.TeamPage, Team: 1})
	d.Press("right")
	leads(page.Target{Kind: page.Arena, Event: 9})
	d.Press("down")
	leads(page.Target{Kind: page.Daily, Day: "2026-11-20"})
	d.Press("down")
	leads(page.Target{Kind: page.Contest, Event: 2})
}

// What cannot be read is not said to be empty, and what was read stays, with the chosen row.
func TestTrouble(t *testing.T) {
	e, fault := pagetest.Env(t, nil), error(lobby.ErrTrouble)
	d := pagetest.Drive(New(e, fakeClub{fault: &fault}, page.Target{}))
	body := func() string { return strings.Join(d.Lines(80, 20), "\n") }
	require.Equal(t, page.Complain(fault), pagetest.Take[page.Toast](t, d))
	require.NotContains(t, body(), plain.SeasonRows.None)
	fault = nil
	d.Press("r", "down")
	require.Contains(t, body(), "player2")
	chosen := body()
	fault = lobby.ErrTrouble
	d.Send(page.ClubUpdateMsg{})
	require.Equal(t, chosen, body())
	fault = nil
	d.Send(page.ClubUpdateMsg{})
	require.Equal(t, chosen, body())
}

// After another page, or at another node, the season shows the table and the month that it showed.
func TestComesBackAsItWasLeft(t *testing.T) {
	e := pagetest.Env(t, nil)
	d := pagetest.Drive(New(e, fakeClub{}, page.Target{}))
	d.Press("right", "m")
	again := New(e, fakeClub{}, d.Page.Chrome().Reopen)
	require.Equal(t, teams, again.table)
	require.Equal(t, "2026-10", season.Month(again.month))
}
