package board_test

import (
	"encoding/binary"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

	"boneyard/rules"
	"boneyard/ui/board"
)

// choices are drawn from a small generator with a fixed start, so that the bounds below are facts and no chances.
type choices uint64

func (c *choices) next(n int) int {
	*c = *c*6364136223846793005 + 1442695040888963407
	return int(uint64(*c) >> 33 % uint64(n))
}

// rounds plays n rounds of a game with four seats.
func rounds(t testing.TB, rule string, n int, f func(l *rules.Layout)) {
	var c choices
	for i := range n {
		var seed rules.Seed
		binary.BigEndian.PutUint32(seed[:], uint32(i))
		play(t, rule, 4, seed, c.next, f)
	}
}

// A picture is calm: an ordinary move changes few of its lines, and leaves all tiles where they are. Each changed line is
// sent to everybody who watches.
func TestCalm(t *testing.T) {
	for _, c := range []struct {
		w, h  int
		lines int // the most that half of the moves change
		jumps int // the most moves a hundred that put a tile elsewhere, a change of size included; in a wide room the line drifts
	}{
		{78, 12, 4, 12}, {52, 14, 4, 12}, {84, 28, 6, 12}, {118, 28, 6, 16},
	} {
		var changed []int
		moves, jumps := 0, 0
		rounds(t, "classic", 60, func() func(l *rules.Layout) {
			var before []string
			var tiles []seen
			return func(l *rules.Layout) {
				lines := board.Draw(l, board.Options{Width: c.w, Height: c.h, Theme: ascii})
				now, _ := read(slices.Clone(lines))
				if l.Len() > 1 {
					moves++
					n := 0
					for i := range lines {
						if lines[i] != before[i] {
							n++
						}
					}
					changed = append(changed, n)
					for _, s := range tiles {
						s.last = false
						if !slices.ContainsFunc(now, func(o seen) bool { o.last = false; return o == s }) {
							jumps++
							break
						}
					}
				}
				before, tiles = lines, now
			}
		}())
		slices.Sort(changed)
		half := changed[len(changed)/2]
		t.Logf("%dx%d: %d moves; half of them change %d lines or fewer, nine of ten %d; %d put a tile elsewhere", c.w, c.h, moves, half, changed[len(changed)*9/10], jumps)
		require.LessOrEqual(t, half, c.lines)
		require.LessOrEqual(t, jumps*100, moves*c.jumps)
	}
}

// When the size of the tiles changes, most pieces keep their direction.
func TestSizeKeepsTheShape(t *testing.T) {
	for _, rule := range []string{"classic", "block", "azneef"} {
		for _, c := range []struct{ w, h int }{{73, 25}, {84, 28}, {97, 36}} {
			changes, turned := 0, 0
			var before board.Plan
			n := 0
			rounds(t, rule, 60, func(l *rules.Layout) {
				plan := board.Lay(l, c.w, c.h, 0)
				if l.Len() > 1 && plan.Size() != before.Size() && plan.Size() != board.Strip {
					changes++
					turns := 0
					for i := range n {
						if plan.Direction(i) != before.Direction(i) {
							turns++
						}
					}
					if 3*turns >= n {
						turned++
					}
				}
				before, n = plan, l.Len()
			})
			t.Logf("%s in %dx%d: %d changes of size, %d turn a third of the pieces", rule, c.w, c.h, changes, turned)
			require.NotZero(t, changes)
			require.LessOrEqual(t, 12*turned, changes)
		}
	}
}

// In a room of 40×12 and more, a layout with one spinner or none has always been drawn with tiles; lower rooms end as a
// strip now and then, and so do trees.
func TestTilesAreTheRule(t *testing.T) {
	for _, c := range []struct {
		rule   string
		w, h   int
		strips int // of a thousand layouts
	}{
		{"classic", 40, 12, 0}, {"block", 40, 12, 0}, {"spruce spinner=none", 40, 12, 0},
		{"classic", 60, 9, 3}, {"block", 60, 9, 3},
		{"classic", 78, 12, 0}, {"classic", 52, 14, 0}, {"classic", 84, 28, 0},
		{"classic spinner=all", 78, 12, 10}, {"classic spinner=all", 52, 14, 4}, {"classic spinner=all", 84, 28, 0},
	} {
		n, strips := 0, 0
		rounds(t, c.rule, 80, func(l *rules.Layout) {
			plan := board.Lay(l, c.w, c.h, 0)
			n++
			if plan.Size() == board.Strip {
				strips++
			}
		})
		t.Logf("%s in %dx%d: %d of %d layouts as a strip", c.rule, c.w, c.h, strips, n)
		require.LessOrEqual(t, strips*1000, c.strips*n, "%s in %dx%d", c.rule, c.w, c.h)
	}
}

// The same pieces in the same room always lie in the same places.
func TestSamePicture(t *testing.T) {
	rounds(t, "classic spinner=all", 20, func(l *rules.Layout) {
		o := board.Options{Width: 78, Height: 12, Theme: ascii}
		require.Equal(t, board.Draw(l, o), board.Draw(l, o))
	})
}

func BenchmarkDraw(b *testing.B) {
	for _, room := range []struct {
		name string
		w, h int
	}{{"80x24", 78, 12}, {"120x40", 84, 28}, {"low", 60, 9}} {
		for _, game := range []string{"example", "arms", "tree"} {
			l := build(b, layouts[game][0], layouts[game][1])
			b.Run(room.name+"/"+game, func(b *testing.B) {
				b.ReportAllocs()
				for b.Loop() {
					board.Draw(l, board.Options{Width: room.w, Height: room.h, Theme: ascii})
				}
			})
		}
	}
}
