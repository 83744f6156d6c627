package rules

import (
	"crypto/sha256"
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	_ "boneyard/rules/sameseed"
)

// docs/record.md, "Seeded deals", literally: the tiles sorted by the hex SHA-256 of the text SEED/ROUND/a-b.
func TestLawSeededDeals(t *testing.T) {
	hash := func(text string) string { return fmt.Sprintf("%x", sha256.Sum256([]byte(text))) }
	rapid.Check(t, func(t *rapid.T) {
		r, n := drawRules(t)
		seed := drawSeed(t)
		round := rapid.IntRange(1, 30).Draw(t, "round")
		var order []string
		for a := range 7 {
			for b := a; b < 7; b++ {
				order = append(order, fmt.Sprintf("%d-%d", a, b))
			}
		}
		key := func(tile string) string { return hash(fmt.Sprintf("%v/%d/%s", seed, round, tile)) }
		slices.SortFunc(order, func(a, b string) int { return strings.Compare(key(a), key(b)) })

		d := seed.Deal(&r, n, round)
		size := r.HandSize(n)
		for i := range n {
			held := order[i*size : (i+1)*size]
			for _, tile := range held {
				if got, _, _, _ := ParseTile(tile); !d.Hands[i].Has(got) {
					t.Fatalf("seat %d has %v, want %v", i+1, d.Hands[i], held)
				}
			}
		}
		var stock []string
		for _, tile := range d.Stock {
			stock = append(stock, tile.String())
		}
		if !slices.Equal(stock, order[n*size:]) {
			t.Fatalf("the boneyard is %v, want %v", stock, order[n*size:])
		}
		lot := func(seat Seat) string { return hash(fmt.Sprintf("%v/%d/seat/%d", seed, round, seat)) }
		for seat := Seat(1); int(seat) <= n; seat++ {
			if lot(seat) < lot(d.Lot) {
				t.Fatalf("the lot fell to seat %d, not %d", d.Lot, seat)
			}
		}
		if got := seed.Commitment(); got != hash(seed.String()) {
			t.Fatalf("commitment %s", got)
		}
	})
}

func TestParseSeed(t *testing.T) {
	text := strings.Repeat("0123456789abcdef", 4)
	seed, err := ParseSeed(text)
	if err != nil || seed.String() != text {
		t.Fatalf("%v, %v", seed, err)
	}
	if got := seed.Commitment(); got != "a8ae6e6ee929abea3afcfc5258c8ccd6f85273e0d4626d26c7279f3250f77c8e" {
		t.Errorf("commitment %s", got) // printf %s TEXT | sha256sum
	}
	for _, bad := range []string{"", text[1:], text + "0", strings.ToUpper(text), strings.Replace(text, "0", "g", 1),
		strings.Repeat("é", 32)} {
		if _, err := ParseSeed(bad); err == nil {
			t.Errorf("%q is taken for a seed", bad)
		}
	}
}

func TestTilesAndArms(t *testing.T) {
	n := 0
	for a := Pip(0); a <= MaxPip; a++ {
		for b := a; b <= MaxPip; b++ {
			tile := NewTile(b, a)
			text := fmt.Sprintf("%d-%d", a, b)
			got, x, y, err := ParseTile(fmt.Sprintf("%d-%d", b, a))
			if err != nil || got != tile || x != b || y != a || tile.String() != text || tile != Tile(n) {
				t.Errorf("%s is tile %d, read as %d (%d, %d), %v", text, tile, got, x, y, err)
			}
			if tile.Low() != a || tile.High() != b || tile.Double() != (a == b) || tile.Weight() != Points(a+b) || tile.Other(a) != b ||
				tile.Other(b) != a {
				t.Errorf("%s has halves %d and %d", text, tile.Low(), tile.High())
			}
			n++
		}
	}
	if n != SetSize || FullSet.Len() != SetSize || FullSet.Weight() != 168 || WithPip(3).Len() != 7 {
		t.Errorf("the set has %d tiles, %d pips", FullSet.Len(), FullSet.Weight())
	}
	for _, bad := range []string{"", "5", "5-", "55", "5-7", "7-5", "5–6", "5-6 ", "05-6", "a-b", strings.Repeat("5-6", 99)} {
		if _, _, _, err := ParseTile(bad); !errors.Is(err, ErrTile) || len(err.Error()) > 200 {
			t.Errorf("%q is taken for a tile, or refused with %v", bad, err)
		}
	}
	for _, bad := range []string{"", "l", "X", "LR", "1U", "0U", "07U", "29U", "7", "7L", "U7", "100U", "-2U", "+7U"} {
		if a, err := ParseArm(bad); !errors.Is(err, ErrArm) {
			t.Errorf("%q is taken for arm %v, or refused with %v", bad, a, err)
		}
	}
}
