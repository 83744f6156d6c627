package store_test

import (
	"sync"
	"sync/atomic"
	"unsafe"

	"modernc.org/libc"
	sqlite3 "modernc.org/sqlite/lib"
)

// This file registers a file system for SQLite that is the usual one, except that writes and syncs fail when a test wants
// them to. SQLite's C structures are filled in by hand, as the driver has no interface for it.

// faults is what goes wrong with one kind of file: SQLite's result codes, or 0.
type faults struct {
	write, sync atomic.Int32
	read        atomic.Int32                // beyond the first pages
	methods     sqlite3.Tsqlite3_io_methods // as in the usual file system, but for these two
	usual       struct{ write, sync, read uintptr }
}

// The faults of the log, which commits write, and of the database, which checkpoints write. There is one disk: tests that
// break it do not run in parallel.
var walFaults, dbFaults faults

// faultyVFS returns the name under which the file system is registered.
var faultyVFS = sync.OnceValue(func() string {
	const name = "faulty"
	tls := libc.NewTLS()
	size := unsafe.Sizeof(sqlite3.Tsqlite3_vfs{})
	p := libc.Xmalloc(tls, libc.Tsize_t(size))
	v := at[sqlite3.Tsqlite3_vfs](p)
	usualVFS = sqlite3.Xsqlite3_vfs_find(tls, 0)
	*v = *at[sqlite3.Tsqlite3_vfs](usualVFS)
	cname, err := libc.CString(name)
	if err != nil {
		panic(err)
	}
	v.FzName = cname
	v.FxOpen = pointerTo(faultyOpen)
	if rc := sqlite3.Xsqlite3_vfs_register(tls, p, 0); rc != sqlite3.SQLITE_OK {
		panic(rc)
	}
	return name
})

var (
	usualVFS uintptr
	openOnce sync.Mutex
)

func faultyOpen(tls *libc.TLS, _, name, file uintptr, flags int32, out uintptr) int32 {
	open := function[func(*libc.TLS, uintptr, uintptr, uintptr, int32, uintptr) int32](at[sqlite3.Tsqlite3_vfs](usualVFS).FxOpen)
	rc := open(tls, usualVFS, name, file, flags, out)
	f := at[sqlite3.Tsqlite3_file](file)
	if f.FpMethods == 0 {
		return rc
	}
	switch {
	case flags&sqlite3.SQLITE_OPEN_WAL != 0:
		walFaults.replace(f, pointerTo(walWrite), pointerTo(walSync))
	case flags&sqlite3.SQLITE_OPEN_MAIN_DB != 0:
		dbFaults.replace(f, pointerTo(dbWrite), pointerTo(dbSync))
	}
	return rc
}

// replace gives an open file our methods.
func (x *faults) replace(f *sqlite3.Tsqlite3_file, write, sync uintptr) {
	openOnce.Lock()
	defer openOnce.Unlock()
	if x.usual.write == 0 {
		x.methods = *at[sqlite3.Tsqlite3_io_methods](f.FpMethods)
		x.usual.write, x.usual.sync = x.methods.FxWrite, x.methods.FxSync
		x.methods.FxWrite, x.methods.FxSync = write, sync
		if x == &dbFaults {
			x.usual.read = x.methods.FxRead
			x.methods.FxRead = pointerTo(dbRead)
		}
	}
	f.FpMethods = uintptr(unsafe.Pointer(&x.methods))
}

func walWrite(tls *libc.TLS, file, data uintptr, n int32, offset int64) int32 {
	return walFaults.doWrite(tls, file, data, n, offset)
}
func walSync(tls *libc.TLS, file uintptr, flags int32) int32 {
	return walFaults.doSync(tls, file, flags)
}
func dbWrite(tls *libc.TLS, file, data uintptr, n int32, offset int64) int32 {
	return dbFaults.doWrite(tls, file, data, n, offset)
}
func dbSync(tls *libc.TLS, file uintptr, flags int32) int32 { return dbFaults.doSync(tls, file, flags) }

func (x *faults) doWrite(tls *libc.TLS, file, data uintptr, n int32, offset int64) int32 {
	if rc := x.write.Load(); rc != 0 {
		return rc
	}
	return function[func(*libc.TLS, uintptr, uintptr, int32, int64) int32](x.usual.write)(tls, file, data, n, offset)
}

func (x *faults) doSync(tls *libc.TLS, file uintptr, flags int32) int32 {
	if rc := x.sync.Load(); rc != 0 {
		return rc
	}
	return function[func(*libc.TLS, uintptr, int32) int32](x.usual.sync)(tls, file, flags)
}

func dbRead(tls *libc.TLS, file, data uintptr, n int32, offset int64) int32 {
	if rc := dbFaults.read.Load(); rc != 0 && offset > 20*4096 {
		return rc
	}
	return function[func(*libc.TLS, uintptr, uintptr, int32, int64) int32](dbFaults.usual.read)(tls, file, data, n, offset)
}

// at is the C structure at an address.
func at[T any](p uintptr) *T { return *(**T)(unsafe.Pointer(&p)) }

// pointerTo is what the translated C code takes for a pointer to a function.
func pointerTo[F any](f F) uintptr { return *(*uintptr)(unsafe.Pointer(&f)) }

// function is the other way round.
func function[F any](p uintptr) F { return *(*F)(unsafe.Pointer(&p)) }
