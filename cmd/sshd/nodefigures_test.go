package main

import (
	"log/slog"
	"strconv"
	"strings"
	"testing"

	"github.com/prometheus/client_golang/prometheus"
	"github.com/stretchr/testify/require"

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
		"boneyard_cluster_reachable": 0, "boneyard_cluster_position": 0, "boneyard_cluster_lag_entries": 0, "boneyard_cluster_log_current": 0,
		"boneyard_cluster_compared_entry": 0, "boneyard_cluster_differs": 0}, got)
	require.Equal(t, "1 of 3: one (its log is not complete); nothing can be written: no node leads the log", nodesFigure(node).Value)
	require.False(t, node.Reachable())
}

// A file that differs is in the list of the nodes, and fails the command that asks for it.
func TestStatusSaysWhoseFileDiffers(t *testing.T) {
	var out strings.Builder
	err := writeStatus(&out, cluster.Reply{By: "one", Leader: "a:7400", Nodes: []cluster.Server{
		{Name: "one", Address: "a:7400", Voter: true, Owner: true, Position: 30},
		{Name: "two", Address: "b:7400", Voter: true, Position: 30, Compared: cluster.Compared{At: 20}},
		{Name: "three", Address: "c:7400", Voter: true, Position: 30, Compared: cluster.Compared{At: 20, Differs: []string{"games", "teams"}}},
	}})
	require.EqualError(t, err, "the data files of one and three differ in: games, teams")
	require.Regexp(t, `(?m)^one .* runs the club +30 +0 +-$`, out.String())
	require.Regexp(t, `(?m)^two .* same at 20$`, out.String())
	require.Regexp(t, `(?m)^three .* differs at 20$`, out.String())
}

// A node that is not reachable is in the list, too, and a cluster that cannot write fails the command.
func TestStatusSaysWhoIsSilent(t *testing.T) {
	var out strings.Builder
	is := cluster.Reply{By: "one", Nodes: []cluster.Server{
		{Address: "c:7400", Voter: true}, {Address: "d:7400"}, {Name: "one", Address: "a:7400", Voter: true, Position: 30, Behind: 2},
	}}
	require.EqualError(t, writeStatus(&out, is), "one reaches no node that leads the log: nothing can be written")
	require.Regexp(t, `(?m)^- +c:7400 +yes +not reachable +- +- +-$`, out.String())
	require.Regexp(t, `(?m)^- +d:7400 +no +not reachable +- +- +-$`, out.String())
	require.Regexp(t, `(?m)^one +a:7400 +yes +follows +30 +2 +-$`, out.String())
}
