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
	"boneyard/lobby/event/arena"
	"boneyard/lobby/event/duplicate"
	"boneyard/lobby/event/field"
	"boneyard/lobby/event/season"
	"boneyard/lobby/text/texttest"
	"boneyard/table"
	"boneyard/ui/page"
	"boneyard/ui/page/pagetest"
)

// fakeClub is a club with some matches.
type fakeClub struct {
	pagetest.Talk
	me  table.Player
	all []duplicate.View
	did []string

	arenas []field.View
}

func (c *fakeClub) MayCallOff(by string) bool { return by == c.me.Name }
func (c *fakeClub) CallOff(_ context.Context, kind event.Kind, id event.ID) error {
	c.did = append(c.did, fmt.Sprint("off ", kind, " ", id))
	return nil
}
func (c *fakeClub) Player() table.Player { return c.me }
func (c *fakeClub) Duplicates() (running []duplicate.View) {
	for _, d := range c.all {
		if !d.Over {
			running = append(running, d)
		}
	}
	return running
}
func (c *fakeClub) Duplicate(_ context.Context, id event.ID) (*duplicate.View, error) {
	for i := range c.all {
		if c.all[i].ID == id {
			return &c.all[i], nil
		}
	}
	return nil, duplicate.ErrNone
}
func (c *fakeClub) NewDuplicate(_ context.Context, cfg duplicate.Config) (event.ID, error) {
	c.did = append(c.did, fmt.Sprint("new ", cfg.Rules, " ", cfg.Pace, " ", cfg.Name))
	return 7, nil
}
func (c *fakeClub) EnterDuplicate(_ context.Context, id event.ID, team duplicate.Team) error {
	c.did = append(c.did, fmt.Sprint("enter ", id, team))
	return nil
}
func (c *fakeClub) LeaveEvent(_ context.Context, _ event.Kind, id event.ID) error {
	c.did = append(c.did, fmt.Sprint("leave ", id))
	return nil
}
func (c *fakeClub) StartDuplicate(_ context.Context, id event.ID) error {
	c.did = append(c.did, fmt.Sprint("start ", id))
	return nil
}

func (c *fakeClub) Fields() (running []field.View) {
	for _, f := range c.arenas {
		if !f.Over {
			running = append(running, f)
		}
	}
	return running
}
func (c *fakeClub) EventsNow() time.Time { return pagetest.Now }
func (c *fakeClub) NewField(_ context.Context, cfg field.Config, begins time.Time) (event.ID, error) {
	c.did = append(c.did, fmt.Sprint("arena ", cfg.Rules, " ", cfg.Pace, " ", cfg.Name, " in ", begins.Sub(pagetest.Now)))
	return 12, nil
}

func people(names ...string) (all []table.Player) {
	for _, n := range names {
		all = append(all, table.Player{ID: table.PlayerID(n[0] - 'a' + 1), Name: n})
	}
	return all
}

func ended(kind event.Kind, id event.ID, title string, ago time.Duration, podium ...event.Placing) season.Past {
	return season.Past{Outcome: event.Outcome{Kind: kind, Event: id, Title: title, At: pagetest.Now.Add(-ago)}, Podium: podium}
}

// friday is a club with a match that waits for players, one in play and one that is over. The reader is the third player of team B in the
// last two, and so in seats 2 and 4 at table 1.
func friday() *fakeClub {
	cfg := duplicate.Config{Name: "Friday four", Rules: "classic teams=on rounds=12 next=lead", Pace: table.PaceNormal, By: "ana"}
	teams := [2][]table.Player{people("ana", "ben", "cem", "dora"), people("eva", "finn", "gil", "hana")}
	played := duplicate.View{Head: event.Head{ID: 5, At: map[int64]table.ID{1: 112}}, Config: cfg, Teams: teams, Ended: [2]bool{false, true},
		Final: duplicate.Final{Begun: true}}
	over := duplicate.View{
		Head: event.Head{ID: 3}, Config: cfg, Teams: teams, Over: true, Ended: [2]bool{true, true}, Seed: "c0ffee",
		Games: [2]duplicate.Game{{Game: 41, Scores: [2]int{190, 131}, Ending: table.EndPlayed, Winner: 1},
			{Game: 42, Scores: [2]int{150, 139}, Ending: table.EndPlayed, Winner: 1}},
		Final: duplicate.Final{Begun: true, Played: true, Margin: 48, Winner: duplicate.A},
	}
	over.Rounds = [][2]int{{15, -5}, {20, 20}, {-7, 9}, {0, 12}, {31, 2}, {-11, -11}, {8, -16}, {4, 4}, {-20, 5}, {9, -9}, {5, 0}, {5, 0}}
	gathering := duplicate.View{Head: event.Head{ID: 6},
		Config: duplicate.Config{Rules: "spruce teams=on rounds=6 next=lead", Pace: table.PaceFast, By: "gil"},
		Teams:  [2][]table.Player{people("ana", "ben", "cem", "dora"), people("eva")}}
	return &fakeClub{
		me:  table.Player{ID: 7, Name: "gil"},
		all: []duplicate.View{over, played, gathering},
		Talk: pagetest.Talk{Over: []season.Past{
			ended(duplicate.Kind, 3, "Duplicate match 3, Friday four", 0, event.Placing{Place: 1, Name: "ana"},
				event.Placing{Place: 1, Name: "ben"}),
			ended(arena.Kind, 4, "Arena 4", time.Hour),
			ended(field.Kind, 2, "Duplicate arena 2", 24*time.Hour, event.Placing{Place: 1, Name: "cem + dora"},
				event.Placing{Place: 2, Name: "eva + gil"}),
		}},
	}
}

func TestPictures(t *testing.T) {
	picture := func(c *fakeClub, id event.ID, name string) {
		e := pagetest.Env(t, nil)
		pagetest.Golden(t, e, pagetest.Drive(New(e, c, id)).Page, name)
	}
	for id, name := range map[event.ID]string{0: "list", 3: "over", 5: "playing", 6: "gathering", 9: "gone"} {
		picture(friday(), id, name)
	}
	picture(&fakeClub{}, 0, "none")
	guest := pagetest.Drive(New(pagetest.Env(t, nil), &fakeClub{me: table.Player{ID: -1}}, 0))
	require.NotContains(t, strings.Join(guest.Lines(80, 20), ""), "press", "no key is named that a guest has not")
	looking := friday()
	looking.me = table.Player{ID: 99, Name: "zoe"}
	picture(looking, 3, "watcher")
}

// Players see their own pair compared with the one that had the same hands, and team A's gain is team B's loss.
func TestWhoseHands(t *testing.T) {
	for player, want := range map[table.PlayerID]string{
		1: "1       +15        -5       +20", // A, seats 1+3 at table 1
		3: "1        +5       -15       +20", // A, seats 2+4 at table 2
		5: "1        -5       +15       -20", // B, seats 1+3 at table 2
		7: "1       -15        +5       -20", // B, seats 2+4 at table 1
	} {
		c := friday()
		c.me.ID = player
		e := pagetest.Env(t, nil)
		e.Theme = pagetest.Plain
		require.Contains(t, strings.Join(pagetest.Drive(New(e, c, 3)).Lines(80, 40), "\n"), want, "player %d", player)
	}
}

func TestKeys(t *testing.T) {
	c := friday()
	e := pagetest.Env(t, nil)
	over := pagetest.Drive(New(e, c, 3))
	over.Press("f")
	require.Equal(t, page.Target{Kind: page.Replay, Game: 41}, pagetest.Take[page.GotoMsg](t, over).To)
	over.Press("s")
	require.Equal(t, page.Target{Kind: page.Replay, Game: 42}, pagetest.Take[page.GotoMsg](t, over).To)
	playing := pagetest.Drive(New(e, c, 5))
	playing.Press("a", "b", "x", "s", "f")
	require.Empty(t, playing.Sent)
	playing.Press("enter")
	require.Equal(t, page.Target{Kind: page.Table, Table: 112}, pagetest.Take[page.GotoMsg](t, playing).To)
	gathering := pagetest.Drive(New(e, c, 6))
	gathering.Press("x", "a", "b", "s")
	require.Equal(t, []string{"enter 6 B", "start 6"}, c.did, "team A is full, and who is in no team leaves none")
	c.all[2].Teams[1] = nil
	lonely := pagetest.Drive(New(e, c, 6))
	lonely.Press("s")
	require.Len(t, c.did, 2, "team B has nobody yet")
	require.Contains(t, strings.Join(lonely.Lines(120, 40), "\n"), "once each team has a player, gil can start it")
	c.me, c.did = table.Player{ID: 1, Name: "ana"}, nil
	gathering.Press("a", "b", "s", "x")
	require.Equal(t, []string{"leave 6"}, c.did, "another made it")

	c.me, c.did = table.Player{ID: 9, Name: c.all[slices.IndexFunc(c.all, func(d duplicate.View) bool { return d.ID == 6 })].By}, nil
	pagetest.CallOff(t, pagetest.Drive(New(e, c, 6)), pagetest.Drive(New(e, c, 5)))
	require.Equal(t, []string{"off duplicate 6"}, c.did)

	c.did = nil
	list := pagetest.Drive(New(e, c, 0))
	list.Press("down", "enter")
	require.Equal(t, page.Target{Kind: page.Duplicate, Event: 6}, pagetest.Take[page.GotoMsg](t, list).To)
	list.Press("n")
	list.Type("block rounds=6 pace=fast name=Sunday tea")
	list.Press("enter")
	require.Equal(t, []string{"new block rounds=6 fast Sunday tea"}, c.did)
	require.Equal(t, page.Target{Kind: page.Duplicate, Event: 7}, pagetest.Take[page.GotoMsg](t, list).To)
	list.Press("N")
	list.Type("in=30 classic rounds=6 pace=fast name=Sunday")
	list.Press("enter")
	require.Equal(t, "arena classic rounds=6 fast Sunday in 30m0s", c.did[1])
	require.Equal(t, page.Target{Kind: page.Field, Event: 12}, pagetest.Take[page.GotoMsg](t, list).To)
	c.did = c.did[:1]
	list.Press("n")
	list.Type("chess")
	list.Press("enter")
	require.Len(t, c.did, 1)
	require.Contains(t, pagetest.Take[page.Toast](t, list).Text, "chess")
}

// On a small screen all rounds can be scrolled to, and the page does not scroll past the last.
func TestScroll(t *testing.T) {
	e := pagetest.Env(t, nil)
	d := pagetest.Drive(New(e, friday(), 3))
	shows := func() string { return strings.Join(d.Lines(40, 9), "\n") }
	require.Contains(t, shows(), "Table 1")
	require.NotContains(t, shows(), "all")
	d.Press("end")
	last := shows()
	require.Contains(t, last, " all ")
	d.Press("down", "pgdown")
	require.Equal(t, last, shows())
	d.Press("home")
	require.Contains(t, shows(), "Table 1")
}

func TestHostileText(t *testing.T) {
	for _, c := range texttest.Hostile() {
		club := friday()
		for _, d := range club.all {
			d.Name, d.By = c.Text, c.Text
			d.Teams[0][0].Name = c.Text
		}
		club.Over[0].Title, club.Over[0].Podium[0].Name = c.Text, c.Text
		e := pagetest.Env(t, nil)
		e.Theme = pagetest.Plain
		for _, id := range []event.ID{0, 3, 5, 6} {
			pagetest.CheckHostile(t, pagetest.Drive(New(e, club, id)).Page, c)
		}
	}
}

func TestMouse(t *testing.T) {
	e := pagetest.Env(t, nil)
	pagetest.Clicks(t, pagetest.Drive(New(e, arenas(), 0)))
	pagetest.Clicks(t, pagetest.Drive(NewField(e, arenas(), 13)))
}
