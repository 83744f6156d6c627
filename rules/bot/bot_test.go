package bot_test

import (
	"fmt"
	"math/rand/v2"
	"testing"

	"boneyard/rules"
	"boneyard/rules/bot"
)

// play plays whole games; levels are those of the seats, in turn order.
func play(t *testing.T, text string, levels []bot.Level, seed uint64) rules.Game {
	t.Helper()
	r, err := rules.Parse(text)
	if err != nil {
		t.Fatal(err)
	}
	g, err := rules.New(r, len(levels))
	if err != nil {
		t.Fatal(err)
	}
	rng := rand.New(rand.NewPCG(seed, 1))
	var secret rules.Seed
	for i := range secret {
		secret[i] = byte(rng.Uint32())
	}
	for g.Phase() != rules.Over {
		if g.Round() > 5000 {
			t.Fatalf("seed %d: no end after 5000 rounds", seed)
		}
		if g.Phase() == rules.Dealing {
			if g, err = g.Deal(secret.Deal(&r, len(levels), g.Round()+1)); err != nil {
				t.Fatal(err)
			}
		}
		seat := g.Turn()
		m := levels[seat-1].Choose(g.View(seat), rng)
		if g, _, err = g.Apply(m); err != nil {
			t.Fatalf("seed %d: round %d: %v plays %+v: %v", seed, g.Round(), levels[seat-1], m, err)
		}
	}
	return g
}

func TestBotsPlayLegalGames(t *testing.T) {
	for _, rule := range []string{"azneef", "sniff", "spruce", "classic", "classic spinner=all", "azneef teams=on", "block", "classic lead=double"} {
		for _, level := range bot.Levels() {
			t.Run(fmt.Sprintf("%s/%v", rule, level), func(t *testing.T) {
				for seed := range uint64(20) {
					g := play(t, rule, []bot.Level{level, level, level, level}, seed)
					if g.Winner() == 0 {
						t.Fatalf("seed %d: a game that is over has no winner", seed)
					}
				}
			})
		}
	}
}

func TestRegularBeatsNovice(t *testing.T) {
	for _, p := range rules.Presets() {
		t.Run(p.String(), func(t *testing.T) {
			levels := []bot.Level{bot.Regular, bot.Novice}
			if p == rules.Block {
				levels = append(levels, levels...)
			}
			wins := 0
			const games = 100
			for seed := range uint64(games) {
				if g := play(t, p.String(), levels, seed); g.Winner() == 1 {
					wins++
				}
			}
			if wins < games*6/10 {
				t.Errorf("regular won %d of %d games", wins, games)
			}
		})
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
				m := bot.Regular.Choose(g.View(1), rand.New(rand.NewPCG(seed, 2)))
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
	if err != nil {
		t.Fatal(err)
	}
	g, err := rules.New(r, 2)
	if err != nil {
		t.Fatal(err)
	}
	rest := (rules.FullSet &^ hand).Tiles()
	g, err = g.Deal(rules.Deal{Hands: [rules.MaxSeats]rules.Hand{hand, rules.NewHand(rest[:hand.Len()]...)}, Stock: rest[hand.Len():], Lot: 1})
	if err != nil {
		t.Fatal(err)
	}
	return g
}

func TestNotItsTurn(t *testing.T) {
	g := dealt(t, rules.NewHand(rules.NewTile(1, 2)))
	if m := bot.Regular.Choose(g.View(2), rand.New(rand.NewPCG(1, 1))); m != (rules.Move{}) {
		t.Errorf("moves %+v out of turn", m)
	}
}
