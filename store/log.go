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

// The write-ahead log, as https://www.sqlite.org/fileformat2.html#walformat has it. SQLite reads a log up to the first
// frame that is not sound and forgets what follows, as after a power loss. So one flipped bit would take back whatever was
// committed behind it, without a word. A power loss cannot do that: each commit waits until the log is on the disk, so
// that at most one transaction is ever on its way.

const (
	logHeaderSize   = 32
	frameHeaderSize = 24
	pageSize        = 4096 // SQLite's default, which all our files have
)

// logState is what a look at a log says.
type logState struct {
	size   int64
	header [logHeaderSize]byte
	sound  bool      // the header is
	frames int       // sound ones, from the first
	sum    [2]uint32 // of the last of them
	lost   int       // commits that stand behind the first frame that is not sound
	first  mark      // of the first transaction that has one
	mark   mark      // of the last one
	has    bool      // one of them has the mark that was looked for
}

// damaged reports whether more is missing than one transaction that was on its way.
func (s *logState) damaged() bool { return s.sound && s.lost > 1 }

// checksum goes on with SQLite's checksum of a log over data of a length that 8 divides. All of a log is
// summed up while moves wait for the next commit: so the order of bytes is asked once, and no sum waits for
// more than the one before it.
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

// readHeader reads the log's header and reports whether it is sound.
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

// orderOf is the order of bytes in which a log's checksums were computed.
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
	linked bool   // its checksum follows from that of the frame before it, sound or not
}

const framesAtATime = 64

// eachFrame reads the frames of a log that come after some, the last of which has the sum before, until do returns false.
func eachFrame(r io.ReaderAt, size int64, h [logHeaderSize]byte, pages, after int, before [2]uint32, do func(*frame) bool) error {
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

// scanLog verifies a log, and looks for a mark in it. It goes on from an earlier look at the same log.
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
	first := 0             // the first frame that is not sound
	var found, before mark // of a transaction that may not be whole
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
		case !f.linked: // a part of something that is not there
			return true
		}
		if ours && f.commit {
			s.lost++
		}
		return true
	})
	return s, err
}

// looseFrames reports whether a log whose header is not sound holds something that the database lacks. SQLite takes such a
// log for an empty one. So it is right after a power loss at the moment when the log began again, for then the database had
// everything.
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

// checkLog verifies the log beside a data file: whether it is sound, and continues the file. It gives the
// mark in the data file alone as well, and whether that can be read. A server may use both; what two looks in
// a row say is so.
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

// lookAtLog verifies the log beside a data file, and whether it has something that the file lacks though its
// header is not sound. That data is opened is a matter for processes that have no store on the same file:
// closing it would end SQLite's locks.
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

// logOf is the name of the log beside a data file.
func logOf(path string) string { return path + "-wal" }
