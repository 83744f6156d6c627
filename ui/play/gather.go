package play

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"boneyard/lobby/text"
	"boneyard/rules"
	"boneyard/table"
	"boneyard/ui/english"
	"boneyard/ui/page"
	"boneyard/ui/plain"
	"boneyard/ui/theme"
)

// gathering draws the table before a game: the players, the terms, and how others get here.
func (d *picture) gathering() []string {
	const boxes = 13               // rows of the picture, and of the terms beside it
	const rows = 2 + boxes + 1 + 1 // with the title, an empty row, the invitation and the prompt
	if d.h < rows || d.w < 76 {
		return d.gatheringShort()
	}
	lines := make([]string, d.h)
	lines[0] = d.titled(theme.Title, d.headline())
	lines[1] = " " + d.fit(theme.Text, d.sides(), d.w-2)
	width := min((d.w-34)/2, 26)
	x := 2*width + 6
	d.put(lines, 1, 2, d.tablePicture(width)...)
	for i, s := range d.terms(min(d.w-x-1, 56), boxes) {
		if s != "" {
			d.put(lines, x, 2+i, s)
		}
	}
	y := 2 + boxes
	if inv := plain.Invitation(d.v, d.address); inv != "" {
		name := "To sit down: "
		switch {
		case !strings.Contains(inv, " join "):
			name = "To watch: "
		case d.v.Free() == 0:
			name = "To take a bot's seat: "
		}
		lines[y] = " " + d.paint(theme.Muted, name) + d.paint(theme.Accent, inv)
		y++
	}
	d.put(lines, 1, y+1, d.chat(min(d.w-2, 100), d.h-y-2)...)
	lines[d.h-1] = d.ask(d.gatherPrompt, d.w-2)
	return lines
}

// gatheringShort is gathering as a list.
func (d *picture) gatheringShort() []string {
	var lines []string
	for i := range d.v.Seats {
		n := rules.Seat(i + 1)
		mark := " "
		if d.own.seat == n {
			mark = d.th.Paint(theme.Key, d.th.Glyphs().Cursor)
		}
		number := strconv.Itoa(i + 1)
		if p := d.partner(n); p != 0 {
			number += "+" + strconv.Itoa(int(p))
		}
		who, more := d.sitting(n, 16)
		lines = append(lines, mark+d.paint(theme.Muted, number+" ")+d.cell(d.sitterRole(n), who, 16)+" "+
			d.fit(theme.Muted, more, d.w-19-len(number)))
	}
	if s := d.sides(); s != "" && d.h >= tall-3 {
		lines = append(lines, " "+d.fit(theme.Text, s, d.w-2))
	}
	c := &d.v.Config
	title := english.Title(c.Rules.Preset)
	about := d.wrap(theme.Accent, title+". "+english.Brief(&c.Rules), d.w-2)
	if len(about) > 1 && d.h < tall {
		about = []string{d.fit(theme.Accent, title, d.w-2)}
	}
	lines = append(append(lines, page.Shift(about, 1)...),
		" "+d.fit(theme.Muted, pace(c.Pace)+"; "+absence(c.Absence), d.w-2), " "+d.fit(theme.Muted, d.stakeShort(), d.w-2))
	if inv := plain.Invitation(d.v, d.address); inv != "" {
		lines = append(lines, page.Shift(d.wrap(theme.Text, inv, d.w-2), 1)...)
	}
	rest := d.h - 1 - len(lines)
	lines = append(lines, make([]string, max(rest, 0))...)
	d.put(lines, 1, d.h-1-max(rest, 0), d.chat(d.w-2, rest)...)
	prompt := d.ask(d.gatherPrompt, d.w-10)
	return append(lines[:d.h-1], page.Right(prompt, d.version()+" ", d.w))
}

// headline returns the state of the table.
func (d *picture) headline() string {
	switch d.v.State {
	case table.Countdown:
		return "All are ready."
	case table.Closed:
		return "This table is closed."
	}
	switch free := d.v.Free(); free {
	case 0:
		return "All seats are taken."
	case 1:
		return "One seat is free."
	default:
		return strconv.Itoa(free) + " seats are free."
	}
}

// sides returns who plays with and against whom, the reader's side first.
func (d *picture) sides() string {
	v := d.v
	name := func(n rules.Seat) string {
		switch s := &v.Seats[n-1]; {
		case n == v.POV:
			return "you"
		case s.Free():
			return "seat " + strconv.Itoa(int(n))
		default:
			return s.Name()
		}
	}
	if !v.Config.Rules.Teams {
		switch len(v.Seats) {
		case 2:
			if v.Seats[0].Free() || v.Seats[1].Free() {
				return ""
			}
			first, second := rules.Seat(1), rules.Seat(2)
			if v.POV == 2 {
				first, second = second, first
			}
			plays := " plays against "
			if first == v.POV {
				plays = " play against "
			}
			return sentence(name(first)) + plays + name(second) + "."
		default:
			return "Everybody plays alone."
		}
	}
	side := func(n rules.Seat) string {
		switch {
		case v.Seats[n-1].Free() && v.Seats[n+1].Free():
			return fmt.Sprintf("seats %d and %d", n, n+2)
		case n+2 == v.POV:
			return name(n+2) + " and " + name(n)
		}
		return name(n) + " and " + name(n+2)
	}
	first, second := rules.Seat(1), rules.Seat(2)
	if v.POV == 2 || v.POV == 4 {
		first, second = second, first
	}
	say := sentence(side(first)) + " play against " + side(second) + "."
	if v.Arranges() && v.State == table.Gathering {
		return page.Longest(d.w-2, say+" To change: arrows, then x.", say)
	}
	return say
}

// tablePicture draws the seats around a table as boxes of the given width: seat 1 at the top, then clockwise.
func (d *picture) tablePicture(width int) []string {
	lines := make([]string, 12)
	inner := 2*width + 2
	if len(d.v.Seats) == 2 { // one above the other, with room for all of a name
		width = min(inner, 34)
	}
	place := [...]struct{ x, y int }{{(inner - width) / 2, 0}, {inner - width, 4}, {(inner - width) / 2, 8}, {0, 4}}
	for _, i := range []int{0, 3, 1, 2} { // from left to right
		if i >= len(d.v.Seats) {
			continue
		}
		at := place[i]
		if len(d.v.Seats) == 2 && i == 1 {
			at = place[2]
		}
		d.put(lines, at.x, at.y, d.seatBox(rules.Seat(i+1), width)...)
	}
	return lines
}

// seatBox draws one seat before a game.
func (d *picture) seatBox(n rules.Seat, width int) []string {
	g := d.th.Glyphs()
	border := theme.Border
	mark := " "
	if d.own.seat == n {
		border, mark = theme.Accent, g.Cursor
	}
	who, more := d.sitting(n, width-2-3-1) // a space before the border
	line := func(role theme.Role, lead, s string) string {
		return d.th.Paint(border, g.Vertical) + lead + d.cell(role, s, width-2-3) + d.th.Paint(border, g.Vertical)
	}
	edge := strings.Repeat(g.Horizontal, width-2)
	below := d.th.Paint(border, edge)
	if p := d.partner(n); p != 0 {
		with := " with " + strconv.Itoa(int(p)) + " "
		rest := width - 2 - len(with) - 1
		below = d.th.Paint(border, strings.Repeat(g.Horizontal, rest)) + d.paint(theme.Muted, with) + d.th.Paint(border, g.Horizontal)
	}
	return []string{
		d.th.Paint(border, g.TopLeft+edge+g.TopRight),
		line(d.sitterRole(n), d.th.Paint(theme.Key, mark)+d.paint(theme.Muted, strconv.Itoa(int(n))+" "), who),
		line(theme.Muted, "   ", more),
		d.th.Paint(border, g.BottomLeft) + below + d.th.Paint(border, g.BottomRight),
	}
}

func (d *picture) sitterRole(n rules.Seat) theme.Role {
	if d.v.Seats[n-1].Free() {
		return theme.Faint
	}
	return d.side(n)
}

// sitting returns who sits at a seat, in at most w columns, and what else there is to say about them.
func (d *picture) sitting(n rules.Seat, w int) (who, more string) {
	s := &d.v.Seats[n-1]
	if s.Free() {
		return "free", ""
	}
	who = d.named(n, w)
	if s.Player.Tag != "" {
		who = s.Player.Tag + " " + who
	}
	you := ""
	switch said := who + " (you)"; {
	case n == d.v.POV && text.Width(said) <= w:
		who = said
	case n == d.v.POV: // beside a long name there is no room for it
		you = "you, "
	}
	who = page.Clip(d.th, who, w)
	switch {
	case s.House != "":
		more = "bot, " + string(s.House)
	case d.v.Swap.From == n:
		more = "wants seat " + strconv.Itoa(int(d.v.Swap.With))
	case s.Presence != table.Here:
		more = s.Presence.Words()
	case s.Ready:
		more = "ready"
	default:
		more = "not ready"
	}
	if s.Player.Bot && s.Presence == table.Here {
		more = "program, " + more
	}
	return who, you + more
}

// partner returns the partner's seat of n, or 0 without partners.
func (d *picture) partner(n rules.Seat) rules.Seat {
	if !d.v.Config.Rules.Teams {
		return 0
	}
	return (n+1)%4 + 1
}

// terms lists what a player agrees to by sitting down, in h lines of at most w columns.
func (d *picture) terms(w, h int) []string {
	c := &d.v.Config
	lines := d.wrap(theme.Accent, english.Title(c.Rules.Preset), w)
	lines = append(lines, d.wrap(theme.Text, english.Brief(&c.Rules), w)...)
	if house := english.House(&c.Rules); house != "" {
		lines = append(lines, d.wrap(theme.Warn, house, w)...)
	}
	about := len(lines)
	for _, t := range []struct{ name, text string }{
		{"Goal", goal(c)},
		{"Pace", pace(c.Pace)},
		{"Rated", d.stake()},
		{"Away", absence(c.Absence)},
		{"Join", access(c)},
		{"Watch", watching(c)},
		{"Bots", d.bots()},
	} {
		if t.text == "" {
			continue
		}
		for i, s := range page.Wrap(page.Plain(d.th, t.text), w-7) {
			name := t.name
			if i > 0 {
				name = ""
			}
			lines = append(lines, d.paint(theme.Muted, page.Pad(name, 7))+s)
		}
	}
	if more := d.wrap(theme.Muted, english.Difference(c.Rules.Preset), w); len(lines)+len(more)+1 <= h {
		lines = slices.Insert(lines, about, append(more, "")...)
	} else if len(lines) < h {
		lines = slices.Insert(lines, about, "")
	}
	return lines[:min(len(lines), h)]
}

func goal(c *table.Config) string {
	if n := c.Rules.Rounds; n > 0 {
		return "the highest score after " + text.Number(n, "round")
	}
	return c.Rules.Goal(c.Seats) + " points"
}

// stake returns whether the game will count for ratings, and if not why.
func (d *picture) stake() string {
	switch {
	case d.v.Casual != "":
		return "no: " + text.Printable(d.v.Casual)
	case d.v.Rated:
		return "yes" + plain.UnderNight(d.v)
	}
	return "if only members play"
}

// stakeShort is stake as a sentence.
func (d *picture) stakeShort() string {
	if d.v.Casual != "" {
		return "casual: " + text.Printable(d.v.Casual)
	}
	return "rated: " + d.stake()
}

func pace(p table.Pace) string {
	if p == table.PaceNone || p == table.PaceSlow {
		return plain.Pace(p)
	}
	return plain.Pace(p) + " + 2 min"
}

func absence(a table.Absence) string {
	switch a {
	case table.AbsenceWait:
		return "the table waits up to 24 h"
	case table.AbsenceForfeit:
		return "whoever is away loses"
	}
	return "a bot plays on"
}

func access(c *table.Config) string {
	switch c.Access {
	case table.AccessCode:
		return "anyone with the code"
	case table.AccessTeams:
		return "two teams"
	}
	return "anyone"
}

func watching(c *table.Config) string {
	if c.OpenHands {
		return "anyone; hands 2 min late"
	}
	if c.Watchers {
		return "anyone"
	}
	return "nobody"
}

// bots returns when bots will take the free seats; empty if no seat is free.
func (d *picture) bots() string {
	switch {
	case d.v.Free() == 0 || !d.v.MayBot():
		return ""
	case d.v.State == table.Gathering && d.timer.text() != "":
		return "join in " + d.timer.text()
	case d.v.Config.Fill == table.FillSoon:
		return "join after 30 s"
	case d.v.Config.Fill == table.FillNow:
		return "join at once"
	}
	if d.v.POV == 0 {
		return "if a player adds them"
	}
	return "press b to add a bot"
}

// gatherPrompt tells the reader what to do before a game.
func (d *picture) gatherPrompt(w int) string {
	v := d.v
	say, role := "", theme.Accent
	switch notice, waits := d.notice(), plain.MatchWaits(v); {
	case notice != "":
		say, role = notice, theme.Warn
	case v.State == table.Countdown:
		say = "Dealing in " + d.timer.text()
		if v.Arranges() {
			say = page.Longest(w, say+". Press Space to stop", say+"; Space stops")
		}
		say += "."
	case d.offer.sits:
		say, role = "Press s to sit down; the arrows choose a seat.", theme.Muted
	case waits != "":
		say, role = waits, theme.Muted
	case v.POV == 0:
		return ""
	case v.Swap.With == v.POV && v.Swap.From != 0:
		name := v.Seats[v.Swap.From-1].Name()
		say = page.Longest(w, name+" would like to swap seats with you. Press x to agree.", "Press x to swap seats with "+name+".")
	case d.own.seat != 0 && d.own.seat != v.POV:
		say, role = d.chosenSeat(w), theme.Text
	case !v.Own().Ready:
		say = "Ready? Press Space."
		if more := d.botsCome(); more != "" && len(say)+1+len(more) <= w {
			say += " " + more
		}
	default:
		say, role = d.waitsFor(), theme.Muted
	}
	return " " + d.fit(role, say, w)
}

// botsCome returns when bots will take the free seats, and how to get them at once; empty if none are coming.
func (d *picture) botsCome() string {
	if d.v.State != table.Gathering || !d.timer.runs || d.v.Free() == 0 {
		return ""
	}
	return "Bots join in " + d.timer.text() + "; d deals now."
}

// chosenSeat returns what can be done with the selected seat, in at most w columns if it can.
func (d *picture) chosenSeat(w int) string {
	switch s := &d.v.Seats[d.own.seat-1]; {
	case s.House != "":
		how, keys := s.Name()+": "+s.House.How(), "b: another bot; x: swap seats."
		return page.Longest(w, how+" "+keys, how, s.Name()+". "+keys)
	case s.Free() && !d.v.MayBot():
		return "x moves you to seat " + strconv.Itoa(int(d.own.seat)) + "."
	case s.Free():
		return "x moves you to seat " + strconv.Itoa(int(d.own.seat)) + ", b puts a bot there."
	default:
		return "x asks " + s.Name() + " to swap seats."
	}
}

// waitsFor tells a player who is ready what the game is waiting for.
func (d *picture) waitsFor() string {
	var late []string
	for i := range d.v.Seats {
		if s := &d.v.Seats[i]; !s.Free() && !s.Ready {
			late = append(late, s.Name())
		}
	}
	free, bots := d.v.Free(), ""
	if d.v.MayBot() {
		bots = ": press b to add a bot"
	}
	switch {
	case len(late) > 0:
		return "You're ready. Waiting for " + text.List(late) + "."
	case d.botsCome() != "":
		return "You're ready. " + d.botsCome()
	case free == 1:
		return "You're ready. One seat is free" + bots + "."
	case free > 1:
		return "You're ready. " + strconv.Itoa(free) + " seats are free" + bots + "."
	}
	return "You're ready."
}
