package play

import (
	"testing"

	"github.com/stretchr/testify/require"

	"boneyard/rules"
	"boneyard/table"
	"boneyard/ui/page"
	"boneyard/ui/plain"
)

// The guide explains the spinner when it is played, and advises only if there is a choice.
func TestTheGuideAdvises(t *testing.T) {
	s := answer(t)
	five, v := rules.NewTile(5, 5), s.of(1)
	say := func(tile rules.Tile, points rules.Points) string {
		return plain.GuideMove(v, &table.Entry{Number: 1,
			Event: rules.Event{Move: rules.Move{Seat: 1, Kind: rules.Play, Tile: tile}, Points: points}})
	}
	for _, points := range []rules.Points{0, 10} {
		require.Contains(t, say(five, points), " 5-5 is the first double: tiles go on all four sides of it.")
		require.NotContains(t, say(v.Play.Layout.Piece(1).Tile, points), "double:")
	}

	none, some := rules.Option{Choice: rules.Choice{Tile: rules.NewTile(5, 4), Arm: rules.ArmR}},
		rules.Option{Choice: rules.Choice{Tile: rules.NewTile(6, 5), Arm: rules.ArmR}, Points: 5}
	light := rules.Option{Choice: rules.Choice{Tile: rules.NewTile(5, 0), Arm: rules.ArmR}}
	for want, options := range map[string][]rules.Option{
		"Now 6-5 on the right would score 5.":                                          {none, some},
		"Nothing scores now, and only 5-4 fits.":                                       {none},
		"No score now: 5-4 sheds the most pips; those you keep may count against you.": {light, none},
	} {
		v.Play.Options = options
		require.Equal(t, want, plain.GuideNow(v))
		require.LessOrEqual(t, len(page.Wrap(want, page.MinWidth-2)), shortGuide)
	}
	v.Play.Forced = none.Tile
	require.Empty(t, plain.GuideNow(v), "the reason is said anyway")
}

// In every window the guide says what to do now.
func TestTheGuideHasRoom(t *testing.T) {
	s := lead(t)
	v := s.of(1)
	v.Config.Guide = true
	for _, size := range [][2]int{{40, 12}, {60, 16}, {60, 18}, {80, 18}, {80, 24}, {120, 40}} {
		p := at(t, v)
		screen := shown(p, size[0], size[1])
		require.Contains(t, screen, plain.GuideNow(v)[:20], "%v", size)
		require.Contains(t, screen, "Your move.", "%v", size)
		if size[0] >= 60 {
			require.Contains(t, screen, "enter play", "%v", size)
		}
	}
}
