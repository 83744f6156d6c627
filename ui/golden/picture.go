package golden

import (
	"fmt"
	"html"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/hinshun/vt10x"
	"github.com/stretchr/testify/require"
)

// Picture compares lines, as a terminal of w columns and h rows shows them, with a picture in a document, or writes it with -update.
func Picture(t *testing.T, path string, lines []string, w, h int) {
	t.Helper()
	term := vt10x.New(vt10x.WithSize(w, h))
	_, err := term.Write([]byte(strings.Join(lines, "\r\n")))
	require.NoError(t, err)
	File(t, path, svg(term, w, h))
}

// svg draws a terminal's screen, with one text element for each run of cells that look the same.
func svg(term vt10x.View, w, h int) string {
	const cellWidth, cellHeight, margin = 9, 19, 12
	var b strings.Builder
	fmt.Fprintf(&b, `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 %d %d" `+
		`font-family="DejaVu Sans Mono, Menlo, Consolas, monospace" font-size="15">`+"\n",
		w*cellWidth+2*margin, h*cellHeight+2*margin)
	b.WriteString(`<rect width="100%" height="100%" rx="8" fill="#16181d"/>` + "\n")
	for y := range h {
		for x := 0; x < w; {
			first, from := term.Cell(x, y), x
			var run strings.Builder
			for ; x < w; x++ {
				c := term.Cell(x, y)
				if c.FG != first.FG || c.BG != first.BG || c.Mode != first.Mode {
					break
				}
				run.WriteRune(c.Char)
			}
			left, top := margin+from*cellWidth, margin+y*cellHeight
			if bg := colour(first.BG, ""); bg != "" {
				fmt.Fprintf(&b, `<rect x="%d" y="%d" width="%d" height="%d" fill="%s"/>`+"\n", left, top, (x-from)*cellWidth, cellHeight, bg)
			}
			text := strings.TrimLeft(run.String(), " ")
			left += (run.Len() - len(text)) * cellWidth
			if text = strings.TrimRight(text, " "); text == "" {
				continue
			}
			fmt.Fprintf(&b, `<text x="%d" y="%d" fill="%s" textLength="%d" xml:space="preserve">%s</text>`+"\n",
				left, top+14, colour(first.FG, "#d7dae0"), utf8.RuneCountInString(text)*cellWidth, html.EscapeString(text))
		}
	}
	b.WriteString("</svg>\n")
	return b.String()
}

// colour returns a true colour for SVG, or the terminal's usual one if none was chosen. vt10x has already
// swapped the two of a reversed cell.
func colour(c vt10x.Color, usual string) string {
	if c >= vt10x.DefaultFG {
		return usual
	}
	return fmt.Sprintf("#%06x", uint32(c))
}
