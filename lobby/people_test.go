package lobby_test

import (
	"context"
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/require"

	"boneyard/lobby"
	"boneyard/lobby/text"
	"boneyard/table"
)

func TestRegister(t *testing.T) {
	c := open(t)
	key := lobby.KeyID{7}
	require.ErrorIs(t, errOf(c.Account(ctx, key)), lobby.ErrNotFound)
	a, err := c.Register(ctx, lobby.Origin{Key: key}, "Ana")
	require.NoError(t, err)
	require.Equal(t, "Ana", a.Name)
	found, err := c.Account(ctx, key)
	require.NoError(t, err)
	require.Equal(t, a, found)

	for name, want := range map[string]error{
		"Ana": lobby.ErrNameTaken, "ANA": lobby.ErrNameTaken, "a-n-a": lobby.ErrNameTaken, "x": text.ErrNameLength,
		"guest-maple": text.ErrReserved, "nora-bot": text.ErrReserved, "nora": nil, "an\x1b[1m": text.ErrNameLetters,
	} {
		require.Equal(t, want, c.CheckName(ctx, lobby.Origin{}, name), name)
	}
	require.ErrorIs(t, errOf(c.Register(ctx, lobby.Origin{Key: lobby.KeyID{8}}, "ana")), lobby.ErrNameTaken)
	require.ErrorIs(t, errOf(c.Register(ctx, lobby.Origin{Key: key}, "ben")), lobby.ErrHasAccount)
	require.ErrorIs(t, errOf(c.Register(ctx, lobby.Origin{}, "ben")), lobby.ErrMembersOnly)

	require.Equal(t, "josie", c.ProposeName(ctx, "josie"))
	taken := c.ProposeName(ctx, "ana")
	require.NotEqual(t, "ana", taken)
	require.NoError(t, c.CheckName(ctx, lobby.Origin{}, taken))
}

func TestGuests(t *testing.T) {
	bubble(t, func(t *testing.T, c *club) {
		seenNames, seenIDs := map[string]bool{}, map[table.PlayerID]bool{}
		for i := range 400 {
			p := c.guest(fmt.Sprintf("10.1.%d.%d", i/250, i%250)).Player()
			require.True(t, p.ID.Guest())
			require.True(t, strings.HasPrefix(p.Name, "guest-"), p.Name)
			require.LessOrEqual(t, len(p.Name), text.MaxName)
			require.ErrorIs(t, c.CheckName(ctx, lobby.Origin{}, p.Name), text.ErrReserved, "no member can have a guest's name")
			require.False(t, seenNames[text.Skeleton(p.Name)], "%s twice", p.Name)
			require.False(t, seenIDs[p.ID])
			seenNames[text.Skeleton(p.Name)], seenIDs[p.ID] = true, true
		}
		g := c.guest("10.2.0.1")
		require.Nil(t, g.Account())
		require.NoError(t, g.SaveSettings(ctx, lobby.Settings{Theme: "light"}))
		require.Equal(t, "light", g.Settings().Theme)
		require.ErrorIs(t, errOf(g.CreateTeam(ctx, "The Bones", "BON")), lobby.ErrMembersOnly)
	})
}

func TestGuestPolicy(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		c := open(t, func(cfg *lobby.Config) { cfg.Guests = lobby.GuestsWatch })
		ana, g := c.come("ana"), c.guest("10.1.0.1")
		tab := sits(t, ana)
		require.ErrorIs(t, g.Do(ctx, tab.ID(), table.Sit{}), lobby.ErrGuestsWatch)
		require.ErrorIs(t, errOf(g.QuickPlay(ctx, lobby.QuickPrefs{})), lobby.ErrGuestsWatch)
		require.ErrorIs(t, errOf(g.NewTable(ctx, table.DefaultConfig())), lobby.ErrGuestsWatch)
		sub, err := g.Show(lobby.Place{Table: tab.ID()}).Watch(ctx)
		require.NoError(t, err)
		sub.Close()
		say(t, g, "I only look")

		off := open(t, func(cfg *lobby.Config) { cfg.Guests = lobby.GuestsOff })
		require.ErrorIs(t, errOf(off.Enter(ctx, nil, lobby.Origin{Net: "10.1.0.1"})), lobby.ErrNoGuests)
		off.come("ben")
	})
}

// presence is how a player's seat is shown in the lobby.
func presence(v *lobby.Visit, name string) table.Presence {
	for _, s := range seen(v).Tables {
		for _, seat := range s.Seats {
			if seat.Player.Name == name {
				return seat.Presence
			}
		}
	}
	return ""
}

// Others see whether a player has left or was disconnected; reconnecting by key leads back to the seat.
func TestLinesAreLostAndFound(t *testing.T) {
	bubble(t, func(t *testing.T, c *club) {
		a := c.member("ana")
		ana, ben := c.enter(a), c.come("ben")
		tab := sits(t, ana)
		begin(t, tab, ana, ben)
		require.Equal(t, table.Here, presence(ben, "ana"))

		ana.Close(table.Disconnected)
		ana.Close(table.Left) // the first word counts
		require.Equal(t, table.Disconnected, presence(ben, "ana"))
		require.Equal(t, []string{"ben"}, names(ben.Snapshot()))
		ana = c.enter(a)
		at, seated := ana.Seat()
		require.True(t, seated)
		require.Equal(t, tab.ID(), at)
		require.Equal(t, table.Here, presence(ben, "ana"))

		second := c.enter(a)
		ana.Close(table.Left)
		require.Equal(t, table.Here, presence(ben, "ana"), "another session is still here")
		second.Close(table.Left)
		require.Equal(t, table.Left, presence(ben, "ana"))
		require.ErrorIs(t, second.Do(ctx, tab.ID(), table.Resign{}), lobby.ErrOver)
	})
}

// The last presence that a table hears of is true, whatever comes and goes at the same moment.
func TestPresenceSettles(t *testing.T) {
	bubble(t, func(t *testing.T, c *club) {
		a := c.member("ana")
		ana, ben := c.enter(a), c.come("ben")
		tab := sits(t, ana)
		begin(t, tab, ana, ben)
		for range 50 {
			last := c.enter(a)
			go ana.Close(table.Disconnected)
			go c.enter(a).Close(table.Left)
			synctest.Wait()
			require.Equal(t, table.Here, tab.Summary().Seats[0].Presence)
			ana = last
			go func() { c.enter(a).Close(table.Left) }()
			go ana.Close(table.Left)
			synctest.Wait()
			require.Equal(t, table.Left, tab.Summary().Seats[0].Presence)
			ana = c.enter(a)
		}
	})
}

// A player who leaves between a command and its effect does not hold a seat as if present.
func TestGoneBeforeSitting(t *testing.T) {
	bubble(t, func(t *testing.T, c *club) {
		ana, ben := c.come("ana"), c.come("ben")
		tab := sits(t, ana)
		c.store.Slow(time.Millisecond)
		go func() { _ = ben.Do(ctx, tab.ID(), table.Sit{}) }()
		synctest.Wait()
		ben.Close(table.Disconnected)
		wait(100 * time.Millisecond)
		require.Equal(t, "ben", tab.Summary().Seats[1].Name())
		require.Equal(t, table.Disconnected, tab.Summary().Seats[1].Presence)
	})
}

// A guest whose session moves to another node keeps identity and seat, unless the name is taken by then.
func TestAGuestsSessionGoesOn(t *testing.T) {
	bubble(t, func(t *testing.T, c *club) {
		c.deps = func(d *lobby.Deps) {
			d.Table.Times = table.DefaultTimes()
			d.Table.Times.Guest = 15 * time.Second
		}
		c.restart()
		ana := c.member("ana")
		g := c.guest("10.1.0.1")
		who := g.Player()
		tab := sits(t, g)
		begin(t, tab, g, c.enter(ana))
		again := func(was lobby.Guest) *lobby.Visit {
			v, err := c.Enter(t.Context(), nil, lobby.Origin{Net: "10.1.0.1", Guest: was})
			require.NoError(t, err)
			return v
		}
		was := lobby.Guest{ID: who.ID, Name: who.Name}

		c.restart()
		c.enter(ana)
		g = again(was)
		require.Equal(t, who.ID, g.Player().ID)
		require.Equal(t, who.Name, g.Player().Name)
		at, seated := g.Seat()
		require.True(t, seated)
		require.Equal(t, tab.ID(), at)
		time.Sleep(time.Minute)
		seen(g)
		require.Equal(t, table.Here, g.MyTables()[0].Seats[0].Presence)

		second := again(was)
		g.Close(table.Disconnected)
		require.Equal(t, who.ID, second.Player().ID, "a line that hangs, and the one that replaces it")
		time.Sleep(time.Minute)
		require.Equal(t, table.Here, second.MyTables()[0].Seats[0].Presence)

		other := c.guest("10.2.0.1").Player()
		require.NotEqual(t, other.Name, again(lobby.Guest{ID: -5, Name: other.Name}).Player().Name)
		for _, wrong := range []lobby.Guest{{ID: 1, Name: "guest-elm"}, {ID: -6, Name: "ana"}, {ID: -7}, {Name: "guest-elm"}} {
			p := again(wrong).Player()
			require.True(t, p.ID.Guest())
			require.NotEqual(t, wrong.ID, p.ID)
		}
	})
}

// A guest's name is not reused while a seat is played under it.
func TestGuestsNamesAreKept(t *testing.T) {
	bubble(t, func(t *testing.T, c *club) {
		ana, g := c.come("ana"), c.guest("10.1.0.1")
		tab := sits(t, ana)
		begin(t, tab, ana, g)
		name := g.Player().Name
		g.Close(table.Left)
		synctest.Wait()
		require.Equal(t, name, tab.Summary().Seats[1].Name(), "a bot plays on under the name in the record")
		for i := range 300 {
			require.NotEqual(t, name, c.guest(fmt.Sprintf("10.2.%d.%d", i/250, i%250)).Player().Name)
		}
	})
}

// A person who opens their seat in another session takes it over: the old session gets a notice and is over.
func TestSeatIsTakenOver(t *testing.T) {
	bubble(t, func(t *testing.T, c *club) {
		a := c.member("ana")
		old, ben := c.enter(a), c.come("ben")
		tab := sits(t, old)
		begin(t, tab, old, ben)
		sub, err := old.Show(lobby.Place{Table: tab.ID()}).Watch(ctx)
		require.NoError(t, err)
		defer sub.Close()

		inLobby, other := c.enter(a), c.enter(a)
		again, err := other.Show(lobby.Place{Table: tab.ID()}).Watch(ctx)
		require.NoError(t, err)
		defer again.Close()
		require.EqualValues(t, 1, again.View().POV)
		select {
		case why := <-old.Kicked():
			require.Equal(t, "Your seat at table 1 was taken over by another session of yours.", why)
		default:
			t.Fatal("the old session was not told")
		}
		require.ErrorIs(t, old.Do(ctx, tab.ID(), table.Resign{}), lobby.ErrOver)
		require.ErrorIs(t, errOf(old.Show(lobby.Place{Table: tab.ID()}).Watch(ctx)), lobby.ErrOver)
		require.ErrorIs(t, errOf(old.Say(ctx, "hello?")), lobby.ErrOver)
		require.Empty(t, inLobby.Kicked(), "a session that looks at something else stays")
		require.Equal(t, table.Here, presence(ben, "ana"))
		old.Close(table.Disconnected)
		require.Equal(t, table.Here, presence(ben, "ana"), "the end of the old session is nobody's loss")

		// Nor does a session that has turned away before the table answered.
		turned, cancel := context.WithCancel(ctx)
		cancel()
		require.ErrorIs(t, errOf(inLobby.Show(lobby.Place{Table: tab.ID()}).Watch(turned)), context.Canceled)
		require.Empty(t, other.Kicked())

		// Watching from the gallery takes nothing over.
		w := c.member("wim")
		one, two := c.enter(w), c.enter(w)
		for _, v := range []*lobby.Visit{one, two} {
			s, err := v.Show(lobby.Place{Table: tab.ID()}).Watch(ctx)
			require.NoError(t, err)
			defer s.Close()
		}
		require.Empty(t, one.Kicked())
	})
}

// Two moves at once from two sessions of one key: one counts.
func TestTwoMovesAtOnce(t *testing.T) {
	bubble(t, func(t *testing.T, c *club) {
		people := map[string][2]*lobby.Visit{}
		for _, name := range []string{"ana", "ben"} {
			a := c.member(name)
			people[name] = [2]*lobby.Visit{c.enter(a), c.enter(a)}
		}
		tab := sits(t, people["ana"][0])
		begin(t, tab, people["ana"][0], people["ben"][0])
		for range 10 {
			s := tab.Summary()
			if s.State != table.Playing || s.Turn == 0 {
				break
			}
			both := people[s.Seats[s.Turn-1].Player.Name]
			sub, err := both[0].Show(lobby.Place{Table: tab.ID()}).Watch(ctx)
			require.NoError(t, err)
			v := sub.View()
			sub.Close()
			if len(v.Play.Options) == 0 {
				wait(2 * time.Second) // a draw or a pass goes by itself
				continue
			}
			o := v.Play.Options[0]
			move := table.Move{Version: v.Version}
			move.Move.Seat, move.Move.Kind, move.Move.Tile, move.Move.Arm = v.POV, v.Play.Duty, o.Tile, o.Arm
			errs := make(chan error, 2)
			for _, session := range both {
				go func() { errs <- session.Do(ctx, tab.ID(), move) }()
			}
			one, two := <-errs, <-errs
			require.True(t, (one == nil) != (two == nil), "%v, %v", one, two)
		}
	})
}

// Games of players from one network change nobody's rating, and nobody learns an address.
func TestOneNetworkIsCasual(t *testing.T) {
	for nets, rated := range map[[2]string]bool{
		{"2001:db8::1", "2001:db8::2"}:         false,
		{"2001:db8::1", "2001:db8:0:1::1"}:     true,
		{"203.0.113.1", "::ffff:203.0.113.1"}:  false,
		{"203.0.113.1", "203.0.113.2"}:         true,
		{"203.0.113.1/32", "203.0.113.1"}:      false,
		{"2001:db8:7::/64", "2001:db8:7::abc"}: false,
	} {
		t.Run(fmt.Sprint(nets), inClub(func(t *testing.T, c *club) {
			from := func(i int) func(*lobby.Origin) { return func(o *lobby.Origin) { o.Net = nets[i] } }
			ana, ben := c.come("ana", from(0)), c.come("ben", from(1))
			tab := sits(t, ana)
			begin(t, tab, ana, ben)
			require.Equal(t, rated, tab.Summary().Rated)
		}))
	}
}

func TestDoing(t *testing.T) {
	bubble(t, func(t *testing.T, c *club) {
		a := c.member("ana")
		ana, ben, wim := c.enter(a), c.come("ben"), c.come("wim")
		doing := func() string {
			var list []string
			for _, p := range seen(wim).People {
				list = append(list, p.Player.Name+" "+p.Doing)
			}
			return strings.Join(list, ", ")
		}
		watch := func(v *lobby.Visit, id table.ID) {
			v.Show(lobby.Place{})
			sub, err := v.Show(lobby.Place{Table: id}).Watch(ctx)
			require.NoError(t, err)
			t.Cleanup(sub.Close)
		}
		tab := sits(t, ana)
		require.Equal(t, "ana in the lobby, ben in the lobby, wim in the lobby", doing())
		watch(ana, 1)
		watch(ben, 1)
		require.Equal(t, "ana sits at 1, ben watches 1, wim in the lobby", doing())
		begin(t, tab, ana, ben)
		require.Equal(t, "ana plays at 1, ben plays at 1, wim in the lobby", doing())
		turned, cancel := context.WithCancel(ctx)
		cancel()
		require.ErrorIs(t, errOf(wim.Show(lobby.Place{Table: 1}).Watch(turned)), context.Canceled)
		require.Equal(t, "ana plays at 1, ben plays at 1, wim in the lobby", doing(), "wim turned away before the table answered")
		ben.Show(lobby.Place{Club: true})
		require.Equal(t, "ana plays at 1, ben plays at 1, wim in the lobby", doing(), "somebody who looks at the lobby still plays")
		where := func(asks *lobby.Visit, name string) string {
			said, err := asks.Where(name)
			require.NoError(t, err)
			return said
		}
		require.Contains(t, where(wim, "ana"), "ana plays at 1, here for less than a minute.")
		wim.Active()
		time.Sleep(4 * time.Minute)
		require.Contains(t, where(ana, "wim"), "wim is in the lobby, idle 4 min")

		other := sits(t, wim)
		watch(c.enter(a), other.ID())
		require.Contains(t, where(wim, "ana"), "ana plays at 1, here", "what another session watches matters less than a seat")
	})
}

// After a restart everything is as before: tables, seats, news, chat; and a guest's number is not reused.
func TestRestart(t *testing.T) {
	bubble(t, func(t *testing.T, c *club) {
		a, b := c.member("ana"), c.member("ben")
		ana, ben := c.enter(a), c.enter(b)
		tab := sits(t, ana)
		begin(t, tab, ana, ben)
		private := sits(t, ana, func(cfg *table.Config) { cfg.Access = table.AccessCode })
		before := tab.Summary()

		c.restart()
		require.NotEmpty(t, ana.Kicked())
		ana = c.enter(a)
		require.Len(t, ana.Snapshot().Tables, 2, "also for whoever enters at once")
		at, seated := ana.Seat()
		require.True(t, seated)
		require.Equal(t, tab.ID(), at)
		s := seen(ana)
		require.Len(t, s.Tables, 2)
		mine := ana.MyTables()[0]
		require.Equal(t, before.Game, mine.Game)
		require.Equal(t, before.Scores, mine.Scores)
		require.Equal(t, table.Here, mine.Seats[0].Presence)
		require.NotEqual(t, table.Here, mine.Seats[1].Presence)
		at, err := c.enter(b).Join(ctx, private.Code())
		require.NoError(t, err)
		require.Equal(t, private.ID(), at)
	})
}

// Other host keys, and so another salt, do not make another club.
func TestAClubStaysItself(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		c := open(t, func(cfg *lobby.Config) { cfg.Salt = []byte("one") })
		was := c.ClubID()
		require.Len(t, was, 16)
		require.NotEqual(t, strings.Repeat("0", 16), was)
		c.cfg.Salt = []byte("two")
		c.restart()
		require.Equal(t, was, c.ClubID())
	})
}

func TestConfig(t *testing.T) {
	for name, change := range map[string]func(*lobby.Config){
		"guests": func(c *lobby.Config) { c.Guests = "maybe" },
		"clock":  func(c *lobby.Config) { c.ClockConfirm = -1 },
	} {
		cfg := lobby.DefaultConfig()
		require.NoError(t, cfg.Validate())
		change(&cfg)
		require.ErrorContains(t, cfg.Validate(), name)
		require.Error(t, errOf(lobby.New(cfg, lobby.Deps{Rand: func() *rand.Rand { return nil }})))
	}
}
