package main

import (
	"fmt"
	mathrand "math/rand/v2"
	"net"
	"os"
	"os/exec"
	"regexp"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

// ip runs the command that changes the system's networks.
func ip(args string) error {
	out, err := exec.Command("ip", strings.Fields(args)...).CombinedOutput()
	if err != nil {
		return fmt.Errorf("ip %s: %w: %s", args, err, out)
	}
	return nil
}

// networks are how many have been made, so that each has a name and addresses of its own.
var networks atomic.Int32

// apart puts each node into its own network; they reach each other, and people reach each. It skips the test
// without the right to do so. It returns a function that cuts or repairs the way from a node to another.
func (m *machines) apart() (cut func(from, to int, cut bool)) {
	m.t.Helper()
	no := int(networks.Add(1))
	of := fmt.Sprint(os.Getpid(), "x", no)
	bridge, subnet := "club"+of, fmt.Sprint("10.77.", (os.Getpid()+100*no)%250, ".")
	ns := func(i int) string { return fmt.Sprint(bridge, "n", i) }
	host := func(i int) string { return subnet + strconv.Itoa(i+1) }
	m.t.Cleanup(func() {
		for i := range m.nodes {
			_ = ip("netns del " + ns(i)) // perhaps it was never made
		}
		_ = ip("link del " + bridge)
	})
	commands := []string{"link add " + bridge + " type bridge", "addr add " + subnet + "254/24 dev " + bridge, "link set " + bridge + " up"}
	for i := range m.nodes {
		line := fmt.Sprint("v", of, "n", i)
		commands = append(commands, "netns add "+ns(i), "link add "+line+" type veth peer name eth0 netns "+ns(i),
			"link set "+line+" master "+bridge+" up",
			"-n "+ns(i)+" addr add "+host(i)+"/24 dev eth0", "-n "+ns(i)+" link set eth0 up", "-n "+ns(i)+" link set lo up")
		_, port, err := net.SplitHostPort(m.log[i])
		require.NoError(m.t, err)
		m.log[i] = net.JoinHostPort(host(i), port)
		m.addrs[i].IP = net.ParseIP(host(i))
		m.by[i] = append([]string{"ip", "netns", "exec", ns(i)}, m.by[i]...)
	}
	m.flags = []string{"--exempt-networks", subnet + "0/24", "--metrics-public"}
	for _, c := range commands {
		if err := ip(c); err != nil {
			m.t.Skipf("no networks can be made here: %v", err)
		}
	}
	return func(from, to int, cut bool) {
		do := "del"
		if cut {
			do = "add"
		}
		require.NoError(m.t, ip("-n "+ns(from)+" route "+do+" blackhole "+host(to)+"/32"))
	}
}

// cutKinds are what TestClusterCuts does, by turns, and for how long nobody may play then.
var cutKinds = []faultKind{
	{"cut the owner off", 1500 * time.Millisecond, 3 * time.Second},
	{"cut the way from the owner", 1500 * time.Millisecond, 3 * time.Second},
	{"cut the way to the owner", 1500 * time.Millisecond, 3 * time.Second},
	{"cut another off", 0, 500 * time.Millisecond},
	{"cut another from the owner", 0, 500 * time.Millisecond},
	{"flap another's lines", 0, 500 * time.Millisecond},
}

// TestClusterCuts cuts and repairs ways between the nodes, in one or both directions, while people play.
func TestClusterCuts(t *testing.T) {
	faults := faults(t)
	t.Parallel()
	m := newMachines(t)
	cut := m.apart()
	m.startAll()
	m.whole()
	w := newWorld()
	all := m.seat(w, mathrand.New(mathrand.NewPCG(1, 0)), 4)
	living := new(sync.WaitGroup)
	for _, s := range all {
		living.Go(s.live)
	}
	// plays watches people play for a while by way of a node.
	plays := func(by int) { m.goesOn(w, all, by, 20, faultTime) }
	plays((m.owner + 1) % 3)
	w.measure()
	plays((m.owner + 1) % 3)
	quiet := w.without()
	took := outages{}
	for fault := range faults {
		was := m.owner
		by := (was + 1 + fault/len(cutKinds)%2) % 3
		third := 3 - was - by
		kind := fault % len(cutKinds)
		if *clusterFault >= 0 {
			kind = *clusterFault
		}
		between := func(do bool, a int, others ...int) {
			for _, b := range others {
				if kind != 2 {
					cut(a, b, do)
				}
				if kind != 1 {
					cut(b, a, do)
				}
			}
		}
		w.measure()
		switch kind {
		case 0, 1, 2:
			between(true, was, by, third)
			m.opensFor(w, by)
			w.hangUp(m.addrs[was])
			plays(by)
			took.add(t, cutKinds[kind].what, w.without())
			between(false, was, by, third)
			m.nodes[was].ends(t, exitFailed)
			m.start(was)
		case 3, 4:
			others := []int{was, by}[:5-kind]
			between(true, third, others...)
			w.hangUp(m.addrs[third]) // who called that very node stands still
			plays(by)
			between(false, third, others...)
			plays(by)
			took.add(t, cutKinds[kind].what, w.without())
		case 5:
			for range 4 {
				between(true, third, was, by)
				w.hangUp(m.addrs[third])
				time.Sleep(time.Second)
				between(false, third, was, by)
				time.Sleep(time.Second)
				m.goesOn(w, all, by, 20, 0)
			}
			took.add(t, cutKinds[kind].what, w.without())
		}
		m.goesOn(w, all, (m.owner+1)%3, 20, 0)
		m.whole()
	}
	took.report(t, cutKinds, quiet)
	m.judge(w, all, living)
}

// TestClusterCutCountsNobodyTwice cuts off a node whose callers have nearly as many sessions as one key may
// have. After the repair all of them go on, though the owner did not know yet that the node was cut off.
func TestClusterCutCountsNobodyTwice(t *testing.T) {
	faults(t)
	t.Parallel()
	m := newMachines(t)
	cut := m.apart()
	m.startAll()
	m.whole()
	off := (m.owner + 1) % 3
	between := func(do bool) {
		for i := range m.nodes {
			if i != off {
				cut(off, i, do)
				cut(i, off, do)
			}
		}
	}
	key := member(t, m.at(off), "ana")
	all := make([]*liner, 4)
	for i := range all {
		all[i] = startLine(t, m.at(off), key, "dumb", "")
		all[i].until("help for all commands")
	}
	between(true)
	for _, s := range all {
		s.until(regexp.QuoteMeta(sayCutOff)) // the node has left the owner
	}
	between(false)
	for _, s := range all {
		s.until("You are ana")
	}
}
