package screen

import (
	"fmt"
	"io"
	"strings"
	"testing"

	"github.com/charmbracelet/colorprofile"
	"github.com/stretchr/testify/require"

	"boneyard/ui/theme"
)

// table is a table in play as a page might draw it: a head, the layout in rows of tiles, the players, the
// newest move, a hand. Move n lays tile n, in one row on a small screen and in three on a large one; the last
// tile's face is marked.
func table(w, h, n int) Content {
	th := theme.Get(theme.Dark, colorprofile.ANSI256, theme.Digits)
	g := th.Glyphs()
	lines := make([]string, h)
	pad := func(s string, n int) string { return s + strings.Repeat(" ", max(n-len([]rune(s)), 0)) }
	lines[0] = th.Paint(theme.Title, pad(" Table 12   classic to 150   round 3", w-20)) + th.Paint(theme.Muted, "7 watching")
	lines[1] = th.Paint(theme.Border, strings.Repeat(g.Horizontal, w))
	perRow := (w - 24) / 5
	for i := range n {
		face := fmt.Sprintf("%d%s%d", i%7, g.Dot, i/7%7)
		if i == n-1 {
			face = th.Paint(theme.TileLast, face)
		}
		if w < 100 {
			lines[2+i/perRow] += "[" + face + "]"
			continue
		}
		row := 2 + i/perRow*3
		lines[row] += "┌───┐"
		lines[row+1] += "│" + face + "│"
		lines[row+2] += "└───┘"
	}
	for i, name := range []string{"Anna", "Bert", "Cleo", "Dora"} {
		mark := " "
		if i == n%4 {
			mark = g.Cursor
		}
		lines[h-8+i] = mark + " " + th.Paint(theme.Side(i), pad(name, 12)) + fmt.Sprintf("%3d tiles  %3d points", 7-(n+3-i)/4, 5*((n+3-i)/4))
	}
	if n > 0 {
		lines[h-4] = fmt.Sprintf("%3d. %s plays %d-%d: 5%s5 + 4 + 3 = 17, scores %d", n, "ABCD"[(n-1)%4:(n-1)%4+1], (n-1)%7, (n-1)/7%7, g.Dot,
			5*n)
	}
	lines[h-3] = th.Paint(theme.Border, strings.Repeat(g.Horizontal, w))
	lines[h-2] = " 6·4  " + th.Paint(theme.TilePlayable, "5·3") + "  2·1  0·0"
	lines[h-1] = th.Paint(theme.Key, "arrows") + " choose  " + th.Paint(theme.Key, "enter") + " play  " + th.Paint(theme.Key, "?") + " help"
	return Content{Width: w, Height: h, Lines: lines, Title: "boneyard"}
}

var sizes = []struct{ w, h int }{{80, 24}, {120, 40}}

// An ordinary move costs a watcher at 80×24 at most 100 bytes, in the mean over the first two rounds' worth
// of tiles.
func TestBytesOfAMove(t *testing.T) {
	for _, size := range sizes {
		total, worst, moves := 0, 0, 14
		for n := 1; n <= moves; n++ {
			got := len(NewFrame(table(size.w, size.h, n)).patchTo(NewFrame(table(size.w, size.h, n+1)), new(scratch)))
			total += got
			worst = max(worst, got)
		}
		t.Logf("%d×%d: %d bytes a move, %d at worst; the whole screen is %d", size.w, size.h, total/moves, worst,
			len((*Frame)(nil).patchTo(NewFrame(table(size.w, size.h, moves)), new(scratch))))
		if size.w == 80 {
			require.LessOrEqual(t, total/moves, 100)
		}
	}
}

// step is a writer that signals each Write.
type step struct {
	done  chan struct{}
	bytes int
}

func (s *step) Write(p []byte) (int, error) {
	s.bytes += len(p)
	s.done <- struct{}{}
	return len(p), nil
}

func BenchmarkShowUnchanged(b *testing.B) {
	b.Run("same frame", func(b *testing.B) {
		s := New(io.Discard)
		f := NewFrame(table(80, 24, 5))
		b.ReportAllocs()
		for b.Loop() {
			s.Show(f)
		}
		require.NoError(b, s.Leave())
	})
	b.Run("equal lines", func(b *testing.B) {
		c := table(80, 24, 5)
		f, g := NewFrame(c), NewFrame(c)
		sc := new(scratch)
		b.ReportAllocs()
		for b.Loop() {
			if len(f.patchTo(g, sc)) > 0 {
				b.Fatal("changed")
			}
		}
	})
}

// BenchmarkMove is one move on one screen: finding and writing the difference.
func BenchmarkMove(b *testing.B) {
	for _, size := range sizes {
		b.Run(fmt.Sprintf("%dx%d", size.w, size.h), func(b *testing.B) {
			w := &step{done: make(chan struct{}, 1)}
			s := New(w)
			frames := make([]Content, 15)
			for i := range frames {
				frames[i] = table(size.w, size.h, i)
			}
			s.Show(NewFrame(frames[0]))
			<-w.done
			w.bytes = 0
			b.ReportAllocs()
			n := 0
			for b.Loop() {
				n++
				s.Show(NewFrame(frames[n%len(frames)]))
				<-w.done
			}
			b.ReportMetric(float64(w.bytes)/float64(n), "bytes/op")
			go func() { <-w.done }()
			require.NoError(b, s.Leave())
		})
	}
}

// BenchmarkThousandScreens is one move on a thousand screens that share the frame, which is made each time;
// an op is the move for all of them.
func BenchmarkThousandScreens(b *testing.B) {
	const n = 1000
	w := &counter{done: make(chan struct{}, n)}
	screens := make([]*Screen, n)
	for i := range screens {
		screens[i] = New(w)
	}
	frames := make([]Content, 15)
	for i := range frames {
		frames[i] = table(80, 24, i)
	}
	show := func(f *Frame) {
		for _, s := range screens {
			s.Show(f)
		}
		for range n {
			<-w.done
		}
	}
	show(NewSharedFrame(frames[0]))
	b.ReportAllocs()
	i := 0
	for b.Loop() {
		i++
		show(NewSharedFrame(frames[i%len(frames)]))
	}
	b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(i)/n, "ns/screen")
}

// counter signals each Write of many screens.
type counter struct{ done chan struct{} }

func (c *counter) Write(p []byte) (int, error) {
	c.done <- struct{}{}
	return len(p), nil
}
