package lobby_test

import (
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/require"

	"boneyard/lobby"
	"boneyard/lobby/event/arena"
	"boneyard/rules"
	"boneyard/table"
)

// shown are the numbers of the tables on a wall, by place.
func shown(w *lobby.Wall) (ids []table.ID) {
	for _, v := range w.Views() {
		ids = append(ids, v.Table)
	}
	return ids
}

func wall(t *testing.T, v *lobby.Visit, n int, f func()) *lobby.Wall {
	t.Helper()
	w, err := v.Wall(0, f)
	require.NoError(t, err)
	t.Cleanup(w.Close)
	require.NoError(t, w.Arrange(ctx, n))
	return w
}

// playing begins a game of one person with a bot.
func playing(t *testing.T, v *lobby.Visit, change ...func(*table.Config)) *table.Table {
	t.Helper()
	tab := sits(t, v, append(change, func(c *table.Config) { c.Fill = table.FillNow })...)
	do(t, v, tab.ID(), table.Ready{On: true})
	synctest.Wait()
	require.Equal(t, table.Playing, tab.Summary().State)
	seen(v)
	return tab
}

// toRoundEnd plays a person's moves until a round is over.
func toRoundEnd(t *testing.T, v *lobby.Visit, id table.ID) {
	t.Helper()
	sub, err := v.Show(lobby.Place{Table: id}).Watch(ctx)
	require.NoError(t, err)
	defer sub.Close()
	for range 1000 {
		view := sub.View()
		if view.State == table.Scoring {
			return
		}
		if view.MyMove() {
			o := view.Play.Options[0]
			move := rules.Move{Seat: view.POV, Kind: rules.Play, Tile: o.Tile, Arm: o.Arm}
			do(t, v, id, table.Move{Version: view.Version, Move: move})
		}
		wait(time.Second)
	}
	require.FailNow(t, "the round is never over")
}

// Everything that compares all tables of the club counts as a list of them.
func TestComparingAllTablesIsAList(t *testing.T) {
	bubble(t, func(t *testing.T, c *club) {
		playing(t, c.come("ana"))
		v := c.come("ben")
		w, err := v.Wall(0, func() {})
		require.NoError(t, err)
		defer w.Close()
		arranged := until(t, lobby.ErrTooFast, func() error { return w.Arrange(t.Context(), 1) })
		require.Len(t, w.Views(), 1)
		require.LessOrEqual(t, arranged, 20)
		require.ErrorIs(t, errOf(v.BestGame(t.Context())), lobby.ErrTooFast)
		require.ErrorIs(t, v.List(), lobby.ErrTooFast)
		require.Len(t, w.Views(), 1, "it stays as it is")
		time.Sleep(time.Second)
		require.NoError(t, errOf(v.BestGame(t.Context())))
	})
}

// A wall shows tables that everybody may watch, the best players' first; players at one see no hands there.
func TestWhatAWallShows(t *testing.T) {
	bubble(t, func(t *testing.T, c *club) {
		ana, ben, cem, dora := c.come("ana"), c.come("ben"), c.come("cem"), c.come("dora")
		ratings := map[*lobby.Visit]int{ben: 1610, cem: 1700}
		c.store.Table = func(q lobby.StandingsQuery) (list []lobby.Standing) {
			for v, r := range ratings {
				list = append(list, lobby.Standing{ID: int64(v.Player().ID), Rating: r})
			}
			return list
		}
		weak := playing(t, dora)
		good := playing(t, ben)
		best := playing(t, cem)
		playing(t, ana, func(cfg *table.Config) { cfg.Access = table.AccessCode })
		playing(t, ana, func(cfg *table.Config) { cfg.Watchers = false })
		sits(t, ana)
		slow := playing(t, ben, func(cfg *table.Config) { cfg.Pace = table.PaceSlow })
		seen(ana)

		w := wall(t, dora, 9, func() {})
		require.Equal(t, []table.ID{best.ID(), good.ID(), weak.ID(), slow.ID()}, shown(w))
		for _, v := range w.Views() {
			require.Zero(t, v.POV)
			require.True(t, v.Play.Hand.Empty(), "not even of one's own seat")
		}
		require.NoError(t, w.Arrange(ctx, 2))
		require.Equal(t, []table.ID{best.ID(), good.ID()}, shown(w), "a smaller screen keeps the first")
		require.False(t, w.Open())
		wait(time.Second)
		require.Contains(t, w.Views()[0].Watching, "dora", "players see who watches")
		w.Close()
		time.Sleep(time.Second)
		require.Equal(t, 0, best.Summary().Watchers)
	})
}

// A table whose game has ended shows its result for a while and then makes room for the next; the others stay where they are.
func TestAWallGoesOn(t *testing.T) {
	bubble(t, func(t *testing.T, c *club) {
		ana, ben, cem, zoe := c.come("ana"), c.come("ben"), c.come("cem"), c.come("zoe")
		c.store.Table = func(lobby.StandingsQuery) []lobby.Standing {
			return []lobby.Standing{{ID: int64(ana.Player().ID), Rating: 1900}}
		}
		first, second := playing(t, ana), playing(t, ben)
		seen(zoe)
		var told atomic.Int32
		w := wall(t, zoe, 2, func() { told.Add(1) })
		require.Equal(t, []table.ID{first.ID(), second.ID()}, shown(w))
		require.Zero(t, w.Due(), "nothing is due while both play")
		require.False(t, w.Stale())

		told.Store(0)
		do(t, ana, first.ID(), table.Resign{})
		synctest.Wait()
		require.Positive(t, told.Load())
		require.NotNil(t, w.Views()[0].Result)
		third := playing(t, cem)
		due := w.Due()
		require.Positive(t, time.Until(due), "the result can be read")
		require.NoError(t, w.Arrange(ctx, 2))
		require.Equal(t, []table.ID{first.ID(), second.ID()}, shown(w))
		time.Sleep(time.Until(due))
		require.False(t, time.Now().Before(w.Due()))
		require.NoError(t, w.Arrange(ctx, 2))
		require.Equal(t, []table.ID{second.ID(), third.ID()}, shown(w))

		do(t, ben, second.ID(), table.Resign{})
		synctest.Wait()
		time.Sleep(time.Until(w.Due()))
		require.NoError(t, w.Arrange(ctx, 2))
		require.Equal(t, []table.ID{third.ID()}, shown(w))
		require.True(t, w.Open(), "it waits for the next")
		fourth := playing(t, ben)
		require.True(t, w.Stale())
		require.NoError(t, w.Arrange(ctx, 2))
		require.Equal(t, []table.ID{third.ID(), fourth.ID()}, shown(w))
	})
}

// A better table takes the place of another only between rounds.
func TestABetterTableComesOntoAWall(t *testing.T) {
	bubble(t, func(t *testing.T, c *club) {
		ana, ben, zoe := c.come("ana"), c.come("ben"), c.come("zoe")
		c.store.Table = func(lobby.StandingsQuery) []lobby.Standing {
			return []lobby.Standing{{ID: int64(ben.Player().ID), Rating: 1900}}
		}
		fast := func(cfg *table.Config) { cfg.Pace = table.PaceFast }
		weak := playing(t, ana, fast)
		w := wall(t, zoe, 1, func() {})
		strong := playing(t, ben, fast)
		require.False(t, w.Stale())
		require.NoError(t, w.Arrange(ctx, 1))
		require.Equal(t, []table.ID{weak.ID()}, shown(w), "a round is not left in its middle")
		toRoundEnd(t, ana, weak.ID())
		require.False(t, w.Due().After(time.Now()))
		require.NoError(t, w.Arrange(ctx, 1))
		require.Equal(t, []table.ID{strong.ID()}, shown(w))
	})
}

// The wall of an event shows its games alone, those of its leaders first.
func TestTheWallOfAnEvent(t *testing.T) {
	bubble(t, func(t *testing.T, c *club) {
		people := c.comeAll("cem", "dia", "ana", "ben")
		ana, zoe := people[2], c.come("zoe")
		other := playing(t, zoe)
		id := newArena(t, c.come("olga", operator), hour, 0)
		for _, v := range people {
			require.NoError(t, v.EnterEvent(ctx, arena.Kind, id, ""))
		}
		synctest.Wait()
		do(t, ana, ana.MyTables()[0].Table, table.Resign{})
		wait(11 * time.Second) // then ana and ben may meet again
		at := func(v *lobby.Visit) table.ID { return v.MyTables()[len(v.MyTables())-1].Table }
		require.Less(t, at(people[0]), at(ana))
		w, err := zoe.Wall(id, func() {})
		require.NoError(t, err)
		defer w.Close()
		require.NoError(t, w.Arrange(ctx, 9))
		require.Equal(t, []table.ID{at(ana), at(people[0])}, shown(w))
		require.ElementsMatch(t, append(shown(w), other.ID()), shown(wall(t, zoe, 9, func() {})))
	})
}

// Even in an empty club a wall shows a game, and people's games come before the house's.
func TestTheHouseOnAWall(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		c := open(t, exhibition)
		ana, zoe := c.come("ana"), c.come("zoe")
		seen(zoe)
		zoe.Show(lobby.Place{})
		ana.Show(lobby.Place{})
		w := wall(t, zoe, 1, func() {})
		require.True(t, w.Views()[0].Config.House)
		before := c.store.Commits()
		time.Sleep(15 * time.Minute)
		require.Greater(t, c.store.Commits(), before+25, "it plays for the wall")
		require.True(t, w.Open())
		tab := playing(t, ana)
		require.True(t, w.Stale())
		require.NoError(t, w.Arrange(ctx, 1))
		require.Equal(t, []table.ID{tab.ID()}, shown(w))
	})
}

func TestWallsOfOnePerson(t *testing.T) {
	bubble(t, func(t *testing.T, c *club) {
		ana := c.come("ana")
		two := []*lobby.Wall{wall(t, ana, 1, func() {}), wall(t, ana, 1, func() {})}
		again := c.enter(ana.Account())
		require.ErrorIs(t, errOf(again.Wall(0, func() {})), lobby.ErrManyWalls, "in another session as well")
		two[0].Close()
		two[0].Close()
		third := wall(t, again, 1, func() {})
		require.ErrorIs(t, errOf(ana.Wall(0, func() {})), lobby.ErrManyWalls, "a wall is given back once")
		third.Close()
		ana.Close(table.Left)
		require.ErrorIs(t, errOf(ana.Wall(0, func() {})), lobby.ErrOver)
		require.NoError(t, third.Arrange(ctx, 9))
		require.Empty(t, third.Views(), "a closed wall shows nothing any more")
	})
}

// Watchers know whether there is another table to go to.
func TestGalleries(t *testing.T) {
	bubble(t, func(t *testing.T, c *club) {
		ana, zoe := c.come("ana"), c.come("zoe")
		require.Zero(t, zoe.Galleries())
		playing(t, ana, func(cfg *table.Config) { cfg.Watchers = false })
		require.Zero(t, zoe.Galleries())
		made, err := ana.NewTable(t.Context(), table.DefaultConfig())
		require.NoError(t, err)
		require.Equal(t, 1, zoe.Galleries())
		do(t, ana, made.ID(), table.Stand{})
		wait(table.DefaultTimes().Empty + time.Second)
		require.Equal(t, table.Closed, made.Summary().State)
		require.Zero(t, zoe.Galleries())
	})
}
