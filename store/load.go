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
	all, err := s.load(ctx)
	if err != nil {
		return nil, fmt.Errorf("load the tables: %w", translate(err))
	}
	return all, nil
}

func (s *Store) load(ctx context.Context) ([]table.Saved, error) {
	all, err := collect(ctx, s.entrance, func(scan scanner) (v table.Saved, err error) {
		var changes []byte
		if err := scan(&v.Table, &v.State, &v.Game, &changes); err != nil || changes == nil {
			return v, err
		}
		return v, json.Unmarshal(changes, &v.Changes)
	}, `SELECT tables.id, tables.state, iif(games.end_no IS NULL, coalesce(games.id, 0), 0), games.changes
		FROM tables LEFT JOIN games ON games.id = tables.game ORDER BY tables.id`)
	if err != nil {
		return nil, err
	}
	for i := range all {
		if all[i].Chat, err = s.tableChat(ctx, all[i].Table); err != nil {
			return nil, err
		}
		if all[i].Game == 0 {
			continue
		}
		if all[i].Start, err = s.start(ctx, all[i].Game); err != nil {
			return nil, err
		}
		if all[i].Rows, err = journalRows(ctx, s.entrance, all[i].Game); err != nil {
			return nil, err
		}
	}
	return all, nil
}

func (s *Store) start(ctx context.Context, id table.GameID) (*table.Start, error) {
	var b table.Start
	var seats string
	err := scanRow(ctx, s.entrance, []any{&b.Rules, &seats, &b.Rated, &b.Why, &b.Teams[0], &b.Teams[1], &b.Commit, &b.Seed},
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

func (s *Store) tableChat(ctx context.Context, id table.ID) ([]table.ChatLine, error) {
	lines, err := collect(ctx, s.entrance, scanTableChat,
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
