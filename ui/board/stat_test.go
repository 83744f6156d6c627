package board

import (
	"fmt"
	"math/rand/v2"
	"testing"
	"time"

	"boneyard/rules"
)

func playRounds(r rules.Ruleset, n int, rng *rand.Rand, f func(l *rules.Layout, end bool)) {
	g, err := rules.New(r, n)
	if err != nil {
		panic(err)
	}
	var seed rules.Seed
	for i := range seed {
		seed[i] = byte(rng.Uint32())
	}
	for round := 1; g.Phase() != rules.Over && round < 4; round++ {
		g, err = g.Deal(seed.Deal(&r, n, round))
		if err != nil {
			panic(err)
		}
		for g.Phase() == rules.Playing {
			m := rules.Move{Seat: g.Turn(), Kind: g.Duty(), Arm: rules.NoArm}
			if m.Kind == rules.Play {
				cs := g.AppendChoices(nil)
				m = g.Move(cs[rng.IntN(len(cs))])
			}
			g, _, err = g.Apply(m)
			if err != nil {
				panic(err)
			}
			if m.Kind == rules.Play {
				f(g.Layout(), g.Phase() != rules.Playing)
			}
		}
	}
}

const B = 100

func TestStat(t *testing.T) {
	for _, rs := range []string{"classic", "block", "classic spinner=all"} {
		r, err := rules.Parse(rs)
		if err != nil {
			t.Fatal(err)
		}
		for _, room := range [][2]int{{60, 9}, {52, 14}, {78, 12}, {84, 28}, {120, 28}} {
			rng := rand.New(rand.NewPCG(1, 2))
			for _, size := range []Size{Medium, Small} {
				var ok, all, tries, maxTries, tiles, fit int
				taste := make([]int, len(tastes))
				var dur, maxDur time.Duration
				for range 60 {
					playRounds(r, 4, rng, func(l *rules.Layout, end bool) {
						if !end {
							return
						}
						all++
						tiles += l.Len()
						start := time.Now()
						for k := range tastes {
							p := placer{measure: &measures[size], taste: tastes[k], l: l, w: room[0], h: room[1], budget: B}
							done := p.run()
							tries += B - p.budget
							maxTries = max(maxTries, B-p.budget)
							if done {
								ok++
								taste[k]++
								fit += l.Len()
								break
							}
						}
						d := time.Since(start)
						dur += d
						maxDur = max(maxDur, d)
					})
				}
				fmt.Printf("%-26s %v %-7v ok %3d of %3d tries %d max %d tiles %.1f fit %.1f tastes %v avg %v max %v\n", rs, room, size, ok, all, tries/all, maxTries, float64(tiles)/float64(all), float64(fit)/float64(max(ok, 1)), taste, dur/time.Duration(all), maxDur)
			}
		}
	}
}
