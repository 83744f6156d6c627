package play

import (
	"boneyard/rules"
	"boneyard/ui/board"
)

// form is how the parts of the screen are put together while a round is played.
type form int

const (
	// short screens have the seats side by side, and the newest line of the log.
	short form = iota
	// usual screens have a row for each seat that says also what was done there last, and the chat below the board.
	usual
	// wide screens have the seats side by side, and log and chat beside the board.
	wide
)

// places is where the parts of the screen are while a round is played: rows and columns of the body. They depend on nothing
// but the size, the number of seats and whether there is a hand, so that nothing moves while a game goes on.
type places struct {
	form   form
	perRow int // seats in a row
	cell   int // the width of each
	status int
	board  area
	log    area // its height is 0 where the rows of the seats say what was done
	chat   area // its height is 0 where it has no room
	names  area // of watchers; likewise
	rule   int  // the row of the rule for newcomers; 0 where it stands elsewhere
	prompt int
	hand   area
}

// area is a part of the body.
type area struct{ x, y, w, h int }

func (a area) has(x, y int) bool { return x >= a.x && x < a.x+a.w && y >= a.y && y < a.y+a.h }

const (
	tall     = 15  // rows from which a screen is usual
	wideFrom = 112 // columns from which it is wide, if it has rows enough
	wideRows = 24
	panel    = 43 // the log's width beside the board
	seatCell = 19 // the least that a seat takes: mark, name, score, tiles
	seatMost = 32
)

func (d *picture) form() form {
	switch {
	case d.h < tall:
		return short
	case d.w >= wideFrom && d.h >= wideRows:
		return wide
	}
	return usual
}

func (d *picture) places() places {
	n := len(d.v.Seats)
	p := places{form: d.form(), perRow: 1, cell: d.w}
	if p.form != usual {
		p.perRow = max(min((d.w-1)/seatCell, n), 1)
		p.cell = min((d.w-1)/p.perRow, seatMost)
	}
	p.status = (n + p.perRow - 1) / p.perRow
	p.hand = area{x: 1, y: d.h, w: d.w - 2}
	if d.v.POV != 0 {
		switch {
		case d.h >= 30:
			p.hand.h = 6
		case p.form == short:
			p.hand.h = 2
		default:
			p.hand.h = 4
		}
		p.hand.y -= p.hand.h
	}
	p.prompt = p.hand.y - 1
	top := p.status + 1
	if d.h >= 30 {
		top++
	}
	p.board = area{1, top, d.w - 2, p.prompt - top}
	switch p.form {
	case short:
		p.board.h--
		p.log = area{0, p.prompt - 1, d.w - 1, 1}
	case usual:
		rows := 3
		if d.h >= 30 {
			rows = 5
		}
		p.board.h -= rows
		p.chat = area{1, p.prompt - rows, d.w - 2, rows}
	case wide:
		left := d.w - panel - 3
		p.board.w = left - 1
		p.hand.w = left - 1
		x := p.board.x + p.board.w + 2
		top = p.status + 3
		p.log = area{x, top, panel, (d.h - top) * 3 / 5}
		p.names = area{x, d.h - 1, panel, 1}
		p.chat = area{x, p.log.y + p.log.h + 1, panel, p.names.y - p.log.y - p.log.h - 2}
		if d.novice {
			p.board.h--
			p.rule = p.prompt - 1
		}
	}
	return p
}

// options is how the board is drawn in its place. On small screens the tiles are small from the start: they would have to
// be after a few moves, and a small tile costs a watcher a third of the bytes.
func (d *picture) options(a area) board.Options {
	o := board.Options{Width: a.w, Height: a.h, Theme: d.th}
	if a.h < 16 {
		o.Largest = board.Small
	}
	o.Plain = d.thrifty()
	if d.v.MyMove() && d.own != nil && !d.stepping() {
		o.Hand = d.v.Play.Playable()
		if t := d.own.pick.tile; t != rules.NoTile {
			o.Hand = rules.NewHand(t)
		}
	}
	return o
}

// thrifty reports whether a move has to cost few bytes: for watchers, of whom there may be a thousand, on a screen of usual size.
func (d *picture) thrifty() bool { return d.v.POV == 0 && d.h < 30 }

// drawing is a layout as it is drawn, and where its tiles lie.
type drawing struct {
	plan  board.Plan
	lines []string
}

// drawings are layouts as drawn last, for all who look at them. A layout and its options say all that a drawing shows.
var drawings = cache[drawingKey, *drawing]{size: 256}

type drawingKey struct {
	layout rules.Layout
	o      board.Options
}

func draw(l *rules.Layout, o board.Options) *drawing {
	return drawings.get(drawingKey{*l, o}, func() *drawing {
		plan := board.Lay(l, o.Width, o.Height, o.Largest)
		return &drawing{plan, plan.Draw(o)}
	})
}

// board draws the layout, with the chosen tile where it would lie.
func (d *picture) board(a area) *drawing {
	v := &d.v.Play
	o := d.options(a)
	if d.stepping() {
		return draw(d.layout(), o)
	}
	if d.own != nil && d.v.MyMove() {
		if choice, ok := d.own.pick.option(v); ok {
			after := v.After(choice.Choice)
			o.Ghost = true
			return draw(&after, o)
		}
	}
	return draw(&v.Layout, o)
}

// handOptions is how the hand is drawn in its place.
func (d *picture) handOptions(a area) board.HandOptions {
	o := board.HandOptions{Width: a.w, Height: a.h, Theme: d.th, Chosen: rules.NoTile, Below: true}
	if d.h < 44 {
		o.Largest = board.Medium
	}
	if d.v.MyMove() && !d.stepping() {
		o.Playable = d.v.Play.Playable()
		if d.own != nil {
			if d.own.earnings {
				o.Earn = board.Earn(&d.v.Play)
			}
			o.Chosen = d.own.pick.tile
		}
	}
	return o
}

// tileAt is the tile of the hand that is drawn at a place of the body.
func (d *picture) tileAt(x, y int) (rules.Tile, bool) {
	a := d.places().hand
	if !a.has(x, y) {
		return rules.NoTile, false
	}
	return board.HandAt(d.v.Play.Hand, d.handOptions(a), x-a.x, y-a.y)
}

// armAt is the open end that is drawn at a place of the body.
func (d *picture) armAt(x, y int) (rules.Arm, bool) {
	a := d.places().board
	if !a.has(x, y) {
		return rules.NoArm, false
	}
	return d.board(a).plan.ArmAt(x-a.x, y-a.y)
}
