package client

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"slices"
	"sync"
	"sync/atomic"
	"time"
)

// Tally is what watchers and players of all tables have seen since it was made.
type Tally struct {
	Delay    Recorder // from a player's key to the last byte of the frame at each watcher
	Screen   Recorder // from a player's key to the same player's own screen
	Ack      Recorder // from a program's line to the answer
	Moves    atomic.Int64
	Updates  atomic.Int64 // frames at watchers that showed a newer version
	Ordinary atomic.Int64 // versions that updates within one round have brought; one that is late brings several
	Plain    atomic.Int64 // their bytes
	Paired   Recorder     // in an arena, from the end of a game to the next table

	Newcomers, In, Late, Calls atomic.Int64 // people who come in while others play; those who were late or never came in; their calls
	Entered                    Recorder     // from a newcomer's first call to the lobby
}

// Recorder collects durations from many goroutines. The zero value is ready for use.
type Recorder struct {
	mu  sync.Mutex
	all []time.Duration
}

// Add counts a duration; a negative one counts as 0.
func (l *Recorder) Add(d time.Duration) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.all = append(l.all, max(d, 0))
}

// Latency summarises durations, in milliseconds.
type Latency struct {
	N     int64   `json:"n"`
	P50   float64 `json:"p50_ms"`
	P99   float64 `json:"p99_ms"`
	Worst float64 `json:"worst_ms"`
}

// Sum returns the durations so far; nil if there are none.
func (l *Recorder) Sum() *Latency {
	l.mu.Lock()
	defer l.mu.Unlock()
	if len(l.all) == 0 {
		return nil
	}
	slices.Sort(l.all)
	at := func(percent int) float64 { return l.all[(len(l.all)-1)*percent/100].Seconds() * 1e3 }
	return &Latency{int64(len(l.all)), at(50), at(99), at(100)}
}

// Table is one table of the load.
type Table struct {
	Number   string
	Programs bool                   // play there, not people at screens
	Open     bool                   // everybody may sit down, and no game begins
	Tally    *atomic.Pointer[Tally] // of the phase that is being measured

	mu   sync.Mutex
	last []*sent // moves that were sent, the newest last
}

// sent is a move: the version that its player saw, and when it was sent.
type sent struct {
	version uint64
	at      time.Time
	tally   *Tally
}

// keptMoves is how far a watcher may be behind and still be counted.
const keptMoves = 64

// moved notes a move that is about to be sent. Only the player whose turn it is calls it.
func (t *Table) moved(version uint64) *sent {
	move := &sent{version, time.Now(), t.Tally.Load()}
	move.tally.Moves.Add(1)
	t.mu.Lock()
	defer t.mu.Unlock()
	t.last = append(t.last[max(0, len(t.last)-keptMoves+1):], move)
	return move
}

// LastMove returns when the last move was sent, or zero if none was.
func (t *Table) LastMove() time.Time {
	t.mu.Lock()
	defer t.mu.Unlock()
	if n := len(t.last); n > 0 {
		return t.last[n-1].at
	}
	return time.Time{}
}

// seen notes that a watcher's screen went from one version to another with a frame of so many bytes.
func (t *Table) seen(before, after uint64, at time.Time, size int, ordinary bool) {
	tally := t.Tally.Load()
	tally.Updates.Add(1)
	if ordinary {
		tally.Ordinary.Add(int64(after - before))
		tally.Plain.Add(int64(size))
	}
	t.mu.Lock()
	defer t.mu.Unlock()
	for _, m := range slices.Backward(t.last) {
		if m.version < before {
			return
		}
		if m.version < after {
			m.tally.Delay.Add(at.Sub(m.at))
		}
	}
}

// Echo is the last text that the bare server was told to send, and how long it took to reach its clients.
type Echo struct {
	Said  atomic.Pointer[time.Time] // nil: nothing yet
	Delay Recorder
}

// Player plays at a table, by way of its face: what the club proposes, or the first option.
type Player struct {
	*Client
	Face
	Pace time.Duration // from the beginning of a turn to the answer, half as much more or less
	Gate *sync.RWMutex // locked while nobody moves
}

// Face is what a player sees of a table: a [Screen], or the lines of a [Program].
type Face interface {
	// Sit begins the session with a command that leads to a seat, and returns the number of the table.
	Sit(ctx context.Context, command string) (number string, err error)
	turn() turn // called with mu held
}

// turn is what a table asks of a player.
type turn struct {
	answer  string // empty: nothing is asked
	where   string // it is asked
	version uint64 // of the table
	thinks  bool   // the player, first
	plays   bool   // the answer is a move
}

// Begun waits for the first round.
func (c *Client) Begun(ctx context.Context) error {
	return c.wait(ctx, "first round", func() bool { return c.begun })
}

// Known is the least version that the table must have: one that was told, or that an acknowledged move has led to.
func (c *Client) Known() uint64 {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.version
}

// Settled waits until the last move is acknowledged or refused. All moves are legal: it returns an error for each
// that was refused, and one if the session has ended.
func (c *Client) Settled(ctx context.Context) error {
	err := c.wait(ctx, "acknowledgment", func() bool { return c.waits == nil })
	c.mu.Lock()
	defer c.mu.Unlock()
	select {
	case <-c.Ended:
		err = fmt.Errorf("the session has ended; there is:\n%s", c.picture())
	default:
	}
	return errors.Join(append(c.denied, err)...)
}

// acknowledged notes that the club has answered the last move.
func (c *Client) acknowledged(now time.Time) {
	delay := &c.waits.tally.Screen
	if c.Table.Programs {
		delay = &c.waits.tally.Ack
	}
	delay.Add(now.Sub(c.waits.at))
	c.version, c.waits = max(c.version, c.waits.version+1), nil
}

// Play plays until ctx ends, which is no error.
func (p *Player) Play(ctx context.Context) error {
	var asked, answered turn // nothing is answered twice
	moves, thought := 0, -1  // before which of them it has thought: once, however many come to watch meanwhile
	for {
		err := p.await(ctx, "turn", func() bool {
			asked = p.turn()
			return asked.answer != "" && asked != answered
		})
		// Players do not all think for the same time; if they did, all tables would move at the same moment.
		if err == nil && asked.thinks && thought != moves {
			Sleep(ctx, p.Pace/2+rand.N(p.Pace+1))
			thought = moves
			continue // and look again
		}
		p.Gate.RLock()
		p.mu.Lock()
		still := p.turn() == asked // it may have waited for long
		if err == nil && still && asked.plays {
			p.waits = p.Table.moved(asked.version)
			moves++
		}
		p.mu.Unlock()
		if err == nil && still {
			err = p.Send(asked.answer)
			answered = asked
		}
		p.Gate.RUnlock()
		if err == nil && still {
			err = p.wait(ctx, "answer", func() bool {
				return p.waits == nil && (asked.answer != keyReady || p.turn().answer != keyReady) // pressed twice, it is taken back
			})
		}
		if ctx.Err() != nil {
			return nil
		}
		if err != nil {
			return err
		}
	}
}
