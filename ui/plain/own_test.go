package plain_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"boneyard/rules"
	"boneyard/table"
	"boneyard/ui/plain"
)

// Players are called "you" in the record of their own games.
func TestOwnResult(t *testing.T) {
	view := func(pov rules.Seat, preset rules.Preset, names ...string) *table.View {
		v := &table.View{POV: pov}
		v.Play.Rules = preset.Rules()
		for i, name := range names {
			v.Seats = append(v.Seats, table.SeatView{Player: table.Player{ID: table.PlayerID(i + 1), Name: name}})
		}
		return v
	}
	two, four := []string{"ana", "ben"}, []string{"ana", "ben", "cem", "dia"}
	for want, got := range map[string][]string{
		"You 205, ben 80: you win the game.": plain.OwnResult(view(1, rules.Classic, two...),
			&table.Result{Winner: 1, Scores: []int{205, 80}}),
		"ana 205, you 80: ana wins the game.": plain.OwnResult(view(2, rules.Classic, two...),
			&table.Result{Winner: 1, Scores: []int{205, 80}}),
		"ana 205, ben 80: ana wins the game.": plain.OwnResult(view(0, rules.Classic, two...),
			&table.Result{Winner: 1, Scores: []int{205, 80}}),
		"ana + cem 90, you + dia 105: you + dia win the game.": plain.OwnResult(view(2, rules.Block, four...),
			&table.Result{Winner: 2, Scores: []int{90, 105}}),
		"ana + you 90, ben + dia 105: ben + dia win the game.": plain.OwnResult(view(3, rules.Block, four...),
			&table.Result{Winner: 2, Scores: []int{90, 105}}),
	} {
		require.Equal(t, want, got[0])
	}
}
