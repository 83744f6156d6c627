package cluster

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"log/slog"
	"os"
	"path/filepath"
	"strings"

	"github.com/hashicorp/raft"
	wal "github.com/hashicorp/raft-wal"
)

// watchedLog ends the node when the log cannot be written, so that a node that can write leads.
type watchedLog struct {
	*wal.WAL
	node *Node
}

func (l watchedLog) StoreLog(e *raft.Log) error { return l.StoreLogs([]*raft.Log{e}) }

func (l watchedLog) StoreLogs(all []*raft.Log) error {
	err := l.WAL.StoreLogs(all)
	if err != nil && !errors.Is(err, wal.ErrClosed) {
		l.node.fail(fmt.Errorf("%w (%w)", ErrStopped, err))
	}
	return err
}

// debugWriter logs Raft's messages as debug messages, since readers of our log would not miss most of them.
type debugWriter struct{ log *slog.Logger }

func (w debugWriter) Write(p []byte) (int, error) {
	w.log.Debug("raft: " + strings.TrimSpace(string(p)))
	return len(p), nil
}

// machine is what Raft applies committed entries to. It only notes their position: [Node.Follow] reads them
// from the log, and the file records how far it has come. So a snapshot is just a mark, and a node whose log
// does not reach back to its file's position copies another's file.
type machine struct{ *Node }

func (m machine) Apply(l *raft.Log) any {
	m.grow(l.Index)
	return nil
}

func (m machine) ApplyBatch(logs []*raft.Log) []any {
	m.grow(logs[len(logs)-1].Index)
	return make([]any, len(logs))
}

func (n *Node) grow(to uint64) {
	for was := n.committed.Load(); was < to && !n.committed.CompareAndSwap(was, to); was = n.committed.Load() {
	}
	select {
	case n.grown <- struct{}{}:
	default:
	}
}

// Snapshot fails while the file still needs entries that a snapshot would drop.
func (m machine) Snapshot() (raft.FSMSnapshot, error) {
	keep, err := m.room()
	if err != nil {
		return nil, err
	}
	if m.applied.Load()+keep/2 < m.committed.Load() {
		return nil, errors.New("the file is far behind the log")
	}
	m.tune(func(c *raft.ReloadableConfig) { c.TrailingLogs = keep })
	return mark(m.committed.Load()), nil
}

// room returns how many entries may stay in the log, by the mean size of those in it.
func (n *Node) room() (entries uint64, err error) {
	folder := os.DirFS(filepath.Join(n.config.Folder, "raft")) // its path may contain characters of a pattern
	files, err := fs.Glob(folder, "*.wal")
	var size uint64
	for _, f := range files {
		info, err := fs.Stat(folder, f)
		if err != nil {
			return 0, err
		}
		size += uint64(info.Size())
	}
	first, errFirst := n.wal.FirstIndex()
	last, errLast := n.wal.LastIndex()
	return min(trailing, mostLog/max(1, size/(last-first+1))), errors.Join(err, errFirst, errLast)
}

// tune changes Raft's settings while it runs.
func (n *Node) tune(change func(*raft.ReloadableConfig)) {
	n.mu.Lock()
	defer n.mu.Unlock()
	r := n.raft.Load()
	c := r.ReloadableConfig()
	change(&c)
	if err := r.ReloadConfig(c); err != nil {
		n.config.Log.Error("cluster: Raft refuses its settings", "err", err)
	}
}

func (m machine) Restore(r io.ReadCloser) error {
	defer r.Close()
	var at mark
	if err := json.NewDecoder(r).Decode(&at); err != nil {
		return err
	}
	m.grow(uint64(at))
	return nil
}

// mark is a snapshot: the last entry that it covers, which the file of each node that is not far behind has.
type mark uint64

func (m mark) Persist(sink raft.SnapshotSink) error {
	return errors.Join(json.NewEncoder(sink).Encode(m), sink.Close())
}

func (mark) Release() {}
