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
	"boneyard/ui/card"
	"boneyard/ui/page"
	"boneyard/ui/plain"
	"boneyard/ui/theme"
)

// finished draws a game that is over: the final scores and the winner, the final layout, the change of the
// standings, who wants another game, and in the last line how to check the deals.
func (d *picture) finished() []string {
	p := d.places()
	lines := make([]string, d.h)
	lines[d.h-1] = d.ask(d.finishPrompt, d.w-2)
	if p.shape == short {
		return d.finishedShort(lines)
	}
	if lines, ok := d.carded(lines, p); ok {
		return lines
	}
	d.put(lines, 0, 0, d.seats(p)...)
	lines[p.status] = d.titled(theme.Accent, d.verdict())
	check := d.check(d.w - 2)
	foot := d.h - 1 - len(check) // the rows above are for everything else
	d.put(lines, 1, foot, check...)
	if p.shape == wide {
		y, layout := d.kept(p, d.h-foot)
		d.put(lines, p.board.x, y, layout...)
		panel := d.panelWidth()
		d.gamePanel(lines, p, d.leftovers(panel), d.lastRound(panel), d.changes(panel), d.remarks(panel), d.again(panel))
		return lines
	}
	w := d.w - 2
	body := slices.Concat(d.changes(w), d.remarks(w), d.again(w))
	_, layout := d.laid(p)
	room := foot - p.board.y - len(layout) - len(body) // for what matters less than the layout
	how := d.lastRound(w)
	if how == nil {
		how = d.lastPlay(w)
	}
	if len(how) <= room {
		body, room = slices.Concat(how, body), room-len(how)
	}
	talk := 0
	if d.talk || d.h >= roomy {
		talk = max(min(mostTalk, room), 0)
	}
	y, layout := d.kept(p, d.h-foot+len(body)+talk)
	d.put(lines, p.board.x, y, layout...)
	y = max(min(p.board.y+p.board.h, foot-len(body)-talk), p.status+1)
	d.put(lines[:foot], 1, y, body...)
	if rest := foot - y - len(body) - 1; rest > 0 && talk > 0 {
		d.put(lines, 1, foot-rest, d.chat(min(w, 100), rest)...)
	}
	return lines
}

// carded draws the game's card, if there is one and it fits: beside the panel of a wide screen, with the
// final layout below, or above the players who want another game.
func (d *picture) carded(lines []string, p places) ([]string, bool) {
	if d.card == nil || d.glow != noGlow { // the last play glows first
		return lines, false
	}
	const top = 1
	var after []string
	if left := d.leavers(); left != "" && d.v.Result.Why == "" {
		after = d.wrap(theme.Warn, left, d.w-2)
	}
	if !d.v.Result.Rated {
		after = append(after, d.changes(d.w-2)...)
	}
	talk, w := 0, d.w-2
	switch {
	case p.shape == wide:
		w = p.board.w
	case d.h >= roomy:
		talk = mostTalk
	case d.talk:
		talk = 1
	}
	if p.shape != wide {
		after = append(after, d.again(w)...)
	}
	foot := d.h - 1 - talk - len(after)
	drawn := card.Lines(d.th, d.card, w, foot-top)
	if drawn == nil {
		return lines, false
	}
	lines[0] = d.titled(theme.Accent, d.verdict())
	d.put(lines, p.board.x, top, drawn...)
	d.put(lines, 1, foot, after...)
	if p.shape != wide {
		d.put(lines, 1, d.h-1-talk, d.chat(min(w, 100), talk)...)
		return lines, true
	}
	y := top + len(drawn) + 1
	if room := foot - y - 1; room >= leastLeft {
		d.put(lines, p.board.x, y, d.left(w, room)...)
	}
	p.log.y = top + 2
	panel := d.panelWidth()
	d.gamePanel(lines, p, d.leftovers(panel), d.lastRound(panel), d.again(panel))
	return lines, true
}

// Rows of the talk below a finished game, and of the layout below its card.
const (
	mostTalk  = 6
	leastLeft = 5
)

// gamePanel draws the right-hand panel of a game that is over, with an empty row between its parts.
func (d *picture) gamePanel(lines []string, p places, parts ...[]string) {
	var body []string
	for _, part := range parts {
		if len(part) > 0 && len(body) > 0 {
			body = append(body, "")
		}
		body = append(body, part...)
	}
	d.overPanel(lines, p, "Game "+strconv.FormatInt(int64(d.v.Game), 10), body)
}

// finishedShort is finished for screens where the seats have no rows of their own.
func (d *picture) finishedShort(lines []string) []string {
	const strip = 3 // the minimum height of a layout: the line, and the arms of a spinner
	w := d.w - 2
	lines[0] = d.titled(theme.Accent, d.verdict())
	body := slices.Concat(d.totals(w), d.again(w), d.remarks(w), d.changes(w), d.check(w)) // the last parts may not fit
	y := 1
	if room := d.h - len(body) - 2; room >= strip { // the layout as it was left
		d.put(lines, 1, y, d.left(w, room)...)
		y += room
	}
	d.put(lines[:d.h-1], 1, y, body...)
	return lines
}

// verdict names the winner, addressing the reader as "you".
func (d *picture) verdict() string {
	res := d.v.Result
	if res.Shared() {
		return "Nobody wins: the highest score is shared."
	}
	if res.Winner == 0 {
		return "The game ended without a result."
	}
	winner, me := rules.Side(res.Winner), d.me()
	won := me != 0 && d.v.Play.SideOf(me) == winner
	team := cmp.Or(plain.TeamName(res, winner), d.teamName(winner))
	say, verb := sentence(d.people(winner)), " win"
	if !won && team != "" {
		say, verb, team = team, " wins", ""
	} else if d.singular(winner) {
		verb = " wins"
	}
	if team != "" {
		team = " for " + team
	}
	if res.Ending == table.EndForfeit {
		return say + verb + team + ": " + cmp.Or(res.Why, "the game was forfeited.")
	}
	points := func(s rules.Side) int { return int(d.now.Play.Scores[s-1]) }
	switch {
	case d.v.Play.Sides() > 2 && me != 0 && !won:
		return say + verb + fmt.Sprintf(" with %d; you have %d.", points(winner), points(d.v.Play.SideOf(me)))
	case d.v.Play.Sides() > 2:
		return say + verb + fmt.Sprintf(" with %d.", points(winner))
	}
	return say + verb + " " + plain.Score(points(winner), points(3-winner)) + team + "."
}

// remarks returns what was remarkable about the game.
func (d *picture) remarks(w int) []string {
	const comeback = 20 // the least deficit of a winner that is worth mentioning
	res := d.v.Result
	var parts []string
	if res.Rounds > 0 {
		parts = append(parts, text.Number(res.Rounds, "round"))
	}
	if res.Best > 0 && res.BestBy > 0 {
		parts = append(parts, "best play "+strconv.Itoa(res.Best)+" by "+d.whoOrYou(rules.Seat(res.BestBy)))
	}
	if res.Deficit >= comeback && res.Winner != 0 {
		parts = append(parts, "won from "+strconv.Itoa(res.Deficit)+" behind")
	}
	var lines []string
	if left := d.leavers(); left != "" && res.Why == "" { // otherwise the verdict says so
		lines = d.wrap(theme.Warn, left, w)
	}
	if len(parts) == 0 {
		return lines
	}
	say := strings.Join(parts, "; ") + "."
	return append(lines, d.wrap(theme.Text, text.Capital(say), w)...)
}

// leavers names the players who had left the game, or were absent, when it ended; empty if none.
func (d *picture) leavers() string {
	names := text.Each(d.v.Result.Leavers, func(n int) string { return d.who(rules.Seat(n)) })
	if len(names) == 0 {
		return ""
	}
	return text.List(names) + " left the game before it ended."
}

// lastPlay returns the play that ended the game. If that was in mid-round, no other screen has shown it.
func (d *picture) lastPlay(w int) []string {
	all := turns(d.v)
	if d.v.Result.Ending != table.EndPlayed || len(all) == 0 {
		return nil
	}
	last := all[len(all)-1]
	e := last[len(last)-1]
	if e.Number == 0 {
		return nil
	}
	who := d.fit(d.side(e.Event.Seat), d.who(e.Event.Seat), 16) + " "
	return []string{d.paint(theme.Muted, page.Pad("Last", labelWidth)) + who + d.turn(last, w-labelWidth-page.Width(who))}
}

// changes returns how the game changed the standings.
func (d *picture) changes(w int) []string {
	res := d.v.Result
	if !res.Rated {
		why := "Casual"
		if d.v.Casual != "" {
			why += ": " + d.v.Casual
		}
		return d.wrap(theme.Muted, why+".", w)
	}
	return text.Each(res.Changes, func(c table.Delta) string { return card.Change(d.th, &c, w) })
}

// labelWidth is the width of the labels before a finished game's lines.
const labelWidth = 8

// check returns how anyone can check the deals.
func (d *picture) check(w int) []string {
	v := d.v
	if v.Seed == "" {
		return nil
	}
	command := "ssh " + d.address + " export " + strconv.FormatInt(int64(v.Game), 10) + " | boneyard verify -"
	say := page.Longest(w, "Check the deals: "+command, "Deals: "+command, command)
	if text.Width(say) > w { // part of a command is no use
		return nil
	}
	for _, more := range []string{"; seed " + v.Seed, "; SHA-256 " + v.Commitment} { // nor is part of a number
		if text.Width(say+more) > w {
			break
		}
		say += more
	}
	return []string{d.fit(theme.Faint, say, w)}
}

// again lists who sits here and who wants another game, in as many lines as needed.
func (d *picture) again(w int) []string {
	if d.v.Config.Event.ID != 0 || d.v.State == table.Closed {
		return nil // an event decides who plays next, and at a closed table nobody does
	}
	const label, gap = "Again", "   "
	indent := labelWidth
	if d.h < tall {
		indent = len(label) + 1
	}
	lines := []string{d.paint(theme.Muted, page.Pad(label, indent))}
	width := indent
	for i := range d.v.Seats {
		part := d.wants(rules.Seat(i + 1))
		if n := page.Width(part) + len(gap); width > indent && width+n-len(gap) > w {
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

// wants returns the player of a seat, and whether they want another game.
func (d *picture) wants(n rules.Seat) string {
	s := &d.v.Seats[n-1]
	mark := ""
	if d.own.seat == n {
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

// lastRound returns the last round's scoring, if the game ended with one.
func (d *picture) lastRound(w int) []string {
	if res := &d.v.Play.Result; d.v.Result.Ending != table.EndPlayed || res.Round != d.v.Play.Round {
		return nil
	}
	return d.explained(w)
}

func (d *picture) finishPrompt(w int) string {
	v := d.v
	stands, brief := plain.MatchStands(v, d.at)
	switch n := d.notice(); {
	case stands != "" && v.State != table.Frozen:
		return " " + d.fit(theme.Accent, page.Longest(w, stands, brief), w)
	case n != "":
		return " " + d.fit(theme.Warn, n, w)
	case v.POV == 0 && v.Config.House:
		return " " + d.fit(theme.Muted, "The house bots play again in "+d.timer.text()+".", w)
	case d.offer.sits:
		return " " + d.fit(theme.Muted, "A seat is free: press s to sit.", w)
	case v.Config.Event.Solo:
		return " " + d.fit(theme.Accent, "Press d to see what others played.", w)
	case v.Config.Event.Field:
		return " " + d.fit(theme.Accent, "Press d for the duplicate arena; results are compared when everybody has finished.", w)
	case v.Config.Event.Sealed:
		return " " + d.fit(theme.Accent, "Press d for the match; the tables are compared when both have finished.", w)
	case v.POV == 0:
		return ""
	case v.Config.Event.ID != 0:
		return " " + d.fit(theme.Muted, "This game is over; press q to go back.", w)
	case v.Own().Ready:
		return " " + d.fit(theme.Muted, "The next game starts when everyone is ready.", w)
	case v.Config.Guide:
		return " " + d.fit(theme.Accent, page.Longest(w, plain.GuideEnd("Press q, then p"), "Press q, then p, for a whole game."), w)
	}
	return " " + d.fit(theme.Accent, page.Longest(w, "Press r for another game with the same seats.", "Press r for another game."), w)
}
