package board_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"boneyard/rules"
	"boneyard/ui/board"
)

// The spinner stands upright wherever it is laid, and what lies on its four edges lies in the directions that the arms are named
// by. On wide screens an arm may have turned before the first double comes.
func TestSpinnerIsUpright(t *testing.T) {
	for _, room := range []struct{ w, h int }{{78, 11}, {154, 40}} {
		spinners := 0
		rounds(t, "classic", 100, func(l *rules.Layout) {
			at := -1
			for i := range l.Len() {
				if q := l.Piece(i); q.Spinner {
					at = i
				}
			}
			if at < 0 {
				return
			}
			lines := board.Draw(l, board.Options{Width: room.w, Height: room.h, Theme: ascii})
			picture := "\n" + strings.Join(lines, "\n")
			tiles, words := read(lines)
			of := map[rules.Tile]seen{}
			for _, s := range tiles {
				of[s.tile()] = s
			}
			spinner := l.Piece(at)
			s, ok := of[spinner.Tile]
			require.True(t, ok, picture)
			spinners++
			require.GreaterOrEqual(t, s.h*2, s.w, "the spinner lies %s", picture)
			is := func(arm rules.Arm, x, y, w, h int) {
				switch {
				case arm == rules.ArmL:
					require.LessOrEqual(t, x+w, s.x, "%s %s", arm, picture)
				case arm == rules.ArmR:
					require.GreaterOrEqual(t, x, s.x+s.w, "%s %s", arm, picture)
				case arm == rules.ArmU:
					require.LessOrEqual(t, y+h, s.y, "%s %s", arm, picture)
				case arm == rules.ArmD:
					require.GreaterOrEqual(t, y, s.y+s.h, "%s %s", arm, picture)
				}
			}
			for i := range l.Len() {
				if q := l.Piece(i); int(q.At) == at {
					n := of[q.Tile]
					is(q.Arm, n.x, n.y, n.w, n.h)
				}
			}
			if spinner.At >= 0 {
				other := rules.ArmL + rules.ArmR - spinner.Arm
				n := of[l.Piece(int(spinner.At)).Tile]
				is(other, n.x, n.y, n.w, n.h)
			}
			for i := range l.EndCount() {
				if e := l.End(i); int(e.At) == at {
					name := words[e.Arm.String()]
					is(e.Arm, name[0], name[1], 1, 1)
				}
			}
		})
		require.Positive(t, spinners)
	}
}
