package store

import (
	"context"
	"encoding/json"
	"fmt"
	"slices"

	"boneyard/lobby"
	"boneyard/table"
)

// What is kept of talk: more than anybody scrolls back, less than would ever fill a disk.
const (
	linesKept = 10_000
	newsKept  = 10_000
)

// Say keeps a line of the lobby's chat and returns its number, whatever l.Seq says.
func (s *Store) Say(ctx context.Context, l lobby.Line) (seq int64, err error) {
	speaker, err := json.Marshal(l.From)
	if err != nil {
		return 0, err
	}
	err = s.writer.do(ctx, func(tx *tx) error {
		err := tx.queryRow(`INSERT INTO lobby_chat (at, speaker, text, house) VALUES (?, ?, ?, ?) RETURNING seq`,
			nanos(l.At), string(speaker), l.Text, l.House).Scan(&seq)
		if err != nil {
			return err
		}
		_, err = tx.exec(`DELETE FROM lobby_chat WHERE seq <= ?`, seq-linesKept)
		return err
	})
	if err != nil {
		return 0, fmt.Errorf("chat of the lobby: %w", err)
	}
	return seq, nil
}

// History returns the newest lines of the lobby's chat, the oldest first.
func (s *Store) History(ctx context.Context, limit int) ([]lobby.Line, error) {
	lines, err := collect(ctx, s.entrance, scanTableChat,
		`SELECT seq, at, speaker, text, '', house FROM lobby_chat ORDER BY seq DESC LIMIT ?`, limit)
	if err != nil {
		return nil, fmt.Errorf("chat of the lobby: %w", translate(err))
	}
	slices.Reverse(lines)
	return lines, nil
}

// AddNews keeps a piece of news and returns its number, whatever n.ID says.
func (s *Store) AddNews(ctx context.Context, n lobby.NewsItem) (id int64, err error) {
	err = s.writer.do(ctx, func(tx *tx) error {
		err := tx.queryRow(`INSERT INTO news (at, kind, text, game) VALUES (?, ?, ?, ?) RETURNING id`,
			nanos(n.At), n.Kind, n.Text, n.Game).Scan(&id)
		if err != nil {
			return err
		}
		_, err = tx.exec(`DELETE FROM news WHERE id <= ?`, id-newsKept)
		return err
	})
	if err != nil {
		return 0, fmt.Errorf("news: %w", err)
	}
	return id, nil
}

// News returns the newest news, the newest first.
func (s *Store) News(ctx context.Context, limit int) ([]lobby.NewsItem, error) {
	all, err := collect(ctx, s.entrance, func(scan scanner) (n lobby.NewsItem, err error) {
		return n, scan(&n.ID, timeOf{&n.At}, &n.Kind, &n.Text, &n.Game)
	}, `SELECT id, at, kind, text, game FROM news ORDER BY id DESC LIMIT ?`, limit)
	if err != nil {
		return nil, fmt.Errorf("news: %w", translate(err))
	}
	return all, nil
}

// KeepTell keeps a line for a member who is away, unless as many are kept for them as may be, or of this sender.
func (s *Store) KeepTell(ctx context.Context, to table.PlayerID, l lobby.Line, most, each int) (kept bool, err error) {
	speaker, err := json.Marshal(l.From)
	if err != nil {
		return false, err
	}
	err = s.writer.do(ctx, func(tx *tx) error {
		var all, own int
		err := tx.queryRow(`SELECT count(*), count(*) FILTER (WHERE sender = ?2) FROM tells WHERE player = ?1`, to, l.From.ID).Scan(&all, &own)
		if err != nil || all >= most || own >= each {
			return err
		}
		kept = true
		_, err = tx.exec(`INSERT INTO tells (player, sender, at, speaker, text) VALUES (?, ?, ?, ?, ?)`, to, l.From.ID, nanos(l.At), string(speaker), l.Text)
		return err
	})
	if err != nil {
		return false, fmt.Errorf("line for %d: %w", to, err)
	}
	return kept, nil
}

// TakeTells returns what is kept for a member, the oldest first, and keeps it no longer.
func (s *Store) TakeTells(ctx context.Context, to table.PlayerID) ([]lobby.Line, error) {
	lines, err := collect(ctx, s.read, scanTableChat,
		`SELECT id, at, speaker, text, '', 0 FROM tells WHERE player = ? ORDER BY id`, to)
	if err != nil || len(lines) == 0 {
		return nil, translate(err)
	}
	err = s.writer.do(ctx, func(tx *tx) error {
		_, err := tx.exec(`DELETE FROM tells WHERE player = ? AND id <= ?`, to, lines[len(lines)-1].Seq)
		return err
	})
	if err != nil {
		return nil, fmt.Errorf("lines for %d: %w", to, err)
	}
	return lines, nil
}
