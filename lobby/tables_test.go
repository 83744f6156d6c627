package lobby_test

import (
	"context"
	"fmt"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/require"

	"boneyard/lobby"
	"boneyard/lobby/text"
	"boneyard/rules"
	"boneyard/table"
)

// Two people who press quick play at the same moment sit at one table.
func TestQuickPlayRace(t *testing.T) {
	bubble(t, func(t *testing.T) {
		c := open(t)
		c.store.Slow(time.Millisecond)
		for i := range 50 {
			one, two := c.come(fmt.Sprintf("ana%d", i)), c.come(fmt.Sprintf("ben%d", i))
			at := make(chan table.ID, 2)
			for _, v := range []*lobby.Visit{one, two} {
				go func() {
					id, err := v.QuickPlay(context.Background(), lobby.QuickPrefs{})
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

// quick has somebody press quick play, and returns the table they were led to.
func quick(t *testing.T, v *lobby.Visit, q lobby.QuickPrefs) *table.Summary {
	t.Helper()
	id, err := v.QuickPlay(context.Background(), q)
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
	bubble(t, func(t *testing.T) {
		c := open(t)
		ana, ben, cem, dia := c.come("ana"), c.come("ben"), c.come("cem"), c.come("dia")
		sits(t, dia, func(cfg *table.Config) { cfg.Access = table.AccessCode })
		sits(t, dia, func(cfg *table.Config) { cfg.Pace = table.PaceSlow })

		s := quick(t, ana, lobby.QuickPrefs{})
		require.EqualValues(t, 3, s.Table, "a private table and a slow one are not for strangers in a hurry")
		require.Equal(t, table.Regular, s.Seats[1].House, "with bots")
		require.Equal(t, "classic", s.Config.RuleText)
		require.Equal(t, table.Playing, s.State, "at once")
		require.EqualValues(t, 3, quick(t, ana, lobby.QuickPrefs{}).Table, "pressed twice")
		require.EqualValues(t, 4, quick(t, ben, lobby.QuickPrefs{Game: "block"}).Table, "another game")
		require.Equal(t, 4, c.Stats().Tables)
		s = quick(t, cem, lobby.QuickPrefs{Seats: 2})
		require.EqualValues(t, 3, s.Table)
		require.Equal(t, "cem", s.Seats[1].Next.Name, "the bot makes room after the round")
		require.EqualValues(t, 3, quick(t, cem, lobby.QuickPrefs{}).Table, "pressed twice")
		require.EqualValues(t, 4, quick(t, dia, lobby.QuickPrefs{}).Table, "the seat of another bot")
		_, err := ana.QuickPlay(context.Background(), lobby.QuickPrefs{Game: "canasta"})
		require.Error(t, err)
	})
}

// Nobody is led to a table where watchers see the hands, neither before a game nor in one, but those who have chosen it.
func TestQuickPlayPassesOpenHandsBy(t *testing.T) {
	bubble(t, func(t *testing.T) {
		c := open(t)
		ana, ben, cem := c.come("ana"), c.come("ben"), c.come("cem")
		openHands := func(cfg *table.Config) { cfg.OpenHands = true }
		waits := sits(t, ana, openHands)
		s := quick(t, ben, lobby.QuickPrefs{})
		require.NotEqual(t, waits.ID(), s.Table, "a seat is free there, and ana is awake")
		ben.Close(table.Left)

		dia := c.come("dia")
		played := sits(t, dia, openHands, func(cfg *table.Config) { cfg.Fill = table.FillNow })
		require.NoError(t, dia.Do(context.Background(), played.ID(), table.Ready{On: true}))
		time.Sleep(6 * time.Second) // the countdown
		synctest.Wait()
		require.Equal(t, table.Playing, played.Summary().State)
		require.NotEqual(t, played.ID(), quick(t, cem, lobby.QuickPrefs{}).Table, "the seat of a bot")

		eli := c.come("eli")
		require.NoError(t, eli.Do(context.Background(), played.ID(), table.Sit{}))
		synctest.Wait()
		require.Equal(t, played.ID(), quick(t, eli, lobby.QuickPrefs{}).Table, "who is about to take a seat over")
	})
}

// Nobody is led to a table where somebody sleeps, neither before a game nor in one.
func TestQuickPlayPassesTheIdleBy(t *testing.T) {
	bubble(t, func(t *testing.T) {
		c := open(t)
		ana, ben := c.come("ana"), c.come("ben")
		waits := sits(t, ana)
		require.Equal(t, waits.ID(), quick(t, ben, lobby.QuickPrefs{}).Table, "ana has just made it")
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

// Quick play avoids strangers' long games: it takes over a bot's seat only in a short game that has just begun, and tables that wait for a
// long game come last.
func TestQuickPlayPrefersShortAndFreshGames(t *testing.T) {
	bubble(t, func(t *testing.T) {
		c := open(t)
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
			sits(t, c.come([]string{"eva", "fay"}[i]), func(cfg *table.Config) { cfg.Rules, cfg.RuleText = ruleset(t, text), text })
		}
		require.EqualValues(t, 5, quick(t, c.come("eli"), lobby.QuickPrefs{}).Table, "the usual game comes before the long one")
	})

	of := func(ruleText string, round int, scores ...int) *table.Summary {
		return &table.Summary{Config: table.Config{Rules: ruleset(t, ruleText), Seats: 2}, Round: round, Scores: scores}
	}
	require.True(t, lobby.Fresh(of("classic", 3, 65, 0)))
	require.False(t, lobby.Fresh(of("classic", 3, 0, 70)))
	require.False(t, lobby.Fresh(of("spruce", 6, 120, 130)))
	require.True(t, lobby.Fresh(of("classic rounds=6", 2, 90, 100)))
	require.False(t, lobby.Fresh(of("classic rounds=6", 3, 0, 0)))
}

// Unready players at fifteen open tables, who press keys all the time, hold nobody up for longer than the club allows.
func TestUnreadyPlayersAreStoodUp(t *testing.T) {
	bubble(t, func(t *testing.T) {
		c := open(t)
		for i := range 15 {
			trap := c.come(fmt.Sprintf("trap%d", i))
			sits(t, trap)
			go func() {
				for range 300 {
					time.Sleep(time.Second)
					trap.Active()
				}
			}()
		}
		ana := c.come("ana")
		s := quick(t, ana, lobby.QuickPrefs{})
		require.Equal(t, table.Gathering, s.State)
		time.Sleep(45 * time.Second)
		synctest.Wait()
		s = quick(t, ana, lobby.QuickPrefs{})
		require.Equal(t, table.Playing, s.State, "with a bot for the player who was not ready")
		require.Equal(t, table.Regular, s.Seats[0].House)
		time.Sleep(300 * time.Second)
	})
}

func TestJoin(t *testing.T) {
	bubble(t, func(t *testing.T) {
		ctx := context.Background()
		c := open(t)
		ana, ben, cem := c.come("ana"), c.come("ben"), c.come("cem")
		private := sits(t, ana, func(cfg *table.Config) { cfg.Access = table.AccessCode })
		public := sits(t, ana)
		id, err := ben.Join(ctx, " "+string(private.Code()[0]|0x20)+private.Code()[1:]+" ")
		require.NoError(t, err)
		require.Equal(t, private.ID(), id)
		id, err = ben.Join(ctx, private.Code())
		require.NoError(t, err, "who sits there is led back")
		require.Equal(t, private.ID(), id)
		_, err = cem.Join(ctx, private.Code())
		require.ErrorIs(t, err, table.ErrFull)
		_, err = cem.Join(ctx, "1")
		require.ErrorIs(t, err, table.ErrCode)
		id, err = cem.Join(ctx, "2")
		require.NoError(t, err)
		require.Equal(t, public.ID(), id)

		for range 5 {
			_, err = cem.Join(ctx, "NOPE")
			require.ErrorIs(t, err, lobby.ErrNoCode)
		}
		_, err = cem.Join(ctx, "NOPE")
		require.ErrorIs(t, err, lobby.ErrManyCodes)
		_, err = cem.Join(ctx, private.Code())
		require.ErrorIs(t, err, lobby.ErrManyCodes, "nor does a right one tell itself")
		_, err = cem.Join(ctx, "2")
		require.NoError(t, err, "a number is no code")
		time.Sleep(5 * time.Second)
		_, err = cem.Join(ctx, "NOPE")
		require.ErrorIs(t, err, lobby.ErrNoCode)
	})
}

// Keys cost nothing, so tables are counted by network, too.
func TestTablesOfOneNetwork(t *testing.T) {
	bubble(t, func(t *testing.T) {
		ctx := context.Background()
		c := open(t, func(cfg *lobby.Config) { cfg.TablesNet = 2 })
		home := func(o *lobby.Origin) { o.Net = "2001:db8::1" }
		ana, ben := c.come("ana", home), c.come("ben", func(o *lobby.Origin) { o.Net = "2001:db8::ffff" })
		sits(t, ana)
		sits(t, ben)
		_, err := c.come("cleo", home).NewTable(ctx, table.DefaultConfig())
		require.ErrorIs(t, err, lobby.ErrManyFromHere)
		sits(t, c.come("dora", home, func(o *lobby.Origin) { o.Exempt = true }))
		sits(t, c.come("emil"))
	})
}

// Many addresses of one network, each with its share, do not fill the club either.
func TestTablesOfManyAddresses(t *testing.T) {
	bubble(t, func(t *testing.T) {
		c := open(t, func(cfg *lobby.Config) { cfg.TablesNet = 2 })
		made := 0
		for i := range 20 {
			if _, err := c.come(fmt.Sprint("ana", i), at(fmt.Sprintf("192.0.2.%d", i))).NewTable(context.Background(), table.DefaultConfig()); err == nil {
				made++
			} else {
				require.ErrorIs(t, err, lobby.ErrManyFromHere)
			}
		}
		require.Equal(t, 6, made)
		sits(t, c.come("emil", at("198.51.100.1")))
	})
}

func TestLimits(t *testing.T) {
	bubble(t, func(t *testing.T) {
		ctx := context.Background()
		c := open(t, func(cfg *lobby.Config) { cfg.MaxTables, cfg.SeatsEach = 4, 2 })
		ana, ben := c.come("ana"), c.come("ben")
		_, err := ana.NewTable(ctx, table.Config{Name: "\u202egnirts"})
		require.Error(t, err)
		cfg := table.DefaultConfig()
		cfg.Seats = 7
		_, err = ana.NewTable(ctx, cfg)
		require.ErrorIs(t, err, table.ErrConfig)
		cfg = table.DefaultConfig()
		cfg.Name = "x"
		_, err = ana.NewTable(ctx, cfg)
		require.Equal(t, text.ErrTitleLength, err)
		cfg = table.DefaultConfig()
		cfg.Access, cfg.Seats, cfg.Rules, cfg.RuleText = table.AccessTeams, 4, rules.Block.Rules(), "block"
		_, err = ana.NewTable(ctx, cfg)
		require.ErrorIs(t, err, lobby.ErrNoTeamOfYours)

		one, two := sits(t, ana), sits(t, ana)
		_, err = ana.NewTable(ctx, table.DefaultConfig())
		require.ErrorIs(t, err, lobby.ErrManySeats)
		do(t, ana, one.ID(), table.Stand{})
		do(t, ana, two.ID(), table.Stand{})
		sits(t, ana)
		_, err = ana.NewTable(ctx, table.DefaultConfig())
		require.ErrorIs(t, err, lobby.ErrManyTables, "three of hers are open, though she sits at one")
		_, err = c.enter(ana.Account()).NewTable(ctx, table.DefaultConfig())
		require.ErrorIs(t, err, lobby.ErrManyTables, "in another session, too")
		sits(t, ben)
		_, err = ben.NewTable(ctx, table.DefaultConfig())
		require.ErrorIs(t, err, lobby.ErrClubFull)
		time.Sleep(5 * time.Minute) // empty tables close
		synctest.Wait()
		require.Equal(t, 2, c.Stats().Tables)
		sits(t, ana)

		for range 40 {
			err = ben.Do(ctx, 3, table.Ready{})
			if err != table.ErrNotSeated {
				break
			}
		}
		require.ErrorIs(t, err, lobby.ErrTooFast)
		time.Sleep(time.Second)
		require.ErrorIs(t, ben.Do(ctx, 3, table.Ready{}), table.ErrNotSeated)
		require.ErrorIs(t, ben.Do(ctx, 99, table.Ready{}), lobby.ErrNoTable)
		require.ErrorIs(t, ben.Do(ctx, 3, table.Close{}), lobby.ErrOperatorsOnly)
	})
}

// Limits hold, too, for who presses many times at once.
func TestLimitsAtOnce(t *testing.T) {
	bubble(t, func(t *testing.T) {
		ctx := context.Background()
		c := open(t, func(cfg *lobby.Config) { cfg.SeatsEach = 2 })
		c.store.Slow(time.Millisecond)
		ana := c.come("ana")
		for range 15 {
			go func() { _, _ = ana.NewTable(ctx, table.DefaultConfig()) }()
		}
		synctest.Wait()
		time.Sleep(time.Second)
		require.LessOrEqual(t, c.Stats().Tables, 3)
		for _, name := range []string{"ben", "cem", "dia"} {
			sits(t, c.come(name))
		}
		time.Sleep(time.Second)
		eve := c.come("eve")
		for _, s := range eve.Snapshot().Tables {
			go func() { _ = eve.Do(ctx, s.Table, table.Sit{}) }()
		}
		synctest.Wait()
		time.Sleep(time.Second)
		require.Len(t, eve.MyTables(), 2)
	})
}

// What a table has said later is not overtaken by what it said before.
func TestOldSummaries(t *testing.T) {
	bubble(t, func(t *testing.T) {
		c := open(t)
		ana := c.come("ana")
		tab := sits(t, ana)
		old := *tab.Summary()
		do(t, ana, tab.ID(), table.AddBot{})
		lobby.OnChange(c.Lobby)(old)
		require.Equal(t, table.Regular, seen(ana).Tables[0].Seats[1].House)
	})
}

// Nobody acts in somebody else's name.
func TestCommandsAreSigned(t *testing.T) {
	bubble(t, func(t *testing.T) {
		c := open(t)
		ana, ben := c.come("ana"), c.come("ben")
		tab := sits(t, ana)
		do(t, ben, tab.ID(), table.Sit{})
		require.Equal(t, "ben", tab.Summary().Seats[1].Name())
		do(t, ben, tab.ID(), table.Say{Text: "it is me"})
		sub, err := ana.Show(lobby.Place{Table: tab.ID()}).Watch(context.Background())
		require.NoError(t, err)
		defer sub.Close()
		chat := sub.View().Chat
		require.Equal(t, "ben", chat[len(chat)-1].From.Name)
	})
}

// A line of chat under an id that was carried out is not said again.
func TestALineIsSaidOnce(t *testing.T) {
	bubble(t, func(t *testing.T) {
		c := open(t)
		ana := c.come("ana")
		tab := sits(t, ana)
		for range 2 {
			require.NoError(t, ana.DoOnce(context.Background(), tab.ID(), "once", table.Say{Text: "hello"}))
			_, err := ana.SayOnce(context.Background(), tab.ID(), "as well", "how are you")
			require.NoError(t, err)
			time.Sleep(10 * time.Second) // of the test's own clock: lines are counted
		}
		sub, err := ana.Show(lobby.Place{Table: tab.ID()}).Watch(context.Background())
		require.NoError(t, err)
		defer sub.Close()
		var said []string
		for _, l := range sub.View().Chat {
			if !l.House {
				said = append(said, l.Text)
			}
		}
		require.Equal(t, []string{"hello", "how are you"}, said)
	})
}

// summary is a table with people at its seats; "" is a free seat, "+" a bot.
func summary(id table.ID, state table.State, seats ...string) table.Summary {
	cfg := table.DefaultConfig()
	s := table.Summary{Table: id, State: state, Config: cfg, Turn: 1}
	for _, name := range seats {
		var v table.SeatView
		switch name {
		case "":
		case "+":
			v.Player.Name, v.House = "nora.bot", table.Regular
		default:
			v.Player = table.Player{Name: name, ID: table.PlayerID(name[0])}
		}
		s.Seats = append(s.Seats, v)
	}
	return s
}

func TestSorting(t *testing.T) {
	ana := table.Player{ID: 'a', Name: "ana", Team: 7}
	with := func(s table.Summary, f func(*table.Summary)) table.Summary { f(&s); return s }
	teams := func(ids ...table.TeamID) func(*table.Summary) {
		return func(s *table.Summary) { s.Config.Access = table.AccessTeams; copy(s.Config.Teams[:], ids) }
	}
	s := &lobby.Snapshot{Tables: lobby.Sorted([]table.Summary{
		summary(1, table.Finished, "x", "y"),
		with(summary(2, table.Playing, "+", "+"), func(s *table.Summary) { s.Config.House = true }),
		summary(3, table.Playing, "x", "y"),
		with(summary(4, table.Playing, "x", "y"), func(s *table.Summary) { s.Config.Watchers = false }),
		with(summary(5, table.Gathering, "x", ""), func(s *table.Summary) { s.Config.Access = table.AccessCode }),
		summary(6, table.Gathering, "", ""),
		summary(7, table.Gathering, "x", "+"),
		summary(8, table.Finished, "x", ""),
		with(summary(9, table.Gathering, "x", "", "", ""), teams(7, 8)),
		with(summary(10, table.Gathering, "x", "", "", ""), teams(5, 6)),
		summary(11, table.Playing, "x", "ana"),
		summary(12, table.Playing, "ana", "y"),
		with(summary(13, table.Gathering, "x", "", "", ""), teams(8)),
		summary(14, table.Finished, "x", "+"),
		summary(15, table.Adjourned, "x", "y"),
		summary(16, table.Paused, "x", "y"),
		with(summary(17, table.Finished, "+", "+"), func(s *table.Summary) { s.Config.House = true }),
		summary(18, table.Finished, "ana", "y"),
	})}
	var order []table.ID
	joinable := map[table.ID]bool{}
	for _, sum := range s.SortFor(ana) {
		order = append(order, sum.Table)
		joinable[sum.Table] = sum.MayJoin(ana)
	}
	require.Equal(t, []table.ID{12, 11, 18, 9, 13, 7, 6, 5, 10, 3, 16, 2, 4, 15, 17, 8, 1, 14}, order)
	for id, want := range map[table.ID]bool{7: true, 8: true, 9: true, 13: true, 6: true, 5: false, 10: false, 11: false, 14: false} {
		require.Equal(t, want, joinable[id], "table %d", id)
	}
	require.EqualValues(t, 7, s.Tables[0].Table, "the snapshot stays as it is")
}

func TestFilter(t *testing.T) {
	ana := table.Player{ID: 'a', Name: "ana"}
	playing, open := summary(17, table.Playing, "ana", "y"), summary(4, table.Gathering, "Xenia", "")
	open.Config.Name = "Corner table"
	for _, tt := range []struct {
		f    lobby.Filter
		want string
	}{
		{lobby.Filter{}, "17 4"},
		{lobby.Filter{Joinable: true}, "4"},
		{lobby.Filter{Mine: true}, "17"},
		{lobby.Filter{Access: table.AccessCode}, ""},
		{lobby.Filter{Game: "classic", Pace: table.PaceRelaxed}, "17 4"},
		{lobby.Filter{Game: "block"}, ""},
		{lobby.Filter{Text: "xen"}, "4"},
		{lobby.Filter{Text: "CORNER"}, "4"},
		{lobby.Filter{Text: "17"}, "17"},
	} {
		got := ""
		for _, s := range []*table.Summary{&playing, &open} {
			if tt.f.Match(s, ana) {
				got += fmt.Sprint(" ", s.Table)
			}
		}
		require.Equal(t, tt.want, strip(got), "%+v", tt.f)
	}
}

func strip(s string) string {
	if s == "" {
		return s
	}
	return s[1:]
}

// Slow games wait in a list, those with one's own move first, and lead nobody away from the lobby.
func TestYourMove(t *testing.T) {
	bubble(t, func(t *testing.T) {
		c := open(t)
		a, ben := c.member("ana"), c.come("ben")
		ana := c.enter(a)
		for range 3 {
			tab := sits(t, ana, func(cfg *table.Config) { cfg.Pace = table.PaceSlow })
			begin(t, tab, ana, ben)
		}
		_, seated := ana.Seat()
		require.False(t, seated)
		for _, v := range []*lobby.Visit{ana, ben} {
			list := v.MyTables()
			require.Len(t, list, 3)
			for i, s := range list {
				if i > 0 && s.MoveOf(v.Player().ID) {
					require.True(t, list[i-1].MoveOf(v.Player().ID))
				}
			}
		}
		live := sits(t, ana)
		at, seated := ana.Seat()
		require.True(t, seated)
		require.Equal(t, live.ID(), at)
	})
}
