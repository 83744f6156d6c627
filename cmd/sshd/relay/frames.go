// Package relay knows how one node of a cluster has another serve a call, over connections between the two;
// it must not know which node serves, nor the club.
//
// [Pass] is the side with the caller, [Serve] the other. They exchange frames, over a connection of the
// call's own or a stream in one: a byte for the kind, the length of the content in four bytes, big-endian,
// and the content.
package relay

import (
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"sync"

	"boneyard/cmd/sshd/gate"
)

// frameKind is the kind of a frame.
type frameKind byte

// Frames from the node with the caller. The header comes first.
const (
	frameHeader frameKind = 'h' // the call, as JSON
	frameInput  frameKind = 'i' // the caller's input
	frameEOF    frameKind = 'e' // the caller will send no more
	frameResize frameKind = 'r' // a new window size: width and height, two bytes each
	frameGone   frameKind = 'g' // the caller has hung up
	frameClosed frameKind = 'c' // this node shuts down under the caller, who can still read a last message
)

// Frames from the node that serves the call. The end, or one of the two refusals, comes last.
const (
	frameOut       frameKind = 'o' // for the caller
	frameErr       frameKind = 'x' // the same for the error stream
	frameTaken     frameKind = 't' // the call has begun, or so many bytes of input have been read (four bytes), and as many more may be sent
	frameKeep      frameKind = 'k' // where the caller is, see gate.Call.Keep
	frameMoves     frameKind = 'm' // another node continues the call
	frameElsewhere frameKind = 'n' // the call was not begun, since this node serves none
	frameEnd       frameKind = 'q' // how the call ended, as JSON
)

// Limits of frames, in bytes.
const (
	frameHead = 5
	maxHeader = 64 << 10
	maxOutput = 32 << 10 // longer output is sent in several frames
	maxEnding = 4 << 10
)

// most returns the greatest length of a frame's content, or -1 for an unknown kind.
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

// errFrame is returned for a frame that no node should send.
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
		f.buf = make([]byte, n, max(n, 512)) // the buffer of a whole screen is not kept
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

// number decodes the content of a frame of four bytes.
func number(content []byte) (uint32, error) {
	if len(content) != 4 {
		return 0, errFrame
	}
	return binary.BigEndian.Uint32(content), nil
}

var frames = sync.Pool{New: func() any { return new([]byte) }}

// writeFrame writes a frame in a single Write, so that several goroutines' frames do not mix.
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

// writeSize writes a window size.
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
