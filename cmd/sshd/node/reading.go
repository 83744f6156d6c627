package node

import (
	"context"
	"fmt"
	"time"

	"boneyard/cmd/sshd/gate"
	"boneyard/ui/remote"
)

// What people read before an answer that may be out of date.
const (
	sayKnown = "The rest of the club cannot be reached. This machine last heard of a change on %s; this is how things were then."
	sayOld   = "The rest of the club cannot be reached. This is how things were when this machine last heard from it."
)

// readable reports whether this node can answer the command without the rest of the club.
func (w *wait) readable() bool { return w.call.Resume == nil && remote.OnDisk(w.call.Command) }

// read answers a command from this node's own file, and says how old that may be. It returns false on
// failure.
func (w *wait) read(ctx context.Context) bool {
	r, applied, err := w.reader(ctx)
	if err != nil {
		w.log.Error("a command could not be answered from this node's file", "err", err)
		return false
	}
	if why := r.Refuses(w.call); why != "" {
		w.call.Warn(why)
		w.status = gate.ExitFailed
		return true
	}
	if applied.IsZero() {
		w.call.Warn(sayOld)
	} else {
		w.call.Warn(fmt.Sprintf(sayKnown, applied.UTC().Format("2006-01-02 at 15:04:05 UTC")))
	}
	w.status = r.Serve(ctx, w.call)
	return true
}

// reader returns what answers from this node's file, and when that last changed. It is kept, with its limits
// and answers, until a node runs the club again.
func (s *switchboard) reader(ctx context.Context) (r Reader, applied time.Time, err error) {
	s.readMu.Lock()
	defer s.readMu.Unlock()
	if s.reading == nil {
		if s.reading, err = s.club.Read(ctx); err != nil {
			return nil, applied, err
		}
	}
	at, _, err := s.store.Replica()
	return s.reading, at.Applied, err
}

// closeReader drops the reader.
func (s *switchboard) closeReader() {
	s.readMu.Lock()
	defer s.readMu.Unlock()
	s.reading = nil
}
