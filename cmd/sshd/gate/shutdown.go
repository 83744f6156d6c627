package gate

import (
	"cmp"
	"context"
	"time"
)

// Shutdown stops the server: it stops accepting, lets the handler prepare (see [Drainer]), tells the handlers
// to finish, waits for them, and closes what is left when ctx is nearly over or after ten seconds. It returns
// nil once nothing of the server runs any more. Otherwise some handler has not returned, and the error is the
// context's, or context.DeadlineExceeded; call Shutdown again to wait for it.
func (s *Server) Shutdown(ctx context.Context) error {
	const shutdownTime = 10 * time.Second                 // the longest that Shutdown takes
	ctx, cancel := context.WithTimeout(ctx, shutdownTime) // whichever ends first
	defer cancel()
	deadline, _ := ctx.Deadline()
	rest := time.Until(deadline) / 5 // after it, lines are closed under their handlers
	patience, cancel := context.WithTimeout(ctx, 4*rest)
	defer cancel()

	s.mu.Lock()
	first := !s.closed
	s.closed = true
	for ln := range s.listeners {
		_ = ln.Close()
	}
	for _, conn := range s.headers {
		_ = conn.Close()
	}
	s.headers = nil
	s.mu.Unlock()
	s.endLines(func(l *line) bool { return !l.hasBegun() })
	for _, c := range s.relayedCalls() {
		c.Move()
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
	for _, c := range s.relayedCalls() {
		_ = c.Close()
	}
	const steps = 20 // a machine that stood still meanwhile loses only one of them
	for range steps {
		select {
		case <-gone:
			return nil
		case <-time.After(rest / steps):
		}
	}
	return cmp.Or(ctx.Err(), context.DeadlineExceeded)
}

// endLines ends the lines for which which returns true.
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
