package cluster_test

import (
	"context"
	"crypto/sha256"
	"fmt"
	"io"
	"log/slog"
	"net"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"boneyard/lobby"
	"boneyard/store"
	"boneyard/store/cluster"
	"boneyard/store/cluster/freeport"
)

var ctx = context.Background()

// far is longer than anything takes.
const far = 2 * time.Minute

// club is three nodes with their stores.
type club struct {
	t       *testing.T
	addrs   []string
	lines   []string // where other nodes reach them
	folders []string
	log     slog.Handler // of the nodes that are started from now on
	nodes   []*cluster.Node
	stores  []*store.Store
}

func newClub(t *testing.T) *club {
	return newClubOver(t, func(addr string) string { return addr })
}

// newClubOver starts three nodes, which reach each other through lines to their addresses.
func newClubOver(t *testing.T, line func(to string) string) *club {
	c := &club{t: t, log: slog.DiscardHandler, nodes: make([]*cluster.Node, 3), stores: make([]*store.Store, 3)}
	for range c.nodes {
		c.addrs = append(c.addrs, fmt.Sprint("127.0.0.1:", freeport.Pair(t)))
		c.lines = append(c.lines, line(c.addrs[len(c.addrs)-1]))
	}
	for i := range c.nodes {
		c.folders = append(c.folders, t.TempDir())
		c.start(i)
	}
	t.Cleanup(func() {
		for i := range c.nodes {
			c.stop(i)
		}
	})
	return c
}

func (c *club) start(i int) {
	c.t.Helper()
	key := sha256.Sum256([]byte("secret"))
	cfg := cluster.Config{Name: "club", Node: fmt.Sprint("n", i+1), Listen: c.addrs[i], Key: key[:], Folder: filepath.Join(c.folders[i], "log"), Log: slog.New(c.log)}
	for k, a := range c.lines {
		if k != i {
			cfg.Peers = append(cfg.Peers, a)
		}
	}
	n, err := cluster.Start(cfg.At(c.lines[i]))
	require.NoError(c.t, err)
	s, err := store.Open(ctx, filepath.Join(c.folders[i], "club.db"), store.DefaultOptions())
	require.NoError(c.t, err)
	require.NoError(c.t, s.Follow(cfg.Node, n))
	c.nodes[i], c.stores[i] = n, s
}

func (c *club) stop(i int) {
	if c.nodes[i] == nil {
		return
	}
	require.NoError(c.t, c.stores[i].Close())
	c.nodes[i].Close()
	c.nodes[i], c.stores[i] = nil, nil
}

func (c *club) create(i int, name string) error {
	_, err := c.stores[i].Create(ctx, lobby.KeyID(sha256.Sum256([]byte(name))), name, name, time.Unix(1e9, 0))
	return err
}

// knows waits until a member is in a node's file.
func (c *club) knows(i int, name string) {
	c.t.Helper()
	require.Eventually(c.t, func() bool {
		_, err := c.stores[i].ByName(ctx, name)
		return err == nil
	}, far, 5*time.Millisecond, "%s at node %d", name, i+1)
}

// warnings is a log handler that hands over the first warnings.
type warnings chan string

func (w warnings) Enabled(_ context.Context, l slog.Level) bool { return l >= slog.LevelWarn }
func (w warnings) WithAttrs([]slog.Attr) slog.Handler           { return w }
func (w warnings) WithGroup(string) slog.Handler                { return w }

func (w warnings) Handle(_ context.Context, r slog.Record) error {
	select {
	case w <- r.Message:
	default:
	}
	return nil
}

// TestADamagedLogIsReported damages the log on a node's disk so that NATS there does not take part in it. The
// others go on, and the node says what to do.
func TestADamagedLogIsReported(t *testing.T) {
	t.Parallel()
	c := newClub(t)
	require.NoError(t, c.stores[0].Claim(ctx))
	require.NoError(t, c.create(0, "ana"))
	c.knows(2, "ana")
	c.stop(2)
	snapshots, err := filepath.Glob(filepath.Join(c.folders[2], "log", "jetstream", "$SYS", "_js_", "S-R3F-*", "snapshots", "*"))
	require.NoError(t, err)
	require.NotEmpty(t, snapshots)
	for _, path := range snapshots {
		require.NoError(t, os.Truncate(path, 20))
	}
	said := make(warnings, 100)
	c.log = said
	c.start(2)
	require.NoError(t, c.create(0, "ben"))
	late := time.After(far)
	for {
		select {
		case s := <-said:
			if strings.Contains(s, "this node's part of the log is damaged") {
				return
			}
		case <-late:
			t.Fatal("nothing is said of the damage")
		}
	}
}

func TestThreeNodesShareALog(t *testing.T) {
	t.Parallel()
	c := newClub(t)
	require.NoError(t, c.stores[0].Claim(ctx))
	require.NoError(t, c.create(0, "ana"))
	for i := range c.nodes {
		c.knows(i, "ana")
	}
	c.stop(0)
	require.NoError(t, c.stores[1].Claim(ctx))
	require.NoError(t, c.create(1, "ben"))
	require.ErrorIs(t, c.create(1, "ana"), lobby.ErrTaken)
	require.ErrorIs(t, c.create(2, "cleo"), store.ErrNotOwner)
	c.start(0)
	c.knows(0, "ben")
	c.knows(2, "ben")
	for range 200 {
		require.NoError(t, c.create(1, fmt.Sprint("x", time.Now().UnixNano())))
	}
}

// TestALoopbackAddressReachesNobody starts a node whose own address is loopback, as a machine's name may be
// in its /etc/hosts, while others are elsewhere.
func TestALoopbackAddressReachesNobody(t *testing.T) {
	t.Parallel()
	key := sha256.Sum256([]byte("secret"))
	addr := fmt.Sprint("localhost:", freeport.Pair(t))
	_, err := cluster.Start(cluster.Config{Name: "club", Node: "n1", Listen: addr, Peers: []string{"127.0.0.1:7400", "192.0.2.1:7400"}, Key: key[:],
		Folder: t.TempDir(), Log: slog.New(slog.DiscardHandler)})
	require.ErrorContains(t, err, "other machines cannot reach")
}

// Whoever has no certificate of the cluster learns nothing from a node's ports, not even which program it is.
func TestPortsSayNothing(t *testing.T) {
	c := newClub(t)
	for _, addr := range append(c.nodes[0].Inside(), c.addrs[0]) {
		conn, err := net.Dial("tcp", addr)
		require.NoError(t, err)
		_, err = io.WriteString(conn, "CONNECT {}\r\nPING\r\n")
		require.NoError(t, err)
		said, _ := io.ReadAll(conn) // until the node hangs up
		require.NotContains(t, string(said), "INFO", addr)
		require.NotContains(t, string(said), "version", addr)
		require.NoError(t, conn.Close())
	}
}
