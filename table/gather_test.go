package table_test

import (
	"context"
	"fmt"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/require"

	"boneyard/rules"
	"boneyard/table"
)

// bubble runs a test of a table in a synctest bubble.
func bubble(t *testing.T, cfg table.Config, test func(t *testing.T, f *fixture)) {
	t.Helper()
	within(cfg, test)(t)
}

// within is bubble for a case of a test.
func within(cfg table.Config, test func(t *testing.T, f *fixture)) func(t *testing.T) {
	return func(t *testing.T) { synctest.Test(t, func(t *testing.T) { test(t, open(t, 1, cfg)) }) }
}

func sit(n rules.Seat) table.Command { return table.Sit{Seat: n} }

func ready(on bool) table.Command { return table.Ready{On: on} }

func four(c *table.Config) { setRules(c, "block", 4) }

func TestCountdown(t *testing.T) {
	bubble(t, config(nil), func(t *testing.T, f *fixture) {
		f.must(ana, sit(1))
		f.must(ben, sit(2))
		f.must(ana, ready(true))
		require.Equal(t, table.Gathering, f.see(ana).State)
		f.must(ben, ready(true))
		v := f.see(ana)
		require.Equal(t, table.Countdown, v.State)
		require.Equal(t, 5*time.Second, time.Until(v.Deadline))

		time.Sleep(4 * time.Second)
		f.must(ben, ready(false)) // any player stops it
		require.Equal(t, table.Gathering, f.see(ana).State)
		time.Sleep(30 * time.Second)
		require.Equal(t, table.Gathering, f.see(ana).State)

		f.must(ben, ready(true))
		time.Sleep(4999 * time.Millisecond)
		require.Equal(t, table.Countdown, f.see(ana).State)
		time.Sleep(time.Millisecond)
		v = f.see(ana)
		require.Equal(t, table.Playing, v.State)
		require.Len(t, v.Commitment, 64)
		require.Empty(t, v.Seed)
	})
}

func TestOnePersonNeedsNoCountdown(t *testing.T) {
	bubble(t, config(func(c *table.Config) { c.Fill = table.FillNow }), func(t *testing.T, f *fixture) {
		f.must(ana, sit(0))
		f.must(ana, ready(true))
		require.Equal(t, table.Playing, f.see(ana).State)
	})
}

func TestBotsFillSeats(t *testing.T) {
	bots := func(v *table.View) (n int) {
		names := map[string]bool{}
		for _, s := range v.Seats {
			if s.House != "" {
				require.False(t, names[s.Name()], "two bots of one name")
				names[s.Name()] = true
				n++
			}
		}
		return n
	}
	fill := func(f table.Fill) table.Config {
		return config(func(c *table.Config) { setRules(c, "classic", 4); c.Fill = f })
	}
	bubble(t, fill(table.FillNow), func(t *testing.T, f *fixture) {
		require.Zero(t, bots(f.see(eve)))
		f.must(ana, sit(2))
		require.Equal(t, 3, bots(f.see(ana)))
		f.must(ben, sit(0)) // a bot makes room
		require.Equal(t, 2, bots(f.see(ana)))
	})
	bubble(t, fill(table.FillSoon), func(t *testing.T, f *fixture) {
		f.must(ana, sit(2))
		require.Equal(t, 30*time.Second, time.Until(f.see(ana).Deadline))
		time.Sleep(29 * time.Second)
		require.Zero(t, bots(f.see(ana)))
		time.Sleep(time.Second)
		require.Equal(t, 3, bots(f.see(ana)))
		f.must(ana, table.RemoveBot{Seat: 1})
		time.Sleep(time.Minute) // it does not come back by itself
		require.Equal(t, 2, bots(f.see(ana)))
		f.must(ana, table.AddBot{Seat: 1, Strength: table.Novice})
		require.Equal(t, table.Novice, f.see(ana).Seats[0].House)
	})
	bubble(t, fill(table.FillNever), func(t *testing.T, f *fixture) {
		f.must(ana, sit(2))
		time.Sleep(time.Hour)
		require.Zero(t, bots(f.see(ana)))
		require.ErrorIs(t, f.do(eve, table.AddBot{}), table.ErrNotSeated)
		f.must(ana, table.AddBot{})
		require.Equal(t, 1, bots(f.see(ana)))
		require.ErrorIs(t, f.do(ana, table.RemoveBot{Seat: 2}), table.ErrNotABot)
	})
}

func TestSeatsAreHeldByOne(t *testing.T) {
	bubble(t, config(nil), func(t *testing.T, f *fixture) {
		f.must(ana, sit(1))
		require.ErrorIs(t, f.do(ben, sit(1)), table.ErrSeatTaken)
		require.ErrorIs(t, f.do(ben, sit(3)), table.ErrNoSeat)
		f.must(ana, sit(2)) // moves
		f.must(ben, sit(0))
		require.Equal(t, "ben", f.see(ana).Seats[0].Name())
		require.ErrorIs(t, f.do(eve, sit(0)), table.ErrFull)
		require.ErrorIs(t, f.do(eve, ready(true)), table.ErrNotSeated)
		f.must(ben, table.Stand{})
		f.must(eve, sit(0))
		f.must(ana, ready(true))
		f.must(eve, ready(true))
		time.Sleep(5 * time.Second)
		require.ErrorIs(t, f.do(ben, sit(0)), table.ErrInGame)
		require.ErrorIs(t, f.do(ana, sit(1)), table.ErrInGame)
	})
}

func TestSwap(t *testing.T) {
	swap := func(with rules.Seat) table.Command { return table.Swap{With: with} }
	bubble(t, config(four), func(t *testing.T, f *fixture) {
		f.must(ana, sit(1))
		f.must(ana, swap(3)) // an empty seat: at once
		require.EqualValues(t, 3, f.see(ana).POV)
		f.must(ben, sit(1))
		f.must(ben, ready(true))
		f.must(ana, swap(1))
		v := f.see(ana)
		require.EqualValues(t, 3, v.POV)
		require.Equal(t, table.SwapWish{From: 3, With: 1}, v.Swap)
		f.must(ana, swap(1)) // one's own wish is not granted by oneself
		require.EqualValues(t, 3, f.see(ana).POV)
		f.must(ben, swap(3))
		v = f.see(ana)
		require.EqualValues(t, 1, v.POV)
		require.Zero(t, v.Swap)
		require.False(t, v.Seats[2].Ready, "a player who was moved has to be ready again")
	})
}

// A player who changes seats does not get more time to be ready.
func TestAnotherSeatIsNoMoreTime(t *testing.T) {
	bubble(t, config(func(c *table.Config) { setRules(c, "classic", 3) }), func(t *testing.T, f *fixture) {
		f.must(ana, table.Sit{Seat: 1})
		f.must(ben, table.Sit{Seat: 2})
		f.must(ana, table.AddBot{Seat: 3})
		require.ErrorIs(t, f.do(ana, table.AddBot{Seat: 4}), table.ErrNoSeat)
		f.must(ana, table.Ready{On: true})
		time.Sleep(30 * time.Second)
		f.must(ben, table.Sit{Seat: 3})
		f.must(ana, table.AddBot{Seat: 2})
		require.NotZero(t, f.see(ben).POV)
		time.Sleep(30 * time.Second)
		require.Zero(t, f.see(ben).POV)
	})
}

func TestPrivateTable(t *testing.T) {
	bubble(t, config(func(c *table.Config) { c.Access = table.AccessCode }), func(t *testing.T, f *fixture) {
		require.Equal(t, "K7QX", f.Code())
		require.ErrorIs(t, f.do(ben, sit(2)), table.ErrCode)
		require.ErrorIs(t, f.do(ben, table.Sit{Code: "K7QY"}), table.ErrCode)
		require.Empty(t, f.see(ben).Code)
		f.must(ben, table.Sit{Code: "k7qx"})
		require.Equal(t, "K7QX", f.see(ben).Code)
		f.must(ana, sit(0)) // the maker needs none
	})
}

func TestCodes(t *testing.T) {
	seen := map[string]bool{}
	for range 1000 {
		code := table.NewCode()
		require.Regexp(t, "^[ACDEFHJKLMNPQRTUVWXY3479]{4}-[ACDEFHJKLMNPQRTUVWXY3479]{4}$", code)
		seen[code] = true
	}
	require.Len(t, seen, 1000)
}

func inTeam(p table.Player, team table.TeamID) table.Player {
	p.Team = team
	return p
}

func TestTeamTable(t *testing.T) {
	a, b, c, d := inTeam(ana, 7), inTeam(ben, 9), inTeam(cal, 7), inTeam(dan, 9)
	stranger, sixth := inTeam(eve, 11), inTeam(player(6, "fay"), 7)
	a.Tag, b.Tag, c.Tag = "OWL", "CAT", "OWL"
	b.For, c.For = "Cats", "Night Owls"
	teams := func(c *table.Config) { four(c); c.Access = table.AccessTeams; c.Fill = table.FillNow }
	bubble(t, config(teams), func(t *testing.T, f *fixture) {
		require.ErrorIs(t, f.do(eve, sit(0)), table.ErrTeam)
		f.must(a, sit(2)) // claims 2+4
		require.ErrorIs(t, f.do(c, sit(1)), table.ErrTeamSide)
		require.ErrorIs(t, f.do(b, sit(4)), table.ErrTeamSide)
		f.must(a, sit(1)) // alone, the claim moves along
		f.must(b, sit(0))
		require.EqualValues(t, 2, f.see(b).POV)
		require.ErrorIs(t, f.do(stranger, sit(0)), table.ErrTeam)
		require.ErrorIs(t, f.do(stranger, sit(3)), table.ErrTeam)
		require.ErrorIs(t, f.do(a, table.AddBot{}), table.ErrNoBots)
		require.ErrorIs(t, f.do(a, table.Swap{With: 2}), table.ErrTeamSide)
		f.must(c, sit(0))
		require.ErrorIs(t, f.do(sixth, sit(0)), table.ErrFull)
		require.Equal(t, [2]string{"OWL", "CAT"}, f.see(a).Tags)
		f.must(d, sit(0))
		require.True(t, f.see(a).Rated)
		for _, p := range []table.Player{a, b, c, d} {
			f.must(p, ready(true))
		}
		time.Sleep(5 * time.Second)
		require.Equal(t, [2]table.TeamID{7, 9}, f.journal.games[f.see(a).Game].start.Teams)
		require.Equal(t, [2]string{"OWL", "CAT"}, f.see(stranger).Tags)
		require.Equal(t, [2]string{"Night Owls", "Cats"}, f.see(stranger).Teams)
		f.restart(time.Minute)
		require.Equal(t, [2]string{"OWL", "CAT"}, f.see(stranger).Tags)
		require.Equal(t, [2]string{"Night Owls", "Cats"}, f.see(stranger).Teams)
	})
	bubble(t, config(teams), func(t *testing.T, f *fixture) {
		f.must(a, sit(1))
		f.must(a, table.Stand{}) // gives the side back
		f.must(stranger, sit(1))
	})
	bubble(t, config(func(c *table.Config) { teams(c); c.Teams = [2]table.TeamID{9, 0} }), func(t *testing.T, f *fixture) {
		require.ErrorIs(t, f.do(a, sit(1)), table.ErrTeamSide)
		f.must(a, sit(0))
		require.EqualValues(t, 2, f.see(a).POV)
	})
}

// Only games by the rules of a preset, to its target at least and with clocks, are rated. Watchers are not
// shown which players share an address, and partners may.
func TestWhatCounts(t *testing.T) {
	for why, edit := range map[string]func(*table.Config){
		"":                          func(c *table.Config) { setRules(c, "classic target=300", 2) },
		"a lower target than usual": func(c *table.Config) { setRules(c, "classic target=195", 2) },
		"a number of rounds":        func(c *table.Config) { setRules(c, "classic rounds=3", 2) },
		"house rules":               func(c *table.Config) { setRules(c, "classic draw=1", 2) },
		"no clock":                  func(c *table.Config) { c.Pace = table.PaceNone },
	} {
		t.Run(why, within(config(edit), func(t *testing.T, f *fixture) {
			f.must(ana, sit(1))
			f.must(ben, sit(2))
			require.Equal(t, why, f.see(ana).Casual)
			require.Equal(t, why == "", f.see(ana).Rated)
		}))
	}
	near := cal
	bubble(t, config(four), func(t *testing.T, f *fixture) {
		f.nets[near.ID] = netOf(ana.ID)
		for i, p := range []table.Player{ana, ben, near, dan} {
			f.must(p, sit(rules.Seat(i+1)))
		}
		require.Empty(t, f.see(ana).Casual, "partners")
		f.must(near, table.Stand{})
		f.must(dan, table.Stand{})
		f.must(near, sit(4))
		f.must(dan, sit(3))
		require.Equal(t, "two players on one network; only a club night rates such games", f.see(ana).Casual)
		require.Equal(t, "by the club's rules", f.see(eve).Casual)
		require.False(t, f.see(eve).Rated)
	})
}

func TestCasual(t *testing.T) {
	program, neighbour := ben, cal
	program.Bot = true
	for _, test := range []struct {
		other table.Player
		why   string
	}{
		{ben, ""},
		{guest, "with a guest"},
		{program, "with a program"},
		{neighbour, "two players on one network; only a club night rates such games"},
		{table.Player{}, "house bot at the table"},
	} {
		t.Run(test.why, within(config(nil), func(t *testing.T, f *fixture) {
			f.nets[neighbour.ID] = netOf(ana.ID)
			f.must(ana, sit(1))
			if test.other.ID == 0 {
				f.must(ana, table.AddBot{})
			} else {
				f.must(test.other, sit(2))
				f.must(test.other, ready(true))
			}
			require.Equal(t, test.why, f.see(ana).Casual, "told before the game")
			f.must(ana, ready(true))
			time.Sleep(5 * time.Second)
			v := f.see(ana)
			require.Equal(t, test.why, v.Casual)
			require.Equal(t, test.why == "", v.Rated)
			start := f.journal.games[v.Game].start
			require.Equal(t, test.why == "", start.Rated)
			event := "tag event rated\n"
			if test.why != "" {
				event = "tag event casual\n"
			}
			require.Contains(t, f.journal.text(v.Game), event)
		}))
	}
}

// Under a club night that all players have, opponents from one network are rated: by the night in which the
// game began, even after a restart, and with their networks, so that the limit for a network holds.
func TestAClubNightRates(t *testing.T) {
	night := map[table.PlayerID]table.EventID{ana.ID: 7}
	synctest.Test(t, func(t *testing.T) {
		f := openWith(t, 1, config(func(c *table.Config) { setRules(c, "classic", 2) }), func(d *table.Deps) {
			d.ClubNight = func(id table.PlayerID) table.EventID { return night[id] }
		})
		f.nets[ben.ID] = netOf(ana.ID)
		f.must(ana, sit(1))
		f.must(ben, sit(2))
		require.False(t, f.see(ana).Rated, "it holds for one of them")
		night[ben.ID] = 3
		f.Rerate()
		require.True(t, f.see(ana).Rated)
		require.Equal(t, "7, 3", f.see(eve).Night)
		f.must(ana, ready(true))
		f.must(ben, ready(true))
		time.Sleep(6 * time.Second)
		synctest.Wait() // the table has read it
		clear(night)
		f.restart(0)
		v := f.see(ana)
		require.True(t, v.Rated)
		require.Equal(t, "7, 3", v.Night)
		require.Contains(t, f.journal.text(v.Game), "tag event rated\n")
		require.Contains(t, f.journal.text(v.Game), "tag club-night 7, 3\n")
		for _, p := range []table.Player{ana, ben} {
			f.Presence(p.ID, table.Here)
		}
		f.must(ana, table.Resign{})
		require.True(t, f.see(ana).Result.Rated)
		require.Equal(t, []string{wideOf(ana.ID), wideOf(ana.ID)}, f.journal.games[v.Game].nets)
		f.must(ana, sit(1))
		f.must(ana, ready(true))
		f.must(ben, ready(true))
		time.Sleep(6 * time.Second)
		v = f.see(ana)
		require.Equal(t, table.Playing, v.State)
		require.False(t, v.Rated)
		require.Empty(t, v.Night)
		require.NotContains(t, f.journal.text(v.Game), "club-night")
	})
}

// Only the table knows players' networks: no view and no record has them.
func TestNoNetworkIsShown(t *testing.T) {
	bubble(t, config(func(c *table.Config) { setRules(c, "classic target=20", 2) }), func(t *testing.T, f *fixture) {
		f.seat(ana, ben)
		f.must(ana, chat("hello"))
		end := f.playOut(ana, ben)
		saved, err := f.journal.Load(context.Background())
		require.NoError(t, err)
		require.Contains(t, string(saved[0].State), netOf(ana.ID), "it is kept for as long as somebody sits")
		shown := fmt.Sprintf("%+v %+v %+v %+v", *end, *f.see(eve), *f.Summary(), saved[0].Chat)
		require.Contains(t, shown, "Name:ana")
		require.NotContains(t, shown, netOf(ana.ID))
		game := f.journal.games[end.Game]
		require.NotContains(t, fmt.Sprintf("%+v %s", game.start, f.journal.text(end.Game)), netOf(ana.ID))
		require.Len(t, game.nets, 2, "the ratings know the networks")
		require.Equal(t, wideOf(ana.ID), game.nets[0])
	})
}

func TestRematch(t *testing.T) {
	bubble(t, config(func(c *table.Config) { setRules(c, "classic target=20", 2) }), func(t *testing.T, f *fixture) {
		f.see(eve)
		f.seat(ana, ben)
		first := f.playOut(ana, ben)
		require.Equal(t, table.Finished, first.State)
		f.must(ana, table.Rematch{})
		require.Equal(t, table.Finished, f.see(eve).State)
		f.must(ben, table.Rematch{})
		v := f.see(eve)
		require.Equal(t, table.Playing, v.State)
		require.Equal(t, 1, v.Watchers)
		require.Equal(t, "ben", v.Seats[1].Name())
		require.Equal(t, first.Game+1, v.Game)
		require.NotEqual(t, first.Commitment, v.Commitment)
		require.Nil(t, v.Result)
		require.Len(t, v.Log, 1)
		f.journal.checkRecord(t, f.playOut(ana, ben).Game)
	})
}

func TestSomebodyElseTakesTheSeatAfterAGame(t *testing.T) {
	bubble(t, config(func(c *table.Config) { setRules(c, "classic target=20", 2) }), func(t *testing.T, f *fixture) {
		f.seat(ana, ben)
		f.playOut(ana, ben)
		f.Presence(ben.ID, table.Left)
		require.Equal(t, table.Finished, f.see(ana).State, "the result stays to be seen")
		require.True(t, f.see(ana).Seats[1].Free())
		f.must(eve, sit(0))
		require.Equal(t, table.Gathering, f.see(ana).State)
		f.must(ana, ready(true))
		f.must(eve, ready(true))
		require.Equal(t, table.Countdown, f.see(ana).State)
	})
}

func TestEmptyTablesClose(t *testing.T) {
	bubble(t, config(nil), func(t *testing.T, f *fixture) {
		v := f.see(eve) // while somebody looks it stays
		time.Sleep(time.Hour)
		require.Equal(t, table.Gathering, f.see(eve).State)
		f.seen[eve.ID].Close()
		time.Sleep(2*time.Minute - time.Second)
		synctest.Wait()
		select {
		case <-f.Done():
			t.Fatal("closed too early")
		default:
		}
		time.Sleep(2 * time.Second)
		<-f.Done()
		require.Empty(t, f.journal.tables)
		require.Equal(t, table.Closed, f.Summary().State)
		require.ErrorIs(t, f.do(ana, sit(0)), table.ErrClosed)
		_, err := f.Subscribe(ana, "")
		require.ErrorIs(t, err, table.ErrClosed)
		require.Equal(t, table.Gathering, v.State)
	})
	bubble(t, config(nil), func(t *testing.T, f *fixture) {
		f.must(ana, sit(1)) // a disconnected player keeps the seat for a while before a game
		f.Presence(ana.ID, table.Disconnected)
		time.Sleep(time.Minute)
		require.Equal(t, table.Disconnected, f.see(eve).Seats[0].Presence)
		time.Sleep(time.Minute)
		require.True(t, f.see(eve).Seats[0].Free())
	})
	bubble(t, config(func(c *table.Config) { c.Pace = table.PaceSlow }), func(t *testing.T, f *fixture) {
		f.must(ana, sit(1)) // at the slow pace people come and go
		f.Presence(ana.ID, table.Left)
		time.Sleep(23 * time.Hour)
		require.Equal(t, "ana", f.see(eve).Seats[0].Name())
	})
}

func TestCloseCommand(t *testing.T) {
	bubble(t, config(nil), func(t *testing.T, f *fixture) {
		f.seat(ana, ben)
		v := f.see(ana)
		require.NoError(t, f.Do(context.Background(), table.Request{Command: table.Close{}}))
		<-f.Done()
		require.Empty(t, f.journal.tables)
		require.Equal(t, table.EndAbandoned, f.journal.games[v.Game].end.Ending)
		f.journal.checkRecord(t, v.Game)
		require.Equal(t, table.Closed, f.seen[ana.ID].View().State)
	})
}

func TestExhibition(t *testing.T) {
	bubble(t, config(func(c *table.Config) { setRules(c, "classic target=40", 4); c.House = true }), func(t *testing.T, f *fixture) {
		require.ErrorIs(t, f.do(ana, sit(0)), table.ErrHouse)
		time.Sleep(time.Hour)
		require.Zero(t, f.Summary().Game, "nobody looks, nobody plays")

		require.Equal(t, table.Playing, f.see(eve).State)
		time.Sleep(20 * time.Second)
		v := f.see(eve)
		require.Greater(t, len(v.Log), 3)
		require.Less(t, len(v.Log), 12, "slowly")
		f.seen[eve.ID].Close()
		delete(f.seen, eve.ID)
		time.Sleep(time.Second)
		commits := f.journal.commits
		time.Sleep(24 * time.Hour)
		require.Equal(t, commits, f.journal.commits)

		f.Exhibit(true)
		require.Zero(t, f.Summary().Watchers)
		time.Sleep(time.Minute)
		f.Exhibit(false)
		time.Sleep(time.Second)
		require.Greater(t, f.journal.commits, commits, "it plays for those who look at the club")
		commits = f.journal.commits
		time.Sleep(time.Hour)
		require.Equal(t, commits, f.journal.commits)
		f.Exhibit(true)
		time.Sleep(24 * time.Hour)
		require.Equal(t, table.Finished, f.Summary().State, "it ends the game")
		require.Equal(t, v.Game, f.Summary().Game)
		f.Exhibit(false)
		f.Exhibit(true)
		time.Sleep(time.Hour)
		require.Equal(t, v.Game+1, f.Summary().Game, "others see one of their own")
		f.see(eve)
		time.Sleep(time.Hour)
		require.Greater(t, f.Summary().Game, v.Game+2, "for watchers one game follows another")
		f.seen[eve.ID].Close()
		delete(f.seen, eve.ID)
		require.Equal(t, table.Playing, f.see(eve).State)
		f.journal.checkRecord(t, 1)
	})
}

func TestConfigValidate(t *testing.T) {
	for name, edit := range map[string]func(*table.Config){
		"rules":         func(c *table.Config) { setRules(c, "whist", 2) },
		"seats":         func(c *table.Config) { c.Seats = 5 },
		"block for two": func(c *table.Config) { setRules(c, "block", 2) },
		"pace":          func(c *table.Config) { c.Pace = "hasty" },
		"name":          func(c *table.Config) { c.Name = "a very long name for a table, which nobody wants to read in a list" },
		"teams of one":  func(c *table.Config) { c.Access = table.AccessTeams },
		"one team":      func(c *table.Config) { four(c); c.Access = table.AccessTeams; c.Teams = [2]table.TeamID{3, 3} },
	} {
		t.Run(name, func(t *testing.T) { require.ErrorIs(t, config(edit).Validate(), table.ErrConfig) })
	}
	require.NoError(t, config(nil).Validate())
	_, err := table.Make(context.Background(), table.Deps{Journal: newMemory()}, config(func(c *table.Config) { c.Fill = "" }), ana)
	require.ErrorIs(t, err, table.ErrConfig)
}

// In a game with partners, somebody who joins a friend sits opposite as the partner, and the next player sits
// against them.
func TestFriendsAreOpposite(t *testing.T) {
	bubble(t, config(func(c *table.Config) { setRules(c, "block", 4) }), func(t *testing.T, f *fixture) {
		f.must(ana, table.Sit{})
		f.must(ben, table.Sit{})
		f.must(cal, table.Sit{})
		v := f.see(eve)
		require.Equal(t, "ana", v.Seats[0].Name())
		require.Equal(t, "ben", v.Seats[2].Name())
		require.Equal(t, "cal", v.Seats[1].Name())
	})
}

// A program that looks at a table for a moment keeps no table awake and is no watcher.
func TestALookIsNoWatcher(t *testing.T) {
	bubble(t, config(nil), func(t *testing.T, f *fixture) {
		f.must(ana, sit(1))
		f.Presence(ana.ID, table.Left)
		for range 4 {
			v, err := f.GalleryView(cal, "")
			require.NoError(t, err)
			require.Zero(t, v.Watchers)
			time.Sleep(30 * time.Second)
		}
		time.Sleep(time.Minute)
		<-f.Done()
		_, err := f.GalleryView(cal, "")
		require.ErrorIs(t, err, table.ErrClosed)
	})
	bubble(t, config(nil), func(t *testing.T, f *fixture) {
		preview, err := f.Glance()
		require.NoError(t, err)
		defer preview.Close()
		f.see(eve)
		time.Sleep(time.Minute)
		require.Equal(t, []string{"eve"}, f.see(eve).Watching)
	})
	bubble(t, config(func(c *table.Config) { c.Watchers = false }), func(t *testing.T, f *fixture) {
		_, err := f.GalleryView(cal, "")
		require.ErrorIs(t, err, table.ErrWatchers)
	})
}
