package main

import (
	"flag"
	"fmt"
	"strconv"
	"strings"
	"syscall"
	"testing"

	"github.com/stretchr/testify/require"

	"boneyard/cmd/sshd/node"
)

var previousProgram = flag.String("previous", "", "the program of the version before, from which TestClusterUpgrade upgrades; "+
	"empty: it upgrades from this one to one that speaks a newer version of the relay")

// callsVariable names the newest version of the relay that the fast program speaks.
const callsVariable = "CLUB_CALLS_VERSION"

func atoi(s string) int {
	n, _ := strconv.Atoi(s)
	return n
}

// TestClusterUpgrade upgrades a cluster as in docs/cluster.md, node by node, the owner last. Before, between
// and after, callers of each node are served, whichever runs the club; what they do is on all nodes; and
// callers of a node that is not being upgraded stay connected.
func TestClusterUpgrade(t *testing.T) {
	faults(t)
	t.Parallel()
	m := newMachines(t)
	next := []string{"env", fmt.Sprint(callsVariable, "=", node.CallsVersion+1), "fastsshd"}
	if *previousProgram != "" {
		next = m.by[0]
		for i := range m.by {
			m.by[i] = []string{*previousProgram}
		}
	}
	m.startAll()
	m.whole()
	stays := [3]*liner{}
	for i := range m.nodes {
		stays[i] = startLine(t, m.at(i), nil, "", "")
		stays[i].until("help for all commands")
	}
	talk := func(step string) {
		t.Helper()
		for i, l := range stays {
			if l == nil {
				continue
			}
			word := fmt.Sprintf("%s from %d", step, i+1)
			l.say("say " + word)
			for _, other := range stays {
				if other != nil {
					other.until(word)
				}
			}
		}
		for i := range m.nodes {
			member(t, m.at(i), fmt.Sprint(step, i+1))
			require.Contains(t, ask(t, m.at((i+1)%3), nil, "eve", fmt.Sprint("whois ", step, i+1)), step, "by way of another node")
		}
	}
	talk("early")
	owner := m.owner
	for k, i := range []int{(owner + 1) % 3, (owner + 2) % 3, owner} {
		require.NoError(t, m.nodes[i].cmd.Process.Signal(syscall.SIGTERM))
		if i == m.owner {
			m.opens()
		}
		m.nodes[i].ends(t, exitOK)
		stays[i] = nil
		m.by[i] = next
		m.start(i)
		m.whole()
		talk([]string{"first", "second", "third"}[k])
	}
	if *previousProgram == "" {
		said := ""
		for _, p := range m.nodes {
			said += p.log.String()
		}
		for _, protocol := range []string{fmt.Sprint("boneyard-calls/", node.CallsVersion+1), fmt.Sprint("boneyard-calls/", node.CallsVersion)} {
			require.True(t, strings.Contains(said, protocol), "no two nodes spoke %s", protocol)
		}
	}
	m.killAll()
	m.sound()
}
