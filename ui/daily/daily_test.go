package daily_test

import (
	"cmp"
	"context"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	deals "boneyard/lobby/event/daily"
	"boneyard/rules"
	"boneyard/table"
	"boneyard/ui/daily"
	"boneyard/ui/page"
	"boneyard/ui/page/pagetest"
)

// fake is a club with a daily deal.
type fake struct {
	pagetest.Talk
	day    *deals.Deal
	months []deals.MonthRow
	past   []*deals.Day
	played []string
	next   *deals.Day // today's, where day is another
}

func (f *fake) Player() table.Player      { return table.Player{ID: 4, Name: "ana"} }
func (f *fake) Today() (*deals.Day, bool) { return cmp.Or(f.next, f.day.Day), f.day.MayPlay }
func (f *fake) Daily(context.Context, string) (*deals.Deal, error) {
	return f.day, nil
}
func (f *fake) DailyMonth(context.Context, string) ([]deals.MonthRow, error) {
	return f.months, nil
}
func (f *fake) DailyPast(context.Context) ([]*deals.Day, error) { return f.past, nil }
func (f *fake) PlayDaily(_ context.Context, key string) (table.ID, error) {
	f.played = append(f.played, key)
	return 7, nil
}

func row(place int, id table.PlayerID, name string, got, gave int) deals.Row {
	return deals.Row{Player: id, Name: name, Game: table.GameID(id), For: got, Against: gave, Played: true, Place: place, Apart: place == 0}
}

// evening is a club on a day that many have played, ana among them.
func evening() *fake {
	begins, ends := deals.Bounds(pagetest.Now)
	d := &deals.Day{
		Key: deals.KeyOf(pagetest.Now), Begins: begins, Ends: ends,
		Config: deals.Config{Number: 128, Rules: "classic rounds=5", Commit: rules.Seed{1}.Commitment()},
	}
	names := []string{"ben", "cleo", "dina", "ana", "emil", "fay", "gus", "hal", "ida-with-a-name", "joe", "kim"}
	for i, name := range names {
		d.Rows = append(d.Rows, row(i+1, table.PlayerID(i+1), name, 120-9*i, 40+3*i))
	}
	d.Rows = append(d.Rows, row(0, 20, "newcomer", 50, 30), deals.Row{Player: 21, Name: "zoe"})
	choice := func(text string, arm rules.Arm) rules.Choice {
		tile, _, _, _ := rules.ParseTile(text)
		return rules.Choice{Tile: tile, Arm: arm}
	}
	f := &fake{day: &deals.Deal{
		Day: d, Mine: d.Of(4), Next: rules.Seed{2}.Commitment(), Streak: 6, Rounds: []int{-5, 15, 40, -10, 4},
		Decided: []deals.Decision{
			{Round: 1, Move: 1, Played: choice("6-4", rules.NoArm), Master: choice("6-4", rules.NoArm), Met: 10, Others: []deals.Share{
				{Choice: choice("6-4", rules.NoArm), N: 6, Percent: 60}, {Choice: choice("5-5", rules.NoArm), N: 4, Percent: 40}}},
			{Round: 1, Move: 3, Played: choice("5-0", rules.ArmL), Master: choice("3-1", rules.ArmR)},
		},
	}}
	f.months = []deals.MonthRow{{Place: 1, Player: 1, Name: "ben", Days: 21, Points: 1612},
		{Place: 2, Player: 4, Name: "ana", Days: 19, Points: 1100}}
	for i := 1; i < 6; i++ {
		past := *d
		past.Number -= i
		past.Key = deals.KeyOf(begins.Add(-time.Duration(i) * 24 * time.Hour))
		past.Over = true
		f.past = append(f.past, &past)
	}
	return f
}

func TestScreens(t *testing.T) {
	e := pagetest.Env(t, nil)
	open := func(f *fake, keys ...string) page.Page {
		d := pagetest.Drive(daily.New(e, f, page.Target{}))
		d.Press(keys...)
		return d.Page
	}
	pagetest.Golden(t, e, open(evening()), "played", pagetest.Large)
	pagetest.Golden(t, e, open(evening(), "right"), "month")
	pagetest.Golden(t, e, open(evening(), "left", "down"), "past")
	fresh := evening()
	fresh.day = &deals.Deal{Day: fresh.day.Day, Next: fresh.day.Next, MayPlay: true}
	fresh.day.Rows = nil
	pagetest.Golden(t, e, open(fresh), "fresh")
}

func TestEnterPlays(t *testing.T) {
	f := evening()
	d := pagetest.Drive(daily.New(pagetest.Env(t, nil), f, page.Target{}))
	d.Press("enter")
	require.Empty(t, f.played, "she has had her attempt")
	d.Press("left", "down", "enter")
	require.Equal(t, []string{f.past[1].Key}, f.played)
	require.Equal(t, table.ID(7), pagetest.Take[page.GotoMsg](t, d).To.Table)
	f.day.MayPlay = true
	d = pagetest.Drive(daily.New(pagetest.Env(t, nil), f, page.Target{}))
	d.Press("enter")
	require.Equal(t, "", f.played[1])
	copied := ""
	e := pagetest.Env(t, nil)
	e.Copy = func(s string) bool { copied = s; return true }
	d = pagetest.Drive(daily.New(e, f, page.Target{}))
	d.Press("c")
	require.Equal(t, "Boneyard daily 128 +44, 4th of 11 ▁▄█▁▂", copied)
}

func TestMouse(t *testing.T) {
	d := pagetest.Drive(daily.New(pagetest.Env(t, nil), evening(), page.Target{}))
	d.Press("left")
	pagetest.Clicks(t, d)
}

// After a day or a game that was looked at, or at another node, the page shows the same of its three parts.
func TestComesBackAsItWasLeft(t *testing.T) {
	e := pagetest.Env(t, nil)
	d := pagetest.Drive(daily.New(e, evening(), page.Target{}))
	d.Press("left")
	again := pagetest.Drive(daily.New(e, evening(), d.Page.Chrome().Reopen))
	require.Equal(t, d.Lines(80, 24), again.Lines(80, 24))
	require.Contains(t, again.Lines(80, 24)[0], "[Past days]")
}

// If the shown day ends, the page says so as soon as the club does, which may be after the new day has begun.
func TestADayEndsWhileItIsShown(t *testing.T) {
	f := evening()
	e := pagetest.Env(t, nil)
	now := pagetest.Now
	e.Now = func() time.Time { return now }
	d := pagetest.Drive(daily.New(e, f, page.Target{}))
	now = f.day.Ends
	shown := *f.day.Day
	tomorrow := shown
	tomorrow.Number++
	f.next = &tomorrow
	d.Send(page.ClubUpdateMsg{}) // the new day has begun
	shown.Over = true
	f.day = &deals.Deal{Day: &shown, ForFun: true}
	d.Send(page.ClubUpdateMsg{})
	d.Press("enter")
	require.Equal(t, 1, len(f.played), "it is played for fun")
}
