package play

import (
	"testing"

	"github.com/stretchr/testify/require"

	"boneyard/rules"
)

// Branches share their letters: each press selects the next.
func TestLettersOfBranches(t *testing.T) {
	tile := rules.NewTile(6, 1)
	v := &rules.View{Hand: rules.NewHand(tile)}
	for _, a := range []rules.Arm{rules.ArmR, rules.ArmU, rules.Arm(14), rules.Arm(15), rules.Arm(18)} { // R U 7U 7D 9U
		v.Options = append(v.Options, rules.Option{Choice: rules.Choice{Tile: tile, Arm: a}})
	}
	p := nothing
	p.step(v, 1)
	require.Equal(t, picker{tile: tile, arm: rules.ArmR}, p)
	for _, want := range []string{"U", "7U", "9U", "U"} {
		require.True(t, p.letter(v, "u", rules.Arm.String))
		require.Equal(t, want, p.arm.String())
		require.True(t, p.sure)
	}
	require.True(t, p.letter(v, "d", rules.Arm.String))
	require.Equal(t, "7D", p.arm.String())
	require.False(t, p.letter(v, "l", rules.Arm.String))
	require.Equal(t, "7D", p.arm.String())
	require.True(t, p.letter(v, "r", rules.Arm.String))
}

// Arrow keys move in their direction and reach all ends; the end that scores most is proposed.
func TestArrowsOfEnds(t *testing.T) {
	tile := rules.NewTile(6, 1)
	v := &rules.View{Hand: rules.NewHand(tile)}
	for _, o := range []struct {
		arm    rules.Arm
		points rules.Points
	}{{rules.ArmL, 0}, {rules.ArmR, 5}, {rules.ArmU, 0}, {rules.ArmD, 15}} {
		v.Options = append(v.Options, rules.Option{Choice: rules.Choice{Tile: tile, Arm: o.arm}, Points: o.points})
	}
	press := func(p *picker, ups ...bool) (arms string) {
		for _, up := range ups {
			p.point(v, up, rules.Arm.String)
			arms += p.arm.String()
		}
		return arms
	}
	p := nothing
	p.step(v, 1)
	require.Equal(t, rules.ArmD, p.arm, "it scores most")
	require.Equal(t, "DRDULUD", press(&p, false, false, false, true, true, true, false))
	require.True(t, p.sure)

	v.Options = v.Options[:2]
	p = nothing
	p.step(v, 1)
	require.Equal(t, rules.ArmR, p.arm)
	require.Equal(t, "LRLR", press(&p, true, true, true, false), "no other ends are open")
}

// A digit is always half a tile, never the place of a tile in the hand.
func TestDigits(t *testing.T) {
	tile := rules.NewTile
	hand := []rules.Tile{tile(0, 1), tile(1, 1), tile(2, 1), tile(4, 2), tile(6, 3)}
	v := &rules.View{Hand: rules.NewHand(hand...)}
	for _, x := range hand[:4] {
		v.Options = append(v.Options, rules.Option{Choice: rules.Choice{Tile: x, Arm: rules.ArmL}})
	}
	p := nothing
	type step struct {
		digit  byte
		chosen rules.Tile
		typed  string
		cannot rules.Tile
	}
	const none = rules.NoTile
	for i, s := range []step{
		{'1', none, "1", none}, // the tile in the first place is not meant
		{'2', tile(2, 1), "", none},
		{'4', none, "4", none},
		{'2', tile(4, 2), "", none}, // the fourth place is 4-2 by chance, the second is not
		{'2', none, "2", none},
		{'4', tile(4, 2), "", none},
		{'6', none, "6", none},
		{'3', none, "", tile(6, 3)}, // in the hand, and fits nowhere
		{'5', none, "5", none},
		{'5', none, "", tile(5, 5)}, // not in the hand
		{'1', none, "1", none},
		{'7', none, "", none}, // no tile has a 7
		{'1', none, "1", none},
		{'0', tile(0, 1), "", none},
	} {
		cannot := p.digit(v, s.digit)
		require.Equal(t, s, step{s.digit, p.tile, p.typed, cannot}, "step %d", i)
	}
}
