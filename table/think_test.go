package table_test

import (
	"context"
	"math/rand/v2"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/require"

	"boneyard/rules"
	"boneyard/rules/bot"
	"boneyard/table"
)

// asked is one choice that a table has asked for.
type asked struct {
	level   bot.Level
	seen    bot.Seen
	found   func(rules.Move)
	stopped bool
}

// slowChooser chooses when the test says so.
type slowChooser struct{ asked chan *asked }

func (c *slowChooser) Think(level bot.Level, s bot.Seen, _ uint64, found func(rules.Move)) func() {
	a := &asked{level: level, seen: s, found: found}
	c.asked <- a
	return func() { a.stopped = true }
}

// openSlow makes a table for ana, alone with a master, whose choices the test makes.
func openSlow(t *testing.T, seed uint64) (*fixture, *slowChooser) {
	c := &slowChooser{asked: make(chan *asked, 100)}
	f := openWith(t, seed, config(func(c *table.Config) { c.Fill, c.Strength = table.FillNow, table.Master }),
		func(d *table.Deps) { d.Chooser = c })
	f.must(ana, table.Sit{})
	f.must(ana, table.Ready{On: true})
	return f, c
}

// untilAsked plays for ana until the bot has to choose.
func (f *fixture) untilAsked(c *slowChooser) *asked {
	f.tb.Helper()
	for range 200 {
		v := f.see(ana)
		select {
		case a := <-c.asked:
			return a
		default:
		}
		switch {
		case v.State == table.Scoring:
			f.must(ana, table.Continue{})
		case v.Play.Duty == rules.Play:
			o := v.Play.Options[0]
			f.must(ana, table.Move{Version: v.Version, Move: rules.Move{Kind: rules.Play, Tile: o.Tile, Arm: o.Arm}})
		default:
			time.Sleep(200 * time.Millisecond)
		}
	}
	f.tb.Fatal("no bot has to choose")
	return nil
}

func (a *asked) move(i int) rules.Move {
	o := a.seen.Options[i%len(a.seen.Options)]
	return rules.Move{Seat: a.seen.Seat, Kind: rules.Play, Tile: o.Tile, Arm: o.Arm}
}

// A bot whose pause is over waits for its choice, and moves as soon as there is one. Meanwhile the table answers its people.
func TestABotWaitsForItsChoice(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		f, c := openSlow(t, 1)
		a := f.untilAsked(c)
		require.Equal(t, bot.Master, a.level)
		turn := f.see(ana).Play.Turn
		time.Sleep(10 * time.Second)
		require.Equal(t, turn, f.see(ana).Play.Turn, "nothing has been chosen")
		f.must(ana, table.Say{Text: "take your time"})
		laid := f.see(ana).Play.Layout.Len()
		a.found(a.move(0))
		require.Equal(t, laid+1, f.see(ana).Play.Layout.Len())
		require.NoError(t, f.CheckLaws())
	})
}

// The pause is the deadline: the best choice at its end is played.
func TestABotPlaysTheLastChoiceOfItsPause(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		f, c := openSlow(t, 3)
		a := f.untilAsked(c)
		for len(a.seen.Options) < 2 {
			a.found(a.move(0))
			a = f.untilAsked(c)
		}
		laid := f.see(ana).Play.Layout.Len()
		a.found(a.move(0))
		a.found(a.move(1))
		require.Equal(t, laid, f.see(ana).Play.Layout.Len(), "the pause is not over")
		time.Sleep(5 * time.Second)
		v := f.see(ana)
		require.Greater(t, v.Play.Layout.Len(), laid)
		require.Equal(t, a.move(1).Tile, v.Play.Layout.Piece(laid).Tile)
	})
}

// A choice found for a turn that is over is lost.
func TestALateChoiceIsDropped(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		f, c := openSlow(t, 1)
		first := f.untilAsked(c)
		first.found(first.move(0))
		second := f.untilAsked(c)
		require.True(t, first.stopped, "nobody waits for it any more")
		laid := f.see(ana).Play.Layout.Len()
		first.found(first.move(1))
		time.Sleep(time.Minute)
		require.Equal(t, laid, f.see(ana).Play.Layout.Len())
		second.found(second.move(0))
		require.Equal(t, laid+1, f.see(ana).Play.Layout.Len())
	})
}

// A table that stops while a bot is choosing stops the choice; a late one does no harm.
func TestDrainEndsAChoice(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		f, c := openSlow(t, 1)
		a := f.untilAsked(c)
		require.NoError(t, f.Drain(context.Background()))
		require.True(t, a.stopped)
		a.found(a.move(0))
		time.Sleep(time.Minute)
		require.NoError(t, f.Close(context.Background()))
		a.found(a.move(0))
	})
}

// A bot gets what its seat sees and the moves of the round, but no tile that another seat has drawn.
func TestABotIsToldThePast(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		f, c := openSlow(t, 2)
		draws := 0
		for range 40 {
			a := f.untilAsked(c)
			plays := 0
			for _, e := range a.seen.Past {
				switch {
				case e.Kind == rules.Play:
					require.Equal(t, a.seen.Layout.Piece(plays).Tile, e.Tile)
					plays++
				case e.Kind == rules.Draw && e.Seat != a.seen.Seat:
					require.Equal(t, rules.NoTile, e.Tile)
					draws++
				}
			}
			require.Equal(t, a.seen.Layout.Len(), plays)
			if a.found(a.move(0)); f.see(ana).State == table.Finished {
				break
			}
		}
		require.Positive(t, draws)
	})
}

// A forced play comes sooner than any choice among six, and no pause is long.
func TestPausesFollowTheChoices(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 1))
	for range 1000 {
		forced, hard := table.HumanPause(rng, 1), table.HumanPause(rng, 6)
		require.Less(t, forced, 800*time.Millisecond)
		require.Less(t, forced, hard)
		require.Less(t, max(hard, table.HumanPause(rng, 30)), 2300*time.Millisecond)
	}
}
