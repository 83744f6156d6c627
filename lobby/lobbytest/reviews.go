package lobbytest

import (
	"cmp"
	"context"
	"slices"

	"boneyard/rules/coach"
	"boneyard/table"
)

type reviewed struct {
	who  table.PlayerID
	game table.GameID
}

// Review implements lobby.Reviews.
func (s *Store) Review(ctx context.Context, who table.PlayerID, game table.GameID) (r *coach.Report, err error) {
	err = s.read(ctx, func() error {
		r = s.reviews[reviewed{who, game}]
		return nil
	})
	return r, err
}

// KeepReview implements lobby.Reviews.
func (s *Store) KeepReview(ctx context.Context, who table.PlayerID, game table.GameID, r *coach.Report) error {
	return s.write(ctx, func() error {
		s.reviews[reviewed{who, game}] = r
		return nil
	})
}

// Accuracies implements lobby.Reviews.
func (s *Store) Accuracies(ctx context.Context, who table.PlayerID, limit int) (list []float64, err error) {
	err = s.read(ctx, func() error {
		var games []table.GameID
		for k := range s.reviews {
			if k.who == who {
				games = append(games, k.game)
			}
		}
		slices.SortFunc(games, func(a, b table.GameID) int { return cmp.Compare(a, b) })
		for _, g := range games[max(0, len(games)-limit):] {
			list = append(list, s.reviews[reviewed{who, g}].Total.Accuracy)
		}
		return nil
	})
	return list, err
}
