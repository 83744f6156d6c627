package play

import (
	"cmp"
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

// When a round or a game is over, the parts of the screen stay where they were in play: the seats with their
// scores above, the final layout, and the outcome in place of the hand and the log.

// kept returns the final layout, on the rows it had in play, and the first of these. It moves up only as far
// as needed to free below rows at the foot of the screen; if even that is not enough, it is drawn smaller.
func (d *picture) kept(p places, below int) (y int, lines []string) {
	first, lines := d.laid(p)
	room := d.h - below - p.board.y
	switch {
	case room < 1:
		return p.board.y, nil
	case len(lines) > room:
		return p.board.y, d.left(p.board.w, room)
	case d.glow != noGlow && first+len(lines) <= room: // it lies where it lay
		if all := d.board(p.board).lines; strings.Join(all[min(room, len(all)):], "") == "" {
			return p.board.y, all[:min(room, len(all))]
		}
	}
	return p.board.y + min(first, room-len(lines)), lines
}

// laid returns the layout as it was in play, without empty rows around it, and how many of those are above.
func (d *picture) laid(p places) (above int, lines []string) {
	calm := *d
	calm.glow = noGlow
	return board.Trim(calm.board(p.board).lines)
}

// left draws the final layout in an area that may be low, for screens on which other parts matter more.
func (d *picture) left(w, h int) []string {
	o := board.Options{Width: w, Height: h, Theme: d.th, Seen: true, Plain: d.thrifty(), Count: board.Counts(&d.v.Play.Rules)}
	return draw(&d.v.Play.Layout, o).lines
}

// scored reports whether the last round played has been scored.
func (d *picture) scored() bool { return d.v.Play.Result.Round == d.v.Play.Round && d.v.Play.Round > 0 }

// withPips is the width from which three tiles have room behind "12 pips".
const withPips = 34

// leftover draws what a round left at a seat, in w columns: the change in score, the pips and tiles that were
// not played, and whether the player is ready. If wrap is true, tiles without room continue in the next rows.
func (d *picture) leftover(n rules.Seat, w int, wrap bool) []string {
	v := d.v
	res := &v.Play.Result
	change, role := "", theme.Good
	if c := res.Change[v.Play.SideOf(n)-1]; c != 0 && !v.Play.Rules.Teams {
		if change = text.Signed(c); c < 0 {
			role = theme.Bad
		}
	}
	line := d.paint(role, fmt.Sprintf("%4s", change)) + "  "
	ready := ""
	if seat := &v.Seats[n-1]; seat.Ready && seat.House == "" && stageOf(v) == scoring {
		ready = d.paint(theme.Good, "ready")
	}
	hand := v.Play.Open[n-1]
	if hand.Empty() {
		return []string{page.Right(line+d.paint(theme.Good, "out"), ready, w)}
	}
	pips := fmt.Sprintf("%2d", res.Left[n-1])
	if w >= withPips {
		pips = fmt.Sprintf("%7s", text.Number(int(res.Left[n-1]), "pip"))
	}
	line += d.paint(theme.Muted, pips) + "  "
	room := w - page.Width(line) - page.Width(ready) - 1
	names := strings.Join(text.Each(hand.Tiles(), rules.Tile.Name), " ")
	if wrap && len(names) > room {
		return append([]string{page.Right(line, ready, w)}, d.wrap(theme.Tile, names, w)...)
	}
	return []string{page.Right(line+d.tiles(hand, names, room), ready, w)}
}

// smallTile is the width of a small tile and a space.
const smallTile = 6

// tiles draws a hand in a row of w columns: as tiles, or by their names if those do not fit.
func (d *picture) tiles(hand rules.Hand, names string, w int) string {
	if hand.Len()*smallTile <= w+1 {
		return board.Hand(hand, board.HandOptions{Width: w, Height: 1, Theme: d.th, Chosen: rules.NoTile})[0]
	}
	return d.fit(theme.Tile, names, w)
}

// leftovers draws the leftovers of all seats, with their names, in a panel.
func (d *picture) leftovers(w int) []string {
	if !d.scored() {
		return nil
	}
	name := d.nameWidth(text.MaxName)
	var lines []string
	for i := range d.v.Seats {
		n := rules.Seat(i + 1)
		for k, s := range d.leftover(n, w-name, true) {
			head := ""
			if k == 0 {
				head = d.who(n)
			}
			lines = append(lines, d.cell(d.side(n), head, name)+s)
		}
	}
	return lines
}

// overPanel draws the right-hand panel of a wide screen when a round or game is over: a title, the body, and
// as much of the log as fits.
func (d *picture) overPanel(lines []string, p places, title string, body []string) {
	x, y, w := p.log.x, p.log.y-1, p.log.w
	if p.known.h > 0 {
		y = p.known.y
	}
	room := p.chat.y - 1 - y
	all := append([]string{page.Rule(d.th, title, w)}, body...)
	all = all[:min(len(all), room-1)]
	if rest := room - len(all) - 2 - 1; rest >= 2 { // an empty row below it
		all = append(append(all, "", page.Rule(d.th, "Log", w)), d.log(w, rest)...)
	}
	d.put(lines, x, y, all...)
	d.put(lines, p.chat.x, p.chat.y-1, page.Rule(d.th, "Chat", w))
	d.put(lines, p.chat.x, p.chat.y, d.chat(p.chat.w, p.chat.h)...)
	if p.names.h > 0 {
		d.put(lines, p.names.x, p.names.y, d.fit(theme.Muted, d.watching(), p.names.w))
	}
}

// me returns the reader's seat in the game that was played, or 0 if they did not play.
func (d *picture) me() rules.Seat {
	n := d.v.POV
	if n == 0 || len(d.v.Names) >= int(n) && d.v.Names[n-1] != d.v.Seats[n-1].Name() {
		return 0
	}
	return n
}

// teamName returns the name of a side's team, empty at tables that are not for teams.
func (d *picture) teamName(s rules.Side) string {
	if int(s) > len(d.v.Teams) {
		return ""
	}
	return text.Printable(d.v.Teams[s-1])
}

// people names the players of a side: "ana", "ana and cem", and for the reader "you", or "you and cem".
func (d *picture) people(s rules.Side) string {
	first := rules.Seat(s)
	switch {
	case !d.v.Config.Rules.Teams:
		return d.whoOrYou(first)
	case first+2 == d.me():
		return "you and " + d.who(first)
	}
	return d.whoOrYou(first) + " and " + d.who(first+2)
}

// whoOrYou returns the name of the player at a seat, or "you" if that is the reader.
func (d *picture) whoOrYou(n rules.Seat) string {
	if n == d.me() {
		return "you"
	}
	return d.who(n)
}

// singular reports whether a side takes a singular verb: one person, other than the reader.
func (d *picture) singular(s rules.Side) bool {
	return !d.v.Config.Rules.Teams && rules.Seat(s) != d.me()
}

// roundOver returns that a round is over, and who won it, in sentences of which the first says most.
func (d *picture) roundOver() []string {
	v := &d.v.Play
	n := strconv.Itoa(v.Result.Round)
	over := "Round " + n + " is over"
	if v.Result.Winner == 0 {
		return []string{over + d.gains(0), over + "."}
	}
	side, verb := v.SideOf(v.Result.Winner), " win "
	who, team := d.people(side), d.teamName(side)
	switch me := d.me(); {
	case d.singular(side):
		verb = " wins "
	case team != "" && (me == 0 || v.SideOf(me) != side):
		who, verb, team = team, " wins ", ""
	}
	if team != "" {
		team = " for " + team
	}
	brief := sentence(who) + verb + "round " + n
	return []string{over + ": " + who + verb + "it" + team + d.gains(side), brief + d.gains(side), brief + ".", over + "."}
}

// gains ends the sentence about a round with what it brought each of two teams, the winner first: ", +6.  CAT -3".
func (d *picture) gains(winner rules.Side) string {
	won, others := "", ""
	for i, c := range d.v.Play.Result.Change[:d.v.Play.Sides()] {
		switch side := rules.Side(i + 1); {
		case c == 0 || !d.v.Play.Rules.Teams:
		case side == winner && c < 0: // what counted in play is not in it
			won = fmt.Sprintf(" (hands %d)", c)
		case side == winner:
			won = ", " + text.Signed(c)
		default:
			others += "  " + cmp.Or(d.v.Tags[i], d.sideName(side)) + " " + text.Signed(c)
		}
	}
	return won + "." + others
}

// sentence capitalizes a sentence that begins with "you".
func sentence(s string) string {
	if s == "you" || strings.HasPrefix(s, "you ") {
		return "Y" + s[1:]
	}
	return s
}

// scoring draws a round that is over: all hands open and the scoring line by line, around the layout as it was left.
func (d *picture) scoring() []string {
	p := d.places()
	if p.shape == short {
		return d.scoringShort()
	}
	lines := make([]string, d.h)
	d.put(lines, 0, 0, d.seats(p)...)
	lines[p.status] = d.titled(theme.Title, d.roundOver()...)
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
	lines[0] = d.titled(theme.Title, d.roundOver()...)
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
	v := d.v
	most := 0
	for i := range v.Seats {
		most = max(most, v.Play.Open[i].Len())
	}
	name := max(8, min(d.nameWidth(w), w-6-5-most*smallTile+1)) // beside the pips and the score, tiles matter more
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

// scoreLines returns the scoring as the reader sees it. The weight of each hand is already shown beside it.
func (d *picture) scoreLines() []english.ScoreLine {
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
	for _, l := range d.scoreLines() {
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
	for _, l := range d.scoreLines() {
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
