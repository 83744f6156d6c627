package table_test

import (
	"bytes"
	"context"
	"errors"
	"log/slog"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/require"

	"boneyard/rules"
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
		bank, _ := f.Left(v.POV)
		require.Equal(t, 2*time.Minute, bank)
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
		s := f.watch(cal)
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
		s := f.watch(cal)
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

// A journal that does not answer has not failed, but people at the table read that it has stopped, and clocks
// stand still.
func TestAStalledJournalIsShown(t *testing.T) {
	bubble(t, config(nil), func(t *testing.T, f *fixture) {
		p, q, v := begin(f)
		goOn := f.journal.stall()
		answer := make(chan error)
		go func() { answer <- f.once(p, "m", moveOf(v)) }()
		synctest.Wait()
		require.Equal(t, table.Playing, f.see(eve).State)
		s := f.watch(cal)
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

// The same goes for a journal that stalls when it is asked for the number of a game.
func TestAJournalThatStallsAtTheStart(t *testing.T) {
	bubble(t, config(func(c *table.Config) { c.Fill = table.FillNow }), func(t *testing.T, f *fixture) {
		f.must(ana, sit(1))
		goOn := f.journal.stall()
		answer := make(chan error)
		go func() { answer <- f.once(ana, "ready", ready(true)) }()
		synctest.Wait()
		s := f.watch(cal)
		defer s.Close()
		time.Sleep(time.Minute)
		require.Equal(t, table.Frozen, s.View().State)
		require.Contains(t, s.View().Notice, "clocks have stopped")
		f.Suspend("The disk is being changed.")
		synctest.Wait()
		require.Equal(t, "The disk is being changed.", s.View().Notice)
		f.Suspend("")
		goOn()
		require.NoError(t, <-answer)
		require.Equal(t, table.Playing, f.see(ana).State)
	})
}

var errNever = errors.New("one of the two teams does not exist")

// A step that the journal will never take ends a game, at whatever point and however little else it takes:
// everybody is told, the event too if the end can be written, and nothing is retried forever.
func TestWhatCanNeverBeWrittenEndsTheGame(t *testing.T) {
	starts := func(b *table.Batch) bool { return b.Start != nil && b.Start.Rated }
	rated := func(b *table.Batch) bool { return b.End != nil && b.End.Rated }
	for name, c := range map[string]struct {
		refused func(*table.Batch) bool
		wait    bool // the event's game begins when all are here
		lasts   bool // the game is on disk, and has not ended there
		told    bool // the event hears of its end
	}{
		"the start":            {refused: starts, wait: true, told: true},
		"the start, at once":   {refused: starts, told: true},
		"a move":               {refused: func(b *table.Batch) bool { return b.Start == nil && b.End == nil && len(b.Rows) > 0 }, told: true},
		"the end":              {refused: rated, told: true},
		"any row":              {refused: func(b *table.Batch) bool { return len(b.Rows) > 0 && b.Start == nil }, lasts: true},
		"any row at the start": {refused: func(b *table.Batch) bool { return len(b.Rows) > 0 }},
		"everything":           {refused: func(b *table.Batch) bool { return b.Start == nil }, lasts: true},
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				var out bytes.Buffer
				cfg := config(func(cfg *table.Config) { cfg.Event = table.Event{ID: 3, Pairing: 5, Wait: c.wait} })
				f := open(t, 1, config(nil))
				f.must(ana, table.Close{})
				f.deps.Log = slog.New(slog.NewTextHandler(&out, nil))
				first, made := f.ID(), false
				f.journal.mu.Lock()
				f.journal.refuse = func(b *table.Batch) error {
					switch {
					case b.Table == first:
					case !made: // that the table is there
						made = true
					case c.refused(b):
						return errNever
					}
					return nil
				}
				f.journal.mu.Unlock()
				tab, err := table.MakeFor(context.Background(), f.deps, cfg, table.Occasion{Seats: []table.Player{ana, ben}, Nets: []string{"a", "b"}})
				require.NoError(t, err)
				f.Table = tab
				s, err := f.Subscribe(eve, "")
				if err == nil {
					f.Presence(ana.ID, table.Here)
					f.Presence(ben.ID, table.Here)
					time.Sleep(10 * time.Second)
					synctest.Wait()
					for n := 0; n < 1000 && f.Summary().State != table.Closed && f.Summary().State != table.Finished; n++ {
						for _, p := range []table.Player{ana, ben} {
							if v := f.see(p); v.MyMove() && v.Play.Duty == rules.Play {
								if f.do(p, moveOf(v)) != nil {
									break
								}
							}
						}
						time.Sleep(time.Second)
					}
					require.Equal(t, table.Closed, s.View().State)
					require.Contains(t, s.View().Notice, "abandoned")
				}
				<-f.Done()
				asked := f.journal.asked
				time.Sleep(24 * time.Hour)
				require.Equal(t, asked, f.journal.asked)
				require.LessOrEqual(t, strings.Count(out.String(), "level=ERROR"), 2, out.String())
				var ends []table.Ending
				for _, g := range f.journal.games {
					if g.start.Event.ID == 3 && g.end != nil {
						ends = append(ends, g.end.Ending)
						require.False(t, g.end.Rated)
					}
				}
				if c.told {
					require.Equal(t, []table.Ending{table.EndAbandoned}, ends)
					require.Equal(t, []table.Result{*f.journal.games[f.journal.lastGID].end}, f.ended)
				} else {
					require.Empty(t, f.ended)
				}
				if c.lasts {
					require.Nil(t, f.journal.games[f.journal.lastGID].end)
				}
			})
		})
	}
}

// A command that can never be written, and that the game does not need, is refused: nobody ends a game with a line of chat.
func TestACommandThatCanNeverBeWritten(t *testing.T) {
	bubble(t, config(nil), func(t *testing.T, f *fixture) {
		p, _, v := begin(f)
		f.journal.refuse = func(b *table.Batch) error {
			if len(b.Chat) > 0 {
				return errNever
			}
			return nil
		}
		for range 100 {
			require.ErrorIs(t, f.do(ana, chat("hm")), table.ErrUnsaved)
		}
		require.Equal(t, table.Playing, f.see(eve).State)
		f.must(p, moveOf(v))
	})
}

// A table frozen by its journal can be closed: at once if the journal is back, else as soon as it is.
func TestClosingAFrozenTable(t *testing.T) {
	bubble(t, config(nil), func(t *testing.T, f *fixture) {
		p, _, v := begin(f)
		f.journal.setFail(table.ErrUnavailable)
		require.ErrorIs(t, f.do(p, moveOf(v)), table.ErrFrozen)
		require.ErrorIs(t, f.do(table.Player{}, table.Close{}), table.ErrClosing)
		require.Equal(t, table.Frozen, f.see(eve).State)
		f.journal.setFail(nil)
		time.Sleep(10 * time.Second)
		<-f.Done()
		require.Equal(t, table.EndAbandoned, f.journal.games[v.Game].end.Ending)
		require.Empty(t, f.journal.tables)
	})
	for _, suspended := range []bool{false, true} {
		bubble(t, config(nil), func(t *testing.T, f *fixture) {
			begin(f)
			if suspended {
				f.Suspend("The disk is being changed.")
				synctest.Wait()
				require.ErrorIs(t, f.do(table.Player{}, table.Close{}), table.ErrClosing)
				f.Suspend("")
			} else {
				f.journal.setFail(table.ErrUnavailable)
				require.ErrorIs(t, f.do(ana, chat("hm")), table.ErrFrozen)
				f.journal.setFail(nil)
				require.NoError(t, f.do(table.Player{}, table.Close{}))
			}
			<-f.Done()
			require.Empty(t, f.journal.tables)
		})
	}
}

// While a table cannot be written, for whatever reason, the log grows with the logarithm of the time.
func TestAFrozenTableSeldomWritesToTheLog(t *testing.T) {
	for _, flaps := range []bool{false, true} { // the state can be written, and what follows cannot
		synctest.Test(t, func(t *testing.T) {
			var out bytes.Buffer
			f := openWith(t, 1, config(func(c *table.Config) { c.Fill = table.FillNow }), func(d *table.Deps) {
				d.Log = slog.New(slog.NewTextHandler(&out, nil))
			})
			f.must(ana, sit(1))
			f.must(ana, ready(true))
			f.journal.mu.Lock()
			f.journal.refuse = func(b *table.Batch) error {
				if flaps && len(b.Rows) == 0 {
					return nil
				}
				return table.ErrUnavailable
			}
			f.journal.mu.Unlock()
			for range 2 {
				f.Presence(ana.ID, table.Here)
				time.Sleep(24 * time.Hour)
			}
			require.LessOrEqual(t, strings.Count(out.String(), "\n"), 2*12)
		})
	}
}

func TestWhoComesWhileTheJournalWritesIsCounted(t *testing.T) {
	bubble(t, config(nil), func(t *testing.T, f *fixture) {
		goOn := f.journal.stall()
		answer := make(chan error)
		go func() { answer <- f.once(ana, "bot", table.AddBot{}) }()
		synctest.Wait()
		s := f.watch(cal)
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

// Somebody who leaves is shown so in a new version, even to those who come while the journal writes what
// follows.
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
		s := f.watch(cal)
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
