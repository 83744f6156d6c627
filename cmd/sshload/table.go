package main

import (
	"slices"
	"sync/atomic"
	"time"
)

// tally is what watchers and players of all tables have seen since it was made.
type tally struct {
	delay    latency // from a player's key to the last byte of the frame at each watcher
	ack      latency // from a player's key to the same player's own screen, or to the answer of the line protocol
	moves    atomic.Int64
	updates  atomic.Int64 // frames at watchers that showed a newer version
	bytes    atomic.Int64 // of them
	ordinary atomic.Int64 // versions that updates within one round have brought; one that is late brings several
	plain    atomic.Int64 // their bytes
}

// tableLoad is one table of the load.
type tableLoad struct {
	number  string
	tally   *atomic.Pointer[tally] // of the phase that is being measured
	pending atomic.Pointer[[]sent] // the moves that were sent last, the newest last; replaced, never changed
}

// sent is a move: the version that its player saw, and when the key was pressed.
type sent struct {
	version uint64
	at      time.Time
	tally   *tally
}

// keptMoves is how far a watcher may be behind and still be counted.
const keptMoves = 64

// moved notes that a player has pressed the key that plays. Only the one whose turn it is calls it.
func (t *tableLoad) moved(version uint64, at time.Time) {
	var before []sent
	if p := t.pending.Load(); p != nil {
		before = (*p)[max(0, len(*p)-keptMoves+1):]
	}
	tl := t.tally.Load()
	tl.moves.Add(1)
	list := append(slices.Clip(slices.Clone(before)), sent{version, at, tl})
	t.pending.Store(&list)
}

// lastMove is when a key was last pressed that plays; zero if never.
func (t *tableLoad) lastMove() time.Time {
	if p := t.pending.Load(); p != nil {
		return (*p)[len(*p)-1].at
	}
	return time.Time{}
}

// acknowledged notes that the player's own screen shows the move.
func (t *tableLoad) acknowledged(d time.Duration) { t.tally.Load().ack.add(d) }

// seen notes that a watcher's screen went from one version to another with a frame of so many bytes.
func (t *tableLoad) seen(before, after uint64, at time.Time, size int, ordinary bool) {
	tl := t.tally.Load()
	tl.updates.Add(1)
	tl.bytes.Add(int64(size))
	if ordinary {
		tl.ordinary.Add(int64(after - before))
		tl.plain.Add(int64(size))
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
			m.tally.delay.add(at.Sub(m.at))
		}
	}
}

// scribe takes down the pieces in which a watcher's output comes, for the bare server to say them again.
type scribe struct {
	pieces [][]byte
	size   int
}

// maxScribe is how many bytes are taken down.
const maxScribe = 4 << 20

func (s *scribe) note(p []byte) {
	if s.size+len(p) <= maxScribe {
		s.pieces = append(s.pieces, slices.Clone(p))
		s.size += len(p)
	}
}

// echo is what the bare server was told to say last, and how long it took to its clients.
type echo struct {
	said  atomic.Pointer[time.Time]
	delay atomic.Pointer[latency]
}
