package play

import (
	"strings"

	"boneyard/rules"
	"boneyard/ui/board"
	"boneyard/ui/screen"
)

// shape is the arrangement of the screen while a round is played.
type shape int

const (
	// short screens have the seats side by side, and only the newest line of the log.
	short shape = iota
	// usual screens have a row for each seat, which includes its last turn, and the chat below the board.
	usual
	// wide screens have the seats side by side, and log and chat beside the board.
	wide
)

// places are the parts of the screen while a round is played, in rows and columns of the body. They depend
// only on the size, the seats, whether there is a hand, a watcher's panel, and the guide, so that nothing
// moves in a game.
type places struct {
	shape  shape
	big    bool // the score stands in large digits, a block for each side
	perRow int  // seats in a row, or sides
	cell   int  // the width of each
	status int
	board  rect
	edged  bool // the board has an edge around it
	log    rect // its height is 0 if the seats' rows show the last turns
	chat   rect // its height is 0 if it does not fit
	names  rect // of watchers; height as above
	known  rect // the panel of known tiles; height as above
	rule   int  // the row of the rule for newcomers; 0 if another part shows it
	prompt int
	hand   rect
}

// rect is an area of the body.
type rect struct{ x, y, w, h int }

func (a rect) has(x, y int) bool { return x >= a.x && x < a.x+a.w && y >= a.y && y < a.y+a.h }

const (
	tall      = 15  // rows from which a screen is usual
	wideFrom  = 112 // columns from which it is wide, if it has enough rows
	wideRows  = 24
	flatFrom  = 150 // columns from which it is wide with fewer rows, too, since a layout needs no rows then
	panel     = 43  // the log's least width beside the board
	panelMost = 53  // most receipts fit into one row of it
	seatCell  = 19  // the minimum width of a seat: mark, name, score, tiles
	seatMost  = 32
	bigRows   = 34 // rows from which the score stands in large digits, if there is no panel
	sideMost  = 46 // the greatest width of a side there, unless the board is wider
	edgeRows  = 44 // rows from which the board has an edge, so that its empty part looks like the table
	sideRows  = 4  // its height

	shortGuide  = 2 // rows for the guide on short screens
	spinnerRows = 5 // of a spinner in small tiles with what its arms are called; with fewer rows a layout is words
)

func (d *picture) shape() shape {
	switch {
	case d.h < tall:
		return short
	case d.w >= wideFrom && d.h >= wideRows, d.w >= flatFrom:
		return wide
	}
	return usual
}

func (d *picture) places() places {
	n := len(d.v.Seats)
	p := places{shape: d.shape(), perRow: 1, cell: d.w}
	if p.shape != usual {
		p.perRow = max(min((d.w-1)/seatCell, n), 1)
		p.cell = min((d.w-1)/p.perRow, seatMost)
	}
	p.status = (n + p.perRow - 1) / p.perRow
	if p.shape == wide && d.h >= bigRows && (!d.panel || d.h >= bigRows+7) {
		sides := d.v.Play.Sides()
		p.big, p.perRow, p.cell, p.status = true, sides, min((d.w-1)/sides, max(sideMost, (d.w-d.panelWidth()-3)/sides)), sideRows
	}
	p.hand = rect{x: 1, y: d.h, w: d.w - 2}
	if d.v.POV != 0 {
		switch {
		case d.h >= 30:
			p.hand.h = 6
		case p.shape == short:
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
	p.board = rect{1, top, d.w - 2, p.prompt - top}
	switch p.shape {
	case short:
		p.board.h--
		p.log = rect{0, p.prompt - 1, d.w - 1, 1}
		if d.guided() && p.board.h > shortGuide {
			p.board.h -= shortGuide
			p.rule = p.log.y - shortGuide
		}
	case usual:
		rows := 3
		if d.h >= 30 {
			rows = 5
		}
		if !d.guided() { // the seats' rows have the last turns, too
			rows = min(rows, max(p.board.h-spinnerRows, 1))
		}
		if d.panel && !d.panelAlone() {
			p.known = rect{d.w - knownWidth - 1, top, knownWidth, p.prompt - top}
			p.board.w -= knownWidth + 2
		}
		p.board.h -= rows
		p.chat = rect{1, p.prompt - rows, d.w - 2, rows}
	case wide:
		panel := d.panelWidth()
		left := d.w - panel - 3
		p.board.w = left - 1
		p.hand.w = left - 1
		x := p.board.x + p.board.w + 2
		top = p.status + 3
		rows := (d.h - top) * 3 / 5
		if d.panel {
			h := 12 + 2*n // suits, and what each seat lacks
			if d.h < 30 {
				h = 4 + n
			}
			p.known = rect{x, top - 1, panel, h}
			top += h + 1
			rows = (d.h - top) / 2
		}
		p.log = rect{x, top, panel, rows - 1} // an empty row parts it from the chat
		p.names = rect{x, d.h - 1, panel, 1}
		p.chat = rect{x, top + rows + 1, panel, p.names.y - top - rows - 2}
		if n := d.lessonRows(p.board.w); n > 0 {
			p.board.h -= n
			p.rule = p.prompt - n
		}
		if p.edged = d.h >= edgeRows; p.edged {
			p.board.y, p.board.h = p.board.y+1, p.board.h-2
		}
	}
	return p
}

// panelWidth returns the width of the log beside the board, which gains little from more room.
func (d *picture) panelWidth() int { return min(max(panel, panel+(d.w-150)/5), panelMost) }

// options returns how the board is drawn. Small tiles cost a watcher a third of the bytes of large ones.
func (d *picture) options(a rect) board.Options {
	o := board.Options{Width: a.w, Height: a.h, Theme: d.th, Seen: true, Count: board.Counts(&d.v.Play.Rules)}
	if d.thrifty() {
		o.Largest = board.Small
	}
	o.Plain = d.thrifty()
	if d.v.MyMove() {
		o.Hand = d.v.Play.Playable()
		if t := d.own.pick.tile; t != rules.NoTile {
			o.Hand = rules.NewHand(t)
		}
	}
	return o
}

// thrifty reports whether a move must cost few bytes: on usual screens of watchers, who may be a thousand.
func (d *picture) thrifty() bool { return d.v.POV == 0 && d.h < 30 }

// drawing is a drawn layout, and the positions of its tiles.
type drawing struct {
	plan  *board.Plan
	lines []string
}

// drawings caches layouts for all sessions. A layout and its options determine a drawing.
var drawings = screen.NewCache[drawingKey, *drawing](256)

type drawingKey struct {
	layout rules.Layout
	o      board.Options
}

func draw(l *rules.Layout, o board.Options) *drawing {
	return drawings.Get(drawingKey{*l, o}, func() *drawing {
		plan := board.Lay(l, o.Width, o.Height, o.Largest)
		return &drawing{plan, plan.Draw(o)}
	})
}

// board draws the layout, with the chosen tile where it would be played.
func (d *picture) board(a rect) *drawing {
	v := &d.v.Play
	o := d.options(a)
	if d.v.MyMove() {
		if choice, ok := d.own.pick.option(v); ok {
			after := v.After(choice.Choice)
			o.Ghost = true
			return draw(&after, o)
		}
	}
	if d.glow != noGlow {
		o.Moment = d.says()
		o.Lit = d.glow < endBegins && o.Moment.Back == 0
	}
	return draw(&v.Layout, o)
}

// arm names an arm as this picture's board does.
func (d *picture) arm(a rules.Arm) string {
	if a < rules.Arm(4) || a == rules.NoArm {
		return a.String() // not a branch: it has one name everywhere
	}
	return d.board(d.places().board).plan.Name(a)
}

// choice names a tile and its arm likewise: "6-4 R".
func (d *picture) choice(c rules.Choice) string {
	return strings.TrimSuffix(c.Tile.Name()+" "+d.arm(c.Arm), " ")
}

// handOptions returns how the hand is drawn in its place.
func (d *picture) handOptions(a rect) board.HandOptions {
	o := board.HandOptions{Width: a.w, Height: a.h, Theme: d.th, Chosen: rules.NoTile, Below: true}
	if d.h < 44 {
		o.Largest = board.Medium
	}
	if d.v.MyMove() {
		o.Playable = d.v.Play.Playable()
		if d.earnings {
			o.Earn = board.Earn(&d.v.Play)
		}
		o.Chosen = d.own.pick.tile
	}
	return o
}

// tileAt returns the tile of the hand drawn at a position in the body.
func (d *picture) tileAt(x, y int) (rules.Tile, bool) {
	a := d.places().hand
	if !a.has(x, y) {
		return rules.NoTile, false
	}
	return board.HandAt(d.v.Play.Hand, d.handOptions(a), x-a.x, y-a.y)
}

// armAt returns the open end drawn at a position in the body.
func (d *picture) armAt(x, y int) (rules.Arm, bool) {
	a := d.places().board
	if !a.has(x, y) {
		return rules.NoArm, false
	}
	return d.board(a).plan.ArmAt(x-a.x, y-a.y)
}
