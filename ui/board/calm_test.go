package board_test

import (
	"encoding/binary"
	"runtime/metrics"
	"testing"

	"github.com/stretchr/testify/require"

	"boneyard/rules"
	"boneyard/ui/board"
)

// choices come from a small generator with a fixed start, so that the bounds below always hold.
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

// A layout with at most one spinner is drawn with tiles, except at the end of a long round in a small room,
// where moving tiles would make room for one or two more; trees end as a strip more often.
func TestTilesAreTheRule(t *testing.T) {
	for _, c := range []struct {
		rule   string
		w, h   int
		strips int // of a thousand layouts
	}{
		{"classic", 40, 12, 25}, {"block", 40, 12, 0}, {"spruce spinner=none", 40, 12, 0},
		{"classic", 60, 9, 3}, {"block", 60, 9, 3},
		{"classic", 78, 12, 0}, {"classic", 52, 14, 8}, {"classic", 84, 28, 0},
		{"classic spinner=all", 78, 12, 55}, {"classic spinner=all", 52, 14, 50}, {"classic spinner=all", 84, 28, 3},
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

// Sessions draw boards on stacks that they keep while they wait.
func TestStacksStaySmall(t *testing.T) {
	const drawers, most = 100, 20 << 10
	stacks := func() int64 {
		sample := []metrics.Sample{{Name: "/memory/classes/heap/stacks:bytes"}}
		metrics.Read(sample)
		return int64(sample[0].Value.Uint64())
	}
	l := build(t, "classic", "5-5 5-4R 4-4R")
	drawn, done := make(chan bool), make(chan bool)
	defer close(done)
	before := stacks()
	for range drawers {
		go func() {
			board.Lay(l, 80, 24, 0)
			drawn <- true
			<-done
		}()
	}
	for range drawers {
		<-drawn
	}
	require.Less(t, stacks()-before, int64(drawers*most))
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
