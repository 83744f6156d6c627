package store_test

import (
	"fmt"
	"testing"

	"github.com/stretchr/testify/require"

	"boneyard/lobby"
)

// What lifts a sanction by its number or its network lifts no other: numbers and networks look like names, and like
// each other's digits.
func TestLiftingOneSanctionLiftsNoOther(t *testing.T) {
	s := newStore(t)
	add := func(v lobby.Sanction) lobby.Sanction {
		v.Kind, v.By, v.At = "ban", "op", noon
		id, err := s.AddSanction(ctx, v)
		require.NoError(t, err)
		v.ID = id
		return v
	}
	key := keyOf("lo")
	lo := add(lobby.Sanction{Player: 4, Name: "lo", Key: &key}) // looks like 10
	for n := lo.ID + 1; n < 10; n++ {
		add(lobby.Sanction{Name: fmt.Sprint("somebody", n)})
	}
	ten := add(lobby.Sanction{Name: "cleo"})
	require.EqualValues(t, 10, ten.ID)
	a := add(lobby.Sanction{Name: "192.0.2.11/32", Net: "192.0.2.11/32"})
	b := add(lobby.Sanction{Name: "192.0.21.1/32", Net: "192.0.21.1/32"})

	left := func() (names []string) {
		all, err := s.Sanctions(ctx, noon)
		require.NoError(t, err)
		for _, v := range all {
			names = append(names, v.Name)
		}
		return names
	}
	n, err := s.LiftSanction(ctx, "ban", "10", noon)
	require.NoError(t, err)
	require.Equal(t, 1, n, "number 10 only")
	require.Contains(t, left(), lo.Name)

	n, err = s.LiftSanction(ctx, "ban", a.Net, noon)
	require.NoError(t, err)
	require.Equal(t, 1, n, "that address only")
	require.Contains(t, left(), b.Name)
}
