package store_test

import (
	"context"
	"database/sql"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"maps"
	"math/rand/v2"
	"slices"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/require"

	"boneyard/lobby"
	"boneyard/store"
	"boneyard/store/storetest"
	"boneyard/table"
)

var (
	simulations    = flag.Int("simulations", 1, "how many clubs TestSimulatedClub simulates")
	simulationSeed = flag.Uint64("simulationseed", 1, "the seed of its first; 0: a new one")
)

func pass(ctx context.Context, d time.Duration) error {
	select {
	case <-time.After(d):
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}

// simulation is three stores on one network, with the writes through them and the claims of the club.
type simulation struct {
	t      *testing.T
	net    *storetest.Network
	names  []string
	paths  map[string]string
	mu     sync.Mutex
	stores map[string]*store.Store
	logs   map[string]*storetest.Node // their ends of the network
	lines  map[string]error           // answers to lines of chat, by their text
	joined map[string]string          // the node where somebody became a member, by name
	epochs map[uint64]string          // the node that claimed the club
}

func (s *simulation) open(node string) {
	st := mustOpen(s.t, s.paths[node], options(s.t))
	log := s.net.Join(node, nil)
	require.NoError(s.t, st.Follow(node, log))
	s.mu.Lock()
	defer s.mu.Unlock()
	s.stores[node], s.logs[node] = st, log
}

// at is a node's store, nil while it is down.
func (s *simulation) at(node string) *store.Store {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.stores[node]
}

// live writes through a node until ctx ends: lines that only this writer writes, and names that all writers want.
func (s *simulation) live(ctx context.Context, node string, writer int, rng *rand.Rand) {
	for i := 0; pass(ctx, time.Duration(rng.Int64N(int64(200*time.Millisecond)))) == nil; i++ {
		st := s.at(node)
		if st == nil {
			continue
		}
		if rng.IntN(4) == 0 {
			name := fmt.Sprint("name", rng.IntN(200))
			if _, err := st.Create(context.Background(), keyOf(name+node), name, name, noon); err == nil {
				s.mu.Lock()
				if other, taken := s.joined[name]; taken {
					s.t.Errorf("%s became a member by way of %s and of %s", name, other, node)
				}
				s.joined[name] = node
				s.mu.Unlock()
			}
			continue
		}
		text := fmt.Sprintf("%d of writer %d", i, writer)
		_, err := st.Say(context.Background(), 0, lobby.Line{At: noon, Text: text})
		s.mu.Lock()
		s.lines[text] = err
		s.mu.Unlock()
	}
}

// claim makes a node claim the club.
func (s *simulation) claim(ctx context.Context, node string) {
	st := s.at(node)
	if st == nil || st.Claim(ctx) != nil {
		return
	}
	at, _, err := st.Replica()
	require.NoError(s.t, err)
	s.mu.Lock()
	defer s.mu.Unlock()
	if at.Owner != node { // it has been claimed again already
		return
	}
	if other, taken := s.epochs[at.Epoch]; taken {
		s.t.Errorf("%s and %s own the club in epoch %d", other, node, at.Epoch)
	}
	s.epochs[at.Epoch] = node
}

// harm disturbs the nodes for a while, and then repairs everything.
func (s *simulation) harm(rng *rand.Rand, steps int) {
	ctx := context.Background()
	for range steps {
		node := s.names[rng.IntN(len(s.names))]
		switch rng.IntN(6) {
		case 0, 1: // it is cut off and learns of it, or hangs and does not
			knows := rng.IntN(2) == 0
			s.net.Cut(node, true)
			_ = pass(ctx, time.Duration(rng.Int64N(int64(2*time.Second))))
			s.logs[node].SetKnows(knows)
			_ = pass(ctx, time.Duration(rng.Int64N(int64(4*time.Second))))
			if other := s.names[rng.IntN(len(s.names))]; other != node {
				bounded, cancel := context.WithTimeout(ctx, 3*time.Second)
				s.claim(bounded, other)
				cancel()
			}
			_ = pass(ctx, time.Duration(rng.Int64N(int64(4*time.Second))))
			s.net.Cut(node, false)
			s.logs[node].SetKnows(false)
		case 2: // it ends, and starts again after a while
			s.mu.Lock()
			st := s.stores[node]
			s.stores[node] = nil
			s.mu.Unlock()
			mustClose(s.t, st)
			_ = pass(ctx, time.Duration(rng.Int64N(int64(3*time.Second))))
			s.open(node)
		default:
			_ = pass(ctx, time.Duration(rng.Int64N(int64(2*time.Second))))
			bounded, cancel := context.WithTimeout(ctx, 3*time.Second)
			s.claim(bounded, node)
			cancel()
		}
	}
}

// TestSimulatedClub has three stores share a log on a bad network, in simulated time, while they are cut off, close and claim the club at
// random. Every acknowledged write is in every file once, and no refused one is in any; a name is given once; a node that has lost the club
// adds nothing once the next has claimed it; and the files are the same.
func TestSimulatedClub(t *testing.T) {
	seed := seedOf(t, *simulationSeed, "-simulations 1 -simulationseed")
	for i := range *simulations {
		t.Run(fmt.Sprint(seed+uint64(i)), func(t *testing.T) { simulate(t, seed+uint64(i)) })
	}
}

func simulate(t *testing.T, seed uint64) {
	s := &simulation{
		names: []string{"one", "two", "three"}, paths: make(map[string]string),
		stores: make(map[string]*store.Store), logs: make(map[string]*storetest.Node), lines: make(map[string]error),
		joined: make(map[string]string), epochs: make(map[uint64]string),
	}
	for _, n := range s.names {
		s.paths[n] = newPath(t)
	}
	synctest.Test(t, func(t *testing.T) {
		s.t, s.net = t, storetest.NewNetwork(seed, 3)
		for _, n := range s.names {
			s.open(n)
		}
		ctx, end := context.WithCancel(context.Background())
		var living sync.WaitGroup
		for i, n := range s.names {
			for k := range 3 { // several at a time
				writer := 3*i + k
				living.Go(func() { s.live(ctx, n, writer, rand.New(rand.NewPCG(seed, uint64(10+writer)))) })
			}
		}
		s.harm(rand.New(rand.NewPCG(seed, 6)), 40)
		end()
		living.Wait()
		s.net.Wait()
		for _, n := range s.names {
			s.caughtUp(n)
			mustClose(t, s.stores[n])
		}
	})
	s.judge(t)
}

// caughtUp waits until a node has applied the whole log.
func (s *simulation) caughtUp(node string) {
	for {
		at, _, err := s.stores[node].Replica()
		require.NoError(s.t, err)
		if at.Position == uint64(len(s.net.Entries())) {
			return
		}
		require.NoError(s.t, pass(context.Background(), time.Millisecond))
	}
}

// expected is the lines in the log, and how much of the log had no effect.
func (s *simulation) expected() (lines []string, doubled, late int) {
	log := storetest.EffectsOf(s.t, s.net.Entries())
	for _, e := range log.Entries {
		if e.Kind == "say" {
			var said struct{ Text string }
			require.NoError(s.t, json.Unmarshal(e.Data, &said))
			lines = append(lines, said.Text)
		}
	}
	return lines, log.Doubled, log.Late
}

// judge compares the files with the answers, with the log, and with each other.
func (s *simulation) judge(t *testing.T) {
	s.t = t
	expected, doubled, late := s.expected()
	acked, refused := 0, 0
	times := make(map[string]int)
	for _, l := range expected {
		times[l]++
	}
	for text, err := range s.lines {
		switch n := times[text]; {
		case err == nil:
			acked++
			require.Equal(t, 1, n, "%q was acknowledged", text)
		case errors.Is(err, store.ErrNotOwner), errors.Is(err, store.ErrAlone):
			refused++
			require.Zero(t, n, "%q was refused: %v", text, err)
		default: // its node ended before it knew
			require.ErrorIs(t, err, table.ErrUnavailable)
			require.LessOrEqual(t, n, 1, "%q", text)
		}
	}
	var first []string
	for _, n := range s.names {
		mustBeSound(t, s.paths[n])
		db, err := sql.Open("sqlite", s.paths[n])
		require.NoError(t, err)
		require.Equal(t, expected, storetest.Texts(t, db, `SELECT text FROM lobby_chat ORDER BY seq`))
		require.Subset(t, storetest.Texts(t, db, `SELECT name FROM accounts`), slices.Collect(maps.Keys(s.joined)))
		require.NoError(t, db.Close())
		if first == nil {
			first = storetest.Contents(t, s.paths[n])
		}
		require.Equal(t, first, storetest.Contents(t, s.paths[n]))
	}
	require.NotZero(t, acked)
	require.NotZero(t, refused)
	require.NotZero(t, doubled)
	require.NotZero(t, late)
	t.Logf("%d entries, %d epochs: %d lines acknowledged, %d refused, %d entries doubled, %d of an epoch that was over",
		len(s.net.Entries()), len(s.epochs), acked, refused, doubled, late)
}
