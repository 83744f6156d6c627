package board_test

import (
	"testing"

	"github.com/charmbracelet/colorprofile"
	"github.com/stretchr/testify/require"

	"boneyard/rules"
	"boneyard/ui/board"
	"boneyard/ui/theme"
)

func TestReceipt(t *testing.T) {
	digits := theme.Get(theme.Mono, colorprofile.NoTTY, theme.Digits)
	for _, c := range []struct {
		rule, laid string
		tile       rules.Tile
		arm        rules.Arm
		points     rules.Points
		want       string
	}{
		{"classic", "", rules.NewTile(6, 4), rules.NoArm, 10, ": 4+6 = 10, scores 10"},
		{"classic", "", rules.NewTile(5, 5), rules.NoArm, 10, ": 10, scores 10"},
		{"classic", "5-5", rules.NewTile(5, 3), rules.ArmL, 0, " L: 3+10 = 13, no score"},
		{"spruce", "3-5 5-5R 5-1R", rules.NewTile(4, 1), rules.ArmR, 0, " R: 3+4 = 7, no score"},
		{"classic spinner=all", "5-5 5-2R 2-2R", rules.NewTile(6, 2), 6, 0, " 3U: 10+4+6 = 20, no score"},
		{"block", "6-6", rules.NewTile(6, 5), rules.ArmR, 0, ""},
	} {
		r, err := rules.Parse(c.rule)
		require.NoError(t, err)
		v := rules.View{Rules: r, Layout: *build(t, c.rule, c.laid)}
		o := rules.Option{Choice: rules.Choice{Tile: c.tile, Arm: c.arm}, Points: c.points}
		whole, _ := board.Receipt(&v, o, c.arm.String(), digits)
		require.Equal(t, c.want, whole)

		v.Layout = v.After(o.Choice)
		whole, _ = board.Counted(&v, c.points, digits)
		require.Equal(t, c.want, whole, "the same once it has been played")
	}
	whole, short := board.Counted(&rules.View{}, 0, digits)
	require.Empty(t, whole+short)
}
