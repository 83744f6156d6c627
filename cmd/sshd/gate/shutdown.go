package gate

import (
	"context"
	"time"
)

// shutdownTime is how long Shutdown takes at most.
const shutdownTime = 10 * time.Second

// Shutdown ends the server: it stops accepting, lets the handler prepare (see [Drainer]), tells the
// handlers to finish and waits for them, and closes what is left when ctx is nearly over, or after
// ten seconds. When it returns nil, nothing of the server runs any more; else some handler did not
// return, and the error is that of the context. It may be called again, to wait for those.
func (s *Server) Shutdown(ctx context.Context) error {
	ctx, cancel := context.WithTimeout(ctx, shutdownTime) // what ends first counts
	defer cancel()
	deadline, _ := ctx.Deadline()
	// Handlers may use most of the time; the rest is for lines that are closed under them.
	patience, cancel := context.WithTimeout(ctx, time.Until(deadline)*4/5)
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
	select {
	case <-gone:
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
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
