package ui

import (
	"testing"

	"github.com/stretchr/testify/require"

	"boneyard/lobby"
	"boneyard/lobby/event"
	"boneyard/lobby/event/arena"
	"boneyard/lobby/event/field"
	"boneyard/table"
	"boneyard/ui/page"
)

func TestAwaited(t *testing.T) {
	seats := []table.SeatView{{Player: table.Player{ID: 7, Name: "ana"}}, {Player: table.Player{ID: 8, Name: "ben"}}}
	s := &lobby.Snapshot{Tables: []table.Summary{
		{Table: 3, State: table.Gathering, Seats: seats},
		{Table: 4, State: table.Playing, Seats: seats, Turn: 2},
	}}
	require.Contains(t, awaited(s, 8), "Your turn at table 4.")
	require.Empty(t, awaited(s, 7))
	s.Tables[1].State = table.Scoring
	require.Empty(t, awaited(s, 8))
}

func TestBegins(t *testing.T) {
	require.Empty(t, begins(nil, false))
	require.Equal(t, "Arena 3 begins at 20:00 UTC: press 1, then A.", begins(&event.Soon{Kind: arena.Kind, Says: "Arena 3 begins at 20:00 UTC"}, false))
	require.Equal(t, "Duplicate arena 4 begins at 20:00 UTC: press D.", begins(&event.Soon{Kind: field.Kind, Says: "Duplicate arena 4 begins at 20:00 UTC"}, true))
}

// What has just happened is said in two lines if one has no room for it, as a hint at 80 columns.
func TestLongToastTakesTwoLines(t *testing.T) {
	const hint = "Hint: 6-3 on the left: it scores 15 points, and the best answer is worth about 4."
	m := &model{width: 80, height: 24, toast: page.Say(hint)}
	first, rest := m.toastLines(80)
	require.Equal(t, hint, first+" "+rest)
	require.NotEmpty(t, rest)
	first, rest = m.toastLines(120)
	require.Equal(t, hint, first)
	require.Empty(t, rest)
	m.height = 12
	_, rest = m.toastLines(40)
	require.Empty(t, rest)
}
