package client

import (
	"slices"
	"sync/atomic"
	"time"

	"boneyard/cmd/sshload/figures"
)

// Tally is what watchers and players of all tables have seen since it was made.
type Tally struct {
	Delay    figures.Recorder // from a player's key to the last byte of the frame at each watcher
	Screen   figures.Recorder // from a player's key to the same player's own screen
	Ack      figures.Recorder // from a program's line to the answer
	Moves    atomic.Int64
	Updates  atomic.Int64     // frames at watchers that showed a newer version
	Ordinary atomic.Int64     // versions that updates within one round have brought; one that is late brings several
	Plain    atomic.Int64     // their bytes
	Paired   figures.Recorder // in an arena, from the end of a game to the next table
}

// Table is one table of the load.
type Table struct {
	Number   string
	Programs bool                    // play there, not people at screens
	Open     bool                    // everybody may sit down, and no game begins
	Tally    *atomic.Pointer[Tally]  // of the phase that is being measured
	pending  atomic.Pointer[[]*sent] // the moves that were sent last, the newest last; replaced, never changed
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
	before := t.moves()
	t.pending.Store(new(append(slices.Clone(before[max(0, len(before)-keptMoves+1):]), move)))
	return move
}

func (t *Table) moves() []*sent {
	if p := t.pending.Load(); p != nil {
		return *p
	}
	return nil
}

// LastMove is when the last move was sent; zero if none was.
func (t *Table) LastMove() time.Time {
	if all := t.moves(); len(all) > 0 {
		return all[len(all)-1].at
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
	for _, m := range slices.Backward(t.moves()) {
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
	Delay figures.Recorder
}
