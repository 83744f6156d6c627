package main

import (
	mathrand "math/rand/v2"
	"net"
	"os"
	"path/filepath"
	"strconv"
	"sync"
	"testing"

	"github.com/stretchr/testify/require"
	gossh "golang.org/x/crypto/ssh"
	"golang.org/x/sys/unix"
)

// fill fills a file system to the last byte, and returns the file that does it.
func fill(t *testing.T, dir string) string {
	t.Helper()
	hog, err := os.Create(filepath.Join(dir, "somebody-elses.file"))
	require.NoError(t, err)
	for chunk := 1 << 16; chunk > 0; {
		if _, err := hog.Write(make([]byte, chunk)); err != nil {
			require.ErrorIs(t, err, unix.ENOSPC)
			chunk /= 2
		}
	}
	require.NoError(t, hog.Close())
	return hog.Name()
}

// TestAFullDiskInACluster fills the disk of a node, and then that of the node that runs the club, while others play. The node ends and says why, the club
// goes on, and once there is room the node is one of the cluster again.
func TestAFullDiskInACluster(t *testing.T) {
	t.Parallel()
	m := newMachines(t)
	for i := range m.nodes {
		if err := unix.Mount("tmpfs", m.folder(i), "tmpfs", 0, "size=32m"); err != nil {
			t.Skipf("no small file system can be mounted here: %v", err)
		}
		t.Cleanup(func() { require.NoError(t, unix.Unmount(m.folder(i), unix.MNT_DETACH)) })
		m.start(i)
	}
	m.opens()
	w := newWorld()
	other := &Main{addr: m.addrs[(m.owner+1)%3]}
	keys := map[string]gossh.Signer{}
	var number int64
	for i, name := range []string{"ana", "ben"} {
		keys[name] = member(t, other, name)
		command := "play new azneef target=60 seats=2 bots=never pace=none"
		if i > 0 {
			command = "play " + strconv.FormatInt(number, 10)
		}
		state, _ := startProgram(t, other, keys[name], name, command+" --json --bot").next(0, "state", func(o *object) bool { return o.Type == "state" && o.Seat == i+1 })
		number = state.Table
	}
	all := team(w, number, mathrand.New(mathrand.NewPCG(1, 2)), keys)
	var living sync.WaitGroup
	for _, s := range all {
		living.Go(s.live)
	}
	goesOn := func(by int) {
		t.Helper()
		w.mu.Lock()
		goal := w.acked + 20
		w.mu.Unlock()
		require.Eventually(t, func() bool {
			w.move(&net.TCPAddr{IP: m.addrs[by].IP, Port: m.addrs[by].Port})
			return w.until(callAgain, func() bool { return w.acked >= goal })
		}, patience, callAgain/10, "nothing goes on:\n%s", describe(all))
	}
	goesOn((m.owner + 1) % 3)
	for _, i := range []int{(m.owner + 1) % 3, m.owner} {
		was := m.owner
		hog := fill(t, m.folder(i))
		if i == was {
			m.opensFor(w, (i+1)%3)
			require.NotEqual(t, was, m.owner)
		}
		m.nodes[i].ends(t, exitFailed)
		require.Contains(t, m.nodes[i].log.String(), "disk is full")
		goesOn((i + 2) % 3)
		require.NoError(t, os.Remove(hog))
		m.start(i)
		m.whole()
		goesOn(i)
	}
	w.move(nil)
	m.killAll()
	w.end()
	living.Wait()
	m.sound()
	sure, shown := journalIn(t, m.folder(m.owner)).compare(t, all)
	t.Logf("%d orders acknowledged, %d moves shown", sure, shown)
}
