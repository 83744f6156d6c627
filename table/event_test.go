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

// openFor makes a table for a game of an event.
func openFor(t *testing.T, cfg table.Config, o table.Occasion) *fixture {
	t.Helper()
	f := open(t, 1, config(nil))
	f.must(ana, table.Close{})
	tb, err := table.MakeFor(context.Background(), f.deps, cfg, o)
	require.NoError(t, err)
	t.Cleanup(func() { _ = tb.Close(context.Background()) })
	f.Table = tb
	return f
}

// TestEventTable follows an event's table from its creation to its end: its seats and deals are given and do not change.
func TestEventTable(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		seed := rules.Seed{1, 2, 3}
		cfg := config(func(c *table.Config) { c.Event = table.Event{ID: 3, Pairing: 5, Sealed: true, Wait: true} })
		f := openFor(t, cfg, table.Occasion{Seed: seed, Seats: []table.Player{ana, ben}})
		f.Presence(ana.ID, table.Here)
		time.Sleep(time.Hour)
		require.Equal(t, table.Gathering, f.see(ana).State, "it waits for ben, and his seat is kept")
		require.Equal(t, seed.Commitment(), f.see(ana).Commitment)
		for _, c := range []table.Command{table.Stand{}, table.Swap{With: 2}, table.RemoveBot{Seat: 2}, table.Ready{}} {
			require.ErrorIs(t, f.do(ana, c), table.ErrEvent, "%T", c)
		}
		require.ErrorIs(t, f.do(cal, table.Sit{}), table.ErrEvent)
		f.Presence(ben.ID, table.Here)
		time.Sleep(6 * time.Second)
		require.Equal(t, table.Playing, f.see(ana).State)
		deal := seed.Deal(&cfg.Rules, 2, 1)
		require.Equal(t, deal.Hands[0], f.see(ana).Play.Hand)
		f.must(ben, table.Resign{})
		v := f.see(ana)
		require.Equal(t, table.Finished, v.State)
		require.Empty(t, v.Seed, "it is sealed")
		require.ErrorIs(t, f.do(ana, table.Rematch{}), table.ErrEvent)
		f.must(ana, table.Stand{})
		require.Len(t, f.ended, 1)
	})
}

// After a restart a table waits for its players even if a lost connection had stopped its countdown.
func TestABrokenCountdownClosesNoEventTable(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		cfg := config(func(c *table.Config) { c.Event = table.Event{ID: 3, Pairing: 5, Wait: true} })
		f := openFor(t, cfg, table.Occasion{Seats: []table.Player{ana, ben}, Here: []table.PlayerID{ana.ID, ben.ID}})
		require.Equal(t, table.Countdown, f.see(ana).State)
		f.Presence(ben.ID, table.Disconnected)
		require.Equal(t, table.Gathering, f.see(ana).State)
		f.restart(time.Second)
		f.Presence(ana.ID, table.Here)
		time.Sleep(time.Minute)
		require.Equal(t, table.Gathering, f.see(ana).State)
		f.Presence(ben.ID, table.Here)
		time.Sleep(6 * time.Second)
		require.Equal(t, table.Playing, f.see(ana).State)
	})
}

// Players who are in the club when their table is made are there from the first moment, and the others are not.
func TestWhoIsHereAtAnEventTable(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		cfg := config(func(c *table.Config) { c.Event = table.Event{ID: 3, Pairing: 5} })
		f := openFor(t, cfg, table.Occasion{Seats: []table.Player{ana, ben}, Here: []table.PlayerID{ben.ID}})
		v := f.see(ana)
		require.False(t, v.Asleep)
		require.Equal(t, table.Disconnected, v.Seats[0].Presence)
		require.Equal(t, table.Here, v.Seats[1].Presence)
		f.Presence(ben.ID, table.Disconnected)
		time.Sleep(6 * time.Second)
		require.True(t, f.see(ana).Asleep)
	})
}

// Where an event waits only a short time for first moves, nobody can stop that time with a pause.
func TestNoPauseBeforeFirstMoves(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		cfg := config(func(c *table.Config) { c.Event = table.Event{ID: 3, Pairing: 5, Prompt: true} })
		f := openFor(t, cfg, table.Occasion{Seed: rules.Seed{1, 2, 3}, Seats: []table.Player{ana, ben}})
		f.Presence(ana.ID, table.Here)
		f.Presence(ben.ID, table.Here)
		time.Sleep(6 * time.Second)
		for moved := map[rules.Seat]bool{}; len(moved) < 2; {
			for _, p := range []table.Player{ana, ben} {
				require.ErrorIs(t, f.do(p, table.Pause{On: true}), table.ErrPauseLater)
				require.False(t, f.see(p).MayPause(), "nor is it offered")
			}
			turn := f.see(eve).Play.Turn
			p := []table.Player{ana, ben}[turn-1]
			v := f.see(p)
			if v.Play.Duty == rules.Play {
				f.must(p, moveOf(v))
			} else {
				time.Sleep(time.Second)
			}
			if now := f.see(eve); now.Play.Turn != turn {
				moved[turn] = true
			}
		}
		f.restart(0)
		f.Presence(ana.ID, table.Here)
		require.True(t, f.see(ana).MayPause())
		f.must(ana, table.Pause{On: true})
		require.Equal(t, table.Paused, f.see(ana).State)
	})
}

// An event's game to which nobody attends for a quarter of an hour is abandoned, however often the server is
// killed meanwhile. After a restart there are two minutes left to come back. A solo player may come back the
// day after.
func TestAnEventsGameDoesNotSleepForLong(t *testing.T) {
	nobody := table.DefaultTimes().Event
	for _, every := range []time.Duration{time.Hour, 5 * time.Minute, 40 * time.Second} {
		for _, solo := range []bool{false, true} {
			for _, came := range []bool{false, true} {
				synctest.Test(t, func(t *testing.T) {
					cfg := config(func(c *table.Config) { c.Event = table.Event{ID: 3, Pairing: 5, Solo: solo} })
					f := openFor(t, cfg, table.Occasion{Seats: []table.Player{ana, ben}})
					if came {
						f.Presence(ana.ID, table.Here)
						time.Sleep(time.Minute)
						f.Presence(ana.ID, table.Left)
					}
					for since := time.Now(); time.Since(since) < nobody-time.Second; {
						time.Sleep(min(every, nobody-time.Second-time.Since(since)))
						f.restart(0)
					}
					f.restart(3 * time.Hour)
					time.Sleep(2*time.Minute - time.Second)
					require.Equal(t, table.Playing, f.Summary().State)
					time.Sleep(2 * time.Second)
					synctest.Wait()
					if solo {
						require.Equal(t, table.Playing, f.Summary().State)
						return
					}
					require.Equal(t, table.Closed, f.Summary().State)
					require.Len(t, f.ended, 1)
					require.Equal(t, table.EndAbandoned, f.ended[0].Ending)
					require.Empty(t, f.journal.tables)
				})
			}
		}
	}
}

// A table that lives for days closes after a day without anybody, even if the server restarts each hour.
func TestASlowTableIsNotKeptByRestarts(t *testing.T) {
	bubble(t, config(func(c *table.Config) { c.Pace = table.PaceSlow }), func(t *testing.T, f *fixture) {
		f.must(ana, sit(1))
		f.Presence(ana.ID, table.Left)
		for range 23 {
			time.Sleep(time.Hour)
			f.restart(0)
		}
		require.Equal(t, table.Gathering, f.Summary().State)
		time.Sleep(2 * time.Hour)
		<-f.Done()
		require.Empty(t, f.journal.tables)
	})
}

// An event's table closes a while after its game, even if the server was killed meanwhile. A solo player's
// stays as long as they do, but not over a restart.
func TestAnEventsTableClosesAfterItsGame(t *testing.T) {
	for _, solo := range []bool{false, true} {
		for _, restart := range []bool{false, true} {
			synctest.Test(t, func(t *testing.T) {
				cfg := config(func(c *table.Config) { c.Event = table.Event{ID: 3, Pairing: 5, Solo: solo} })
				f := openFor(t, cfg, table.Occasion{Seats: []table.Player{ana, ben}})
				f.Presence(ana.ID, table.Here)
				f.Presence(ben.ID, table.Here)
				synctest.Wait()
				f.must(ben, table.Resign{})
				require.NoError(t, f.do(ana, table.Close{UnlessOver: true}))
				time.Sleep(20 * time.Second)
				require.Equal(t, table.Finished, f.Summary().State, "the result can be read")
				if restart {
					f.restart(0)
				} else {
					time.Sleep(20 * time.Second)
				}
				synctest.Wait()
				if solo && !restart {
					require.Equal(t, table.Finished, f.Summary().State)
					f.Presence(ana.ID, table.Left)
					f.Presence(ben.ID, table.Left)
					time.Sleep(3 * time.Minute)
				}
				<-f.Done()
				require.Empty(t, f.journal.tables)
			})
		}
	}
}

// Where an event's game is forfeited by an absent side, no vote for a bot is offered or accepted.
func TestAnEventsForfeitIsNotVotedAway(t *testing.T) {
	for absence, want := range map[table.Absence]error{table.AbsenceForfeit: table.ErrForfeits, table.AbsenceBot: nil} {
		synctest.Test(t, func(t *testing.T) {
			cfg := config(func(c *table.Config) { c.Absence, c.Event.ID = absence, 3 })
			f := openFor(t, cfg, table.Occasion{Seats: []table.Player{ana, ben}})
			f.Presence(ana.ID, table.Here)
			f.Presence(ben.ID, table.Here)
			f.Presence(ben.ID, table.Disconnected)
			require.Equal(t, want == nil, f.see(ana).MayVote(table.VoteBot, time.Now()))
			require.ErrorIs(t, f.do(ana, vote(table.VoteBot)), want)
		})
	}
}

// A table that its event closes early says why: who did not come, or did not move.
func TestAnEventsTableSaysWhyItCloses(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		closed := func(e table.Event, after time.Duration) string {
			cfg := config(func(c *table.Config) { c.Event = e })
			f := openFor(t, cfg, table.Occasion{Seats: []table.Player{ana, ben}})
			f.Presence(ana.ID, table.Here)
			f.see(ana)
			time.Sleep(after)
			require.NoError(t, f.do(ana, table.Close{UnlessOver: true}))
			return f.see(ana).Notice
		}
		kept := time.Now().Add(15 * time.Minute)
		match := table.Event{ID: 3, Wait: true, Match: table.Match{Wins: 2, Kept: kept}}
		require.Equal(t, "The line-up has changed; a new table opens for this game.", closed(match, time.Minute))
		require.Equal(t, "The game has not begun: ben did not come by "+kept.UTC().Format("15:04 UTC")+".", closed(match, 14*time.Minute))
		require.Regexp(t, "The game is called off: (ana|ben) hasn't moved.", closed(table.Event{ID: 3, Prompt: true}, time.Second))
		require.Equal(t, "The event has closed this table: its game is no longer needed.", closed(table.Event{ID: 3}, time.Second))

		cfg := config(func(c *table.Config) { c.Event, c.Seats = match, 3 })
		f := openFor(t, cfg, table.Occasion{Seats: []table.Player{ana, {}, ben}})
		f.Presence(ana.ID, table.Here)
		f.see(ana)
		require.NoError(t, f.do(ana, table.Close{UnlessOver: true}))
		require.Contains(t, f.see(ana).Notice, ": ben did not come by ", "a bot is always here")
	})
}

// An event's game cannot be adjourned, since others wait for its end; it once went on for as long as somebody
// stayed.
func TestAnEventsGameIsNotAdjourned(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		cfg := config(func(c *table.Config) { c.Absence, c.Event = table.AbsenceWait, table.Event{ID: 3, Pairing: 5} })
		f := openFor(t, cfg, table.Occasion{Seats: []table.Player{ana, ben}})
		f.Presence(ana.ID, table.Here)
		f.Presence(ben.ID, table.Here)
		synctest.Wait()
		f.Presence(ben.ID, table.Disconnected)
		v := f.see(ana)
		require.Equal(t, table.Playing, v.State)
		require.True(t, v.MayVote(table.VoteBot, time.Now()))
		require.False(t, v.MayVote(table.VoteAdjourn, time.Now()))
		require.ErrorIs(t, f.do(ana, vote(table.VoteAdjourn)), table.ErrEvent)
	})
}

// TestBotsOfAnEventPlayTheSame has two players make the same moves in the same deal, one of them across a restart: the bots reply with the
// same moves. A third player, who moves differently, gets other replies.
func TestBotsOfAnEventPlayTheSame(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		seed := rules.Seed{9}
		rounds := func(choose func(v *table.View) int, restart bool) (moves []string) {
			cfg := config(func(c *table.Config) {
				setRules(c, "classic rounds=3", 2)
				c.Fill, c.Strength, c.Pace = table.FillNow, table.Expert, table.PaceNone
				c.Event = table.Event{ID: 1, Pairing: int64(len(moves)), Fixed: true, Sealed: true}
			})
			f := openFor(t, cfg, table.Occasion{Seed: seed, Seats: []table.Player{ana}})
			f.Presence(ana.ID, table.Here)
			for n := 0; ; n++ {
				v := f.see(ana)
				switch {
				case v.State == table.Finished:
					for _, e := range v.Log {
						if e.Number > 0 {
							moves = append(moves, fmt.Sprint(e.Round, e.Event.Seat, e.Event.Kind, e.Event.Tile, e.Event.Arm))
						}
					}
					return moves
				case v.State == table.Scoring:
					f.must(ana, table.Continue{})
				case v.MyMove():
					require.False(t, v.MayHint(), "hints are an expert's help")
					o := v.Play.Options[choose(v)%len(v.Play.Options)]
					f.must(ana, table.Move{Version: v.Version, Move: rules.Move{Kind: rules.Play, Tile: o.Tile, Arm: o.Arm}})
				default:
					if restart && n%7 == 3 {
						f.restart(time.Second)
						f.Presence(ana.ID, table.Here)
					}
					time.Sleep(time.Second)
				}
			}
		}
		first := func(*table.View) int { return 0 }
		last := func(v *table.View) int { return len(v.Play.Options) - 1 }
		one := rounds(first, false)
		require.Equal(t, one, rounds(first, true))
		require.NotEqual(t, one, rounds(last, false))
	})
}
