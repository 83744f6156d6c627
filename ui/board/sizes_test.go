package board

import (
	"fmt"
	"math/rand/v2"
	"os"
	"testing"
	"time"

	"boneyard/rules"
)

func TestSizes(t *testing.T) {
	if os.Getenv("SIZES") == "" {
		t.Skip()
	}
	for _, rs := range []string{"classic", "block", "classic spinner=all"} {
		r, _ := rules.Parse(rs)
		for _, room := range [][2]int{{40, 6}, {60, 9}, {52, 14}, {78, 12}, {84, 28}, {118, 28}} {
			rng := rand.New(rand.NewPCG(1, 2))
			var moves, ends [Large + 1]int
			var dur, worst time.Duration
			n, moved, rounds := 0, 0, 0
			var before Plan
			var why [5]int
			for range 100 {
				playRounds(r, 4, rng, func(l *rules.Layout, end bool) {
					s := time.Now()
					p := Lay(l, room[0], room[1], 0)
					d := time.Since(s)
					dur += d
					worst = max(worst, d)
					n++
					moves[p.size]++
					if l.Len() > 1 && p.size != Strip {
						for i := range l.Len() - 1 {
							if p.lies[i] != before.lies[i] {
								moved++
								switch {
								case p.size != before.size:
									why[0]++
								case p.size != before.size:
									why[1]++
								default:
									dx, dy := p.lies[0].x-before.lies[0].x, p.lies[0].y-before.lies[0].y
									same := true
									for k := range l.Len() - 1 {
										if p.lies[k].x-before.lies[k].x != dx || p.lies[k].y-before.lies[k].y != dy {
											same = false
										}
									}
									switch {
									case !same:
										why[2]++
									case dx != 0:
										why[3]++
									default:
										why[4]++
									}
								}
								break
							}
						}
					}
					before = p
					if end {
						ends[p.size]++
						rounds++
					}
				})
			}
			fmt.Printf("%-20s %v moves %v ends %v avg %v worst %v moved per round %.2f of %.1f size,taste,back,dx,dy %v\n", rs, room, moves[1:], ends[1:], dur/time.Duration(n), worst, float64(moved)/float64(rounds), float64(n)/float64(rounds), why)
		}
	}
}
