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
	// HostKeys prove the server to its clients; at least one. See [LoadHostKeys].
	HostKeys []gossh.Signer
	// NextHostKeys are to follow HostKeys one day. Clients that ask for it are told of them, and know them then.
	NextHostKeys []gossh.Signer

	// Guests admits callers without a usable key.
	Guests bool

	// Exempt networks are neither counted nor punished before login, and their guests and sessions
	// are not counted by address. Loopback is not among them unless listed.
	Exempt Networks

	// Proxies are the networks whose connections must begin with a PROXY protocol v2 header, and
	// whose word on the client's address is taken. Nobody else may send one.
	Proxies Networks
	// ProxyHeaders is how many connections of theirs may wait for their header at one moment, and
	// ProxyHeaderTime for how long at most. A proxy has the header ready when it connects.
	ProxyHeaders    int
	ProxyHeaderTime time.Duration

	Startups  StartupLimits
	Penalties PenaltyRules

	// Connections is how many connections may come from one source and from one network, over time.
	Connections limit.Rule

	// Banned says why a caller may not come in, as a sentence for them; it is empty for those who may. key is zero for a
	// guest. It is asked before each session, and must not block. Callers who insist are shut out as others
	// are who fail to log in.
	Banned func(addr netip.Addr, key KeyID) string

	// Rank says what the holder of a key is to the club. It is asked before each session, and may take as
	// long as looking up an account does; as a rule whoever has a key is a member. What it says of a key that
	// has no account yet is changed with [Server.Named].
	Rank func(ctx context.Context, key KeyID) Rank

	// Connections of all kinds, with or without a session, that may be open at one moment: what exceeds it is
	// closed at once. 0: any number. See [Config.Fit].
	MostConnections int

	// Passes says that the handler has other servers serve its calls (see [Server.Take] and package relay),
	// which find out who may come in. Then Banned and Rank are asked there.
	Passes bool

	// LoginGrace is how long a connection may take from being accepted until its session begins.
	LoginGrace time.Duration

	// Sessions is how many sessions there may be in all; SessionsPerPlayer how many of one key. Strangers,
	// who are guests and keys without an account, may have twice as many from one source. Of all, one source
	// gets a fiftieth, one network a quarter, and strangers three quarters; the last twentieth is kept for
	// players of running games and for operators.
	Sessions          int
	SessionsPerPlayer int

	// KeepAlive is how long a line may be silent before the client is asked for a sign of life. A
	// line silent for KeepAliveMissed such intervals is dead.
	KeepAlive       time.Duration
	KeepAliveMissed int

	// WriteStall is how long one write may wait for a client that does not read.
	WriteStall time.Duration

	// LeastPacket is how many bytes a client must take in one packet. A large window in pieces of 9 bytes took four
	// times the processor. OpenSSH takes 16 kB or more.
	LeastPacket uint64

	Input InputLimits

	Log   *slog.Logger
	Hooks Hooks

	// Now is the clock of the penalties and of the limits over time; tests replace it.
	Now func() time.Time
}

// StartupLimits bound connections whose session has not begun.
type StartupLimits struct {
	// Full is how many of them there may be in all. One source has as many as it may have sessions: after a restart all who
	// share an address call again at once.
	Full int
	// BeforeKeys is the age at which a connection that has not exchanged keys is late, and BeforeSession that
	// of one whose session has not begun. One that is late has to give its place to others, and is punished
	// like one that has used up the LoginGrace. A client takes some round trips, or until somebody has typed
	// a passphrase; that is no offence by itself.
	BeforeKeys, BeforeSession time.Duration
}

// PenaltyRules say for how long a source is shut out for what it did, after OpenSSH's PerSourcePenalties.
type PenaltyRules struct {
	// AuthFail is for a connection that tried to log in and failed, NoAuth for one that ended without trying,
	// or without a session, GraceExceeded for one that used up its LoginGrace or was late when it ended,
	// Flood for one that was ended for what it sent. Whatever ends without a session costs at least as much
	// time as it held its place, so that a caller who holds one place after another is not shut out, and one
	// who holds several at once is.
	AuthFail, NoAuth, GraceExceeded, Flood time.Duration
	// A source is shut out once its penalties add up to more than Min; they never exceed Max.
	Min, Max time.Duration
	// Sources bounds the table; the penalty that ends soonest is forgotten for a new one.
	Sources int
}

// InputLimits bound what a client may send.
type InputLimits struct {
	// LineRate and LineBurst bound all bytes of a connection, in bytes a second and bytes. The
	// client is slowed down to the rate; one that has been slowed down for FloodAfter in all is ended.
	LineRate, LineBurst int
	FloodAfter          time.Duration
	// KeyRate and KeyBurst bound the keystrokes of a terminal, in bytes a second and bytes. What
	// exceeds them is dropped, with all that follows until the keys have been quiet for KeyQuiet.
	KeyRate, KeyBurst int
	KeyQuiet          time.Duration
	// UnreadFor is how long a client without a terminal may have more input waiting than is kept, while
	// nothing of it is read.
	UnreadFor time.Duration
}

// DefaultConfig returns the limits for a server that is open to the internet. HostKeys must still be set.
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

// Fit has the gate take no more connections than the process may have files open, and leaves it some for its
// own files. A third of them is for connections without a session, of which the oldest have to go when others
// come. It reports whether that leaves fewer sessions than there were to be.
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

// ownFiles is how many files the process needs for itself: its data, each connection to which has up to three
// open, its log, its metrics, the other nodes of a cluster.
const ownFiles = 96

// Validate reports what is missing; all else that an operator chooses is checked where it is read.
func (c Config) Validate() error {
	if len(c.HostKeys) == 0 {
		return errors.New("no host key")
	}
	return nil
}
