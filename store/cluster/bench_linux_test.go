package cluster_test

import (
	"bufio"
	"crypto/sha256"
	"encoding/json"
	"flag"
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

// benchNode is the environment variable with a configuration that makes this program a node of
// BenchmarkMoves.
const benchNode = "CLUB_BENCH_NODE"

func TestMain(m *testing.M) {
	if config := os.Getenv(benchNode); config != "" {
		if err := followOnly(config); err != nil {
			fmt.Fprintln(os.Stderr, err)
			os.Exit(1)
		}
		return
	}
	// Tests mostly wait for their nodes, so more of them run at once than there are processors.
	if err := flag.Set("test.parallel", "8"); err != nil { // the command line has the last word
		panic(err)
	}
	os.Exit(m.Run())
}

// followed is how far a node has come, and the processor time that its process has taken.
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

// followOnly runs a node until its standard input ends, and answers each line there. If it leads the log, it
// passes the lead on.
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

// BenchmarkMoves plays at 64 tables at a time, by turns on one machine and in a cluster of three nodes, each
// in a process of its own. It reports the processor time per move of the machine, of the cluster's owner and
// of a follower, and the owner's in relation to the machine's.
func BenchmarkMoves(b *testing.B) {
	alone, err := store.Open(ctx, filepath.Join(b.TempDir(), "club.db"), store.DefaultOptions())
	require.NoError(b, err)
	var addrs []string
	for range 3 {
		addrs = append(addrs, fmt.Sprint("127.0.0.1:", freeport.Pair(b)))
	}
	config := func(i int) cluster.Config {
		others := slices.Delete(slices.Clone(addrs), i, i+1)
		return cluster.Config{Node: fmt.Sprint("n", i+1), Listen: addrs[i], Peers: others, Folder: b.TempDir()}
	}
	followers := []*follower{startFollower(b, config(1)), startFollower(b, config(2))}
	n, owner, err := benchStart(config(0))
	require.NoError(b, err)
	defer n.Close()
	require.Eventually(b, func() bool {
		for _, f := range followers {
			f.is(b)
		}
		return n.Leads() && owner.Claim(ctx) == nil
	}, far, 50*time.Millisecond)
	const turn = 100 // moves at each table
	one, three := newMoves(b, alone), newMoves(b, owner)
	var before, after time.Duration // of both followers
	for _, f := range followers {
		before += f.reaches(b, owner).CPU
	}
	b.ResetTimer()
	for done := 0; done < b.N; done += turn * benchTables {
		one.play(b, turn)
		three.play(b, turn)
		for _, f := range followers {
			f.reaches(b, owner)
		}
	}
	b.StopTimer()
	for _, f := range followers {
		after += f.is(b).CPU
	}
	b.ReportMetric(one.each(), "cpu-µs/move-alone")
	b.ReportMetric(three.each(), "cpu-µs/move-owner")
	b.ReportMetric(three.each()/one.each(), "owner/alone")
	b.ReportMetric(float64((after-before).Microseconds())/float64(len(followers)*three.made), "cpu-µs/move-follower")
	require.NoError(b, alone.Close())
	require.NoError(b, owner.Close())
}

// reaches waits until a follower has what the owner has.
func (f *follower) reaches(b *testing.B, owner *store.Store) followed {
	at, _, err := owner.Replica()
	require.NoError(b, err)
	now := f.is(b)
	for ; now.Position < at.Position; now = f.is(b) {
		time.Sleep(10 * time.Millisecond)
	}
	return now
}

const benchTables = 64

// moves are made at tables of a store, and counted.
type moves struct {
	store *store.Store
	seq   int // of the next move at each table
	made  int
	cpu   time.Duration // that they took
}

// newMoves opens the tables.
func newMoves(b *testing.B, s *store.Store) *moves {
	for id := table.ID(1); id <= benchTables; id++ {
		first := move(id, 0)
		first.Start = &table.Start{Rules: "classic", Seats: []table.Player{{Name: "a"}, {Name: "b"}}}
		_, err := table.Commit(s, first)
		require.NoError(b, err)
	}
	return &moves{store: s, seq: 1}
}

// move is what tables write: a line, and a state of 0.8 kB with one in seven.
func move(id table.ID, seq int) *table.Batch {
	b := &table.Batch{Table: id, Game: table.GameID(id), Seq: seq,
		Rows: []table.Row{{Line: "2 5-5 R = 10 +10", At: time.Unix(1e9, 0), Command: "0123456789abcdef", By: 12}}}
	if (seq+int(id))%7 == 0 || seq == 0 {
		b.State = []byte(`{"state":"` + strings.Repeat("x", 800) + `"}`)
	}
	return b
}

// play makes moves at each table, at all tables at once.
func (m *moves) play(b *testing.B, each int) {
	before := cpu()
	var all sync.WaitGroup
	for id := table.ID(1); id <= benchTables; id++ {
		all.Go(func() {
			for seq := m.seq; seq < m.seq+each; seq++ {
				if _, err := table.Commit(m.store, move(id, seq)); err != nil {
					b.Error(err)
					return
				}
			}
		})
	}
	all.Wait()
	m.cpu += cpu() - before
	m.seq += each
	m.made += each * benchTables
}

// each is the processor time of a move in microseconds.
func (m *moves) each() float64 { return float64(m.cpu.Microseconds()) / float64(m.made) }
