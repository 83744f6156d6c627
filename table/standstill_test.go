package table_test

import (
	"context"
	"slices"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/require"

	"boneyard/table"
)

// Time in which nobody could be ready, because the table was frozen, does not count against a player.
func TestNobodyIsLateWhileTheTableStandsStill(t *testing.T) {
	bubble(t, config(nil), func(t *testing.T, f *fixture) {
		f.must(ana, sit(1))
		f.must(ben, sit(2))
		f.must(ana, ready(true))
		time.Sleep(5 * time.Second)
		f.Suspend("The disk is being changed.")
		time.Sleep(time.Minute)
		require.ErrorIs(t, f.do(ben, ready(true)), table.ErrFrozen)
		f.Suspend("")
		synctest.Wait()
		require.Equal(t, ben.ID, f.see(ana).Seats[1].Player.ID, "ben could not be ready")
		require.NoError(t, f.do(ben, ready(true)))
	})
}

// Nor is time in which the disk did not answer.
func TestNobodyIsLateWhileTheJournalHangs(t *testing.T) {
	bubble(t, config(nil), func(t *testing.T, f *fixture) {
		f.must(ana, sit(1))
		f.must(ben, sit(2))
		f.must(ana, ready(true))
		time.Sleep(5 * time.Second)
		goOn := f.journal.stall()
		answer, late := make(chan error, 1), make(chan error, 1)
		go func() { answer <- f.once(ana, "hm", chat("hm")) }()
		synctest.Wait()
		go func() { late <- f.once(ben, "ready", ready(true)) }()
		time.Sleep(time.Minute)
		goOn()
		require.NoError(t, <-answer)
		require.NoError(t, <-late)
		require.Equal(t, ben.ID, f.see(ana).Seats[1].Player.ID, "ben could not be ready")
	})
}

// A table whose journal was slow, and then refused a line of chat for good, goes on.
func TestRefusedAfterAStall(t *testing.T) {
	bubble(t, config(nil), func(t *testing.T, f *fixture) {
		begin(f)
		goOn := f.journal.stall()
		answer := make(chan error, 1)
		go func() { answer <- f.once(ana, "hm", chat("hm")) }()
		time.Sleep(3 * time.Second)
		require.Equal(t, table.Frozen, f.see(eve).State)
		f.journal.mu.Lock()
		f.journal.refuse = func(b *table.Batch) error {
			if len(b.Chat) > 0 {
				return errNever
			}
			return nil
		}
		f.journal.mu.Unlock()
		goOn()
		require.ErrorIs(t, <-answer, table.ErrUnsaved)
		f.journal.mu.Lock()
		f.journal.refuse = nil
		f.journal.mu.Unlock()
		time.Sleep(time.Hour)
		require.NotEqual(t, table.Frozen, f.see(eve).State)
	})
}

// At a table without clocks the others vote about a player who is here and does not move.
func TestTheOthersDecideAboutWhoDoesNotMove(t *testing.T) {
	bubble(t, config(func(c *table.Config) { c.Pace = table.PaceNone }), func(t *testing.T, f *fixture) {
		p, other, _ := begin(f)
		time.Sleep(4 * time.Minute)
		n := f.see(other).SeatOf(p.ID)
		require.Equal(t, table.Silent, f.see(other).Seats[n-1].Presence)
		f.must(other, table.CastVote{Vote: table.VoteBot, On: true})
		require.True(t, f.see(other).Seats[n-1].StandIn, "a bot plays on")
	})
	bubble(t, config(func(c *table.Config) { c.Pace = table.PaceNone }), func(t *testing.T, f *fixture) {
		_, other, _ := begin(f)
		time.Sleep(4 * time.Minute)
		f.must(other, table.CastVote{Vote: table.VoteAdjourn, On: true})
		require.Equal(t, table.Adjourned, f.see(other).State)
	})
}

// A pause ends by itself, even after a restart of a table that was frozen past its end.
func TestAPauseEndsAfterARestart(t *testing.T) {
	bubble(t, config(nil), func(t *testing.T, f *fixture) {
		p, _, _ := begin(f)
		f.must(p, table.Pause{On: true})
		f.Suspend("The disk is being changed.")
		time.Sleep(3 * time.Minute)
		require.NoError(t, f.Drain(context.Background()))
		f.restart(0)
		f.Presence(ana.ID, table.Here)
		f.Presence(ben.ID, table.Here)
		time.Sleep(10 * time.Minute)
		require.NotEqual(t, table.Paused, f.see(eve).State)
	})
}

// A player who comes back after a vote for a bot is here, and there is nothing to vote on.
func TestWhoComesBackIsNotSilent(t *testing.T) {
	bubble(t, config(func(c *table.Config) { c.Pace = table.PaceNone }), func(t *testing.T, f *fixture) {
		p, other, _ := begin(f)
		time.Sleep(4 * time.Minute)
		f.must(other, table.CastVote{Vote: table.VoteBot, On: true})
		n := f.see(other).SeatOf(p.ID)
		require.Equal(t, table.Absent, f.see(other).Seats[n-1].Presence)
		f.Presence(p.ID, table.Disconnected)
		f.Presence(p.ID, table.Here)
		synctest.Wait()
		v := f.see(other)
		require.Equal(t, table.Here, v.Seats[n-1].Presence)
		require.ErrorIs(t, f.do(other, table.CastVote{Vote: table.VoteBot, On: true}), table.ErrNobodyAway)
	})
}

// Whoever was to move or to come back while the whole process stood still has a moment to do it.
func TestAStandstillOfTheProcess(t *testing.T) {
	const long, grace = 5 * time.Minute, 20 * time.Second
	standing := func(t *testing.T, pace table.Pace, do func(f *fixture, p table.Player, v *table.View, stand func())) {
		synctest.Test(t, func(t *testing.T) {
			var stood atomic.Int64
			f := openWith(t, 1, config(func(c *table.Config) { c.Pace = pace }), func(d *table.Deps) {
				d.Now = func() time.Time { return time.Now().Add(time.Duration(stood.Load())) }
			})
			p, _, v := begin(f)
			time.Sleep(12 * time.Second)
			do(f, p, v, func() { stood.Store(int64(long)) })
		})
	}
	turn := 30*time.Second + 2*time.Minute
	standing(t, table.PaceNormal, func(f *fixture, p table.Player, v *table.View, stand func()) {
		stand()
		time.Sleep(turn - 12*time.Second + grace - 1)
		require.Equal(t, v.Play.Layout.Len(), f.see(p).Play.Layout.Len())
		time.Sleep(time.Nanosecond)
		synctest.Wait()
		require.Equal(t, v.Play.Layout.Len()+1, f.see(p).Play.Layout.Len())
	})
	standing(t, table.PaceNormal, func(f *fixture, p table.Player, v *table.View, stand func()) {
		stand()
		f.play(p, v)
		bank, _ := f.Left(v.POV)
		require.Equal(t, grace, bank)
	})
	standing(t, table.PaceNone, func(f *fixture, _ table.Player, v *table.View, stand func()) {
		f.Presence(ben.ID, table.Disconnected)
		synctest.Wait()
		stand()
		presence := func() table.Presence {
			synctest.Wait()
			seats := f.see(ana).Seats
			return seats[slices.IndexFunc(seats, func(s table.SeatView) bool { return s.Player.ID == ben.ID })].Presence
		}
		time.Sleep(2*time.Minute + grace - 1)
		require.Equal(t, table.Disconnected, presence())
		time.Sleep(time.Nanosecond)
		require.Equal(t, table.Absent, presence())
	})
}
