package store

import (
	"bytes"
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"slices"

	"boneyard/store/fsync"
)

// The write-ahead log, see https://www.sqlite.org/fileformat2.html#walformat. SQLite reads a log up to the
// first invalid frame and discards the rest, as after a power loss. So one flipped bit would silently undo
// everything committed after it. A power loss cannot do that: each commit waits until the log is on disk, so
// that at most one transaction is ever on its way.

const (
	logHeaderSize   = 32
	frameHeaderSize = 24
	pageSize        = 4096 // SQLite's default, used by all our files
)

// logState is the result of scanning a log.
type logState struct {
	size   int64
	header [logHeaderSize]byte
	sound  bool      // the header is valid
	frames int       // valid ones, from the first
	sum    [2]uint32 // of the last valid frame
	lost   int       // commits behind the first invalid frame
	first  mark      // of the first transaction that has one
	mark   mark      // of the last one
	has    bool      // one of them has the mark that was wanted
}

// damaged reports whether more is missing than the one transaction that was on its way.
func (s *logState) damaged() bool { return s.sound && s.lost > 1 }

// checksum continues SQLite's checksum of a log over data, whose length must be a multiple of 8. Moves wait
// while a log is summed: so the byte order is tested once, and each sum depends only on the one before it.
func checksum(order binary.ByteOrder, sum [2]uint32, data []byte) [2]uint32 {
	a, b := sum[0], sum[1]
	if order == binary.LittleEndian {
		for ; len(data) >= 8; data = data[8:] {
			a = a + binary.LittleEndian.Uint32(data) + b
			b = b + binary.LittleEndian.Uint32(data[4:]) + a
		}
	} else {
		for ; len(data) >= 8; data = data[8:] {
			a = a + binary.BigEndian.Uint32(data) + b
			b = b + binary.BigEndian.Uint32(data[4:]) + a
		}
	}
	return [2]uint32{a, b}
}

func storedSum(b []byte) [2]uint32 {
	return [2]uint32{binary.BigEndian.Uint32(b), binary.BigEndian.Uint32(b[4:])}
}

// readHeader reads the log's header and reports whether it is valid.
func readHeader(r io.ReaderAt) (h [logHeaderSize]byte, sound bool, err error) {
	if _, err := r.ReadAt(h[:], 0); err != nil {
		if errors.Is(err, io.EOF) {
			err = nil
		}
		return h, false, err
	}
	magic := binary.BigEndian.Uint32(h[:])
	sound = magic&^1 == 0x377f0682 && checksum(orderOf(h), [2]uint32{}, h[:24]) == storedSum(h[24:])
	return h, sound, nil
}

// orderOf returns the byte order of a log's checksums.
func orderOf(h [logHeaderSize]byte) binary.ByteOrder {
	if h[3]&1 == 1 {
		return binary.BigEndian
	}
	return binary.LittleEndian
}

type frame struct {
	number int // from 1
	page   uint32
	commit bool    // the last one of a transaction
	salt   [8]byte // of the log it was written to
	sum    [2]uint32
	data   []byte // valid until the next frame is read
	linked bool   // its checksum follows from that of the frame before it, valid or not
}

// eachFrame reads a log's frames after frame number after, whose sum is before, until do returns false.
func eachFrame(r io.ReaderAt, size int64, h [logHeaderSize]byte, pages, after int, before [2]uint32, do func(*frame) bool) error {
	const framesAtATime = 64
	whole := frameHeaderSize + pages
	begin := logHeaderSize + int64(after)*int64(whole)
	if size < begin+int64(whole) {
		return nil
	}
	in := io.NewSectionReader(r, begin, size-begin)
	buf := make([]byte, min(framesAtATime*whole, int(size-begin)/whole*whole))
	order := orderOf(h)
	for number := after + 1; ; {
		n, err := io.ReadFull(in, buf)
		if err != nil && !errors.Is(err, io.EOF) && !errors.Is(err, io.ErrUnexpectedEOF) {
			return err
		}
		for b := range slices.Chunk(buf[:n-n%whole], whole) {
			f := frame{number: number, page: binary.BigEndian.Uint32(b), commit: binary.BigEndian.Uint32(b[4:]) != 0, salt: [8]byte(b[8:16]),
				sum: storedSum(b[16:]), data: b[frameHeaderSize:]}
			f.linked = f.page != 0 && checksum(order, checksum(order, before, b[:8]), f.data) == f.sum
			before = f.sum
			if !do(&f) {
				return nil
			}
			number++
		}
		if err != nil {
			return nil
		}
	}
}

// scanLog verifies a log and looks for a mark in it. It resumes an earlier scan of the same log.
func scanLog(r io.ReaderAt, size int64, from logState, want mark) (s logState, err error) {
	s.size = size
	if s.header, s.sound, err = readHeader(r); err != nil || !s.sound {
		return s, err
	}
	s.sum = storedSum(s.header[24:])
	if from.header == s.header && from.frames > 0 {
		s, s.size, s.lost = from, size, 0
	}
	pages := int(binary.BigEndian.Uint32(s.header[8:]))
	first := 0             // the first invalid frame
	var found, before mark // of a transaction that may be incomplete
	err = eachFrame(r, size, s.header, pages, s.frames, s.sum, func(f *frame) bool {
		ours := f.salt == [8]byte(s.header[16:24])
		switch {
		case first == 0 && ours && f.linked:
			s.frames, s.sum = f.number, f.sum
			if m, ok := markOnPage(f.data); ok {
				found = m
			}
			if f.commit && found != before {
				before, s.mark, s.has = found, found, s.has || found == want
				if s.first.file == 0 {
					s.first = found
				}
			}
			return true
		case first == 0:
			first = f.number
		case !f.linked: // it does not continue the frame before it
			return true
		}
		if ours && f.commit {
			s.lost++
		}
		return true
	})
	return s, err
}

// looseFrames reports whether a log with an invalid header has something that the database lacks. SQLite
// treats such a log as empty, which is right after a power loss while the log started over, for then the
// database had everything.
func looseFrames(log, data io.ReaderAt, size int64) (bool, error) {
	var h [logHeaderSize]byte
	var salt [8]byte
	last := make(map[uint32][]byte) // pages of whole transactions
	var open []frame                // of the transaction that is being read
	found := false
	err := eachFrame(log, size, h, pageSize, 0, storedSum(h[24:]), func(f *frame) bool {
		if !f.linked || found && f.salt != salt {
			return !found
		}
		salt, found = f.salt, true
		f.data = bytes.Clone(f.data)
		if open = append(open, *f); f.commit {
			for _, o := range open {
				last[o.page] = o.data
			}
			open = open[:0]
		}
		return true
	})
	if err != nil {
		return false, err
	}
	kept := make([]byte, pageSize)
	for page, want := range last {
		if _, err := data.ReadAt(kept, int64(page-1)*pageSize); err != nil && !errors.Is(err, io.EOF) {
			return false, err
		} else if err != nil || !bytes.Equal(kept, want) {
			return true, nil
		}
	}
	return false, nil
}

// checkLog verifies the log beside a data file: whether it is sound and continues the file. It also returns
// the mark in the data file alone, and whether that can be read. A server may be using both files: a fault
// counts only if two checks in a row find the same.
func checkLog(ctx context.Context, path string) (own mark, ownOK bool, log logState, lacks, err error) {
	for again := false; ; again = true {
		ownBefore, before := own, log
		if own, ownOK, err = markAlone(ctx, path); err != nil {
			return own, ownOK, log, nil, err
		}
		var loose bool
		if log, loose, err = lookAtLog(path, own); err != nil {
			return own, ownOK, log, nil, err
		}
		switch {
		case loose:
			lacks = fmt.Errorf("%w (its header is invalid)", ErrLog)
		case log.damaged():
			lacks = fmt.Errorf("%w (frame %d is invalid, and %d commits follow)", ErrLog, log.frames+1, log.lost)
		case ownOK:
			lacks = checkLink(ctx, path, own, log)
		}
		if lacks == nil || again && own == ownBefore && log == before {
			return own, ownOK, log, lacks, nil
		}
		lacks = nil
	}
}

// lookAtLog scans the log beside a data file. loose is set if the log's header is invalid and it has
// something that the file lacks. It opens the data file, so it must not be called in a process that has a
// store on the same file: closing it would end SQLite's locks.
func lookAtLog(path string, own mark) (s logState, loose bool, err error) {
	log, err := fsync.Open(logOf(path))
	if errors.Is(err, fs.ErrNotExist) {
		return s, false, nil
	}
	if err != nil {
		return s, false, err
	}
	defer log.Close()
	info, err := log.Stat()
	if err != nil {
		return s, false, err
	}
	if s, err = scanLog(log, info.Size(), logState{}, own); err != nil || s.sound || s.size <= logHeaderSize {
		return s, false, err
	}
	data, err := fsync.Open(path)
	if err != nil {
		return s, false, err
	}
	defer data.Close()
	loose, err = looseFrames(log, data, s.size)
	return s, loose, err
}

// logOf returns the name of the log beside a data file.
func logOf(path string) string { return path + "-wal" }
