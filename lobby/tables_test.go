package lobby_test

import (
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

// Unready players at fifteen open tables, who press keys all the time, delay nobody who wants to play at
// once, and others no longer than the club allows.
func TestUnreadyPlayersAreStoodUp(t *testing.T) {
	bubble(t, func(t *testing.T, c *club) {
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
		require.Equal(t, table.Playing, s.State)
		require.EqualValues(t, 16, s.Table)
		ben := c.come("ben")
		do(t, ben, 1, table.Sit{})
		do(t, ben, 1, table.Ready{On: true})
		wait(46 * time.Second)
		require.Len(t, ben.MyTables(), 1)
		require.Empty(t, ben.MyTables()[0].Seats[0].Player.Name, "the player who was not ready has stood up")
		time.Sleep(300 * time.Second)
	})
}

func TestJoin(t *testing.T) {
	bubble(t, func(t *testing.T, c *club) {
		ana, ben, cem := c.come("ana"), c.come("ben"), c.come("cem")
		private := sits(t, ana, func(cfg *table.Config) { cfg.Access = table.AccessCode })
		public := sits(t, ana)
		id, err := ben.Join(ctx, " "+string(private.Code()[0]|0x20)+private.Code()[1:]+" ")
		require.NoError(t, err)
		require.Equal(t, private.ID(), id)
		id, err = ben.Join(ctx, private.Code())
		require.NoError(t, err, "who sits there is led back")
		require.Equal(t, private.ID(), id)
		require.ErrorIs(t, errOf(cem.Join(ctx, private.Code())), table.ErrFull)
		require.ErrorIs(t, errOf(cem.Join(ctx, "1")), table.ErrCode)
		id, err = cem.Join(ctx, "2")
		require.NoError(t, err)
		require.Equal(t, public.ID(), id)

		answers := make(chan error)
		for range 72 {
			go func() {
				_, err := cem.Join(ctx, "NOPE")
				answers <- err
			}()
		}
		tried := map[error]int{}
		for range 72 {
			tried[<-answers]++
		}
		require.Equal(t, map[error]int{lobby.ErrNoCode: 5, lobby.ErrManyCodes: 67}, tried)
		require.ErrorIs(t, errOf(cem.Join(ctx, private.Code())), lobby.ErrManyCodes, "nor does a right one tell itself")
		require.NoError(t, errOf(cem.Join(ctx, "2")), "a number is no code")
		time.Sleep(5 * time.Second)
		require.ErrorIs(t, errOf(cem.Join(ctx, "NOPE")), lobby.ErrNoCode)
	})
}

// Keys cost nothing, so tables are counted by network, too.
func TestTablesOfOneNetwork(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		c := open(t, func(cfg *lobby.Config) { cfg.TablesNet = 2 })
		home := func(o *lobby.Origin) { o.Net = "2001:db8::1" }
		ana, ben := c.come("ana", home), c.come("ben", func(o *lobby.Origin) { o.Net = "2001:db8::ffff" })
		sits(t, ana)
		sits(t, ben)
		require.ErrorIs(t, errOf(c.come("cleo", home).NewTable(ctx, table.DefaultConfig())), lobby.ErrManyFromHere)
		sits(t, c.come("dora", home, func(o *lobby.Origin) { o.Exempt = true }))
		sits(t, c.come("emil"))
	})
}

// Many addresses of one network, each with its share, do not fill the club either.
func TestTablesOfManyAddresses(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		c := open(t, func(cfg *lobby.Config) { cfg.TablesNet = 2 })
		made := 0
		for i := range 20 {
			if _, err := c.come(fmt.Sprint("ana", i), at(fmt.Sprintf("192.0.2.%d", i))).NewTable(ctx,
				table.DefaultConfig()); err == nil {
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
	synctest.Test(t, func(t *testing.T) {
		c := open(t, func(cfg *lobby.Config) { cfg.MaxTables, cfg.SeatsEach = 4, 2 })
		ana, ben := c.come("ana"), c.come("ben")
		require.Error(t, errOf(ana.NewTable(ctx, table.Config{Name: "\u202egnirts"})))
		cfg := table.DefaultConfig()
		cfg.Seats = 7
		require.ErrorIs(t, errOf(ana.NewTable(ctx, cfg)), table.ErrConfig)
		cfg = table.DefaultConfig()
		cfg.Name = "x"
		_, err := ana.NewTable(ctx, cfg)
		require.Equal(t, text.ErrTitleLength, err)
		cfg = table.DefaultConfig()
		cfg.Access, cfg.Seats, cfg.Rules, cfg.RuleText = table.AccessTeams, 4, rules.Block.Rules(), "block"
		require.ErrorIs(t, errOf(ana.NewTable(ctx, cfg)), lobby.ErrNoTeamOfYours)

		one, two := sits(t, ana), sits(t, ana)
		require.ErrorIs(t, errOf(ana.NewTable(ctx, table.DefaultConfig())), lobby.ErrManySeats)
		do(t, ana, one.ID(), table.Stand{})
		do(t, ana, two.ID(), table.Stand{})
		sits(t, ana)
		_, err = ana.NewTable(ctx, table.DefaultConfig())
		require.ErrorIs(t, err, lobby.ErrManyTables, "three of hers are open, though she sits at one")
		_, err = c.enter(ana.Account()).NewTable(ctx, table.DefaultConfig())
		require.ErrorIs(t, err, lobby.ErrManyTables, "in another session, too")
		sits(t, ben)
		require.ErrorIs(t, errOf(ben.NewTable(ctx, table.DefaultConfig())), lobby.ErrClubFull)
		wait(5 * time.Minute) // empty tables close
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

// Limits apply to people who press many times at once, too.
func TestLimitsAtOnce(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
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

// A table's newer summary is not replaced by an older one.
func TestOldSummaries(t *testing.T) {
	bubble(t, func(t *testing.T, c *club) {
		ana := c.come("ana")
		tab := sits(t, ana)
		old := *tab.Summary()
		do(t, ana, tab.ID(), table.AddBot{})
		lobby.OnChange(c.Lobby)(&old)
		require.Equal(t, table.Regular, seen(ana).Tables[0].Seats[1].House)
	})
}

// Nobody acts in somebody else's name.
func TestCommandsAreSigned(t *testing.T) {
	bubble(t, func(t *testing.T, c *club) {
		ana, ben := c.come("ana"), c.come("ben")
		tab := sits(t, ana)
		do(t, ben, tab.ID(), table.Sit{})
		require.Equal(t, "ben", tab.Summary().Seats[1].Name())
		do(t, ben, tab.ID(), table.Say{Text: "it is me"})
		sub, err := ana.Show(lobby.Place{Table: tab.ID()}).Watch(ctx)
		require.NoError(t, err)
		defer sub.Close()
		chat := sub.View().Chat
		require.Equal(t, "ben", chat[len(chat)-1].From.Name)
	})
}

// A line of chat under an id that was carried out is not repeated.
func TestALineIsSaidOnce(t *testing.T) {
	bubble(t, func(t *testing.T, c *club) {
		ana := c.come("ana")
		tab := sits(t, ana)
		for range 2 {
			require.NoError(t, ana.DoOnce(ctx, tab.ID(), "once", table.Say{Text: "hello"}))
			require.NoError(t, errOf(ana.SayOnce(ctx, tab.ID(), "as well", "how are you")))
			time.Sleep(10 * time.Second) // of the test's own clock: lines are counted
		}
		sub, err := ana.Show(lobby.Place{Table: tab.ID()}).Watch(ctx)
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

// People are led back to a game with a clock before one without, even if it is their move in both.
func TestClockLeadsBackFirst(t *testing.T) {
	bubble(t, func(t *testing.T, c *club) {
		ana, ben := c.come("ana"), c.come("ben")
		calm := sits(t, ana, func(cfg *table.Config) { cfg.Pace = table.PaceNone })
		begin(t, calm, ana, ben)
		timed := sits(t, ana)
		begin(t, timed, ana, ben)
		for _, v := range []*lobby.Visit{ana, ben} {
			at, seated := v.Seat()
			require.True(t, seated)
			require.Equal(t, timed.ID(), at)
		}
	})
}

// Slow games wait in a list, those with one's own move first, and lead nobody away from the lobby.
func TestYourMove(t *testing.T) {
	bubble(t, func(t *testing.T, c *club) {
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
