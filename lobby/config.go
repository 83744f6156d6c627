package lobby

import (
	"fmt"
	"log/slog"
	"math/rand/v2"
	"time"

	"boneyard/lobby/event"
	"boneyard/table"
)

// GuestPolicy says what people without a key may do.
type GuestPolicy string

// What guests may do. Guests who may enter may also talk.
const (
	GuestsPlay  GuestPolicy = "play"
	GuestsWatch GuestPolicy = "watch"
	GuestsOff   GuestPolicy = "off"
)

// UnmarshalText reads a policy; anything else is an error.
func (p *GuestPolicy) UnmarshalText(text []byte) error {
	switch v := GuestPolicy(text); v {
	case GuestsPlay, GuestsWatch, GuestsOff:
		*p = v
		return nil
	}
	return fmt.Errorf("must be %s, %s or %s, not %q", GuestsPlay, GuestsWatch, GuestsOff, text)
}

// MarshalText is the inverse of UnmarshalText.
func (p GuestPolicy) MarshalText() ([]byte, error) { return []byte(p), nil }

// MaxClockConfirm is the largest [Config.ClockConfirm].
const MaxClockConfirm = 24 * time.Hour

// Config holds an operator's choices. Get one from [DefaultConfig].
type Config struct {
	Guests     GuestPolicy
	Exhibition bool // one table of house bots plays while somebody is looking
	Daily      bool // whether there is a daily deal

	// ClockConfirm is how long the server's clock must run evenly after a leap to be believed by events; 0:
	// at once.
	ClockConfirm time.Duration

	Batch      time.Duration // the least time between two snapshots
	MaxTables  int           // made by people, and again as many made for several players of an event
	TablesEach int           // tables made by one person that wait for their first game
	TablesNet  int           // tables made from one address, see [Origin]; three times as many from a /24 or /48
	SeatsEach  int           // tables at which one person sits
	TeamSize   int           // members of a team

	// Salt keeps hashes of addresses from being guessed. It should stay the same over restarts, so that
	// restored tables recognize equal networks. If it is empty, a random one is used for this run.
	Salt []byte
}

// DefaultConfig returns the settings of a club that is open to all.
func DefaultConfig() Config {
	return Config{
		Guests: GuestsPlay, Exhibition: true, Batch: 100 * time.Millisecond,
		MaxTables: 2000, TablesEach: 3, TablesNet: 24, SeatsEach: 8, TeamSize: 12, ClockConfirm: event.ConfirmTime,
	}
}

// Validate returns what is wrong with an operator's choices, in one line.
func (c *Config) Validate() error {
	if err := new(GuestPolicy).UnmarshalText([]byte(c.Guests)); err != nil {
		return fmt.Errorf("guests: %w", err)
	}
	if c.ClockConfirm < 0 || c.ClockConfirm > MaxClockConfirm {
		return fmt.Errorf("clock confirm: must be from 0 to %v", MaxClockConfirm)
	}
	return nil
}

// Deps are what a lobby depends on. Stores are required; a nil for anything else means the default.
type Deps struct {
	Stores Stores
	Now    func() time.Time  // the wall clock, for timestamps and sanctions
	Rand   func() *rand.Rand // returns a new generator, for names
	Log    *slog.Logger      // gets no chat and no keys
	Table  table.Deps        // for the tables; the lobby sets Journal and the callbacks

	// Outside receives news once on disk, and nil if the calendar has changed. It must not block or call
	// back.
	Outside func(n *NewsItem)
}

// complete sets the defaults. Tables get the lobby's clock, log and random numbers, unless they have others.
func (d *Deps) complete() {
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
}
