package gate

import (
	"context"
	"io"
	"log/slog"
	"runtime/debug"
	"time"

	"charm.land/ssh"
	gossh "golang.org/x/crypto/ssh"
)

// goodbyeTime is how long a client has to close its side after its session has ended.
const goodbyeTime = time.Second

// What callers read who are refused a session.
var refusals = map[Reason]string{
	ReasonPlayer:    "You have too many sessions open here already. Close one and call again.",
	ReasonStrangers: "Too many guests and newcomers come from your network. Please call again later; members are not counted among them.",
	ReasonCrowd:     "Too many sessions come from your network. Please call again later.",
	ReasonFull:      "The club is full. Please call again later.",
	ReasonForbidden: "That command cannot be read: is a quotation mark missing?",
}

// serveSession is the library's handler: it counts the session, hands it to the club's handler and
// sees to its end.
func (s *Server) serveSession(sess ssh.Session) {
	l := lineOf(sess.Context())
	defer l.work.Done() // added by the channel's filter
	c := newCall(sess, l)

	if text := s.banned(c); text != "" {
		s.punish(l, s.cfg.Penalties.AuthFail)
		s.refuse(sess, l, c, ReasonBanned, text)
		return
	}
	who := &admission{key: c.Key, rank: s.rank(l.ctx, c), source: l.source, network: l.network, exempt: l.exempt, shared: l.shared}
	why := s.sessions.admit(who)
	if why == "" {
		defer s.sessions.release(who)
		if badCommand(sess.RawCommand(), c.Command) {
			why = ReasonForbidden
		}
	}
	if why != "" {
		s.refuse(sess, l, c, why, refusals[why])
		return
	}
	conn := sess.Context().Value(ssh.ContextKeyConn).(gossh.Conn)
	if !l.begin(func() { _, _, _ = conn.SendRequest("keepalive@openssh.com", true, nil) }) {
		return
	}
	s.announceHostKeys(conn)
	// A logger that knows these takes 4 kB, and is not kept as long as the session lasts.
	log := func() *slog.Logger { return s.cfg.Log.With("addr", l.addr, "key", c.Fingerprint, "user", c.User) }
	log().Info("session opened", "terminal", c.Term != nil, "command", len(c.Command) > 0)
	s.cfg.Hooks.sessionOpened()
	if !l.exempt && s.sharing.came(l.addr, c.Key, s.cfg.Now()) {
		s.cfg.Log.Warn("nearly all callers come from one address, which seems to be a proxy's: limits by address count it as many callers, and its penalties are off. "+
			"Have the proxy send PROXY v2 headers and list it with --proxy-protocol-from, or let the club see its callers' addresses", "proxy", l.addr)
	}
	began := time.Now()

	code := s.call(c)
	l.finished.Store(true)
	panicked := c.panicked.Load()
	if panicked != nil {
		code = 1
		s.panics.report(log(), panicked, s.cfg.Now())
		_, _ = io.WriteString(c.Err, "Something went wrong here. Please call again.\r\n")
	}
	s.hangUp(sess, l, code)
	why = l.reason()
	switch {
	case panicked != nil:
		why = ReasonPanic
	case why == "":
		why = ReasonDone
	}
	took := time.Since(began)
	s.cfg.Hooks.sessionClosed(why, took)
	if c.HasKey && s.rank(s.ctx, c) == Seated {
		s.returning.left(l.source)
	}
	log().Info("session closed", "why", string(why), "took", took.Round(time.Millisecond))
}

// rank is what a caller is to the club.
func (s *Server) rank(ctx context.Context, c *Call) Rank {
	switch {
	case !c.HasKey:
		return Stranger
	case s.cfg.Rank == nil:
		return Member
	}
	return s.cfg.Rank(ctx, c.Key)
}

// banned is what a caller reads who may not come in; empty for others.
func (s *Server) banned(c *Call) string {
	if s.cfg.Banned == nil {
		return ""
	}
	return s.cfg.Banned(c.Addr, c.Key)
}

// refuse tells a caller why there is no session, and ends the line.
func (s *Server) refuse(sess ssh.Session, l *line, c *Call, why Reason, text string) {
	s.cfg.Hooks.refused(why)
	s.cfg.Log.Info("session refused", "addr", l.addr, "key", c.Fingerprint, "why", string(why))
	_, _ = io.WriteString(c.Err, text+"\r\n")
	s.hangUp(sess, l, 1)
}

// call calls the handler and contains its panic.
func (s *Server) call(c *Call) (code int) {
	defer func() {
		if r := recover(); r != nil {
			c.Panicked(r, debug.Stack())
		}
	}()
	return s.handler.Serve(c.line.ctx, c)
}

// hangUp tells the client the exit status and ends the session, then the line when the client has
// closed its side or taken too long. Closing the line at once could lose what is on its way.
func (s *Server) hangUp(sess ssh.Session, l *line, code int) {
	l.finished.Store(true)
	_ = sess.Exit(code)
	l.arm(goodbyeTime, func() { l.end(ReasonDone) })
}
