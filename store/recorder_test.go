package store_test

import (
	"math/rand/v2"
	"os"
	"slices"
	"sync"
)

// This file records every write to the files of a store, in order. The disk can be rebuilt from that as a
// power loss might leave it.

// disk is a file of the store that a power loss may tear.
type disk int

const (
	diskData disk = iota
	diskLog
	diskMark
	disks
)

// event is something that was done to a file, or an acknowledgement.
type event struct {
	disk   disk
	kind   eventKind
	offset int64
	data   []byte
	ack    func() // notes what has been acknowledged
}

type eventKind int

const (
	eventWrite eventKind = iota
	eventCut             // to offset
	eventSync
	eventAck
)

// recorder is the events so far. There is one: tests that record do not run in parallel.
type recorder struct {
	mu     sync.Mutex
	on     bool
	events []event
}

var recording recorder

func (r *recorder) add(e event) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.on {
		r.events = append(r.events, e)
	}
}

// start forgets what was recorded and begins again; stop returns it.
func (r *recorder) start() {
	after := func(a access) {
		d := disk(slices.Index(kept, a.end()))
		switch d {
		case diskMark:
			if b, err := os.ReadFile(a.path); err == nil && a.call == "sync" {
				r.add(event{disk: d, kind: eventWrite, data: b})
				r.add(event{disk: d, kind: eventSync})
			}
			return
		case -1:
			return
		}
		switch a.call {
		case "write":
			r.add(event{disk: d, kind: eventWrite, offset: a.offset, data: slices.Clone(a.data)})
		case "truncate":
			r.add(event{disk: d, kind: eventCut, offset: a.offset})
		case "sync":
			r.add(event{disk: d, kind: eventSync})
		}
	}
	tap.after.Store(&after)
	r.mu.Lock()
	defer r.mu.Unlock()
	r.on, r.events = true, nil
}

func (r *recorder) stop() []event {
	tap.after.Store(nil)
	r.mu.Lock()
	defer r.mu.Unlock()
	r.on = false
	return r.events
}

// platter is one file as on disk, with its unsynced writes.
type platter struct {
	sure    []byte
	pending []event
}

func (p *platter) take(e event, lies bool) {
	switch {
	case e.kind != eventSync:
		p.pending = append(p.pending, e)
	case !lies:
		for _, w := range p.pending {
			p.sure = w.on(p.sure)
		}
		p.pending = nil
	}
}

// on is a file after a write or a cut.
func (e *event) on(b []byte) []byte {
	if e.kind == eventCut {
		if int64(len(b)) > e.offset {
			b = b[:e.offset]
		}
		return b
	}
	if end := int(e.offset) + len(e.data); end > len(b) {
		b = append(b, make([]byte, end-len(b))...)
	}
	copy(b[e.offset:], e.data)
	return b
}

const sector = 512

// lose returns what a power loss might leave of the file: writes on their way are there, in any order, or
// missing, or there in part, by sectors, and some sectors are garbage.
func (p *platter) lose(rng *rand.Rand) []byte {
	b := slices.Clone(p.sure)
	way := rng.IntN(4)
	upTo := rng.IntN(len(p.pending) + 1)
	for i, e := range p.pending {
		switch {
		case way == 0 && i >= upTo: // in order, up to some write
			continue
		case way == 1 && rng.IntN(2) == 0: // in any order
			continue
		case e.kind == eventCut || way < 2 || rng.IntN(2) == 0:
		default: // in part
			data := slices.Clone(e.data)
			for at := 0; at < len(data); at += sector {
				// Sectors of the disk, not of the write.
				end := min(len(data), at+sector-int((e.offset+int64(at))%sector))
				if rng.IntN(2) == 0 {
					part := event{kind: eventWrite, offset: e.offset + int64(at), data: data[at:end]}
					if way == 3 && rng.IntN(3) == 0 {
						for j := range part.data {
							part.data[j] = byte(rng.Uint32())
						}
					}
					b = part.on(b)
				}
				at = end - sector
			}
			continue
		}
		b = e.on(b)
	}
	return b
}
