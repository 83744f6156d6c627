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
	"math/rand/v2"
	"os"
	"strings"

	sqlite3 "modernc.org/sqlite/lib"
)

// mark says how far a data file has come. It is in the file itself, changed by each transaction, and in a small file
// beside it, written after each transaction and before anybody hears of it. The one in the file can never be behind the one
// beside it, whatever order a power loss leaves the writes in: where it is, something that was acknowledged is missing.
type mark struct {
	file    uint64 // a random number; 0 in a backup, and in a file that has no mark yet
	commits uint64 // transactions so far
	base    uint64 // transactions that are known to be in the data file itself, whatever its log has; not kept in the file
}

const markSize = 20

// blob is the mark as the data file has it.
func (m mark) blob() []byte {
	b := binary.BigEndian.AppendUint64(nil, m.file)
	b = binary.BigEndian.AppendUint64(b, m.commits)
	return binary.BigEndian.AppendUint32(b, crc32.ChecksumIEEE(b))
}

func parseMark(b []byte) (mark, bool) {
	if len(b) != markSize || crc32.ChecksumIEEE(b[:16]) != binary.BigEndian.Uint32(b[16:]) {
		return mark{}, false
	}
	return mark{file: binary.BigEndian.Uint64(b), commits: binary.BigEndian.Uint64(b[8:])}, true
}

// text is the mark as the file beside has it: always as long, so that it is written in place.
func (m mark) text() []byte {
	b := fmt.Appendf(nil, "file %016x commits %020d base %020d", m.file, m.commits, m.base)
	return fmt.Appendf(b, " sum %08x\n", crc32.ChecksumIEEE(b))
}

func markOf(path string) string { return path + ".mark" }

// readMark reads the mark beside a data file. One that is not there, or was torn by a power loss, says nothing: the zero
// mark.
func readMark(path string) (mark, error) {
	text, err := os.ReadFile(markOf(path))
	if errors.Is(err, fs.ErrNotExist) {
		return mark{}, nil
	}
	if err != nil {
		return mark{}, err
	}
	var m mark
	if _, err := fmt.Fscanf(bytes.NewReader(text), "file %x commits %d base %d", &m.file, &m.commits, &m.base); err != nil || !bytes.Equal(text, m.text()) {
		return mark{}, nil
	}
	return m, nil
}

// markIn reads the mark in a data file. One that has none gives the zero mark.
func markIn(ctx context.Context, db queryer) (mark, error) {
	var b []byte
	err := db.QueryRowContext(ctx, `SELECT value FROM mark WHERE id = 1`).Scan(&b)
	if isNone(err) || code(err) == sqlite3.SQLITE_ERROR && strings.Contains(err.Error(), "no such table") {
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

// markAlone reads the mark in a data file as if there were no log beside it. It takes no locks. ok is false if it
// cannot be read, as when a power loss has torn a page that the log still has.
func markAlone(ctx context.Context, path string) (m mark, ok bool) {
	db, err := openPool(path, alone, "", 1)
	if err != nil {
		return mark{}, false
	}
	defer db.Close()
	m, err = markIn(ctx, db)
	return m, err == nil
}

// checkOwner compares the mark in the data file alone with that of its log: ErrLog.
func checkOwner(ctx context.Context, path string, beside, own mark, ownOK bool, inLog mark) error {
	switch {
	case !ownOK || inLog.file == 0 || inLog.file == own.file:
		return nil
	case own.file != 0:
	case inLog.commits <= 1 || beside.file == inLog.file && beside.base == 0: // its first mark is not in the data file yet
		return nil
	case !soundAlone(ctx, path): // torn by a power loss, so that the mark is not seen; the log has the pages
		return nil
	}
	return fmt.Errorf("%w (it belongs to another data file)", ErrLog)
}

// soundAlone reports whether a data file is a sound database without its log.
func soundAlone(ctx context.Context, path string) bool {
	db, err := openPool(path, alone, "", 1)
	if err != nil {
		return false
	}
	defer db.Close()
	return checkSound(ctx, db) == nil
}

// checkMark compares the marks: the one beside the file as it was before the others were read, the one in the data file
// alone, and the one in the file with its log. ErrLog, ErrBehind.
func checkMark(beside, own mark, ownOK bool, all mark) error {
	switch {
	case ownOK && (all.file != own.file && own.file != 0 || all.commits < own.commits):
		return fmt.Errorf("%w (it is older than the data file)", ErrLog)
	case beside.file == 0 || all.file != beside.file: // a backup that was put here, or a file of an older program
		return nil
	case all.commits < beside.commits:
		return fmt.Errorf("%w (it has %d transactions, and %d were acknowledged)", ErrBehind, all.commits, beside.commits)
	case ownOK && own.file == beside.file && own.commits < beside.base: // one that a power loss has torn may seem to have none
		return fmt.Errorf("%w (the data file has %d transactions, and its log continues from %d)", ErrBehind, own.commits, beside.base)
	}
	return nil
}

// forgetMark makes of a copy a file of its own, which no mark speaks of.
func forgetMark(ctx context.Context, path string) error {
	db, err := openPool(path, plain, "", 1)
	if err != nil {
		return err
	}
	_, err = db.ExecContext(ctx, `UPDATE mark SET value = x'' WHERE id = 1`)
	return errors.Join(err, db.Close())
}

// giveMark gives a file a mark if it has none.
func giveMark(ctx context.Context, db *sql.DB) (mark, error) {
	m, err := markIn(ctx, db)
	if err != nil || m.file != 0 {
		return m, err
	}
	m = mark{file: rand.Uint64() | 1, commits: 1}
	_, err = db.ExecContext(ctx, `INSERT OR REPLACE INTO mark (id, value) VALUES (1, ?)`, m.blob())
	return m, err
}

// countUp makes a transaction that does nothing else.
func countUp(ctx context.Context, db *sql.DB, m mark) (mark, error) {
	m.commits++
	_, err := db.ExecContext(ctx, `UPDATE mark SET value = ? WHERE id = 1`, m.blob())
	return m, err
}
