package lobby_test

import (
	"fmt"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/require"

	"boneyard/lobby"
	"boneyard/table"
)

// Two people who press quick play at the same moment sit at one table.
func TestQuickPlayRace(t *testing.T) {
	bubble(t, func(t *testing.T, c *club) {
		c.store.Slow(time.Millisecond)
		for i := range 50 {
			one, two := c.come(fmt.Sprintf("ana%d", i)), c.come(fmt.Sprintf("ben%d", i))
			at := make(chan table.ID, 2)
			for _, v := range []*lobby.Visit{one, two} {
				go func() {
					id, err := v.QuickPlay(ctx, lobby.QuickPrefs{})
					if err != nil {
						t.Error(err)
					}
					at <- id
				}()
			}
			a, b := <-at, <-at
			require.NotZero(t, a)
			require.Equal(t, a, b)
			one.Close(table.Left)
			two.Close(table.Left)
			synctest.Wait()
		}
	})
}

// quick plays quick play for a person, and returns the table they were led to.
func quick(t *testing.T, v *lobby.Visit, q lobby.QuickPrefs) *table.Summary {
	t.Helper()
	id, err := v.QuickPlay(ctx, q)
	require.NoError(t, err)
	synctest.Wait()
	for _, s := range v.MyTables() {
		if s.Table == id {
			return &s
		}
	}
	t.Fatal("no seat")
	return nil
}

func TestQuickPlay(t *testing.T) {
	bubble(t, func(t *testing.T, c *club) {
		ana, ben, cem, dia := c.come("ana"), c.come("ben"), c.come("cem"), c.come("dia")
		sits(t, dia, func(cfg *table.Config) { cfg.Access = table.AccessCode })
		sits(t, dia, func(cfg *table.Config) { cfg.Pace = table.PaceSlow })

		s := quick(t, ana, lobby.QuickPrefs{})
		require.EqualValues(t, 3, s.Table, "a private table and a slow one are not for strangers in a hurry")
		require.Equal(t, table.Casual, s.Seats[1].House, "with bots")
		require.Equal(t, "classic", s.Config.RuleText)
		require.Equal(t, table.Playing, s.State, "at once")
		require.EqualValues(t, 3, quick(t, ana, lobby.QuickPrefs{}).Table, "pressed twice")
		require.EqualValues(t, 4, quick(t, ben, lobby.QuickPrefs{Game: "block"}).Table, "another game")
		require.Equal(t, 4, c.Stats().Tables)
		s = quick(t, cem, lobby.QuickPrefs{Seats: 2})
		require.EqualValues(t, 3, s.Table)
		require.Equal(t, "cem", s.Seats[1].Next.Name, "the bot makes room after the round")
		where, err := dia.Where("cem")
		require.NoError(t, err)
		require.Contains(t, where, "cem is in the lobby", "the bot still plays")
		require.EqualValues(t, 3, quick(t, cem, lobby.QuickPrefs{}).Table, "pressed twice")
		require.EqualValues(t, 4, quick(t, dia, lobby.QuickPrefs{}).Table, "the seat of another bot")
		require.Error(t, errOf(ana.QuickPlay(ctx, lobby.QuickPrefs{Game: "canasta"})))
	})
}

// Only people who chose it are led to a table where watchers see the hands, before or during a game.
func TestQuickPlayPassesOpenHandsBy(t *testing.T) {
	bubble(t, func(t *testing.T, c *club) {
		ana, ben, cem := c.come("ana"), c.come("ben"), c.come("cem")
		openHands := func(cfg *table.Config) { cfg.OpenHands = true }
		waits := sits(t, ana, openHands)
		s := quick(t, ben, lobby.QuickPrefs{})
		require.NotEqual(t, waits.ID(), s.Table, "a seat is free there, and ana is awake")
		ben.Close(table.Left)

		dia := c.come("dia")
		played := sits(t, dia, openHands, func(cfg *table.Config) { cfg.Fill = table.FillNow })
		require.NoError(t, dia.Do(ctx, played.ID(), table.Ready{On: true}))
		wait(6 * time.Second) // the countdown
		require.Equal(t, table.Playing, played.Summary().State)
		require.NotEqual(t, played.ID(), quick(t, cem, lobby.QuickPrefs{}).Table, "the seat of a bot")

		eli := c.come("eli")
		require.NoError(t, eli.Do(ctx, played.ID(), table.Sit{}))
		synctest.Wait()
		require.Equal(t, played.ID(), quick(t, eli, lobby.QuickPrefs{}).Table, "who is about to take a seat over")
	})
}

// Nobody is led to a table where somebody is asleep, before or during a game.
func TestQuickPlayPassesTheIdleBy(t *testing.T) {
	bubble(t, func(t *testing.T, c *club) {
		ana, ben := c.come("ana"), c.come("ben")
		waits := sits(t, ana)
		require.NotEqual(t, waits.ID(), quick(t, c.come("bea"), lobby.QuickPrefs{}).Table, "ana has just made it, and is not ready")
		time.Sleep(31 * time.Second) // bea sleeps, too
		do(t, ana, waits.ID(), table.Ready{On: true})
		synctest.Wait()
		require.Equal(t, waits.ID(), quick(t, ben, lobby.QuickPrefs{}).Table)
		ben.Close(table.Left)
		time.Sleep(29 * time.Second)
		ana.Active()
		time.Sleep(29 * time.Second)
		cem := c.come("cem")
		require.Equal(t, waits.ID(), quick(t, cem, lobby.QuickPrefs{}).Table, "a key is enough")
		cem.Close(table.Left)
		time.Sleep(time.Second)

		dia := c.come("dia")
		s := quick(t, dia, lobby.QuickPrefs{})
		require.NotEqual(t, waits.ID(), s.Table, "ana sleeps")
		require.Equal(t, table.Playing, s.State)
		time.Sleep(30 * time.Second)
		require.NotEqual(t, s.Table, quick(t, c.come("eli"), lobby.QuickPrefs{}).Table, "so does dia")
	})
}

// Nobody is led to a table whose player looks at another one.
func TestQuickPlayPassesTheBusyBy(t *testing.T) {
	bubble(t, func(t *testing.T, c *club) {
		ana, ben := c.come("ana"), c.come("ben")
		waits := sits(t, ana)
		do(t, ana, waits.ID(), table.Ready{On: true})
		other := sits(t, ben)
		here := ana.Show(lobby.Place{Table: other.ID()})
		require.NoError(t, errOf(here.Watch(t.Context())))
		require.NotEqual(t, waits.ID(), quick(t, c.come("cem"), lobby.QuickPrefs{}).Table)
		here.Close()
		synctest.Wait()
		ana.Active()
		require.Equal(t, waits.ID(), quick(t, c.come("dia"), lobby.QuickPrefs{}).Table)
	})
}

// Quick play avoids strangers' long games: it takes over a bot's seat only in a short game that has just
// begun, and tables that wait for a long game come last.
func TestQuickPlayPrefersShortAndFreshGames(t *testing.T) {
	bubble(t, func(t *testing.T, c *club) {
		against := func(name, ruleText string) *table.Table {
			v := c.come(name)
			tab := sits(t, v, func(cfg *table.Config) {
				cfg.Rules, cfg.RuleText, cfg.Fill = ruleset(t, ruleText), ruleText, table.FillNow
			})
			do(t, v, tab.ID(), table.Ready{On: true})
			time.Sleep(10 * time.Second)
			v.Active()
			return tab
		}
		against("ana", "spruce")
		against("ben", "classic target=500")
		s := quick(t, c.come("cem"), lobby.QuickPrefs{})
		require.Equal(t, "classic", s.Config.RuleText)
		require.EqualValues(t, 3, s.Table, "a game of one's own, not one to 250 or 500")
		require.EqualValues(t, 1, quick(t, c.come("dia"), lobby.QuickPrefs{Game: "spruce"}).Table, "250 is usual there")
		for i, text := range []string{"classic target=500", "classic"} {
			v := c.come([]string{"eva", "fay"}[i])
			tab := sits(t, v, func(cfg *table.Config) { cfg.Rules, cfg.RuleText = ruleset(t, text), text })
			do(t, v, tab.ID(), table.Ready{On: true})
		}
		require.EqualValues(t, 5, quick(t, c.come("eli"), lobby.QuickPrefs{}).Table, "the usual game comes before the long one")
	})

	of := func(ruleText string, round int, scores ...int) *table.Summary {
		return &table.Summary{Config: table.Config{Rules: ruleset(t, ruleText), Seats: 2}, Round: round, Scores: scores}
	}
	require.True(t, lobby.MostlyAhead(of("classic", 3, 65, 0)))
	require.False(t, lobby.MostlyAhead(of("classic", 3, 0, 70)))
	require.False(t, lobby.MostlyAhead(of("spruce", 6, 120, 130)))
	require.True(t, lobby.MostlyAhead(of("classic rounds=6", 2, 90, 100)))
	require.False(t, lobby.MostlyAhead(of("classic rounds=6", 3, 0, 0)))
}

// If somebody keeps an open table and never becomes ready, newcomers still play at once, elsewhere.
func TestQuickPlayWaitsForNobody(t *testing.T) {
	bubble(t, func(t *testing.T, c *club) {
		host := c.guest("192.0.2.1")
		idle := sits(t, host)
		four := sits(t, host, func(cfg *table.Config) { cfg.Seats = 4 })
		do(t, host, four.ID(), table.Ready{On: true}) // which waits for two more
		for n := range 8 {
			host.Active()
			v := c.guest(fmt.Sprintf("10.9.%d.1", n))
			s := quick(t, v, lobby.QuickPrefs{})
			require.NotContains(t, []table.ID{idle.ID(), four.ID()}, s.Table)
			require.Equal(t, table.Playing, s.State)
			time.Sleep(20 * time.Second)
		}
	})
}

// A newcomer gets a round of their own against a novice, whoever waits elsewhere, and is no newcomer after a
// game, or after declining the guide. A person who has played before never is one.
func TestNewcomersFirstRound(t *testing.T) {
	bubble(t, func(t *testing.T, c *club) {
		ana, guest, shy := c.come("ana"), c.guest("192.0.2.1"), c.come("shy")
		quick(t, c.come("ben"), lobby.QuickPrefs{})
		for n, v := range []*lobby.Visit{ana, guest} {
			require.True(t, v.Newcomer())
			s := quick(t, v, lobby.QuickPrefs{Guide: true})
			require.Equal(t, table.Novice, s.Seats[1].House)
			require.True(t, s.Config.Guide)
			require.False(t, s.Config.Watchers)
			require.False(t, s.MayJoin(table.NewReader(shy.Player(), "", true)), "the lobby offers nobody else a seat")
			require.Equal(t, 1, s.Config.Rules.Rounds)
			require.Equal(t, s.Table, quick(t, v, lobby.QuickPrefs{Guide: true}).Table, "pressed twice")
			start := table.Start{Rules: s.Config.RuleText, Seats: []table.Player{v.Player(), s.Seats[1].Player}}
			lobby.OnEnd(c.Lobby)(table.GameID(100+n), start, table.Result{Winner: 2, Ending: table.EndPlayed, Scores: []int{0, 20}})
			require.False(t, v.Newcomer())
		}
		require.True(t, shy.Newcomer())
		require.NoError(t, shy.SaveSettings(t.Context(), lobby.Settings{NoGuide: true}))
		require.False(t, shy.Newcomer())
	})
}
