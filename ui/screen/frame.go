package screen

import (
	"slices"
	"sync/atomic"
)

// The largest size that is drawn; the rest of a larger terminal stays empty. Clients may claim any size.
const (
	MaxWidth  = 500
	MaxHeight = 200
)

// Content is what a frame shows.
type Content struct {
	// Width and Height are the terminal's size in cells.
	Width, Height int
	// Lines are the rows from the top, each styled with whole SGR sequences. Missing rows are empty; lines
	// beyond Height and columns beyond Width are not shown. A line starts and ends in the terminal's own
	// style. Tabs and line breaks become a space; other control characters and escape sequences are dropped.
	Lines []string
	// Cursor is the terminal's cursor, if it is visible.
	Cursor Cursor
	// Alike says that many screens show most of these rows.
	Alike bool
	// Title is the title of the terminal's window.
	Title string
}

// Cursor is a place on the screen, counted from the top left corner 0, 0. The zero Cursor is hidden.
type Cursor struct {
	X, Y    int
	Visible bool
}

// Frame is a picture of a whole terminal. It is immutable and safe for concurrent use.
type Frame struct {
	Content

	id uint64 // of a shared frame; 0 for others
	// patches lead to this frame if it is shared. They have the number of the frame they start from, so that
	// no frame keeps another alive, or 0 for an unknown terminal.
	patches *Cache[uint64, []byte]
}

// NewFrame returns a frame for one screen. It keeps c.Lines, which must not be changed afterwards.
func NewFrame(c Content) *Frame {
	c.Width = min(max(c.Width, 1), MaxWidth)
	c.Height = min(max(c.Height, 1), MaxHeight)
	if len(c.Lines) > c.Height {
		c.Lines = c.Lines[:c.Height]
	}
	cur := &c.Cursor
	if !cur.Visible || cur.X < 0 || cur.Y < 0 || cur.X >= c.Width || cur.Y >= c.Height {
		*cur = Cursor{}
	}
	return &Frame{Content: c}
}

// NewSharedFrame returns a frame for many screens. The first screen that needs the bytes that lead to it from
// another shared frame, or from an unknown terminal, computes them, and the frame keeps them for the others.
// For a single screen that would waste memory.
func NewSharedFrame(c Content) *Frame {
	f := NewFrame(c)
	f.id = frameID.Add(1)
	f.patches = NewCache[uint64, []byte](patchesKept)
	return f
}

var frameID atomic.Uint64

// line returns row y.
func (f *Frame) line(y int) string {
	if y < len(f.Lines) {
		return f.Lines[y]
	}
	return ""
}

// patchesKept is how many patches a frame keeps at least: from an unknown terminal, from the previous frame,
// and from those that screens on slow connections still show.
const patchesKept = 8

// patchTo returns the bytes that turn a terminal showing f into one showing next; a nil f stands for a
// terminal in an unknown state. They are empty if both look the same. Other screens may use them, or they lie
// in sc.buf: they must not be changed, nor read after the next use of sc.
func (f *Frame) patchTo(next *Frame, sc *scratch) []byte {
	if next.patches == nil || f != nil && f.patches == nil {
		sc.buf = appendPatch(sc.buf[:0], f, next, sc)
		return sc.buf
	}
	var from uint64
	if f != nil {
		from = f.id
	}
	return next.patches.Get(from, func() []byte {
		sc.buf = appendPatch(sc.buf[:0], f, next, sc)
		return slices.Clone(sc.buf)
	})
}
