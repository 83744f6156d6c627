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

// Tally counts what watchers and players of all tables have seen since it was made.
type Tally struct {
	Delay    Recorder // from a player's key to the last byte of the frame at each watcher
	Screen   Recorder // from a player's key to the player's own screen
	Ack      Recorder // from a program's line to the answer
	Moves    atomic.Int64
	Updates  atomic.Int64 // frames at watchers that showed a newer version
	Ordinary atomic.Int64 // versions that updates within a round have brought; a late update brings several
	Plain    atomic.Int64 // bytes of these updates
	Paired   Recorder     // in an arena, from the end of a game to the next table

	Newcomers, In, Late, Calls atomic.Int64 // during play: people who call, who get in, who are late or do not; their calls
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
	Programs bool                   // programs play there, not people at screens
	Open     bool                   // everybody may sit down, and no game begins
	Tally    *atomic.Pointer[Tally] // of the phase that is being measured

	mu   sync.Mutex
	last []*sent // the newest moves; the delay of a watcher who is further behind is not counted
}

// sent is a move.
type sent struct {
	version uint64 // that its player saw
	at      time.Time
	tally   *Tally
}

// moved notes a move that is about to be sent. Only the player whose turn it is calls it.
func (t *Table) moved(version uint64) *sent {
	move := &sent{version, time.Now(), t.Tally.Load()}
	move.tally.Moves.Add(1)
	t.mu.Lock()
	defer t.mu.Unlock()
	t.last = append(t.last[max(0, len(t.last)-63):], move)
	return move
}

// LastMove returns the time of the last move, or zero if there was none.
func (t *Table) LastMove() time.Time {
	t.mu.Lock()
	defer t.mu.Unlock()
	if n := len(t.last); n > 0 {
		return t.last[n-1].at
	}
	return time.Time{}
}

// seen notes that a watcher's screen went from one version to another, with a frame of size bytes.
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

// Echo measures how long the texts of the bare server take to its clients.
type Echo struct {
	Said  atomic.Pointer[time.Time] // when the last one was sent; nil: none yet
	Delay Recorder
}

// Player plays at a table what the club proposes, or the first option.
type Player struct {
	*Client
	Face
	Pace time.Duration // from the beginning of a turn to the answer, ± 50 %
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
	thinks  bool   // the player thinks before the answer
	plays   bool   // the answer is a move
}

// Begun waits for the first round.
func (c *Client) Begun(ctx context.Context) error {
	return c.wait(ctx, "first round", func() bool { return c.begun })
}

// Known is the lowest version that the table can have: the newest shown, or that after an acknowledged move.
func (c *Client) Known() uint64 {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.version
}

// Settled waits until the last move is answered. It returns an error for each refusal, since all moves are
// legal, and one if the session has ended.
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

// acknowledged notes that the club has accepted the last move.
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
	moves, thought := 0, -1  // thought is the move for which it has thought: once, though watchers may arrive meanwhile
	for {
		err := p.await(ctx, "turn", func() bool {
			asked = p.turn()
			return asked.answer != "" && asked != answered
		})
		// Players think for different times, or all tables would move at the same moment.
		if err == nil && asked.thinks && thought != moves {
			Sleep(ctx, p.Pace/2+rand.N(p.Pace+1))
			thought = moves
			continue // and look again
		}
		p.Gate.RLock()
		p.mu.Lock()
		still := p.turn() == asked // the gate may have been closed for long
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
				return p.waits == nil && (asked.answer != keyReady || p.turn().answer != keyReady) // a second press takes it back
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
