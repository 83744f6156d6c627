package board

import (
	"fmt"
	"math/rand/v2"
	"os"
	"testing"
	"time"

	"boneyard/rules"
)

func TestMin(t *testing.T) {
	if os.Getenv("MIN") == "" {
		t.Skip()
	}
	for _, room := range [][2]int{{40, 10}, {44, 10}, {60, 9}, {60, 10}, {78, 9}, {120, 9}} {
		rng := rand.New(rand.NewPCG(1, 2))
		all, fail := 0, 0
		var dur time.Duration
		for _, rs := range []string{"classic", "spruce hand=5", "block", "spruce spinner=none", "spruce spinner=none hand=1"} {
			for seats := 2; seats <= 4; seats++ {
				r, err := rules.Parse(rs)
				if err != nil {
					panic(err)
				}
				if r.CheckSeats(seats) != nil {
					continue
				}
				for range 600 {
					playRounds(r, seats, rng, func(l *rules.Layout, end bool) {
						if end {
							all++
							s := time.Now()
							p := Lay(l, room[0], room[1], Small)
							dur += time.Since(s)
							if p.size != Small {
								fail++
							}
						}
					})
				}
			}
		}
		fmt.Println(room, "fail", fail, "of", all, dur/time.Duration(all))
	}
}
