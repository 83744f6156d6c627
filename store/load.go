package store

import (
	"context"
	"database/sql"
	"database/sql/driver"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"time"

	"boneyard/lobby"
	"boneyard/table"
)

func (s *Store) Load(ctx context.Context) ([]table.Saved, error) {
	all, err := load(ctx, s.entrance)
	return all, during(err, "load the tables")
}

// load reads the open tables. A table that cannot be read has a Fault; the others are loaded.
func load(ctx context.Context, db queryer) ([]table.Saved, error) {
	all, err := collect(ctx, db, func(scan scanner) (v table.Saved, err error) {
		var changes []byte
		if err := scan(&v.Table, &v.State, &v.Game, &changes); err != nil || changes == nil {
			return v, err
		}
		v.Fault = json.Unmarshal(changes, &v.Changes)
		return v, nil
	}, `SELECT tables.id, tables.state, iif(games.end_no IS NULL, coalesce(games.id, 0), 0), games.changes
		FROM tables LEFT JOIN games ON games.id = tables.game ORDER BY tables.id`)
	if err != nil {
		return nil, err
	}
	for i := range all {
		if err := loadOne(ctx, db, &all[i]); ofContents(ctx, err) {
			all[i].Fault = err
		} else if err != nil {
			return nil, err
		}
	}
	return all, nil
}

// ofContents reports whether an error says something about what was read, and not that it could not be read
// just now.
func ofContents(ctx context.Context, err error) bool {
	return err != nil && code(err) == 0 && ctx.Err() == nil && !errors.Is(err, lobby.ErrSlow) &&
		!errors.Is(translate(err), table.ErrUnavailable)
}

func loadOne(ctx context.Context, db queryer, v *table.Saved) (err error) {
	if v.Chat, err = tableChat(ctx, db, v.Table); err != nil || v.Game == 0 {
		return err
	}
	if v.Rows, err = journalRows(ctx, db, v.Game); err != nil {
		return err
	}
	v.Start, err = start(ctx, db, v.Game)
	return err
}

func start(ctx context.Context, db queryer, id table.GameID) (*table.Start, error) {
	var b table.Start
	err := scanRow(ctx, db, []any{&b.Rules, asJSON{&b.Seats}, &b.Rated, &b.Why, &b.Teams[0], &b.Teams[1], &b.Commit, &b.Seed},
		`SELECT rules, seats, rated, why, team1, team2, commitment, seed FROM games WHERE id = ?`, id)
	if err != nil {
		return nil, err
	}
	return &b, nil
}

func journalRows(ctx context.Context, db queryer, id table.GameID) ([]table.Row, error) {
	return collect(ctx, db, func(scan scanner) (r table.Row, err error) {
		return r, scan(&r.Line, timeOf{&r.At}, &r.Command, &r.By)
	}, `SELECT line, at, command, player FROM journal WHERE game = ? ORDER BY seq`, id)
}

func tableChat(ctx context.Context, db queryer, id table.ID) ([]table.ChatLine, error) {
	lines, err := collect(ctx, db, scanTableChat,
		`SELECT seq, at, speaker, text, room, house FROM table_chat WHERE tbl = ? ORDER BY id DESC LIMIT ?`, id, chatKept)
	slices.Reverse(lines)
	return lines, err
}

func scanTableChat(scan scanner) (l table.ChatLine, err error) {
	return l, scan(&l.Seq, timeOf{&l.At}, asJSON{&l.From}, &l.Text, &l.Room, &l.House)
}

type scanner func(to ...any) error

// timeOf scans a time written by nanos.
type timeOf struct{ t *time.Time }

var _ sql.Scanner = timeOf{}

func (t timeOf) Scan(v any) error {
	switch v := v.(type) {
	case nil:
		*t.t = time.Time{}
	case int64:
		*t.t = time.Unix(0, v).UTC()
	default:
		return fmt.Errorf("a time is kept as a %T", v)
	}
	return nil
}

// asJSON stores a value as JSON: the argument of a query, or a pointer to scan into.
type asJSON struct{ v any }

var _ interface {
	sql.Scanner
	driver.Valuer
} = asJSON{}

func (j asJSON) Value() (driver.Value, error) {
	text, err := json.Marshal(j.v)
	return string(text), err
}

func (j asJSON) Scan(v any) error {
	switch v := v.(type) {
	case string:
		return json.Unmarshal([]byte(v), j.v)
	case []byte:
		return json.Unmarshal(v, j.v)
	}
	return fmt.Errorf("JSON is kept as a %T", v)
}
