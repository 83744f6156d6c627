package plain_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"boneyard/rules"
	"boneyard/ui/plain"
)

// Ends where a tile has the same effect are one choice; others are not.
func TestChoices(t *testing.T) {
	tile := rules.NewTile
	r, err := rules.Parse("classic")
	require.NoError(t, err)
	v := rules.View{Rules: r, Layout: r.Laid([]rules.Event{
		{Move: rules.Move{Tile: tile(5, 5), Arm: rules.NoArm}, Lead: true, Inner: 5, Outer: 5},
		{Move: rules.Move{Tile: tile(5, 0), Arm: rules.ArmR}},
	})}
	for _, c := range []rules.Choice{
		{Tile: tile(5, 4), Arm: rules.ArmL}, {Tile: tile(4, 0), Arm: rules.ArmR}, {Tile: tile(5, 4), Arm: rules.ArmU},
		{Tile: tile(5, 4), Arm: rules.ArmD},
		{Tile: tile(0, 0), Arm: rules.ArmR},
	} {
		l := v.After(c)
		v.Options = append(v.Options, rules.Option{Choice: c, Count: l.Count()})
	}
	v.Options[1].Points = 15
	var said []string
	for _, c := range plain.Choices(&v) {
		said = append(said, plain.Option(&v, &c))
	}
	require.Equal(t, []string{
		"0-0 on the right: counts 10, no score", "4-0 on the right: counts 14, scores 15",
		"5-4 on the left, at the top or at the bottom: counts 14, no score",
	}, said)

	// 5-0 fits both values, with different effects.
	v.Options = []rules.Option{
		{Choice: rules.Choice{Tile: tile(5, 0), Arm: rules.ArmL}, Count: 10},
		{Choice: rules.Choice{Tile: tile(5, 0), Arm: rules.ArmR}, Count: 10},
	}
	require.Len(t, plain.Choices(&v), 2)
}
