package play

import (
	"fmt"
	"strconv"

	"github.com/charmbracelet/x/ansi"

	"boneyard/rules"
	"boneyard/table"
	"boneyard/ui/board"
	"boneyard/ui/page"
	"boneyard/ui/theme"
)

// turn is what a seat did in one turn: its entries, or one line of the house.
type turn []table.Entry

// turns are what was done in the present round, a turn each, the newest last.
func turns(v *table.View) []turn {
	log := v.Log
	from := len(log)
	for from > 0 && log[from-1].Round == v.Play.Round {
		from--
	}
	log = log[from:]
	var all []turn
	start := 0
	for i := range log {
		e := &log[i]
		goesOn := e.Number > 0 && e.Event.Kind == rules.Draw && i+1 < len(log) &&
			log[i+1].Number > 0 && log[i+1].Event.Seat == e.Event.Seat
		if !goesOn {
			all = append(all, turn(log[start:i+1]))
			start = i + 1
		}
	}
	return all
}

// lastTurns is the last turn of each seat in the present round, nil where there is none.
func lastTurns(v *table.View) []turn {
	last := make([]turn, len(v.Seats))
	for _, t := range turns(v) {
		if e := &t[len(t)-1]; e.Number > 0 {
			last[e.Event.Seat-1] = t
		}
	}
	return last
}

// log is the newest turns in h rows, the newest last and marked. It scrolls, which costs more bytes than a move itself; on
// the usual screen there are the seats' last turns instead.
func (d *picture) log(w, h int) []string {
	all := turns(d.v)
	all = all[max(len(all)-h, 0):]
	rows := make([]string, h)
	for i := range all {
		mark := " "
		if i == len(all)-1 {
			mark = d.th.Glyphs().Cursor
		}
		rows[i] = page.Pad(mark+d.entry(all[i], w-1), w)
	}
	return rows
}

// moves draws the present round turn by turn, in as many columns as fit; the newest turns if there is no room for all.
func (d *picture) moves() []string {
	const column, gap = 44, 2
	lines := make([]string, d.h)
	lines[0] = d.titled(theme.Title, "Round "+strconv.Itoa(d.v.Play.Round)+" so far")
	rows := d.h - 3
	columns := max((d.w-1+gap)/(column+gap), 1)
	all := turns(d.v)
	all = all[max(len(all)-rows*columns, 0):]
	for i := range all {
		x := 1 + i/rows*(column+gap)
		d.put(lines, x, 1+i%rows, page.Pad(d.entry(all[i], min(column, d.w-2)), min(column, d.w-2)))
	}
	if line, ok := d.typing(); ok {
		lines[d.h-1] = line
	}
	return lines
}

// entry is one line of the log in at most w columns.
func (d *picture) entry(t turn, w int) string {
	e := &t[len(t)-1]
	if e.Number == 0 {
		return d.fit(theme.Muted, e.Text, w)
	}
	name := 8
	if w < 40 {
		name = 6
	}
	line := fmt.Sprintf("%2d ", e.Number) + d.cell(theme.Text, d.who(e.Event.Seat), name) + " "
	return line + d.turn(t, w-name-4)
}

// turn tells what a seat did: what it drew, and then what it played, with the receipt: "drew 1, played 1-0 L: 5+0 = 5, scores 5".
func (d *picture) turn(t turn, w int) string {
	if len(t) == 0 {
		return ""
	}
	line := ""
	draws := t
	last := &t[len(t)-1]
	if last.Event.Kind != rules.Draw {
		draws = t[:len(t)-1]
	}
	ev := &last.Event
	end := ""
	switch ev.End {
	case rules.Domino:
		end = ", domino"
	case rules.Blocked:
		end = ", blocked"
	}
	switch ev.Kind {
	case rules.Draw:
		line = drawn(draws)
	case rules.Pass:
		line = "passed"
		if len(draws) > 0 {
			line = drawn(draws) + ", passed"
		}
	default:
		line = ev.Tile.Name()
		if ev.Arm != rules.NoArm {
			line += " " + ev.Arm.String()
		}
		if len(draws) > 0 {
			line = drawn(draws) + ", played " + line
		}
		if last.Terms != nil {
			line += d.receipt(last, w-ansi.StringWidth(line+end))
		}
	}
	return page.Pad(line+end, w)
}

// receipt is what stands behind the name of a tile that was played: its count, term by term, and what it scored. Where w columns
// are too few for that, the terms are left out, and then the count; where bytes are scarce, both and the colours are.
func (d *picture) receipt(e *table.Entry, w int) string {
	scored := board.Scored(e.Event.Points, d.th)
	if d.thrifty() {
		return ", " + ansi.Strip(scored)
	}
	for _, count := range []string{board.Count(e.Terms, e.Event.Count), strconv.Itoa(int(e.Event.Count))} {
		if say := ": " + count + ", " + scored; ansi.StringWidth(say) <= w {
			return say
		}
	}
	return ", " + scored
}

// drawn tells tiles that were drawn, or how many where they are secret: "drew 2-1 6-0", or "drew 3".
func drawn(draws turn) string {
	if draws[0].Event.Tile == rules.NoTile {
		return "drew " + strconv.Itoa(len(draws))
	}
	say := "drew"
	for i := range draws {
		say += " " + draws[i].Event.Tile.Name()
	}
	return say
}
