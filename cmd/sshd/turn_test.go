package main

import (
	"testing"

	"github.com/stretchr/testify/require"

	"boneyard/store"
	"boneyard/store/cluster"
)

// TestWhoseTurnItIs has all nodes agree on the one that takes the club over: none while the owner is heard and stays, never one that is
// leaving, and one that leads the log only if no other can.
func TestWhoseTurnItIs(t *testing.T) {
	whose := func(at store.Replica, members ...cluster.Member) (all []string) {
		for _, m := range members {
			if isTurn(m.Node, at, members) {
				all = append(all, m.Node)
			}
		}
		return all
	}
	one, two, three := cluster.Member{Node: "one", Run: "x"}, cluster.Member{Node: "two", Run: "y"}, cluster.Member{Node: "three", Run: "z"}
	leader := func(m cluster.Member) cluster.Member { m.Leads = true; return m }
	for epoch := range uint64(20) {
		at := store.Replica{Epoch: epoch, Owner: one.ID()}
		require.Empty(t, whose(at, one, two, three))
		require.Len(t, whose(at, two, three), 1)
		require.Equal(t, []string{"three"}, whose(at, leader(two), three))
		require.Equal(t, []string{"two"}, whose(at, two, leader(three)))
		require.Equal(t, []string{"two"}, whose(at, leader(two)), "nobody else can")
		leaves := one
		leaves.Leaving = true
		require.True(t, handedOver(at, []cluster.Member{leaves, two, three}))
		require.False(t, handedOver(at, []cluster.Member{one, two, three}))
		require.Equal(t, []string{"three"}, whose(at, leaves, leader(two), three))
		hears := two
		hears.Hears = []string{one.ID()}
		require.Empty(t, whose(at, hears, three), "the owner is there, but not for all")
		require.Len(t, whose(at, leaves, hears, three), 1)
		again := one
		again.Run = "later"
		require.Len(t, whose(at, again, two, three), 1, "what a process owned ends with it")
	}
}
