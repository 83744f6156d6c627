package board

import (
	"fmt"
	"math/rand/v2"
	"os"
	"testing"

	"boneyard/rules"
)

func TestDbg(t *testing.T) {
	if os.Getenv("DBG") == "" {
		t.Skip()
	}
	rng := rand.New(rand.NewPCG(1, 2))
	r, _ := rules.Parse("classic")
	for range 60 {
		var before Plan
		playRounds(r, 4, rng, func(l *rules.Layout, end bool) {
			p := Lay(l, 78, 12, 0)
			if p.size == Strip && before.size != Strip && l.Len() == 13 {
				for i := range tastes {
					pl := placer{l: l, w: 78, h: 12, measure: &measures[Small], taste: tastes[i], budget: 600}
					fmt.Println(i, pl.run(), pl.budget)
					for k := range 28 {
						fmt.Print(pl.stages[k].next, "/", pl.stages[k].nCand, " ")
					}
					fmt.Println()
				}
			}
			before = p
		})
	}
}
