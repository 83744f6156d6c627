package board_test

import (
	"github.com/stretchr/testify/require"

	"boneyard/rules"
)

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
