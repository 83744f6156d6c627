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
	tagged := view(2, rules.Block, four...)
	tagged.Tags = [2]string{"OWL", "FOX"}
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
		"OWL ana + cem 90, FOX you + dia 105: FOX you + dia win the game.": plain.OwnResult(tagged,
			&table.Result{Winner: 2, Scores: []int{90, 105}}),
	} {
		require.Equal(t, want, got[0])
	}
}

// Remarks about the reader are about "you"; those about others are as they were written.
func TestOwnRemarks(t *testing.T) {
	v := &table.View{POV: 1}
	v.Seats = []table.SeatView{{Player: table.Player{ID: 1, Name: "ana"}}, {Player: table.Player{ID: 2, Name: "anatol"}}}
	for remark, want := range map[string]string{
		"ana is back.":                            "You are back.",
		"ana has resigned; a bot plays on.":       "You have resigned; a bot plays on.",
		"ana takes over from kit.":                "You take over from kit.",
		"ana asked for a hint.":                   "You asked for a hint.",
		"anatol is back.":                         "anatol is back.",
		"Everyone is back; the game continues.":   "Everyone is back; the game continues.",
		"A bot plays on for ana, as the others …": "A bot plays on for ana, as the others …",
	} {
		require.Equal(t, want, plain.OwnEntry(v, &table.Entry{Text: remark}))
	}
}
