package rules

import (
	"errors"
	"fmt"
	"iter"
	"math/bits"
	"unicode/utf8"
)

// Points are scored in play and at the end of a round; weights of hands are Points too. A side's total may be negative.
type Points int32

// Pip is the number of spots on one half of a tile, 0 to 6.
type Pip uint8

// MaxPip is the highest pip of a double-six set.
const MaxPip Pip = 6

// Tile is one of the 28 tiles of a double-six set, numbered in the order 0-0, 0-1, … 0-6, 1-1, … 6-6.
type Tile uint8

const (
	// SetSize is the number of tiles in the set.
	SetSize = 28
	// NoTile stands for the absence of a tile.
	NoTile Tile = 255
)

// ErrTile is returned when a text is not a tile.
var ErrTile = errors.New("not a tile of the double-six set")

var (
	tileLow  [SetSize]Pip
	tileHigh [SetSize]Pip
	tileOf   [MaxPip + 1][MaxPip + 1]Tile
	withPip  [MaxPip + 1]Hand
	doubles  Hand
)

func init() {
	t := Tile(0)
	for low := Pip(0); low <= MaxPip; low++ {
		for high := low; high <= MaxPip; high++ {
			tileLow[t], tileHigh[t] = low, high
			tileOf[low][high], tileOf[high][low] = t, t
			withPip[low] = withPip[low].With(t)
			withPip[high] = withPip[high].With(t)
			if low == high {
				doubles = doubles.With(t)
			}
			t++
		}
	}
}

// NewTile returns the tile with halves a and b, in either order. Both must be at most [MaxPip].
func NewTile(a, b Pip) Tile { return tileOf[a][b] }

// ParseTile parses "a-b" with the halves in either order, and returns them in that order with the tile.
func ParseTile(s string) (t Tile, a, b Pip, err error) {
	if len(s) != 3 || s[1] != '-' || s[0] < '0' || s[0] > '6' || s[2] < '0' || s[2] > '6' {
		return NoTile, 0, 0, fmt.Errorf("%q: %w", clip(s), ErrTile)
	}
	a, b = Pip(s[0]-'0'), Pip(s[2]-'0')
	return tileOf[a][b], a, b, nil
}

// clip shortens foreign text for an error message.
func clip(s string) string {
	n := 40 // bytes
	if len(s) <= n {
		return s
	}
	for n > 0 && !utf8.RuneStart(s[n]) {
		n--
	}
	return s[:n] + "…"
}

// Valid reports whether t is one of the 28 tiles.
func (t Tile) Valid() bool { return t < SetSize }

// Low is the lower half.
func (t Tile) Low() Pip { return tileLow[t] }

// High is the higher half.
func (t Tile) High() Pip { return tileHigh[t] }

// Double reports whether both halves are equal.
func (t Tile) Double() bool { return tileLow[t] == tileHigh[t] }

// Has reports whether one of the halves is p.
func (t Tile) Has(p Pip) bool { return tileLow[t] == p || tileHigh[t] == p }

// Other is the half that is not p; for a double, p itself.
func (t Tile) Other(p Pip) Pip { return tileLow[t] + tileHigh[t] - p }

// Stronger reports whether t leads before another tile where the strongest does: the highest double, else the
// heaviest tile, of equals that with the higher half.
func (t Tile) Stronger(than Tile) bool {
	switch {
	case t.Double() || than.Double():
		return t.Double() && (!than.Double() || t > than)
	case t.Weight() != than.Weight():
		return t.Weight() > than.Weight()
	}
	return t.High() > than.High()
}

// Weight is the sum of the pips.
func (t Tile) Weight() Points { return Points(tileLow[t]) + Points(tileHigh[t]) }

// String returns the tile in the canonical form of records, low half first: "0-6".
func (t Tile) String() string {
	if !t.Valid() {
		return "none"
	}
	return halves(tileLow[t], tileHigh[t])
}

// Name returns the tile as screens and sentences show it, the higher half first: "6-0"; empty for [NoTile].
func (t Tile) Name() string {
	if !t.Valid() {
		return ""
	}
	return halves(tileHigh[t], tileLow[t])
}

func halves(a, b Pip) string { return string([]byte{'0' + byte(a), '-', '0' + byte(b)}) }

// Hand is a set of tiles. The zero value is empty.
type Hand uint32

// FullSet holds all 28 tiles.
const FullSet Hand = 1<<SetSize - 1

// NewHand returns a hand of the given tiles.
func NewHand(tiles ...Tile) Hand {
	var h Hand
	for _, t := range tiles {
		h = h.With(t)
	}
	return h
}

// Has reports whether the hand holds t.
func (h Hand) Has(t Tile) bool { return t.Valid() && h&(1<<t) != 0 }

// With returns the hand with t added.
func (h Hand) With(t Tile) Hand { return h | 1<<t }

// Without returns the hand without t.
func (h Hand) Without(t Tile) Hand { return h &^ (1 << t) }

// Len is the number of tiles held.
func (h Hand) Len() int { return bits.OnesCount32(uint32(h)) }

// Empty reports whether no tile is held.
func (h Hand) Empty() bool { return h == 0 }

// Lowest is the first tile in the order of the set, or [NoTile].
func (h Hand) Lowest() Tile {
	if h == 0 {
		return NoTile
	}
	return Tile(bits.TrailingZeros32(uint32(h)))
}

// All yields the tiles in the order of the set.
func (h Hand) All() iter.Seq[Tile] {
	return func(yield func(Tile) bool) {
		for ; h != 0; h &= h - 1 {
			if !yield(h.Lowest()) {
				return
			}
		}
	}
}

// Tiles returns the tiles in the order of the set.
func (h Hand) Tiles() []Tile {
	tiles := make([]Tile, 0, h.Len())
	for ; h != 0; h &= h - 1 {
		tiles = append(tiles, h.Lowest())
	}
	return tiles
}

// Weight is the sum of all pips held.
func (h Hand) Weight() Points {
	var w Points
	for ; h != 0; h &= h - 1 {
		w += h.Lowest().Weight()
	}
	return w
}

// String lists the tiles with spaces in between: "0-1 3-3".
func (h Hand) String() string {
	b := make([]byte, 0, 4*h.Len())
	for t := range h.All() {
		if len(b) > 0 {
			b = append(b, ' ')
		}
		b = append(b, '0'+byte(t.Low()), '-', '0'+byte(t.High()))
	}
	return string(b)
}

// WithPip is the set of the seven tiles that have p on a half.
func WithPip(p Pip) Hand { return withPip[p] }
