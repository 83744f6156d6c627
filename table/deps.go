package table

import (
	crand "crypto/rand"
	"errors"
	"log/slog"
	"math/rand/v2"
	"time"

	"boneyard/rules"
)

// Deps is what a table works with. Only the journal is needed; the rest has defaults.
type Deps struct {
	Journal Journal
	Now     func() time.Time  // with a monotonic reading, as time.Now has
	NewSeed func() rules.Seed // the seed of a game's deals; must be unpredictable
	NewCode func() string     // the code of a private table; the lobby makes sure that no two open tables share one
	Rand    func() *rand.Rand // asked once for each table: for the bots and their pauses
	Log     *slog.Logger

	// From is from where the maker of a new table comes, in the club's own words. It is kept with the table,
	// and nobody is shown it.
	From string

	// OneNetwork lets opponents from one network be rated.
	OneNetwork bool
	// ClubNight is the club night under which a player's games are rated whoever shares their network, 0 if
	// there is none. It neither blocks nor calls back, and may be nil.
	ClubNight func(PlayerID) EventID

	// Stopped is when the server that wrote the tables was last known to run, by the clock by which it wrote them; zero if that
	// is not known. [Restore] counts what came after as time in which the server was down.
	Stopped time.Time

	// OnChange is called whenever a table's line in the lobby changes. It is called on the table's goroutine and must
	// neither block nor call the table.
	OnChange func(*Summary)
	// OnEnd is called with a game that has ended, after it is on disk and before the players see it; likewise.
	OnEnd func(GameID, Start, Result)
	// OnUnseat is called with players who were made to stand up, after that is on disk, with a sentence that
	// says why; likewise.
	OnUnseat func(ID, PlayerID, string)
	// Chooser chooses for bots; without one each table does it itself, at once.
	Chooser Chooser
	// HumanPause is how long a bot of the house that has so many choices waits before it plays, and has time to choose.
	HumanPause func(rng *rand.Rand, choices int) time.Duration
	Times      Times
}

// Times is how long a table waits for things. The zero value stands for DefaultTimes.
type Times struct {
	Countdown time.Duration // from all being ready to the first deal
	Fill      time.Duration // until bots come, where they come soon
	Silent    time.Duration // at a table without clocks, until the others may vote about a player who does not move
	Late      time.Duration // for which a player may keep the others waiting who are ready
	Forced    time.Duration // before a forced draw or pass
	House     time.Duration // before each move at the exhibition table, on top of the bot's own pause
	Scoring   time.Duration // between two rounds at the longest, and between two games of the exhibition table
	Pause     time.Duration // a player's pause
	Wait      time.Duration // until an absent player's game may be claimed
	// Away is how long a seat is kept before a game for a player whose connection is lost, and, at tables without clocks,
	// until a player who is not there is absent.
	Away      time.Duration
	Guest     time.Duration // the same for a guest: 0 where sessions do not go on at another node of a cluster
	Empty     time.Duration // until a table where nobody is closes
	EmptySlow time.Duration // the same at a table of the slow pace
	Asleep    time.Duration // until a game to which nobody comes back is abandoned
	Event     time.Duration // the same for a game of an event
	Linger    time.Duration // for which the table of an event stays after its game, so that the result can be read
	Restart   time.Duration // given to the seat to move when the table had to stop: after a restart, or a fault of the journal
	Retry     time.Duration // before the journal is tried again; doubles each time
	RetryMost time.Duration
	Stalled   time.Duration // after which a journal that has not answered is shown as a stop of the table
	OpenHands time.Duration // for which a tile is held before watchers see it, at tables with open hands
	Watchers  time.Duration // arrivals and departures of watchers are announced together
	HeadStart time.Duration // after which watchers are told what players were told
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
func (d *Deps) complete() error {
	if d.Journal == nil {
		return errors.New("a table needs a journal")
	}
	usual(&d.Now, d.Now == nil, time.Now)
	usual(&d.NewSeed, d.NewSeed == nil, NewSeed)
	usual(&d.NewCode, d.NewCode == nil, NewCode)
	usual(&d.Rand, d.Rand == nil, func() *rand.Rand { return rand.New(rand.NewPCG(rand.Uint64(), rand.Uint64())) })
	usual(&d.Log, d.Log == nil, slog.New(slog.DiscardHandler))
	usual(&d.ClubNight, d.ClubNight == nil, func(PlayerID) EventID { return 0 })
	usual(&d.OnChange, d.OnChange == nil, func(*Summary) {})
	usual(&d.OnEnd, d.OnEnd == nil, func(GameID, Start, Result) {})
	usual(&d.OnUnseat, d.OnUnseat == nil, func(ID, PlayerID, string) {})
	usual(&d.Chooser, d.Chooser == nil, Chooser(chooseNow{}))
	usual(&d.HumanPause, d.HumanPause == nil, humanPause)
	usual(&d.Times, d.Times == Times{}, DefaultTimes())
	return nil
}

// usual sets what is not set.
func usual[T any](of *T, unset bool, to T) {
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

// humanPause grows with the number of choices: from 0.6 to 0.8 s where there is one, to 1.1 to 2.3 s from six.
func humanPause(rng *rand.Rand, choices int) time.Duration {
	const hardest, each = 6, 100 * time.Millisecond
	hard := each * time.Duration(min(choices, hardest))
	return 500*time.Millisecond + hard + time.Duration(rng.Int64N(int64(2*hard)))
}

// codeSigns are letters and digits that cannot be mistaken for each other, read or heard over a line.
const codeSigns = "ACDEFHJKLMNPQRTUVWXY3479"

// NewCode makes up the code of a private table, such as K7QX-4HDM: 24⁸ of them are too many to be tried.
func NewCode() string {
	const group, groups = 4, 2
	code := make([]byte, 0, (group+1)*groups)
	for len(code) < cap(code)-1 {
		if len(code) == group {
			code = append(code, '-')
		}
		var b [1]byte
		crand.Read(b[:])
		if int(b[0]) < 256/len(codeSigns)*len(codeSigns) { // or the first signs would come more often
			code = append(code, codeSigns[int(b[0])%len(codeSigns)])
		}
	}
	return string(code)
}
