package board_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"boneyard/rules"
	"boneyard/ui/board"
)

// Where every double is a spinner, a name says where its arm begins: L at the left of its double, R at the right, U above, D below.
func TestNamesSayWhereArmsBegin(t *testing.T) {
	lying := 0
	rounds(t, "classic spinner=all", 40, func(l *rules.Layout) {
		o := board.Options{Width: 84, Height: 28, Theme: ascii, Seen: true}
		plan := board.Lay(l, o.Width, o.Height, 0)
		if plan.Size() == board.Strip {
			return
		}
		tiles, words := read(plan.Draw(o))
		of := map[rules.Tile]seen{}
		for _, s := range tiles {
			of[s.tile()] = s
		}
		require.Len(t, words, l.EndCount(), "each end has a name of its own")
		for i := range l.EndCount() {
			e := l.End(i)
			p := l.Piece(int(e.At))
			if e.Arm < 4 || !p.Spinner || e.Arm/2 != rules.Arm(e.At)+1 {
				continue // no branch, or one that has tiles
			}
			name := plan.Name(e.Arm)
			at, s := words[name], of[p.Tile]
			switch name[len(name)-1] {
			case 'L':
				lying++
				require.Less(t, at[0], s.x, name)
				require.Contains(t, []int{s.y, s.y + s.h/2, s.y + s.h - 1}, at[1], name)
			case 'R':
				lying++
				require.GreaterOrEqual(t, at[0], s.x+s.w, name)
			case 'U':
				require.Less(t, at[1], s.y, name)
			case 'D':
				require.GreaterOrEqual(t, at[1], s.y+s.h, name)
			}
		}
	})
	require.Positive(t, lying)
}
