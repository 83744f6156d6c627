package store_test

import (
	"math/rand/v2"
	"slices"
	"sync"
	"unsafe"

	"modernc.org/libc"
	sqlite3 "modernc.org/sqlite/lib"
)

// This file registers a file system for SQLite that is the usual one, and writes down what reaches it, in order. From that
// the disk can be rebuilt as a power loss might have left it.

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
	ack    func() // remembers what was acknowledged
}

type eventKind int

const (
	eventWrite eventKind = iota
	eventCut             // to offset
	eventSync
	eventAck
)

// recorder is what the file system has written down. There is one: tests that record do not run in parallel.
type recorder struct {
	mu      sync.Mutex
	on      bool
	events  []event
	kinds   map[uintptr]disk                         // of open files
	methods map[uintptr]*sqlite3.Tsqlite3_io_methods // by the usual ones, of which there are several
	usual   struct{ write, cut, sync uintptr }
}

var recording = recorder{kinds: make(map[uintptr]disk), methods: make(map[uintptr]*sqlite3.Tsqlite3_io_methods)}

func (r *recorder) add(e event) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.on {
		r.events = append(r.events, e)
	}
}

// start forgets what was recorded and begins again; stop returns it.
func (r *recorder) start() {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.on, r.events = true, nil
}

func (r *recorder) stop() []event {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.on = false
	return r.events
}

func (r *recorder) disk(file uintptr) disk {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.kinds[file]
}

// recordingVFS returns the name under which the file system is registered.
var recordingVFS = sync.OnceValue(func() string {
	const name = "recording"
	tls := libc.NewTLS()
	p := libc.Xmalloc(tls, libc.Tsize_t(unsafe.Sizeof(sqlite3.Tsqlite3_vfs{})))
	v := at[sqlite3.Tsqlite3_vfs](p)
	underRecording = sqlite3.Xsqlite3_vfs_find(tls, 0)
	*v = *at[sqlite3.Tsqlite3_vfs](underRecording)
	cname, err := libc.CString(name)
	if err != nil {
		panic(err)
	}
	v.FzName = cname
	v.FxOpen = pointerTo(recordOpen)
	if rc := sqlite3.Xsqlite3_vfs_register(tls, p, 0); rc != sqlite3.SQLITE_OK {
		panic(rc)
	}
	return name
})

var underRecording uintptr // the usual file system

func recordOpen(tls *libc.TLS, _, name, file uintptr, flags int32, out uintptr) int32 {
	open := function[func(*libc.TLS, uintptr, uintptr, uintptr, int32, uintptr) int32](at[sqlite3.Tsqlite3_vfs](underRecording).FxOpen)
	rc := open(tls, underRecording, name, file, flags, out)
	if f := at[sqlite3.Tsqlite3_file](file); f.FpMethods != 0 {
		switch {
		case flags&sqlite3.SQLITE_OPEN_WAL != 0:
			recording.opened(tls, f, file, diskLog)
		case flags&sqlite3.SQLITE_OPEN_MAIN_DB != 0:
			recording.opened(tls, f, file, diskData)
		}
	}
	return rc
}

// opened gives an open file our methods.
func (r *recorder) opened(tls *libc.TLS, f *sqlite3.Tsqlite3_file, file uintptr, d disk) {
	r.mu.Lock()
	defer r.mu.Unlock()
	m := r.methods[f.FpMethods]
	if m == nil {
		m = at[sqlite3.Tsqlite3_io_methods](libc.Xmalloc(tls, libc.Tsize_t(unsafe.Sizeof(sqlite3.Tsqlite3_io_methods{})))) // SQLite's memory, never freed
		*m = *at[sqlite3.Tsqlite3_io_methods](f.FpMethods)
		r.usual.write, r.usual.cut, r.usual.sync = m.FxWrite, m.FxTruncate, m.FxSync
		m.FxWrite, m.FxTruncate, m.FxSync = pointerTo(recordWrite), pointerTo(recordCut), pointerTo(recordSync)
		r.methods[f.FpMethods] = m
	}
	r.kinds[file] = d
	f.FpMethods = uintptr(unsafe.Pointer(m))
}

func recordWrite(tls *libc.TLS, file, data uintptr, n int32, offset int64) int32 {
	rc := function[func(*libc.TLS, uintptr, uintptr, int32, int64) int32](recording.usual.write)(tls, file, data, n, offset)
	b := unsafe.Slice(at[byte](data), n)
	recording.add(event{disk: recording.disk(file), kind: eventWrite, offset: offset, data: slices.Clone(b)})
	return rc
}

func recordCut(tls *libc.TLS, file uintptr, size int64) int32 {
	rc := function[func(*libc.TLS, uintptr, int64) int32](recording.usual.cut)(tls, file, size)
	recording.add(event{disk: recording.disk(file), kind: eventCut, offset: size})
	return rc
}

func recordSync(tls *libc.TLS, file uintptr, flags int32) int32 {
	rc := function[func(*libc.TLS, uintptr, int32) int32](recording.usual.sync)(tls, file, flags)
	recording.add(event{disk: recording.disk(file), kind: eventSync})
	return rc
}

// platter is one file as the disk has it, with what is on its way there.
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

// lose returns what a power loss might leave of the file: of what was on its way some is there, in any order, some is not,
// some in part, by sectors, and some sectors are garbage.
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
