package gate

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"net/netip"
	"runtime/debug"
	"sync"
	"time"

	"charm.land/ssh"
	gossh "golang.org/x/crypto/ssh"
)

// ErrServerClosed is returned by Serve after Shutdown, and is the cause of the handlers' contexts
// when the server drains.
var ErrServerClosed = errors.New("the server is closed")

// softwareVersion is what clients are told; it names no version.
const softwareVersion = "Boneyard"

// goodbyeTime is how long a client has to close its side after its session has ended.
const goodbyeTime = time.Second

// Server lets clients in and hands their sessions to a [Handler].
type Server struct {
	cfg       Config
	handler   Handler
	ssh       *ssh.Server
	startups  *startups
	penalties *penalties
	sessions  *sessions

	ctx    context.Context // of all lines; done when the server drains
	cancel context.CancelCauseFunc
	wg     sync.WaitGroup // one for each connection, and one for each Serve

	mu        sync.Mutex
	closed    bool
	listeners map[net.Listener]struct{}
	lines     map[*line]struct{}
}

// New returns a server that hands sessions to h. It fails when cfg is not valid.
func New(cfg Config, h Handler) (*Server, error) {
	if err := cfg.Validate(); err != nil {
		return nil, fmt.Errorf("gate: %w", err)
	}
	s := &Server{
		cfg:       cfg,
		handler:   h,
		startups:  newStartups(cfg.Startups, cfg.Rand),
		penalties: newPenalties(cfg.Penalties, cfg.Now),
		sessions:  newSessions(cfg.Sessions, cfg.SessionsPerPlayer),
		listeners: make(map[net.Listener]struct{}),
		lines:     make(map[*line]struct{}),
	}
	s.ctx, s.cancel = context.WithCancelCause(context.Background())
	s.ssh = &ssh.Server{
		Version:              softwareVersion,
		Handler:              s.serveSession,
		PublicKeyHandler:     s.acceptKey,
		ServerConfigCallback: s.serverConfig,
		// The line's own timer ends a login that takes too long, and knows why; this is the library's.
		HandshakeTimeout: cfg.LoginGrace + time.Second,
		ConnCallback: func(ctx ssh.Context, conn net.Conn) net.Conn {
			ctx.SetValue(lineKey{}, conn)
			return conn
		},
		// Both of these answer no to everything that is not in them.
		ChannelHandlers: map[string]ssh.ChannelHandler{
			"session": s.serveChannel,
			"default": s.refuseChannel,
		},
		RequestHandlers: map[string]ssh.RequestHandler{},
	}
	for _, key := range cfg.HostKeys {
		s.ssh.AddHostKey(key)
	}
	if cfg.Guests {
		s.ssh.KeyboardInteractiveHandler = s.acceptGuest
	}
	return s, nil
}

// lineKey finds the line in the library's context, the only thing it hands to its callbacks.
type lineKey struct{}

func lineOf(ctx ssh.Context) *line { return ctx.Value(lineKey{}).(*line) }

// Serve accepts connections until Shutdown, which closes ln, or an error. It always returns an error;
// after Shutdown it is ErrServerClosed.
func (s *Server) Serve(ln net.Listener) error {
	if !s.addListener(ln) {
		return ErrServerClosed
	}
	defer s.removeListener(ln)
	var pause time.Duration
	for {
		conn, err := ln.Accept()
		if err == nil {
			pause = 0
			s.open(conn)
			continue
		}
		if s.ctx.Err() != nil || s.isClosed() {
			return ErrServerClosed
		}
		var ne net.Error
		if !errors.As(err, &ne) || errors.Is(err, net.ErrClosed) {
			return fmt.Errorf("accept: %w", err)
		}
		// Out of file descriptors, say. Connections that end will give some back.
		pause = min(max(2*pause, 5*time.Millisecond), time.Second)
		s.cfg.Log.Warn("cannot accept a connection", "err", err, "again_in", pause)
		select {
		case <-time.After(pause):
		case <-s.ctx.Done():
		}
	}
}

func (s *Server) addListener(ln net.Listener) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.closed {
		_ = ln.Close()
		return false
	}
	s.listeners[ln] = struct{}{}
	s.wg.Add(1)
	return true
}

func (s *Server) removeListener(ln net.Listener) {
	_ = ln.Close()
	s.mu.Lock()
	delete(s.listeners, ln)
	s.mu.Unlock()
	s.wg.Done()
}

func (s *Server) isClosed() bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.closed
}

// open takes in one accepted connection; it does not wait for the client.
func (s *Server) open(conn net.Conn) {
	addr := addrOf(conn.RemoteAddr())
	if !s.cfg.Proxies.Contains(addr) {
		s.admit(conn, addr)
		return
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.closed {
		_ = conn.Close()
		return
	}
	s.wg.Add(1)
	go func() {
		defer s.wg.Done()
		behind, client, err := readProxyHeader(conn, min(proxyHeaderTimeout, s.cfg.LoginGrace))
		if err != nil {
			s.cfg.Hooks.refused(ReasonProxy)
			s.cfg.Log.Warn("connection of a proxy refused", "addr", addr, "err", err)
			_ = conn.Close()
			return
		}
		s.admit(behind, client)
	}()
}

// admit gives a connection a place before login, or turns it away.
func (s *Server) admit(conn net.Conn, addr netip.Addr) {
	l := newLine(s, conn, addr)
	if !l.exempt {
		if s.penalties.shutOut(l.source) {
			s.turnAway(l, ReasonPenalty, textPenalty)
			return
		}
		displaced, why := s.startups.admit(l)
		if why != "" {
			s.turnAway(l, why, textStartups)
			return
		}
		if displaced != nil {
			displaced.end(ReasonDisplaced)
		}
	}
	s.mu.Lock()
	if s.closed {
		s.mu.Unlock()
		s.startups.release(l)
		s.turnAway(l, ReasonShutdown, "")
		return
	}
	s.lines[l] = struct{}{}
	s.wg.Add(1)
	s.mu.Unlock()
	s.cfg.Hooks.accepted()
	go s.serveLine(l)
}

// What sshd says to connections that it turns away, and this server, too.
const (
	textPenalty  = "Not allowed at this time"
	textStartups = "Exceeded MaxStartups"
)

// IsRefusal reports whether the first line that a server sent is what this one says to connections
// that it turns away.
func IsRefusal(greeting string) bool { return greeting == textPenalty || greeting == textStartups }

// turnAway closes a connection that was not let in, with the line that sshd has for it: clients show
// it to those who ask (ssh -v). The socket's buffer is empty, so this does not wait.
func (s *Server) turnAway(l *line, why Reason, text string) {
	s.cfg.Hooks.refused(why)
	s.cfg.Log.Debug("connection refused", "addr", l.addr, "why", string(why))
	if text != "" {
		_, _ = io.WriteString(l, text+"\r\n")
	}
	l.end(why)
}

// serveLine serves one connection from handshake to end.
func (s *Server) serveLine(l *line) {
	defer s.wg.Done()
	l.arm(s.cfg.LoginGrace, func() { l.end(ReasonGrace) })
	s.ssh.HandleConn(l) // contains panics of the library
	_ = l.Close()
	s.startups.release(l)
	l.join()
	s.mu.Lock()
	delete(s.lines, l)
	s.mu.Unlock()
	if !l.hasBegun() {
		s.judge(l)
	} else if l.reason() == ReasonFlood {
		s.punish(l, s.cfg.Penalties.Flood)
	}
}

// judge finds out why a connection never came to a session, and punishes its source for it.
func (s *Server) judge(l *line) {
	why, rules := l.reason(), s.cfg.Penalties
	switch why {
	case ReasonHungUp:
		switch {
		case l.loggedIn.Load():
			return // changed its mind
		case l.failures > 0:
			why = ReasonAuth
			s.punish(l, rules.AuthFail)
		default:
			why = ReasonHandshake
			s.punish(l, rules.NoAuth)
		}
	case ReasonNotSSH, ReasonDisplaced:
		s.punish(l, rules.NoAuth)
	case ReasonGrace, ReasonStall:
		s.punish(l, rules.GraceExceeded)
	case ReasonFlood:
		s.punish(l, rules.Flood)
	}
	s.cfg.Hooks.refused(why)
	s.cfg.Log.Debug("connection ended before a session", "addr", l.addr, "why", string(why))
}

func (s *Server) punish(l *line, d time.Duration) {
	if !l.exempt {
		s.penalties.add(l.source, d)
	}
}

// What callers read who are refused a session.
var refusals = map[Reason]string{
	ReasonPlayer:    "You have too many sessions open here already. Close one and call again.",
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

	who := player{key: c.Key}
	if !c.HasKey {
		who.guest = l.source
	}
	why := s.sessions.admit(who, l.source, l.exempt)
	if why == "" {
		defer s.sessions.release(who, l.source)
		if badCommand(sess) {
			why = ReasonForbidden
		}
	}
	if why != "" {
		s.cfg.Hooks.refused(why)
		s.cfg.Log.Info("session refused", "addr", l.addr, "key", c.Fingerprint, "why", string(why))
		_, _ = io.WriteString(c.Err, refusals[why]+"\r\n")
		s.hangUp(sess, l, 1)
		return
	}
	conn := sess.Context().Value(ssh.ContextKeyConn).(gossh.Conn)
	if !l.begin(func() { _, _, _ = conn.SendRequest("keepalive@openssh.com", true, nil) }) {
		return
	}
	log := s.cfg.Log.With("addr", l.addr, "key", c.Fingerprint, "user", c.User)
	log.Info("session opened", "terminal", c.Term != nil, "command", len(c.Command) > 0)
	s.cfg.Hooks.sessionOpened()
	began := time.Now()

	code, panicked := s.call(c)
	l.finished.Store(true)
	if panicked != "" {
		log.Error("the handler panicked", "panic", panicked)
		_, _ = io.WriteString(c.Err, "Something went wrong here. Please call again.\r\n")
	}
	s.hangUp(sess, l, code)
	why = l.reason()
	switch {
	case panicked != "":
		why = ReasonPanic
	case why == "":
		why = ReasonDone
	}
	took := time.Since(began)
	s.cfg.Hooks.sessionClosed(why, took)
	log.Info("session closed", "why", string(why), "took", took.Round(time.Millisecond))
}

// call calls the handler and contains its panic, which it returns with its stack.
func (s *Server) call(c *Call) (code int, panicked string) {
	defer func() {
		if r := recover(); r != nil {
			code, panicked = 1, fmt.Sprintf("%v\n%s", r, debug.Stack())
		}
	}()
	return s.handler.Serve(c.line.ctx, c), ""
}

// hangUp tells the client the exit status and ends the session, then the line when the client has
// closed its side or taken too long. Closing the line at once could lose what is on its way.
func (s *Server) hangUp(sess ssh.Session, l *line, code int) {
	l.finished.Store(true)
	_ = sess.Exit(code)
	l.arm(goodbyeTime, func() { l.end(ReasonDone) })
}

// Shutdown ends the server: it stops accepting, lets the handler prepare (see [Drainer]), tells the
// handlers to finish and waits for them, and closes what is left when ctx is nearly over. When it
// returns nil, nothing of the server runs any more; else some handler did not return, and the error
// is that of ctx. It may be called again, to wait for those.
func (s *Server) Shutdown(ctx context.Context) error {
	deadline, ok := ctx.Deadline()
	if !ok {
		deadline = time.Now().Add(10 * time.Second)
	}
	// Handlers may use most of the time; the rest is for lines that are closed under them.
	patience, cancel := context.WithDeadline(ctx, time.Now().Add(time.Until(deadline)*4/5))
	defer cancel()

	s.mu.Lock()
	first := !s.closed
	s.closed = true
	for ln := range s.listeners {
		_ = ln.Close()
	}
	s.mu.Unlock()
	s.endLines(func(l *line) bool { return !l.hasBegun() })

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
