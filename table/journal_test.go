package table_test

import (
	"bytes"
	"context"
	"log/slog"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/require"

	"boneyard/table"
)

func TestAFailingJournalFreezesTheTable(t *testing.T) {
	bubble(t, config(nil), func(t *testing.T, f *fixture) {
		p, _, v := begin(f)
		time.Sleep(10 * time.Second)
		rows := len(f.journal.games[v.Game].rows)
		f.journal.setFail(table.ErrUnavailable)
		move := moveOf(v)
		require.ErrorIs(t, f.once(p, "m", move), table.ErrFrozen)
		w := f.see(eve)
		require.Equal(t, table.Frozen, w.State)
		require.NotEmpty(t, w.Notice)
		require.Zero(t, w.Play.Layout.Len(), "what is not on disk is not shown")
		require.Zero(t, w.TurnEnds)
		require.Equal(t, table.Frozen, f.Summary().State)
		require.ErrorIs(t, f.do(ana, chat("hello?")), table.ErrFrozen)

		time.Sleep(time.Hour)
		require.Equal(t, table.Frozen, f.see(eve).State)
		f.journal.setFail(nil)
		time.Sleep(10 * time.Second) // at most: it is tried again and again
		w = f.see(eve)
		require.Equal(t, table.Playing, w.State)
		require.Empty(t, w.Notice)
		require.InDelta(t, 40*time.Second, time.Until(w.TurnEnds), float64(10*time.Second), "what was left and 20 s")
		require.Equal(t, 2*time.Minute, w.Seats[v.POV-1].Bank)
		require.Equal(t, rows, len(f.journal.games[v.Game].rows))
		f.must(p, move) // the same command, sent again, has not been carried out before
		require.Equal(t, 1, f.see(eve).Play.Layout.Len())
	})
}

func TestAFailingJournalAtEachKindOfStep(t *testing.T) {
	thaw := func(t *testing.T, f *fixture) {
		require.Equal(t, table.Frozen, f.see(eve).State)
		f.journal.setFail(nil)
		time.Sleep(10 * time.Second)
		require.NotEqual(t, table.Frozen, f.see(eve).State)
	}
	bubble(t, config(func(c *table.Config) { c.Fill = table.FillNow }), func(t *testing.T, f *fixture) {
		f.must(ana, sit(1))
		f.journal.setFail(table.ErrUnavailable) // no number for the game
		require.ErrorIs(t, f.do(ana, ready(true)), table.ErrFrozen)
		require.Zero(t, f.see(eve).Game)
		thaw(t, f)
		f.must(ana, ready(true))
		require.Equal(t, table.Playing, f.see(eve).State)
		f.turn(ana)
		f.play(ana, f.see(ana))
		tiles := f.see(eve).Play.Layout.Len()
		f.journal.setFail(table.ErrUnavailable) // while a bot moves
		time.Sleep(3 * time.Second)
		require.Equal(t, tiles, f.see(eve).Play.Layout.Len())
		thaw(t, f)
		require.Greater(t, f.see(eve).Play.Layout.Len()+f.see(eve).Play.Held[1], tiles)
		f.journal.checkRecord(t, f.playOut(ana).Game)
	})
	bubble(t, config(nil), func(t *testing.T, f *fixture) {
		f.must(ana, sit(1))
		f.must(ben, sit(2))
		f.must(ana, ready(true))
		f.must(ben, ready(true))
		f.journal.setFail(table.ErrUnavailable) // while the countdown runs
		time.Sleep(20 * time.Second)
		thaw(t, f)
		require.Equal(t, table.Playing, f.see(eve).State)
		require.EqualValues(t, 1, f.see(eve).Game)
	})
}

func TestABlockedJournalStopsNobodyFromLooking(t *testing.T) {
	bubble(t, config(nil), func(t *testing.T, f *fixture) {
		p, _, v := begin(f)
		goOn := f.journal.stall()
		ctx, cancel := context.WithTimeout(context.Background(), 3*time.Second)
		defer cancel()
		move := table.Request{ID: "slow", By: p, Command: moveOf(v)}
		require.ErrorIs(t, f.Do(ctx, move), context.DeadlineExceeded)
		s, err := f.Subscribe(cal, "")
		require.NoError(t, err)
		require.Zero(t, s.View().Play.Layout.Len())
		s.Close()
		require.ErrorIs(t, f.Close(ctx), context.DeadlineExceeded) // it ends when it can

		goOn()
		<-f.Done()
		require.Equal(t, "slow", f.journal.games[v.Game].rows[len(f.journal.games[v.Game].rows)-1].Command)
	})
}

// A table that is suspended stops at once, tries nothing meanwhile, and goes on at once.
func TestSuspend(t *testing.T) {
	const why, later = "The disk is being changed.", "It is still being changed."
	bubble(t, config(nil), func(t *testing.T, f *fixture) {
		p, _, v := begin(f)
		time.Sleep(10 * time.Second)
		f.journal.setFail(table.ErrUnavailable)
		f.Suspend(why)
		w := f.see(eve)
		require.Equal(t, table.Frozen, w.State)
		require.Equal(t, why, w.Notice)
		require.Zero(t, w.TurnEnds)
		require.Equal(t, table.Frozen, f.Summary().State)
		move := moveOf(v)
		require.ErrorIs(t, f.once(p, "m", move), table.ErrFrozen)
		f.Suspend(later)
		require.Equal(t, later, f.see(eve).Notice)

		f.journal.setFail(nil)
		time.Sleep(time.Hour)
		require.Equal(t, table.Frozen, f.see(eve).State, "the journal is not tried")
		f.Suspend("")
		w = f.see(eve)
		require.Equal(t, table.Playing, w.State)
		require.Empty(t, w.Notice)
		require.Equal(t, 40*time.Second, time.Until(w.TurnEnds), "what was left and 20 s")
		f.must(p, move)

		f.journal.setFail(table.ErrUnavailable)
		f.Suspend(why)
		f.see(eve)
		f.Suspend("") // and it still cannot be written
		require.NotEqual(t, why, f.see(eve).Notice)
		f.journal.setFail(nil)
		time.Sleep(10 * time.Second)
		require.Equal(t, table.Playing, f.see(eve).State, "it is tried again and again")
	})
}

// A table that is suspended while it waits for its journal shows that, and stays suspended when the journal answers.
func TestSuspendWhileTheJournalWrites(t *testing.T) {
	const why = "The disk is being changed."
	bubble(t, config(nil), func(t *testing.T, f *fixture) {
		p, _, v := begin(f)
		goOn := f.journal.stall()
		answer := make(chan error)
		go func() { answer <- f.once(p, "m", moveOf(v)) }()
		synctest.Wait()
		s, err := f.Subscribe(cal, "")
		require.NoError(t, err)
		defer s.Close()
		f.Suspend("")
		synctest.Wait()
		require.Equal(t, table.Playing, s.View().State)
		f.Suspend(why)
		synctest.Wait()
		require.Equal(t, table.Frozen, s.View().State)
		require.Equal(t, why, s.View().Notice)
		require.Zero(t, s.View().Play.Layout.Len())

		goOn()
		require.NoError(t, <-answer)
		w := f.see(eve)
		require.Equal(t, 1, w.Play.Layout.Len())
		require.Equal(t, table.Frozen, w.State)
		require.Equal(t, why, w.Notice)
		f.Suspend("")
		require.Equal(t, table.Playing, f.see(eve).State)
	})
}

// A journal that does not answer is no failure, but people at the table read that it has stopped, and clocks stand still.
func TestAStalledJournalIsShown(t *testing.T) {
	bubble(t, config(nil), func(t *testing.T, f *fixture) {
		p, q, v := begin(f)
		goOn := f.journal.stall()
		answer := make(chan error)
		go func() { answer <- f.once(p, "m", moveOf(v)) }()
		synctest.Wait()
		require.Equal(t, table.Playing, f.see(eve).State)
		s, err := f.Subscribe(cal, "")
		require.NoError(t, err)
		defer s.Close()
		time.Sleep(time.Hour)
		w := f.see(eve)
		require.Equal(t, table.Frozen, w.State)
		require.Contains(t, w.Notice, "clocks have stopped")
		require.Zero(t, w.TurnEnds)
		require.Zero(t, w.Play.Layout.Len(), "what is not on disk is not shown")
		require.Equal(t, table.Frozen, s.View().State, "watchers are told")
		require.Equal(t, table.Frozen, f.Summary().State)

		goOn()
		require.NoError(t, <-answer)
		before := w.Version
		w = f.see(eve)
		require.Equal(t, table.Playing, w.State)
		require.Empty(t, w.Notice)
		require.Greater(t, w.Version, before)
		require.Equal(t, 1, w.Play.Layout.Len())
		if w.Play.Turn == f.see(q).POV {
			require.Equal(t, config(nil).Pace.Turn(), time.Until(w.TurnEnds), "the time that the journal took is nobody's")
		}
	})
}

func TestWhoComesWhileTheJournalWritesIsCounted(t *testing.T) {
	bubble(t, config(nil), func(t *testing.T, f *fixture) {
		goOn := f.journal.stall()
		answer := make(chan error)
		go func() { answer <- f.do(ana, table.AddBot{}) }()
		synctest.Wait()
		s, err := f.Subscribe(cal, "")
		require.NoError(t, err)
		goOn()
		require.NoError(t, <-answer)
		time.Sleep(time.Hour)
		require.Equal(t, table.Gathering, s.View().State, "the table is not empty")
		require.Equal(t, 1, s.View().Watchers)
		s.Close()
	})
}

// A table that is being made waits for its journal, and then works.
func TestATableIsMadeByAStalledJournal(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		m := newMemory()
		goOn := m.stall()
		made := make(chan *table.Table)
		go func() {
			tab, err := table.Make(context.Background(), table.Deps{Journal: m}, config(nil), ana)
			require.NoError(t, err)
			made <- tab
		}()
		time.Sleep(time.Minute)
		goOn()
		tab := <-made
		require.Equal(t, table.Gathering, tab.Summary().State)
		require.NoError(t, tab.Do(context.Background(), table.Request{By: ana, Command: sit(1)}))
		require.NoError(t, tab.Close(context.Background()))
	})
}

// Somebody who leaves is shown so in a new version, also to those who come while the journal writes what follows.
func TestAChangeIsANewVersionWhileTheJournalWrites(t *testing.T) {
	bubble(t, config(nil), func(t *testing.T, f *fixture) {
		f.must(ana, sit(1))
		before := f.see(ana)
		goOn := f.journal.stall()
		gone := make(chan struct{})
		go func() {
			f.Presence(ana.ID, table.Left)
			close(gone)
		}()
		synctest.Wait()
		s, err := f.Subscribe(cal, "")
		require.NoError(t, err)
		defer s.Close()
		require.Equal(t, table.Left, s.View().Seats[0].Presence)
		require.Greater(t, s.View().Version, before.Version)
		goOn()
		<-gone
	})
}

func TestATableOwnedByTwoStops(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var out bytes.Buffer
		f := open(t, 1, config(nil))
		f.deps.Log = slog.New(slog.NewTextHandler(&out, nil))
		p, _, _ := begin(f)
		f.restart(0)
		f.Presence(p.ID, table.Here)
		v := f.see(p)
		rows := &f.journal.games[v.Game].rows
		*rows = append(*rows, table.Row{Line: "# somebody else"})
		require.ErrorIs(t, f.do(p, moveOf(v)), table.ErrClosed)
		<-f.Done()
		require.Equal(t, table.Closed, f.Summary().State)
		last := f.seen[p.ID].View()
		require.Equal(t, table.Closed, last.State)
		require.NotEmpty(t, last.Notice)
		require.Empty(t, last.Seed, "the game goes on elsewhere")
		require.Contains(t, out.String(), "level=ERROR")
		require.Len(t, f.journal.tables, 1, "it can be restored")
	})
}
