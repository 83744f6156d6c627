package store

import (
	"context"
	"encoding/json"
	"time"

	"boneyard/lobby"
	"boneyard/lobby/text"
	"boneyard/table"
)

const selectAccount = `SELECT accounts.id, accounts.name, accounts.key, accounts.bot, accounts.created, accounts.settings,
	coalesce(teams.id, 0), coalesce(teams.tag, ''), coalesce(teams.name, '')
	FROM accounts LEFT JOIN team_members ON team_members.player = accounts.id LEFT JOIN teams ON teams.id = team_members.team`

func (s *Store) ByKey(ctx context.Context, key lobby.KeyID) (*lobby.Account, error) {
	a, err := s.account(ctx, selectAccount+` WHERE accounts.key = ?`, key[:])
	return a, during(err, "member by key")
}

func (s *Store) ByName(ctx context.Context, name string) (*lobby.Account, error) {
	a, err := s.account(ctx, selectAccount+` WHERE accounts.skeleton = ?`, text.Skeleton(name))
	return a, during(err, "member %q", name)
}

func (s *Store) account(ctx context.Context, query string, arg any) (*lobby.Account, error) {
	var a lobby.Account
	var key []byte
	err := scanRow(ctx, s.entrance, []any{&a.ID, &a.Name, &key, &a.Bot, timeOf{&a.Created}, asJSON{&a.Settings}, &a.Team,
		&a.Tag, &a.TeamName}, query, arg)
	if err != nil {
		return nil, found(err)
	}
	copy(a.Key[:], key)
	return &a, nil
}

func (s *Store) Create(ctx context.Context, key lobby.KeyID, name, skeleton string, now time.Time) (*lobby.Account, error) {
	a := &lobby.Account{Name: name, Key: key, Created: now.UTC().Round(0)}
	settings, err := json.Marshal(a.Settings)
	if err != nil {
		return nil, err
	}
	o := &createAccount{Key: key, Name: name, Skeleton: skeleton, At: now, Settings: string(settings)}
	if err := s.run(ctx, o); err != nil {
		return nil, during(err, "new member %q", name)
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
