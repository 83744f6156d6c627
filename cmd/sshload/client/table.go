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
	Ack      figures.Recorder // from a player's key to the same player's own screen, or to the answer of the line protocol
	Moves    atomic.Int64
	Updates  atomic.Int64     // frames at watchers that showed a newer version
	Bytes    atomic.Int64     // of them
	Ordinary atomic.Int64     // versions that updates within one round have brought; one that is late brings several
	Plain    atomic.Int64     // their bytes
	Paired   figures.Recorder // in an arena, from the end of a game to the next table
}

// Table is one table of the load.
type Table struct {
	Number  string
	Tally   *atomic.Pointer[Tally] // of the phase that is being measured
	pending atomic.Pointer[[]sent] // the moves that were sent last, the newest last; replaced, never changed
}

// sent is a move: the version that its player saw, and when the key was pressed.
type sent struct {
	version uint64
	at      time.Time
	tally   *Tally
}

// keptMoves is how far a watcher may be behind and still be counted.
const keptMoves = 64

// moved notes that a player has pressed the key that plays. Only the one whose turn it is calls it.
func (t *Table) moved(version uint64, at time.Time) {
	var before []sent
	if p := t.pending.Load(); p != nil {
		before = (*p)[max(0, len(*p)-keptMoves+1):]
	}
	tally := t.Tally.Load()
	tally.Moves.Add(1)
	list := append(slices.Clone(before), sent{version, at, tally})
	t.pending.Store(&list)
}

// LastMove is the time of the last key press that played a tile; zero if there was none.
func (t *Table) LastMove() time.Time {
	if p := t.pending.Load(); p != nil {
		return (*p)[len(*p)-1].at
	}
	return time.Time{}
}

// acknowledged notes that the player's own screen shows the move.
func (t *Table) acknowledged(d time.Duration) { t.Tally.Load().Ack.Add(d) }

// seen notes that a watcher's screen went from one version to another with a frame of so many bytes.
func (t *Table) seen(before, after uint64, at time.Time, size int, ordinary bool) {
	tally := t.Tally.Load()
	tally.Updates.Add(1)
	tally.Bytes.Add(int64(size))
	if ordinary {
		tally.Ordinary.Add(int64(after - before))
		tally.Plain.Add(int64(size))
	}
	p := t.pending.Load()
	if p == nil {
		return
	}
	for _, m := range slices.Backward(*p) {
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
	Said  atomic.Pointer[time.Time]
	Delay atomic.Pointer[figures.Recorder]
}
