package board

import (
	"strconv"
	"unicode/utf8"

	"boneyard/rules"
	"boneyard/ui/theme"
)

// HandOptions is how a hand is drawn. It is comparable, so that it can be part of a cache's key.
type HandOptions struct {
	Width, Height int          // the room, in columns and rows
	Theme         *theme.Theme // its faces determine how halves are drawn
	Largest       Size         // the largest size of tiles; 0 for no limit
	Playable      rules.Hand   // bright; the others are dim unless it is empty
	Chosen        rules.Tile   // marked; [rules.NoTile] for none
	Below         bool         // a line below the tiles marks the chosen one
	Earn          Earnings     // what the tiles that can be played earn at best, shown in that line
}

// deck is a way to lay out a hand: tiles of w×h in rows of per tiles.
type deck struct {
	size     Size // Strip for text
	standing bool
	w, h     int
	per      int
	below    bool
}

// step returns the distance from one row of tiles to the next.
func (d *deck) step() int {
	if d.below {
		return d.h + 1
	}
	return d.h
}

// deckFor returns the first way that has room for n tiles, from large to small, or the last one.
func deckFor(n int, o HandOptions) deck {
	kinds := [...]deck{
		{size: Large, standing: true},
		{size: compact},
		{size: Medium, standing: true},
		{size: Medium},
		{size: Small},
		{size: Small, h: -1},
		{size: Strip, w: 4, h: 1},
	}
	for _, d := range kinds {
		bare := d.h < 0
		size := d.size
		if d.size > Strip {
			m := &measures[d.size]
			d.w, d.h = m.long, m.flat
			if d.standing {
				d.w, d.h = m.thin, m.tall
			}
		}
		if d.size == compact {
			size = Large
			if o.Theme.Faces() != theme.Pips {
				continue
			}
		}
		d.below = o.Below && !bare && d.size > Strip
		d.per = min((o.Width+1)/(d.w+1), n)
		if d.size == Strip {
			d.per = max(d.per, 1)
			return d
		}
		if o.Largest != 0 && size > o.Largest || d.per < 1 {
			continue
		}
		if rows := (n + d.per - 1) / d.per; rows*d.step() <= o.Height {
			d.per = (n + rows - 1) / rows // rows of the same length, as far as possible
			return d
		}
	}
	panic("unreachable: the last kind always has room")
}

// Hand returns a hand as lines, as many as it needs and at most o.Height: tiles in the order of the set, in
// the largest size in which all fit. If not even text fits, it omits the last tiles and writes how many. A
// hand without tiles, or a room of less than four columns, has no lines.
func Hand(h rules.Hand, o HandOptions) []string {
	n := h.Len()
	if n == 0 || o.Width < 4 || o.Height < 1 {
		return nil
	}
	d := deckFor(n, o)
	rows := (n + d.per - 1) / d.per
	c := newCanvas(o.Width, min(rows*d.step(), o.Height), o.Theme)
	i := 0
	for t := range h.All() {
		x, y := i%d.per*(d.w+1), i/d.per*d.step()
		if y >= o.Height {
			break
		}
		d.tile(c, x, y, t, o)
		i++
	}
	if i < n {
		c.more(n, d)
	}
	return c.rows()
}

// Earnings is one more than what each tile of the set earns at best; 0 to show nothing.
type Earnings [rules.SetSize]uint8

// Earn returns what the playable tiles would score at their best end. It is empty if nothing scores in play.
func Earn(v *rules.View) (e Earnings) {
	if v.Rules.Multiple == 0 {
		return e
	}
	for _, o := range v.Options {
		e[o.Tile] = max(e[o.Tile], uint8(min(o.Points, 254))+1)
	}
	return e
}

// HandAt returns the tile that [Hand] draws at column x and row y for the same hand and options.
func HandAt(h rules.Hand, o HandOptions, x, y int) (rules.Tile, bool) {
	n := h.Len()
	if n == 0 || x < 0 || y < 0 || x >= o.Width || y >= o.Height {
		return rules.NoTile, false
	}
	d := deckFor(n, o)
	col, row := x/(d.w+1), y/d.step()
	if i := row*d.per + col; col < d.per && i < n && x%(d.w+1) < d.w {
		return h.Tiles()[i], true
	}
	return rules.NoTile, false
}

func (d *deck) tile(c *canvas, x, y int, t rules.Tile, o HandOptions) {
	f := face{a: t.High(), b: t.Low(), standing: d.standing, chosen: t == o.Chosen}
	switch {
	case f.chosen:
		f.role = theme.Selected
	case o.Playable.Has(t):
		f.role = theme.TilePlayable
	case o.Playable.Empty():
		f.role = theme.Tile
	default:
		f.role = theme.Faint
	}
	if d.size == Strip {
		if f.chosen {
			c.text(x, y, f.role, o.Theme.Glyphs().Cursor)
		}
		c.text(x+1, y, f.role, string([]rune{digit(f.a), '-', digit(f.b)}))
		return
	}
	c.tile(x, y, d.size, f)
	if !d.below {
		return
	}
	say, role := "", theme.Faint
	switch e := o.Earn[t]; {
	case e > 1:
		say, role = "+"+strconv.Itoa(int(e-1)), theme.Good
	case e == 1:
		say = o.Theme.Glyphs().Dash
	}
	if f.chosen {
		say, role = o.Theme.Glyphs().Up+say, theme.Key
	}
	c.text(x+(d.w-utf8.RuneCountInString(say))/2, y+d.h, role, say)
}

// more writes over the last tile how many of n tiles are not shown.
func (c *canvas) more(n int, d deck) {
	shown := d.per*c.h - 1
	x := (d.per - 1) * (d.w + 1)
	for i := range d.w {
		c.cells[(c.h-1)*c.w+x+i] = cell{}
	}
	c.text(x+1, c.h-1, theme.Muted, "+"+strconv.Itoa(n-shown))
}
