package page

import (
	"strings"

	"boneyard/lobby/text"
	"boneyard/ui/theme"
)

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
