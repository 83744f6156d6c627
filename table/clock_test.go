package table_test

import (
	"slices"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/require"

	"boneyard/rules"
	"boneyard/table"
)

// begin seats ana and ben and waits until one has to choose; it returns who and the other.
func begin(f *fixture) (mover, other table.Player, v *table.View) {
	f.tb.Helper()
	f.seat(ana, ben)
	mover, v = f.turn(ana, ben)
	if other = ben; mover == ben {
		other = ana
	}
	return mover, other, v
}

func TestClock(t *testing.T) {
	bubble(t, config(nil), func(t *testing.T, f *fixture) {
		p, _, v := begin(f)
		require.Equal(t, 30*time.Second, time.Until(v.TurnEnds))
		require.Equal(t, 150*time.Second, time.Until(v.BankEnds))
		time.Sleep(20 * time.Second)
		f.play(p, v)
		bank, _ := f.Left(v.POV)
		require.Equal(t, 2*time.Minute, bank, "within the turn's own time the bank is spared")

		p, v = f.turn(ana, ben)
		time.Sleep(37 * time.Second)
		f.play(p, v)
		bank, _ = f.Left(v.POV)
		require.Equal(t, 113*time.Second, bank)
	})
}

func TestTimeOut(t *testing.T) {
	bubble(t, config(nil), func(t *testing.T, f *fixture) {
		p, other, v := begin(f)
		seat := v.POV
		var outs int
		for outs < 2 {
			q, w := f.turn(ana, ben)
			require.Equal(t, table.Playing, w.State)
			if q == other {
				f.play(q, w)
				continue
			}
			tiles := w.Play.Layout.Len()
			time.Sleep(time.Until(w.BankEnds) - time.Nanosecond)
			require.Equal(t, tiles, f.see(eve).Play.Layout.Len())
			time.Sleep(time.Nanosecond)
			now := f.see(eve)
			require.Equal(t, tiles+1, now.Play.Layout.Len())
			outs++
			late := slices.IndexFunc(now.Log, func(e *table.Entry) bool { return e.Late })
			require.Equal(t, outs == 1, late >= 0 && late == len(now.Log)-1)
			require.Equal(t, seat, now.Log[late].Event.Seat)
			if outs == 1 {
				bank, _ := f.Left(seat)
				require.Zero(t, bank)
				require.Equal(t, table.Here, now.Seats[seat-1].Presence)
			}
		}
		now := f.see(eve)
		require.Equal(t, table.Absent, now.Seats[seat-1].Presence)
		require.True(t, now.Seats[seat-1].StandIn)
		text := f.journal.text(v.Game)
		require.Equal(t, 2, strings.Count(text, "# "+p.Name+" is out of time.\n"))
		require.Equal(t, 1, strings.Count(text, "# "+p.Name+" is absent; a bot plays on.\n"))

		for range 3 { // the bot plays on, as fast as bots do
			_, w := f.turn(other)
			if w.State != table.Playing {
				break
			}
			f.play(other, w)
			time.Sleep(10 * time.Second)
		}
		f.must(p, chat("sorry"))
		back := f.see(p).Seats[seat-1]
		require.Equal(t, table.Here, back.Presence)
		require.False(t, back.StandIn)
		require.Contains(t, f.journal.text(v.Game), "# "+p.Name+" is back.\n")
	})
}

func TestAMoveBetweenTwoTimeOutsKeepsTheSeat(t *testing.T) {
	bubble(t, config(nil), func(t *testing.T, f *fixture) {
		p, other, v := begin(f)
		out := false
		for own := 0; own < 6; {
			q, w := f.turn(ana, ben)
			if w.State == table.Scoring {
				time.Sleep(20 * time.Second)
				continue
			}
			if q == other || out {
				f.play(q, w)
			} else {
				time.Sleep(time.Until(w.BankEnds))
			}
			if q == p {
				out = !out
				own++
			}
		}
		require.Equal(t, table.Here, f.see(eve).Seats[v.POV-1].Presence)
	})
}

func TestWithoutClocksWhoIsAwayIsAbsentAfterAWhile(t *testing.T) {
	bubble(t, config(func(c *table.Config) { c.Pace = table.PaceNone }), func(t *testing.T, f *fixture) {
		p, _, v := begin(f)
		require.Zero(t, v.TurnEnds)
		time.Sleep(time.Hour)
		require.Zero(t, f.see(eve).Play.Layout.Len())
		f.Presence(p.ID, table.Disconnected)
		time.Sleep(time.Minute)
		require.Equal(t, table.Disconnected, f.see(eve).Seats[v.POV-1].Presence)
		time.Sleep(time.Minute)
		require.True(t, f.see(eve).Seats[v.POV-1].StandIn)
		f.Presence(p.ID, table.Here)
		require.False(t, f.see(eve).Seats[v.POV-1].StandIn)
	})
}

// A table without any player present is shown as asleep, to watchers and in the lobby, until somebody is back.
func TestATableWhereNobodyIsSaysThatItSleeps(t *testing.T) {
	bubble(t, config(nil), func(t *testing.T, f *fixture) {
		p, other, _ := begin(f)
		asleep := func(want bool, why string) {
			t.Helper()
			synctest.Wait()
			require.Equal(t, want, f.see(eve).Asleep, why)
			require.Equal(t, want, f.Summary().Asleep, why)
		}
		asleep(false, "both are here")
		f.Presence(p.ID, table.Disconnected)
		asleep(false, "one is here")
		f.Presence(other.ID, table.Left)
		asleep(true, "nobody is here")
		before := f.see(eve).Play.Layout.Len()
		time.Sleep(time.Hour)
		require.Equal(t, before, f.see(eve).Play.Layout.Len(), "and nothing moves")
		f.Presence(p.ID, table.Here)
		asleep(false, "one is back")
	})
}

func TestSlowPace(t *testing.T) {
	bubble(t, config(func(c *table.Config) { c.Pace = table.PaceSlow }), func(t *testing.T, f *fixture) {
		p, other, v := begin(f)
		require.Equal(t, 24*time.Hour, time.Until(v.TurnEnds))
		require.Equal(t, v.TurnEnds, v.BankEnds)
		f.Presence(p.ID, table.Left)
		f.Presence(other.ID, table.Left)
		time.Sleep(23 * time.Hour)
		require.Zero(t, f.see(eve).Play.Layout.Len())
		require.ErrorIs(t, f.do(other, table.CastVote{Vote: table.VoteBot, On: true}), table.ErrNobodyAway)
		time.Sleep(time.Hour)
		require.Equal(t, 1, f.see(eve).Play.Layout.Len(), "nobody has to be there for the clock to run")
	})
}

func TestPause(t *testing.T) {
	pause := func(on bool) table.Command { return table.Pause{On: on} }
	bubble(t, config(nil), func(t *testing.T, f *fixture) {
		p, other, v := begin(f)
		time.Sleep(10 * time.Second)
		f.must(other, pause(true))
		w := f.see(eve)
		require.Equal(t, table.Paused, w.State)
		require.Zero(t, w.TurnEnds)
		require.Equal(t, 2*time.Minute, time.Until(w.Deadline))
		for seat, want := range map[rules.Seat]int{3 - v.POV: 1, v.POV: 2} {
			_, pauses := f.Left(seat)
			require.Equal(t, want, pauses)
		}
		require.ErrorIs(t, f.do(p, moveOf(v)), table.ErrStopped)
		require.ErrorIs(t, f.do(p, pause(false)), table.ErrNotNow, "it is the other side's pause")
		time.Sleep(time.Minute)
		f.must(other, pause(false))
		require.Equal(t, 20*time.Second, time.Until(f.see(eve).TurnEnds), "the clock stood still")

		f.must(other, pause(true))
		time.Sleep(2 * time.Minute)
		require.Equal(t, table.Playing, f.see(eve).State)
		require.Equal(t, 20*time.Second, time.Until(f.see(eve).TurnEnds))
		require.ErrorIs(t, f.do(other, pause(true)), table.ErrNoPause)
		f.must(p, moveOf(v)) // the game has not moved on: the view before the pauses still holds
	})
}

func TestNothingHappensWhileNobodyIsThere(t *testing.T) {
	bubble(t, config(nil), func(t *testing.T, f *fixture) {
		p, other, v := begin(f)
		time.Sleep(10 * time.Second)
		f.Presence(p.ID, table.Disconnected)
		require.NotZero(t, f.see(eve).TurnEnds)
		f.Presence(other.ID, table.Disconnected)
		require.Zero(t, f.see(eve).TurnEnds)
		time.Sleep(29 * 24 * time.Hour)
		require.Zero(t, f.see(eve).Play.Layout.Len())
		f.Presence(p.ID, table.Here)
		require.Equal(t, 20*time.Second, time.Until(f.see(eve).TurnEnds))
		f.play(p, v)
	})
	bubble(t, config(nil), func(t *testing.T, f *fixture) {
		_, _, v := begin(f)
		f.Presence(ana.ID, table.Left)
		f.Presence(ben.ID, table.Left)
		time.Sleep(31 * 24 * time.Hour)
		<-f.Done()
		require.Equal(t, table.EndAbandoned, f.journal.games[v.Game].end.Ending)
		require.Empty(t, f.journal.tables)
	})
}

func TestTheOnlyLegalMoveIsMadeWhenTimeIsOut(t *testing.T) {
	bubble(t, config(func(c *table.Config) { setRules(c, "azneef", 2) }), func(t *testing.T, f *fixture) {
		_, _, v := begin(f) // the lead is forced
		time.Sleep(150 * time.Second)
		w := f.see(eve)
		last := w.Log[len(w.Log)-1]
		require.Equal(t, v.Play.Forced, last.Event.Tile)
		require.True(t, last.Auto)
		require.Equal(t, rules.Play, last.Event.Kind)
	})
}

func TestAfterTheGameNobodyIsAbsent(t *testing.T) {
	bubble(t, config(func(c *table.Config) { setRules(c, "classic target=20", 2) }), func(t *testing.T, f *fixture) {
		p, other, v := begin(f)
		timeOut(f, p, other)
		for range 1000 {
			switch w := f.see(other); {
			case w.State == table.Finished:
				require.False(t, w.Seats[v.POV-1].StandIn)
				require.Equal(t, table.Here, w.Seats[v.POV-1].Presence)
				f.must(other, table.Rematch{})
				f.must(p, table.Rematch{})
				require.False(t, f.see(p).Seats[v.POV-1].StandIn)
				return
			case w.Play.Duty == rules.Play:
				f.play(other, w)
			default:
				time.Sleep(time.Second)
			}
		}
		t.Fatal("the game does not end")
	})
}
