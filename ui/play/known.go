package play

import (
	"strconv"
	"strings"

	"boneyard/lobby/text"
	"boneyard/rules"
	"boneyard/ui/page"
	"boneyard/ui/plain"
	"boneyard/ui/theme"
)

const (
	knownFrom  = 100 // columns from which watchers see the panel of known tiles without asking
	knownWidth = 31  // of the panel beside the board, if there is no log
)

// besideFrom is the number of columns from which the panel fits beside the board.
const besideFrom = 72

// known draws what everybody knows about the round in at most h rows of w columns: the tiles played, by suit,
// and what each seat holds, lacks and needs. If rows are scarce it counts suits, or omits them for hands.
func (d *picture) known(w, h int) []string {
	k := plain.Know(d.v)
	suits := d.knownCounts(&k)
	if rows := int(rules.MaxPip) + 1; 1+rows+1+2*len(d.v.Seats)+1 <= h { // two rows for each seat: nothing moves when one lacks something
		suits = d.knownSuits(&k)
	}
	lines := append([]string{page.Rule(d.th, "Played, by suit", w)}, suits...)
	title, hands := "Hands", 1+2*len(d.v.Seats)+1
	switch {
	case d.v.Config.OpenHands && !d.stepping():
		title = "Hands, 2 min late"
		if len(lines)+hands-1 > h {
			lines = nil
		}
	case len(lines)+1+hands <= h:
		lines = append(lines, "")
	}
	lines = append(lines, page.Rule(d.th, title, w))
	lines = append(lines, d.knownHands(&k, w, h-len(lines))...)
	return lines[:min(len(lines), h)]
}

// knownSuits draws a row for each suit: the other half of each tile played, and their number.
func (d *picture) knownSuits(k *plain.Known) []string {
	var lines []string
	for suit := range rules.MaxPip + 1 {
		line := d.paint(theme.Title, strconv.Itoa(int(suit))) + "  "
		for other := range rules.MaxPip + 1 {
			if k.Played.Has(rules.NewTile(suit, other)) {
				line += " " + strconv.Itoa(int(other))
			} else {
				line += " " + d.th.Paint(theme.Faint, d.th.Glyphs().Dot)
			}
		}
		lines = append(lines, line+"   "+d.outOf(k, suit))
	}
	return lines
}

// knownCounts draws how many tiles of each suit were played, in two rows.
func (d *picture) knownCounts(k *plain.Known) []string {
	var suits, counts strings.Builder
	for suit := range rules.MaxPip + 1 {
		suits.WriteString(d.paint(theme.Title, strconv.Itoa(int(suit))) + "   ")
		counts.WriteString(d.outOf(k, suit) + "   ")
	}
	return []string{suits.String(), counts.String()}
}

// outOf returns how many tiles of a suit were played, highlighted if all were.
func (d *picture) outOf(k *plain.Known, suit rules.Pip) string {
	n, role := (k.Played & rules.WithPip(suit)).Len(), theme.Text
	if n == int(rules.MaxPip)+1 {
		role = theme.Warn
	}
	return d.paint(role, strconv.Itoa(n))
}

// knownHands draws what is known about each seat: its number of tiles, what its side needs, and the suits
// that it lacked and cannot have got since; or open hands, in one row each if h rows are too few for two.
func (d *picture) knownHands(k *plain.Known, w, h int) []string {
	v := &d.v.Play
	const tiles = len(" 10 tiles")
	goal := len("1000 to go")
	if v.Rules.Rounds > 0 {
		goal = len("leads by 1000")
	}
	name := min(w-tiles-goal, text.MaxName)
	short := d.v.OpenHands != nil && 2*v.Seats > h
	long := len(" no 6 5 4 3 2 1 0")
	beside := w >= name+tiles+goal+long
	var lines []string
	for i := range v.Seats {
		n := rules.Seat(i + 1)
		held := strconv.Itoa(v.Held[i]) + " tiles"
		if v.Held[i] == 1 {
			held = "1 tile"
		}
		if short {
			lines = append(lines, d.cell(d.side(n), d.who(n), name)+" "+d.fit(theme.Text, plain.OpenHand(d.v, i), w-name-1))
			continue
		}
		needs := d.fit(theme.Muted, plain.ToGo(v, v.SideOf(n)), goal)
		line := d.cell(d.side(n), d.who(n), name) + page.Pad(" "+held, tiles) + page.Right("", needs, goal)
		none := ""
		if lacks := k.Lacks[i]; len(lacks) > 0 {
			none = "no"
			for _, p := range lacks {
				none += " " + strconv.Itoa(int(p))
			}
		}
		switch {
		case d.v.OpenHands != nil:
			lines = append(append(lines, line), page.Shift(d.wrap(theme.Text, plain.OpenHand(d.v, i), w-2), 2)...)
		case none == "":
			lines = append(lines, line)
		case beside:
			lines = append(lines, page.Pad(line, name+tiles+goal)+" "+d.paint(theme.Warn, none))
		default:
			lines = append(lines, line, "  "+d.paint(theme.Warn, none))
		}
	}
	if v.Rules.Draw != rules.DrawNone {
		lines = append(lines, d.fit(theme.Muted, page.Pad("boneyard", name)+" "+strconv.Itoa(v.Stock), w))
	}
	return lines
}

// panelAlone reports whether the panel replaces the table.
func (d *picture) panelAlone() bool { return d.panel && (d.shape() == short || d.w < besideFrom) }

// knownAlone draws the panel in place of the table, if both do not fit.
func (d *picture) knownAlone() []string {
	lines := make([]string, d.h)
	lines[0] = d.status()
	d.put(lines, 1, 1, d.known(d.w-2, d.h-2)...)
	lines[d.h-1] = d.ask(d.prompt, d.w-2)
	return lines
}
