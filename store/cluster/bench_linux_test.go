package cluster_test

import (
	"bufio"
	"crypto/sha256"
	"encoding/json"
	"fmt"
	"io"
	"log/slog"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"boneyard/store"
	"boneyard/store/cluster"
	"boneyard/store/cluster/freeport"
	"boneyard/table"
)

// benchNode is the variable that makes this program a node of BenchmarkMoves': its configuration.
const benchNode = "CLUB_BENCH_NODE"

func TestMain(m *testing.M) {
	if config := os.Getenv(benchNode); config != "" {
		if err := followOnly(config); err != nil {
			fmt.Fprintln(os.Stderr, err)
			os.Exit(1)
		}
		return
	}
	os.Exit(m.Run())
}

// followed is how far a node is, and the processor time that its process has taken.
type followed struct {
	Position uint64
	CPU      time.Duration
}

// cpu is the processor time that this process has taken.
func cpu() time.Duration {
	var used syscall.Rusage
	_ = syscall.Getrusage(syscall.RUSAGE_SELF, &used) // never fails
	return time.Duration(used.Utime.Nano() + used.Stime.Nano())
}

// benchStart starts a node with a store.
func benchStart(c cluster.Config) (*cluster.Node, *store.Store, error) {
	key := sha256.Sum256([]byte("secret"))
	c.Name, c.Key, c.Log = "bench", key[:], slog.New(slog.DiscardHandler)
	n, err := cluster.Start(c)
	if err != nil {
		return nil, nil, err
	}
	s, err := store.Open(ctx, filepath.Join(c.Folder, "club.db"), store.DefaultOptions())
	if err == nil {
		err = s.Follow(n.ID(), n)
	}
	return n, s, err
}

// followOnly runs a node until its standard input ends, and answers each line there. If it leads the log, another does then.
func followOnly(config string) error {
	var c cluster.Config
	if err := json.Unmarshal([]byte(config), &c); err != nil {
		return err
	}
	n, s, err := benchStart(c)
	if err != nil {
		return err
	}
	for lines := bufio.NewScanner(os.Stdin); lines.Scan(); {
		n.YieldLead()
		at, _, err := s.Replica()
		if err != nil {
			return err
		}
		if err := json.NewEncoder(os.Stdout).Encode(followed{at.Position, cpu()}); err != nil {
			return err
		}
	}
	err = s.Close()
	n.Close()
	return err
}

// follower is a node that runs in a process of its own.
type follower struct {
	in  io.WriteCloser
	out *json.Decoder
}

func startFollower(b *testing.B, c cluster.Config) *follower {
	config, err := json.Marshal(c)
	require.NoError(b, err)
	cmd := exec.Command(os.Args[0])
	cmd.Env, cmd.Stderr = append(os.Environ(), benchNode+"="+string(config)), os.Stderr
	in, err := cmd.StdinPipe()
	require.NoError(b, err)
	out, err := cmd.StdoutPipe()
	require.NoError(b, err)
	require.NoError(b, cmd.Start())
	b.Cleanup(func() {
		_ = in.Close()
		require.NoError(b, cmd.Wait())
	})
	return &follower{in, json.NewDecoder(out)}
}

func (f *follower) is(b *testing.B) (now followed) {
	_, err := io.WriteString(f.in, "\n")
	require.NoError(b, err)
	require.NoError(b, f.out.Decode(&now))
	return now
}

// BenchmarkMoves plays at 64 tables at a time, on one machine and in a cluster of three, each node of which has a process
// of its own. A move is a line of the journal and a state of 2 kB. It reports the processor time of the machine, or of the
// owner, for a move, and that of a follower.
func BenchmarkMoves(b *testing.B) {
	b.Run("one machine", func(b *testing.B) {
		s, err := store.Open(ctx, filepath.Join(b.TempDir(), "club.db"), store.DefaultOptions())
		require.NoError(b, err)
		benchMoves(b, s)
		require.NoError(b, s.Close())
	})
	b.Run("three nodes", func(b *testing.B) {
		var addrs []string
		for range 3 {
			addrs = append(addrs, fmt.Sprint("127.0.0.1:", freeport.Pair(b)))
		}
		config := func(i int) cluster.Config {
			return cluster.Config{Node: fmt.Sprint("n", i+1), Listen: addrs[i], Peers: slices.Delete(slices.Clone(addrs), i, i+1), Folder: b.TempDir()}
		}
		followers := []*follower{startFollower(b, config(1)), startFollower(b, config(2))}
		n, s, err := benchStart(config(0))
		require.NoError(b, err)
		defer n.Close()
		require.Eventually(b, func() bool {
			for _, f := range followers {
				f.is(b)
			}
			return n.Leads() && s.Claim(ctx) == nil
		}, far, 50*time.Millisecond)
		began := [2]followed{followers[0].is(b), followers[1].is(b)}
		benchMoves(b, s)
		at, _, err := s.Replica()
		require.NoError(b, err)
		for i, f := range followers {
			now := f.is(b)
			for now.Position < at.Position {
				time.Sleep(50 * time.Millisecond)
				now = f.is(b)
			}
			b.ReportMetric(float64((now.CPU-began[i].CPU).Microseconds())/float64(b.N), fmt.Sprintf("cpu-µs/move-follower-%d", i+1))
		}
		require.NoError(b, s.Close())
	})
}

// benchMoves makes the moves.
func benchMoves(b *testing.B, s *store.Store) {
	const tables = 64
	state := []byte(`{"state":"` + strings.Repeat("x", 2000) + `"}`)
	step := func(id table.ID, seq int) *table.Batch {
		return &table.Batch{Table: id, State: state, Game: table.GameID(id), Seq: seq,
			Rows: []table.Row{{Line: "2 5-5 R = 10 +10", At: time.Unix(1e9, 0), Command: "0123456789abcdef", By: 12}}}
	}
	for id := table.ID(1); id <= tables; id++ {
		first := step(id, 0)
		first.Start = &table.Start{Rules: "classic", Seats: []table.Player{{Name: "a"}, {Name: "b"}}}
		_, err := table.Commit(s, first)
		require.NoError(b, err)
	}
	b.ResetTimer()
	before := cpu()
	var all sync.WaitGroup
	for id := table.ID(1); id <= tables; id++ {
		all.Go(func() {
			for seq := 1; seq <= b.N/tables+1; seq++ {
				if _, err := table.Commit(s, step(id, seq)); err != nil {
					b.Error(err)
					return
				}
			}
		})
	}
	all.Wait()
	b.StopTimer()
	b.ReportMetric(float64((cpu()-before).Microseconds())/float64(tables*(b.N/tables+1)), "cpu-µs/move")
}
