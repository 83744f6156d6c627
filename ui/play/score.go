package play

import (
	"cmp"
	"fmt"
	"strconv"
	"strings"

	"boneyard/lobby/text"
	"boneyard/rules"
	"boneyard/table"
	"boneyard/ui/board"
	"boneyard/ui/page"
	"boneyard/ui/theme"
)

// scoring draws a round that is over: all hands laid open, the scoring line by line, and the totals.
func (d *picture) scoring() []string {
	lines := make([]string, d.h)
	v := d.v
	title := "Round " + strconv.Itoa(v.Play.Result.Round) + " is over (" + target(&v.Play.Rules, v.Play.Seats) + ")"
	lines[0] = d.titled(theme.Title, title)
	w := d.w - 2
	if d.v.Config.Rules.Teams && d.h < roomy { // else they stand in the totals
		if say := title + ": " + d.sums(); text.Width(say) < w-len("7 watching   v1000") {
			lines[0] = d.titled(theme.Title, say)
		}
	}
	block := d.hands(w)
	if d.h < roomy { // the layout as it was left is worth more than air
		block = append(block, d.explained(w)...)
		chat := 0
		if d.h >= tall && d.talk {
			chat = 2
		}
		y := 1
		if room := d.h - 2 - len(block) - chat; room > 0 {
			d.put(lines, 1, y, d.left(w, room)...)
			y += room
		}
		d.put(lines, 1, y, block...)
		d.put(lines, 1, d.h-1-chat, d.chat(w, chat)...)
		lines[d.h-1] = d.scorePrompt()
		return lines
	}
	y := 2
	block = append(block, "")
	block = append(block, d.explained(w)...)
	block = append(block, "")
	block = append(block, d.totals(w)...)
	if room := d.h - y - len(block) - 5; room > 0 { // likewise
		d.put(lines, 1, y, d.left(w, room)...)
		y += room + 1
	}
	d.put(lines, 1, y, block...)
	y += len(block) + 1
	d.put(lines, 1, y, d.chat(w, d.h-1-y)...)
	lines[d.h-1] = d.scorePrompt()
	return lines
}

// sums are the points of the two sides of partners: "OWL 112, CAT 27", or "ana + cem 112, ben + dan 27".
func (d *picture) sums() string {
	parts := make([]string, 2)
	for i := range parts {
		parts[i] = cmp.Or(d.v.Tags[i], d.sideName(rules.Side(i+1))) + " " + strconv.Itoa(int(d.v.Play.Scores[i]))
	}
	return strings.Join(parts, ", ")
}

// roomy is the number of rows from which the screens of a round's and a game's end have air.
const roomy = 30

// hands are all hands laid open, with what they weigh; on short screens with the totals.
func (d *picture) hands(w int) []string {
	v := d.v
	name, total := 16, ""
	short := d.h < tall || w < 60
	if short {
		name = 8
	}
	var lines []string
	for i := range v.Seats {
		n := rules.Seat(i + 1)
		line := d.cell(d.side(n), d.who(n), name) + " " + d.paint(theme.Muted, fmt.Sprintf("%3d  ", v.Play.Result.Left[i]))
		if d.h < roomy {
			side := v.Play.SideOf(n)
			total = fmt.Sprintf(" %4d", v.Play.Scores[side-1])
			if !short {
				change, ready := "", ""
				if c := v.Play.Result.Change[side-1]; c != 0 {
					change = fmt.Sprintf("%+d", c)
				}
				if seat := &v.Seats[i]; seat.Ready && seat.House == "" && stageOf(v) == scoring {
					ready = "ready"
				}
				total = " " + d.cell(theme.Good, ready, 5) + fmt.Sprintf(" %5s", change) + total
			}
		}
		if hand := v.Play.Open[i]; hand.Empty() {
			line += d.paint(theme.Good, "out")
		} else {
			for _, tiles := range board.Hand(hand, board.HandOptions{Width: w - name - 6 - page.Width(total), Height: 1, Theme: d.th, Chosen: rules.NoTile}) {
				line += tiles // one line, or none where there is no room
			}
		}
		lines = append(lines, page.Right(line, total, w))
	}
	return lines
}

// explained is the scoring line by line. On short screens what each hand weighs is said beside it alone.
func (d *picture) explained(w int) []string {
	names := make([]string, len(d.v.Seats))
	for i := range names {
		names[i] = d.who(rules.Seat(i + 1))
	}
	r := d.v.Play.Rules
	var lines []string
	for _, l := range r.Explain(&d.v.Play.Result, names) {
		role := theme.Text
		switch {
		case l.Change > 0:
			role = theme.Good
		case l.Change < 0:
			role = theme.Bad
		case l.Kind == rules.ScoreHand && d.h < roomy:
			continue
		case l.Kind == rules.ScoreHand:
			role = theme.Muted
		}
		lines = append(lines, d.wrap(role, l.Text, w)...)
	}
	return lines
}

// totals are the sides' points, what the round did to them, and who wants to go on.
func (d *picture) totals(w int) []string {
	v := d.v
	name := 0
	for i := range v.Play.Sides() {
		name = max(name, text.Width(text.Printable(d.sideName(rules.Side(i+1)))))
	}
	name = min(name, w-22)
	var lines []string
	for i := range v.Play.Sides() {
		s := rules.Side(i + 1)
		change := ""
		if c := v.Play.Result.Change[i]; c != 0 && stageOf(v) == scoring {
			change = fmt.Sprintf("%+d", c)
		}
		lines = append(lines, d.cell(theme.Side(i), d.sideName(s), name)+fmt.Sprintf("  %4d %5s  ", v.Play.Scores[i], change)+d.fit(theme.Good, d.gone(s), w-name-14))
	}
	return lines
}

// gone says which of a side's players want to go on.
func (d *picture) gone(s rules.Side) string {
	var names []string
	for i := range d.v.Seats {
		seat := &d.v.Seats[i]
		if d.v.Play.SideOf(rules.Seat(i+1)) == s && seat.Ready && seat.House == "" {
			names = append(names, seat.Name())
		}
	}
	if len(names) == 0 || stageOf(d.v) != scoring {
		return ""
	}
	return strings.Join(names, " and ") + " ready"
}

func (d *picture) scorePrompt() string {
	if line, ok := d.typing(); ok {
		return line
	}
	v := d.v
	w := d.w - 2
	if n := d.notice(); n != "" {
		return " " + d.fit(theme.Warn, n, w)
	}
	if s := d.absent(); s != "" {
		return " " + d.fit(theme.Warn, s, w)
	}
	switch {
	case v.State != table.Scoring:
		return ""
	case v.POV == 0 || v.Own().Ready:
		return " " + d.fit(theme.Muted, "The next deal is in "+d.timer.text+", or when everyone is ready.", w)
	}
	return " " + d.fit(theme.Accent, "Press Enter to continue; the next deal is in "+d.timer.text+".", w)
}
