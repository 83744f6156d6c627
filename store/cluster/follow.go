package cluster

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"strconv"
	"time"

	"github.com/nats-io/nats.go"

	"boneyard/store"
)

var (
	// ErrAhead is returned by Follow for a position after the end of the log: the data file is another club's, or the log was lost.
	ErrAhead = errors.New("the data file is ahead of the log: it belongs to another cluster, or the log's folder was lost; move it away and restart: the node copies another's (if it is the only one you have, see docs/cluster.md)")
	// ErrTooOld is returned by Follow for a position before the beginning of the log.
	ErrTooOld = errors.New("the log no longer reaches back to the data file's position; move the data file away and restart: the node copies another's")
	// ErrStopped is returned by Follow when the log's server in this process has stopped.
	ErrStopped = errors.New("the log can no longer be written on this node, probably because the disk is full; make room, and restart")
)

// batch is how many entries are requested, and handed over, at a time.
const batch = 500

// Follow implements store.Log. Entries come from the node that appended them; missing ones from the nearest replica, which needs no
// leader. There may be one follower at a time.
func (n *Node) Follow(ctx context.Context, after uint64, apply func([]store.Entry) error) (err error) {
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	defer context.AfterFunc(n.works, cancel)()
	defer func() {
		if n.works.Err() != nil {
			err = context.Cause(n.works)
		}
	}()
	if err := n.ready(ctx); err != nil {
		return err
	}
	if err := n.compare(ctx, after); err != nil {
		return err
	}
	f := &follower{node: n, position: after, ahead: make(map[uint64]store.Entry), apply: apply}
	if err := f.fill(ctx, true); err != nil {
		return err
	}
	for {
		select {
		case m := <-n.feed:
			f.take(m)
			for more := len(n.feed); more > 0; more-- {
				f.take(<-n.feed)
			}
			if err := f.hand(); err != nil {
				return err
			}
			if len(f.ahead) == 0 {
				continue
			}
			if err := f.fill(ctx, false); err != nil {
				return err
			}
		case <-n.ahead: // another node has more
			if err := f.fill(ctx, true); err != nil {
				return err
			}
		case <-ctx.Done():
			return ctx.Err()
		}
	}
}

// catchUp is how long the log may claim to be shorter than the file before it is believed, since a node that has just come back answers
// with its old state.
const catchUp = 30 * time.Second

// compare checks whether the log continues after a position.
func (n *Node) compare(ctx context.Context, after uint64) error {
	js, err := n.conn.JetStream(nats.MaxWait(ackTime))
	if err != nil {
		return err
	}
	for began := time.Now(); ; {
		info, err := js.StreamInfo(stream, nats.Context(ctx))
		switch {
		case err == nil && info.State.LastSeq < after && time.Since(began) < catchUp:
		case err == nil && info.State.LastSeq < after:
			return fmt.Errorf("%w (it is at %d, the log ends at %d)", ErrAhead, after, info.State.LastSeq)
		case err == nil && info.State.FirstSeq > after+1:
			return fmt.Errorf("%w (it is at %d, the log begins at %d)", ErrTooOld, after, info.State.FirstSeq)
		case err == nil:
			return nil
		}
		if err := pause(ctx, againAfter); err != nil {
			return err
		}
	}
}

// follower hands over the log in order.
type follower struct {
	node     *Node
	position uint64
	ahead    map[uint64]store.Entry // that came, and something before them did not
	apply    func([]store.Entry) error
}

func (f *follower) take(m *nats.Msg) {
	seq, err := strconv.ParseUint(m.Header.Get(nats.JSSequence), 10, 64)
	if err != nil || seq <= f.position {
		return
	}
	if e, err := entryOf(seq, m.Data); err == nil {
		f.ahead[seq] = e
		f.node.wrote(e.Epoch)
	}
}

func entryOf(seq uint64, data []byte) (e store.Entry, err error) {
	if err := json.Unmarshal(data, &e); err != nil {
		return e, fmt.Errorf("entry %d of the log: %w", seq, err)
	}
	e.Position = seq
	return e, nil
}

// hand hands over the entries up to the first gap.
func (f *follower) hand() error {
	for {
		var some []store.Entry
		for len(some) < batch {
			e, ok := f.ahead[f.position+1]
			if !ok {
				break
			}
			delete(f.ahead, e.Position)
			some = append(some, e)
			f.position = e.Position
		}
		if len(some) == 0 {
			break
		}
		if err := f.apply(some); err != nil {
			return err
		}
	}
	f.node.SetPosition(f.position)
	return nil
}

// fill requests missing entries, up to the first one that came early, or to the end of the log.
func (f *follower) fill(ctx context.Context, toEnd bool) error {
	for toEnd || len(f.ahead) > 0 {
		some, err := f.node.get(ctx, f.position+1)
		if err != nil {
			return err
		}
		for _, e := range some {
			f.ahead[e.Position] = e
		}
		if err := f.hand(); err != nil {
			return err
		}
		if len(some) == 0 {
			return nil // this replica has no more yet; the next heartbeat tells that others have
		}
	}
	return nil
}

// get returns entries from a position on, from any replica, as many as fit into one answer; none if the replica has none.
func (n *Node) get(ctx context.Context, from uint64) (some []store.Entry, err error) {
	inbox := n.conn.NewInbox()
	sub, err := n.conn.SubscribeSync(inbox)
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, sub.Unsubscribe()) }()
	ask := fmt.Appendf(nil, `{"seq":%d,"batch":%d,"next_by_subj":%q}`, from, batch, n.subject("log"))
	if err := n.conn.PublishRequest("$JS.API.DIRECT.GET."+stream, inbox, ask); err != nil {
		return nil, err
	}
	for {
		once, cancel := context.WithTimeout(ctx, ackTime)
		m, err := sub.NextMsgWithContext(once)
		cancel()
		if ctx.Err() != nil {
			return nil, ctx.Err()
		}
		if err != nil || m.Header.Get("Status") != "" { // no answer, no such entry, or the end of the batch
			return some, nil
		}
		seq, err := strconv.ParseUint(m.Header.Get(nats.JSSequence), 10, 64)
		if err != nil || seq != from+uint64(len(some)) {
			return some, nil
		}
		e, err := entryOf(seq, m.Data)
		if err != nil {
			return nil, err
		}
		some = append(some, e)
	}
}
