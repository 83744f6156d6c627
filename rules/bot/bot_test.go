package bot_test

import (
	"fmt"
	"math/rand/v2"
	"regexp"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

	"boneyard/rules"
	"boneyard/rules/bot"
)

// play plays whole games; levels are those of the seats, in turn order.
func play(t *testing.T, text string, levels []bot.Level, seed uint64) rules.Game {
	t.Helper()
	r, err := rules.Parse(text)
	require.NoError(t, err)
	g, err := rules.New(r, len(levels))
	require.NoError(t, err)
	rng := rand.New(rand.NewPCG(seed, 1))
	var secret rules.Seed
	for i := range secret {
		secret[i] = byte(rng.Uint32())
	}
	var past []rules.Event
	for g.Phase() != rules.Over {
		if g.Round() > 5000 {
			t.Fatalf("seed %d: no end after 5000 rounds", seed)
		}
		if g.Phase() == rules.Dealing {
			if g, err = g.Deal(secret.Deal(&r, len(levels), g.Round()+1)); err != nil {
				t.Fatal(err)
			}
			past = past[:0]
		}
		seat := g.Turn()
		m := choose(levels[seat-1], bot.See(g.View(seat), past), rng.Uint64())
		var e rules.Event
		if g, e, err = g.Apply(m); err != nil {
			t.Fatalf("seed %d: round %d: %v plays %+v: %v", seed, g.Round(), levels[seat-1], m, err)
		}
		past = append(past, e)
	}
	return g
}

func TestBotsPlayLegalGames(t *testing.T) {
	for _, rule := range []string{"azneef", "sniff", "spruce", "classic", "classic spinner=all", "azneef teams=on", "block",
		"classic lead=double"} {
		for _, level := range bot.Levels() {
			t.Run(fmt.Sprintf("%s/%v", rule, level), func(t *testing.T) {
				games := uint64(20)
				if level == bot.Master {
					games = 2
				}
				for seed := range games {
					g := play(t, rule, []bot.Level{level, level, level, level}, seed)
					if g.Winner() == 0 {
						t.Fatalf("seed %d: a game that is over has no winner", seed)
					}
				}
			})
		}
	}
}

func TestRegularPrefersPointsThenPips(t *testing.T) {
	h := func(tiles ...rules.Tile) rules.Hand { return rules.NewHand(tiles...) }
	tile := rules.NewTile
	for name, c := range map[string]struct {
		hand rules.Hand
		want rules.Tile
	}{
		"points":           {h(tile(5, 5), tile(6, 6), tile(6, 5), tile(6, 4)), tile(5, 5)}, // all 5s and 10s, the double counts 10; 6-4 counts 10 too
		"the heavier tile": {h(tile(3, 1), tile(6, 2), tile(0, 1), tile(4, 3)), tile(6, 2)},
	} {
		t.Run(name, func(t *testing.T) {
			g := dealt(t, c.hand)
			for seed := range uint64(30) {
				seen := bot.See(g.View(1), nil)
				m := bot.Regular.Choose(&seen, rand.New(rand.NewPCG(seed, 2)))
				scored := c.want.Weight()
				if m.Tile.Weight() != scored || m.Kind != rules.Play {
					t.Fatalf("plays %+v, want a tile like %v", m, c.want)
				}
			}
		})
	}
}

// dealt is a game of two in which seat 1 leads from a hand of four tiles.
func dealt(t *testing.T, hand rules.Hand) rules.Game {
	t.Helper()
	r, err := rules.Parse(fmt.Sprintf("classic hand=%d", hand.Len()))
	require.NoError(t, err)
	g, err := rules.New(r, 2)
	require.NoError(t, err)
	rest := (rules.FullSet &^ hand).Tiles()
	g, err = g.Deal(rules.Deal{Hands: [rules.MaxSeats]rules.Hand{hand, rules.NewHand(rest[:hand.Len()]...)}, Stock: rest[hand.Len():], Lot: 1})
	require.NoError(t, err)
	return g
}

func TestNotItsTurn(t *testing.T) {
	g := dealt(t, rules.NewHand(rules.NewTile(1, 2)))
	seen := bot.See(g.View(2), nil)
	for _, level := range bot.Levels() {
		if m := level.Choose(&seen, rand.New(rand.NewPCG(1, 1))); m != (rules.Move{}) {
			t.Errorf("%v moves %+v out of turn", level, m)
		}
	}
}

// Hints are sentences, all of whose parts occur.
func TestHints(t *testing.T) {
	parts := map[string]bool{}
	form := regexp.MustCompile(`^(it lays 1 pip|it lays (?:0|[2-9]|1\d) pips|it scores 1 point|it scores (?:[2-9]|\d\d) points|` +
		`nothing else fits|no other tile may lead)(| and leaves your partner's ends open|, and the best answer is worth about -?\d+|` +
		`, and the next seat has nothing that fits in (?:[3-9]|10) of 10 cases)\.$`)
	number := regexp.MustCompile(`-?\d+`)
	for _, text := range []string{"block", "classic", "spruce multiple=3"} {
		for seed := range uint64(10) {
			r := randomRound(t, text, map[bool]int{true: 4, false: 2}[text == "block"], rand.New(rand.NewPCG(seed, 7)))
			for n := range r.moves {
				if g := &r.after[n]; g.Duty() == rules.Play {
					s := bot.See(g.View(g.Turn()), r.past[:n])
					c, why := bot.Hint(&s)
					require.True(t, slices.ContainsFunc(s.Options, func(o rules.Option) bool { return o.Choice == c }))
					said := form.FindStringSubmatch(why)
					require.NotNil(t, said, why)
					for _, part := range said[1:] {
						parts[number.ReplaceAllString(part, "N")] = true
					}
				}
			}
		}
	}
	require.GreaterOrEqual(t, len(parts), 9, "%v", parts)
}
