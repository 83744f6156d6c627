package page

import (
	"fmt"
	"slices"
	"strings"

	"github.com/charmbracelet/x/ansi"

	"boneyard/lobby/rating"
	"boneyard/lobby/text"
	"boneyard/ui/plain"
	"boneyard/ui/theme"
)

// inASCII replaces the other characters of sentences and keys.
var inASCII = strings.NewReplacer(
	"←→", "<>", "←↑↓→", "<^v>", "→", "->", "←", "<", "↑", "^", "↓", "v", "·", ".", "–", "-", "−", "-", "×", "x", "…", "...",
)

// Plain returns a sentence in the characters that the theme uses.
func Plain(t *theme.Theme, s string) string {
	if t.Faces() == theme.ASCII {
		return inASCII.Replace(s)
	}
	return s
}

// Looking is what a page says until it has something to show.
func Looking(t *theme.Theme) string { return "Looking" + t.Glyphs().Ellipsis }

// Pad cuts or pads a painted line to exactly w columns.
func Pad(s string, w int) string {
	if w <= 0 {
		return ""
	}
	n := Width(s)
	switch {
	case n > w:
		return ansi.Truncate(s, w, "")
	case n < w:
		return s + strings.Repeat(" ", w-n)
	}
	return s
}

// PadCut is Pad with the theme's ellipsis where it cuts.
func PadCut(t *theme.Theme, s string, w int) string {
	if w > 0 && Width(s) > w {
		s = ansi.Truncate(s, w, t.Glyphs().Ellipsis)
	}
	return Pad(s, w)
}

// Right puts right at the end of a line of w columns that begins with left; if there is no room for both, it
// cuts left.
func Right(left, right string, w int) string {
	n := Width(right)
	if n >= w {
		return Pad(right, w)
	}
	return Pad(left, w-n) + right
}

// Center puts a painted line in the middle of w columns.
func Center(s string, w int) string {
	n := Width(s)
	if n >= w {
		return Pad(s, w)
	}
	return strings.Repeat(" ", (w-n)/2) + s
}

// Beside sets blocks side by side with gap columns between. It pads each to its width; the result has as many
// lines as the longest.
func Beside(gap int, blocks ...Block) []string {
	h := 0
	for _, b := range blocks {
		h = max(h, len(b.Lines))
	}
	out := make([]string, h)
	space := strings.Repeat(" ", gap)
	for i := range out {
		var line strings.Builder
		for j, b := range blocks {
			if j > 0 {
				line.WriteString(space)
			}
			s := ""
			if i < len(b.Lines) {
				s = b.Lines[i]
			}
			line.WriteString(Pad(s, b.Width))
		}
		out[i] = line.String()
	}
	return out
}

// Block is lines with a common width.
type Block struct {
	Width int
	Lines []string
}

// Fill cuts or extends lines to exactly h.
func Fill(lines []string, h int) []string {
	h = max(h, 0)
	if len(lines) >= h {
		return lines[:h:h]
	}
	out := make([]string, h)
	copy(out, lines)
	return out
}

// Wrap breaks plain text into lines of at most w columns, if possible at blanks.
func Wrap(s string, w int) []string {
	if w < 1 {
		return nil
	}
	var lines []string
	for _, line := range plain.Break(s, w) {
		if Width(line) > w { // of leading blanks
			line = ansi.Hardwrap(strings.TrimLeft(line, " "), w, false)
		}
		lines = append(lines, strings.Split(line, "\n")...)
	}
	return lines
}

// Paragraph paints our own text in lines of at most w columns, indented by indent.
func Paragraph(t *theme.Theme, r theme.Role, s string, indent, w int) []string {
	lines := Wrap(Plain(t, s), w)
	for i := range lines {
		lines[i] = strings.Repeat(" ", indent) + t.Paint(r, lines[i])
	}
	return lines
}

// Bars draws bars side by side, one column each: a part between 0 and 1 of rows rows, but never empty. A
// negative part is a gap.
func Bars(t *theme.Theme, parts []float64, rows int) []string {
	levels := t.Glyphs().Spark
	lines := make([]string, rows)
	for y := range lines {
		var b strings.Builder
		for _, p := range parts {
			level := max(int(p*float64(rows*len(levels))+0.5), 1) - (rows-1-y)*len(levels)
			if level = min(level, len(levels)); level > 0 && p >= 0 {
				b.WriteString(levels[level-1])
			} else {
				b.WriteByte(' ')
			}
		}
		lines[y] = b.String()
	}
	return lines
}

// History draws how a number has changed, such as a rating, in at most w columns.
func History(t *theme.Theme, numbers []int, w int) string {
	var b strings.Builder
	for _, level := range rating.Sparkline(numbers, w) {
		b.WriteString(t.Glyphs().Spark[level])
	}
	return b.String()
}

// Accuracies draws a player's accuracy in reviewed games, oldest first, in w columns between what and the
// last.
func Accuracies(t *theme.Theme, what string, list []float64, w int) string {
	numbers := text.Each(list, func(a float64) int { return int(a) })
	return t.Paint(theme.Muted, what) + t.Paint(theme.Accent, History(t, numbers, w)) +
		t.Paint(theme.Muted, fmt.Sprintf(" %d %%", numbers[len(numbers)-1]))
}

// Rule is a thin line with a title in it: "── Chat ───────". An empty title gives a plain line.
func Rule(t *theme.Theme, title string, w int) string {
	g := t.Glyphs()
	if title == "" {
		return t.Paint(theme.Border, strings.Repeat(g.Horizontal, max(w, 0)))
	}
	n := Width(title)
	if n+4 > w {
		return Pad(t.Paint(theme.Title, title), w)
	}
	return t.Paint(theme.Title, title) + " " + t.Paint(theme.Border, strings.Repeat(g.Horizontal, w-n-1))
}

// RuleTo is a Rule of w columns that ends with the painted text end.
func RuleTo(t *theme.Theme, title, end string, w int) string {
	n := Width(end)
	if n >= w {
		return Pad(end, w)
	}
	return Rule(t, title, w-n) + end
}

// HelpLine draws the keys that fit into w columns, the first ones first, and always the last, which lists all.
func HelpLine(t *theme.Theme, does Actions, w int) string {
	const gap = "   "
	var line []byte
	draw := func(a *Action) {
		line = append(t.AppendPaint(line, theme.Key, Plain(t, a.Help().Key)), ' ')
		line = t.AppendPaint(line, theme.Muted, a.Help().Desc)
	}
	shown := func(a *Action) bool { return !a.Refused && a.Enabled() && a.Help().Key != "" }
	width := func(a *Action) int { return Width(Plain(t, a.Help().Key)) + 1 + Width(a.Help().Desc) }
	last := len(does) - 1
	if last < 0 {
		return ""
	}
	used := width(&does[last])
	for i := range does[:last] {
		if !shown(&does[i]) {
			continue
		}
		n := len(gap) + width(&does[i])
		if used+n > w {
			continue
		}
		used += n
		draw(&does[i])
		line = append(line, gap...)
	}
	draw(&does[last])
	return Pad(string(line), min(used, w))
}

// Width returns the columns of a painted line. ansi.StringWidth looks each character up in tables, and would
// be called for each line of each picture several times.
func Width(s string) int {
	if n, ok := text.UsualWidth(s); ok {
		return n
	}
	return ansi.StringWidth(s)
}

// Cut returns any text, including strangers', in exactly w columns, and safe to draw. The theme's ellipsis
// marks a cut.
func Cut(t *theme.Theme, s string, w int) string { return text.FitTail(s, w, t.Glyphs().Ellipsis) }

// Clip is Cut without trailing blanks: at most w columns.
func Clip(t *theme.Theme, s string, w int) string {
	if s = text.Printable(s); text.Width(s) > w {
		s = Cut(t, s, w)
	}
	return strings.TrimRight(s, " ")
}

// Longest returns the first of sentences, longest first, that fits into w columns, or the last.
func Longest(w int, sentences ...string) string {
	i := slices.IndexFunc(sentences, func(s string) bool { return text.Width(s) <= w })
	if i < 0 {
		i = len(sentences) - 1
	}
	return sentences[i]
}

// Parts returns as many parts of a sentence, which commas or semicolons separate, as fit into w columns; all if
// not even the first one does.
func Parts(s string, w int) string {
	for part := s; ; {
		if text.Width(part) <= w {
			return part
		}
		i := strings.LastIndexAny(part, ",;")
		if i < 0 {
			return s
		}
		part = part[:i]
	}
}

// Fit paints any text in the theme's characters and at most w columns.
func Fit(t *theme.Theme, r theme.Role, s string, w int) string {
	if w < 1 {
		return ""
	}
	return t.Paint(r, Clip(t, Plain(t, s), w))
}

// Shielded adds the mark of the season's shield to a name, if holds is true.
func Shielded(t *theme.Theme, name string, holds bool) string {
	if holds {
		name += " " + t.Glyphs().Shield
	}
	return name
}

// Choices draws choices side by side, each in the same place whichever is chosen. Colours mark the present
// one, and brackets, which show without colours too.
func Choices(t *theme.Theme, choices []string, now string, focused bool) string {
	var b strings.Builder
	for _, c := range choices {
		switch {
		case c == now && focused:
			b.WriteString(t.Paint(theme.Selected, "["+c+"]"))
		case c == now:
			b.WriteString(t.Paint(theme.Accent, "["+c+"]"))
		default:
			b.WriteString(" " + t.Paint(theme.Muted, c) + " ")
		}
	}
	return b.String()
}

// ChoicesWidth is how many columns [Choices] takes.
func ChoicesWidth(choices []string) (w int) {
	for _, c := range choices {
		w += text.Width(c) + 2
	}
	return w
}

// choiceAt is the index of the choice that Choices draws in a column, -1 for none.
func choiceAt(choices []string, x int) int {
	end := 0
	return slices.IndexFunc(choices, func(c string) bool {
		end += text.Width(c) + 2
		return x >= 0 && x < end
	})
}
