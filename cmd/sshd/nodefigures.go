package main

import (
	"fmt"
	"strings"

	"github.com/prometheus/client_golang/prometheus"

	"boneyard/store/cluster"
	"boneyard/ui/page"
)

// nodeFigures collects the metrics of a cluster at one of its nodes.
type nodeFigures struct{ node *cluster.Node }

// Describe implements prometheus.Collector.
func (f nodeFigures) Describe(ch chan<- *prometheus.Desc) { prometheus.DescribeByCollect(f, ch) }

// Collect implements prometheus.Collector.
func (f nodeFigures) Collect(ch chan<- prometheus.Metric) {
	members, _ := f.node.Members()
	gauge := gaugesIn(ch)
	gauge("boneyard_cluster_nodes", "Nodes that have the log, reachable or not.", float64(f.node.Size()))
	gauge("boneyard_cluster_nodes_heard", "Those of them that are reachable now, including this one.", float64(voting(members)))
	gauge("boneyard_cluster_reachable", "1 if a majority of the nodes is reachable; otherwise nothing can be written.",
		oneIf(f.node.Reachable()))
	for _, m := range members {
		by := func(name, help string, v float64) { gauge("boneyard_cluster_"+name, help, v, "node", m.Node) }
		by("position", "Entries of the log that a node has applied, by reachable node.", float64(m.Position))
		by("lag_entries", "Entries known to be in the log that a node has not applied, by reachable node.", float64(m.Behind))
		by("owner", "1 for the node that runs the club, 0 for the other reachable nodes.", oneIf(m.Owns))
		by("log_current", "1 if a node's replica of the log is complete, so that another node may be stopped, by reachable node.",
			oneIf(m.Current && m.Voter))
		by("compared_entry", "The last entry at which a node's data file was compared with this node's, by reachable node.",
			float64(m.Compared.At))
		by("differs", "1 if a node's data file was found to differ from this node's, by reachable node.",
			oneIf(len(m.Compared.Differs) > 0))
	}
}

// voting returns how many members have the log.
func voting(members []cluster.Member) (n int) {
	for _, m := range members {
		if m.Voter {
			n++
		}
	}
	return n
}

func oneIf(b bool) float64 {
	if b {
		return 1
	}
	return 0
}

// nodesFigure returns the line about the nodes on the operators' page.
func nodesFigure(node *cluster.Node) page.Figure {
	members, _ := node.Members()
	var all []string
	leads := ""
	if !node.Reachable() {
		leads = "; nothing can be written: no node leads the log"
	}
	for _, m := range members {
		switch {
		case m.Owns:
			all = append(all, m.Node+" (runs the club)")
		case len(m.Compared.Differs) > 0:
			all = append(all, m.Node+" (its file differs in: "+strings.Join(m.Compared.Differs, ", ")+")")
		case !m.Voter:
			all = append(all, m.Node+" (none of the cluster's)")
		case m.Behind > 0:
			all = append(all, fmt.Sprintf("%s (%d behind)", m.Node, m.Behind))
		case !m.Current:
			all = append(all, m.Node+" (its log is not complete)")
		default:
			all = append(all, m.Node)
		}
	}
	return page.Figure{Name: "nodes", Value: fmt.Sprintf("%d of %d: %s%s", voting(members), node.Size(), strings.Join(all, ", "), leads)}
}
