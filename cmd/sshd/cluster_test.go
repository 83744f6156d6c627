package main

import (
	"bytes"
	"context"
	"crypto/rand"
	"database/sql"
	"encoding/base64"
	"errors"
	"flag"
	"fmt"
	"io"
	mathrand "math/rand/v2"
	"net"
	"net/http"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	gossh "golang.org/x/crypto/ssh"

	"boneyard/cmd/sshd/gate"
	"boneyard/store"
	"boneyard/store/cluster/freeport"
)

var (
	clusterFaults = flag.Int("faults", 0, "how many faults the tests TestCluster… make, 0: they are skipped; "+
		"from 7 on TestCluster holds them to how long they may last")
	clusterFault = flag.Int("fault", -1, "the number of the only kind of fault that TestCluster or TestClusterCuts makes, again and again")
)

// faultKind is something done to nodes, and how long nobody may play then: in half of the cases, and at
// worst.
type faultKind struct {
	what        string
	half, worst time.Duration
}

// clusterFaultKinds are what TestCluster does to nodes, by turns.
var clusterFaultKinds = []faultKind{
	{"kill the owner", 1500 * time.Millisecond, 3 * time.Second},
	{"stop the owner", 1500 * time.Millisecond, 3 * time.Second},
	{"end the owner", 300 * time.Millisecond, 500 * time.Millisecond},
	{"kill another", 0, 500 * time.Millisecond},
	{"stop another", 0, 500 * time.Millisecond},
	{"end another", 0, 500 * time.Millisecond},
	{"kill both others", 3 * time.Second, 5 * time.Second},
}

const (
	callAgain = 200 * time.Millisecond // after which people call again
	faultTime = 3 * time.Second        // for which a fault is watched at least
)

// outages are the times without an acknowledged order, by what was done to a node.
type outages map[string][]time.Duration

func (o outages) add(t *testing.T, what string, took time.Duration) {
	t.Logf("%s: %.1f s", what, took.Seconds())
	o[what] = append(o[what], took)
}

// report prints the outages. In a long run they must be as short as promised, allowing for some pauses that
// also happen without faults: on a slow machine these are long.
func (o outages) report(t *testing.T, kinds []faultKind, quiet time.Duration) {
	t.Logf("without a fault: %.2f s", quiet.Seconds())
	for _, kind := range kinds {
		all := o[kind.what]
		if len(all) == 0 {
			continue
		}
		slices.Sort(all)
		half, worst := all[len(all)/2], all[len(all)-1]
		t.Logf("%s: %d times, half of them within %.1f s, the worst %.1f s", kind.what, len(all), half.Seconds(), worst.Seconds())
		if *clusterFaults >= len(kinds) {
			require.LessOrEqual(t, worst, 2*kind.worst+10*quiet, kind.what)
		}
		if len(all) >= 10 {
			require.LessOrEqual(t, half, kind.half+3*quiet, kind.what)
		}
	}
}

// faults is the number of faults in a test that harms nodes, each of which is a process. With 0 it is
// skipped: these tests wait for silent nodes, and are rarely the first to find a bug. CI selects them by
// name.
func faults(t *testing.T) int {
	t.Helper()
	require.True(t, strings.HasPrefix(t.Name(), "TestCluster"), "CI asks for tests that are called so")
	if *clusterFaults == 0 {
		t.Skip("is given faults by -faults, as in .ci/run")
	}
	return *clusterFaults
}

// machines are three nodes, each a process on a folder of its own.
type machines struct {
	t     *testing.T
	dir   string
	addrs []*net.TCPAddr // where people call
	log   []string       // --cluster-listen
	names []string
	nodes []*process
	by    [3][]string // the programs that they run
	flags []string
	owner int
}

func newMachines(t *testing.T) *machines {
	m := &machines{t: t, dir: t.TempDir(), nodes: make([]*process, 3), owner: -1}
	key := make([]byte, 48)
	_, _ = rand.Read(key)
	require.NoError(t, os.WriteFile(filepath.Join(m.dir, "key"), []byte(base64.StdEncoding.EncodeToString(key)), 0o600))
	_, _, err := gate.LoadHostKeys(filepath.Join(m.dir, "keys")) // makes the one that all nodes have
	require.NoError(t, err)
	for i := range m.nodes {
		m.addrs = append(m.addrs, &net.TCPAddr{IP: net.IPv4(127, 0, 0, 1), Port: freeport.Pair(t)})
		m.log = append(m.log, "127.0.0.1:"+strconv.Itoa(freeport.Pair(t)))
		m.names = append(m.names, "n"+strconv.Itoa(i+1))
		m.by[i] = []string{"fastsshd"}
		require.NoError(t, os.Mkdir(m.folder(i), 0o700))
	}
	t.Cleanup(func() {
		for i, p := range m.nodes {
			if t.Failed() && p != nil {
				t.Logf("node %d:\n%s", i+1, &p.log)
			}
		}
	})
	return m
}

// wholeClub starts three machines, for a test with faults, and waits until each has all of the club.
func wholeClub(t *testing.T) *machines {
	t.Helper()
	faults(t)
	t.Parallel()
	m := newMachines(t)
	m.startAll()
	m.whole()
	return m
}

func (m *machines) folder(i int) string { return filepath.Join(m.dir, "n"+strconv.Itoa(i+1)) }

// metrics is where a node's are.
func (m *machines) metrics(i int) string {
	return net.JoinHostPort(m.addrs[i].IP.String(), strconv.Itoa(m.addrs[i].Port+1))
}

// whole waits until every node hears all others and has applied almost all of the log, as an operator does
// between two upgrades.
func (m *machines) whole() {
	m.t.Helper()
	m.within(100)
}

// within waits until every node hears all others and lacks at most so many entries of the log. A node that has ended
// by itself is started again, as its service does: on a busy machine the club may have moved.
func (m *machines) within(entries float64) {
	m.t.Helper()
	for began := time.Now(); !m.complete(entries); time.Sleep(callAgain) {
		require.Less(m.t, time.Since(began), patience, "the nodes do not find each other")
		for i, p := range m.nodes {
			select {
			case <-p.exited:
				m.start(i)
			default:
			}
		}
	}
	for i, p := range m.nodes {
		for len(p.open) > 0 {
			<-p.open
			m.owner = i
		}
	}
}

// complete reports whether every node hears all others and lacks at most so many entries of the log.
func (m *machines) complete(entries float64) bool {
	for i := range m.nodes {
		reply, err := http.Get("http://" + m.metrics(i) + "/metrics")
		if err != nil {
			return false
		}
		body, err := io.ReadAll(reply.Body)
		if err = errors.Join(err, reply.Body.Close()); err != nil || !strings.Contains(string(body), "boneyard_cluster_nodes_heard 3\n") {
			return false
		}
		if len(completeLine.FindAll(body, -1)) < 3 {
			return false
		}
		for _, lag := range lagLine.FindAllStringSubmatch(string(body), -1) {
			if behind, err := strconv.ParseFloat(lag[1], 64); err != nil || behind > entries {
				return false
			}
		}
	}
	return true
}

var (
	lagLine      = regexp.MustCompile(`boneyard_cluster_lag_entries\{.*\} (.*)`)
	completeLine = regexp.MustCompile(`boneyard_cluster_log_current\{.*\} 1`)
)

// launch starts a node.
func (m *machines) launch(i int) {
	m.t.Helper()
	peers := slices.Delete(slices.Clone(m.log), i, i+1)
	m.nodes[i] = launchBy(m.t, m.by[i][0], m.by[i][1:], m.folder(i),
		append(m.flags, "--listen", m.addrs[i].String(), "--metrics", m.metrics(i),
			"--log-level", "debug", "--host-keys", filepath.Join(m.dir, "keys"), "--cluster", "test", "--node", m.names[i],
			"--cluster-listen", m.log[i], "--peers", strings.Join(peers, ","), "--cluster-key", filepath.Join(m.dir, "key"))...)
}

// start starts a node and waits until it is one of the cluster.
func (m *machines) start(i int) {
	m.t.Helper()
	m.launch(i)
	select {
	case <-m.nodes[i].joined:
	case <-m.nodes[i].exited:
		m.t.Fatalf("node %d has ended", i+1)
	case <-time.After(patience):
		m.t.Fatalf("node %d does not come up", i+1)
	}
}

// startAll starts all nodes, and waits until the club is open on one of them.
func (m *machines) startAll() {
	m.t.Helper()
	for i := range m.nodes {
		m.start(i)
	}
	m.opens()
}

// killAll kills all nodes.
func (m *machines) killAll() {
	for _, p := range m.nodes {
		p.kill()
	}
}

// endAll ends all nodes, the owner last, which reports what it could not write then.
func (m *machines) endAll() {
	m.t.Helper()
	for i, p := range m.nodes {
		if i != m.owner {
			p.terminate(m.t)
		}
	}
	require.NoError(m.t, m.nodes[m.owner].cmd.Process.Signal(syscall.SIGTERM))
	select {
	case <-m.nodes[m.owner].exited:
	case <-time.After(patience):
		m.t.Fatal("the owner does not end")
	}
}

// sound fails the test unless check passes on each node's file.
func (m *machines) sound() {
	m.t.Helper()
	for i := range m.nodes {
		told(m.t, m.folder(i), "check")
	}
}

// opens waits until the club is open on a node, either another one or the same again.
func (m *machines) opens() {
	m.t.Helper()
	late := time.After(patience)
	var open [3]<-chan net.Addr
	for i, p := range m.nodes {
		open[i] = p.open
	}
	for {
		var i int
		var ok bool
		select {
		case _, ok = <-open[0]:
			i = 0
		case _, ok = <-open[1]:
			i = 1
		case _, ok = <-open[2]:
			i = 2
		case <-late:
			m.t.Fatal("no node opens the club")
		}
		if ok {
			m.owner = i
			return
		}
		open[i] = nil // it has ended
	}
}

// opensFor is opens while everybody who is disconnected keeps reconnecting to a node.
func (m *machines) opensFor(w *world, by int) {
	m.t.Helper()
	defer m.calling(w, by)()
	m.opens()
}

// calling has everybody who is disconnected keep reconnecting to a node, until stop is called.
func (m *machines) calling(w *world, by int) (stop func()) {
	ctx, end := context.WithCancel(context.Background())
	var calling sync.WaitGroup
	calling.Go(func() {
		for ctx.Err() == nil {
			w.move(&net.TCPAddr{IP: m.addrs[by].IP, Port: m.addrs[by].Port})
			select {
			case <-time.After(callAgain):
			case <-ctx.Done():
			}
		}
	})
	return func() {
		end()
		calling.Wait()
	}
}

// seat makes so many tables through a node that does not run the club, and seats people who do not play yet.
func (m *machines) seat(w *world, rng *mathrand.Rand, tables int) (all []*survivor) {
	m.t.Helper()
	other := m.at((m.owner + 1) % 3)
	for i, at := range killTables[:tables] {
		keys := map[string]gossh.Signer{}
		var number int64
		for j := range at.seats {
			name := fmt.Sprintf("p%d%c", i, 'a'+j)
			keys[name] = member(m.t, other, name)
			command := fmt.Sprintf("play new %s seats=%d bots=never pace=none", at.rules, at.seats)
			if j > 0 {
				command = "play " + strconv.FormatInt(number, 10)
			}
			p := startProgram(m.t, other, keys[name], name, command+" --json --bot")
			state, _ := p.next(0, "state", func(o *object) bool { return o.Type == "state" && o.Seat == j+1 })
			number = state.Table
		}
		all = append(all, team(w, number, rng, keys)...)
	}
	return all
}

// goesOn waits until more orders are acknowledged and some time has passed, while everybody who is disconnected keeps
// reconnecting to a node.
func (m *machines) goesOn(w *world, all []*survivor, by, more int, atLeast time.Duration) {
	m.t.Helper()
	began := time.Now()
	w.mu.Lock()
	goal := w.acked + more
	w.mu.Unlock()
	for time.Since(began) < patience {
		w.move(&net.TCPAddr{IP: m.addrs[by].IP, Port: m.addrs[by].Port})
		if w.until(callAgain, func() bool { return w.acked >= goal && time.Since(began) >= atLeast }) {
			return
		}
	}
	for _, p := range m.nodes {
		_ = p.stacks() // their log tells it
	}
	m.t.Fatalf("nothing goes on by way of node %d:\n%s", by+1, describe(all))
}

// TestCluster plays at several tables over three nodes while the nodes are killed, stopped and shut down in
// turn. In the end each node's file must have every acknowledged move once, and every move that anybody was
// shown, and all files must be the same.
func TestCluster(t *testing.T) {
	faults := faults(t)
	t.Parallel()
	rng := mathrand.New(mathrand.NewPCG(1, 0))
	m := newMachines(t)
	m.startAll()
	w := newWorld()
	all := m.seat(w, rng, 4)
	var living sync.WaitGroup
	for _, s := range all {
		living.Go(s.live)
	}
	// goesOn watches people play through a node, and returns the longest time without an acknowledged order.
	goesOn := func(by, more int, atLeast time.Duration) time.Duration {
		m.goesOn(w, all, by, more, atLeast)
		return w.without()
	}
	goesOn((m.owner+1)%3, 20, 0)
	w.measure()
	quiet := goesOn((m.owner+1)%3, 20, faultTime)
	took := outages{}
	for fault := range faults {
		was := m.owner
		by := (was + 1 + fault%2) % 3 // whom people call meanwhile, or the node that something is done to
		third := 3 - was - by
		kind := fault % len(clusterFaultKinds)
		if *clusterFault >= 0 {
			kind = *clusterFault
		}
		what := clusterFaultKinds[kind].what
		if kind >= 3 && kind <= 5 { // most people are elsewhere: that they notice nothing can be measured
			w.move(&net.TCPAddr{IP: m.addrs[third].IP, Port: m.addrs[third].Port})
			w.hangUp(m.addrs[by], all[0].table)
			goesOn(third, 20, 0)
		}
		w.measure()
		switch kind {
		case 0:
			m.nodes[was].kill()
			m.opensFor(w, by)
			took.add(t, what, goesOn(by, 20, faultTime))
			m.start(was)
		case 1:
			require.NoError(t, m.nodes[was].cmd.Process.Signal(syscall.SIGSTOP))
			m.opensFor(w, by)
			w.hangUp(m.addrs[was]) // who called that very node hears nothing
			took.add(t, what, goesOn(by, 20, faultTime))
			require.NoError(t, m.nodes[was].cmd.Process.Signal(syscall.SIGCONT))
			m.nodes[was].ends(t, exitFailed) // it learns that it has lost the club
			m.start(was)
		case 2:
			require.NoError(t, m.nodes[was].cmd.Process.Signal(syscall.SIGTERM))
			m.opensFor(w, by)
			took.add(t, what, goesOn(by, 20, faultTime))
			m.nodes[was].ends(t, exitOK)
			m.start(was)
		case 3:
			m.nodes[by].kill()
			goesOn(third, 20, faultTime)
			m.start(by)
			took.add(t, what, goesOn(third, 20, faultTime))
		case 4:
			require.NoError(t, m.nodes[by].cmd.Process.Signal(syscall.SIGSTOP))
			w.hangUp(m.addrs[by])
			goesOn(third, 20, faultTime)
			require.NoError(t, m.nodes[by].cmd.Process.Signal(syscall.SIGCONT))
			took.add(t, what, goesOn(third, 20, faultTime))
		case 5:
			require.NoError(t, m.nodes[by].cmd.Process.Signal(syscall.SIGTERM))
			goesOn(third, 20, faultTime)
			m.nodes[by].ends(t, exitOK)
			m.start(by)
			took.add(t, what, goesOn(third, 20, faultTime))
		case 6:
			m.nodes[by].kill()
			m.nodes[third].kill()
			w.move(&net.TCPAddr{IP: m.addrs[was].IP, Port: m.addrs[was].Port})
			require.True(t, w.until(patience, func() bool { return slices.ContainsFunc(all, (*survivor).standsStill) }),
				"no table says that it stands still:\n%s", describe(all))
			m.start(by)
			w.measure()
			took.add(t, what, goesOn(was, 20, 0))
			m.start(third)
		}
		m.whole()
		goesOn((m.owner+1)%3, 40, 0)
		m.whole()
	}
	took.report(t, clusterFaultKinds, quiet)
	goesOn((m.owner+2)%3, 1, 0) // each of the others hears the owner
	w.move(nil)
	m.nodes[m.owner].terminate(t)
	m.killAll()
	w.end()
	living.Wait()
	m.sound()
	j := journalIn(t, m.folder(m.owner))
	sure, shown := j.compare(t, all)
	t.Logf("%d orders acknowledged, %d sent again, %d moves, %d different ones shown", sure, again(all), len(j.moves), shown)
}

// alone makes a machine's file that of another club with one member, as the program alone does.
func (m *machines) alone(i int, name string) {
	m.t.Helper()
	p := serveIn(m.t, m.folder(i))
	member(m.t, p.Main, name)
	p.terminate(m.t)
}

// TestClusterNewNodeCopiesTheClub starts a node without a data file at a club that began before its log, and one
// with another club's file.
func TestClusterNewNodeCopiesTheClub(t *testing.T) {
	faults(t)
	t.Parallel()
	m := newMachines(t)
	m.alone(0, "ana")
	m.start(0)
	m.start(1) // copies from the first, as the third does
	m.start(2)
	m.opens()
	other := &Main{addr: m.addrs[(m.owner+1)%3]}
	member(t, other, "ben") // by the log
	for i, p := range m.nodes {
		if i != m.owner {
			p.terminate(t)
		}
	}
	m.nodes[m.owner].kill()
	for i := range m.nodes {
		require.Contains(t, namesIn(t, m.folder(i)), "ana", "node %d", i+1)
	}
	require.Contains(t, namesIn(t, m.folder(m.owner)), "ben")

	for i := range m.nodes[:2] {
		m.start(i)
	}
	m.opens()
	require.NoError(t, os.RemoveAll(m.folder(2)))
	require.NoError(t, os.Mkdir(m.folder(2), 0o700))
	m.alone(2, "zoe")
	m.start(2)
	m.nodes[2].ends(t, exitFailed)
	require.Contains(t, m.nodes[2].log.String(), "differed from that of most other nodes")
}

// For an existing club, the machine with its data file must be started first. If it is started last, the
// others have begun empty ones: they open no club, and do not tell the operator to move the club's file away.
func TestClusterNodesInTheWrongOrder(t *testing.T) {
	faults(t)
	t.Parallel()
	m := newMachines(t)
	m.alone(0, "ana")
	m.start(1)
	m.start(2)
	m.start(0)
	for _, i := range []int{1, 2} {
		m.nodes[i].ends(t, exitFailed)
		require.Contains(t, m.nodes[i].log.String(), "began with an empty data file")
	}
	m.nodes[0].terminate(t)
	for _, p := range m.nodes {
		require.Empty(t, p.open)
	}
	require.Equal(t, []string{"ana"}, namesIn(t, m.folder(0)))
}

// ask runs boneyard cluster at a node.
func (m *machines) ask(i int, args ...string) (said string, status int) {
	var out, errs bytes.Buffer
	status = NewMain(&errs).run(append(append([]string{"cluster"}, args...),
		"--cluster", "test", "--cluster-listen", m.log[i], "--cluster-key", filepath.Join(m.dir, "key")), nil, &out)
	return out.String() + errs.String(), status
}

// asked is what boneyard cluster says at a node, where it must succeed.
func (m *machines) asked(i int, args ...string) string {
	m.t.Helper()
	said, status := m.ask(i, args...)
	require.Equal(m.t, exitOK, status, said)
	return said
}

// TestClusterReplacesAMachine replaces a lost machine by one with another name and address, as in
// docs/cluster.md. The new one counts: the club survives the loss of an old one. Then it gets the club.
func TestClusterReplacesAMachine(t *testing.T) {
	m := wholeClub(t)
	gone := m.owner
	other, third := (gone+1)%3, (gone+2)%3
	member(t, m.at(other), "ana")
	said := m.asked(other, "status")
	require.Regexp(t, `(?m)^`+m.names[gone]+` +`+m.log[gone]+` +yes +runs the club`, said)
	m.nodes[gone].kill()
	require.NoError(t, os.RemoveAll(m.folder(gone)))
	require.NoError(t, os.Mkdir(m.folder(gone), 0o700))
	m.opens()
	refused, status := m.ask(other, "remove", "n9")
	require.Equal(t, exitFailed, status)
	require.Contains(t, refused, "has no node")
	require.Contains(t, m.asked(other, "remove", m.log[gone]), "warning: only 2 of the nodes have the log")

	m.names[gone], m.log[gone] = "four", "127.0.0.1:"+strconv.Itoa(freeport.Pair(t))
	m.start(gone)
	advice := "boneyard cluster add " + m.log[gone]
	require.Eventually(t, func() bool { return strings.Contains(m.nodes[gone].log.String(), advice) }, patience, callAgain)
	said = m.asked(other, "status")
	require.Regexp(t, `(?m)^four +`+m.log[gone]+` +no `, said)
	m.asked(third, "add", m.log[gone])
	m.whole()
	owner, old := m.owner, other
	if old == owner {
		old = third
	}
	m.nodes[old].kill()
	member(t, m.at(gone), "ben") // the owner and the new one are two of three
	m.start(old)
	m.whole()
	m.asked(old, "compare")
	require.Eventually(t, func() bool {
		said = m.asked(old, "status")
		return strings.Count(said, "same at ") == 2
	}, patience, callAgain)
	m.asked(old, "transfer", "four")
	m.opens()
	require.Equal(t, gone, m.owner)
	m.nodes[owner].ends(t, exitFailed)
	require.Contains(t, m.nodes[owner].log.String(), "handed over")
	require.Contains(t, ask(t, m.at(old), nil, "eve", "whois ben"), "ben")
	m.killAll()
	require.Equal(t, []string{"ana", "ben"}, namesIn(t, m.folder(gone)))
}

// TestClusterGoesBack restores a backup of a club on three machines, as docs/cluster.md says: what came
// after it is gone on all of them.
func TestClusterGoesBack(t *testing.T) {
	m := wholeClub(t)
	first := m.owner
	member(t, m.at((first+1)%3), "ana")
	backup := filepath.Join(m.dir, "backup.db")
	told(t, m.folder(first), "backup", backup)
	member(t, m.at((first+1)%3), "ben")
	m.endAll()
	for i := range m.nodes {
		files, err := filepath.Glob(filepath.Join(m.folder(i), "club.db*"))
		require.NoError(t, err)
		for _, f := range files {
			if i != first || !strings.HasSuffix(f, ".cluster") {
				require.NoError(t, os.RemoveAll(f))
			}
		}
	}
	require.NoError(t, os.Rename(backup, filepath.Join(m.folder(first), "club.db")))
	told(t, m.folder(first), "cluster", "begin")
	for i := range m.nodes {
		m.start((first + i) % 3)
	}
	m.opens()
	member(t, m.at(first), "zoe")
	m.within(0)
	m.endAll()
	for i := range m.nodes {
		require.Equal(t, []string{"ana", "zoe"}, namesIn(t, m.folder(i)))
	}
}

// TestClusterFileThatDiffers changes a value in a node's file while it is down. At the next digest the nodes
// say in which table their files differ, and that node ends for good, while people play on.
func TestClusterFileThatDiffers(t *testing.T) {
	faults(t)
	t.Parallel()
	m := newMachines(t)
	m.startAll()
	w := newWorld()
	all := m.seat(w, mathrand.New(mathrand.NewPCG(1, 0)), 4)
	m.whole()
	bad, good := (m.owner+1)%3, (m.owner+2)%3
	m.nodes[bad].kill()
	db, err := sql.Open("sqlite", filepath.Join(m.folder(bad), "club.db"))
	require.NoError(t, err)
	_, err = db.Exec(`UPDATE accounts SET created = created + 1 WHERE id = 1`)
	require.NoError(t, errors.Join(err, db.Close()))
	m.start(bad)
	var living sync.WaitGroup
	for _, s := range all {
		living.Go(s.live)
	}
	stop := m.calling(w, good)
	m.nodes[bad].ends(t, exitFailed)
	require.Regexp(t, `this node's data file differs .*\(at entry [0-9]*[05]00, in: accounts\)`, m.nodes[bad].log.String())
	m.launch(bad)
	m.nodes[bad].ends(t, exitFailed)
	require.Contains(t, m.nodes[bad].log.String(), "this node's data file differs")
	w.mu.Lock()
	goal := w.acked + 20
	w.mu.Unlock()
	require.True(t, w.until(patience, func() bool { return w.acked >= goal }), describe(all))
	stop()
	w.move(nil)
	w.end()
	living.Wait()
	m.killAll()
	require.Contains(t, m.nodes[good].log.String(), `"tables":"accounts"`)
}

// TestClusterDamagedFile: the operator is told to copy another node's file, not to restore a backup.
func TestClusterDamagedFile(t *testing.T) {
	faults(t)
	t.Parallel()
	m := newMachines(t)
	require.NoError(t, os.WriteFile(filepath.Join(m.folder(0), "club.db"), []byte("torn by a bad disk"), 0o600))
	m.launch(0)
	m.nodes[0].ends(t, exitFailed)
	require.Contains(t, m.nodes[0].log.String(),
		"club.db away, with everything beside it that begins with the same name, and restart: the node copies another's")
	require.Contains(t, m.nodes[0].log.String(), "the data file is damaged")
}

// namesIn are the names of a data file's members.
func namesIn(t *testing.T, dir string) (names []string) {
	t.Helper()
	s, err := store.Open(t.Context(), filepath.Join(dir, "club.db"), store.DefaultOptions())
	require.NoError(t, err)
	defer func() { require.NoError(t, s.Close()) }()
	for _, name := range []string{"ana", "ben", "zoe"} {
		if _, err := s.ByName(t.Context(), name); err == nil {
			names = append(names, name)
		}
	}
	return names
}
