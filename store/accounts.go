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
	coalesce(teams.id, 0), coalesce(teams.tag, ''), coalesce(teams.name, '')
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
	err := scanRow(ctx, s.entrance, []any{&a.ID, &a.Name, &key, &a.Bot, timeOf{&a.Created}, &settings, &a.Team,
		&a.Tag, &a.TeamName}, query, arg)
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
	o := &createAccount{Key: key, Name: name, Skeleton: skeleton, At: now, Settings: string(settings)}
	if err := s.run(ctx, o); err != nil {
		return nil, fmt.Errorf("new member %q: %w", name, err)
	}
	a.ID = o.id
	return a, nil
}

type createAccount struct {
	Key            lobby.KeyID
	Name, Skeleton string
	At             time.Time
	Settings       string // JSON

	id table.PlayerID
}

func (o *createAccount) apply(t *tx) error {
	err := t.queryRow(`INSERT INTO accounts (name, skeleton, key, created, seen, settings) VALUES (?1, ?2, ?3, ?4, ?4, ?5) RETURNING id`,
		o.Name, o.Skeleton, o.Key[:], nanos(o.At), o.Settings).Scan(&o.id)
	if taken(err) {
		return lobby.ErrTaken
	}
	return err
}

// Save keeps a member's settings: lobby.ErrNotFound.
func (s *Store) Save(ctx context.Context, id table.PlayerID, settings lobby.Settings, bot bool) error {
	kept, err := json.Marshal(settings)
	if err != nil {
		return err
	}
	return during(s.run(ctx, &saveSettings{Player: id, Settings: string(kept), Bot: bot}), "settings of member %d", id)
}

type saveSettings struct {
	Player   table.PlayerID
	Settings string // JSON
	Bot      bool
}

func (o *saveSettings) apply(t *tx) error {
	return found(t.change(`UPDATE accounts SET settings = ?, bot = ? WHERE id = ?`, o.Settings, o.Bot, o.Player))
}

// Seen keeps when a member was here last: lobby.ErrNotFound.
func (s *Store) Seen(ctx context.Context, id table.PlayerID, now time.Time) error {
	return during(s.run(ctx, &seeMember{Player: id, At: now}), "visit of member %d", id)
}

type seeMember struct {
	Player table.PlayerID
	At     time.Time
}

func (o *seeMember) apply(t *tx) error {
	return found(t.change(`UPDATE accounts SET seen = ? WHERE id = ?`, nanos(o.At), o.Player))
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
