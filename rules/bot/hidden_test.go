package bot

import (
	"math/rand/v2"
	"reflect"
	"testing"

	"github.com/stretchr/testify/require"

	"boneyard/rules"
	"boneyard/rules/search"
)

// A lead may lie either way round. Rounds that differ only in that say the same about the hidden tiles.
func TestALeadSaysTheSameEitherWayRound(t *testing.T) {
	for _, text := range []string{"classic", "azneef", "sniff"} {
		r, err := rules.Parse(text)
		require.NoError(t, err)
		for seed := range uint64(20) {
			rng := rand.New(rand.NewPCG(seed, 9))
			games := [2]rules.Game{}
			pasts := [2][]rules.Event{}
			var secret rules.Seed
			for i := range secret {
				secret[i] = byte(rng.Uint32())
			}
			for i := range games {
				g, err := rules.New(r, 2)
				require.NoError(t, err)
				if games[i], err = g.Deal(secret.Deal(&r, 2, 1)); err != nil {
					t.Fatal(err)
				}
			}
			for games[0].Phase() == rules.Playing {
				m := rules.Move{Seat: games[0].Turn(), Kind: games[0].Duty()}
				if m.Kind == rules.Play {
					choices := games[0].AppendChoices(nil)
					m = games[0].Move(choices[rng.IntN(len(choices))])
				}
				for i := range games {
					var e rules.Event
					if games[i], e, err = games[i].Apply(m); err != nil {
						t.Fatal(err)
					}
					pasts[i] = append(pasts[i], e)
					m = turned(m)
				}
				var said [2][]slot
				for i := range games {
					table := search.NewTable(&r, 2, [rules.MaxSeats]rules.Points{})
					seen := See(games[i].View(0), pasts[i])
					said[i] = hide(&seen, &table).slots
				}
				if games[0].Phase() == rules.Playing && !reflect.DeepEqual(said[0], said[1]) {
					t.Fatalf("%s seed %d, after %d moves:\n%+v\n%+v", text, seed, len(pasts[0]), said[0], said[1])
				}
			}
		}
	}
}

// turned is a move in a layout that lies the other way round.
func turned(m rules.Move) rules.Move {
	switch m.Arm {
	case rules.ArmL:
		m.Arm = rules.ArmR
	case rules.ArmR:
		m.Arm = rules.ArmL
	case rules.NoArm:
		m.HighLeft = m.Kind == rules.Play && !m.HighLeft
	}
	return m
}
