package screen

import (
	"fmt"
	"runtime"
	"strings"
	"testing"
	"testing/synctest"
	"weak"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func sharedFrame(lines ...string) *Frame {
	return NewSharedFrame(Content{Width: 20, Height: 4, Lines: lines})
}

func TestNewFrameKeepsToTheLimits(t *testing.T) {
	f := NewFrame(Content{Width: 1 << 31, Height: 1 << 31})
	assert.Equal(t, MaxWidth, f.Width)
	assert.Equal(t, MaxHeight, f.Height)
	f = NewFrame(Content{Width: -1, Lines: []string{"a", "b"}})
	assert.Equal(t, 1, f.Width)
	assert.Equal(t, 1, f.Height)
	assert.Equal(t, []string{"a"}, f.Lines)
}

// Screens that make the same steps get the same bytes, which are made once.
func TestSharedFramesMakeTheirPatchOnce(t *testing.T) {
	a, b := sharedFrame("one"), sharedFrame("two")
	whole := (*Frame)(nil).patchTo(a, new(scratch))
	step := a.patchTo(b, new(scratch))
	require.NotEmpty(t, whole)
	require.NotEmpty(t, step)
	require.NotEqual(t, string(whole), string(step))
	for range 3 {
		again := (*Frame)(nil).patchTo(a, nil) // nil: no patch can be made
		require.Same(t, &whole[0], &again[0])
		again = a.patchTo(b, nil)
		require.Same(t, &step[0], &again[0])
	}
	require.Equal(t, string(step), string(frame("one").patchTo(b, new(scratch))))
	require.Equal(t, 1, kept(b), "a step from a frame of one screen is not kept")
}

// kept is how many patches lead to a shared frame.
func kept(f *Frame) int { return len(f.patches.young) + len(f.patches.old) }

func TestManyScreensShareFrames(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var screens []*Screen
		var terms []*terminal
		for range 50 {
			terms = append(terms, newTerminal(20, 4))
			screens = append(screens, New(terms[len(terms)-1]))
		}
		for move := range 30 {
			f := sharedFrame("table 12", fmt.Sprint("move ", move), strings.Repeat("x", move%7))
			for i, s := range screens {
				if i%3 == 0 || move%2 == 0 { // some skip every other frame
					s.Show(f)
				}
			}
			synctest.Wait()
			require.LessOrEqual(t, kept(f), 3)
			for i, term := range terms {
				if i%3 == 0 || move%2 == 0 {
					requireSame(t, painted(t, f.Content), term)
				}
			}
		}
		for _, s := range screens {
			require.NoError(t, s.Leave())
		}
	})
}

// However many frames come and go, memory is bounded, and a frame does not keep earlier ones alive.
func TestSharedFramesAreNotKept(t *testing.T) {
	last := sharedFrame("last")
	var old []weak.Pointer[Frame]
	f := sharedFrame("first")
	for i := range 100 {
		next := sharedFrame(fmt.Sprint("frame ", i))
		f.patchTo(next, new(scratch))
		f.patchTo(last, new(scratch))
		old = append(old, weak.Make(f))
		f = next
	}
	runtime.GC()
	for i, w := range old {
		require.Nilf(t, w.Value(), "frame %d is still there", i)
	}
	require.GreaterOrEqual(t, kept(last), patchesKept)
	require.LessOrEqual(t, kept(last), 2*patchesKept)
	require.NotEmpty(t, f.patchTo(last, new(scratch)))
	runtime.KeepAlive(last)
}
