package ui

import (
	"testing"

	"github.com/stretchr/testify/require"

	"boneyard/lobby"
	"boneyard/lobby/event"
	"boneyard/lobby/event/arena"
	"boneyard/lobby/event/field"
	"boneyard/table"
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
