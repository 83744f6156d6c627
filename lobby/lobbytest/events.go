package lobbytest

import (
	"cmp"
	"context"
	"slices"
	"time"

	"boneyard/lobby"
	"boneyard/lobby/event"
	"boneyard/table"
)

var _ lobby.Events = (*Store)(nil)

// journaled is an event with its journal.
type journaled struct {
	event.Event
	log []event.Entry
}

// eventOf is the event of a number, nil if there is none. With mu held.
func (s *Store) eventOf(id event.ID) *journaled {
	if id < 1 || int(id) > len(s.events) {
		return nil
	}
	return s.events[id-1]
}

// CreateEvent implements event.Journal.
func (s *Store) CreateEvent(ctx context.Context, e event.Event) (kept event.Event, err error) {
	err = s.write(ctx, func() error {
		i := slices.IndexFunc(s.events, func(h *journaled) bool { return h.Kind == e.Kind && h.Key == e.Key })
		if i < 0 {
			i = len(s.events)
			e.ID, e.Over = event.ID(i+1), false
			s.events = append(s.events, &journaled{Event: e})
		}
		kept = s.events[i].Event
		return nil
	})
	return kept, err
}

// AppendEvent implements event.Journal.
func (s *Store) AppendEvent(ctx context.Context, id event.ID, seq int, entries []event.Entry, over bool) error {
	return s.write(ctx, func() error {
		h := s.eventOf(id)
		switch {
		case h == nil:
			return event.ErrNotFound
		case len(h.log) != seq:
			return event.ErrConflict
		}
		h.log = append(h.log, entries...)
		h.Over = h.Over || over
		return nil
	})
}

// Event implements event.Journal.
func (s *Store) Event(ctx context.Context, kind event.Kind, key string) (e event.Event, err error) {
	err = s.read(ctx, func() error {
		for _, h := range s.events {
			if h.Kind == kind && h.Key == key {
				e = h.Event
				return nil
			}
		}
		return event.ErrNotFound
	})
	return e, err
}

// EventByID implements lobby.Events.
func (s *Store) EventByID(ctx context.Context, id event.ID) (e event.Event, err error) {
	err = s.read(ctx, func() error {
		h := s.eventOf(id)
		if h == nil {
			return event.ErrNotFound
		}
		e = h.Event
		return nil
	})
	return e, err
}

// Events implements event.Journal.
func (s *Store) Events(ctx context.Context, kind event.Kind, limit int) (all []event.Event, err error) {
	err = s.read(ctx, func() error {
		for _, h := range slices.Backward(s.events) {
			if (kind == "" && !h.Over || kind != "" && h.Kind == kind) && (limit <= 0 || len(all) < limit) {
				all = append(all, h.Event)
			}
		}
		return nil
	})
	return all, err
}

// Closings implements lobby.Events.
func (s *Store) Closings(ctx context.Context, kind event.Kind, limit int) (all []event.Closing, err error) {
	err = s.read(ctx, func() error {
		for _, h := range slices.Backward(s.events) {
			if h.Kind == kind && h.Over && (limit <= 0 || len(all) < limit) {
				all = append(all, event.Closing{Event: h.Event, Last: h.log[len(h.log)-1]})
			}
		}
		return nil
	})
	return all, err
}

// EventLogs implements lobby.Events.
func (s *Store) EventLogs(ctx context.Context, kind event.Kind, limit int) (all []event.Journaled, err error) {
	err = s.read(ctx, func() error {
		for _, h := range slices.Backward(s.events) {
			if h.Kind == kind && h.Over && len(all) < limit {
				all = append(all, event.Journaled{Event: h.Event, Log: slices.Clone(h.log)})
			}
		}
		return nil
	})
	return all, err
}

// EventLog implements event.Journal.
func (s *Store) EventLog(ctx context.Context, id event.ID) (entries []event.Entry, err error) {
	err = s.read(ctx, func() error {
		if h := s.eventOf(id); h != nil {
			entries = slices.Clone(h.log)
		}
		return nil
	})
	return entries, err
}

// EventGames implements event.Journal.
func (s *Store) EventGames(ctx context.Context, id event.ID) (played []event.Played, err error) {
	err = s.read(ctx, func() error {
		for n, g := range s.journal.games {
			if g.end != nil && g.start.Event.ID == id {
				played = append(played, event.Played{Game: n, Start: g.start, Result: *g.end, Ended: g.over})
			}
		}
		return nil
	})
	slices.SortFunc(played, func(a, b event.Played) int { return cmp.Or(a.Ended.Compare(b.Ended), cmp.Compare(a.Game, b.Game)) })
	return played, err
}

// Moves implements lobby.Events.
func (s *Store) Moves(ctx context.Context, id table.GameID) (lines []string, err error) {
	err = s.read(ctx, func() error {
		if g := s.journal.games[id]; g != nil && g.end != nil {
			lines = g.lines()
			return nil
		}
		return lobby.ErrNotFound
	})
	return lines, err
}

// lines are those of the game's record. With mu held.
func (g *game) lines() (lines []string) {
	for _, r := range g.rows {
		lines = append(lines, r.Line)
	}
	return lines
}

// sealed reports whether nobody may read of a game yet. With mu held.
func (s *Store) sealed(g *game) bool {
	h := s.eventOf(g.start.Event.ID)
	return g.start.Event.Sealed && h != nil && !h.Over
}

// KeepTime implements lobby.Events.
func (s *Store) KeepTime(ctx context.Context, now, wall time.Time) error {
	return s.write(ctx, func() error { s.time, s.wall = now, wall; return nil })
}

// LastTime implements lobby.Events.
func (s *Store) LastTime(ctx context.Context) (now, wall time.Time, err error) {
	err = s.read(ctx, func() error { now, wall = s.time, s.wall; return nil })
	return now, wall, err
}
