package board_test

import (
	"github.com/stretchr/testify/require"

	"boneyard/rules"
)

// variants are the games whose layouts differ in shape: by how many tiles are laid, and where they may be joined.
var variants = []string{
	"azneef", "sniff", "spruce", "spruce hand=5", "classic", "classic count=flank", "block", "spruce spinner=none",
	"classic spinner=all", "azneef spinner=all", "classic hand=5 spinner=all", "block spinner=all order=any", "spruce draw=none spinner=all",
}

// play plays one round and calls f with the layout after every play.
func play(t require.TestingT, rule string, seats int, seed rules.Seed, choose func(n int) int, f func(l *rules.Layout)) {
	r, err := rules.Parse(rule)
	require.NoError(t, err)
	g, err := rules.New(r, seats)
	require.NoError(t, err)
	g, err = g.Deal(seed.Deal(&r, seats, 1))
	require.NoError(t, err)
	for g.Phase() == rules.Playing {
		m := rules.Move{Seat: g.Turn(), Kind: g.Duty(), Arm: rules.NoArm}
		if m.Kind == rules.Play {
			cs := g.AppendChoices(nil)
			m = g.Move(cs[choose(len(cs))])
		}
		g, _, err = g.Apply(m)
		require.NoError(t, err)
		if m.Kind == rules.Play {
			f(g.Layout())
		}
	}
}
