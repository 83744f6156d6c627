package cluster_test

import (
	"bytes"
	"context"
	"crypto/sha256"
	"crypto/tls"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"net"
	"os"
	"path/filepath"
	"slices"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"boneyard/lobby"
	"boneyard/store"
	"boneyard/store/cluster"
	"boneyard/store/cluster/freeport"
	"boneyard/table"
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
		c.folders = append(c.folders, filepath.Join(t.TempDir(), "club [1]"))
		require.NoError(t, os.Mkdir(c.folders[i], 0o700))
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
	cfg := cluster.Config{Name: "club", Node: fmt.Sprint("n", i+1), Listen: c.addrs[i], Key: key[:],
		Folder: filepath.Join(c.folders[i], "log"), Log: slog.New(c.log)}
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

// claim makes a node the log's leader and the club's owner.
func (c *club) claim(i int) {
	c.t.Helper()
	require.Eventually(c.t, func() bool {
		for _, n := range c.nodes {
			if n != nil && n.Leads() && n != c.nodes[i] {
				n.Hand(c.nodes[i])
			}
		}
		return c.nodes[i].Leads()
	}, far, 5*time.Millisecond)
	require.Eventually(c.t, func() bool { return c.stores[i].Claim(ctx) == nil }, far, 5*time.Millisecond,
		"it may not know of the last claim yet")
}

// knows waits until a member is in a node's file.
func (c *club) knows(i int, name string) {
	c.t.Helper()
	require.Eventually(c.t, func() bool {
		_, err := c.stores[i].ByName(ctx, name)
		return err == nil
	}, far, 5*time.Millisecond, "%s at node %d", name, i+1)
}

func TestThreeNodesShareALog(t *testing.T) {
	t.Parallel()
	c := newClub(t)
	c.claim(0)
	require.NoError(t, c.create(0, "ana"))
	for i := range c.nodes {
		c.knows(i, "ana")
	}
	c.stop(0)
	c.claim(1)
	require.NoError(t, c.create(1, "ben"))
	require.ErrorIs(t, c.create(1, "ana"), lobby.ErrTaken)
	require.ErrorIs(t, c.create(2, "cleo"), store.ErrNotOwner)
	c.start(0)
	c.knows(0, "ben")
	c.knows(2, "ben")
	for i := range 200 {
		name := fmt.Sprint("x", i)
		for c.create(1, name) != nil { // a machine that is busy may have lost the lead for a moment
			c.claim(1)
		}
	}
}

// TestALoopbackAddressReachesNobody starts a node whose own address is loopback, as a machine's name may be
// in its /etc/hosts, while its peers are elsewhere.
func TestALoopbackAddressReachesNobody(t *testing.T) {
	t.Parallel()
	key := sha256.Sum256([]byte("secret"))
	addr := fmt.Sprint("localhost:", freeport.Pair(t))
	_, err := cluster.Start(cluster.Config{Name: "club", Node: "n1", Listen: addr, Peers: []string{"127.0.0.1:7400", "192.0.2.1:7400"},
		Key:    key[:],
		Folder: t.TempDir(), Log: slog.New(slog.DiscardHandler)})
	require.ErrorContains(t, err, "other machines cannot reach")
}

// A node whose log lacks a file, as after a copy that was cut off, says what to do.
func TestALogThatCannotBeOpenedSaysWhatToDo(t *testing.T) {
	t.Parallel()
	key := sha256.Sum256([]byte("secret"))
	c := cluster.Config{Name: "club", Node: "n1", Listen: fmt.Sprint("127.0.0.1:", freeport.Pair(t)),
		Peers: []string{"127.0.0.1:1", "127.0.0.1:2"},
		Key:   key[:], Folder: t.TempDir(), Log: slog.New(slog.DiscardHandler)}
	n, err := cluster.Start(c)
	require.NoError(t, err)
	n.Close()
	require.NoError(t, os.Remove(filepath.Join(c.Folder, "raft", "wal-meta.db")))
	_, err = cluster.Start(c)
	require.ErrorContains(t, err, "move "+c.Folder+" away")
}

// Without a certificate of the cluster, a peer learns nothing from a node's ports, not even which program it
// is.
func TestPortsSayNothing(t *testing.T) {
	c := newClub(t)
	for _, addr := range c.addrs {
		conn, err := net.Dial("tcp", addr)
		require.NoError(t, err)
		_, err = io.WriteString(conn, "CONNECT {}\r\nPING\r\n")
		require.NoError(t, err)
		said, _ := io.ReadAll(conn) // until the node hangs up
		require.NotContains(t, string(said), "INFO", addr)
		require.NotContains(t, string(said), "version", addr)
		require.NoError(t, conn.Close())

		_, err = tls.Dial("tcp", addr, &tls.Config{InsecureSkipVerify: true, VerifyConnection: func(tls.ConnectionState) error {
			return errors.New("it shows its certificate")
		}})
		require.ErrorContains(t, err, "remote error", "who is not a node is told that it is none before it is shown anything")
	}
}

// lookout is a log writer that searches for a text.
type lookout struct {
	text  string
	found chan struct{} // of capacity one
}

func (l lookout) Write(p []byte) (int, error) {
	if bytes.Contains(p, []byte(l.text)) {
		table.Signal(l.found)
	}
	return len(p), nil
}

// A node with the wrong secret says so, and so does the node that it cannot talk to.
func TestANodeWithAnotherKeySaysSo(t *testing.T) {
	t.Parallel()
	addrs := []string{fmt.Sprint("127.0.0.1:", freeport.Pair(t)), fmt.Sprint("127.0.0.1:", freeport.Pair(t))}
	var said []lookout
	for i, addr := range addrs {
		said = append(said, lookout{addrs[1-i] + " is none of this cluster's: it has another key", make(chan struct{}, 1)})
		key := sha256.Sum256([]byte(addr))
		n, err := cluster.Start(cluster.Config{Name: "club", Node: fmt.Sprint("n", i+1), Listen: addr, Peers: []string{addrs[1-i], "127.0.0.1:1"},
			Key: key[:], Folder: t.TempDir(), Log: slog.New(slog.NewTextHandler(said[i], nil))})
		require.NoError(t, err)
		t.Cleanup(n.Close)
	}
	for _, l := range said {
		<-l.found
	}
}

// TestANodeThatLostItsLog restarts a node without its copy of the log: it gets one from the others, and only
// then votes again.
func TestANodeThatLostItsLog(t *testing.T) {
	t.Parallel()
	c := newClub(t)
	c.claim(0)
	require.NoError(t, c.create(0, "ana"))
	c.knows(2, "ana")
	c.stop(2)
	require.NoError(t, os.RemoveAll(filepath.Join(c.folders[2], "log")))
	require.NoError(t, c.create(0, "ben"))
	c.start(2)
	c.knows(2, "ben")
	c.knows(1, "ben")
	c.stop(1)
	require.NoError(t, c.create(0, "cleo"), "two of three have it")
	c.knows(2, "cleo")

	c.stop(2)
	require.NoError(t, os.RemoveAll(filepath.Join(c.folders[2], "log")))
	c.start(2)
	within, cancel := context.WithTimeout(ctx, 3*time.Second)
	defer cancel()
	require.Error(t, c.stores[2].Claim(within), "the node that is away may have confirmed what this one lost")
	require.False(t, c.nodes[2].Leads())
	require.False(t, c.nodes[0].Leads())
	c.start(1)
	c.knows(2, "cleo")

	// A machine that waits to be added shows the operator the cluster, and forwards requests.
	c.stop(2)
	key := sha256.Sum256([]byte("secret"))
	ask := func(at, do, node string) (cluster.Reply, error) {
		return cluster.Ask(ctx, "club", key[:], at, cluster.Request{Do: do, Node: node})
	}
	require.Eventually(t, func() bool {
		_, err := ask(c.addrs[0], "remove", c.addrs[2])
		return err == nil
	}, far, 20*time.Millisecond)
	require.NoError(t, os.RemoveAll(filepath.Join(c.folders[2], "log")))
	c.start(2)
	require.Eventually(t, func() bool {
		is, err := ask(c.addrs[2], "status", "")
		return err == nil && slices.ContainsFunc(is.Nodes, func(s cluster.Server) bool { return s.Voter })
	}, far, 20*time.Millisecond)
	require.Eventually(t, func() bool {
		_, err := ask(c.addrs[2], "add", c.addrs[2])
		return err == nil
	}, far, 20*time.Millisecond)
	c.knows(2, "cleo")
}

// TestANodeSaysHowFarItIs restarts a node while nothing is written: the others learn that it is not behind.
func TestANodeSaysHowFarItIs(t *testing.T) {
	t.Parallel()
	c := newClub(t)
	c.claim(0)
	require.NoError(t, c.create(0, "ana"))
	c.knows(2, "ana")
	c.stop(2)
	c.start(2)
	require.Eventually(t, func() bool {
		all, _ := c.nodes[0].Members()
		i := slices.IndexFunc(all, func(m cluster.Member) bool { return m.Node == "n3" })
		return i >= 0 && all[i].Position > 0 && all[i].Behind == 0
	}, far, 20*time.Millisecond)
}

// TestChangesOfNodes checks what the log's leader refuses, and that a node which was removed learns it.
func TestChangesOfNodes(t *testing.T) {
	t.Parallel()
	c := newClub(t)
	c.claim(0)
	key := sha256.Sum256([]byte("secret"))
	var handed [3]chan struct{} // by node, when it is to have another run the club
	for i, n := range c.nodes {
		handed[i] = make(chan struct{}, 1)
		n.Obey(cluster.Orders{HandOver: func() { table.Signal(handed[i]) }})
	}
	ask := func(do, node string) (cluster.Reply, error) {
		return cluster.Ask(ctx, "club", key[:], c.addrs[1], cluster.Request{Do: do, Node: node})
	}
	require.Eventually(t, c.nodes[1].Reachable, far, 5*time.Millisecond, "the node that is asked knows the leader")
	nobody := fmt.Sprint("127.0.0.1:", freeport.Pair(t))
	for _, refused := range []struct{ do, node, says string }{
		{"remove", "four", "has no node"},
		{"remove", "", "has no node"},
		{"transfer", nobody, "has no node"},
		{"remove", c.addrs[0], "leads the log"},
		{"add", c.addrs[2], "already"},
		{"add", nobody, "does not answer"},
		{"admit", nobody, "none of the cluster's"},
		{"jump", c.addrs[2], "unknown"},
	} {
		_, err := ask(refused.do, refused.node)
		require.ErrorContains(t, err, refused.says, refused)
	}
	_, err := cluster.Ask(ctx, "club", make([]byte, 32), c.addrs[1], cluster.Request{Do: "status"})
	require.ErrorContains(t, err, "another key")
	require.Eventually(t, func() bool { _, err = ask("transfer", "n3"); return err == nil }, far, 50*time.Millisecond,
		"its name is known when it is heard")
	<-handed[0]
	c.stop(2)
	require.Eventually(t, func() bool { // that n1 hears n2, and no longer n3
		is, err := cluster.Ask(ctx, "club", key[:], c.addrs[0], cluster.Request{Do: "status"})
		return err == nil && slices.ContainsFunc(is.Nodes, func(s cluster.Server) bool { return s.Name == "n2" }) &&
			!slices.ContainsFunc(is.Nodes, func(s cluster.Server) bool { return s.Name == "n3" })
	}, far, 20*time.Millisecond)
	_, err = ask("remove", "n2")
	require.ErrorContains(t, err, "no answer comes from "+c.addrs[2], "n1 would be one of two, alone")
	require.NoError(t, c.create(0, "ben"))
	_, err = ask("remove", c.addrs[2])
	require.NoError(t, err)
	c.claim(1) // a leader that does not try any more to tell the one that is gone
	c.start(2)
	is, err := ask("status", "")
	require.NoError(t, err)
	require.Equal(t, c.addrs[1], is.Leader)
	var voters []string
	for _, s := range is.Nodes {
		if s.Voter {
			voters = append(voters, s.Name)
		}
	}
	require.Equal(t, []string{"n1", "n2"}, voters)
	require.Eventually(t, func() bool {
		_, _, err := c.stores[2].Replica()
		return errors.Is(err, cluster.ErrRemoved)
	}, far, 20*time.Millisecond)
	_, err = ask("transfer", "n1")
	require.NoError(t, err)
	<-handed[1]

	gone, err := cluster.Start(cluster.Config{Name: "club", Node: "n4", Listen: nobody, Peers: []string{"127.0.0.1:1", "127.0.0.1:2"},
		Key:    key[:],
		Folder: t.TempDir(), Log: slog.New(slog.DiscardHandler)})
	require.NoError(t, err)
	_, err = ask("add", nobody)
	require.NoError(t, err)
	gone.Close()
	is, err = ask("remove", nobody)
	require.NoError(t, err, "a node that was added and broke before it had the log")
	require.False(t, slices.ContainsFunc(is.Nodes, func(s cluster.Server) bool { return s.Address == nobody }))
}

// TestOldEntriesGo cuts the log: nodes go on from where they are, and one that was away for too long says that it has to copy a file.
func TestOldEntriesGo(t *testing.T) {
	cluster.SetTrailing(t, 20, 8<<10)
	c := newClub(t)
	c.claim(0)
	written := 0
	write := func(by, many int, last string) {
		for range many {
			written++
			require.NoError(t, c.create(by, fmt.Sprint("m", written)))
		}
		require.NoError(t, c.create(by, last))
	}
	write(0, 60, "ana")
	for i := range c.nodes {
		c.knows(i, "ana")
	}
	c.stop(1)
	write(0, 60, "ben")
	c.knows(2, "ben")
	room, err := c.nodes[0].Room(1 << 10)
	require.NoError(t, err)
	require.Less(t, room, uint64(20), "the files of the log count")
	require.NoError(t, c.nodes[0].Cut())
	c.stop(2)
	require.NoError(t, os.RemoveAll(filepath.Join(c.folders[2], "log")))
	c.start(1)
	require.Eventually(t, func() bool {
		_, _, err := c.stores[1].Replica()
		return errors.Is(err, cluster.ErrTooOld)
	}, far, 20*time.Millisecond)
	c.start(2) // its file is new enough, and its log begins with the snapshot
	write(0, 10, "cleo")
	c.knows(2, "cleo")
	for i := range c.nodes {
		c.stop(i)
	}
	for _, i := range []int{0, 2} {
		c.start(i)
	}
	c.claim(2)
	write(2, 10, "dora")
	c.knows(0, "dora")
}
