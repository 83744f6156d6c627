package main

import (
	"context"
	"encoding/binary"
	"flag"
	"fmt"
	"log/slog"
	"math/rand/v2"
	"path/filepath"
	"slices"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/prometheus/client_golang/prometheus"
	"github.com/stretchr/testify/require"

	"boneyard/cmd/sshd/node"
	"boneyard/lobby"
	"boneyard/rules"
	"boneyard/store"
	"boneyard/store/cluster"
	"boneyard/store/storetest"
	"boneyard/table"
)

var (
	simulatedClusters = flag.Int("simulations", 1, "how many clusters TestSimulatedCluster simulates")
	simulationSeed    = flag.Uint64("simulationseed", 1, "the seed of its first")
	simulatedFaults   = flag.Int("simulationfaults", 8, "how many faults each of them has")
)

// TestSimulatedCluster simulates three nodes that run what a real one runs, but for SSH and Raft: heartbeats,
// the log and its store, the decision who runs the club, and there the club, with its lobby and its tables.
// They are on a bad network, in simulated time, and are cut off, stopped, killed and shut down at random, and
// their clocks are wrong, while people come, talk, found teams and play, and send again what was not
// acknowledged, wherever the club is by then.
//
// Every acknowledged command is in every file once, and no refused one is in any; only the owner acknowledges; the files are the same, and
// each game in them follows its rules; nobody is shown what is not in the journal, or what somebody at that seat, or in the gallery,
// may not know; and no version of a table looks different at another node.
func TestSimulatedCluster(t *testing.T) {
	for i := range *simulatedClusters {
		seed := *simulationSeed + uint64(i)
		t.Run(fmt.Sprint(seed), func(t *testing.T) {
			t.Logf("again with: go test ./cmd/sshd -run %s -simulations 1 -simulationseed %d -simulationfaults %d", "TestSimulatedCluster", seed,
				*simulatedFaults)
			simulateCluster(t, seed, func(s *simulatedCluster) {
				rng := rand.New(rand.NewPCG(seed, 3))
				for range *simulatedFaults {
					s.harm(rng)
				}
			})
		})
	}
}

// TestABrokenLinkMovesNothing breaks the link between the node that runs the club and another, while both
// reach the third. The club stays where it is.
func TestABrokenLinkMovesNothing(t *testing.T) {
	simulateCluster(t, *simulationSeed, func(s *simulatedCluster) {
		owner := s.open()[0].name
		for _, name := range clusterNames {
			if name == owner {
				continue
			}
			s.net.Break(owner, name, true)
			time.Sleep(30 * time.Second) // for elections, too
			s.goesOn(20)
			s.net.Break(owner, name, false)
			time.Sleep(10 * time.Second)
		}
		claims := storetest.EffectsOf(s.t, s.net.Entries()).Claims
		if len(claims) != 1 {
			s.t.Errorf("the club has moved %d times:\n%s", len(claims)-1, s.reg.tail(100))
		}
	})
}

// TestAMinorityStandsStill cuts the node that runs the club off from both others: all its tables stop within
// seconds, even if nobody moves, and the club goes on elsewhere.
func TestAMinorityStandsStill(t *testing.T) {
	simulateCluster(t, *simulationSeed, func(s *simulatedCluster) {
		r := s.open()[0]
		club := r.opened()
		for club.lobby.Stats().States[table.Playing] == 0 {
			time.Sleep(time.Second)
		}
		s.net.Cut(r.name, true)
		time.Sleep(3 * time.Second)
		synctest.Wait()
		if stats := club.lobby.Stats(); stats.States[table.Frozen] != stats.Tables {
			s.t.Errorf("of %d tables these still go on: %v", stats.Tables, stats.States)
		}
		s.goesOn(20)
		s.net.Cut(r.name, false)
	})
}

// simulatedCluster is three nodes, the people there, and what they were told.
type simulatedCluster struct {
	t     *testing.T
	net   *storetest.Network
	seed  uint64
	paths map[string]string        // of the data files
	wrong map[string]time.Duration // how far the nodes' clocks are ahead
	reg   *simulatedRecord
	ends  context.Context // when the nodes do not start again
	calls sync.WaitGroup  // of people who may have hung up
	lives sync.WaitGroup  // of nodes

	mu    sync.Mutex
	games *rand.Rand               // for seeds
	runs  map[string]*simulatedRun // nodes that run
}

// simulatedRun is one run of a node, from its start to its end.
type simulatedRun struct {
	*simulatedCluster
	name    string
	net     *storetest.Node
	peers   *cluster.Peers
	store   *store.Store
	stop    context.CancelFunc // ends Keep
	keeping sync.WaitGroup
	end     context.CancelFunc // ends what else runs
	running sync.WaitGroup
	kill    func()
	killed  chan struct{}
	failed  chan error // why the node ends

	mu   sync.Mutex
	club *club // once it is open here
}

// simulatedNode is a node's end of the log, with its peers.
type simulatedNode struct {
	*cluster.Peers
	*storetest.Node
}

// What it knows, and who reaches whom, follows from the log, as in cluster.Node.
func (n simulatedNode) Knows(kind string) bool { return n.Peers.Knows(kind) }
func (n simulatedNode) Reachable() bool        { return n.Node.Led() }
func (n simulatedNode) Leads() bool            { return n.Node.Leads() }

func (n simulatedNode) GiveBack(owner string) bool {
	members, _ := n.Members()
	for _, m := range members {
		if m.ID() == owner && owner != n.ID() && !m.Leaving {
			return n.YieldTo(m.Node)
		}
	}
	return false
}

var clusterNames = []string{"one", "two", "three"}

// simulateCluster has people live at three nodes to which something happens, and then judges all of it.
func simulateCluster(t *testing.T, seed uint64, happens func(*simulatedCluster)) {
	s := &simulatedCluster{seed: seed, paths: make(map[string]string), wrong: make(map[string]time.Duration),
		runs: make(map[string]*simulatedRun), games: rand.New(rand.NewPCG(seed, 2))}
	for i, name := range clusterNames {
		s.wrong[name] = time.Duration(i-1) * 7 * time.Minute
		s.paths[name] = filepath.Join(t.TempDir(), "club.db")
	}
	synctest.Test(t, func(t *testing.T) {
		s.t, s.reg, s.net = t, newSimulatedRecord(), storetest.NewNetwork(seed, len(clusterNames))
		s.net.Elections = true
		var stop, leave context.CancelFunc
		s.ends, stop = context.WithCancel(context.Background())
		for _, name := range clusterNames {
			s.lives.Go(func() { s.serve(name) })
		}
		people, leave := context.WithCancel(context.Background())
		var living sync.WaitGroup
		for i := range 8 {
			p := newSimulatedPerson(s, i)
			living.Go(func() { p.live(people) })
		}
		s.goesOn(0)
		happens(s)
		s.goesOn(40)
		leave()
		living.Wait()
		s.calls.Wait()
		s.net.Wait()
		s.caughtUp()
		if open := s.open(); len(open) != 1 {
			t.Errorf("the club is open at %d nodes", len(open))
		}
		stop()
		s.lives.Wait()
		s.net.Wait()
	})
	s.t = t
	s.judge(t)
}

// goesOn waits until so many more commands have been acknowledged.
func (s *simulatedCluster) goesOn(more int) {
	const most = 5 * time.Minute // for a table whose players were away, too
	goal := s.reg.count() + more
	for began := time.Now(); s.reg.count() < max(goal, 1); time.Sleep(100 * time.Millisecond) {
		if time.Since(began) > most {
			s.t.Errorf("nothing goes on: %d commands were acknowledged, %d wanted\n%s", s.reg.count(), goal, s.reg.tail(60))
			return
		}
	}
}

// caughtUp waits until each node has applied the whole log, to which only tables themselves still add.
func (s *simulatedCluster) caughtUp() {
	for {
		behind := 0
		for _, name := range clusterNames {
			r := s.at(name)
			if r == nil {
				behind++
				continue
			}
			at, _, err := r.store.Replica()
			require.NoError(s.t, err)
			if at.Position < uint64(len(s.net.Entries())) {
				behind++
			}
		}
		if behind == 0 {
			return
		}
		time.Sleep(50 * time.Millisecond)
	}
}

// at is a node that runs, or nil.
func (s *simulatedCluster) at(name string) *simulatedRun {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.runs[name]
}

// open are the nodes at which a club is open. At times there are two, of which one cannot acknowledge anything.
func (s *simulatedCluster) open() (all []*simulatedRun) {
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, name := range clusterNames {
		if r := s.runs[name]; r != nil && r.opened() != nil {
			all = append(all, r)
		}
	}
	return all
}

func (r *simulatedRun) opened() *club {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.club
}

// serve runs a node as its service does: it restarts the node when it has ended.
func (s *simulatedCluster) serve(name string) {
	for s.ends.Err() == nil {
		r := s.start(name)
		var err error
		select {
		case err = <-r.failed:
			s.reg.note("%s ends: %v", name, err)
		case <-r.killed:
			s.reg.note("%s is killed", name)
		case <-s.ends.Done():
		}
		r.close()
		select {
		case <-time.After(time.Second):
		case <-s.ends.Done():
		}
	}
}

// start starts a node, as Main.Run does.
func (s *simulatedCluster) start(name string) *simulatedRun {
	r := &simulatedRun{simulatedCluster: s, name: name, killed: make(chan struct{}), failed: make(chan error, 2)}
	r.kill = sync.OnceFunc(func() {
		r.net.Kill()
		close(r.killed)
	})
	var err error
	options := store.DefaultOptions()
	options.DigestEvery = 100 // any difference of the files ends a node
	options.Fatal = func(err error) { s.t.Errorf("%s: the store wants to end the process: %v", name, err) }
	r.store, err = store.Open(context.Background(), s.paths[name], options)
	require.NoError(s.t, err)
	log := slog.New(slog.NewTextHandler(s.reg.writer(name), nil))
	var ctx, keep context.Context
	ctx, r.end = context.WithCancel(context.Background())
	keep, r.stop = context.WithCancel(ctx)
	own := cluster.Member{Node: name, Relay: name, Run: fmt.Sprint(time.Now().UnixNano())}
	r.peers = cluster.NewPeers(own, len(clusterNames), func(beat []byte) error { return r.net.Send(beat) }, log)
	r.net = s.net.Join(name, r.peers.Heard)
	require.NoError(s.t, r.store.Follow(r.peers.ID(), simulatedNode{r.peers, r.net}))
	r.running.Go(func() { r.peers.Beat(ctx) })
	r.running.Go(func() { r.watchLead(ctx) })
	r.keeping.Go(func() {
		if err := node.Keep(keep, simulatedNode{r.peers, r.net}, r.store, log, r.openClub); err != nil {
			r.failed <- err
		}
	})
	s.mu.Lock()
	defer s.mu.Unlock()
	s.runs[name] = r
	return r
}

// watchLead tells the others who leads the log, and how far the node is, as cluster.Node does.
func (r *simulatedRun) watchLead(ctx context.Context) {
	tick := time.NewTicker(300 * time.Millisecond)
	defer tick.Stop()
	for {
		select {
		case <-tick.C:
		case <-ctx.Done():
			return
		}
		if at, _, err := r.store.Replica(); err == nil {
			r.peers.SetPosition(at.Position)
		}
		r.peers.SetLeads(r.net.Leads(), true, 0)
	}
}

// openClub opens the club at a node.
func (r *simulatedRun) openClub() (*lobby.Lobby, error) {
	settings := DefaultSettings()
	settings.Exhibition, settings.Daily = false, false
	settings.HostKeys = filepath.Dir(r.paths[r.name])
	reg := prometheus.NewRegistry()
	deps := table.Deps{NewSeed: r.newSeed, Now: func() time.Time { return time.Now().Add(r.wrong[r.name]) }}
	c, err := newClub(settings, r.store, newClubMetrics(reg), nil, deps, slog.New(slog.NewTextHandler(r.reg.writer(r.name), nil)), reg)
	if err != nil {
		return nil, err
	}
	r.reg.note("%s runs the club", r.name)
	r.mu.Lock()
	defer r.mu.Unlock()
	r.club = c
	return c.lobby, nil
}

func (s *simulatedCluster) newSeed() (seed rules.Seed) {
	s.mu.Lock()
	defer s.mu.Unlock()
	for i := 0; i < len(seed); i += 8 {
		binary.BigEndian.PutUint64(seed[i:], s.games.Uint64())
	}
	return seed
}

// close ends a node, as Main.Close does. Nothing from a killed one reaches anybody any more.
func (r *simulatedRun) close() {
	r.stop()
	r.keeping.Wait()
	c := r.opened()
	if c != nil {
		ctx, cancel := context.WithTimeout(context.Background(), drainTime)
		_ = c.lobby.Drain(ctx) // a node that has lost the club cannot write
		cancel()
	}
	r.peers.Leave()
	r.net.Yield()
	r.simulatedCluster.mu.Lock()
	r.runs[r.name] = nil
	r.simulatedCluster.mu.Unlock()
	r.end()
	if c != nil {
		_ = c.Close()
	} else {
		require.NoError(r.t, r.store.Close())
	}
	r.net.Kill()
	r.running.Wait()
}

// harm does something to the nodes, and waits until it is over.
func (s *simulatedCluster) harm(rng *rand.Rand) {
	name := clusterNames[rng.IntN(len(clusterNames))]
	other := clusterNames[(slices.Index(clusterNames, name)+1+rng.IntN(2))%3]
	if open := s.open(); rng.IntN(2) == 0 && len(open) > 0 {
		name = open[0].name
	}
	long := time.Duration(rng.Int64N(int64(15 * time.Second)))
	r := s.at(name)
	what := rng.IntN(7)
	s.reg.note("fault %d: %s, %s, %v", what, name, other, long)
	switch {
	case what == 0:
		s.net.Cut(name, true)
		time.Sleep(long)
		s.net.Cut(name, false)
	case what == 1: // nobody has a majority
		s.net.Cut(name, true)
		s.net.Cut(other, true)
		time.Sleep(long)
		s.net.Cut(name, false)
		time.Sleep(long / 4)
		s.net.Cut(other, false)
	case what == 2:
		s.net.Break(name, other, true)
		time.Sleep(long)
		s.net.Break(name, other, false)
	case r == nil:
	case what == 3:
		r.net.Stop(true)
		time.Sleep(long)
		r.net.Stop(false)
	case what == 4: // SIGTERM
		select {
		case r.failed <- nil:
		default: // it is ending
		}
	default:
		r.kill()
	}
	time.Sleep(time.Duration(rng.Int64N(int64(20 * time.Second))))
}
