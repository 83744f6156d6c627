package lobby

import (
	"errors"
	"fmt"
	"log/slog"
	"math/rand/v2"
	"time"

	"boneyard/lobby/event"
	"boneyard/table"
)

// GuestPolicy says what people without a key may do.
type GuestPolicy string

// What guests may do. Those who are let in may speak.
const (
	GuestsPlay  GuestPolicy = "play"
	GuestsWatch GuestPolicy = "watch"
	GuestsOff   GuestPolicy = "off"
)

// UnmarshalText reads one of the policies; anything else is an error.
func (p *GuestPolicy) UnmarshalText(text []byte) error {
	switch v := GuestPolicy(text); v {
	case GuestsPlay, GuestsWatch, GuestsOff:
		*p = v
		return nil
	}
	return fmt.Errorf("must be %s, %s or %s, not %q", GuestsPlay, GuestsWatch, GuestsOff, text)
}

// MarshalText is the reverse of UnmarshalText.
func (p GuestPolicy) MarshalText() ([]byte, error) { return []byte(p), nil }

// MaxClockConfirm is the largest [Config.ClockConfirm].
const MaxClockConfirm = 24 * time.Hour

// Config is what an operator chooses. Get one from [DefaultConfig].
type Config struct {
	Guests     GuestPolicy
	Exhibition bool // one table of house bots plays while somebody looks
	Daily      bool // there is a daily deal

	// ClockConfirm is how long the server's clock must go on evenly, after it has leapt, until events believe
	// it; 0: not at all.
	ClockConfirm time.Duration

	Batch      time.Duration // the least time between two snapshots
	MaxTables  int           // tables that people have made, and as many again that events have had made for several players
	TablesEach int           // tables that one person has made and that wait for their first game
	TablesNet  int           // tables that were made from one address, see [Origin]; three times as many from a /24 or /48
	SeatsEach  int           // tables at which one person sits
	TeamSize   int           // members of a team

	// Salt keeps the hashes of addresses from being guessed. It should stay the same over restarts, so that tables that
	// were restored still know equal networks; if it is empty, a random one is used for this run.
	Salt []byte
}

// DefaultConfig is a club that is open to all.
func DefaultConfig() Config {
	return Config{
		Guests: GuestsPlay, Exhibition: true, Batch: 100 * time.Millisecond,
		MaxTables: 2000, TablesEach: 3, TablesNet: 24, SeatsEach: 8, TeamSize: 12, ClockConfirm: event.ConfirmTime,
	}
}

// Validate says in one line what is wrong with a setting that an operator chooses.
func (c *Config) Validate() error {
	if err := new(GuestPolicy).UnmarshalText([]byte(c.Guests)); err != nil {
		return fmt.Errorf("guests: %w", err)
	}
	if c.ClockConfirm < 0 || c.ClockConfirm > MaxClockConfirm {
		return fmt.Errorf("clock confirm: must be from 0 to %v", MaxClockConfirm)
	}
	return nil
}

// Deps is what a lobby works with. Stores are needed; what else is nil gets its usual value.
type Deps struct {
	Stores Stores
	Now    func() time.Time  // the wall clock, for stamps and sanctions
	Rand   func() *rand.Rand // a new generator at each call, for names
	Log    *slog.Logger      // gets no chat and no keys
	Table  table.Deps        // for the tables; Journal, OnChange and OnEnd are the lobby's to fill in

	// Outside is told news that is on disk, and nil when the plan of events has changed. It neither blocks nor calls back.
	Outside func(n *NewsItem)
}

// complete fills in what has a default. Tables have the lobby's clock, log and random numbers, unless they have their own.
func (d *Deps) complete() error {
	if d.Stores == (Stores{}) {
		return errors.New("a lobby needs a store")
	}
	if d.Now == nil {
		d.Now = time.Now
	}
	if d.Rand == nil {
		d.Rand = func() *rand.Rand { return rand.New(rand.NewPCG(rand.Uint64(), rand.Uint64())) }
	}
	if d.Outside == nil {
		d.Outside = func(*NewsItem) {}
	}
	if d.Log == nil {
		d.Log = slog.New(slog.DiscardHandler)
	}
	t := &d.Table
	if t.NewSeed == nil {
		t.NewSeed = table.NewSeed
	}
	if t.Log == nil {
		t.Log = d.Log
	}
	if t.Now == nil {
		t.Now = d.Now
	}
	if t.Rand == nil {
		t.Rand = d.Rand
	}
	return nil
}
