package store_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"boneyard/rules/coach"
	"boneyard/table"
)

func TestReviewsAreKept(t *testing.T) {
	s := newStore(t)
	r, err := s.Review(ctx, 1, 7)
	require.NoError(t, err)
	require.Nil(t, r)
	for game, accuracy := range map[table.GameID]float64{7: 61.5, 8: 70, 9: 82.25} {
		given := &coach.Report{Seat: 2, Total: coach.Grade{Decisions: 20, Accuracy: accuracy},
			Rounds: []coach.Round{{Number: 1, Deal: -3.5, Whole: true}}}
		require.NoError(t, s.KeepReview(ctx, 1, game, given))
		r, err := s.Review(ctx, 1, game)
		require.NoError(t, err)
		require.Equal(t, given, r)
	}
	require.NoError(t, s.KeepReview(ctx, 1, 8, &coach.Report{Total: coach.Grade{Accuracy: 71}}), "instead of the one before")
	require.NoError(t, s.KeepReview(ctx, 1, 10, &coach.Report{}), "without decisions, and so without accuracy")
	require.NoError(t, s.KeepReview(ctx, 2, 7, &coach.Report{Total: coach.Grade{Accuracy: 10}}))
	list, err := s.Accuracies(ctx, 1, 10)
	require.NoError(t, err)
	require.Equal(t, []float64{61.5, 71, 82.25}, list)
	list, err = s.Accuracies(ctx, 1, 2)
	require.NoError(t, err)
	require.Equal(t, []float64{71, 82.25}, list)
}
