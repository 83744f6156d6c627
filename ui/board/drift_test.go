package board

import (
	"encoding/binary"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

	"boneyard/rules"
)

// roundsOfFour plays n rounds of four seats with random moves, the same each time, and calls f with the layout after each play.
func roundsOfFour(t *testing.T, rule string, n int, f func(l *rules.Layout)) {
	t.Helper()
	r, err := rules.Parse(rule)
	require.NoError(t, err)
	state := uint64(0)
	for i := range n {
		var seed rules.Seed
		binary.BigEndian.PutUint32(seed[:], uint32(i))
		g, err := rules.New(r, 4)
		require.NoError(t, err)
		g, err = g.Deal(seed.Deal(&r, 4, 1))
		require.NoError(t, err)
		for g.Phase() == rules.Playing {
			m := rules.Move{Seat: g.Turn(), Kind: g.Duty(), Arm: rules.NoArm}
			if m.Kind == rules.Play {
				state = state*6364136223846793005 + 1442695040888963407
				all := g.AppendChoices(nil)
				m = g.Move(all[int(state>>33)%len(all)])
			}
			g, _, err = g.Apply(m)
			require.NoError(t, err)
			if m.Kind == rules.Play {
				f(g.Layout())
			}
		}
	}
}

// A line uses a wide room: an arm turns only once the line is less than a tile short of the width, and the picture is seldom moved for
// that.
func TestLinesUseAWideRoom(t *testing.T) {
	const n = 60
	for _, room := range [][2]int{{driftFrom, 28}, {153, 28}, {153, 38}, {200, 40}} {
		for _, rule := range []string{"classic", "block"} {
			layouts, early, moved := 0, 0, 0
			var before Plan
			roundsOfFour(t, rule, n, func(l *rules.Layout) {
				p := Lay(l, room[0], room[1], 0)
				line, folded := 0, false
				for i := range l.Len() {
					if q := l.Piece(i); i == 0 || q.Arm == rules.ArmL || q.Arm == rules.ArmR {
						w, _ := measures[max(p.size, Small)].dims(east, q.Double())
						line += w
						folded = folded || !p.lies[i].dir.level()
					}
				}
				layouts++
				if folded && line+2*measures[max(p.size, Small)].long <= room[0] {
					early++
				}
				if k := l.Len() - 1; k > 0 && p.size == before.size && !slices.Equal(p.lies[:k], before.lies[:k]) {
					moved++
				}
				before = p
			})
			t.Logf("%v %s: %d of %d moves fold early; the picture is moved %.2f times a round", room, rule, early, layouts, float64(moved)/n)
			require.LessOrEqual(t, early*100, layouts*4, "%v %s", room, rule)
			require.LessOrEqual(t, moved*10, n*19, "%v %s", room, rule)
		}
	}
}

// A line that grows at one end only stays straight while two more tiles fit.
func TestOneSidedLine(t *testing.T) {
	r, err := rules.Parse("block")
	require.NoError(t, err)
	v := rules.View{Rules: r}
	for i, tile := range []rules.Tile{
		rules.NewTile(6, 6), rules.NewTile(6, 5), rules.NewTile(5, 1), rules.NewTile(1, 6), rules.NewTile(6, 4), rules.NewTile(4, 0), rules.NewTile(0, 3),
	} {
		arm := rules.ArmR
		if i == 0 {
			arm = rules.NoArm
		}
		v.Layout = v.After(rules.Choice{Tile: tile, Arm: arm})
		for width, size := range map[int]Size{153: Medium, 240: Large} {
			p := Lay(&v.Layout, width, 38, 0)
			require.Equal(t, size, p.Size())
			for k := range v.Layout.Len() {
				require.True(t, p.lies[k].level(), "tile %d of %d", k+1, i+1)
			}
		}
	}
	require.Equal(t, 7, v.Layout.Len())
}
