package store_test

import (
	"path/filepath"
	"strings"
	"sync"
	"sync/atomic"
	"syscall"
	"unsafe"

	"modernc.org/libc"
	sqlite3 "modernc.org/sqlite/lib"

	"boneyard/store/fsync"
)

// This file puts a file system in front of SQLite's for all tests of this package. Before each call for a
// file, SQLite's or the store's own, a test decides whether it fails. SQLite's C structures are filled in by
// hand, as the driver has no interface for it.

// access is a call for a file.
type access struct {
	call   string // open, read, write, truncate, sync, stat, delete, map, link
	path   string
	offset int64  // of a read or write; the size of a truncation
	data   []byte // of a write, valid during the call
}

// end is the suffix that identifies a file: "", "-wal", "-shm", ".mark", ".lock".
func (a access) end() string {
	base := filepath.Base(a.path)
	if i := strings.LastIndex(base, ".db"); i >= 0 {
		return base[i+len(".db"):]
	}
	return base
}

// errShort is a read that yields only zeros, as SQLite treats a short one.
const errShort = syscall.Errno(0x7fff)

// tap lets a test observe calls for files and make them fail. There is one: such tests do not run in
// parallel.
var tap struct {
	before atomic.Pointer[func(access) syscall.Errno] // 0: the call is made
	after  atomic.Pointer[func(access)]               // of calls that succeeded, of SQLite, and those of the store's own that are to be made
}

// failing has before decide about all calls for files until the returned function is called.
func failing(before func(access) syscall.Errno) (heal func()) {
	tap.before.Store(&before)
	return func() { tap.before.Store(nil) }
}

// askOwn is ask for calls of the store's own.
func askOwn(call, path string) error {
	a := access{call: call, path: path}
	if before := tap.before.Load(); before != nil {
		switch errno := (*before)(a); errno {
		case 0:
		case errShort:
			return syscall.EIO
		default:
			return errno
		}
	}
	tell(sqlite3.SQLITE_OK, a)
	return nil
}

// vfs is the file system.
var vfs struct {
	sync.Mutex
	usual *sqlite3.Tsqlite3_vfs
	files map[uintptr]openFile
	ours  map[uintptr]*sqlite3.Tsqlite3_io_methods // by the usual methods, of which there are several
}

// openFile is a file that SQLite has open.
type openFile struct {
	path  string
	usual *sqlite3.Tsqlite3_io_methods
}

// useVFS makes ours SQLite's file system.
func useVFS() {
	own := askOwn
	fsync.Fault.Store(&own)
	tls := libc.NewTLS()
	p := libc.Xmalloc(tls, libc.Tsize_t(unsafe.Sizeof(sqlite3.Tsqlite3_vfs{})))
	v := at[sqlite3.Tsqlite3_vfs](p)
	vfs.usual = at[sqlite3.Tsqlite3_vfs](sqlite3.Xsqlite3_vfs_find(tls, 0))
	vfs.files, vfs.ours = make(map[uintptr]openFile), make(map[uintptr]*sqlite3.Tsqlite3_io_methods)
	*v = *vfs.usual
	name, err := libc.CString("tapped")
	if err != nil {
		panic(err)
	}
	v.FzName, v.FxOpen, v.FxDelete = name, pointerTo(vfsOpen), pointerTo(vfsDelete)
	if rc := sqlite3.Xsqlite3_vfs_register(tls, p, 1); rc != sqlite3.SQLITE_OK {
		panic(rc)
	}
}

// ask returns what SQLite gets instead of a call: the result code for the error that makes the call fail, or
// 0.
func ask(a access) int32 {
	before := tap.before.Load()
	if before == nil {
		return 0
	}
	errno := (*before)(a)
	switch {
	case errno == 0:
		return 0
	case a.call == "open":
		return sqlite3.SQLITE_CANTOPEN
	case errno == errShort && a.call == "read":
		return sqlite3.SQLITE_IOERR_SHORT_READ
	case errno == syscall.ENOSPC && a.call == "write":
		return sqlite3.SQLITE_FULL
	case errno == syscall.ENOSPC && a.call == "map":
		return sqlite3.SQLITE_IOERR_SHMSIZE
	case errno == syscall.ENOMEM && a.call != "sync":
		return sqlite3.SQLITE_IOERR_NOMEM
	}
	return map[string]int32{"read": sqlite3.SQLITE_IOERR_READ, "write": sqlite3.SQLITE_IOERR_WRITE, "truncate": sqlite3.SQLITE_IOERR_TRUNCATE,
		"sync": sqlite3.SQLITE_IOERR_FSYNC, "stat": sqlite3.SQLITE_IOERR_FSTAT, "delete": sqlite3.SQLITE_IOERR_DELETE,
		"map": sqlite3.SQLITE_IOERR_SHMMAP}[a.call]
}

func tell(rc int32, a access) int32 {
	if after := tap.after.Load(); after != nil && rc == sqlite3.SQLITE_OK {
		(*after)(a)
	}
	return rc
}

func vfsOpen(tls *libc.TLS, _, name, file uintptr, flags int32, out uintptr) int32 {
	a := access{call: "open", path: libc.GoString(name)}
	if rc := ask(a); rc != 0 {
		at[sqlite3.Tsqlite3_file](file).FpMethods = 0
		return rc
	}
	rc := function[func(*libc.TLS, uintptr, uintptr, uintptr, int32, uintptr) int32](vfs.usual.FxOpen)(tls, uintptr(unsafe.Pointer(vfs.usual)),
		name, file, flags, out)
	f := at[sqlite3.Tsqlite3_file](file)
	if f.FpMethods == 0 || flags&(sqlite3.SQLITE_OPEN_WAL|sqlite3.SQLITE_OPEN_MAIN_DB) == 0 {
		return rc
	}
	vfs.Lock()
	defer vfs.Unlock()
	m := vfs.ours[f.FpMethods]
	if m == nil {
		m = at[sqlite3.Tsqlite3_io_methods](libc.Xmalloc(tls, libc.Tsize_t(unsafe.Sizeof(sqlite3.Tsqlite3_io_methods{})))) // never freed
		*m = *at[sqlite3.Tsqlite3_io_methods](f.FpMethods)
		m.FxRead, m.FxWrite, m.FxTruncate, m.FxSync = pointerTo(vfsRead), pointerTo(vfsWrite), pointerTo(vfsTruncate), pointerTo(vfsSync)
		m.FxFileSize, m.FxShmMap, m.FxClose = pointerTo(vfsFileSize), pointerTo(vfsShmMap), pointerTo(vfsClose)
		vfs.ours[f.FpMethods] = m
	}
	vfs.files[file] = openFile{a.path, at[sqlite3.Tsqlite3_io_methods](f.FpMethods)}
	f.FpMethods = uintptr(unsafe.Pointer(m))
	return rc
}

// opened is what an open file is called, and SQLite's own methods for it.
func opened(file uintptr) (string, *sqlite3.Tsqlite3_io_methods) {
	vfs.Lock()
	defer vfs.Unlock()
	f := vfs.files[file]
	return f.path, f.usual
}

func vfsClose(tls *libc.TLS, file uintptr) int32 {
	_, usual := opened(file)
	vfs.Lock()
	delete(vfs.files, file)
	vfs.Unlock()
	return function[func(*libc.TLS, uintptr) int32](usual.FxClose)(tls, file)
}

func vfsRead(tls *libc.TLS, file, data uintptr, n int32, offset int64) int32 {
	path, usual := opened(file)
	if rc := ask(access{call: "read", path: path, offset: offset}); rc != 0 {
		clear(unsafe.Slice(at[byte](data), n))
		return rc
	}
	return function[func(*libc.TLS, uintptr, uintptr, int32, int64) int32](usual.FxRead)(tls, file, data, n, offset)
}

func vfsWrite(tls *libc.TLS, file, data uintptr, n int32, offset int64) int32 {
	path, usual := opened(file)
	a := access{call: "write", path: path, offset: offset, data: unsafe.Slice(at[byte](data), n)}
	if rc := ask(a); rc != 0 {
		return rc
	}
	return tell(function[func(*libc.TLS, uintptr, uintptr, int32, int64) int32](usual.FxWrite)(tls, file, data, n, offset), a)
}

func vfsTruncate(tls *libc.TLS, file uintptr, size int64) int32 {
	path, usual := opened(file)
	a := access{call: "truncate", path: path, offset: size}
	if rc := ask(a); rc != 0 {
		return rc
	}
	return tell(function[func(*libc.TLS, uintptr, int64) int32](usual.FxTruncate)(tls, file, size), a)
}

func vfsSync(tls *libc.TLS, file uintptr, flags int32) int32 {
	path, usual := opened(file)
	a := access{call: "sync", path: path}
	if rc := ask(a); rc != 0 {
		return rc
	}
	return tell(function[func(*libc.TLS, uintptr, int32) int32](usual.FxSync)(tls, file, flags), a)
}

func vfsFileSize(tls *libc.TLS, file, out uintptr) int32 {
	path, usual := opened(file)
	if rc := ask(access{call: "stat", path: path}); rc != 0 {
		return rc
	}
	return function[func(*libc.TLS, uintptr, uintptr) int32](usual.FxFileSize)(tls, file, out)
}

func vfsShmMap(tls *libc.TLS, file uintptr, region, size, extend int32, out uintptr) int32 {
	path, usual := opened(file)
	if rc := ask(access{call: "map", path: path + "-shm"}); rc != 0 {
		*at[uintptr](out) = 0
		return rc
	}
	return function[func(*libc.TLS, uintptr, int32, int32, int32, uintptr) int32](usual.FxShmMap)(tls, file, region, size, extend, out)
}

func vfsDelete(tls *libc.TLS, _, name uintptr, sync int32) int32 {
	if rc := ask(access{call: "delete", path: libc.GoString(name)}); rc != 0 {
		return rc
	}
	return function[func(*libc.TLS, uintptr, uintptr, int32) int32](vfs.usual.FxDelete)(tls, uintptr(unsafe.Pointer(vfs.usual)), name, sync)
}

// at returns the C structure at an address.
func at[T any](p uintptr) *T { return *(**T)(unsafe.Pointer(&p)) }

// pointerTo is what the translated C code takes for a pointer to a function.
func pointerTo[F any](f F) uintptr { return *(*uintptr)(unsafe.Pointer(&f)) }

// function is the other way round.
func function[F any](p uintptr) F { return *(*F)(unsafe.Pointer(&p)) }
