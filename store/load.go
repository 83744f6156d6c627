package store

import (
	"context"
	"database/sql"
	"encoding/json"
	"fmt"
	"slices"
	"time"

	"boneyard/table"
)

// Load returns all tables that were not closed, by number, with the games that were being played at them.
func (s *Store) Load(ctx context.Context) ([]table.Saved, error) {
	all, err := load(ctx, s.entrance)
	return all, during(err, "load the tables")
}

// load reads the tables. A table that cannot be read has a Fault; the others are loaded.
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
		if err := loadOne(ctx, db, &all[i]); code(err) != 0 || ctx.Err() != nil {
			return nil, err
		} else if err != nil {
			all[i].Fault = err
		}
	}
	return all, nil
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
	var seats string
	err := scanRow(ctx, db, []any{&b.Rules, &seats, &b.Rated, &b.Why, &b.Teams[0], &b.Teams[1], &b.Commit, &b.Seed},
		`SELECT rules, seats, rated, why, team1, team2, commitment, seed FROM games WHERE id = ?`, id)
	if err != nil {
		return nil, err
	}
	return &b, json.Unmarshal([]byte(seats), &b.Seats)
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
	var speaker []byte
	if err := scan(&l.Seq, timeOf{&l.At}, &speaker, &l.Text, &l.Room, &l.House); err != nil {
		return l, err
	}
	return l, json.Unmarshal(speaker, &l.From)
}

// scanner is the Scan of a row.
type scanner func(to ...any) error

// timeOf scans a time as nanos has written it.
type timeOf struct{ t *time.Time }

var _ sql.Scanner = timeOf{}

// Scan implements sql.Scanner.
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
