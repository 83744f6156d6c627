package lobby_test

import (
	"errors"
	"fmt"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/require"

	"boneyard/lobby"
	"boneyard/table"
)

// at has somebody come from an address.
func at(net string) func(*lobby.Origin) { return func(o *lobby.Origin) { o.Net = net } }

// until counts how often something succeeds before it is refused with want.
func until(t *testing.T, want error, try func() error) int {
	t.Helper()
	for n := range 1000 {
		if err := try(); errors.Is(err, want) {
			return n
		} else {
			require.NoError(t, err)
		}
	}
	t.Fatal("never refused")
	return 0
}

// Wrong codes are counted by key and by network, even across reconnects; people elsewhere can still join.
func TestWrongCodesOverVisits(t *testing.T) {
	bubble(t, func(t *testing.T, c *club) {
		private := sits(t, c.come("ana"), func(cfg *table.Config) { cfg.Access, cfg.Seats = table.AccessCode, 4 })
		wrong := func(enter func() *lobby.Visit) int {
			return until(t, lobby.ErrManyCodes, func() error {
				v := enter()
				defer v.Close(table.Left)
				_, err := v.Join(ctx, "K7QX-XXXX")
				if errors.Is(err, lobby.ErrNoCode) {
					return nil
				}
				return err
			})
		}
		b := c.member("ben")
		hops := 0
		require.Equal(t, 5, wrong(func() *lobby.Visit { hops++; return c.enter(b, at(fmt.Sprintf("10.7.%d.1", hops))) }), "one key")
		require.Equal(t, 10, wrong(func() *lobby.Visit { return c.guest("192.0.2.1") }), "one address, a new guest each time")
		require.Equal(t, 0, wrong(func() *lobby.Visit { return c.come("cem", at("192.0.2.1")) }), "or a new key")
		hops = 1
		require.Equal(t, 20, wrong(func() *lobby.Visit { hops++; return c.guest(fmt.Sprintf("192.0.2.%d", hops)) }), "one network")
		require.ErrorIs(t, errOf(c.guest("192.0.2.250").Join(ctx, private.Code())), lobby.ErrManyCodes)
		for i := range 20 { // through a proxy that tells no addresses, a crowd has room
			v := c.come(fmt.Sprint("dia", i), func(o *lobby.Origin) { o.Net, o.Shared = "192.0.2.250", true })
			require.ErrorIs(t, errOf(v.Join(ctx, "K7QX-XXXX")), lobby.ErrNoCode)
		}
		typed := []string{strings.ToLower(private.Code()), strings.ReplaceAll(private.Code(), "-", ""),
			" " + strings.ReplaceAll(private.Code(), "-", " ") + " "}
		for i, code := range typed {
			require.NoError(t, errOf(c.guest(fmt.Sprintf("198.51.100.%d", i)).Join(ctx, code)), code)
		}
	})
}

// Whoever gets no seat is told a table only where they may watch it.
func TestJoinOffersWhatMayBeWatched(t *testing.T) {
	bubble(t, func(t *testing.T, c *club) {
		for i, watched := range []bool{true, false} {
			at := sits(t, c.come(fmt.Sprint("ana", i)), func(cfg *table.Config) { cfg.Seats, cfg.Fill, cfg.Watchers = 2, table.FillNever, watched })
			require.NoError(t, errOf(c.come(fmt.Sprint("ben", i)).Join(t.Context(), fmt.Sprint(at.ID()))))
			id, err := c.come(fmt.Sprint("cem", i)).Join(t.Context(), fmt.Sprint(at.ID()))
			require.ErrorIs(t, err, table.ErrFull)
			require.Equal(t, watched, id == at.ID())
		}
	})
}

// A table that was made when codes were shorter is still found by its own.
func TestOldCodes(t *testing.T) {
	bubble(t, func(t *testing.T, c *club) {
		c.stop()
		cfg := table.DefaultConfig()
		cfg.Access, cfg.Fill = table.AccessCode, table.FillNever
		ana := table.Player{ID: 1, Name: "ana"}
		old, err := table.Make(ctx, table.Deps{Journal: c.store, NewCode: func() string { return "K7QX" }}, cfg, ana)
		require.NoError(t, err)
		require.NoError(t, old.Do(ctx, table.Request{ID: "1", By: ana, Command: table.Sit{}}))
		require.NoError(t, old.Close(ctx))
		c.start()
		id, err := c.come("ben").Join(ctx, "k7qx")
		require.NoError(t, err)
		require.Equal(t, old.ID(), id)
	})
}

// Reconnecting does not reset the limit of chat.
func TestChatOverVisits(t *testing.T) {
	bubble(t, func(t *testing.T, c *club) {
		a := c.member("ana")
		talk := func(enter func() *lobby.Visit, where func(v *lobby.Visit) error) func() error {
			return func() error {
				v := enter()
				defer v.Close(table.Disconnected)
				return where(v)
			}
		}
		inLobby := func(v *lobby.Visit) error { _, err := v.Say(ctx, "hello"); return err }
		tab := sits(t, c.come("ben"))
		atTable := func(v *lobby.Visit) error { _, err := v.SayAt(ctx, tab.ID(), "hello"); return err }
		require.Equal(t, 3, until(t, lobby.ErrTooMuch, talk(func() *lobby.Visit { return c.enter(a) }, inLobby)))
		require.Equal(t, 0, until(t, lobby.ErrTooMuch, talk(func() *lobby.Visit { return c.enter(a) }, atTable)), "wherever")
		require.Equal(t, 9, until(t, lobby.ErrTooMuch, talk(func() *lobby.Visit { return c.guest("192.0.2.1") }, atTable)))
		time.Sleep(3 * time.Second)
		require.Equal(t, 3, until(t, lobby.ErrTooMuch, talk(func() *lobby.Visit { return c.enter(a) }, inLobby)))
	})
}

// Nobody makes the club talk at a table without end, such as by sitting down and standing up, or by promising
// to take over from a bot and not doing so, which the players read even of people whom they ignore.
func TestTheClubTellsATableOnlySoMuch(t *testing.T) {
	for _, playing := range []bool{false, true} {
		synctest.Test(t, func(t *testing.T) {
			ctx := t.Context()
			c := open(t)
			ana := c.come("ana")
			tab := sits(t, ana, func(cfg *table.Config) { cfg.Seats = 4 })
			if playing {
				require.NoError(t, ana.Do(ctx, tab.ID(), table.Ready{On: true, Bots: true}))
			}
			v, sit, enough := c.come("ben"), false, lobby.ErrTooFast
			if playing { // then each time counts as a game
				enough = lobby.ErrManyGames
			}
			told := until(t, enough, func() error {
				time.Sleep(100 * time.Millisecond) // as fast as commands may be given
				if sit = !sit; sit {
					return v.Do(ctx, tab.ID(), table.Sit{})
				}
				return v.Do(ctx, tab.ID(), table.Stand{})
			})
			require.Less(t, told, 60)
		})
	}
}

// Two people who take over from a bot in turn, each when the other resigns, begin no more games than others.
func TestTakingOverCountsAsAGame(t *testing.T) {
	for name, sit := range map[string]func(v *lobby.Visit, at table.ID) error{
		"by number": func(v *lobby.Visit, at table.ID) error { return v.Do(ctx, at, table.Sit{}) },
		"by quick play": func(v *lobby.Visit, _ table.ID) error {
			return errOf(v.QuickPlay(ctx, lobby.QuickPrefs{}))
		},
	} {
		t.Run(name, inClub(func(t *testing.T, c *club) {
			plays, takes := c.come("ana"), c.come("ben")
			tab := sits(t, plays)
			do(t, plays, tab.ID(), table.Ready{On: true, Bots: true})
			require.Less(t, until(t, lobby.ErrManyGames, func() error {
				game := tab.Summary().Game
				time.Sleep(time.Second)
				if err := sit(takes, tab.ID()); err != nil {
					return err
				}
				time.Sleep(time.Second)
				do(t, plays, tab.ID(), table.Resign{})
				synctest.Wait()
				require.NotEqual(t, game, tab.Summary().Game)
				plays, takes = takes, plays
				return nil
			}), 80)
		}))
	}
}

// Two captains who hand a team over to each other without end soon stop telling its members.
func TestATeamIsHandedOverNowAndThen(t *testing.T) {
	bubble(t, func(t *testing.T, c *club) {
		ana, ben := c.come("ana"), c.come("ben")
		unite(t, "Owls", "OWL", ana, ben)
		require.Less(t, until(t, lobby.ErrManyCaptains, func() error {
			time.Sleep(100 * time.Millisecond) // as fast as commands may be given
			ana, ben = ben, ana
			return ben.HandOver(t.Context(), ana.Player().Name)
		}), 30)
	})
}

// However many addresses they have, guests and new members leave the lobby's chat readable, and do not
// silence long-standing members.
func TestNewcomersTogether(t *testing.T) {
	bubble(t, func(t *testing.T, c *club) {
		a := c.member("ana")
		time.Sleep(25 * time.Hour)
		n := 0
		said := until(t, lobby.ErrManyNewcomers, func() error {
			n++
			return errOf(c.guest(fmt.Sprintf("10.%d.0.1", n)).Say(ctx, "buy this"))
		})
		require.Equal(t, 60, said)
		require.ErrorIs(t, errOf(c.come("ben").Say(ctx, "I am new")), lobby.ErrManyNewcomers)
		say(t, c.enter(a), "hello")
		time.Sleep(time.Second)
		say(t, c.come("cem"), "hello")
	})
}

// A few guests on two networks who talk without end leave other newcomers their share.
func TestTalkativeNetworksLeaveRoom(t *testing.T) {
	bubble(t, func(t *testing.T, c *club) {
		var loud []*lobby.Visit
		for n := range 8 {
			loud = append(loud, c.guest(fmt.Sprintf("10.%d.0.%d", n%2, n)))
		}
		heard := 0
		for n := range 200 {
			for _, v := range loud {
				if _, err := v.Say(ctx, "buy this"); err == nil {
					heard++
				}
			}
			if n > 100 && n%8 == 0 {
				say(t, c.guest("192.0.2.1"), "is anybody here?")
			}
			time.Sleep(250 * time.Millisecond)
		}
		require.Greater(t, heard, 200, "hardly anybody else has talked")
	})
}

// Of many people who want names that look alike at once, one gets the name; the same holds for teams.
func TestLookalikesInARace(t *testing.T) {
	bubble(t, func(t *testing.T, c *club) {
		c.store.Slow(time.Millisecond)
		c.store.SlowReads(time.Millisecond)
		names := []string{"david", "davicl", "clavid", "clavicl", "DAVID", "dav1d", "davlcl"}
		errs := make([]error, len(names))
		var wg sync.WaitGroup
		for n, name := range names {
			wg.Go(func() {
				_, errs[n] = c.Register(ctx, lobby.Origin{Key: lobby.KeyID{3, byte(n)}, Net: fmt.Sprintf("10.9.%d.1", n)}, name)
			})
		}
		wg.Wait()
		taken := 0
		for _, err := range errs {
			if err != nil {
				require.ErrorIs(t, err, lobby.ErrNameTaken)
				taken++
			}
		}
		require.Equal(t, len(names)-1, taken)
		require.NoError(t, errOf(c.come("ana").CreateTeam(ctx, "Night Owls", "TI")))
		require.ErrorIs(t, errOf(c.come("ben").CreateTeam(ctx, "Day Owls", "11")), lobby.ErrTeamTaken)
		require.ErrorIs(t, errOf(c.come("cem").CreateTeam(ctx, "Night Qwls", "QWL")), lobby.ErrTeamTaken)
	})
}

// An invitation is one note; people who are ignored invite nobody, and people who invite many are stopped.
func TestInvitationsAreOneNoteEach(t *testing.T) {
	bubble(t, func(t *testing.T, c *club) {
		ana, ben, cem := c.come("ana"), c.come("ben"), c.come("cem")
		require.NoError(t, errOf(ana.CreateTeam(ctx, "Night Owls", "OWL")))
		for range 15 {
			require.NoError(t, ana.Invite(ctx, "ben"))
		}
		require.Len(t, ben.Notes(), 1)
		say(t, cem, "/ignore ana")
		require.ErrorIs(t, ana.Invite(ctx, "cem"), lobby.ErrNotWanted)
		require.Empty(t, cem.Notes())
		n := 0
		require.Equal(t, 11, until(t, lobby.ErrManyInvitations, func() error {
			n++
			time.Sleep(time.Second)
			c.member(fmt.Sprint("dia", n))
			return ana.Invite(ctx, fmt.Sprint("dia", n))
		}))
		notes := 0
		for i := range 12 {
			v := c.come(fmt.Sprint("eve", i))
			require.NoError(t, errOf(v.CreateTeam(ctx, fmt.Sprint("Team ", i), fmt.Sprint("T", i))))
			require.NoError(t, v.Invite(ctx, "ben"))
			notes++
		}
		require.Len(t, ben.Notes(), 5, "of %d that came at once", 1+notes)
	})
}

// However many lengths are requested, little memory is used for the standings.
func TestStandingsOfAllLengths(t *testing.T) {
	c := open(t)
	asked := 0
	c.store.Table = func(q lobby.StandingsQuery) []lobby.Standing {
		asked++
		return make([]lobby.Standing, q.Limit)
	}
	v := c.come("ana")
	for n := 1; n <= 1500; n++ {
		list, err := v.Standings(ctx, lobby.StandingsQuery{Kind: lobby.KindPlayer, Limit: n})
		require.NoError(t, err)
		require.Len(t, list, min(n, 1000))
	}
	require.Equal(t, 4, asked)
}

// Accounts, names, tables, games and teams cost rows; what makes them is counted.
func TestWhatCostsRowsIsCounted(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		c := open(t, func(cfg *lobby.Config) { cfg.MaxTables, cfg.TablesNet = 10000, 10000 })
		n := 0
		sign := func(net string) func() error {
			return func() error {
				n++
				return errOf(c.Register(ctx, lobby.Origin{Key: lobby.KeyID{2, byte(n)}, Net: net}, fmt.Sprintf("eve%d", n)))
			}
		}
		require.Equal(t, 10, until(t, lobby.ErrManyAccounts, sign("192.0.2.1")))
		require.Equal(t, 0, until(t, lobby.ErrManyAccounts, sign("192.0.2.1")))
		require.Equal(t, 10, until(t, lobby.ErrManyAccounts, sign("2001:db8::1")))
		require.Equal(t, 0, until(t, lobby.ErrManyAccounts, sign("2001:db8::2")))
		time.Sleep(time.Minute)
		require.Equal(t, 1, until(t, lobby.ErrManyAccounts, sign("192.0.2.1")))
		require.Less(t, until(t, lobby.ErrTooFast, func() error { return c.CheckName(ctx, lobby.Origin{Net: "192.0.2.1"}, "free") }), 200)

		a := c.member("ana")
		made := until(t, lobby.ErrManyMade, func() error {
			v := c.enter(a)
			defer v.Close(table.Left)
			cfg := table.DefaultConfig()
			cfg.Fill = table.FillNow
			tab, err := v.NewTable(ctx, cfg)
			if err != nil {
				return err
			}
			time.Sleep(time.Second)
			do(t, v, tab.ID(), table.Ready{On: true})
			do(t, v, tab.ID(), table.Resign{})
			return nil
		})
		require.Less(t, made, 20)

		ben := c.come("ben")
		tab := sits(t, ben)
		do(t, ben, tab.ID(), table.AddBot{})
		games := until(t, lobby.ErrManyGames, func() error {
			time.Sleep(time.Second)
			if len(ben.MyTables()) == 0 { // the bot has the seat of who resigns
				do(t, ben, tab.ID(), table.Sit{})
			}
			if err := ben.Do(ctx, tab.ID(), table.Ready{On: true}); err != nil {
				return err
			}
			time.Sleep(time.Second)
			return ben.Do(ctx, tab.ID(), table.Resign{})
		})
		require.Less(t, games, 40)

		cem := c.come("cem")
		require.Equal(t, 3, until(t, lobby.ErrManyTeams, func() error {
			n++
			time.Sleep(time.Second)
			if _, err := cem.CreateTeam(ctx, fmt.Sprintf("Team %d", n), fmt.Sprintf("T%d", n)); err != nil {
				return err
			}
			return cem.LeaveTeam(ctx)
		}))
	})
}
