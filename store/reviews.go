package store

import (
	"context"
	"encoding/json"
	"fmt"
	"slices"

	"boneyard/rules/coach"
	"boneyard/table"
)

// Review returns what the coach said about a member's decisions in a game, and nil if it has said nothing
// yet, or an older version of it has.
func (s *Store) Review(ctx context.Context, who table.PlayerID, game table.GameID) (*coach.Report, error) {
	var report []byte
	err := scanRow(ctx, s.read, []any{&report}, `SELECT report FROM reviews WHERE player = ? AND game = ?
		AND version = ?`, who, game, coach.Version)
	if isNone(err) {
		return nil, nil
	}
	if err != nil {
		return nil, fmt.Errorf("review of game %d: %w", game, translate(err))
	}
	r := &coach.Report{}
	if err := json.Unmarshal(report, r); err != nil {
		return nil, fmt.Errorf("review of game %d: %w", game, err)
	}
	return r, nil
}

// KeepReview keeps what the coach said about a member's decisions in a game, instead of what it said before.
func (s *Store) KeepReview(ctx context.Context, who table.PlayerID, game table.GameID, r *coach.Report) error {
	report, err := json.Marshal(r)
	if err != nil {
		return err
	}
	o := &keepReview{Player: who, Game: game, Version: coach.Version, Accuracy: r.Total.Accuracy, Report: string(report)}
	return during(s.run(ctx, o), "keep the review of game %d", game)
}

type keepReview struct {
	Player   table.PlayerID
	Game     table.GameID
	Version  int
	Accuracy float64
	Report   string // JSON
}

func (o *keepReview) apply(t *tx) error {
	_, err := t.exec(`REPLACE INTO reviews (player, game, version, accuracy, report) VALUES (?, ?, ?, ?, ?)`,
		o.Player, o.Game, o.Version, o.Accuracy, o.Report)
	return err
}

// Accuracies returns a member's accuracy in the games that the coach has looked at, the oldest first, at most
// limit of the newest.
func (s *Store) Accuracies(ctx context.Context, who table.PlayerID, limit int) ([]float64, error) {
	list, err := collect(ctx, s.read, func(scan scanner) (a float64, err error) { return a, scan(&a) },
		`SELECT accuracy FROM reviews WHERE player = ? AND version = ? ORDER BY game DESC LIMIT ?`, who, coach.Version, limit)
	if err != nil {
		return nil, fmt.Errorf("accuracy of member %d: %w", who, translate(err))
	}
	slices.Reverse(list)
	return list, nil
}
