package store

import (
	"bytes"
	"context"
	"database/sql"
	"encoding/binary"
	"errors"
	"fmt"
	"hash/crc32"
	"io/fs"
	"slices"
	"strings"

	sqlite3 "modernc.org/sqlite/lib"

	"boneyard/store/fsync"
)

// mark says how far a data file has come. It is in the file itself, changed by each transaction, and in a
// small file beside it, written after each transaction and before it is acknowledged. If the mark in the file
// is behind the one beside it, acknowledged changes are missing; a power loss alone cannot cause that.
//
// A run is the work of one server from start to end. Its random number, and that of the run before, are
// written beside the file first and then into the file. So two runs that continued one file under two names,
// each with its own log, can be distinguished.
type mark struct {
	file    uint64 // a random number; 0 in a backup, and in a file that has no mark yet
	commits uint64 // transactions so far
	run     uint64 // 0: of a program without runs
	past    [8]run // those before, the latest first; beside the file only the id of the latest is kept
	open    bool   // the run has not ended in order; kept in the file only
	base    uint64 // transactions that are known to be in the data file itself; kept beside the file only
}

// run is a run that has ended.
type run struct {
	id    uint64
	until uint64 // transactions when the next one began
}

const (
	markSize    = 8*3 + 8*16 + 1 + crc32.Size
	oldMarkSize = 8*2 + crc32.Size // without runs
)

// blob encodes the mark for the data file.
func (m mark) blob() []byte {
	b := make([]byte, 0, markSize)
	for _, n := range []uint64{m.file, m.commits, m.run} {
		b = binary.BigEndian.AppendUint64(b, n)
	}
	for _, r := range m.past {
		b = binary.BigEndian.AppendUint64(binary.BigEndian.AppendUint64(b, r.id), r.until)
	}
	b = append(b, 0)
	if m.open {
		b[len(b)-1] = 1
	}
	return binary.BigEndian.AppendUint32(b, crc32.ChecksumIEEE(b))
}

func parseMark(b []byte) (m mark, ok bool) {
	sum := len(b) - crc32.Size
	if len(b) != markSize && len(b) != oldMarkSize || crc32.ChecksumIEEE(b[:sum]) != binary.BigEndian.Uint32(b[sum:]) {
		return mark{}, false
	}
	next := func() (n uint64) {
		n, b = binary.BigEndian.Uint64(b), b[8:]
		return n
	}
	old := len(b) == oldMarkSize
	m.file, m.commits = next(), next()
	if old {
		return m, true
	}
	m.run = next()
	for i := range m.past {
		m.past[i] = run{next(), next()}
	}
	m.open = b[0] == 1
	return m, true
}

// markOnPage finds the mark on its page: a leaf of a table with one row, which is at the end of the page.
func markOnPage(page []byte) (mark, bool) {
	const leaf = 0x0d
	if page[0] != leaf || binary.BigEndian.Uint16(page[3:]) != 1 {
		return mark{}, false
	}
	m, ok := parseMark(page[len(page)-markSize:])
	if !ok {
		m, ok = parseMark(page[len(page)-oldMarkSize:])
	}
	return m, ok
}

// text encodes the mark for the file beside, with a fixed length so that it can be overwritten in place.
func (m mark) text() []byte {
	b := fmt.Appendf(nil, "file %016x commits %020d base %020d", m.file, m.commits, m.base)
	if m.run != 0 {
		b = fmt.Appendf(b, " run %016x after %016x", m.run, m.past[0].id)
	}
	return fmt.Appendf(b, " sum %08x\n", crc32.ChecksumIEEE(b))
}

func markOf(path string) string { return path + ".mark" }

// readMark reads the mark beside a data file: the zero mark if there is none or a power loss has torn it.
func readMark(path string) (mark, error) {
	text, err := fsync.ReadFile(markOf(path))
	if errors.Is(err, fs.ErrNotExist) {
		return mark{}, nil
	}
	if err != nil {
		return mark{}, err
	}
	var m mark
	_, _ = fmt.Fscanf(bytes.NewReader(text), "file %x commits %d base %d run %x after %x", &m.file, &m.commits, &m.base, &m.run, &m.past[0].id)
	if !bytes.Equal(text, m.text()) {
		return mark{}, nil
	}
	return m, nil
}

// noTable reports whether an error says that a file, such as one from before there were marks, lacks a table.
func noTable(err error) bool {
	return code(err) == sqlite3.SQLITE_ERROR && strings.Contains(err.Error(), "no such table")
}

// markIn reads the mark in a data file: the zero mark if it has none.
func markIn(ctx context.Context, db queryer) (mark, error) {
	var b []byte
	err := db.QueryRowContext(ctx, `SELECT value FROM mark WHERE id = 1`).Scan(&b)
	if isNone(err) || noTable(err) {
		return mark{}, nil
	}
	if err != nil {
		return mark{}, err
	}
	m, ok := parseMark(b)
	if !ok && len(b) > 0 {
		return mark{}, fmt.Errorf("%w (its mark cannot be read)", ErrDamaged)
	}
	return m, nil
}

// markAlone reads the mark in a data file as if there were no log beside it. It takes no locks. ok is false
// if the mark cannot be read, as when a power loss has torn a page that the log still has.
func markAlone(ctx context.Context, path string) (m mark, ok bool, err error) {
	err = readAlone(path, func(db *sql.DB) (err error) {
		m, err = markIn(ctx, db)
		return err
	})
	if errors.Is(err, ErrDamaged) || code(err)&0xff == sqlite3.SQLITE_ERROR {
		return mark{}, false, nil
	}
	return m, err == nil, err
}

// readAlone reads a data file as if there were no log. It returns ErrDamaged if the file is not sound.
func readAlone(path string, read func(*sql.DB) error) error {
	db, err := openPool(path, alone, 1)
	if err != nil {
		return err
	}
	return judge(errors.Join(read(db), db.Close()))
}

// follows reports whether m is the mark of the transaction after before, be it the first of a new run.
func (m mark) follows(before mark) bool {
	return m.commits == before.commits+1 && (m.file == before.file || before.file == 0) &&
		(m.run == before.run || m.past[0] == run{before.run, before.commits})
}

// checkLink compares the mark in the data file alone with those in its log, and returns ErrLog or ErrBehind
// if the log does not continue the file.
func checkLink(ctx context.Context, path string, own mark, log logState) error {
	switch {
	case log.first.file == 0 || log.has || log.first.follows(own):
		return nil
	case own.file == 0: // its first mark is not in the data file yet, or was torn by a power loss; the log has the pages
		err := readAlone(path, func(db *sql.DB) error { return checkSound(ctx, db) })
		if log.first.run == 0 && log.first.commits <= 1 || errors.Is(err, ErrDamaged) {
			return nil
		}
		if err != nil {
			return err
		}
	case own.file == log.mark.file && own.commits > log.mark.commits:
		return fmt.Errorf("%w (it is older than the data file)", ErrLog)
	case own.file == log.mark.file && own.run == log.first.run:
		return fmt.Errorf("%w (the data file has %d transactions, and its log continues from %d)", ErrBehind, own.commits, log.first.commits-1)
	case own.file == log.mark.file:
		return fmt.Errorf("%w (the data file was used under another name since)", ErrLog)
	}
	return fmt.Errorf("%w (it belongs to another data file)", ErrLog)
}

// checkMark compares three marks: the one beside the file, which was read first, the one in the data file
// alone, and the one in the file with its log. It returns ErrLog, ErrBehind or ErrForked.
func checkMark(beside, own mark, ownOK bool, all mark, log logState) error {
	known := beside.file == all.file && (all.run == beside.run || all.run == beside.past[0].id)
	switch {
	case ownOK && (all.file != own.file && own.file != 0 || all.commits < own.commits):
		return fmt.Errorf("%w (it is older than the data file)", ErrLog)
	case all.file == 0: // a backup that was put here
		return nil
	case all.open && !known && log.first.file == 0:
		return fmt.Errorf("%w (it was not closed in order, and its log is not beside it)", ErrForked)
	case beside.file != all.file: // closed in order, or by an older program
		return nil
	case all.commits < beside.commits:
		return fmt.Errorf("%w (it has %d transactions, and %d were acknowledged)", ErrBehind, all.commits, beside.commits)
	case ownOK && own.file == beside.file && own.commits < beside.base: // one that a power loss has torn may seem to have none
		return fmt.Errorf("%w (the data file has %d transactions, and its log continues from %d)", ErrBehind, own.commits, beside.base)
	case known, slices.ContainsFunc(all.past[:], func(r run) bool { // later runs continued everything this one did
		return (r.id == beside.run || r.id == beside.past[0].id) && r.until >= beside.commits
	}):
		return nil
	}
	return fmt.Errorf("%w (its mark is of another run)", ErrForked)
}

// forgetMark removes the mark from a copy, so that no mark beside it applies.
func forgetMark(ctx context.Context, path string) error {
	db, err := openPool(path, plain, 1)
	if err != nil {
		return err
	}
	if _, err = db.ExecContext(ctx, `UPDATE mark SET value = x'' WHERE id = 1`); noTable(err) {
		err = nil
	}
	return errors.Join(err, db.Close())
}

// writeMark commits a transaction that changes only the mark.
func writeMark(ctx context.Context, db *sql.DB, m mark) error {
	_, err := db.ExecContext(ctx, `INSERT OR REPLACE INTO mark (id, value) VALUES (1, ?)`, m.blob())
	return err
}
