package page

import (
	"slices"
	"strings"

	"boneyard/lobby/text"
	"boneyard/ui/plain"
	"boneyard/ui/theme"
)

// Column is one column of a list of Ts.
type Column[T any] struct {
	Head  string
	Width int        // negative: aligned to the right; 0: the rest
	Role  theme.Role // of the cells of usual rows
	Cell  func(t *theme.Theme, item *T, w int) string
}

// From returns the column of rows, which text and JSON share, with this head there.
func From[T any](rows *plain.Rows[T], head string, width int) Column[T] {
	return Column[T]{Head: text.Capital(strings.ToLower(head)), Width: width, Cell: Fact(rows.Column(head).Cell)}
}

// Fact returns the cells of a column that are the same in all themes and widths.
func Fact[T any](cell func(item *T) string) func(*theme.Theme, *T, int) string {
	return func(_ *theme.Theme, item *T, _ int) string { return cell(item) }
}

// Grid draws a list in columns.
type Grid[T any] struct {
	theme   *theme.Theme
	columns []Column[T]
}

// Emphasis is how a row stands out, besides being chosen.
type Emphasis int

// The emphases of a row.
const (
	Usual Emphasis = iota
	Own            // concerns the player
	Pale
	Below // belongs to the row above, which has the mark
)

// NewGrid fits rows with their marks into w columns of the screen. The column without a width takes the rest,
// but at most most if that is not 0.
func NewGrid[T any](t *theme.Theme, columns []Column[T], w, most int) *Grid[T] {
	left := w - 3
	for _, c := range columns {
		left -= max(c.Width, -c.Width) + 2
	}
	if left += 2; most > 0 {
		left = min(left, most)
	}
	columns = slices.Clone(columns)
	for i := range columns {
		if columns[i].Width == 0 {
			columns[i].Width = left
		}
	}
	return &Grid[T]{t, columns}
}

// Width returns the columns of the screen that rows take after their marks.
func (d *Grid[T]) Width() int {
	n := 2*len(d.columns) - 2
	for _, c := range d.columns {
		n += max(c.Width, -c.Width)
	}
	return n
}

// Heads draws the heads of the columns.
func (d *Grid[T]) Heads() string {
	cells := make([]string, len(d.columns))
	for i, c := range d.columns {
		cells[i] = d.cell(c.Head, c.Width)
	}
	return "   " + d.theme.Paint(theme.Muted, strings.Join(cells, "  "))
}

// Row draws an item.
func (d *Grid[T]) Row(item *T, chosen bool, emphasis Emphasis) string {
	cells := make([]string, len(d.columns))
	for i, c := range d.columns {
		cells[i] = d.cell(c.Cell(d.theme, item, max(c.Width, -c.Width)), c.Width)
		if !chosen && emphasis == Usual {
			cells[i] = d.theme.Paint(c.Role, cells[i])
		}
	}
	return d.Mark(strings.Join(cells, "  "), chosen, emphasis)
}

// Mark draws a row like those of items.
func (d *Grid[T]) Mark(row string, chosen bool, emphasis Emphasis) string {
	return Mark(d.theme, row, chosen, emphasis)
}

// Mark draws a row of a list, indented by three columns; a chosen one in one colour and with a mark. A row
// that is chosen or not Usual must not be painted.
func Mark(t *theme.Theme, row string, chosen bool, emphasis Emphasis) string {
	g := t.Glyphs()
	switch {
	case chosen && emphasis == Below:
		return " " + t.Paint(theme.Selected, "  "+row)
	case chosen:
		return " " + t.Paint(theme.Selected, g.Cursor+" "+row)
	case emphasis == Own:
		return " " + t.Paint(theme.Accent, g.Bullet+" "+row)
	case emphasis == Pale:
		return "   " + t.Paint(theme.Muted, row)
	}
	return "   " + row
}

func (d *Grid[T]) cell(s string, w int) string { return Columns(d.theme, []int{w}, []string{s}) }

// Columns sets cells into columns of the given widths with two blanks between; a negative width aligns its
// cell to the right. Cells are any plain text; the theme's ellipsis marks where they are cut.
func Columns(t *theme.Theme, widths []int, cells []string) string {
	var b strings.Builder
	for i, w := range widths {
		if i > 0 {
			b.WriteString("  ")
		}
		if w < 0 {
			n := min(-w, text.Width(text.Printable(cells[i])))
			b.WriteString(strings.Repeat(" ", -w-n) + Cut(t, cells[i], n))
			continue
		}
		b.WriteString(Cut(t, cells[i], w))
	}
	return b.String()
}

// Piece is a part of a line in one role.
type Piece struct {
	Role theme.Role
	Text string // safe to draw
}

// Line is a row of a list under construction: cells of fixed width, each in a role of its own.
type Line struct {
	Below  bool // it belongs to the row above, which has the mark
	theme  *theme.Theme
	pieces []Piece
}

// NewLine begins a row.
func NewLine(t *theme.Theme) *Line { return &Line{theme: t} }

// Add sets s into w columns; a negative width sets it to the right.
func (l *Line) Add(role theme.Role, s string, w int) {
	if w < 0 {
		s = Clip(l.theme, s, -w)
		s = strings.Repeat(" ", max(-w-text.Width(s), 0)) + s
	} else {
		s = Cut(l.theme, s, w)
	}
	l.pieces = append(l.pieces, Piece{role, s})
}

// Gap adds blanks.
func (l *Line) Gap(w int) { l.pieces = append(l.pieces, Piece{theme.Text, strings.Repeat(" ", w)}) }

// Pieces adds what has its width already.
func (l *Line) Pieces(p ...Piece) { l.pieces = append(l.pieces, p...) }

// Draw paints the row, three columns in; the chosen one in one colour, with a mark before it.
func (l *Line) Draw(chosen bool) string {
	var b strings.Builder
	for _, p := range l.pieces {
		if !chosen {
			p.Text = l.theme.Paint(p.Role, p.Text)
		}
		b.WriteString(p.Text)
	}
	look := Usual
	if l.Below {
		look = Below
	}
	return Mark(l.theme, b.String(), chosen, look)
}
