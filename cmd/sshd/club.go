package main

import (
	"context"
	"crypto/sha256"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"net"
	"os"
	"path/filepath"
	"strconv"
	"time"

	"boneyard/cmd/sshd/gate"
	"boneyard/lobby"
	"boneyard/store"
	"boneyard/table"
	"boneyard/ui"

	"github.com/prometheus/client_golang/prometheus"
)

// club is what lies behind the gate: the lobby, its store, and the pages that a caller sees. This is the one place where
// they are wired together.
type club struct {
	lobby   *lobby.Lobby
	store   *store.Store
	metrics *clubMetrics
	ops     Operators
	address string // the part of an ssh command that names this club
	log     *slog.Logger
}

// openTime is how long opening the store and bringing the tables back may take.
const openTime = 5 * time.Minute

// newClub opens the store and the lobby, brings back all tables, and registers what is counted of them with reg.
func newClub(s Settings, ops Operators, tables table.Deps, log *slog.Logger, reg prometheus.Registerer) (*club, error) {
	ctx, cancel := context.WithTimeout(context.Background(), openTime)
	defer cancel()
	metrics := newClubMetrics(reg)
	options := store.DefaultOptions()
	options.Committed = metrics.committed
	st, err := store.Open(ctx, s.Data, options)
	if err != nil {
		return nil, err
	}
	cfg := lobby.DefaultConfig()
	cfg.Guests = lobby.GuestPolicy(s.Guests)
	cfg.Exhibition = bool(s.Exhibition)
	if cfg.Salt, err = saltFrom(s.HostKeys); err != nil {
		return nil, errors.Join(err, st.Close())
	}
	l, err := lobby.New(cfg, lobby.Deps{Store: measuredStore{st, metrics}, Log: log, Table: tables})
	if err != nil {
		return nil, errors.Join(err, st.Close())
	}
	c := &club{lobby: l, store: st, metrics: metrics, ops: ops, address: sshAddress(s), log: log}
	if err := l.Start(ctx); err != nil {
		return nil, errors.Join(err, c.Close())
	}
	reg.MustRegister(newLobbyFigures(l))
	return c, nil
}

// saltFrom derives the salt of addresses' hashes from the host keys: a secret that is there already and stays the same
// over restarts.
func saltFrom(hostKeys string) ([]byte, error) {
	files, err := filepath.Glob(filepath.Join(hostKeys, "*"))
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

// sshAddress is how an invitation names this club: "play.example.org", or "-p 2222 localhost".
func sshAddress(s Settings) string {
	_, port, err := net.SplitHostPort(s.Listen)
	if err != nil || port == "22" {
		return s.PublicHost
	}
	return "-p " + port + " " + s.PublicHost
}

// Drain tells everybody that the server goes down, and puts on disk what the tables have.
func (c *club) Drain(ctx context.Context) {
	if err := c.lobby.Drain(ctx); err != nil {
		c.log.Error("drain", "err", err)
	}
}

// Close ends the lobby, then the store.
func (c *club) Close() error {
	ctx, cancel := context.WithTimeout(context.Background(), drainTime)
	defer cancel()
	return errors.Join(c.lobby.Close(ctx), c.store.Close())
}

// Serve leads one caller through the club.
func (c *club) Serve(ctx context.Context, call *gate.Call) int {
	err := c.serve(ctx, call)
	switch {
	case err == nil:
		return 0
	case errors.Is(err, errUsage):
		_, _ = fmt.Fprintf(call.Err, "%v\r\n", err) // the caller may be gone
		return 2
	}
	c.log.Warn("session", "addr", call.Addr, "err", err)
	_, _ = fmt.Fprintf(call.Err, "%s\r\n", "Something went wrong on our side. Your games are kept: please call again.")
	return 1
}

// errUsage is returned for a command that the club does not know.
var errUsage = errors.New("try: ssh -t HOST, ssh -t HOST watch TABLE, ssh -t HOST join CODE")

func (c *club) serve(ctx context.Context, call *gate.Call) error {
	start, err := parseStart(call.Command)
	if err != nil {
		return err
	}
	if call.Term == nil {
		return fmt.Errorf("the club is seen on a terminal: %w", errUsage)
	}
	origin := lobby.Origin{Net: call.Addr.String(), Key: lobby.KeyID(call.Key), Operator: call.HasKey && c.ops.Has(call.Key), Terminal: call.Term.Name}
	s := ui.Session{
		Club: c.lobby, Origin: origin, User: call.User, Address: c.address, Start: start,
		In: call.In, Out: call.Out, Term: call.Term.Name, Env: call.Env,
		Size: ui.Size{Width: call.Term.Size.Width, Height: call.Term.Size.Height}, Resized: resized(call.Term),
		OnStall: func() { call.Close("its terminal takes no output") }, Log: c.log,
	}
	if call.HasKey {
		key := lobby.KeyID(call.Key)
		s.Key = &key
		if s.Account, err = c.lobby.Account(ctx, key); err != nil && !errors.Is(err, lobby.ErrNotFound) {
			return err
		}
	}
	return ui.Run(ctx, s)
}

// resized waits for the next size of a terminal's window.
func resized(t *gate.Terminal) func(context.Context) (ui.Size, bool) {
	return func(ctx context.Context) (ui.Size, bool) {
		select {
		case <-ctx.Done():
			return ui.Size{}, false
		case s := <-t.Resizes:
			return ui.Size{Width: s.Width, Height: s.Height}, true
		}
	}
}

// parseStart reads "watch TABLE" and "join CODE".
func parseStart(words []string) (ui.Start, error) {
	switch {
	case len(words) == 0:
		return ui.Start{}, nil
	case len(words) == 2 && words[0] == "join":
		return ui.Start{Join: words[1]}, nil
	case len(words) == 2 && words[0] == "watch":
		if n, err := strconv.ParseInt(words[1], 10, 64); err == nil && n > 0 {
			return ui.Start{Watch: n}, nil
		}
	}
	return ui.Start{}, errUsage
}

var _ io.Closer = (*club)(nil)
