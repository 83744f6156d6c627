package lobby_test

import (
	"context"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/require"

	"boneyard/lobby"
	"boneyard/lobby/event"
	"boneyard/lobby/event/night"
	"boneyard/table"
)

// atHome lets people in from one address.
func atHome(o *lobby.Origin) { o.Net = "192.0.2.7" }

func onNight(t *testing.T, v *lobby.Visit, length time.Duration) event.ID {
	t.Helper()
	id, err := v.NewClubNight(ctx, length)
	require.NoError(t, err)
	return id
}

// stake is what a player at a table, and a watcher, read about its effect on ratings.
func stake(t *testing.T, v, watcher *lobby.Visit, id table.ID) (player, gallery *table.View) {
	t.Helper()
	synctest.Wait()
	for i, who := range []*lobby.Visit{v, watcher} {
		here := who.Show(lobby.Place{Table: id})
		sub, err := here.Watch(ctx)
		require.NoError(t, err)
		if view := sub.View(); i == 0 {
			player = view
		} else {
			gallery = view
		}
		here.Close()
	}
	return player, gallery
}

const oneNetwork = "two players on one network; only a club night rates such games"

// Four people of two teams at home: the club nights of both captains let them play rated games, over a
// restart and until they end. The time at which a game began decides whether it counts; its record names the
// nights, and recomputed standings are the same.
func TestAClubNight(t *testing.T) {
	bubble(t, func(t *testing.T, c *club) {
		ana, ada, ben, bob := rivals(t, c)
		wait := func() { time.Sleep(25 * time.Hour) }
		leave(table.Left, ana, ada, ben, bob)
		home := func() (all []*lobby.Visit) {
			for _, name := range []string{"ana", "ada", "ben", "bob"} {
				all = append(all, c.back(name, atHome))
			}
			return all
		}
		wait()
		people, olga := home(), c.come("olga")
		sits := func(a, b *lobby.Visit) *table.Table {
			t.Helper()
			tab := sits(t, a)
			do(t, b, tab.ID(), table.Sit{})
			return tab
		}
		tab := sits(people[0], people[2])
		mine, others := stake(t, people[0], olga, tab.ID())
		require.False(t, mine.Rated)
		require.Equal(t, oneNetwork, mine.Casual)
		require.Equal(t, "by the club's rules", others.Casual, "watchers do not read who shares a network")

		require.ErrorIs(t, errOf(people[1].NewClubNight(ctx, time.Hour)), night.ErrMakers)
		for _, wrong := range []time.Duration{night.Shortest - 1, night.Longest + 1} {
			require.ErrorIs(t, errOf(people[0].NewClubNight(ctx, wrong)), night.ErrLength)
		}
		first := onNight(t, people[0], time.Hour)
		require.Contains(t, news(seen(olga)),
			"clubnight: Club night 1 by ana until "+time.Now().Add(time.Hour-time.Second).UTC().Format("Mon 2 Jan 15:04")+
				" UTC: games of members of [AA] count even on one network")
		require.ErrorIs(t, errOf(people[0].NewClubNight(ctx, time.Hour)), night.ErrMany)
		mine, _ = stake(t, people[0], olga, tab.ID())
		require.Equal(t, oneNetwork, mine.Casual, "ben's team has no night yet")
		onNight(t, people[2], 2*time.Hour)
		mine, others = stake(t, people[0], olga, tab.ID())
		require.Empty(t, mine.Casual, "said anew at once")
		require.True(t, mine.Rated)
		require.Equal(t, "1, 2", mine.Night)
		require.Equal(t, mine.Night, others.Night)

		leave(table.Disconnected, people...)
		c.restart()
		people, olga = home(), c.back("olga")
		require.Len(t, olga.ClubNights(), 2)
		begins := func(id table.ID, a, b *lobby.Visit) table.Summary {
			t.Helper()
			do(t, a, id, table.Ready{On: true})
			do(t, b, id, table.Ready{On: true})
			time.Sleep(time.Minute / 10) // the countdown
			for _, s := range seen(olga).Tables {
				if s.Table == id {
					require.Equal(t, table.Playing, s.State)
					return s
				}
			}
			require.FailNow(t, "the table has closed")
			return table.Summary{}
		}
		game := begins(tab.ID(), people[0], people[2]).Game

		leave(table.Disconnected, people...)
		c.stop()
		time.Sleep(50 * time.Minute) // the first night ends by the clock, as nobody is here
		c.start()
		time.Sleep(15 * time.Minute)
		people, olga = home(), c.back("olga")
		require.Len(t, olga.ClubNights(), 1)
		past, err := olga.ClubNight(ctx, first)
		require.NoError(t, err)
		require.True(t, past.Over)
		late := sits(people[1], people[3])
		mine, _ = stake(t, people[1], olga, late.ID())
		require.Equal(t, oneNetwork, mine.Casual)
		do(t, people[0], tab.ID(), table.Resign{})
		synctest.Wait()
		games, err := c.store.Games(ctx, lobby.GamesQuery{Limit: 1})
		require.NoError(t, err)
		require.Equal(t, game, games[0].ID)
		require.True(t, games[0].Rated, "it counts by the time at which it began")
		lines, err := c.store.Moves(ctx, game)
		require.NoError(t, err)
		require.Contains(t, lines, "tag club-night 1, 2")
		standings := func() (all []lobby.Standing) {
			for _, preset := range []string{"", "classic"} {
				list, err := c.store.Standings(ctx, lobby.StandingsQuery{Kind: lobby.KindPlayer, Game: preset, Limit: 9})
				require.NoError(t, err)
				all = append(all, list...)
			}
			return all
		}
		before := standings()
		require.NotEmpty(t, before)
		for range 2 {
			done, err := c.store.Rebuild(ctx)
			require.NoError(t, err)
			require.Zero(t, done.Changed)
			require.Equal(t, before, standings())
		}
		require.False(t, begins(late.ID(), people[1], people[3]).Rated)
		time.Sleep(time.Hour)
		require.Empty(t, olga.ClubNights())
	})
}

// An operator's club night is for all members whose accounts are a day old, and for nobody else; only
// operators and its creator can end it.
func TestWhoseClubNightItIs(t *testing.T) {
	bubble(t, func(t *testing.T, c *club) {
		for _, name := range []string{"ana", "ben"} {
			c.member(name)
		}
		time.Sleep(25 * time.Hour)
		boss, other := c.come("olga", operator), c.come("otto", operator)
		ana, ben, young := c.back("ana", atHome), c.back("ben", atHome), c.come("cem", atHome)
		guest := c.guest("192.0.2.7")
		require.ErrorIs(t, errOf(guest.NewClubNight(ctx, time.Hour)), lobby.ErrMembersOnly)
		id := onNight(t, boss, night.Longest)
		require.ErrorIs(t, errOf(boss.NewClubNight(ctx, time.Hour)), night.ErrMany, "one at a time, of operators as well")
		for _, with := range []struct {
			v    *lobby.Visit
			says string
		}{{ben, ""}, {young, oneNetwork}, {guest, "with a guest"}} {
			tab := sits(t, ana)
			do(t, with.v, tab.ID(), table.Sit{})
			mine, _ := stake(t, ana, boss, tab.ID())
			require.Equal(t, with.says, mine.Casual)
			require.Equal(t, with.says == "", mine.Night != "")
			do(t, with.v, tab.ID(), table.Stand{})
			do(t, ana, tab.ID(), table.Stand{})
			time.Sleep(5 * time.Minute) // it closes
		}
		require.ErrorIs(t, ana.CallOff(ctx, night.Kind, id), event.ErrCallOff)
		tab := sits(t, ana)
		do(t, ben, tab.ID(), table.Sit{})
		require.NoError(t, other.CallOff(ctx, night.Kind, id))
		mine, _ := stake(t, ana, boss, tab.ID())
		require.Equal(t, oneNetwork, mine.Casual, "said anew at once")
		n, err := boss.ClubNight(ctx, id)
		require.NoError(t, err)
		require.True(t, n.Over)
		require.WithinDuration(t, time.Now(), n.Ends, 0)
		require.ErrorIs(t, other.CallOff(ctx, night.Kind, id), night.ErrOver)
		time.Sleep(time.Hour)
		id = onNight(t, boss, time.Hour)
		require.NoError(t, boss.CallOff(ctx, night.Kind, id), "its maker")
	})
}

// TestACaptainIsNotRefusedForAFault: if the store fails, captains are not told that they are none.
func TestACaptainIsNotRefusedForAFault(t *testing.T) {
	bubble(t, func(t *testing.T, c *club) {
		ana, _, _, _ := rivals(t, c)
		gone, cancel := context.WithCancel(ctx)
		cancel()
		require.ErrorIs(t, errOf(ana.NewClubNight(gone, time.Hour)), lobby.ErrTrouble)
		battle := hour
		battle.Battle = true
		require.ErrorIs(t, errOf(ana.NewArena(gone, battle, time.Now(), time.Hour)), lobby.ErrTrouble)
	})
}
