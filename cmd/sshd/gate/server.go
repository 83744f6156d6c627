package gate

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"net/netip"
	"slices"
	"sync"
	"time"

	"boneyard/lobby/limit"

	"charm.land/ssh"
	"charm.land/wish/v2"
	gossh "golang.org/x/crypto/ssh"
)

// ErrServerClosed is returned by Serve after Shutdown, and is the cause of the handlers' contexts when the
// server drains.
var ErrServerClosed = errors.New("the server is closed")

// Server lets clients in and hands their sessions to a [Handler].
type Server struct {
	cfg       Config
	handler   Handler
	born      time.Time
	ssh       *ssh.Server
	startups  *startups
	penalties *penalties
	rates     *limit.Limits
	sessions  *sessions
	sharing   sharing
	returning *recent[source] // from where players with a seat in a running game were cut off: who calls from there gets a place first
	panics    *recent[string] // places in the code whose stack was logged

	ctx    context.Context // of all lines; done when the server drains
	cancel context.CancelCauseFunc
	wg     sync.WaitGroup // one for each connection, and one for each Serve

	mu        sync.Mutex
	closed    bool
	listeners map[net.Listener]struct{}
	lines     map[*line]struct{}
	relayed   map[RelayedCall]struct{}
	headers   []net.Conn // proxies' connections that still wait for their header, the oldest first
}

// New returns a server that passes sessions to h. It fails if cfg is not valid.
func New(cfg Config, h Handler) (*Server, error) {
	if err := cfg.Validate(); err != nil {
		return nil, fmt.Errorf("gate: %w", err)
	}
	s := &Server{
		cfg:       cfg,
		handler:   h,
		born:      time.Now(),
		startups:  newStartups(cfg.Startups, perSource(cfg.Sessions, cfg.SessionsPerPlayer)),
		penalties: newPenalties(cfg.Penalties, cfg.Now),
		rates:     limit.New(limit.DefaultEntries, cfg.Now),
		returning: newRecent[source](maxReturning, cfg.Now),
		panics:    newRecent[string](maxPanics, cfg.Now),
		sessions:  newSessions(cfg.Sessions, cfg.SessionsPerPlayer),
		listeners: make(map[net.Listener]struct{}),
		lines:     make(map[*line]struct{}),
		relayed:   make(map[RelayedCall]struct{}),
	}
	s.ctx, s.cancel = context.WithCancelCause(context.Background())
	var err error
	if s.ssh, err = wish.NewServer(s.options()...); err != nil {
		return nil, fmt.Errorf("gate: %w", err)
	}
	return s, nil
}

// options configure the library's server. By default Wish would let anybody in by any method, and make a key
// in the working folder.
func (s *Server) options() []ssh.Option {
	const softwareVersion = "Boneyard" // what the server calls itself; it names no version
	options := []ssh.Option{
		wish.WithVersion(softwareVersion),
		wish.WithPublicKeyAuth(s.acceptKey),
		wish.WithMiddleware(func(next ssh.Handler) ssh.Handler {
			return func(sess ssh.Session) {
				s.serveSession(sess)
				next(sess)
			}
		}),
		s.limits,
	}
	if s.cfg.Guests {
		letIn := func(ssh.Context, gossh.KeyboardInteractiveChallenge) bool { return true }
		options = append(options, wish.WithKeyboardInteractiveAuth(letIn))
	}
	return options
}

// limits sets what Wish has no option for.
func (s *Server) limits(srv *ssh.Server) error {
	srv.ServerConfigCallback = s.serverConfig
	// The line's own timer ends a slow login first, and knows why; this is the library's.
	srv.HandshakeTimeout = s.cfg.LoginGrace + time.Second
	srv.ConnCallback = func(ctx ssh.Context, conn net.Conn) net.Conn {
		ctx.SetValue(lineKey{}, conn)
		return conn
	}
	// Both of these maps refuse everything that is not in them.
	srv.ChannelHandlers = map[string]ssh.ChannelHandler{
		"session": s.serveChannel,
		"default": s.refuseChannel,
	}
	srv.RequestHandlers = map[string]ssh.RequestHandler{hostKeysProve: s.proveHostKeys}
	for _, key := range s.cfg.HostKeys {
		srv.AddHostKey(metered(key))
	}
	return nil
}

// Named records that a key has an account now: its open sessions count as a member's from here on.
func (s *Server) Named(key KeyID) { s.sessions.named(key) }

// lineKey is the line's key in the library's context, the only value that all its callbacks get.
type lineKey struct{}

func lineOf(ctx ssh.Context) *line { return ctx.Value(lineKey{}).(*line) }

// Serve accepts connections until an error, or until Shutdown, which closes ln. It always returns an error;
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
			if s.crowded() {
				s.cfg.Hooks.Refused(ReasonFull)
				_ = conn.Close()
				continue
			}
			s.open(conn)
			continue
		}
		if s.ctx.Err() != nil || s.isClosed() {
			return ErrServerClosed
		}
		if _, ok := errors.AsType[net.Error](err); !ok || errors.Is(err, net.ErrClosed) {
			return fmt.Errorf("accept: %w", err)
		}
		// Out of file descriptors, say. Connections that end will free some.
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

// crowded reports whether no more connections may be open.
func (s *Server) crowded() bool {
	most := s.cfg.MostConnections
	s.mu.Lock()
	defer s.mu.Unlock()
	return most > 0 && len(s.lines)+len(s.headers) >= most
}

func (s *Server) isClosed() bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.closed
}

// open handles one accepted connection; it does not wait for the client.
//
// A proxy sends its header with the connection, so that even in a burst few wait for one at once. When there
// are too many, the oldest goes rather than the newcomer: otherwise anybody who can connect from a listed
// network without being a proxy could keep everybody out.
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
	if len(s.headers) == s.cfg.ProxyHeaders {
		_ = s.headers[0].Close()
		s.headers = slices.Delete(s.headers, 0, 1)
	}
	s.headers = append(s.headers, conn)
	go func() {
		defer s.wg.Done()
		behind, client, err := readProxyHeader(conn, min(s.cfg.ProxyHeaderTime, s.cfg.LoginGrace))
		if why := s.headerDone(conn); why != "" {
			s.cfg.Hooks.Refused(why)
			return
		}
		if err != nil {
			s.cfg.Hooks.Refused(ReasonProxy)
			s.cfg.Log.Warn("connection of a proxy refused", "addr", addr, "err", err)
			_ = conn.Close()
			return
		}
		s.admit(behind, client)
	}()
}

// headerDone ends a connection's wait for its header, or says why it was closed before.
func (s *Server) headerDone(conn net.Conn) Reason {
	s.mu.Lock()
	defer s.mu.Unlock()
	i := slices.Index(s.headers, conn)
	switch {
	case i >= 0:
		s.headers = slices.Delete(s.headers, i, i+1)
		return ""
	case s.closed:
		return ReasonShutdown
	}
	return ReasonHeaders
}

// admit gives a connection a place before login, or turns it away.
func (s *Server) admit(conn net.Conn, addr netip.Addr) {
	l := newLine(s, conn, addr)
	if !l.exempt {
		if !l.shared && s.penalties.shutOut(l.source) {
			s.turnAway(l, ReasonPenalty, textPenalty)
			return
		}
		if !s.rates.Allow(&s.cfg.Connections, limit.Who{Addr: addr, Shared: l.shared}) {
			s.turnAway(l, ReasonRate, textPenalty)
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
	s.cfg.Hooks.Accepted()
	go s.serveLine(l)
}

// What sshd, and this server too, sends to connections that it turns away.
const (
	textPenalty  = "Not allowed at this time"
	textStartups = "Exceeded MaxStartups"
)

// IsRefusal reports whether greeting, the first line from a server, is one that this server sends to
// connections that it turns away.
func IsRefusal(greeting string) bool { return greeting == textPenalty || greeting == textStartups }

// turnAway closes a connection that was not let in, with sshd's message, which clients show with ssh -v. The
// socket's buffer is empty, so this does not block.
func (s *Server) turnAway(l *line, why Reason, text string) {
	s.cfg.Hooks.Refused(why)
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
	l.forgetReadAhead()
	age, late := time.Since(l.born), l.late()
	s.startups.release(l)
	l.join()
	s.mu.Lock()
	delete(s.lines, l)
	s.mu.Unlock()
	if !l.hasBegun() {
		s.judge(l, age, late)
	} else if l.reason() == ReasonFlood {
		s.punish(l, s.cfg.Penalties.Flood)
	}
}

// judge finds out why a connection that ended at the given age never had a session, and penalises its source.
// The penalty is at least the time that its place was held.
func (s *Server) judge(l *line, age time.Duration, late bool) {
	why, rules := l.reason(), s.cfg.Penalties
	cost, logged := rules.NoAuth, true
	switch why {
	case ReasonDone, ReasonShutdown:
		cost = 0
	case ReasonHungUp:
		switch {
		case l.loggedIn.Load():
			why = ReasonNoSession
		case l.failures > 0:
			why, cost = ReasonAuth, rules.AuthFail
		case l.heard.Load() == 0 && l.addr.IsLoopback():
			logged = false // a health check reads the greeting and sends nothing
		default:
			why = ReasonHandshake
		}
	case ReasonGrace, ReasonStall:
		late = true
	case ReasonFlood:
		cost = rules.Flood
	}
	if cost > 0 {
		cost = max(cost, min(age, rules.GraceExceeded))
		if late {
			cost = max(cost, rules.GraceExceeded)
		}
		s.punish(l, cost)
	}
	if why == ReasonDone || !logged {
		return // its session was refused, and counted then
	}
	s.cfg.Hooks.Refused(why)
	s.cfg.Log.Debug("connection ended before a session", "addr", l.addr, "why", string(why))
}

func (s *Server) punish(l *line, d time.Duration) {
	if !l.exempt && !l.shared {
		s.penalties.add(l.source, d)
	}
}
