package client

import (
	"context"
	"math/rand/v2"
	"sync"
	"time"
)

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
	return max(c.least, c.version)
}

// Settled waits until the last move has been acknowledged, or was refused.
func (c *Client) Settled(ctx context.Context) error {
	return c.wait(ctx, "acknowledgment", func() bool { return c.waits == nil })
}

// acknowledged notes that the club has answered the last move.
func (c *Client) acknowledged(now time.Time) {
	delay := &c.waits.tally.Screen
	if c.Table.Programs {
		delay = &c.waits.tally.Ack
	}
	delay.Add(now.Sub(c.waits.at))
	c.least, c.waits = c.waits.version+1, nil
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
