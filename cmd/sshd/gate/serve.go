package gate

import (
	"context"
	"runtime/debug"
	"time"

	"charm.land/ssh"
	gossh "golang.org/x/crypto/ssh"
)

// Messages to callers who are refused a session.
var refusals = map[Reason]string{
	ReasonPlayer:    "You have too many sessions open here already. Please close one and connect again.",
	ReasonStrangers: "Too many guests and newcomers come from your network. Please connect again later; members are not counted.",
	ReasonCrowd:     "Too many sessions come from your network. Please connect again later.",
	ReasonFull:      "The club is full. Please connect again later.",
	ReasonForbidden: "That command cannot be read: a quotation mark is missing (a lone one is written \\'), it is longer than " +
		"1,020 bytes, or it has characters that are not text.",
}

// serveSession is the library's handler: it counts the session, passes it to the club's handler and ends it.
func (s *Server) serveSession(sess ssh.Session) {
	l := lineOf(sess.Context())
	defer l.work.Done() // added by the channel's filter
	c := newCall(sess, l)

	leave, why, text := s.enter(l.ctx, c)
	if why == "" {
		defer leave()
		var ok bool
		if c.Command, ok = splitCommand(sess.RawCommand()); !ok {
			why, text = ReasonForbidden, refusals[ReasonForbidden]
		}
	}
	if why != "" {
		s.refuse(sess, l, c, why, text)
		return
	}
	conn := sess.Context().Value(ssh.ContextKeyConn).(gossh.Conn)
	if !l.begin(func() { _, _, _ = conn.SendRequest("keepalive@openssh.com", true, nil) }) {
		return
	}
	s.begun(l, c, conn)
	began := time.Now()
	code := s.call(l.ctx, c)
	s.over(sess, l, c, code, time.Since(began))
}

// begun reports a session that begins to the client, log and hooks.
func (s *Server) begun(l *line, c *Call, conn gossh.Conn) {
	s.announceHostKeys(conn)
	s.LogOf(c).Info("session opened", "terminal", c.Term != nil, "command", len(c.Command) > 0)
	s.cfg.Hooks.SessionOpened()
	if !l.exempt && s.sharing.came(l.addr, c.Key, s.cfg.Now()) {
		s.cfg.Log.Warn("nearly all callers come from one address, which seems to be a proxy's: limits by address "+
			"count it as many callers, and its penalties are off. "+
			"Have the proxy send PROXY v2 headers and list it with --proxy-protocol-from, or let the club see its "+
			"callers' addresses", "proxy", l.addr)
	}
}

// over ends a session whose handler has returned, and reports it to log and hooks.
func (s *Server) over(sess ssh.Session, l *line, c *Call, code int, took time.Duration) {
	done := ReasonDone
	if s.isClosed() {
		done = ReasonShutdown
	}
	if c.Outcome.Why == ReasonClub {
		l.end(ReasonClub)
	}
	s.hangUp(sess, l, code)
	if by := c.Outcome.Refused; by != "" { // by the server that the call was passed to
		s.refused(l, c, by)
	}
	why := l.reason()
	switch {
	case c.Outcome.Why != "":
		why = c.Outcome.Why
	case why == "", why == ReasonDone: // the client may already have hung up on the exit status
		why = done
	}
	s.cfg.Hooks.SessionClosed(why, took)
	if c.Outcome.Seated || !s.cfg.Passes && s.isSeated(c) {
		s.returning.add(l.source)
	}
	s.LogOf(c).Info("session closed", "why", string(why), "took", took.Round(time.Millisecond))
}

// enter counts a session until leave is called, or returns why and with what message it is refused.
func (s *Server) enter(ctx context.Context, c *Call) (leave func(), why Reason, text string) {
	if text := s.cfg.Banned(c.Addr, c.Key); text != "" {
		return nil, ReasonBanned, text
	}
	leave, why = s.sessions.enter(c, s.rank(ctx, c))
	return leave, why, refusals[why]
}

// rank returns a caller's rank.
func (s *Server) rank(ctx context.Context, c *Call) Rank {
	switch {
	case !c.HasKey:
		return Stranger
	case s.cfg.Passes:
		return Operator // the server that serves the call checks the real rank
	}
	return s.cfg.Rank(ctx, c.Key)
}

// isSeated reports whether a caller has a seat in a running game.
func (s *Server) isSeated(c *Call) bool { return c.HasKey && s.rank(s.ctx, c) == Seated }

// refuse tells a caller why there is no session, and ends the line.
func (s *Server) refuse(sess ssh.Session, l *line, c *Call, why Reason, text string) {
	s.refused(l, c, why)
	c.Warn(text)
	code := ExitFailed
	if why == ReasonForbidden {
		code = ExitUsage
	}
	s.hangUp(sess, l, code)
}

// refused counts and logs a refused session. Banned callers who keep trying are shut out.
func (s *Server) refused(l *line, c *Call, why Reason) {
	if why == ReasonBanned {
		s.punish(l, s.cfg.Penalties.AuthFail)
	}
	s.cfg.Hooks.Refused(why)
	s.cfg.Log.Info("session refused", "addr", l.addr, "key", c.Fingerprint, "why", string(why))
}

// call calls the handler and recovers its panic.
func (s *Server) call(ctx context.Context, c *Call) (code int) {
	defer func() {
		if r := recover(); r != nil {
			c.Panicked(r, debug.Stack())
		}
		if p := c.panicked.Swap(nil); p != nil {
			code, c.Outcome.Why = 1, ReasonPanic
			s.reportPanic(s.LogOf(c), p)
			c.Warn("Something went wrong here. Please connect again.")
		}
	}()
	return s.handler.Serve(ctx, c)
}

// hangUp sends the exit status and ends the session, then the line once the client has closed its side or
// taken too long. Closing the line at once could lose data in transit.
func (s *Server) hangUp(sess ssh.Session, l *line, code int) {
	const goodbyeTime = time.Second // how long a client has to close its side after its session has ended
	l.finished.Store(true)
	_ = sess.Exit(code)
	l.arm(goodbyeTime, func() { l.end(ReasonDone) })
}
