package board

import (
	"fmt"
	"math/rand/v2"
	"os"
	"testing"

	"github.com/charmbracelet/colorprofile"

	"boneyard/rules"
	"boneyard/ui/theme"
)

func TestFailures(t *testing.T) {
	if os.Getenv("FAILS") == "" {
		t.Skip()
	}
	th := theme.Get(theme.Dark, colorprofile.NoTTY, theme.Digits)
	rng := rand.New(rand.NewPCG(1, 2))
	r, _ := rules.Parse(os.Getenv("FAILS"))
	shown := 0
	for range 60 {
		var before Plan
		playRounds(r, 4, rng, func(l *rules.Layout, end bool) {
			p := Lay(l, 78, 12, 0)
			if p.size == Strip && before.size != Strip && shown < 8 {
				shown++
				fmt.Println("----", l.Len())
				for _, s := range before.Draw(Options{Theme: th}) {
					fmt.Println(s)
				}
				q := l.Piece(l.Len() - 1)
				fmt.Println("next", q.Tile, q.Arm)
			}
			before = p
		})
	}
}
