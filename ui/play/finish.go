package play

import (
	"cmp"
	"fmt"
	"strconv"
	"strings"

	"github.com/charmbracelet/x/ansi"

	"boneyard/rules"
	"boneyard/table"
	"boneyard/ui/page"
	"boneyard/ui/plain"
	"boneyard/ui/theme"
)

// finished draws a game that is over: who won, what it did to the standings, how to check it, and who wants another.
func (d *picture) finished() []string {
	v := d.v
	lines := make([]string, d.h)
	lines[0] = d.titled(theme.Accent, d.verdict())
	if v.Result == nil {
		lines[d.h-1] = d.finishPrompt()
		return lines
	}
	w := d.w - 2
	var body []string
	add := func(s ...string) { body = append(body, s...) }
	gap := func() {
		if d.h >= roomy {
			body = append(body, "")
		}
	}
	gap()
	add(d.totals(w)...)
	if d.h < tall { // what comes last may find no room
		add(d.again(w)...)
	}
	gap()
	add(d.remarks(w)...)
	if d.h >= tall {
		add(d.lastPlay(w)...)
	}
	add(d.changes(w)...)
	gap()
	add(d.check(w)...)
	if d.h >= tall {
		gap()
		add(d.again(w)...)
	}
	if over := d.lastRound(w); len(body)+len(over)+2+strip < d.h {
		gap()
		add(over...)
	}
	y, rest := 1, 0 // rows for what is said
	switch {
	case d.h >= roomy:
		rest = 6
	case d.h >= tall && d.talk:
		rest = 2
	}
	if room := d.h - len(body) - 2 - rest; room >= strip { // the layout as it was left
		d.put(lines, 1, y, d.left(w, room)...)
		y += room
	}
	d.put(lines, 1, y, body...)
	if rest := d.h - 2 - y - len(body); rest > 0 {
		d.put(lines, 1, d.h-1-rest, d.chat(min(w, 100), rest)...)
	}
	lines[d.h-1] = d.finishPrompt()
	return lines
}

// strip is the rows that a layout takes at least: the line, and the arms of a spinner.
const strip = 3

// verdict says who won.
func (d *picture) verdict() string {
	res := d.v.Result
	if res == nil {
		return "The game is over."
	}
	if res.Shared() {
		return "The highest score is shared: nobody wins the game."
	}
	if res.Winner == 0 {
		return "The game ended without a result."
	}
	verb := " wins"
	if d.v.Config.Rules.Teams {
		verb = " win"
	}
	winner := rules.Side(res.Winner)
	say := cmp.Or(plain.TeamName(res, winner), d.sideName(winner)) + verb
	if res.Ending == table.EndForfeit {
		if res.Why != "" {
			return say + ": " + res.Why
		}
		return say + ": the game was forfeited."
	}
	if d.v.Config.Rules.Teams {
		return say + fmt.Sprintf(" %d–%d.", d.v.Play.Scores[winner-1], d.v.Play.Scores[2-winner])
	}
	return say + " the game."
}

// comeback is how far behind a winner must have been for it to be remarkable.
const comeback = 20

// remarks are what was remarkable about the game.
func (d *picture) remarks(w int) []string {
	res := d.v.Result
	var parts []string
	if res.Rounds > 0 {
		parts = append(parts, plural(res.Rounds, "round"))
	}
	if res.Best > 0 && res.BestBy > 0 {
		parts = append(parts, "best play "+strconv.Itoa(res.Best)+" by "+d.who(rules.Seat(res.BestBy)))
	}
	if res.Deficit >= comeback && res.Winner != 0 {
		parts = append(parts, "won from "+strconv.Itoa(res.Deficit)+" behind")
	}
	if len(parts) == 0 {
		return nil
	}
	say := strings.Join(parts, "; ") + "."
	return d.wrap(theme.Text, strings.ToUpper(say[:1])+say[1:], w)
}

// lastPlay is the play that ended the game, which may have been in mid-round and was on no other screen.
func (d *picture) lastPlay(w int) []string {
	all := turns(d.v)
	if d.v.Result.Ending != table.EndPlayed || len(all) == 0 {
		return nil
	}
	last := all[len(all)-1]
	e := &last[len(last)-1]
	if e.Number == 0 {
		return nil
	}
	who := d.fit(d.side(e.Event.Seat), d.who(e.Event.Seat), 16) + " "
	return []string{d.paint(theme.Muted, page.Pad("Last", labelWidth)) + who + d.turn(last, w-labelWidth-ansi.StringWidth(who))}
}

// changes are what the game did to the standings.
func (d *picture) changes(w int) []string {
	res := d.v.Result
	if !res.Rated {
		why := "Unrated"
		if d.v.Casual != "" {
			why += ": " + d.v.Casual
		}
		return d.wrap(theme.Muted, why+".", w)
	}
	var lines []string
	for _, c := range res.Changes {
		role := theme.Good
		if c.After < c.Before {
			role = theme.Bad
		}
		line := d.paint(theme.Muted, page.Pad(c.Kind, 7)) + d.cell(theme.Text, c.Name, min(34, w-30)) +
			d.paint(theme.Text, fmt.Sprintf(" %4d → %4d  ", c.Before, c.After)) + d.paint(role, fmt.Sprintf("%+d", c.After-c.Before))
		lines = append(lines, line)
	}
	return lines
}

// labelWidth is the columns that the names of a finished game's lines take.
const labelWidth = 8

// check says how anyone can check the deals.
func (d *picture) check(w int) []string {
	v := d.v
	if v.Seed == "" {
		return nil
	}
	id := strconv.FormatInt(int64(v.Game), 10)
	command := "ssh " + d.address + " export " + id + " | boneyard verify -"
	if d.h < tall {
		return []string{d.fit(theme.Muted, "Game "+id+", seed "+v.Seed, w)}
	}
	line := func(name, text string) string {
		return d.paint(theme.Muted, page.Pad(name, labelWidth)) + d.fit(theme.Text, text, w-labelWidth)
	}
	return []string{line("Seed", v.Seed), line("SHA-256", v.Commitment), line("Check", command)}
}

// again says who sits here and who wants another game, in as many lines as that takes.
func (d *picture) again(w int) []string {
	const label, gap = "Again", "   "
	indent := labelWidth
	if d.h < tall {
		indent = len(label) + 1
	}
	lines := []string{d.paint(theme.Muted, page.Pad(label, indent))}
	width := indent
	for i := range d.v.Seats {
		part := d.wants(rules.Seat(i + 1))
		if n := ansi.StringWidth(part) + len(gap); width > indent && width+n-len(gap) > w {
			lines, width = append(lines, strings.Repeat(" ", indent)+part), indent+n
		} else {
			lines[len(lines)-1] += part
			width += n
		}
		lines[len(lines)-1] += gap
	}
	for i := range lines {
		lines[i] = page.Pad(lines[i], w)
	}
	return lines
}

// wants is who sits at a seat, and whether another game is wanted there.
func (d *picture) wants(n rules.Seat) string {
	s := &d.v.Seats[n-1]
	mark := ""
	if d.own != nil && d.own.seat == n {
		mark = d.th.Paint(theme.Key, d.th.Glyphs().Cursor)
	}
	if s.Free() {
		return mark + d.paint(theme.Faint, strconv.Itoa(int(n))+" free")
	}
	state := d.paint(theme.Muted, "not yet")
	switch {
	case s.Ready || s.House != "":
		state = d.paint(theme.Good, "yes")
	case s.Presence != table.Here:
		state = d.paint(theme.Warn, s.Presence.Words())
	}
	return mark + d.fit(d.side(n), s.Name(), 16) + " " + state
}

// lastRound is the last round's scoring, if the game ended with one.
func (d *picture) lastRound(w int) []string {
	if res := &d.v.Play.Result; d.v.Result.Ending != table.EndPlayed || res.Round != d.v.Play.Round {
		return nil
	}
	return append(d.hands(w), d.explained(w)...)
}

func (d *picture) finishPrompt() string {
	if line, ok := d.typing(); ok {
		return line
	}
	v := d.v
	w := d.w - 2
	switch n := d.notice(); {
	case n != "":
		return " " + d.fit(theme.Warn, n, w)
	case v.POV == 0 && v.Config.House:
		return " " + d.fit(theme.Muted, "The house bots play again in "+d.timer.text+".", w)
	case v.POV == 0 && v.MaySit():
		return " " + d.fit(theme.Muted, "A seat is free: press s to sit.", w)
	case v.POV == 0:
		return ""
	case v.Own().Ready:
		return " " + d.fit(theme.Muted, "The next game starts when everyone wants one.", w)
	}
	return " " + d.fit(theme.Accent, "Press r for another game with the same seats.", w)
}

func plural(n int, noun string) string {
	if n == 1 {
		return "1 " + noun
	}
	return strconv.Itoa(n) + " " + noun + "s"
}
