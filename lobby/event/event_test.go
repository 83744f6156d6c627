package event_test

import (
	"context"
	"errors"
	"log/slog"
	"slices"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/require"

	"boneyard/lobby/event"
	"boneyard/lobby/event/eventtest"
	"boneyard/table"
)

// ladder is an event with a few games at once; each result asks for another game until there were enough.
type ladder struct {
	began, opened time.Time
	ends          time.Time // zero: when there were enough games
	open          []int64
	next          int64
	took          []table.GameID
	over          bool
}

const (
	ladderGames = 6
	ladderOpens = time.Hour
)

type taken struct {
	Game    table.GameID
	Pairing int64
}

func (l *ladder) Apply(e event.Entry) error {
	switch e.Kind {
	case "open":
		l.opened = e.At
		l.open, l.next = []int64{1, 2}, 3
	case "took":
		t, err := event.Read[taken](e)
		if err != nil {
			return err
		}
		l.took = append(l.took, t.Game)
		l.open = slices.DeleteFunc(slices.Clone(l.open), func(no int64) bool { return no == t.Pairing })
		if l.next <= ladderGames {
			l.open = append(l.open, l.next)
			l.next++
		}
	case event.KindOver:
		l.over = true
	default:
		return errors.New("what is that?")
	}
	return nil
}

func (l *ladder) Ended(_ time.Time, p event.Played) []event.Entry {
	return []event.Entry{event.New("took", taken{p.Game, p.Start.Event.Pairing})}
}
func (l *ladder) HasResult(id table.GameID) bool { return slices.Contains(l.took, id) }
func (l *ladder) Due(now time.Time) []event.Entry {
	switch {
	case l.opened.IsZero() && !now.Before(l.began.Add(ladderOpens)):
		return []event.Entry{event.New("open", nil)}
	case len(l.took) == ladderGames, !l.ends.IsZero() && !now.Before(l.ends):
		return []event.Entry{event.New(event.KindOver, nil)}
	}
	return nil
}
func (l *ladder) Next() time.Time {
	if l.opened.IsZero() {
		return l.began.Add(ladderOpens)
	}
	return time.Time{}
}
func (l *ladder) Wanted() (list []event.Pairing) {
	for _, no := range l.open {
		list = append(list, event.Pairing{No: no})
	}
	return list
}
func (l *ladder) View(map[int64]table.ID) event.View { return rungs{len(l.took), l.over} }

func ladders() event.Kinds {
	return event.KindsOf(&event.Type{Kind: "ladder", New: func(e event.Event) (event.Rules, error) { return &ladder{began: e.Begins}, nil }})
}

// rungs is a view of a ladder: how many of its games have ended, and whether it is over.
type rungs struct {
	took int
	over bool
}

func (r rungs) Plan() event.Plan      { return event.Plan{Over: r.over} }
func (rungs) Players() []table.Player { return nil }

var won = table.Result{Ending: table.EndPlayed, Winner: 1}

// TestAServerThatEndsAtAnyMoment stops the server after each step of an event, before and after the event
// hears of a result. Each result is taken once, each game has one table, and the start time does not change.
func TestAServerThatEndsAtAnyMoment(t *testing.T) {
	for _, told := range []bool{true, false} {
		synctest.Test(t, func(t *testing.T) {
			ctx := context.Background()
			h := eventtest.New(t, ladders())
			began := time.Now()
			h.Start()
			room, err := h.Events.Create(ctx, event.Event{Kind: "ladder", Key: "one", Begins: began})
			require.NoError(t, err)
			again, err := h.Events.Create(ctx, event.Event{Kind: "ladder", Key: "one", Begins: began})
			require.NoError(t, err)
			require.Same(t, room, again)
			restart := func() {
				h.Stop()
				h.Start()
			}
			time.Sleep(ladderOpens / 2)
			restart()
			require.Empty(t, h.EventTables(), "it has not begun")
			time.Sleep(ladderOpens / 2)
			synctest.Wait()
			for n := range ladderGames {
				restart()
				require.Len(t, h.EventTables(), min(2, ladderGames-n))
				p := h.Play(table.Event{ID: 1, Pairing: int64(n + 1)}, won)
				if told {
					h.Events.Ended(p)
					h.Events.Ended(p)
					synctest.Wait()
				}
			}
			restart()
			require.Nil(t, h.Events.Room(1), "it is over")
			_, err = h.Events.Create(ctx, event.Event{Kind: "ladder", Key: "one", Begins: began})
			require.ErrorIs(t, err, event.ErrOver)
			log, err := h.Store.EventLog(ctx, 1)
			require.NoError(t, err)
			require.Len(t, log, 1+ladderGames+1)
			require.True(t, began.Add(ladderOpens).Equal(log[0].At))
		})
	}
}

// TestAnEventHasOneRoom asks for an event before the server has restored it: it is not restored twice.
func TestAnEventHasOneRoom(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		h := eventtest.New(t, ladders())
		h.Start()
		room, err := h.Events.Create(context.Background(), event.Event{Kind: "ladder", Key: "one", Begins: time.Now()})
		require.NoError(t, err)
		require.NoError(t, h.Events.Start(context.Background()))
		require.Same(t, room, h.Events.Room(room.Event().ID))
	})
}

// TestAnEventWaitsForTheDisk makes the journal and the tables fail for a while: nothing is shown before it is
// on disk, the event resumes by itself, and log lines become less frequent.
func TestAnEventWaitsForTheDisk(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		ctx := context.Background()
		h := eventtest.New(t, ladders())
		h.Fault = errors.New("no room")
		var said strings.Builder
		h.Log = slog.New(slog.NewTextHandler(&said, nil))
		h.Start()
		room, err := h.Events.Create(ctx, event.Event{Kind: "ladder", Key: "one", Begins: time.Now().Add(-ladderOpens)})
		require.NoError(t, err)
		synctest.Wait()
		require.Empty(t, h.EventTables())
		time.Sleep(5*time.Hour + time.Minute)
		require.Equal(t, 9, strings.Count(said.String(), "trying again"))
		h.Change(func() { h.Fault = nil })
		time.Sleep(time.Minute)
		synctest.Wait()
		require.Len(t, h.EventTables(), 2)
		h.Store.Fail(table.ErrUnavailable)
		h.Store.Fail(nil)
		p := h.Play(table.Event{ID: 1, Pairing: 1}, won)
		h.Store.Fail(table.ErrUnavailable)
		h.Events.Ended(p)
		synctest.Wait()
		require.Equal(t, rungs{}, room.View())
		h.Store.Fail(nil)
		time.Sleep(time.Minute)
		synctest.Wait()
		require.Equal(t, rungs{took: 1}, room.View())
	})
}

// A game counts that has ended before the event does, though the disk was still busy with another result.
func TestAGameThatEndsAtTheLastMomentCounts(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		ends := time.Now().Add(time.Hour)
		h := eventtest.New(t, event.KindsOf(&event.Type{Kind: "ladder", New: func(e event.Event) (event.Rules, error) {
			return &ladder{began: e.Begins, ends: ends}, nil
		}}))
		h.Start()
		room, err := h.Events.Create(t.Context(), event.Event{Kind: "ladder", Key: "one", Begins: time.Now().Add(-ladderOpens)})
		require.NoError(t, err)
		time.Sleep(time.Hour - 1)
		one, two := h.Play(table.Event{ID: 1, Pairing: 1}, won), h.Play(table.Event{ID: 1, Pairing: 2}, won)
		release := h.Store.Stall()
		h.Events.Ended(one)
		synctest.Wait()
		h.Events.Ended(two)
		time.Sleep(time.Second)
		release()
		synctest.Wait()
		require.Equal(t, rungs{took: 2, over: true}, room.View())
	})
}

// opened is an event that has just opened two tables.
func opened(t *testing.T) (h *eventtest.Hall, said *strings.Builder) {
	t.Helper()
	h, said = eventtest.New(t, ladders()), &strings.Builder{}
	h.Log = slog.New(slog.NewTextHandler(said, nil))
	h.Start()
	_, err := h.Events.Create(context.Background(), event.Event{Kind: "ladder", Key: "one", Begins: time.Now().Add(-ladderOpens)})
	require.NoError(t, err)
	synctest.Wait()
	require.Len(t, h.EventTables(), 2)
	return h, said
}

// After a restart only wanted tables are left, and one for each game.
func TestOnlyWantedTablesAreLeft(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		h, _ := opened(t)
		want := h.EventTables()
		h.Stop()
		h.Stray(table.Event{ID: 1, Pairing: 1, Private: true}) // a second one
		h.Stray(table.Event{ID: 1, Pairing: 77})
		h.Stray(table.Event{ID: 9, Pairing: 1})
		h.Start()
		require.Equal(t, want, h.EventTables())
	})
}

// A table that is lost before its game has ended is replaced, at first soon and then less often.
func TestATableThatIsLostAgainAndAgain(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		h, said := opened(t)
		lost := 0
		for since := time.Now(); time.Since(since) < 2*time.Hour; time.Sleep(100 * time.Millisecond) {
			synctest.Wait()
			for id, of := range h.EventTables() {
				if of.Pairing == 1 {
					lost++
					require.NoError(t, h.CloseTable(context.Background(), id))
				}
			}
		}
		require.InDelta(t, 13, lost, 1, "after 1, 2, 4 … seconds")
		time.Sleep(time.Hour)
		require.Len(t, h.EventTables(), 2)
		require.Empty(t, said.String())
	})
}

// blind is a journal that cannot be read for a while.
type blind struct{ event.Store }

var errBlind = errors.New("the disk does not answer")

func (blind) EventLog(context.Context, event.ID) ([]event.Entry, error) { return nil, errBlind }

// An event that could not be read for a while is not treated as unreadable.
func TestAnEventThatCouldNotBeRead(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		h, _ := opened(t)
		h.Stop()
		deps := event.Deps{Journal: blind{h.Store}, Club: h, Now: time.Now, Log: h.Log, Kinds: h.Kinds}
		require.ErrorIs(t, event.NewEvents(deps).Start(t.Context()), errBlind)
		deps.Journal, deps.Kinds = h.Store, event.Kinds{}
		h.Events = event.NewEvents(deps)
		require.NoError(t, h.Events.Start(t.Context()), "another program's event")
		h.Stop()
		h.Start()
		require.NotNil(t, h.Events.Room(1))
	})
}

// meanwhile is a journal of which something happens after the events were listed; it counts how often one was read.
type meanwhile struct {
	event.Store
	then func()
	read int
}

func (m *meanwhile) Events(ctx context.Context, kind event.Kind, limit int) ([]event.Event, error) {
	defer m.then()
	return m.Store.Events(ctx, kind, limit)
}

func (m *meanwhile) EventLog(ctx context.Context, id event.ID) ([]event.Entry, error) {
	m.read++
	return m.Store.EventLog(ctx, id)
}

// An event that ends while the stored events are read again is not restored, or its end would be told twice.
func TestAnEventThatEndsWhileEventsAreRead(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		h, _ := opened(t)
		h.Stop()
		journal := &meanwhile{h.Store, func() {}, 0}
		h.Events = event.NewEvents(event.Deps{Journal: journal, Club: h, Now: time.Now, Log: h.Log, Kinds: h.Kinds, Context: t.Context()})
		require.NoError(t, h.Events.Start(t.Context()))
		room := h.Events.Room(1)
		journal.then = func() {
			require.NoError(t, room.Do(t.Context(), func(event.Rules, time.Time) ([]event.Entry, error) {
				return []event.Entry{event.New(event.KindOver, nil)}, nil
			}))
			<-room.Done()
		}
		require.NoError(t, h.Events.Start(t.Context()))
		require.Equal(t, 1, journal.read)
	})
}

// An event whose next entries can never be written, or follow on others, stops, and logs that once.
func TestAnEventThatCanNeverBeWritten(t *testing.T) {
	for _, why := range []error{event.ErrNotFound, event.ErrConflict} {
		synctest.Test(t, func(t *testing.T) {
			h, said := opened(t)
			room := h.Events.Room(1)
			h.Store.Fail(why)
			h.Events.Ended(event.Played{Game: 5, Start: table.Start{Event: table.Event{ID: 1, Pairing: 1}}, Result: won})
			<-room.Done()
			time.Sleep(24 * time.Hour)
			require.Equal(t, 1, strings.Count(said.String(), "\n"), said.String())
			require.ErrorIs(t, room.Settle(t.Context()), event.ErrOver)
		})
	}
}

// A game that this program cannot play does not hold up the others. It is logged once, and tried again now and then.
func TestAGameThatCannotBePlayed(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		h, said := opened(t)
		fail := func(err error) { h.Change(func() { h.Fault = err }) }
		fail(table.ErrConfig)
		h.Events.Ended(h.Play(table.Event{ID: 1, Pairing: 1}, won))
		time.Sleep(5 * time.Hour)
		require.Equal(t, rungs{took: 1}, h.Events.Room(1).View())
		require.Len(t, h.EventTables(), 1)
		require.Equal(t, 1, strings.Count(said.String(), "\n"), said.String())
		fail(nil)
		time.Sleep(time.Hour + time.Minute)
		require.Len(t, h.EventTables(), 2)
	})
}

// A request that waits for its turn while another one ends the event is refused without asking the event's rules.
func TestARequestAfterTheEnd(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		h, _ := opened(t)
		room, wait := h.Events.Room(1), make(chan struct{})
		ask := func(f func() []event.Entry) <-chan error {
			done := make(chan error, 1)
			go func() {
				done <- room.Do(t.Context(), func(event.Rules, time.Time) ([]event.Entry, error) { return f(), nil })
			}()
			synctest.Wait()
			return done
		}
		ask(func() []event.Entry { <-wait; return nil })
		ends := ask(func() []event.Entry { return []event.Entry{event.New(event.KindOver, nil)} })
		late := ask(func() []event.Entry { t.Error("it is over"); return nil })
		close(wait)
		require.NoError(t, <-ends)
		require.ErrorIs(t, <-late, event.ErrOver)
	})
}

// TestTheClockIsSet sets the server's clock forward, as after a suspend: whatever is due happens within a
// minute. Then it sets the clock back: nothing happens early.
func TestTheClockIsSet(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		h := eventtest.New(t, ladders())
		h.Start()
		create := func(key string, begins time.Time) {
			_, err := h.Events.Create(context.Background(), event.Event{Kind: "ladder", Key: key, Begins: begins})
			require.NoError(t, err)
		}
		create("one", time.Now().Add(24*time.Hour))
		time.Sleep(time.Hour)
		h.Change(func() { h.Ahead = 23*time.Hour + ladderOpens })
		time.Sleep(time.Minute)
		synctest.Wait()
		require.Len(t, h.EventTables(), 2)

		create("two", time.Now().Add(h.Ahead))
		h.Change(func() { h.Ahead = 0 })
		time.Sleep(23 * time.Hour)
		synctest.Wait()
		require.Len(t, h.EventTables(), 2)
		time.Sleep(time.Hour + ladderOpens)
		synctest.Wait()
		require.Len(t, h.EventTables(), 4)
	})
}
