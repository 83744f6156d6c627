package main

import (
	"log/slog"
	"strconv"
	"testing"

	"github.com/prometheus/client_golang/prometheus"
	"github.com/stretchr/testify/require"

	"boneyard/store"
	"boneyard/store/cluster"
	"boneyard/store/cluster/freeport"
)

// nodeAlone starts a node that hears no other node, and registers its metrics.
func nodeAlone(t *testing.T) (*cluster.Node, *prometheus.Registry) {
	t.Helper()
	at := func() string { return "127.0.0.1:" + strconv.Itoa(freeport.Pair(t)) }
	node, err := cluster.Start(cluster.Config{Name: "test", Node: "one", Listen: at(), Peers: []string{at(), at()},
		Key: make([]byte, 32), Folder: t.TempDir(), Log: slog.New(slog.DiscardHandler)})
	require.NoError(t, err)
	t.Cleanup(node.Close)
	reg := prometheus.NewPedanticRegistry()
	reg.MustRegister(nodeFigures{node})
	return node, reg
}

// The metrics of a node that hears no other node say so.
func TestFiguresOfANodeAlone(t *testing.T) {
	node, reg := nodeAlone(t)
	families, err := reg.Gather()
	require.NoError(t, err)
	got := map[string]float64{}
	for _, f := range families {
		for _, m := range f.Metric {
			got[f.GetName()] = m.GetGauge().GetValue()
		}
	}
	require.Equal(t, map[string]float64{"boneyard_cluster_nodes": 3, "boneyard_cluster_nodes_heard": 1, "boneyard_cluster_owner": 0,
		"boneyard_cluster_reachable": 0, "boneyard_cluster_position": 0, "boneyard_cluster_lag_entries": 0, "boneyard_cluster_log_current": 0}, got)
	require.Equal(t, "1 of 3: one (its log is not complete); nothing can be written: no node leads the log", nodesFigure(node).Value)
	require.False(t, node.Reachable())
}

// The node that ends is the one whose standings differ from those of most others.
func TestWhoDiffersEnds(t *testing.T) {
	digest := func(at uint64, sum string) store.Digest { return store.Digest{Position: at, Sum: sum} }
	is := func(node string, d store.Digest) cluster.Member { return cluster.Member{Node: node, Digest: d} }
	var own ownDigests
	own.add(store.Digest{})
	own.add(digest(10, "a"))
	own.add(digest(20, "b"))
	own.add(digest(20, "b"))
	require.Len(t, own, 2)
	for _, c := range []struct {
		name    string
		owner   bool
		others  []cluster.Member
		differs bool
	}{
		{name: "alone"},
		{name: "alike", others: []cluster.Member{is("two", digest(20, "b")), is("three", digest(10, "a"))}},
		{name: "nothing to compare with", others: []cluster.Member{is("two", digest(30, "c")), is("three", store.Digest{})}},
		{name: "two of three", others: []cluster.Member{is("two", digest(20, "x")), is("three", digest(20, "x"))}, differs: true},
		{name: "two of three, the owner", owner: true, others: []cluster.Member{is("two", digest(10, "x")), is("three", digest(20, "x"))}, differs: true},
		{name: "another is wrong", others: []cluster.Member{is("two", digest(20, "x")), is("three", digest(20, "b"))}},
		{name: "one against one", others: []cluster.Member{is("two", digest(20, "x"))}, differs: true},
		{name: "one against one, the owner", owner: true, others: []cluster.Member{is("two", digest(20, "x"))}},
	} {
		err := own.compare(c.owner, append(c.others, is("one", digest(20, "b"))))
		require.Equal(t, c.differs, err != nil, c.name)
	}
	began := func(bases ...string) (all []cluster.Member) {
		for _, b := range bases {
			all = append(all, cluster.Member{Base: b})
		}
		return all
	}
	require.NoError(t, compareBase("a", false, began("a", "a", "")))
	require.NoError(t, compareBase("a", false, began("a", "a", "b")))
	require.NoError(t, compareBase("a", true, began("a", "b")))
	require.NoError(t, compareBase("", false, began("", "b", "b")), "it followed a log before this was noted")
	require.ErrorIs(t, compareBase("b", false, began("a", "b")), errOtherClub)
	require.ErrorIs(t, compareBase("b", true, began("a", "b", "a")), errOtherClub)
	for i := range uint64(20) {
		own.add(digest(30+i, "c"))
	}
	require.Len(t, own, digestsKept)
}
