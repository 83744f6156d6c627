package store

import (
	"context"
	"encoding/json"
	"fmt"
	"time"

	"boneyard/lobby"
	"boneyard/lobby/text"
	"boneyard/table"
)

const selectAccount = `SELECT accounts.id, accounts.name, accounts.key, accounts.bot, accounts.created, accounts.settings,
	coalesce(teams.id, 0), coalesce(teams.tag, '')
	FROM accounts LEFT JOIN team_members ON team_members.player = accounts.id LEFT JOIN teams ON teams.id = team_members.team`

// ByKey returns the member with this key: lobby.ErrNotFound.
func (s *Store) ByKey(ctx context.Context, key lobby.KeyID) (*lobby.Account, error) {
	a, err := s.account(ctx, selectAccount+` WHERE accounts.key = ?`, key[:])
	if err != nil {
		return nil, fmt.Errorf("member by key: %w", err)
	}
	return a, nil
}

// ByName returns the member whose name looks like this one: lobby.ErrNotFound.
func (s *Store) ByName(ctx context.Context, name string) (*lobby.Account, error) {
	a, err := s.account(ctx, selectAccount+` WHERE accounts.skeleton = ?`, text.Skeleton(name))
	if err != nil {
		return nil, fmt.Errorf("member %q: %w", name, err)
	}
	return a, nil
}

func (s *Store) account(ctx context.Context, query string, arg any) (*lobby.Account, error) {
	var a lobby.Account
	var key, settings []byte
	err := scanRow(ctx, s.entrance, []any{&a.ID, &a.Name, &key, &a.Bot, timeOf{&a.Created}, &settings, &a.Team, &a.Tag}, query, arg)
	if isNone(err) {
		return nil, lobby.ErrNotFound
	}
	if err != nil {
		return nil, translate(err)
	}
	copy(a.Key[:], key)
	return &a, json.Unmarshal(settings, &a.Settings)
}

// Create makes a member, with no settings yet. lobby.ErrTaken if the name looks like another member's, or if the key is a
// member already.
func (s *Store) Create(ctx context.Context, key lobby.KeyID, name, skeleton string, now time.Time) (*lobby.Account, error) {
	a := &lobby.Account{Name: name, Key: key, Created: now.UTC().Round(0)}
	settings, err := json.Marshal(a.Settings)
	if err != nil {
		return nil, err
	}
	err = s.writer.do(ctx, func(tx *tx) error {
		return tx.queryRow(`INSERT INTO accounts (name, skeleton, key, created, seen, settings) VALUES (?1, ?2, ?3, ?4, ?4, ?5) RETURNING id`,
			name, skeleton, key[:], nanos(now), string(settings)).Scan(&a.ID)
	})
	if taken(err) {
		err = lobby.ErrTaken
	}
	if err != nil {
		return nil, fmt.Errorf("new member %q: %w", name, err)
	}
	return a, nil
}

// Save keeps a member's settings: lobby.ErrNotFound.
func (s *Store) Save(ctx context.Context, id table.PlayerID, settings lobby.Settings, bot bool) error {
	kept, err := json.Marshal(settings)
	if err != nil {
		return err
	}
	return s.change(ctx, fmt.Sprintf("settings of member %d", id), `UPDATE accounts SET settings = ?, bot = ? WHERE id = ?`, string(kept), bot, id)
}

// Seen keeps when a member was here last: lobby.ErrNotFound.
func (s *Store) Seen(ctx context.Context, id table.PlayerID, now time.Time) error {
	return s.change(ctx, fmt.Sprintf("visit of member %d", id), `UPDATE accounts SET seen = ? WHERE id = ?`, nanos(now), id)
}

// change runs a statement that must find its row: lobby.ErrNotFound. what is for the error.
func (s *Store) change(ctx context.Context, what, query string, args ...any) error {
	err := s.writer.do(ctx, func(tx *tx) error { return found(tx.change(query, args...)) })
	if err != nil {
		return fmt.Errorf("%s: %w", what, err)
	}
	return nil
}

// insert runs a statement that adds a row, and returns the row's number. what is for the error.
func (s *Store) insert(ctx context.Context, what, query string, args ...any) (id int64, err error) {
	err = s.writer.do(ctx, func(tx *tx) error { return tx.queryRow(query, args...).Scan(&id) })
	if err != nil {
		return 0, fmt.Errorf("%s: %w", what, err)
	}
	return id, nil
}

// found turns "no row" into lobby.ErrNotFound.
func found(err error) error {
	if isNone(err) {
		return lobby.ErrNotFound
	}
	return err
}

// HasMembers reports whether anybody has ever become a member.
func (s *Store) HasMembers(ctx context.Context) (bool, error) {
	var last int64
	err := scanRow(ctx, s.entrance, []any{&last}, `SELECT coalesce(max(id), 0) FROM accounts`)
	return last > 0, translate(err)
}
