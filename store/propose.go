package store

import (
	"context"
	"fmt"
	"slices"
	"time"

	"boneyard/table"
)

// run appends an operation of this node and waits until its entry has been applied. If the error is that of
// ctx, or ErrUnsure, the entry may still be applied.
func (r *replica) run(ctx context.Context, o operation) error {
	if err := ctx.Err(); err != nil {
		return err
	}
	return r.await(ctx, func(answer func(error)) func() { return r.begin(o, answer) })
}

// await calls send and waits for its answer or the end of ctx. If ctx has a deadline, await returns ErrUnsure
// soon after the node was cut off.
func (r *replica) await(ctx context.Context, send func(answer func(error)) (giveUp func())) error {
	var unsure <-chan struct{}
	if _, hurries := ctx.Deadline(); hurries {
		r.mu.Lock()
		unsure = r.unsure
		r.mu.Unlock()
	}
	done := make(chan error, 1)
	giveUp := send(func(err error) { done <- err })
	select {
	case err := <-done:
		return err
	case <-unsure:
		giveUp()
		return ErrUnsure
	case <-ctx.Done():
		giveUp()
		return ctx.Err()
	}
}

// begin appends an operation of this node. answer is called when its entry is applied, or when following
// fails. giveUp is as for put.
func (r *replica) begin(o operation, answer func(error)) (giveUp func()) {
	giveUp = func() {}
	r.mu.Lock()
	epoch := r.epoch
	r.mu.Unlock()
	switch {
	case epoch == 0:
		answer(ErrNotOwner)
		return giveUp
	case !r.log.Reachable():
		answer(ErrAlone)
		return giveUp
	case !r.log.Knows(kindOf(o)):
		answer(ErrTooNew)
		return giveUp
	}
	return r.put(o, epoch, answer)
}

// put queues an operation. giveUp stops waiting for it; whether it is applied stays open.
func (r *replica) put(o operation, epoch uint64, answer func(error)) (giveUp func()) {
	e, err := newEntry(o, epoch, r.log.Knows(Grouped))
	if err != nil {
		answer(err)
		return func() {}
	}
	w := &waiting{operation: o, entry: e, answer: answer}
	_, isClaim := o.(*claim)
	r.mu.Lock()
	switch {
	case r.failed != nil:
		err = fmt.Errorf("%w (%w)", table.ErrUnavailable, r.failed)
	case isClaim && epoch != r.at.Epoch+1, !isClaim && epoch != r.epoch:
		err = ErrNotOwner
	case isClaim:
		r.claims = append(r.claims, w)
	default:
		r.last++
		w.entry.Seq = r.last
		r.queue = append(r.queue, w)
	}
	r.mu.Unlock()
	if err != nil {
		answer(err)
		return func() {}
	}
	table.Signal(r.wake)
	return func() {
		r.mu.Lock()
		defer r.mu.Unlock()
		w.answer = nil
		w.entry.Kind, w.entry.Data, w.entry.Binary = "", nil, nil // if it is not in the log yet, an entry that changes nothing takes its place
		r.claims = slices.DeleteFunc(r.claims, func(c *waiting) bool { return c == w })
	}
}

const (
	sendAgain   = 20 * time.Millisecond // before entries that may not be in the log are sent again
	many        = 8                     // entries sent together after which send pauses, for the next ones that their answers bring
	gather      = 2 * time.Millisecond  // how long it pauses
	unsureAfter = 2 * time.Second       // how long writes may be outstanding before their callers get ErrUnsure, while the node is cut off
)

// send appends the queued entries: all that wait, once those before are certain to be in the log. Until then
// it repeats those, in the same order. So the first entry whose Seq follows the one applied last is the right
// one, and the others count for nothing.
func (r *replica) send(ctx context.Context) {
	var fails time.Time // since when; zero if everything sent is in the log
	for {
		var batch []*waiting
		var entries []Entry
		r.mu.Lock()
		for _, w := range slices.Concat(r.claims, r.queue) {
			if !w.sent {
				batch, entries = append(batch, w), append(entries, w.entry)
			}
		}
		r.mu.Unlock()
		var again <-chan time.Time
		if len(batch) > 0 {
			if r.log.Append(ctx, entries) == nil {
				r.mu.Lock()
				for _, w := range batch {
					w.sent = true
				}
				r.mu.Unlock()
				fails = time.Time{}
				if len(batch) >= many {
					time.Sleep(gather)
				}
				continue
			}
			again = time.After(sendAgain)
			switch now := time.Now(); {
			case fails.IsZero():
				fails = now
			case now.Sub(fails) >= unsureAfter && !r.log.Reachable():
				fails = now
				r.mu.Lock()
				close(r.unsure)
				r.unsure = make(chan struct{})
				r.mu.Unlock()
			}
		}
		wake := r.wake
		if again != nil {
			wake = nil // new entries wait with the others
		}
		select {
		case <-wake:
		case <-again:
		case <-ctx.Done():
			return
		}
	}
}
