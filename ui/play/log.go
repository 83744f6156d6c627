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
	"boneyard/ui/page"
	"boneyard/ui/plain"
	"boneyard/ui/theme"
)

// turn is what a seat did in one turn, or one announcement of the house.
type turn []*table.Entry

// turns returns the turns of the current round, newest last. Announcements since the previous round count as
// part of it. Announcements that a player is out of time are omitted, since the move shows it.
func turns(v *table.View) []turn {
	log := v.Log
	from := len(log)
	for from > 0 && (log[from-1].Round == v.Play.Round || log[from-1].Round == v.Play.Round-1 && log[from-1].Number == 0) {
		from--
	}
	log = log[from:]
	if slices.ContainsFunc(log, saysLate) {
		log = slices.DeleteFunc(slices.Clone(log), saysLate)
	}
	var all []turn
	start := 0
	for i := range log {
		e := log[i]
		goesOn := e.Number > 0 && e.Event.Kind == rules.Draw && i+1 < len(log) &&
			log[i+1].Number > 0 && log[i+1].Event.Seat == e.Event.Seat
		if !goesOn {
			all = append(all, turn(log[start:i+1]))
			start = i + 1
		}
	}
	return all
}

// saysLate reports whether an entry announces that a player is out of time.
func saysLate(e *table.Entry) bool {
	return e.Number == 0 && strings.HasSuffix(e.Text, " is out of time.")
}

// lastTurns returns each seat's last turn in the current round, nil if it has none.
func lastTurns(v *table.View) []turn {
	last := make([]turn, len(v.Seats))
	for _, t := range turns(v) {
		if e := t[len(t)-1]; e.Number > 0 {
			last[e.Event.Seat-1] = t
		}
	}
	return last
}

// log draws the newest turns in h rows, newest last and marked; the newest is shortened if it has no room.
// The log scrolls, which costs more bytes than a move; usual screens show the seats' last turns instead.
func (d *picture) log(w, h int) []string {
	if h < 1 {
		return nil
	}
	all := turns(d.v)
	var rows []string
	for i := len(all) - 1; i >= 0 && len(rows) < h; i-- {
		mark := " "
		if i == len(all)-1 {
			mark = d.th.Glyphs().Cursor
		}
		entry := d.entry(all[i], w-1)
		if len(rows) == 0 && len(entry) > h {
			entry = []string{d.inARow(all[i], w-1)}
		}
		for k, s := range entry {
			if k > 0 {
				mark = " "
			}
			entry[k] = page.Pad(mark+s, w)
		}
		if len(rows) > 0 && len(rows)+len(entry) > h {
			break
		}
		rows = append(entry, rows...)
	}
	return page.Fill(rows, h)
}

// inARow draws one turn of the log in a row.
func (d *picture) inARow(t turn, w int) string {
	if e := t[len(t)-1]; e.Number == 0 {
		return d.fit(theme.Muted, e.Text, w)
	}
	return d.brief(t)
}

// moves draws the current round turn by turn, in as many columns as fit, as far as the player has scrolled.
func (d *picture) moves() []string {
	lines := make([]string, d.h)
	lines[0] = d.titled(theme.Title, "Round "+strconv.Itoa(d.v.Play.Round)+" so far")
	columns, w := d.movesColumns()
	room := d.movesRoom()
	rows := d.moveRows(w)
	rows = rows[:len(rows)-min(d.own.back, max(len(rows)-room*columns, 0))]
	rows = rows[max(len(rows)-room*columns, 0):]
	for i, s := range rows {
		d.put(lines, 1+i/room*(w+movesGap), 1+i%room, page.Pad(s, w))
	}
	lines[d.h-1] = d.ask(func(int) string { return "" }, 0)
	return lines
}

// Columns of the list of moves have room for a receipt with the longest name, and together fill the screen.
const (
	movesColumn = 57
	movesGap    = 2
)

func (d *picture) movesColumns() (columns, w int) {
	columns = max((d.w-2+movesGap)/(movesColumn+movesGap), 1)
	return columns, (d.w-2+movesGap)/columns - movesGap
}

// movesRoom returns the height of a column.
func (d *picture) movesRoom() int { return max(d.h-3, 1) }

// moveRows draws the turns of the current round in rows of w columns.
func (d *picture) moveRows(w int) []string {
	var rows []string
	for _, t := range turns(d.v) {
		rows = append(rows, d.entry(t, w)...)
	}
	return rows
}

// movesBack returns how many rows the list of moves can be scrolled back.
func (d *picture) movesBack() int {
	columns, w := d.movesColumns()
	return max(len(d.moveRows(w))-columns*d.movesRoom(), 0)
}

// entry draws one turn of the log, in as many rows of at most w columns as needed.
func (d *picture) entry(t turn, w int) []string {
	e := t[len(t)-1]
	if e.Number == 0 {
		return d.wrap(theme.Muted, e.Text, w)
	}
	most := text.MaxName
	if w < 40 {
		most = 8
	}
	name := d.nameWidth(most)
	who := d.who(e.Event.Seat)
	head := fmt.Sprintf("%2d ", e.Turn) + d.cell(theme.Text, page.Longest(name, who, plain.FirstName(who)), name) + " "
	const indent = "   "
	rest := w - name - 4
	drew, did, counted := d.done(t, rest)
	for _, rows := range [][]string{
		{joined(drew, did) + counted}, {joined(drew, did), counted}, {drew, joined("", did) + counted}, {drew, did, counted},
	} {
		fits := page.Width(rows[0]) <= rest
		for i, s := range rows[1:] {
			s = strings.TrimPrefix(strings.TrimPrefix(s, ": "), ", ")
			fits = fits && page.Width(s) <= w-len(indent)
			rows[i+1] = indent + s
		}
		if rows[0] = head + rows[0]; fits {
			return rows
		}
	}
	return []string{page.Pad(head+joined(drew, did)+d.receipt(e, max(rest-page.Width(joined(drew, did)), 0)), w)}
}

// nameWidth returns the width of the longest name at the table, but at most most.
func (d *picture) nameWidth(most int) (w int) {
	for i := range d.v.Seats {
		w = max(w, text.Width(text.Printable(d.who(rules.Seat(i+1)))))
	}
	return min(w, most)
}

// seatTurn draws a seat's last turn in its row. If bytes are scarce, it shows only what was scored; the rows
// below the board show why.
func (d *picture) seatTurn(t turn, w int) string {
	if len(t) == 0 || !d.thrifty() {
		return d.turn(t, w)
	}
	drew, did, _ := d.done(t, w)
	e := t[len(t)-1]
	gained := d.gained(e) + plain.Ended(&e.Event)
	return d.longest(w, joined(drew, did)+gained, did+gained)
}

// turn describes what a seat drew and played, with the receipt: "drew 1, played 1-0 L: 5+0 = 5, scores 5".
func (d *picture) turn(t turn, w int) string {
	if len(t) == 0 {
		return ""
	}
	drew, did, counted := d.done(t, w)
	e, both := t[len(t)-1], joined(drew, did)
	end := plain.Ended(&e.Event)
	forms := []string{both + counted}
	short := func(said string) {
		if e.Terms != nil {
			forms = append(forms, said+d.receipt(e, w-page.Width(said+end))+end)
		}
	}
	short(both)
	if e.Event.Points > 0 { // which matters more than what was drawn
		short(did)
	}
	return d.longest(w, append(forms, both+d.gained(e)+end, did+d.gained(e)+end)...)
}

// longest returns the first of the forms of a line, longest first, that fits into w columns.
func (d *picture) longest(w int, forms ...string) string {
	for _, s := range forms {
		if page.Width(s) <= w {
			return page.Pad(s, w)
		}
	}
	return page.PadCut(d.th, forms[len(forms)-1], w)
}

// done describes a turn in parts: what was drawn, what was played, and the receipt with how that ended the
// round. If w columns are too few to name the drawn tiles, it counts them.
func (d *picture) done(t turn, w int) (drew, did, counted string) {
	last := t[len(t)-1]
	draws := t
	if last.Event.Kind != rules.Draw {
		draws = t[:len(t)-1]
	}
	if len(draws) > 0 {
		if drew = drawn(draws); len(drew) > w {
			drew = "drew " + strconv.Itoa(len(draws))
		}
	}
	switch last.Event.Kind {
	case rules.Draw:
	case rules.Pass:
		did = "passed"
	default:
		did = d.choice(last.Event.Choice())
		if drew != "" && !d.thrifty() {
			did = "played " + did
		}
		if last.Late {
			did = "time! " + did
		}
		if last.Terms != nil {
			counted = d.receipt(last, 1<<10)
		}
	}
	return drew, did, counted + plain.Ended(&last.Event)
}

// joined puts what was drawn before what was played.
func joined(drew, did string) string {
	if drew == "" || did == "" {
		return drew + did
	}
	return drew + ", " + did
}

// receipt returns what follows the name of a played tile: its count, term by term, and its score. If w
// columns are too few it omits the terms, then the count; if bytes are scarce it needs a score, or is empty.
func (d *picture) receipt(e *table.Entry, w int) string {
	if d.thrifty() && e.Event.Points == 0 {
		return ""
	}
	scored := board.Scored(e.Event.Points, d.th)
	for _, count := range []string{rules.Sum(e.Terms, e.Event.Count, "+"), strconv.Itoa(int(e.Event.Count))} {
		if say := ": " + count + ", " + scored; page.Width(say) <= w {
			return say
		}
	}
	return ", " + scored
}

// drawn names tiles that were drawn, or counts them if they are secret: "drew 2-1 6-0", or "drew 3".
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
