package store

import (
	"context"
	"database/sql"

	"boneyard/lobby"
	"boneyard/lobby/event"
)

// checkedEvents are the events of the file that is checked, as its journal says.
type checkedEvents struct {
	event.Journal // nothing else is asked
	conn          *sql.Conn
}

// EventLog implements event.Journal.
func (c checkedEvents) EventLog(ctx context.Context, id event.ID) ([]event.Entry, error) {
	return eventLog(ctx, c.conn, id)
}

// checkEvents makes the state of each event again from its journal, and compares what it says of its games with the games.
func checkEvents(ctx context.Context, conn *sql.Conn, f *Findings) error {
	all, err := collect(ctx, conn, scanEvent, selectEvent+` ORDER BY id`)
	if err != nil {
		return err
	}
	for _, e := range all {
		rules, _, err := event.Replay(ctx, checkedEvents{conn: conn}, lobby.EventKinds(), e)
		if code(err) != 0 || ctx.Err() != nil {
			return err
		}
		if err != nil {
			f.add("%v", err)
			continue
		}
		if rules.Over() != e.Over {
			f.add("event %d: whether it is over, its journal says %t, and its row %t", e.ID, rules.Over(), e.Over)
		}
		games, err := eventGames(ctx, conn, e.ID)
		if err != nil {
			return err
		}
		if c, ok := rules.(event.Checker); ok {
			for _, fault := range c.Check(games) {
				f.add("event %d: %s", e.ID, fault)
			}
		}
	}
	strays, err := collect(ctx, conn, func(scan scanner) (id int64, err error) {
		return id, scan(&id)
	}, `SELECT games.id FROM games LEFT JOIN events ON events.id = games.event WHERE games.event <> 0
		AND (events.id IS NULL OR games.sealed AND events.over)`)
	for _, id := range strays {
		f.add("game %d: it belongs to an event that does not exist, or is sealed although its event is over", id)
	}
	return err
}
