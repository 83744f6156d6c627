package page

import (
	"strings"

	"boneyard/lobby/text"
	"boneyard/ui/screen"
	"boneyard/ui/theme"
)

// The smallest terminal in which pages are drawn; in a smaller one a line says so.
const (
	MinWidth  = 40
	MinHeight = 12
)

// Roomy is the number of rows from which there are blank rows around a page's body.
const Roomy = 20

// RoomyBody is the height of the body in Roomy rows.
const RoomyBody = Roomy - 4

// Club is the club's name on screens.
const Club = "Boneyard"

// Keys that the club takes on every page.
var (
	KeyBack = Bind("q", "back", "q")
	KeyHelp = Bind("?", "all keys", "?")
)

// Room returns the row of a terminal of h rows in which a page's body begins, and how many rows it has.
func Room(h int) (top, rows int) {
	if h >= Roomy {
		return 2, h - 4
	}
	return 1, h - 2
}

// The widths of pages that do not use all of a wide window: of text, and of lists in columns.
const (
	WidestText = 92
	WidestList = 120
)

// Middle returns where a page's body begins in a window of w columns, and its width.
func Middle(p Page, w int) (left, width int) {
	if most := p.Chrome().Widest; most > 0 && most < w {
		return (w - most) / 2, most
	}
	return 0, w
}

// Shift moves lines to the right; empty ones stay so.
func Shift(lines []string, left int) []string {
	if left == 0 {
		return lines
	}
	return text.Each(lines, func(s string) string {
		if s == "" {
			return ""
		}
		return strings.Repeat(" ", left) + s
	})
}

// Header draws the top line of a page without a number key: the club, unless the title needs the room, the
// page's title, and right at its right end.
func Header(t *theme.Theme, title, right string, w int) string {
	club := t.Paint(theme.Accent, Club) + "  "
	room := w - text.Width(right) - 4
	if room-Width(club) < text.Width(title) {
		club = ""
	}
	title = Cut(t, title, room-Width(club))
	return Right(" "+club+t.Paint(theme.Title, title), t.Paint(theme.Muted, right)+" ", w)
}

// Around draws a whole screen of w columns and h rows: the header, the body, a line on what has just happened
// (empty if nothing), and the keys. If rows are scarce, the last two share one.
func Around(t *theme.Theme, w, h int, header string, body []string, foot string, does Actions) []string {
	_, rows := Room(h)
	lines := append(make([]string, 0, h), header)
	if h >= Roomy {
		lines = append(lines, Rule(t, "", w))
	}
	lines = append(lines, Fill(body, rows)...)
	if h >= Roomy {
		return append(lines, foot, keyLine(t, does, w))
	}
	if foot != "" {
		return append(lines, foot)
	}
	return append(lines, keyLine(t, does, w))
}

// Shared draws a frame that does not depend on its reader: a body under its title, with the keys of the
// page's actions and the club's. right is at the right end of the header.
func Shared(t *theme.Theme, w, h int, title, right string, body []string, foot string, does Actions) *screen.Frame {
	lines := Around(t, w, h, Header(t, title, right, w), body, foot, does.And(KeyBack, KeyHelp))
	return screen.NewSharedFrame(screen.Content{Width: w, Height: h, Lines: lines, Title: Club + ": " + title})
}

// Foot draws a line for the foot of a screen of w columns.
func Foot(t *theme.Theme, r theme.Role, s string, w int) string {
	return " " + t.Paint(r, Cut(t, s, w-2))
}

func keyLine(t *theme.Theme, does Actions, w int) string { return " " + HelpLine(t, does, w-2) }
