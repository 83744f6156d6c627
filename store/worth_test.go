package store_test

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"boneyard/lobby"
	"boneyard/lobby/rating"
	"boneyard/store"
	"boneyard/table"
)

const (
	hour = time.Hour
	days = 14 // that puppets play: more gain nothing
)

// people are the players of a simulated club, each of whom comes from a network.
type people struct {
	play func(store.Simulated) map[int64]rating.Rating
	fair int
	now  time.Time
	net  map[table.PlayerID]string
	all  map[int64]rating.Rating
}

// simulateClub plays in a club where nobody has played yet.
func simulateClub(t *testing.T, fair int, do func(p *people)) {
	newStore(t).Simulate(t, func(play func(store.Simulated) map[int64]rating.Rating) {
		do(&people{play: play, fair: fair, now: noon, net: map[table.PlayerID]string{}, all: map[int64]rating.Rating{}})
	})
}

// come adds so many people who share so many networks, and returns their numbers.
func (p *people) come(n, networks int) (ids []table.PlayerID) {
	first := len(p.net) + 1
	for i := range n {
		id := table.PlayerID(first + i)
		p.net[id] = fmt.Sprint(first, "/", i%networks)
		ids = append(ids, id)
	}
	return ids
}

// beat has one player win against others.
func (p *people) beat(game string, seats ...table.PlayerID) {
	p.now = p.now.Add(time.Second)
	g := store.Simulated{Rules: game, Seats: seats, Winner: 1, At: p.now, Fair: p.fair}
	for _, id := range seats {
		g.Nets = append(g.Nets, p.net[id])
	}
	for id, r := range p.play(g) {
		p.all[id] = r
	}
}

func (p *people) number(id table.PlayerID) int {
	if r, ok := p.all[int64(id)]; ok {
		return r.Number()
	}
	return rating.Initial().Number()
}

// settle makes a player's rating settled: one of twenty people who play each other evenly.
func (p *people) settle() table.PlayerID {
	ids := p.come(20, 20)
	for round := range 6 {
		for i := range ids {
			for k := range i {
				if (i+k+round)%2 == 0 {
					p.beat("classic", ids[i], ids[k])
				} else {
					p.beat("classic", ids[k], ids[i])
				}
			}
		}
		p.now = p.now.Add(24 * hour)
	}
	return ids[0]
}

// puppets is how somebody gains rating from accounts that all want to lose.
type puppets func(p *people, main table.PlayerID, all []table.PlayerID)

// everyDay has one game with each of them on each day.
func everyDay(p *people, main table.PlayerID, all []table.PlayerID) {
	for range days {
		for _, id := range all {
			p.beat("classic", main, id)
		}
		p.now = p.now.Add(24 * hour)
	}
}

var ways = map[string]puppets{
	"at once": func(p *people, main table.PlayerID, all []table.PlayerID) {
		for range 2 {
			for _, id := range all {
				p.beat("classic", main, id)
			}
		}
	},
	"each day for two weeks": everyDay,
	"after a week of games among themselves": func(p *people, main table.PlayerID, all []table.PlayerID) {
		rnd := rand.New(rand.NewPCG(1, 2))
		for range 7 {
			for range 5 * len(all) {
				if a, b := all[rnd.IntN(len(all))], all[rnd.IntN(len(all))]; p.net[a] != p.net[b] {
					p.beat("classic", a, b)
				}
			}
			p.now = p.now.Add(24 * hour)
		}
		everyDay(p, main, all)
	},
	"by way of one another, the strongest last": func(p *people, main table.PlayerID, all []table.PlayerID) {
		for i, id := range all {
			for _, weaker := range all[:i] {
				if p.net[id] != p.net[weaker] {
					p.beat("classic", id, weaker)
				}
			}
			p.now = p.now.Add(24 * hour)
		}
		for range days {
			for _, id := range slices.Backward(all) {
				p.beat("classic", main, id)
			}
			p.now = p.now.Add(24 * hour)
		}
	},
	"three at a time": func(p *people, main table.PlayerID, all []table.PlayerID) {
		for round := range 3 {
			for i := range all {
				p.beat("classic", main, all[i], all[(i+1+round)%len(all)], all[(i+2)%len(all)])
			}
			p.now = p.now.Add(24 * hour)
		}
	},
	"as partners": func(p *people, main table.PlayerID, all []table.PlayerID) {
		for range 3 {
			for i := range len(all) - 2 {
				p.beat("block", main, all[i+1], all[0], all[i+2])
			}
			p.now = p.now.Add(24 * hour)
		}
	},
	"from networks that nobody knows": func(p *people, main table.PlayerID, all []table.PlayerID) {
		for _, id := range all {
			p.net[id] = ""
		}
		everyDay(p, main, all)
	},
}

// Fifty accounts on five networks do not make a player stronger, however patient they are.
func TestPuppets(t *testing.T) {
	if testing.Short() {
		t.Skip("one game after another")
	}
	for name, way := range ways {
		for _, settled := range []bool{false, true} {
			t.Run(fmt.Sprint(name, ", settled ", settled), func(t *testing.T) {
				simulateClub(t, table.Fair, func(p *people) {
					var main table.PlayerID
					if settled {
						main = p.settle()
					} else {
						main = p.come(1, 1)[0]
					}
					before := p.number(main)
					way(p, main, p.come(50, 5))
					gained := p.number(main) - before
					t.Logf("%d points", gained)
					require.LessOrEqual(t, gained, 100)
					require.GreaterOrEqual(t, gained, 0)
				})
			})
		}
	}
}

// The figures of docs/ratings.md for somebody with more networks, or more patience.
func TestWhatPuppetsCost(t *testing.T) {
	if testing.Short() {
		t.Skip("only the figures are more")
	}
	for _, networks := range []int{1, 5, 10, 50} {
		for _, days := range []int{1, days} {
			simulateClub(t, table.Fair, func(p *people) {
				main := p.settle()
				before := p.number(main)
				all := p.come(50, networks)
				for range days {
					for i, id := range all {
						p.beat("classic", main, id)
						p.beat("classic", all[(i+1)%len(all)], id)
					}
					p.now = p.now.Add(24 * hour)
				}
				gained := p.number(main) - before
				t.Logf("%d networks, %d days: %d points", networks, days, gained)
				if networks < 10 {
					require.LessOrEqual(t, gained, 15*networks)
				}
			})
		}
	}
	// Puppets on five networks that have lost to honest people on six others before.
	for _, puppets := range []int{1, 5, 50} {
		simulateClub(t, table.Fair, func(p *people) {
			main := p.settle()
			before := p.number(main)
			all, real := p.come(puppets, 5), p.come(10, 10)
			for _, id := range all {
				for _, other := range real {
					p.beat("classic", other, id)
				}
			}
			p.now = p.now.Add(25 * hour)
			everyDay(p, main, all)
			t.Logf("%d puppets, each of which has lost to ten people: %d points", puppets, p.number(main)-before)
			require.LessOrEqual(t, p.number(main)-before, 50*puppets)
		})
	}
}

// Ratings still tell honest players apart: newcomers alone, and a newcomer among settled players.
func TestHonestRatingsConverge(t *testing.T) {
	for _, fair := range []int{1, table.Fair} {
		simulateClub(t, fair, func(p *people) {
			rnd := rand.New(rand.NewPCG(7, 7))
			ids := p.come(40, 40)
			strength := func(id table.PlayerID) float64 { return 15 + float64(id-1)/2 } // 1205 to 1780
			play := func(a, b table.PlayerID) {
				if strength(a)+rating.Beta*rnd.NormFloat64() < strength(b)+rating.Beta*rnd.NormFloat64() {
					a, b = b, a
				}
				p.beat("classic", a, b)
			}
			for round := range 60 {
				order := rnd.Perm(len(ids) - 1)
				for i := 0; i+1 < len(order); i += 2 {
					play(ids[order[i]], ids[order[i+1]])
				}
				if round%3 == 2 {
					p.now = p.now.Add(24 * hour)
				}
			}
			c := correlation(ids[:39], strength, p)
			best := ids[39]
			for i := range 30 {
				play(best, ids[rnd.IntN(39)])
				if i%3 == 2 {
					p.now = p.now.Add(24 * hour)
				}
			}
			t.Logf("rules %d: correlation %.3f; the newcomer has %s, the best of the others %d, the weakest %d", fair, c, p.all[int64(best)],
				p.number(ids[38]), p.number(ids[0]))
			require.Greater(t, c, 0.9)
			require.Greater(t, p.number(best), p.number(ids[25]))
			require.False(t, p.all[int64(best)].Provisional())
		})
	}
}

// correlation is that of strengths and ratings.
func correlation(ids []table.PlayerID, strength func(table.PlayerID) float64, p *people) float64 {
	var x, y, xx, yy, xy float64
	for _, id := range ids {
		a, b := strength(id), float64(p.number(id))
		x, y, xx, yy, xy = x+a, y+b, xx+a*a, yy+b*b, xy+a*b
	}
	n := float64(len(ids))
	return (n*xy - x*y) / math.Sqrt((n*xx-x*x)*(n*yy-y*y))
}

// The networks are on disk with each game, so that standings can be rebuilt.
func TestWorthIsRebuilt(t *testing.T) {
	s := newStore(t)
	who := mustCreateAll(t, s, "ana", "ben", "cleo", "dan")
	var numbers []int
	for i := range 6 {
		_, r := mustPlay(t, s, match{rules: "classic", seats: []table.Player{who[0], who[1+i%3]}, at: noon, fair: table.Fair, stop: 60,
			ending: table.EndForfeit, winner: 1,
			nets: []string{"a", []string{"b", "b", "c"}[i%3]}})
		numbers = append(numbers, gains(r)["ana"])
	}
	require.Equal(t, []int{15, 0, 15, 0, 0, 0}, numbers, "ben and cleo are one opponent")
	mustPlay(t, s, match{rules: "block", seats: who, at: noon, fair: table.Fair, nets: []string{"a", "b", "c", "d"}})
	mustPlay(t, s, match{rules: "classic", seats: who[:3], at: noon, fair: table.Fair, nets: []string{"a", "b", "c"}})
	rebuilt(t, s)
	require.Len(t, mustStandings(t, s, lobby.StandingsQuery{Kind: lobby.KindPair}), 2)
}
