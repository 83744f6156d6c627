package main

import (
	"bytes"
	"crypto/rand"
	mathrand "math/rand/v2"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"strconv"
	"sync"
	"testing"
	"time"

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

// mountAlone puts the test into a mount namespace of its own, with the processes that it starts: what it
// mounts is gone with them, even if the test is killed. Other goroutines of the test are not in there and see
// the folders as they were. Without the right to do so the test is skipped.
func mountAlone(t *testing.T) {
	t.Helper()
	runtime.LockOSThread() // for good: the thread ends with the test
	err := unix.Unshare(unix.CLONE_NEWNS)
	if err == nil {
		err = unix.Mount("", "/", "", unix.MS_REC|unix.MS_PRIVATE, "")
	}
	if err != nil {
		t.Skipf("no file system can be mounted here: %v", err)
	}
}

// mount mounts a file system at a folder until the test ends.
func mount(t *testing.T, source, dir, kind, options string) {
	t.Helper()
	if out, err := exec.Command("mount", "-t", kind, "-o", options, source, dir).CombinedOutput(); err != nil {
		t.Skipf("no file system can be mounted here: %v: %s", err, out)
	}
	t.Cleanup(func() { require.NoError(t, unix.Unmount(dir, unix.MNT_DETACH)) })
}

// twoPlay has two members play at a table, and somebody watch, until the world ends.
func (m *machines) twoPlay(w *world) (all []*survivor, living *sync.WaitGroup) {
	m.t.Helper()
	other := &Main{addr: m.addrs[(m.owner+1)%3]}
	keys := map[string]gossh.Signer{}
	var number int64
	for i, name := range []string{"ana", "ben"} {
		keys[name] = member(m.t, other, name)
		command := "play new azneef target=60 seats=2 bots=never pace=none"
		if i > 0 {
			command = "play " + strconv.FormatInt(number, 10)
		}
		state, _ := startProgram(m.t, other, keys[name], name, command+" --json --bot").next(0, "state",
			func(o *object) bool { return o.Type == "state" && o.Seat == i+1 })
		number = state.Table
	}
	all = team(w, number, mathrand.New(mathrand.NewPCG(1, 2)), keys)
	living = new(sync.WaitGroup)
	for _, s := range all {
		living.Go(s.live)
	}
	return all, living
}

// judge ends all nodes and the world, and compares what people were told with the owner's file.
func (m *machines) judge(w *world, all []*survivor, living *sync.WaitGroup) {
	m.t.Helper()
	w.move(nil)
	m.killAll()
	w.end()
	living.Wait()
	m.sound()
	dir := m.t.TempDir() // that all goroutines see
	require.NoError(m.t, os.CopyFS(dir, os.DirFS(m.folder(m.owner))))
	sure, shown := journalIn(m.t, dir).compare(m.t, all)
	m.t.Logf("%d orders acknowledged, %d moves shown", sure, shown)
}

// TestClusterFullDisk fills the disk of a node, and then that of the node that runs the club, while others
// play. The first stops nobody, and catches up once there is room. The second ends and says why, and the club
// goes on elsewhere.
func TestClusterFullDisk(t *testing.T) {
	faults(t)
	t.Parallel()
	m := newMachines(t)
	mountAlone(t)
	for i := range m.nodes {
		mount(t, "tmpfs", m.folder(i), "tmpfs", "size=32m")
	}
	m.startAll()
	w := newWorld()
	all, living := m.twoPlay(w)
	owner, other, third := m.owner, (m.owner+1)%3, (m.owner+2)%3
	m.goesOn(w, all, other, 20, 0)
	hog := fill(t, m.folder(other))
	for range 3 {
		m.goesOn(w, all, third, 20, 0)
	}
	require.Contains(t, m.nodes[other].log.String(), "disk is full")
	require.NoError(t, os.Remove(hog))
	m.whole()
	m.goesOn(w, all, other, 20, 0)

	hog = fill(t, m.folder(owner))
	m.opensFor(w, other)
	require.NotEqual(t, owner, m.owner)
	m.nodes[owner].ends(t, exitFailed)
	require.Contains(t, m.nodes[owner].log.String(), "disk is full")
	m.goesOn(w, all, third, 20, 0)
	require.NoError(t, os.Remove(hog))
	m.start(owner)
	m.whole()
	m.goesOn(w, all, owner, 20, 0)
	m.judge(w, all, living)
}

// disk is a file with a file system, mounted at a node's folder. What the kernel has not written into the
// file is lost when the power fails.
type disk struct {
	t     *testing.T
	image string
	dir   string
}

func newDisk(t *testing.T, image, dir string) *disk {
	t.Helper()
	d := &disk{t: t, image: image, dir: dir}
	require.NoError(t, os.WriteFile(image, nil, 0o600))
	require.NoError(t, os.Truncate(image, 64<<20))
	if out, err := exec.Command("mkfs.ext4", "-q", "-F", image).CombinedOutput(); err != nil {
		t.Skipf("no file system can be made here: %v: %s", err, out)
	}
	mount(t, image, dir, "ext4", "loop")
	return d
}

// at returns the contents of the disk at one moment, when two copies are equal. If a file that nobody has
// synced is missing, or the kernel was writing, it takes another moment.
func (d *disk) at() []byte {
	d.t.Helper()
	for range 10 {
		unsynced, err := os.CreateTemp(d.dir, "unsynced")
		require.NoError(d.t, err)
		text := rand.Text()
		_, err = unsynced.WriteString(text)
		require.NoError(d.t, err)
		require.NoError(d.t, unsynced.Close())
		var was, is []byte
		for was == nil || !bytes.Equal(was, is) {
			was = is
			is, err = os.ReadFile(d.image)
			require.NoError(d.t, err)
		}
		if !bytes.Contains(is, []byte(text)) {
			return is
		}
	}
	require.Fail(d.t, "nothing is lost that was not synced")
	return nil
}

// replace mounts the disk's contents of some moment, from which its file system has to recover.
func (d *disk) replace(by []byte) {
	d.t.Helper()
	require.NoError(d.t, unix.Unmount(d.dir, unix.MNT_DETACH))
	require.NoError(d.t, os.Remove(d.image)) // what the kernel still writes goes nowhere
	require.NoError(d.t, os.WriteFile(d.image, by, 0o600))
	out, err := exec.Command("mount", "-t", "ext4", "-o", "loop", d.image, d.dir).CombinedOutput()
	require.NoError(d.t, err, "%s", out)
}

// losePower cuts the power of some nodes at one moment, and restarts them with the contents of their disks.
// It measures the time without an acknowledged order; with too few nodes, from when there are enough.
func (m *machines) losePower(w *world, disks []*disk, nodes []int) {
	m.t.Helper()
	left := len(m.nodes) - len(nodes)
	if 2*left > len(m.nodes) {
		w.measure()
	}
	for _, i := range nodes {
		require.NoError(m.t, m.nodes[i].cmd.Process.Signal(unix.SIGSTOP))
	}
	for _, i := range nodes {
		w.hangUp(m.addrs[i]) // who called a node that is gone hears nothing
	}
	kept := make([][]byte, len(disks))
	for _, i := range nodes {
		kept[i] = disks[i].at()
	}
	for _, i := range nodes {
		m.nodes[i].kill()
		disks[i].replace(kept[i])
	}
	for _, i := range nodes {
		if left++; left == 2 {
			w.measure()
		}
		m.start(i)
	}
}

// powerCuts are what TestClusterPowerLoss does, by turns, and for how long nobody may play then.
var powerCuts = []faultKind{
	{"all lose power", 5 * time.Second, 8 * time.Second},
	{"the owner loses power", 1500 * time.Millisecond, 3 * time.Second},
	{"another loses power", 0, 500 * time.Millisecond},
	{"the owner and another lose power", 3 * time.Second, 5 * time.Second},
	{"both others lose power", 3 * time.Second, 5 * time.Second},
}

// TestClusterPowerLoss plays while nodes lose power: they lose what was not synced.
func TestClusterPowerLoss(t *testing.T) {
	if testing.Short() {
		t.Skip("is about what is on the disk, which the race detector does not see")
	}
	faults := faults(t)
	t.Parallel()
	m := newMachines(t)
	mountAlone(t)
	var disks []*disk
	for i := range m.nodes {
		disks = append(disks, newDisk(t, filepath.Join(m.dir, "disk"+strconv.Itoa(i+1)), m.folder(i)))
	}
	m.startAll()
	w := newWorld()
	all, living := m.twoPlay(w)
	m.goesOn(w, all, (m.owner+1)%3, 20, 0)
	w.measure()
	m.goesOn(w, all, (m.owner+1)%3, 20, 0)
	quiet := w.without()
	took := outages{}
	for cut := range faults {
		owner, other, third := m.owner, (m.owner+1+cut/len(powerCuts)%2)%3, (m.owner+2-cut/len(powerCuts)%2)%3
		kind := cut % len(powerCuts)
		nodes := [][]int{{0, 1, 2}, {owner}, {third}, {owner, third}, {third, other}}[kind]
		if kind == 2 { // nobody is there: that others notice nothing can be measured
			w.move(&net.TCPAddr{IP: m.addrs[other].IP, Port: m.addrs[other].Port})
			w.hangUp(m.addrs[third])
			m.goesOn(w, all, other, 20, 0)
		}
		m.losePower(w, disks, nodes)
		if slices.Contains(nodes, owner) {
			m.opensFor(w, other)
		}
		m.goesOn(w, all, other, 20, 0)
		took.add(t, powerCuts[kind].what, w.without())
		m.whole()
	}
	took.report(t, powerCuts, quiet)
	m.judge(w, all, living)
}
