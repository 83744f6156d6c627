package store

import (
	"context"
	"encoding/json"
	"slices"
	"time"

	"boneyard/lobby"
	"boneyard/lobby/event"
	"boneyard/table"
)

// Limits on stored chat: more than anybody scrolls back, less than would ever fill a disk.
const (
	linesKept = 10_000
	newsKept  = 10_000
)

func (s *Store) Say(ctx context.Context, at event.ID, l lobby.Line) (int64, error) {
	speaker, err := json.Marshal(l.From)
	if err != nil {
		return 0, err
	}
	inLobby := say{At: l.At, Speaker: string(speaker), Text: l.Text, House: l.House}
	if at == 0 {
		err = s.run(ctx, &inLobby)
		return inLobby.seq, during(err, "chat of the lobby")
	}
	o := &sayAt{Event: at, At: l.At, Speaker: string(speaker), Text: l.Text}
	err = s.run(ctx, o)
	return o.seq, during(err, "chat of event %d", at)
}

type say struct {
	At            time.Time
	Speaker, Text string // the speaker as JSON
	House         bool

	seq int64
}

func (o *say) apply(t *tx) (err error) {
	o.seq, err = t.insertChat(0, o.At, o.Speaker, o.Text, o.House)
	return err
}

// sayAt is say at an event, for which only the last lines are kept.
type sayAt struct {
	Event         event.ID
	At            time.Time
	Speaker, Text string

	seq int64
}

func (o *sayAt) apply(t *tx) (err error) {
	if o.seq, err = t.insertChat(o.Event, o.At, o.Speaker, o.Text, false); err != nil {
		return err
	}
	return t.exec(`DELETE FROM lobby_chat WHERE event = ?1 AND seq <=
		(SELECT seq FROM lobby_chat WHERE event = ?1 ORDER BY seq DESC LIMIT 1 OFFSET ?2)`, o.Event, chatKept)
}

// insertChat stores a line of an event's chat, or of the lobby's if of is 0.
func (t *tx) insertChat(of event.ID, at time.Time, speaker, text string, house bool) (seq int64, err error) {
	err = t.queryRow(`INSERT INTO lobby_chat (event, at, speaker, text, house) VALUES (?, ?, ?, ?, ?) RETURNING seq`,
		of, nanos(at), speaker, text, house).Scan(&seq)
	if err != nil {
		return 0, err
	}
	err = t.exec(`DELETE FROM lobby_chat WHERE seq <= ?`, seq-linesKept)
	return seq, err
}

func (s *Store) History(ctx context.Context, at event.ID, limit int) ([]lobby.Line, error) {
	from := s.read
	if at == 0 {
		from = s.entrance // the club cannot open without it
	}
	lines, err := collect(ctx, from, scanTableChat,
		`SELECT seq, at, speaker, text, '', house FROM lobby_chat WHERE event = ? ORDER BY seq DESC LIMIT ?`, at, limit)
	slices.Reverse(lines)
	return lines, during(err, "chat")
}

func (s *Store) AddNews(ctx context.Context, n lobby.NewsItem) (id int64, err error) {
	o := &addNews{Item: n}
	err = s.run(ctx, o)
	return o.id, during(err, "news")
}

type addNews struct {
	Item lobby.NewsItem

	id int64
}

func (o *addNews) apply(t *tx) error {
	err := t.queryRow(`INSERT INTO news (at, kind, text, game, points) VALUES (?, ?, ?, ?, ?) RETURNING id`,
		nanos(o.Item.At), o.Item.Kind, o.Item.Text, o.Item.Game, o.Item.Points).Scan(&o.id)
	if err != nil {
		return err
	}
	return t.exec(`DELETE FROM news WHERE id <= ?`, o.id-newsKept)
}

func (s *Store) News(ctx context.Context, limit int) ([]lobby.NewsItem, error) {
	all, err := collect(ctx, s.entrance, func(scan scanner) (n lobby.NewsItem, err error) {
		return n, scan(&n.ID, timeOf{&n.At}, &n.Kind, &n.Text, &n.Game, &n.Points)
	}, `SELECT id, at, kind, text, game, points FROM news ORDER BY id DESC LIMIT ?`, limit)
	return all, during(err, "news")
}

func (s *Store) TellsFull(ctx context.Context, to, from table.PlayerID, most, each int) (full bool, err error) {
	err = scanRow(ctx, s.read, []any{&full},
		`SELECT count(*) >= ?3 OR count(*) FILTER (WHERE sender = ?2) >= ?4 FROM tells WHERE player = ?1`, to, from, most, each)
	return full, during(err, "lines for %d", to)
}

func (s *Store) KeepTell(ctx context.Context, to table.PlayerID, l lobby.Line, most, each int) (kept bool, err error) {
	speaker, err := json.Marshal(l.From)
	if err != nil {
		return false, err
	}
	o := &keepTell{To: to, From: l.From.ID, At: l.At, Speaker: string(speaker), Text: l.Text, Most: most, Each: each}
	if note := (*keepNote)(o); l.From.ID == 0 && s.knows(note) {
		err = s.run(ctx, note)
	} else {
		err = s.run(ctx, o)
	}
	return o.kept, during(err, "line for %d", to)
}

type keepTell struct {
	To, From      table.PlayerID
	At            time.Time
	Speaker, Text string // the speaker as JSON
	Most, Each    int

	kept bool
}

func (o *keepTell) apply(t *tx) error {
	var all, own int
	err := t.queryRow(`SELECT count(*), count(*) FILTER (WHERE sender = ?2) FROM tells WHERE player = ?1`, o.To, o.From).Scan(&all, &own)
	if err != nil || all >= o.Most || own >= o.Each {
		return err
	}
	o.kept = true
	return t.exec(`INSERT INTO tells (player, sender, at, speaker, text) VALUES (?, ?, ?, ?, ?)`, o.To, o.From,
		nanos(o.At), o.Speaker, o.Text)
}

// keepNote is keepTell for a line from the club, which replaces its oldest.
type keepNote keepTell

func (o *keepNote) apply(t *tx) error {
	var others int
	err := t.queryRow(`SELECT count(*) FROM tells WHERE player = ? AND sender <> 0`, o.To).Scan(&others)
	room := min(o.Each, o.Most-others)
	if err != nil || room <= 0 {
		return err
	}
	o.kept = true
	err = t.exec(`INSERT INTO tells (player, sender, at, speaker, text) VALUES (?, 0, ?, ?, ?)`, o.To, nanos(o.At), o.Speaker, o.Text)
	if err != nil {
		return err
	}
	return t.exec(`DELETE FROM tells WHERE player = ?1 AND sender = 0 AND id IN (SELECT id FROM tells
		WHERE player = ?1 AND sender = 0 ORDER BY at DESC, id DESC LIMIT -1 OFFSET ?2)`, o.To, room)
}

func (s *Store) TakeTells(ctx context.Context, to table.PlayerID) ([]lobby.Line, error) {
	var some bool
	err := scanRow(ctx, s.read, []any{&some}, `SELECT EXISTS (SELECT 1 FROM tells WHERE player = ?)`, to)
	if err != nil || !some {
		return nil, translate(err)
	}
	o := &takeTells{To: to}
	err = s.run(ctx, o)
	return o.lines, during(err, "lines for %d", to)
}

// takeTells hands a member's lines to one caller only.
type takeTells struct {
	To table.PlayerID

	lines []lobby.Line
}

func (o *takeTells) apply(t *tx) (err error) {
	o.lines, err = collect(context.Background(), t, scanTableChat, `SELECT id, at, speaker, text, '', 0 FROM tells
		WHERE player = ? ORDER BY id`, o.To)
	if err != nil {
		return err
	}
	return t.exec(`DELETE FROM tells WHERE player = ?`, o.To)
}
