package duplicate

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"boneyard/lobby/event"
	"boneyard/lobby/event/field"
	"boneyard/lobby/text/texttest"
	"boneyard/table"
	"boneyard/ui/page"
	"boneyard/ui/page/pagetest"
)

func (c *fakeClub) Field(_ context.Context, id event.ID) (*field.View, error) {
	for i := range c.arenas {
		if c.arenas[i].ID == id {
			return &c.arenas[i], nil
		}
	}
	return nil, field.ErrNone
}
func (c *fakeClub) EnterEvent(_ context.Context, _ event.Kind, id event.ID, partner string) error {
	c.did = append(c.did, strings.TrimSpace(fmt.Sprint("enter ", id, " ", partner)))
	return nil
}

// arenas is a club with a duplicate arena that is planned, one that is played and one that is over.
func arenas() *fakeClub {
	all := people("ana", "ben", "cem", "dora", "eva", "finn")
	var entrants []field.Entrant
	for _, p := range all {
		entrants = append(entrants, field.Entrant{Members: []table.Player{p}})
	}
	cfg := field.Config{Name: "Sunday", Rules: "classic rounds=3 next=lead", Pace: table.PaceNormal, By: "ana"}
	tables := []field.Table{{Seats: []table.Player{all[0], all[1]}, Ended: true}, {Seats: []table.Player{all[2], all[3]}},
		{Seats: []table.Player{all[4], all[5]}}}
	over := field.View{
		Head: event.Head{ID: 8}, Rounds: [][]int{{15, 0, 5}, {-5, -10, 10}, nil}, Config: cfg, Begins: pagetest.Now.Add(-2 * time.Hour),
		Begun: true, Over: true, Entrants: entrants, Tables: tables, Seed: "c0ffee",
		Games: []field.Game{game(51), game(52), {}},
		Final: field.Final{Begun: true, Tables: 2, Places: []field.Place{
			{Player: 1, Name: "ana", Table: 1, Seat: 1, Points: 20, Over: 25, Rank: 1, State: field.Compared},
			{Player: 4, Name: "dora", Table: 2, Seat: 2, Points: 5, Over: 25, Rank: 1, State: field.Compared},
			{Player: 3, Name: "cem", Table: 2, Seat: 1, Points: -5, Over: -25, Rank: 3, State: field.Compared},
			{Player: 2, Name: "ben", Table: 1, Seat: 2, Points: -20, Over: -25, Rank: 3, State: field.Compared},
			{Player: 5, Name: "eva", Table: 3, Seat: 1, State: field.Absent}, {Player: 6, Name: "finn", Table: 3, Seat: 2, State: field.Absent},
		}},
	}
	pairs := cfg
	pairs.Name, pairs.Rules, pairs.Pairs = "Pairs", "block rounds=3 next=lead", true
	couples := []field.Entrant{{Members: all[:2]}, {Members: all[2:4]}}
	overPairs := field.View{
		Head: event.Head{ID: 13}, Rounds: [][]int{{15, 0, 5}, {-5, -10, 5}}, Config: pairs, Begins: pagetest.Now.Add(-2 * time.Hour), Begun: true,
		Over: true, Entrants: couples, Seed: "c0ffee",
		Tables: []field.Table{{Seats: []table.Player{all[0], {}, all[1], {}}, Ended: true},
			{Seats: []table.Player{all[2], {}, all[3], {}}, Ended: true}},
		Games: []field.Game{game(61), game(62)},
		Final: field.Final{Begun: true, Tables: 2, Places: []field.Place{
			{Player: 1, Partner: 2, Name: "ana + ben", Table: 1, Seat: 1, Points: 20, Over: 30, Rank: 1, State: field.Compared},
			{Player: 3, Partner: 4, Name: "cem + dora", Table: 2, Seat: 1, Points: -10, Over: -30, Rank: 2, State: field.Compared},
		}},
	}
	c := friday()
	c.me = all[2]
	c.arenas = []field.View{
		over,
		{Head: event.Head{ID: 9, At: map[int64]table.ID{2: 112, 3: 113}}, Config: cfg, Begins: pagetest.Now.Add(-time.Hour), Begun: true,
			Entrants: entrants, Tables: tables},
		{Head: event.Head{ID: 10}, Config: cfg, Begins: pagetest.Now.Add(time.Hour), Entrants: entrants[:2]},
		overPairs,
		{Head: event.Head{ID: 14}, Config: pairs, Begins: pagetest.Now.Add(time.Hour), Entrants: couples[:1]},
	}
	return c
}

func TestFieldPictures(t *testing.T) {
	for id, name := range map[event.ID]string{8: "field-over", 9: "field-playing", 10: "field-planned", 11: "field-gone", 13: "pairs-over",
		14: "pairs-planned"} {
		e := pagetest.Env(t, nil)
		pagetest.Golden(t, e, pagetest.Drive(NewField(e, arenas(), id)).Page, name)
	}
	e := pagetest.Env(t, nil)
	pagetest.Golden(t, e, pagetest.Drive(New(e, arenas(), 0)).Page, "list-arenas")
	naming := pagetest.Drive(NewField(e, arenas(), 14))
	naming.Press("e")
	pagetest.Golden(t, e, naming.Page, "pairs-naming")
}

func TestFieldKeys(t *testing.T) {
	c := arenas()
	e := pagetest.Env(t, nil)
	over := pagetest.Drive(NewField(e, c, 8))
	over.Press("enter")
	require.Equal(t, page.Target{Kind: page.Replay, Game: 52}, pagetest.Take[page.GotoMsg](t, over).To, "one's own row is chosen")
	over.Press("home", "enter")
	require.Equal(t, page.Target{Kind: page.Replay, Game: 51}, pagetest.Take[page.GotoMsg](t, over).To)
	over.Press("end", "enter", "e", "x")
	require.Empty(t, over.Sent, "that game was not played")
	playing := pagetest.Drive(NewField(e, c, 9))
	playing.Press("e", "x", "enter")
	require.Equal(t, page.Target{Kind: page.Table, Table: 112}, pagetest.Take[page.GotoMsg](t, playing).To)
	planned := pagetest.Drive(NewField(e, c, 10))
	planned.Press("x", "e")
	c.me.ID = 1
	planned.Press("e", "x")
	require.Equal(t, []string{"enter 10", "leave 10"}, c.did)
	c.me, c.did = table.Player{ID: 4, Name: "dora"}, nil
	pairs := pagetest.Drive(NewField(e, c, 14))
	pairs.Press("e", "enter", "e")
	pairs.Type("cem")
	pairs.Press("enter")
	require.Equal(t, []string{"enter 14 cem"}, c.did, "a partner has a name")
	done := pagetest.Drive(NewField(e, c, 13))
	done.Press("enter")
	require.Equal(t, page.Target{Kind: page.Replay, Game: 62}, pagetest.Take[page.GotoMsg](t, done).To, "either partner's row is theirs")
	c.me, c.did = table.Player{ID: 9, Name: c.arenas[slices.IndexFunc(c.arenas, func(f field.View) bool { return f.ID == 10 })].Config.By}, nil
	pagetest.CallOff(t, pagetest.Drive(NewField(e, c, 10)), pagetest.Drive(NewField(e, c, 9)))
	require.Equal(t, []string{"off field 10"}, c.did)
	list := pagetest.Drive(New(e, c, 0))
	list.Press("down", "down", "enter")
	require.Equal(t, page.Target{Kind: page.Field, Event: 9}, pagetest.Take[page.GotoMsg](t, list).To)
}

// All who take part, and what it is, can be read before it begins.
func TestAFieldOfMany(t *testing.T) {
	c := arenas()
	f := &c.arenas[2]
	for i := range 300 {
		f.Entrants = append(f.Entrants, field.Entrant{Members: []table.Player{{ID: table.PlayerID(100 + i), Name: fmt.Sprint("player-", i)}}})
	}
	d := pagetest.Drive(NewField(pagetest.Env(t, nil), c, f.ID))
	d.Lines(80, 20)
	d.Press("end")
	require.Contains(t, strings.Join(d.Lines(80, 20), "\n"), "had the same hands.")
}

func TestFieldWithHostileText(t *testing.T) {
	for _, x := range texttest.Hostile() {
		club := arenas()
		for _, f := range club.arenas {
			f.Config.Name, f.Config.By, f.Entrants[0].Members[0].Name = x.Text, x.Text, x.Text
			for i := range f.Final.Places {
				f.Final.Places[i].Name = x.Text
			}
		}
		e := pagetest.Env(t, nil)
		e.Theme = pagetest.Plain
		for _, id := range []event.ID{8, 9, 10, 13, 14} {
			pagetest.CheckHostile(t, pagetest.Drive(NewField(e, club, id)).Page, x)
		}
		pagetest.CheckHostile(t, pagetest.Drive(New(e, club, 0)).Page, x)
	}
}

func game(id table.GameID) field.Game { return field.Game{Result: event.Result{Game: id}} }
