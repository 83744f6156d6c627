package play

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"boneyard/lobby/text"
	"boneyard/rules"
	"boneyard/table"
	"boneyard/ui/board"
	"boneyard/ui/english"
	"boneyard/ui/page"
	"boneyard/ui/theme"
)

// scoring draws a round that is over: all hands open and the scoring line by line, around the layout as it was left.
func (d *picture) scoring() []string {
	p := d.places()
	if p.shape == short {
		return d.scoringShort()
	}
	lines := make([]string, d.h)
	d.put(lines, 0, 0, d.seats(p)...)
	lines[p.status] = d.titled(theme.Title, d.roundOver())
	y, layout := d.kept(p, 1)
	d.put(lines, p.board.x, y, layout...)
	if p.shape == wide {
		d.edge(lines, p)
		panel := d.panelWidth()
		body := append(d.leftovers(panel), "")
		d.overPanel(lines, p, "Round "+strconv.Itoa(d.v.Play.Result.Round), append(body, d.explained(panel)...))
	} else {
		y, w := p.board.y+p.board.h, d.w-2
		room := d.h - 1 - y
		said := d.explained(w)
		if len(said) > room {
			said = d.explainedShortly(w)
		}
		if say := d.coming(); say != "" {
			said = append(said, d.fit(theme.System, say, w))
		}
		said = said[:min(len(said), room)]
		d.put(lines, 1, y, said...)
		if rest := room - len(said) - 1; rest > 0 && (d.talk || d.h >= roomy) {
			d.put(lines, 1, y+len(said)+1, d.chat(w, rest)...)
		}
	}
	lines[d.h-1] = d.ask(d.scorePrompt, d.w-2)
	return lines
}

// scoringShort is scoring for screens where the seats have no rows of their own.
func (d *picture) scoringShort() []string {
	lines := make([]string, d.h)
	w := d.w - 2
	lines[0] = d.titled(theme.Title, d.roundOver())
	block := append(d.hands(w), d.explained(w)...)
	y := 1
	if room := d.h - 2 - len(block); room > 0 { // the layout as it was left is better than blank rows
		d.put(lines, 1, y, d.left(w, room)...)
		y += room
	}
	d.put(lines, 1, y, block...)
	lines[d.h-1] = d.ask(d.scorePrompt, d.w-2)
	return lines
}

// roomy is the number of rows from which the screens at the end of a round or game have blank rows.
const roomy = 30

// hands draws all hands open, with their weights and the totals, on short screens.
func (d *picture) hands(w int) []string {
	const name = 8
	v := d.v
	var lines []string
	for i := range v.Seats {
		n := rules.Seat(i + 1)
		line := d.cell(d.side(n), d.who(n), name) + " " + d.paint(theme.Muted, fmt.Sprintf("%3d  ", v.Play.Result.Left[i]))
		total := fmt.Sprintf(" %4s", d.points(n))
		if hand := v.Play.Open[i]; hand.Empty() {
			line += d.paint(theme.Good, "out")
		} else {
			room := w - name - 6 - page.Width(total)
			for _, tiles := range board.Hand(hand, board.HandOptions{Width: room, Height: 1, Theme: d.th, Chosen: rules.NoTile}) {
				line += tiles // one line, or none if there is no room
			}
		}
		lines = append(lines, page.Right(line, total, w))
	}
	return lines
}

// told returns the scoring as the reader sees it. The weight of each hand is already shown beside it.
func (d *picture) told() []english.ScoreLine {
	names := make([]string, len(d.v.Seats))
	for i := range names {
		names[i] = d.who(rules.Seat(i + 1))
	}
	r := d.v.Play.Rules
	lines := english.Scoring(&r, &d.v.Play.Result, names, d.me())
	return slices.DeleteFunc(lines, func(l english.ScoreLine) bool { return l.Kind == english.ScoreHand && l.Change == 0 })
}

// explained draws the scoring line by line.
func (d *picture) explained(w int) []string {
	var lines []string
	for _, l := range d.told() {
		role := theme.Text
		switch {
		case l.Change > 0:
			role = theme.Good
		case l.Change < 0:
			role = theme.Bad
		}
		lines = append(lines, d.wrap(role, l.Text, w)...)
	}
	return lines
}

// explainedShortly draws the scoring without a line for each item.
func (d *picture) explainedShortly(w int) []string {
	var all []string
	for _, l := range d.told() {
		s := l.Text
		if !strings.HasSuffix(s, ".") {
			s += "."
		}
		all = append(all, s)
	}
	return d.wrap(theme.Text, strings.Join(all, " "), w)
}

// totals draws the sides and their points, on short screens.
func (d *picture) totals(w int) []string {
	v := d.v
	name := 0
	for i := range v.Play.Sides() {
		name = max(name, text.Width(text.Printable(d.sideName(rules.Side(i+1)))))
	}
	name = min(name, w-8)
	var lines []string
	for i := range v.Play.Sides() {
		lines = append(lines, d.cell(theme.Side(i), d.sideName(rules.Side(i+1)), name)+fmt.Sprintf("  %4d", v.Play.Scores[i]))
	}
	return lines
}

func (d *picture) scorePrompt(w int) string {
	v := d.v
	if n := d.notice(); n != "" {
		return " " + d.fit(theme.Warn, n, w)
	}
	if s := d.absent(w); s != "" {
		return " " + d.fit(theme.Warn, s, w)
	}
	deal := "next deal is in " + d.timer.text()
	switch {
	case v.State != table.Scoring:
		return ""
	case v.POV == 0 || v.Own().Ready:
		return " " + d.fit(theme.Muted, page.Longest(w, "The "+deal+", or when everyone is ready.", "The "+deal+"."), w)
	}
	return " " + d.fit(theme.Accent, page.Longest(w, "Press Enter to continue; the "+deal+".", "Press Enter; the "+deal+"."), w)
}
