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

func TestFail2(t *testing.T) {
	if os.Getenv("FAIL2") == "" {
		t.Skip()
	}
	th := theme.Get(theme.Dark, colorprofile.NoTTY, theme.Digits)
	shown := 0
	h := 9
	fmt.Sscan(os.Getenv("FAIL2"), &h)
	rng := rand.New(rand.NewPCG(1, 2))
	for _, rs := range []string{"classic", "spruce hand=5", "block", "spruce spinner=none", "spruce spinner=none hand=1"} {
		for seats := 2; seats <= 4; seats++ {
			r, _ := rules.Parse(rs)
			if r.CheckSeats(seats) != nil {
				continue
			}
			for range 600 {
				var before Plan
				playRounds(r, seats, rng, func(l *rules.Layout, end bool) {
					p := Lay(l, 120, h, Small)
					if p.size == Strip && before.size != Strip && shown < 12 {
						shown++
						fmt.Println("----", l.Len(), rs)
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
	}
}
