package cluster

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/hashicorp/raft"

	"boneyard/store"
)

var (
	// ErrAhead is returned by Follow for a position after the end of the log: the data file is from another
	// club, or the log was lost.
	ErrAhead = errors.New("the data file is ahead of the log: it belongs to another cluster, or the log's folder was lost; " +
		"move it away and restart: the node copies another's (if it is the only one you have, see docs/cluster.md)")
	// ErrTooOld is returned by Follow for a position before the start of the log.
	ErrTooOld = errors.New("the log no longer reaches back to the data file's position; " +
		"move the data file away and restart: the node copies another's")
	// ErrStopped is returned by Follow when this node can no longer write its copy of the log.
	ErrStopped = errors.New("the log can no longer be written on this node, probably because the disk is full; make room, and restart")
)

// catchUp is how long the log may stay shorter than the file before Follow returns ErrAhead: a node that has
// just restarted knows only an old end of the log.
const catchUp = 30 * time.Second

// Follow implements store.Log. There may be one follower at a time.
func (n *Node) Follow(ctx context.Context, after uint64, apply func([]store.Entry) error) error {
	shorter := time.NewTimer(catchUp)
	defer shorter.Stop()
	for {
		n.applied.Store(after)
		n.SetPosition(after)
		for n.committed.Load() <= after {
			select {
			case <-n.grown:
				shorter.Reset(catchUp)
			case err := <-n.broken:
				return err
			case <-shorter.C:
				if end := n.committed.Load(); n.Reachable() && end < after {
					return fmt.Errorf("%w (it is at %d, the log ends at %d)", ErrAhead, after, end)
				}
				shorter.Reset(catchUp)
			case <-ctx.Done():
				return ctx.Err()
			}
		}
		if !n.Leads() {
			if err := pause(ctx, followEvery); err != nil {
				return err
			}
		}
		some, err := n.read(after+1, n.committed.Load())
		if err != nil {
			return err
		}
		if err := apply(some); err != nil {
			return err
		}
		after = some[len(some)-1].Position
	}
}

// read returns one or more entries of the log. Raft's internal entries have no kind.
func (n *Node) read(from, to uint64) (some []store.Entry, err error) {
	const batch = 500 // how many entries are passed on at a time, or more if the last ones share a position
	for i := from; i <= to && len(some) < batch; i++ {
		var l raft.Log
		switch err := n.logs.GetLog(i, &l); {
		case errors.Is(err, raft.ErrLogNotFound):
			return nil, fmt.Errorf("%w (it is at %d)", ErrTooOld, from-1)
		case err != nil:
			return nil, err
		}
		if l.Type != raft.LogCommand {
			some = append(some, store.Entry{Position: i})
		} else if some, err = store.Unpack(some, i, l.Data); err != nil {
			return nil, fmt.Errorf("entry %d of the log: %w", i, err)
		}
	}
	return some, nil
}
