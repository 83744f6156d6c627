package feature

import (
	"fmt"
	"testing"

	"github.com/stretchr/testify/require"

	"boneyard/lobby"
	"boneyard/table"
)

// Every team is listed once, even if one is out of order and its part of the list is read again and again.
func TestEveryTeam(t *testing.T) {
	asked := 0
	list := func(parts int, at func(after string) int) func(after string) ([]lobby.TeamRow, error) {
		return func(after string) (part []lobby.TeamRow, err error) {
			asked++
			from := at(after)
			for n := from; n < min(from+lobby.TeamsLength, parts*lobby.TeamsLength+7); n++ {
				part = append(part, lobby.TeamRow{ID: table.TeamID(n + 1), Name: fmt.Sprint(n)})
			}
			return part, nil
		}
	}
	after := func(name string) (n int) {
		if name != "" {
			_, _ = fmt.Sscan(name, &n)
			n++
		}
		return n
	}
	all, err := everyTeam(list(3, after))
	require.NoError(t, err)
	require.Len(t, all, 3*lobby.TeamsLength+7)
	require.Equal(t, 4, asked)

	asked = 0
	all, err = everyTeam(list(3, func(name string) int { return after(name) % (2 * lobby.TeamsLength) }))
	require.NoError(t, err)
	require.Len(t, all, 2*lobby.TeamsLength)
	require.Equal(t, 3, asked)
}
