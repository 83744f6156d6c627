package store

import (
	"context"
	"time"

	"boneyard/lobby/event"
	"boneyard/table"
)

const selectEvent = `SELECT id, kind, key, begins, ends, config, secret, over FROM events`

func scanEvent(scan scanner) (e event.Event, err error) {
	return e, scan(&e.ID, &e.Kind, &e.Key, timeOf{&e.Begins}, timeOf{&e.Ends}, (*[]byte)(&e.Config), &e.Secret, &e.Over)
}

func (s *Store) CreateEvent(ctx context.Context, e event.Event) (event.Event, error) {
	o := &createEvent{Event: e}
	err := s.run(ctx, o)
	return o.kept, during(err, "create an event")
}

type createEvent struct {
	Event event.Event

	kept event.Event
}

func (o *createEvent) apply(t *tx) error {
	e := &o.Event
	err := t.exec(`INSERT INTO events (kind, key, begins, ends, config, secret) VALUES (?, ?, ?, ?, ?, ?)
		ON CONFLICT (kind, key) DO NOTHING`,
		string(e.Kind), e.Key, nanos(e.Begins), nanos(e.Ends), string(e.Config), e.Secret)
	if err != nil {
		return err
	}
	o.kept, err = scanEvent(t.queryRow(selectEvent+` WHERE kind = ? AND key = ?`, string(e.Kind), e.Key).Scan)
	return err
}

func (s *Store) AppendEvent(ctx context.Context, id event.ID, seq int, entries []event.Entry, over bool) error {
	err := answer(s.run(ctx, &appendEvent{ID: id, Seq: seq, Entries: entries, Over: over}))
	return during(err, "journal of event %d", id)
}

type appendEvent struct {
	ID      event.ID
	Seq     int
	Entries []event.Entry
	Over    bool
}

func (o *appendEvent) apply(t *tx) error {
	var have int
	err := t.queryRow(`SELECT (SELECT coalesce(max(seq), 0) FROM event_log WHERE event = events.id) FROM events
		WHERE id = ?`, o.ID).Scan(&have)
	switch {
	case isNone(err):
		return event.ErrNotFound
	case err != nil:
		return err
	case have != o.Seq:
		return event.ErrConflict
	}
	for i, e := range o.Entries {
		err := t.exec(`INSERT INTO event_log (event, seq, at, kind, data) VALUES (?, ?, ?, ?, ?)`, o.ID, o.Seq+i+1,
			nanos(e.At), e.Kind, string(e.Data))
		if err != nil {
			return err
		}
	}
	if !o.Over {
		return nil
	}
	if err := t.exec(`UPDATE events SET over = 1 WHERE id = ?`, o.ID); err != nil {
		return err
	}
	return t.exec(`UPDATE games SET sealed = 0 WHERE event = ? AND event <> 0`, o.ID)
}

func (s *Store) Event(ctx context.Context, kind event.Kind, key string) (event.Event, error) {
	return s.event(ctx, ` WHERE kind = ? AND key = ?`, string(kind), key)
}

func (s *Store) EventByID(ctx context.Context, id event.ID) (event.Event, error) {
	return s.event(ctx, ` WHERE id = ?`, id)
}

// event returns the only event that matches a clause.
func (s *Store) event(ctx context.Context, where string, args ...any) (e event.Event, err error) {
	e, err = one(ctx, s.read, scanEvent, selectEvent+where, args...)
	if isNone(err) {
		return e, event.ErrNotFound
	}
	return e, during(err, "event")
}

func (s *Store) Events(ctx context.Context, kind event.Kind, limit int) (all []event.Event, err error) {
	if limit <= 0 {
		limit = -1
	}
	if kind == "" {
		all, err = collect(ctx, s.entrance, scanEvent, selectEvent+` WHERE over = 0 ORDER BY id DESC LIMIT ?`, limit)
	} else {
		all, err = collect(ctx, s.read, scanEvent, selectEvent+` WHERE kind = ? ORDER BY id DESC LIMIT ?`, string(kind), limit)
	}
	return all, during(err, "events")
}

func (s *Store) Closings(ctx context.Context, kind event.Kind, limit int) ([]event.Closing, error) {
	if limit <= 0 {
		limit = -1
	}
	all, err := collect(ctx, s.read, func(scan scanner) (c event.Closing, err error) {
		e, x := &c.Event, &c.Last
		e.Over = true
		return c, scan(&e.ID, &e.Kind, &e.Key, timeOf{&e.Begins}, timeOf{&e.Ends}, (*[]byte)(&e.Config), &x.Seq, timeOf{&x.At}, &x.Kind,
			(*[]byte)(&x.Data))
	}, `SELECT events.id, events.kind, events.key, events.begins, events.ends, events.config, last.seq, last.at, last.kind, last.data
		FROM events JOIN event_log AS last ON last.event = events.id AND last.seq = (SELECT max(seq) FROM event_log WHERE event = events.id)
		WHERE events.kind = ? AND events.over = 1 ORDER BY events.id DESC LIMIT ?`, string(kind), limit)
	return all, during(err, "events that are over")
}

func (s *Store) EventLog(ctx context.Context, id event.ID) ([]event.Entry, error) {
	entries, err := eventLog(ctx, s.read, id)
	return entries, during(err, "journal of event %d", id)
}

func eventLog(ctx context.Context, db queryer, id event.ID) ([]event.Entry, error) {
	return collect(ctx, db, func(scan scanner) (e event.Entry, err error) {
		return e, scan(&e.Seq, timeOf{&e.At}, &e.Kind, (*[]byte)(&e.Data))
	}, `SELECT seq, at, kind, data FROM event_log WHERE event = ? ORDER BY seq`, id)
}

func (s *Store) EventGames(ctx context.Context, id event.ID) ([]event.Played, error) {
	games, err := eventGames(ctx, s.read, id)
	return games, during(err, "games of event %d", id)
}

func eventGames(ctx context.Context, db queryer, id event.ID) ([]event.Played, error) {
	return collect(ctx, db, func(scan scanner) (p event.Played, err error) {
		b, r := &p.Start, &p.Result
		b.Event.ID = id
		err = scan(&p.Game, &b.Event.Pairing, &b.Rules, asJSON{&b.Seats}, &b.Rated, &b.Why, &b.Teams[0], &b.Teams[1],
			timeOf{&p.Ended}, &r.Ending, &r.Winner, asJSON{&r.Scores}, &r.Rounds, &r.Best, &r.BestBy, &r.Deficit,
			asJSON{&r.Leavers}, asJSON{&r.Plays}, asJSON{&r.Own})
		r.Rated = b.Rated
		return p, err
	}, `SELECT id, pairing, rules, seats, rated, why, team1, team2, ended, ending, winner, scores, rounds, best, best_by, deficit,
		leavers, plays, own FROM games WHERE event = ? AND event <> 0 AND end_no IS NOT NULL ORDER BY end_no`, id)
}

func (s *Store) Moves(ctx context.Context, id table.GameID) ([]string, error) {
	lines, err := recordLines(ctx, s.read, id)
	return lines, during(err, "game %d", id)
}

func (s *Store) KeepTime(ctx context.Context, now, wall time.Time) error {
	return during(s.run(ctx, &keepTime{At: now, Wall: wall}), "keep the time")
}

type keepTime struct{ At, Wall time.Time }

// keepsTime is the kind of entries that keep the time.
var keepsTime = kindOf((*keepTime)(nil))

func (o *keepTime) apply(t *tx) error {
	return t.exec(`INSERT INTO numbers (name, last) VALUES ('time', ?), ('wall time', ?)
		ON CONFLICT (name) DO UPDATE SET last = excluded.last`,
		nanos(o.At), nanos(o.Wall))
}

func (s *Store) ClubID(ctx context.Context) (id uint64, err error) {
	var kept int64
	err = scanRow(ctx, s.read, []any{&kept}, `SELECT last FROM numbers WHERE name = 'club'`)
	if isNone(err) {
		err = nil
	}
	return uint64(kept), during(err, "the club's number")
}

func (s *Store) KeepClubID(ctx context.Context, id uint64) error {
	o := &keepClubID{ID: id}
	if !s.knows(o) {
		return nil // the next start tries again
	}
	return during(s.run(ctx, o), "keep the club's number")
}

type keepClubID struct{ ID uint64 }

func (o *keepClubID) apply(t *tx) error {
	return t.exec(`INSERT INTO numbers (name, last) VALUES ('club', ?) ON CONFLICT (name) DO NOTHING`, int64(o.ID))
}

func (s *Store) LastTime(ctx context.Context) (now, wall time.Time, ago time.Duration, err error) {
	for name, at := range map[string]*time.Time{"time": &now, "wall time": &wall} {
		err := scanRow(ctx, s.read, []any{timeOf{at}}, `SELECT last FROM numbers WHERE name = ?`, name)
		if err != nil && !isNone(err) {
			return now, wall, 0, during(err, "the last time")
		}
	}
	if s.replica != nil {
		ago = s.replica.sinceTime()
	}
	return now, wall, ago, nil
}
