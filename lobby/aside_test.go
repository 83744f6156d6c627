package lobby_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"boneyard/lobby"
	"boneyard/lobby/lobbytest"
	"boneyard/table"
)

// A table that cannot be restored does not keep the others closed.
func TestATableThatCannotBeReadIsSetAside(t *testing.T) {
	lobbytest.Bubble(t, func(t *testing.T, c *lobbytest.Club) {
		s := c.Store
		for range 2 {
			at, err := s.NextTable(ctx)
			require.NoError(t, err)
			require.NoError(t, errOf(table.Commit(s, &table.Batch{Table: at, State: []byte(`{"config":{"seats":2},"pha`)})))
		}
		cfg := table.DefaultConfig()
		good, err := table.Make(ctx, table.Deps{Journal: s}, cfg, table.Player{ID: -1, Name: "guest-elm"})
		require.NoError(t, err)
		require.NoError(t, good.Close(ctx))

		quiet := lobby.DefaultConfig()
		quiet.Exhibition = false
		next, err := lobby.New(quiet, lobby.Deps{Stores: s.Stores()})
		require.NoError(t, err)
		defer func() { require.NoError(t, next.Close(ctx)) }()
		require.NoError(t, next.Start(ctx))
		require.Equal(t, 2, next.Stats().SetAside)
		require.Equal(t, 1, next.Stats().Tables)
		v, err := next.Enter(ctx, nil, lobby.Origin{Net: "10.0.0.9", Operator: true})
		require.NoError(t, err)
		defer v.Close(table.Left)
		notes := v.Notes()
		require.NotEmpty(t, notes)
		require.Contains(t, notes[0].Text, "set aside: table 1, 2.")
		other, err := next.Enter(ctx, nil, lobby.Origin{Net: "10.0.0.8"})
		require.NoError(t, err)
		defer other.Close(table.Left)
		require.Empty(t, other.Notes(), "it is a matter of operators")

		answer, err := v.Say(ctx, "/close 1")
		require.NoError(t, err, answer)
		require.Equal(t, 1, next.Stats().SetAside)
		saved, err := s.Load(ctx)
		require.NoError(t, err)
		require.Len(t, saved, 2)
	})
}
