package gate

import (
	"context"
	"errors"
	"log/slog"
	"net/netip"
	"time"

	"boneyard/lobby/limit"

	gossh "golang.org/x/crypto/ssh"
)

// Config is how a [Server] treats connections. Start from [DefaultConfig].
type Config struct {
	// HostKeys authenticate the server to its clients; at least one. See [LoadHostKeys].
	HostKeys []gossh.Signer
	// NextHostKeys will follow HostKeys one day. Clients that ask for them learn them in advance.
	NextHostKeys []gossh.Signer

	// Guests admits callers without a usable key.
	Guests bool

	// Exempt networks are neither limited nor penalised before login, and their guests and sessions are not
	// counted by address. Loopback is exempt only if listed.
	Exempt Networks

	// Proxies are the networks whose connections must begin with a PROXY protocol v2 header, which is trusted
	// for the client's address. Nobody else may send one.
	Proxies Networks
	// ProxyHeaders is how many of their connections may wait for a header at once, and ProxyHeaderTime for
	// how long. A proxy has the header ready when it connects.
	ProxyHeaders    int
	ProxyHeaderTime time.Duration

	Startups  StartupLimits
	Penalties PenaltyRules

	// Connections limits the rate of connections from one source and from one network.
	Connections limit.Rule

	// Banned returns why a caller is banned, as a sentence for them; it is empty for everybody else. key is
	// zero for a guest. It is called before each session, and must not block. Callers who keep trying are
	// penalised like those who fail to log in.
	Banned func(addr netip.Addr, key KeyID) string

	// Rank returns the rank of a key's holder. It is called before each session, and may take as long as
	// looking up an account; by default everybody with a key is a member. [Server.Named] changes the rank of
	// a key that had no account when it was asked for.
	Rank func(ctx context.Context, key KeyID) Rank

	// MostConnections is how many connections may be open at once, with or without a session; others are
	// closed at once. 0 means any number. See [Config.Fit].
	MostConnections int

	// Passes is set if the handler has other servers serve its calls (see [Server.Take] and package relay).
	// Then those servers check Banned and Rank.
	Passes bool

	// LoginGrace is how long a connection may take from being accepted until its session begins.
	LoginGrace time.Duration

	// Sessions is the most sessions in all, SessionsPerPlayer the most of one key. Strangers, that is guests
	// and keys without an account, may have twice as many from one source. One source gets at most a fiftieth
	// of all, one network a quarter, and strangers three quarters; the last twentieth is reserved for players
	// in running games and for operators.
	Sessions          int
	SessionsPerPlayer int

	// KeepAlive is how long a line may be silent before the client is asked for a reply. A line silent for
	// KeepAliveMissed such intervals is dead.
	KeepAlive       time.Duration
	KeepAliveMissed int

	// WriteStall is how long one write may wait for a client that does not read.
	WriteStall time.Duration

	// LeastPacket is how many bytes a client must accept in one packet. Sending a large window in pieces of 9
	// bytes took four times the CPU time. OpenSSH accepts 16 kB or more.
	LeastPacket uint64

	Input InputLimits

	Log   *slog.Logger
	Hooks Hooks

	// Now is the clock for penalties and rate limits; tests replace it.
	Now func() time.Time
}

// StartupLimits bound connections whose session has not begun.
type StartupLimits struct {
	// Full is how many there may be in all. One source may have as many as it may have sessions: after a
	// restart, all who share an address call again at once.
	Full int
	// BeforeKeys is the age at which a connection that has not exchanged keys is late, and BeforeSession that
	// of one whose session has not begun. A late connection gives its place to others when there are none
	// left, and is then penalised as if it had used up the LoginGrace. Being late alone is no offence: a
	// client takes some round trips, or until somebody has typed a passphrase.
	BeforeKeys, BeforeSession time.Duration
}

// PenaltyRules say for how long a source is shut out for its offences, after OpenSSH's PerSourcePenalties.
type PenaltyRules struct {
	// AuthFail is for a connection that tried to log in and failed, NoAuth for one that ended without trying,
	// or without a session, GraceExceeded for one that used up its LoginGrace or was late when it ended,
	// Flood for one that was ended for what it sent. A connection that ends without a session costs at least
	// the time that it held its place, so that a caller who holds one place after another is not shut out,
	// and one who holds several at once is.
	AuthFail, NoAuth, GraceExceeded, Flood time.Duration
	// A source is shut out once its penalties add up to more than Min; they never exceed Max.
	Min, Max time.Duration
	// Sources is the size of the table; when it is full, the penalties that end soonest are dropped.
	Sources int
}

// InputLimits bound what a client may send.
type InputLimits struct {
	// LineRate and LineBurst bound all input of a connection, in bytes a second and bytes. A client that
	// exceeds them is slowed down, and disconnected once that has taken FloodAfter in all.
	LineRate, LineBurst int
	FloodAfter          time.Duration
	// KeyRate and KeyBurst bound the keystrokes of a terminal, in bytes a second and bytes. Excess is
	// dropped, with everything after it until the keys have been quiet for KeyQuiet.
	KeyRate, KeyBurst int
	KeyQuiet          time.Duration
	// UnreadFor is how long a client without a terminal may have more input waiting than the inbox holds
	// while none of it is read.
	UnreadFor time.Duration
}

// DefaultConfig returns limits for a server that is open to the internet. HostKeys must still be set.
func DefaultConfig() Config {
	return Config{
		Guests:   true,
		Startups: StartupLimits{Full: 400, BeforeKeys: 3 * time.Second, BeforeSession: 5 * time.Second},
		Connections: limit.Rule{
			Addr:    limit.Rate{Burst: 100, Every: 500 * time.Millisecond},
			Network: limit.Rate{Burst: 2000, Every: 20 * time.Millisecond},
		},
		ProxyHeaders:      256,
		ProxyHeaderTime:   5 * time.Second,
		LoginGrace:        20 * time.Second,
		Sessions:          2000,
		SessionsPerPlayer: 5,
		KeepAlive:         15 * time.Second,
		KeepAliveMissed:   3,
		WriteStall:        10 * time.Second,
		LeastPacket:       1 << 10,
		Penalties: PenaltyRules{
			AuthFail:      5 * time.Second,
			NoAuth:        time.Second,
			GraceExceeded: 10 * time.Second,
			Flood:         10 * time.Second,
			Min:           15 * time.Second,
			Max:           10 * time.Minute,
			Sources:       16384,
		},
		Input: InputLimits{
			LineRate:   256 << 10,
			LineBurst:  3 << 19, // 20,000 resizes
			FloodAfter: 10 * time.Second,
			KeyRate:    1 << 10,
			KeyBurst:   2 << 10,
			KeyQuiet:   200 * time.Millisecond,
			UnreadFor:  time.Minute,
		},
		Log:    slog.Default(),
		Hooks:  NoHooks(),
		Banned: func(netip.Addr, KeyID) string { return "" },
		Rank:   func(context.Context, KeyID) Rank { return Member },
		Now:    time.Now,
	}
}

// Fit limits connections to the number of files that the process may have open, less those it needs for
// itself. A third is for connections without a session, of which the oldest give way to new ones. Fit reports
// whether fewer sessions remain than Sessions asked for.
func (c *Config) Fit(files int) (fewer bool) {
	c.MostConnections = max(files-ownFiles, 12)
	third := c.MostConnections / 3
	c.Startups.Full = min(c.Startups.Full, third)
	rest := c.MostConnections - c.Startups.Full
	if len(c.Proxies) > 0 {
		c.ProxyHeaders = min(c.ProxyHeaders, third)
		rest -= c.ProxyHeaders
	}
	fewer = rest < c.Sessions
	c.Sessions = min(c.Sessions, rest)
	return fewer
}

// ownFiles is how many files the process needs for itself: its database (up to three for each connection to
// it), log, metrics, and the other nodes of a cluster.
const ownFiles = 96

// Validate returns an error if there is no host key; all other settings are checked where they are read.
func (c Config) Validate() error {
	if len(c.HostKeys) == 0 {
		return errors.New("no host key")
	}
	return nil
}
