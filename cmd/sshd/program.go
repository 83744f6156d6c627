package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"net"
	"strings"
	"time"

	"boneyard/cmd/sshd/gate"
	"boneyard/cmd/sshd/node"
	"boneyard/lobby"
	"boneyard/table"
	"boneyard/ui/feature"

	"github.com/coreos/go-systemd/v22/daemon"
)

// drainTime is how long the gate may take to end, and then the club: together less than ten seconds.
const drainTime = 4500 * time.Millisecond

// Main is a server. Tests run it in their own process as main does.
type Main struct {
	Settings Settings
	Stderr   io.Writer // for the log

	unknown     []string // environment variables that look like settings and are not
	log         *slog.Logger
	flushLog    func()             // logs the sums of omitted lines
	tables      table.Deps         // settings of tables, in addition to the lobby's
	tune        func(*gate.Config) // changes the gate's settings; may be nil
	digestEvery uint64             // as in the store's options, or 0 for the default
	server      *gate.Server
	club        io.Closer
	metrics     *metricsServer
	cluster     *node.Node // nil without a cluster
	addr        net.Addr
	failed      chan error // receives what stops a running server from accepting
}

// NewMain returns a server with default settings that is not running.
func NewMain(stderr io.Writer) *Main {
	return &Main{Settings: DefaultSettings(), Stderr: stderr, failed: make(chan error, 1)}
}

// MetricsAddr returns the address of the metrics once Run has returned, or nil if they are not served.
func (m *Main) MetricsAddr() net.Addr {
	if m.metrics == nil {
		return nil
	}
	return m.metrics.listener.Addr()
}

// Run starts the server and returns when it accepts connections. If it fails, nothing is left running.
func (m *Main) Run() (err error) {
	s := m.Settings
	if err := s.Validate(); err != nil {
		return err
	}
	log, flush := newLogger(m.Stderr, s.LogLevel, s.LogFormat)
	m.log, m.flushLog = log, flush
	v := readVersion()
	log.Info(programName, "version", v.Release, "revision", v.Revision, "modified", v.Modified, "go", v.Go)
	for _, u := range m.unknown {
		log.Warn("unknown setting in the environment", "name", u, "near", strings.Join(feature.Like(u, variables()), ", "))
	}
	ops, err := ReadOperators(s.Operators)
	if err != nil {
		return err
	}
	ln, err := inherited()
	if err != nil {
		return err
	}
	defer func() {
		if err == nil {
			return
		}
		err = errors.Join(err, m.Close())
		if ln != nil {
			_ = ln.Close() // the server may have closed it
		}
	}()
	if ln != nil {
		s.Listen = ln.Addr().String()
	}

	cfg, made, err := gateConfig(s, log)
	if err != nil {
		return err
	}
	reg := newRegistry()
	reg.MustRegister(v.collector())
	cfg.Hooks = gateHooks(reg, cfg.Sessions)
	if m.tune != nil {
		m.tune(&cfg)
	}

	adviseAddress(s, inContainer(), log)
	metrics := newClubMetrics(reg)
	ctx, cancel := context.WithTimeout(context.Background(), openTime)
	defer cancel()
	if s.Cluster != "" {
		if err := m.enter(ctx, s, cfg.HostKeys, cfg.NextHostKeys); err != nil {
			return err
		}
	} else if err := refuseNodeFile(s.Data, "start it with the node's settings"); err != nil {
		return settingError{"--data", err}
	}
	st, err := openStore(ctx, s, m.digestEvery, metrics, log)
	if err != nil {
		if s.Cluster != "" {
			err = adviseNode(s.Data, err)
		}
		return err
	}
	m.club = st
	if s.Cluster == "" {
		if err := st.GoAlone(ctx); err != nil {
			return err
		}
	}
	if made != "" {
		warnOfNewKey(ctx, st, made, log)
	}
	warnOfModes(s, log)
	if s.Metrics != "" {
		if m.metrics, err = startMetrics(s.Metrics, s.Pprof, reg, log); err != nil {
			return fmt.Errorf("serve metrics: %w", err)
		}
		log.Info("metrics", "addr", m.MetricsAddr().String())
	}
	open := func() (*club, *gate.Server, error) {
		club, err := newClub(s, st, metrics, ops, m.tables, log, reg)
		if err != nil {
			return nil, nil, err
		}
		cfg := cfg
		cfg.Banned, cfg.Rank = club.banned, club.rank
		if m.cluster != nil {
			club.node = m.cluster.Node
			cfg.Hooks = gate.NoHooks() // each node counts its own callers
		}
		server, err := gate.New(cfg, goodbye{club})
		if err != nil {
			return nil, nil, errors.Join(err, club.Close())
		}
		club.named = func(key lobby.KeyID) { server.Named(gate.KeyID(key)) }
		m.club = club
		if m.cluster == nil { // a cluster's nodes already accept
			m.server = server
			m.accept(ln)
		}
		log.Info("the club is open", "addr", m.addr.String(), "data", s.Data, "host_key", fingerprint(cfg.HostKeys[0]))
		for _, k := range cfg.HostKeys[1:] {
			log.Info("also serving host key", "type", k.PublicKey().Type(), "fingerprint", fingerprint(k))
		}
		return club, server, nil
	}
	if ln == nil {
		if ln, err = net.Listen("tcp", s.Listen); err != nil {
			return err
		}
	}
	m.addr = ln.Addr()
	if s.Cluster != "" {
		err = m.join(st, s.Data, ln, cfg, reg, open, func(ctx context.Context) (node.Reader, error) {
			return newReading(ctx, s, st, ops, log)
		})
	} else {
		_, _, err = open()
	}
	if err != nil {
		return err
	}
	m.notify(daemon.SdNotifyReady)
	return nil
}

// gateConfig returns the gate's part of the settings; made is the file of a host key that had to be made.
func gateConfig(s Settings, log *slog.Logger) (cfg gate.Config, made string, err error) {
	cfg = gate.DefaultConfig()
	cfg.Log = log
	cfg.Guests = s.Guests != lobby.GuestsOff
	cfg.Sessions = s.MaxSessions
	// Validate has read both without error.
	cfg.Exempt, _ = gate.ParseNetworks(s.ExemptNetworks)
	cfg.Proxies, _ = gate.ParseNetworks(s.ProxyProtocolFrom)
	if cfg.HostKeys, made, err = gate.LoadHostKeys(s.HostKeys); err != nil {
		return cfg, "", err
	}
	if cfg.NextHostKeys, err = gate.LoadNextHostKeys(s.HostKeys); err != nil {
		return cfg, "", err
	}
	renewed, err := gate.RenewPublic(s.HostKeys)
	if err != nil { // only people read it
		log.Warn("a host key's public half is another key's", "err", err)
	} else if len(renewed) > 0 {
		log.Info("public halves of host keys rewritten", "files", renewed)
	}
	for _, k := range cfg.NextHostKeys {
		log.Info("next host key", "type", k.PublicKey().Type(), "fingerprint", fingerprint(k))
	}
	if made != "" {
		log.Info("host key made", "file", made, "fingerprint", fingerprint(cfg.HostKeys[0]))
	}
	if files := mostFiles(); files > 0 && cfg.Fit(files) {
		log.Warn("the limit of open files leaves room for fewer sessions than --max-sessions; raise it (LimitNOFILE "+
			"in systemd)", "files", files, "sessions", cfg.Sessions)
	}
	return cfg, made, nil
}

// accept makes the gate serve a listener.
func (m *Main) accept(ln net.Listener) {
	server := m.server
	go func() {
		if err := server.Serve(ln); !errors.Is(err, gate.ErrServerClosed) {
			m.failed <- err
		}
	}()
}

// Close ends the server within ten seconds: it admits nobody, tells everybody, and writes what must be
// written.
func (m *Main) Close() error {
	ctx, cancel := context.WithTimeout(context.Background(), drainTime)
	defer cancel()
	var errs []error
	if m.cluster != nil {
		m.cluster.Stop()
	}
	if m.server != nil {
		m.log.Info("the club is closing")
		m.notify(daemon.SdNotifyStopping)
		defer m.log.Info("the club is closed")
		defer m.flushLog()
		if err := m.server.Shutdown(ctx); err != nil {
			errs = append(errs, fmt.Errorf("some sessions did not end: %w", err))
		}
	}
	if m.club != nil {
		errs = append(errs, m.club.Close())
	}
	if m.cluster != nil {
		errs = append(errs, m.cluster.Close())
	}
	if m.metrics != nil {
		errs = append(errs, m.metrics.close(ctx))
	}
	m.server, m.club, m.metrics, m.cluster = nil, nil, nil, nil
	return errors.Join(errs...)
}
