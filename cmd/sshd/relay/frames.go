// Package relay knows how a node of a cluster has another one serve a call, over connections between the two;
// it must not know which node serves, nor the club.
//
// [Pass] is the side that has the caller, [Serve] the other. Both speak in frames, over a connection of the
// call's own or a stream in one: a frame is a byte that says what it is, the length of its content in four
// bytes, big-endian, and the content.
package relay

import (
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"sync"

	"boneyard/cmd/sshd/gate"
)

// frameKind says what a frame is.
type frameKind byte

// What the node that has the caller sends. The header comes first.
const (
	frameHeader frameKind = 'h' // the call, as JSON
	frameInput  frameKind = 'i' // what the caller has sent
	frameEOF    frameKind = 'e' // and will send no more
	frameResize frameKind = 'r' // the window's next size: width and height, two bytes each
	frameGone   frameKind = 'g' // the caller has hung up
	frameClosed frameKind = 'c' // this node goes down under the caller, who can still read a last word
)

// What the node that serves the call sends. The end, or one of the two refusals, comes last.
const (
	frameOut       frameKind = 'o' // for the caller
	frameErr       frameKind = 'x' // likewise, for the error stream
	frameTaken     frameKind = 't' // the call is begun, or so many bytes of input have been read, four bytes: as many more may be sent
	frameKeep      frameKind = 'k' // where the caller is, see gate.Call.Keep
	frameMoves     frameKind = 'm' // another node will serve the call from here on
	frameElsewhere frameKind = 'n' // the call was not begun, for this node does not serve any
	frameEnd       frameKind = 'q' // how the call ended, as JSON
)

// Bounds of frames, in bytes.
const (
	frameHead = 5
	maxHeader = 64 << 10
	maxOutput = 32 << 10 // what is longer is sent in several
	maxEnding = 4 << 10
)

// most is how long the content of a frame may be; less than 0 if there is no such frame.
func (k frameKind) most() int {
	switch k {
	case frameHeader:
		return maxHeader
	case frameInput:
		return gate.MaxInput
	case frameResize, frameTaken:
		return 4
	case frameEOF, frameGone, frameClosed, frameMoves, frameElsewhere:
		return 0
	case frameOut, frameErr:
		return maxOutput
	case frameKeep:
		return gate.MaxKept
	case frameEnd:
		return maxEnding
	}
	return -1
}

// errFrame is returned for what no node sends.
var errFrame = errors.New("the other node sent what cannot be understood")

// frameReader reads frames.
type frameReader struct {
	r   io.Reader
	buf []byte
}

// next returns the next frame. Its content is overwritten by the next call.
func (f *frameReader) next() (kind frameKind, content []byte, err error) {
	var head [frameHead]byte
	if _, err := io.ReadFull(f.r, head[:]); err != nil {
		return 0, nil, err
	}
	kind = frameKind(head[0])
	n := binary.BigEndian.Uint32(head[1:])
	if most := kind.most(); most < 0 || uint64(n) > uint64(most) {
		return 0, nil, fmt.Errorf("%w: a frame %q of %d bytes", errFrame, head[0], n)
	}
	if cap(f.buf) < int(n) || cap(f.buf) > 4<<10 && n <= 4<<10 {
		f.buf = make([]byte, n, max(n, 512)) // what a whole screen needed is not kept
	}
	content = f.buf[:n]
	if _, err := io.ReadFull(f.r, content); err != nil {
		if errors.Is(err, io.EOF) {
			err = io.ErrUnexpectedEOF
		}
		return 0, nil, err
	}
	return kind, content, nil
}

// number is the content of a frame of four bytes.
func number(content []byte) (uint32, error) {
	if len(content) != 4 {
		return 0, errFrame
	}
	return binary.BigEndian.Uint32(content), nil
}

var frames = sync.Pool{New: func() any { return new([]byte) }}

// writeFrame writes a frame in one Write, so that those of several goroutines do not mix.
func writeFrame(w io.Writer, kind frameKind, content []byte) error {
	if len(content) > kind.most() {
		return fmt.Errorf("a frame %q of %d bytes is too long", byte(kind), len(content))
	}
	b := frames.Get().(*[]byte)
	defer frames.Put(b)
	*b = append((*b)[:0], byte(kind))
	*b = binary.BigEndian.AppendUint32(*b, uint32(len(content)))
	*b = append(*b, content...)
	_, err := w.Write(*b)
	return err
}

// writeNumber writes a frame of four bytes.
func writeNumber(w io.Writer, kind frameKind, n uint32) error {
	var b [4]byte
	binary.BigEndian.PutUint32(b[:], n)
	return writeFrame(w, kind, b[:])
}

// writeSize writes a window's size.
func writeSize(w io.Writer, s gate.Size) error {
	return writeNumber(w, frameResize, uint32(s.Width)<<16|uint32(s.Height)&0xffff)
}

// frameWriter writes frames of one kind.
type frameWriter struct {
	w    io.Writer
	kind frameKind
}

func (f frameWriter) Write(p []byte) (n int, err error) {
	for len(p) > 0 {
		part := p[:min(len(p), maxOutput)]
		if err := writeFrame(f.w, f.kind, part); err != nil {
			return n, err
		}
		n += len(part)
		p = p[len(part):]
	}
	return n, nil
}
