package rulebook

import (
	"strings"

	"boneyard/lobby/text"
	"boneyard/rules"
	"boneyard/ui/board"
	"boneyard/ui/english"
	"boneyard/ui/page"
	"boneyard/ui/theme"
)

const readable = 76

// leafLines returns the chosen leaf, in as many lines as it takes.
func (p *Page) leafLines(w int) []string {
	t, l := p.env.Theme, &p.leaves[p.at]
	width := min(w-2, readable)
	lines := page.Paragraph(t, theme.Accent, l.intro, 1, width)
	if l.rules == (rules.Ruleset{}) {
		return append(lines, houseRules(t, width)...)
	}
	for _, paragraph := range english.Describe(l.rules, 0) {
		lines = append(append(lines, ""), page.Shift(page.Wrap(page.Plain(t, paragraph), width), 1)...)
	}
	lines = append(lines, example(t, &l.rules, width)...)
	lines = append(lines, "", " "+page.Rule(t, "As written in a rule string", width), "")
	return append(lines, values(t, l.rules, width)...)
}

// houseRules lists the keys of rule strings, with their values and meanings.
func houseRules(t *theme.Theme, w int) []string {
	lines := []string{""}
	for _, k := range rules.Keys() {
		lines = append(lines, " "+t.Paint(theme.Key, text.Fit(k.Name, nameWidth))+strings.ReplaceAll(k.Values, "|", " "))
		say := func(role theme.Role, s string) {
			for i, part := range page.Wrap(page.Plain(t, s), w-nameWidth-2) {
				if i > 0 {
					part = "  " + part
				}
				lines = append(lines, " "+page.Pad("", nameWidth)+t.Paint(role, part))
			}
		}
		say(theme.Muted, k.Help)
		for _, v := range strings.Split(k.Values, "|") {
			r := rules.Classic.String() + " " + k.Name + "=" + v
			if v == "0" {
				r += " end=take" // nothing can be rounded without a multiple
			}
			if r, err := rules.Parse(r); err == nil { // otherwise the value stands for a number
				say(theme.Faint, v+": "+english.Means(&r, k.Name))
			}
		}
	}
	return lines
}

// nameWidth is the width of a house rule's name.
const nameWidth = 10

// values returns a game's value for each house rule.
func values(t *theme.Theme, r rules.Ruleset, w int) []string {
	const valueWidth = 10
	var lines []string
	for _, k := range rules.Keys() {
		v := r.Value(k.Name)
		if v == "" {
			continue
		}
		line := " " + t.Paint(theme.Key, text.Fit(k.Name, nameWidth)) + text.Fit(v, valueWidth)
		room := w - nameWidth - valueWidth
		if room < 30 {
			lines = append(lines, line)
			continue
		}
		for i, s := range page.Wrap(k.Help, room) {
			if i > 0 {
				line = page.Pad("", 1+nameWidth+valueWidth)
			}
			lines = append(lines, line+t.Paint(theme.Muted, s))
		}
	}
	return lines
}

// plays are the tiles of the example, each with its arm.
var plays = []rules.Choice{
	{Tile: rules.NewTile(5, 5), Arm: rules.NoArm},
	{Tile: rules.NewTile(5, 0), Arm: rules.ArmR},
	{Tile: rules.NewTile(5, 3), Arm: rules.ArmL},
	{Tile: rules.NewTile(0, 2), Arm: rules.ArmR},
	{Tile: rules.NewTile(5, 4), Arm: rules.ArmU},
	{Tile: rules.NewTile(2, 2), Arm: rules.ArmR},
	{Tile: rules.NewTile(2, 5), Arm: rules.ArmR},
	{Tile: rules.NewTile(3, 3), Arm: rules.ArmL},
}

// example counts a layout tile by tile, as far as the rules allow it to be laid, and shows the outcome; for
// games without points in play it shows only the layout.
func example(t *theme.Theme, r *rules.Ruleset, w int) []string {
	v := rules.View{Rules: *r}
	title := "How a layout counts, tile by tile"
	if r.Multiple == 0 {
		title = "A layout"
	}
	lines := []string{"", " " + page.Rule(t, title, w), ""}
	for i, c := range plays {
		next := v.After(c)
		if next.Len() != i+1 {
			break // this game has no such end
		}
		v.Layout = next
		if r.Multiple == 0 {
			continue
		}
		where := "leads"
		if c.Arm != rules.NoArm {
			where = "at " + c.Arm.String()
		}
		say := text.Fit(c.Tile.Name(), 5) + text.Fit(where, 7)
		count := next.Count()
		lines = append(lines, " "+t.Paint(theme.Tile, say)+board.Sum(next.Terms(r.Count), count, r.InPlay(count), t))
	}
	const rows = 11
	o := board.Options{Width: w, Height: rows, Theme: t, Largest: board.Medium, Count: board.Counts(r)}
	_, picture := board.Trim(board.Draw(&v.Layout, o))
	return append(append(lines, ""), page.Shift(picture, 1)...)
}
