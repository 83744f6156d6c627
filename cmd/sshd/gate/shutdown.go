package gate

import (
	"cmp"
	"context"
	"time"
)

// shutdownTime is how long Shutdown takes at most.
const shutdownTime = 10 * time.Second

// Shutdown ends the server: it stops accepting, lets the handler prepare (see [Drainer]), tells the
// handlers to finish and waits for them, and closes what is left when ctx is nearly over, or after
// ten seconds. When it returns nil, nothing of the server runs any more; else some handler did not
// return, and the error is that of the context, or says that the time is over. It may be called again, to wait for those.
func (s *Server) Shutdown(ctx context.Context) error {
	ctx, cancel := context.WithTimeout(ctx, shutdownTime) // what ends first counts
	defer cancel()
	deadline, _ := ctx.Deadline()
	rest := time.Until(deadline) / 5 // for lines that are closed under their handlers, which may use the time before
	patience, cancel := context.WithTimeout(ctx, 4*rest)
	defer cancel()

	s.mu.Lock()
	first := !s.closed
	s.closed = true
	for ln := range s.listeners {
		_ = ln.Close()
	}
	s.mu.Unlock()
	s.headers.end()
	s.endLines(func(l *line) bool { return !l.hasBegun() })
	for _, g := range s.guests() {
		g.Move()
	}

	if d, ok := s.handler.(Drainer); ok && first {
		d.Drain(patience)
	}
	s.cancel(ErrServerClosed)

	gone := make(chan struct{})
	go func() {
		s.wg.Wait()
		close(gone)
	}()
	select {
	case <-gone:
		return nil
	case <-patience.Done():
	}
	s.endLines(func(*line) bool { return true })
	for _, g := range s.guests() {
		_ = g.Close()
	}
	const steps = 20 // in steps, so that a machine that stood still meanwhile has used one of them
	for range steps {
		select {
		case <-gone:
			return nil
		case <-time.After(rest / steps):
		}
	}
	return cmp.Or(ctx.Err(), context.DeadlineExceeded)
}

// endLines ends the lines that which chooses.
func (s *Server) endLines(which func(*line) bool) {
	s.mu.Lock()
	var chosen []*line
	for l := range s.lines {
		if which(l) {
			chosen = append(chosen, l)
		}
	}
	s.mu.Unlock()
	for _, l := range chosen {
		l.end(ReasonShutdown)
	}
}
