package main

import (
	"cmp"
	"context"
	"crypto/sha256"
	"errors"
	"log/slog"
	"net"
	"os"
	"sync/atomic"
	"time"

	"boneyard/cmd/sshd/gate"
	"boneyard/cmd/sshd/outside"
	"boneyard/lobby"
	"boneyard/store"
	"boneyard/store/cluster"
	"boneyard/table"
	"boneyard/table/thinker"

	"github.com/prometheus/client_golang/prometheus"
)

// club is what lies behind the gate: the lobby, its store, and the callers' pages, wired together here.
type club struct {
	lobby    *lobby.Lobby
	store    *store.Store
	thinker  *thinker.Thinker
	metrics  *clubMetrics
	opened   time.Time
	ops      Operators
	named    func(lobby.KeyID) // unless nil, hears of keys that get a name
	nameTime atomic.Int64      // replaces the constant, if not 0
	address  string            // the part of an ssh command that names this club
	version  string            // of the program, for screens
	log      *slog.Logger
	outside  *outside.Teller
	node     *cluster.Node // nil without a cluster
}

// openTime is how long it may take to open the store and restore the tables.
const openTime = 5 * time.Minute

// lookLater is the size from which a data file that was closed properly is verified while the club is already
// open. A smaller one takes less than two seconds.
const lookLater = 256 << 20

// openStore opens the club's file. digestEvery is as in the store's options, or 0 for the default.
func openStore(ctx context.Context, s Settings, digestEvery uint64, metrics *clubMetrics, log *slog.Logger) (*store.Store, error) {
	options := store.DefaultOptions()
	options.DigestEvery = cmp.Or(digestEvery, options.DigestEvery)
	options.Committed = metrics.committed
	options.Warn = func(err error) { log.Error("store", "err", err) }
	options.Trouble = func(err error) {
		if err != nil {
			log.Error("the data file cannot be written", "err", err)
		} else {
			log.Info("the data file can be written again")
		}
	}
	options.LookLater = lookLater
	options.Looked = func(bytes int64, took time.Duration) {
		log.Info("the data file is sound", "bytes", bytes, "took", took)
	}
	options.Migrated = func(from, to int64, took time.Duration, kept string) {
		log.Info("the data file was brought up to date", "from", from, "to", to, "took", took, "copy", kept)
	}
	st, err := store.Open(ctx, s.Data, options)
	if err != nil {
		return nil, err
	}
	if n := st.Unseen(); n > 0 {
		log.Info("the data file is checked while the club is open; until that is done, writes stay in its log", "bytes", n)
	}
	return st, nil
}

// newClub opens the lobby, restores all tables, and registers their metrics with reg. It takes over the store
// and closes it on errors.
func newClub(s Settings, st *store.Store, metrics *clubMetrics, ops Operators, tables table.Deps, log *slog.Logger,
	reg prometheus.Registerer) (_ *club, err error) {
	const guestTime = 15 * time.Second // how long a guest's seat is kept in a cluster, for their session to continue at another node
	ctx, cancel := context.WithTimeout(context.Background(), openTime)
	defer cancel()
	cfg, err := lobbyConfig(s)
	if err != nil {
		return nil, errors.Join(err, st.Close())
	}
	bots := thinker.New(metrics.chosen)
	tables.Chooser = bots
	tables.OneNetwork = bool(s.RateOneNetwork)
	if s.Cluster != "" {
		tables.Times = cmp.Or(tables.Times, table.DefaultTimes())
		tables.Times.Guest = guestTime
	}
	c := &club{store: st, thinker: bots, metrics: metrics, opened: time.Now(), ops: ops, address: sshAddress(s),
		version: readVersion().short(), log: log}
	key, err := readWebhookKey(s.WebhookKey)
	if err == nil {
		c.outside = outside.New(outside.Config{Folder: s.Publish, Hook: outside.Hook{URL: s.Webhook, Form: s.WebhookForm, Key: key},
			Address: c.address, Log: log})
		c.lobby, err = lobby.New(cfg, lobby.Deps{Stores: watchedStore{st, c}.Stores(), Now: tables.Now, Log: log, Table: tables,
			Outside: c.outside.Told})
	}
	if err != nil {
		bots.Close()
		return nil, errors.Join(err, st.Close())
	}
	l := c.lobby
	if err := l.Start(ctx); err != nil {
		return nil, errors.Join(err, c.Close())
	}
	c.outside.Start(l)
	reg.MustRegister(lobbyFigures{l}, prometheus.NewGaugeFunc(prometheus.GaugeOpts{
		Name: "boneyard_bot_choices_waiting", Help: "Bots' choices still to be made or improved.",
	}, func() float64 { return float64(bots.Waiting()) }))
	return c, nil
}

// lobbyConfig returns the lobby's part of the settings.
func lobbyConfig(s Settings) (cfg lobby.Config, err error) {
	cfg = lobby.DefaultConfig()
	cfg.Guests = s.Guests
	cfg.Exhibition = bool(s.Exhibition)
	cfg.Daily = bool(s.Daily)
	cfg.ClockConfirm = s.ClockConfirm
	cfg.Salt, err = saltFrom(s.HostKeys)
	return cfg, err
}

// saltFrom derives the salt of address hashes from the host keys, existing secrets that outlast restarts.
func saltFrom(hostKeys string) ([]byte, error) {
	files, err := gate.HostKeyFiles(hostKeys)
	if err != nil {
		return nil, err
	}
	sum := sha256.New()
	sum.Write([]byte("boneyard: hashes of addresses"))
	for _, f := range files {
		b, err := os.ReadFile(f)
		if err != nil {
			return nil, err
		}
		sum.Write(b)
	}
	return sum.Sum(nil), nil
}

// sshAddress returns the club's address as in an invitation: "play.example.org", or "-p 2222 localhost".
func sshAddress(s Settings) string {
	host, port, err := splitPublicHost(s.PublicHost)
	if err == nil && port == "" {
		_, port, err = net.SplitHostPort(s.Listen)
	}
	if err != nil || port == "22" {
		return host
	}
	return "-p " + port + " " + host
}

// adviseAddress warns about invitations that cannot work, as far as the server can tell.
func adviseAddress(s Settings, container bool, log *slog.Logger) {
	host, port, _ := splitPublicHost(s.PublicHost)
	const set = "set --public-host HOST:PORT to what people call"
	switch {
	case (host == "localhost" || host == "127.0.0.1" || host == "::1") && !isLoopback(s.Listen):
		log.Warn("invitations name this machine only; "+set, "address", sshAddress(s))
	case port == "" && container && !isLoopback(s.Listen): // nothing is forwarded to loopback
		log.Warn("invitations name the port inside the container; "+set, "address", sshAddress(s))
	case port == "" && len(s.ProxyProtocolFrom) > 0:
		log.Warn("invitations name the port behind the proxy; "+set, "address", sshAddress(s))
	}
}

// inContainer reports whether there is a mark of a known container engine.
func inContainer() bool {
	for _, mark := range []string{"/.dockerenv", "/run/.containerenv"} {
		if _, err := os.Stat(mark); err == nil {
			return true
		}
	}
	return os.Getenv("container") != ""
}

// Drain tells everybody that the server is shutting down, and writes the tables to disk. In a cluster,
// another node takes the club over from here on, while the sessions at this one end.
func (c *club) Drain(ctx context.Context) {
	if err := c.lobby.Drain(ctx); err != nil && !errors.Is(err, store.ErrNotOwner) {
		c.log.Error("drain", "err", err)
	}
	if c.node != nil {
		c.node.Leave()
		c.node.YieldLead()
	}
}

// Close closes the lobby, then the store.
func (c *club) Close() error {
	ctx, cancel := context.WithTimeout(context.Background(), drainTime)
	defer cancel()
	err := c.lobby.Close(ctx)
	if errors.Is(err, store.ErrNotOwner) || c.node != nil && errors.Is(err, store.ErrAlone) {
		err = nil // another node has the tables, or will; Drain has logged what was not written
	}
	c.outside.Close()
	c.thinker.Close() // no table uses it any more
	return errors.Join(err, c.store.Close())
}

// warnOfNewKey logs an error if a host key was made for a club that people know by another one.
func warnOfNewKey(ctx context.Context, st *store.Store, file string, log *slog.Logger) {
	has, err := st.HasMembers(ctx)
	switch {
	case err != nil:
		log.Error("count the members", "err", err)
	case has:
		log.Error("a NEW HOST KEY was made, but this club has members: clients that have connected before warn of an "+
			"attack and refuse to connect. "+
			"If the old key was lost by mistake, stop the server, put the old one back, and start", "file", file)
	}
}
