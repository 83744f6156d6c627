package play

import (
	"fmt"
	"strconv"
	"strings"

	"boneyard/lobby/text"
	"boneyard/rules"
	"boneyard/table"
	"boneyard/ui/page"
	"boneyard/ui/plain"
	"boneyard/ui/theme"
)

// seats draws the players, with scores and numbers of tiles, and marks the seat to move. A row of its own
// also shows a seat's last turn, so that a move changes little else, or what a finished round left there.
func (d *picture) seats(p places) []string {
	if p.big {
		return d.scoreboard(p)
	}
	lines := make([]string, p.status)
	if p.shape != usual {
		for i := range d.v.Seats {
			lines[i/p.perRow] += d.seatCell(rules.Seat(i+1), p.cell)
		}
		return lines
	}
	const gap = 1
	width := max(min(seatNumbers+text.MaxName, d.w/3), seatCell)
	whole := seatNumbers + d.besideName() + d.nameWidth(text.MaxName)
	most, barred := d.w-barWidth-turnWidth, true
	if whole > max(width, most) { // a name says more than a bar
		most, barred = d.w-gap-1-turnWidth, false
	}
	if width < most { // no name need be cut for a tag, or because somebody is away
		width = max(width, min(whole+stateWidth, most))
	}
	turns := lastTurns(d.v)
	for i := range lines {
		n := rules.Seat(i + 1)
		cell := d.seatCell(n, width) + strings.Repeat(" ", gap)
		if barred {
			cell += d.seatBar(n)
		} else {
			cell += " "
		}
		if said := d.chance(n); d.onBoard() && page.Width(cell+said) < d.w { // tiles that are laid open need the room
			cell += said
		}
		switch w := d.w - page.Width(cell) - 1; {
		case d.onBoard():
			cell += d.seatTurn(turns[i], w)
		case d.scored():
			cell += d.leftover(n, w, false)[0]
		default: // the game was won, or resigned, in mid-round
			cell += d.turn(turns[i], w)
		}
		lines[i] = cell
	}
	return lines
}

// seatNumbers is the width of a seat without the name: mark, number, back, space, space, score.
const seatNumbers = 10

// seatCell draws one seat in w columns: mark, number of tiles, name, score. Scores and numbers stay in their
// columns; the number is next to the mark, since both change with each play. Partners share their team's tag
// or a letter, so that sides show without colours.
func (d *picture) seatCell(n rules.Seat, w int) string {
	const shortName = 8 // the least width of a name beside a team's tag
	g := d.th.Glyphs()
	mark := " "
	if d.v.Play.Turn == n {
		mark = g.Cursor
	}
	back := g.Back
	if !d.thrifty() {
		back = d.th.Paint(theme.TileGhost, back)
	}
	side := d.v.Play.SideOf(n)
	columns, letter := d.besideName(), " " // what is beside the name
	if d.v.Config.Rules.Teams {
		letters := "AB"
		if e := &d.v.Config.Event; e.Sealed && !e.Field && e.Pairing == 2 { // of a duplicate match: the teams have changed seats
			letters = "BA"
		}
		team := letters[side-1 : side]
		if d.v.Tags != [2]string{} && w-seatNumbers-columns >= shortName {
			team = page.Pad(d.v.Tags[side-1], columns)
		} else {
			columns = 1
		}
		letter += d.paint(d.side(n), team)
	}
	most := text.MaxName
	if d.shape() == usual {
		most += stateWidth
	}
	name := d.name(n, min(w-seatNumbers-columns, most))
	held := page.Pad(strconv.Itoa(d.v.Play.Held[n-1])+back, 4)
	return page.Pad(fmt.Sprintf("%s%s%s%s%4s", mark, held, name, letter, d.points(n)), w)
}

// turnWidth is the room that a seat's last turn keeps beside a long name, and barWidth that of the bar between them.
const turnWidth, barWidth = 32, 12

// stateWidth is the width of why somebody is away, behind their name: " lost".
const stateWidth = 5

// besideName is the width of a team's tag or letter.
func (d *picture) besideName() int {
	if !d.v.Config.Rules.Teams {
		return 0
	}
	return max(1, len(d.v.Tags[0]), len(d.v.Tags[1]))
}

// points returns the score of a seat's side, at the first seat of the side only.
func (d *picture) points(n rules.Seat) string {
	if int(n) > d.v.Play.Sides() {
		return ""
	}
	return strconv.Itoa(int(d.v.Play.Scores[n-1]))
}

// named returns the player of a seat, with the season's shield if w columns have room for it, and a bot's strength if
// they have room for that.
func (d *picture) named(n rules.Seat, w int) string {
	s := &d.v.Seats[n-1]
	return page.Longest(w, page.Shielded(d.th, s.Name(), d.shields.Players[s.Player.ID]), s.Name(), plain.FirstName(s.Name()))
}

// name draws the player of a seat in w columns, followed by why they are away, if they are.
func (d *picture) name(n rules.Seat, w int) string {
	s := &d.v.Seats[n-1]
	role := d.side(n)
	state, stateRole := "", theme.Warn
	ended := stageOf(d.v) == finished // then the players at the seats may not be those who played
	switch {
	case ended && n != d.me():
		return d.cell(role, d.who(n), w)
	case n == d.v.POV && w < max(text.MaxName, text.Width(s.Name())+len(" you")): // they know
	case n == d.v.POV:
		state, stateRole = "you", theme.Title // no side has this colour
	case s.House != "" && s.Presence == table.Left:
		state = "left" // for good, and a bot plays on
	case s.Player.ID == 0:
	case s.StandIn:
		state = "bot"
	case s.Presence == table.Disconnected:
		state = "gone"
	case s.Presence == table.Left:
		state = "left"
	case s.Presence == table.Absent:
		state = "away"
	}
	if state == "" {
		return d.cell(role, d.named(n, w), w)
	}
	return d.cell(role, d.named(n, w-len(state)-1), w-len(state)-1) + " " + d.paint(stateRole, state)
}
