package person_test

import (
	"context"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/charmbracelet/x/ansi"
	"github.com/stretchr/testify/require"

	"boneyard/lobby"
	"boneyard/lobby/text"
	"boneyard/lobby/text/texttest"
	"boneyard/rules/coach"
	"boneyard/table"
	"boneyard/ui/page"
	"boneyard/ui/page/clubtest"
	"boneyard/ui/page/pagetest"
	"boneyard/ui/person"
)

// evening is a club in which ana looks at the page of ben, who has played.
func evening(t *testing.T) (c *clubtest.Club, ana, ben *lobby.Visit) {
	c = clubtest.Open(t)
	ana, ben = c.Come("ana"), c.Come("ben")
	c.Store.Table = func(lobby.StandingsQuery) []lobby.Standing {
		return []lobby.Standing{
			{ID: int64(ben.Player().ID), Rank: 2, Rating: 1578, Provisional: true, Games: 5, Won: 3, Lost: 2, History: []int{1500, 1540, 1578}},
		}
	}
	ctx := context.Background()
	_, err := ben.CreateTeam(ctx, "Night Owls", "OWL")
	require.NoError(t, err)
	for i, seats := range [][]table.Player{{ana.Player(), ben.Player()}, {ana.Player(), ben.Player()}, {ben.Player(), {Name: "nora.bot"}}} {
		start := table.Start{Rules: "classic", Seats: seats}
		end := table.Result{Ending: table.EndPlayed, Winner: 1 + i%2, Scores: []int{200, 100 + i}}
		c.Store.AddGame(t, time.Now(), start, &end, "x")
	}
	return c, ana, ben
}

func open(t *testing.T, v *lobby.Visit, name string) *pagetest.Driver {
	return pagetest.Drive(person.New(pagetest.Env(t, v), page.Target{Kind: page.Person, Name: name}))
}

func body(d *pagetest.Driver, w, h int) string {
	return ansi.Strip(strings.Join(d.Lines(w, h), "\n"))
}

func TestScreens(t *testing.T) {
	_, ana, _ := evening(t)
	e := pagetest.Env(t, ana)
	games := []lobby.GameInfo{
		{ID: 9, Rules: "classic", Seats: []string{"ben", "ana"}, Scores: []int{205, 160}, Winner: 1, Finished: true},
		{ID: 7, Rules: "block target=50", Seats: []string{"ana", "ben", "cleopatra", "dora"}, Scores: []int{55, 20}, Winner: 1, Finished: true},
		{ID: 4, Rules: "sniff", Seats: []string{"ben", "nora.bot"}, Scores: []int{30, 10}, Ending: table.EndAbandoned, Finished: true},
	}
	for i := range games {
		games[i].Started = pagetest.Now.AddDate(0, 0, -i)
	}
	pagetest.Golden(t, e, person.Showing(e, &lobby.Profile{
		Shield: true,
		ID:     2, Name: "ben", Member: pagetest.Now.AddDate(0, -3, 0), Team: &lobby.Team{ID: 1, Name: "Night Owls", Tag: "OWL"},
		Here:     &lobby.Person{Doing: "plays at 12", Table: 12},
		Standing: &lobby.Standing{Rank: 2, Rating: 1578, Games: 12, Won: 7, Lost: 5, History: []int{1500, 1540, 1510, 1530, 1578}},
		Games:    games, Versus: &lobby.Versus{Won: 2, Lost: 1},
	}), "ben")
	pagetest.Golden(t, e, person.Showing(e, &lobby.Profile{Name: "cleopatra", Member: pagetest.Now}), "new")
}

func TestWhatIsTold(t *testing.T) {
	c, ana, ben := evening(t)
	d := open(t, ana, "ben")
	shown := body(d, 80, 20)
	for _, want := range []string{
		"here now, in the lobby", "plays for [OWL] Night Owls", "rating 1578 (provisional) · rank 2 · 3 won · 2 lost", "1500 ▁▅█ 1578",
		"Against each other: you won 1, ben won 1.", "✓ben 200 : 102 nora.bot", "✓ana 200 : 100 ben",
	} {
		require.Contains(t, shown, want)
	}
	require.NotContains(t, body(open(t, ben, "ben"), 80, 20), "Against each other", "one's own page")
	guest := c.Guest()
	require.NotContains(t, body(open(t, guest, "ben"), 80, 20), "Against each other", "a guest's games are nobody's")
	require.Contains(t, body(open(t, ana, guest.Player().Name), 80, 20), "not saved")
	require.Contains(t, body(open(t, ana, "nobody"), 80, 20), "No such member")
	ben.Close(table.Left)
	d.Press("r")
	require.Contains(t, body(d, 80, 20), "not here now")
	require.Contains(t, body(open(t, ana, "ana"), 80, 20), "no rated game yet")
}

// Only a person's own page shows their accuracy in the games that the coach has reviewed.
func TestAccuracyIsOnesOwn(t *testing.T) {
	c, ana, ben := evening(t)
	for i, a := range []float64{61.5, 70, 88.2} {
		require.NoError(t, c.Store.KeepReview(t.Context(), ben.Player().ID, table.GameID(i+1), &coach.Report{Total: coach.Grade{Accuracy: a}}))
	}
	require.Regexp(t, `accuracy by the coach ▁▃█ 88 %`, body(open(t, ben, "ben"), 80, 20))
	require.NotContains(t, body(open(t, ana, "ben"), 80, 20), "accuracy")
}

func TestKeysLeadOn(t *testing.T) {
	_, ana, ben := evening(t)
	tab, err := ben.NewTable(context.Background(), table.DefaultConfig())
	require.NoError(t, err)
	sub, err := ben.Show(lobby.Place{Table: tab.ID()}).Watch(context.Background())
	require.NoError(t, err)
	t.Cleanup(sub.Close)
	d := open(t, ana, "ben")
	to := func(keys ...string) page.Target {
		t.Helper()
		d.Sent = nil
		d.Press(keys...)
		return pagetest.Take[page.GotoMsg](t, d).To
	}
	require.Equal(t, page.Target{Kind: page.Replay, Game: 3}, to("enter"))
	require.Equal(t, page.Target{Kind: page.Replay, Game: 2}, to("down", "enter"))
	require.Equal(t, page.Target{Kind: page.Games, Search: "ben"}, to("a"))
	require.Equal(t, page.TeamPage, to("t").Kind)
	require.Equal(t, page.Target{Kind: page.Table, Table: tab.ID()}, to("w"))
	follow := to("f")
	require.Equal(t, tab.ID(), follow.Table)
	require.Equal(t, ben.Player().ID, follow.Follow.ID)
	var own []string
	for _, a := range open(t, ben, "ben").Page.Actions() {
		own = append(own, a.Help().Desc)
	}
	require.Contains(t, own, "go to your table")
	require.NotContains(t, own, "follow", "nobody follows themselves")
}

// Hostile names do no harm.
func TestHostileNames(t *testing.T) {
	for _, c := range texttest.Hostile() {
		evil := &lobby.Profile{
			ID: 2, Name: c.Text, Member: time.Unix(0, 0), Team: &lobby.Team{ID: 1, Name: c.Text, Tag: c.Text},
			Here: &lobby.Person{Doing: c.Text}, Versus: &lobby.Versus{Won: 1},
			Games: []lobby.GameInfo{{ID: 1, Rules: c.Text, Seats: []string{c.Text, c.Text}, Finished: true}},
		}
		e := pagetest.Env(t, nil)
		pagetest.CheckHostile(t, person.Showing(e, evil), c)
	}
}

func TestMouse(t *testing.T) {
	_, ana, _ := evening(t)
	pagetest.Clicks(t, open(t, ana, "ben"))
}

// The page follows somebody from table to table: w must not lead to one that they have left.
func TestWhereaboutsAreFollowed(t *testing.T) {
	_, ana, ben := evening(t)
	d := open(t, ana, "ben")
	require.Contains(t, body(d, 80, 20), "here now, in the lobby")
	tab, err := ben.NewTable(context.Background(), table.DefaultConfig())
	require.NoError(t, err)
	sub, err := ben.Show(lobby.Place{Table: tab.ID()}).Watch(context.Background())
	require.NoError(t, err)
	t.Cleanup(sub.Close)
	pagetest.Await(t, ana, d, func(lines []string) bool {
		return strings.Contains(strings.Join(lines, "\n"), fmt.Sprint("sits at ", tab.ID()))
	})
	d.Sent = nil
	d.Press("w")
	require.Equal(t, page.Target{Kind: page.Table, Table: tab.ID()}, pagetest.Take[page.GotoMsg](t, d).To)
	ben.Close(table.Left)
	pagetest.Await(t, ana, d, func(lines []string) bool { return strings.Contains(strings.Join(lines, "\n"), "not here now") })
}

// From a person's page one can write to them, and hide what they say.
func TestWriteAndIgnore(t *testing.T) {
	_, ana, ben := evening(t)
	d := open(t, ana, "ben")
	d.Press("m")
	require.True(t, d.Page.Chrome().Typing)
	d.Type("a game at eight?")
	require.Contains(t, body(d, 80, 20), "To ben: a game at eight?")
	d.Press("enter")
	require.Equal(t, "ben is away and will read it on their next visit.", pagetest.Take[page.Toast](t, d).Text)
	d.Press("i")
	require.Contains(t, pagetest.Take[page.Toast](t, d).Text, "You no longer see what ben says")
	require.False(t, ana.Hears(ben.Player()))
	d.Press("i")
	require.Contains(t, pagetest.Take[page.Toast](t, d).Text, "You see what ben says again")
	require.True(t, ana.Hears(ben.Player()))

	d = open(t, ana, "ana")
	d.Press("m", "i")
	require.False(t, d.Page.Chrome().Typing)
	require.Empty(t, d.Sent, "nobody writes to themselves")
}

// Somebody may be ignored under another spelling of their name.
func TestIgnoredInAnotherSpelling(t *testing.T) {
	_, ana, ben := evening(t)
	_, err := ana.Say(context.Background(), "/ignore BEN")
	require.NoError(t, err)
	d := open(t, ana, "ben")
	d.Press("i")
	require.Contains(t, pagetest.Take[page.Toast](t, d).Text, "You see what ben says again")
	require.True(t, ana.Hears(ben.Player()))
}

// A message that the line has room for is sent.
func TestWriteAtLength(t *testing.T) {
	_, ana, _ := evening(t)
	d := open(t, ana, "ben")
	d.Press("m")
	d.Type(strings.Repeat("x", 2*text.MaxLine))
	d.Press("enter")
	require.Contains(t, pagetest.Take[page.Toast](t, d).Text, "will read it")
}

// Whoever writes to a guest who leaves keeps the line, and reads that there is nobody of that name.
func TestWriteToWhoeverLeaves(t *testing.T) {
	c, ana, _ := evening(t)
	guest := c.Guest()
	d := open(t, ana, guest.Player().Name)
	answer := d.Page.Init()
	d.Press("m")
	d.Type("stay!")
	guest.Close(table.Left)
	d.Do(answer)
	require.Contains(t, body(d, 80, 20), "stay!")
	d.Press("enter")
	require.Contains(t, pagetest.Take[page.Toast](t, d).Text, "No member has that name")
	require.Contains(t, body(d, 80, 20), "stay!")
}
