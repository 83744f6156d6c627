package page

import (
	"charm.land/bubbles/v2/key"

	"boneyard/lobby/text"
	"boneyard/ui/theme"
)

// The smallest terminal that can be read; below it a line says so, and no page is drawn.
const (
	MinWidth  = 40
	MinHeight = 12
)

// Roomy is the number of rows from which there is air around a page's body.
const Roomy = 20

// Keys that the club takes on every page.
var (
	KeyBack = Bind("q", "back", "q")
	KeyHelp = Bind("?", "all keys", "?")
)

// Room tells in which row of a terminal of h rows a page's body begins, and how many rows it has.
func Room(h int) (top, rows int) {
	if h >= Roomy {
		return 2, h - 4
	}
	return 1, h - 2
}

// Header is the top line of a page that is not reached by a number key: the club, the page's title, and at its right end
// who looks at it.
func Header(t *theme.Theme, title, right string, w int) string {
	const club = "Boneyard"
	title = text.FitTail(title, w-len(club)-text.Width(right)-6, t.Glyphs().Ellipsis)
	return Right(" "+t.Paint(theme.Accent, club)+"  "+t.Paint(theme.Title, title), t.Paint(theme.Muted, right)+" ", w)
}

// Around puts a whole screen of w columns and h rows together: the header, the body, a line on what has just happened
// (empty if nothing has), and the keys. Where rows are scarce, the last two share one.
func Around(t *theme.Theme, w, h int, header string, body []string, foot string, keys []key.Binding) []string {
	_, rows := Room(h)
	lines := append(make([]string, 0, h), header)
	if h >= Roomy {
		lines = append(lines, Rule(t, "", w))
	}
	lines = append(lines, Fill(body, rows)...)
	if h >= Roomy {
		return append(lines, foot, keyLine(t, keys, w))
	}
	if foot != "" {
		return append(lines, foot)
	}
	return append(lines, keyLine(t, keys, w))
}

func keyLine(t *theme.Theme, keys []key.Binding, w int) string { return " " + HelpLine(t, keys, w-2) }
