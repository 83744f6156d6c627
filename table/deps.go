package table

import (
	crand "crypto/rand"
	"log/slog"
	"math/rand/v2"
	"time"

	"boneyard/rules"
)

// Deps is what a table needs from others. Only the journal is required; the rest has defaults.
type Deps struct {
	Journal Journal
	Now     func() time.Time  // with a monotonic reading, as time.Now has
	NewSeed func() rules.Seed // the seed of a game's deals; must be unpredictable
	NewCode func() string     // the code of a private table; the lobby makes sure that no two open tables share one
	Rand    func() *rand.Rand // called once for each table: for the bots and their pauses
	Log     *slog.Logger

	// From is the origin of a new table's maker in the club's own terms. It is kept with the table, never
	// shown.
	From string

	// OneNetwork lets opponents from one network be rated.
	OneNetwork bool
	// ClubNight returns the club night under which a player's games are rated even if opponents share a
	// network, 0 if there is none. It neither blocks nor calls back, and may be nil.
	ClubNight func(PlayerID) EventID

	// Stopped is when the server that wrote the tables was last known to run, by its clock; zero if unknown.
	// [Restore] counts the time since as downtime.
	Stopped time.Time

	// OnChange is called whenever a table's summary changes. It is called on the table's goroutine and must
	// neither block nor call the table.
	OnChange func(*Summary)
	// OnEnd is called, as OnChange, with a game that has ended, once it is on disk and before the players see
	// it.
	OnEnd func(GameID, Start, Result)
	// OnUnseat is called, as OnChange, with players who were made to stand up, once that is on disk, and with
	// a sentence that says why.
	OnUnseat func(ID, PlayerID, string)
	// Chooser chooses for bots; by default each table does so itself, at once.
	Chooser Chooser
	// HumanPause returns how long a house bot waits, and may think, before it plays with so many choices.
	HumanPause func(rng *rand.Rand, choices int) time.Duration
	Times      Times
}

// Times is how long a table waits for things. The zero value stands for DefaultTimes.
type Times struct {
	Countdown time.Duration // from all being ready to the first deal
	Fill      time.Duration // until bots come with FillSoon
	Silent    time.Duration // at a table without clocks, until the others may vote about a player who does not move
	Late      time.Duration // how long a player may keep others waiting who are ready
	Forced    time.Duration // before a forced draw or pass
	House     time.Duration // before each move at the exhibition table, on top of the bot's own pause
	Scoring   time.Duration // at most, between two rounds; also between two games of the exhibition table
	Pause     time.Duration // a player's pause
	Wait      time.Duration // until an absent player's game may be claimed
	// Away is how long a seat is kept before a game for a disconnected player, and, at tables without clocks,
	// until a player who is not here is absent.
	Away      time.Duration
	Guest     time.Duration // the same for a guest: 0 where sessions cannot go on at another node
	Empty     time.Duration // until a table without people closes
	EmptySlow time.Duration // the same at a table of the slow pace
	Asleep    time.Duration // until a game to which nobody comes back is abandoned
	Event     time.Duration // the same for a game of an event
	Linger    time.Duration // how long the table of an event stays after its game, so that the result can be read
	Restart   time.Duration // given to the seat to move after the table had to stop: for a restart, or a fault of the journal
	Retry     time.Duration // before the journal is tried again; it doubles each time
	RetryMost time.Duration
	Stalled   time.Duration // after which a journal that does not answer is shown as a stop of the table
	OpenHands time.Duration // how long a tile is held before watchers see it, at tables with open hands
	Watchers  time.Duration // for which arrivals and departures of watchers are collected
	HeadStart time.Duration // of players over watchers in being told of a new view
}

// DefaultTimes are the times of the club.
func DefaultTimes() Times {
	return Times{
		Countdown: 5 * time.Second, Fill: 30 * time.Second, Late: 45 * time.Second, Silent: 3 * time.Minute,
		Forced: 700 * time.Millisecond, House: 2 * time.Second,
		Scoring: 20 * time.Second, Pause: 2 * time.Minute, Wait: 24 * time.Hour, Away: 2 * time.Minute,
		Empty: 2 * time.Minute, EmptySlow: 24 * time.Hour, Asleep: 30 * 24 * time.Hour, Event: 15 * time.Minute,
		Linger: 30 * time.Second, Restart: 20 * time.Second,
		Retry: 250 * time.Millisecond, RetryMost: 10 * time.Second, Stalled: 2 * time.Second,
		OpenHands: 2 * time.Minute, Watchers: 500 * time.Millisecond,
		HeadStart: 2 * time.Millisecond,
	}
}

// complete fills in the defaults.
func (d *Deps) complete() {
	setDefault(&d.Now, d.Now == nil, time.Now)
	setDefault(&d.NewSeed, d.NewSeed == nil, NewSeed)
	setDefault(&d.NewCode, d.NewCode == nil, NewCode)
	setDefault(&d.Rand, d.Rand == nil, func() *rand.Rand { return rand.New(rand.NewPCG(rand.Uint64(), rand.Uint64())) })
	setDefault(&d.Log, d.Log == nil, slog.New(slog.DiscardHandler))
	setDefault(&d.ClubNight, d.ClubNight == nil, func(PlayerID) EventID { return 0 })
	setDefault(&d.OnChange, d.OnChange == nil, func(*Summary) {})
	setDefault(&d.OnEnd, d.OnEnd == nil, func(GameID, Start, Result) {})
	setDefault(&d.OnUnseat, d.OnUnseat == nil, func(ID, PlayerID, string) {})
	setDefault(&d.Chooser, d.Chooser == nil, Chooser(chooseNow{}))
	setDefault(&d.HumanPause, d.HumanPause == nil, humanPause)
	setDefault(&d.Times, d.Times == Times{}, DefaultTimes())
}

// setDefault sets a field that is not set.
func setDefault[T any](of *T, unset bool, to T) {
	if unset {
		*of = to
	}
}

// NewSeed returns a seed that nobody can predict.
func NewSeed() rules.Seed {
	var s rules.Seed
	crand.Read(s[:]) // never fails
	return s
}

// humanPause grows with the number of choices: 0.6 to 0.8 s for one, 1.1 to 2.3 s for six or more.
func humanPause(rng *rand.Rand, choices int) time.Duration {
	const hardest, each = 6, 100 * time.Millisecond
	hard := each * time.Duration(min(choices, hardest))
	return 500*time.Millisecond + hard + time.Duration(rng.Int64N(int64(2*hard)))
}

// NewCode returns a code for a private table, such as K7QX-4HDM: one of 24⁸, too many to try.
func NewCode() string {
	const codeSigns = "ACDEFHJKLMNPQRTUVWXY3479" // letters and digits that cannot be mistaken for each other, read or heard on the phone
	const group, groups = 4, 2
	code := make([]byte, 0, (group+1)*groups)
	for len(code) < cap(code)-1 {
		if len(code) == group {
			code = append(code, '-')
		}
		var b [1]byte
		crand.Read(b[:])
		if int(b[0]) < 256/len(codeSigns)*len(codeSigns) { // else the first signs would be more frequent
			code = append(code, codeSigns[int(b[0])%len(codeSigns)])
		}
	}
	return string(code)
}
