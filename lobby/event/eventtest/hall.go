// Package eventtest holds events in tests, in a club whose tables play only when a test says so.
package eventtest

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"log/slog"
	"maps"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/require"

	"boneyard/lobby"
	"boneyard/lobby/event"
	"boneyard/lobby/lobbytest"
	"boneyard/rules"
	"boneyard/table"
)

// Hall is a club whose tables play only when a test says so. Change changes what it knows about people.
type Hall struct {
	event.Club // nothing else is asked

	T       testing.TB
	Store   *lobbytest.Store
	Events  *event.Events
	Kinds   event.Kinds
	Log     *slog.Logger
	Teams   map[table.TeamID]event.Roster
	Away    map[table.PlayerID]bool // who is not in the club
	Begun   map[table.ID]bool       // tables at which the game has begun, see event.Facts
	Fault   error                   // of the tables
	Restart bool                    // Settle ends the server and starts it again
	Ahead   time.Duration           // by how much the server's clock is ahead of the bubble's

	People   []table.Player // who is reminded
	Reminded []Reminder     // of what
	Told     []string       // news

	mu     sync.Mutex
	last   table.ID
	kept   table.TeamID // the last team in the store
	open   map[table.Event]Table
	closed []table.Event
}

// Reminder is what somebody was reminded of.
type Reminder struct {
	To   table.PlayerID
	Says string
	At   time.Time // by the server's clock
}

// Table is an open table.
type Table struct {
	ID table.ID
	event.Pairing
}

// New returns a hall whose server ends with the test. Call it in a synctest bubble.
func New(tb testing.TB, kinds event.Kinds) *Hall {
	h := &Hall{
		T: tb, Store: lobbytest.New(tb), Kinds: kinds, Log: slog.New(slog.DiscardHandler),
		Teams: map[table.TeamID]event.Roster{}, Away: map[table.PlayerID]bool{},
		Begun: map[table.ID]bool{}, open: map[table.Event]Table{},
	}
	tb.Cleanup(func() {
		if h.Events != nil {
			h.Stop()
		}
	})
	return h
}

// Change calls f to change what the club knows.
func (h *Hall) Change(f func()) {
	h.mu.Lock()
	defer h.mu.Unlock()
	f()
}

// AddTeam adds a team, such as T3 with the members 30, 31 and 32.
func (h *Hall) AddTeam(id table.TeamID, rating, members int) event.Roster {
	r := event.Roster{Team: id, Tag: fmt.Sprint("T", id), Name: fmt.Sprint("Team ", id), Rating: rating}
	for k := range members {
		r.Members = append(r.Members, table.Player{ID: table.PlayerID(10*int(id) + k), Name: fmt.Sprint("p", id, k), Team: id, Tag: r.Tag})
	}
	for h.kept < id {
		h.kept++
		name := fmt.Sprint("captain", h.kept)
		captain, err := h.Store.Create(h.T.Context(), lobby.KeyID{byte(h.kept)}, name, name, time.Now())
		require.NoError(h.T, err)
		_, err = h.Store.CreateTeam(h.T.Context(), captain.ID, "of "+name, "of "+name, fmt.Sprint("T", h.kept), time.Now())
		require.NoError(h.T, err)
	}
	h.Change(func() { h.Teams[id] = r })
	return r
}

// ClosedTables returns the tables that were closed before their games.
func (h *Hall) ClosedTables() []table.Event {
	h.mu.Lock()
	defer h.mu.Unlock()
	return h.closed
}

// Start starts the server.
func (h *Hall) Start() {
	h.T.Helper()
	h.Events = event.NewEvents(event.Deps{Journal: h.Store, Club: h, Now: h.now, Log: h.Log, Kinds: h.Kinds, Context: context.Background()})
	require.NoError(h.T, h.Events.Start(context.Background()))
	synctest.Wait()
}

func (h *Hall) now() time.Time {
	h.mu.Lock()
	defer h.mu.Unlock()
	return time.Now().Add(h.Ahead)
}

// Stop stops the server.
func (h *Hall) Stop() {
	h.T.Helper()
	require.NoError(h.T, h.Events.Stop(context.Background()))
	h.Events = nil
}

// Settle waits until nothing is left to do; with Restart it then restarts the server.
func (h *Hall) Settle() {
	h.T.Helper()
	if h.Restart {
		h.Stop()
		h.Start()
	}
	synctest.Wait()
}

// Tables returns the open tables.
func (h *Hall) Tables() map[table.Event]Table {
	h.mu.Lock()
	defer h.mu.Unlock()
	return maps.Clone(h.open)
}

func (h *Hall) EventTables() map[table.ID]table.Event {
	all := map[table.ID]table.Event{}
	for of, t := range h.Tables() {
		all[t.ID] = of
	}
	return all
}

func (h *Hall) OpenTable(_ context.Context, p event.Pairing) (table.ID, error) {
	h.mu.Lock()
	defer h.mu.Unlock()
	if h.Fault != nil {
		return 0, h.Fault
	}
	of := table.Event{ID: p.Config.Event.ID, Pairing: p.No}
	if _, twice := h.open[of]; twice {
		return 0, errors.New("a game has two tables")
	}
	h.last++
	h.open[of] = Table{h.last, p}
	return h.last, nil
}

func (h *Hall) CloseTable(_ context.Context, id table.ID) error {
	h.mu.Lock()
	defer h.mu.Unlock()
	for of, t := range h.open {
		if t.ID == id {
			delete(h.open, of)
			h.closed = append(h.closed, of)
			h.Events.Closed(of, id)
		}
	}
	return nil
}

// Stray opens a table that no event has asked for.
func (h *Hall) Stray(of table.Event) {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.last++
	h.open[of] = Table{ID: h.last}
}

func (h *Hall) Changed(*event.Room) {}

func (h *Hall) Rosters(_ context.Context, teams []table.TeamID) (all []event.Roster, err error) {
	h.mu.Lock()
	defer h.mu.Unlock()
	for _, id := range teams {
		if r, ok := h.Teams[id]; ok {
			all = append(all, r)
		}
	}
	return all, nil
}

func (h *Hall) Busy(table.PlayerID, event.ID) bool { return false }

func (h *Hall) Here(id table.PlayerID) bool {
	h.mu.Lock()
	defer h.mu.Unlock()
	return !h.Away[id]
}

func (h *Hall) Came(id table.ID) (begun bool, here []table.PlayerID) {
	h.mu.Lock()
	defer h.mu.Unlock()
	for _, t := range h.open {
		if t.ID != id {
			continue
		}
		for _, p := range t.Occasion.Seats {
			if p.ID != 0 && !h.Away[p.ID] {
				here = append(here, p.ID)
			}
		}
	}
	return h.Begun[id], here
}

// Play ends the game of a table, on disk, and returns what the event hears of it.
func (h *Hall) Play(of table.Event, r table.Result) event.Played {
	h.T.Helper()
	h.mu.Lock()
	at, ok := h.open[of]
	delete(h.open, of)
	h.mu.Unlock()
	require.True(h.T, ok, "the event wants no such game")
	p := event.Played{
		Start: table.Start{Rules: cmp.Or(at.Config.RuleText, "classic"), Seats: at.Occasion.Seats, Rated: r.Rated,
			Teams: at.Config.Teams, Event: of,
			Seed: rules.Seed{}.String()}, Result: r, Ended: time.Now(),
	}
	p.Game = h.Store.AddGame(h.T, p.Ended, p.Start, &p.Result, "x")
	return p
}

// Run implements event.Club.
func (h *Hall) Run(job func()) { job() }

// KeepTime implements event.Club.
func (h *Hall) KeepTime() {}

func (h *Hall) Tell([]table.Player, table.PlayerID, string) {}

func (h *Hall) TellHere([]table.Player, table.PlayerID, string) {}

func (h *Hall) News(_ time.Time, _, what string, _ event.NewsSort) {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.Told = append(h.Told, what)
}

func (h *Hall) Remind(what func(table.Player) string) {
	h.mu.Lock()
	defer h.mu.Unlock()
	for _, p := range h.People {
		if say := what(p); say != "" {
			h.Reminded = append(h.Reminded, Reminder{p.ID, say, time.Now().Add(h.Ahead)})
		}
	}
}
