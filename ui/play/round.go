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
	"boneyard/ui/english"
	"boneyard/ui/page"
	"boneyard/ui/plain"
	"boneyard/ui/theme"
)

// playing draws a round in progress.
func (d *picture) playing() []string {
	p := d.places()
	lines := make([]string, d.h)
	d.put(lines, 0, 0, d.seats(p)...)
	lines[p.status] = d.status()
	if p.shape == wide && p.board.y > p.status+1 {
		lines[p.status+1] = d.chances()
	}
	d.put(lines, p.board.x, p.board.y, d.board(p.board).lines...)
	d.edge(lines, p)
	if p.rule > 0 {
		d.put(lines, 1, p.rule, d.lesson(p.board.w, d.lessonRows(p.board.w))...)
	}
	d.put(lines, 0, p.prompt, d.ask(d.prompt, d.promptWidth()))
	if p.hand.h > 0 {
		d.put(lines, p.hand.x, p.hand.y, board.Hand(d.v.Play.Hand, d.handOptions(p.hand))...)
	}
	// Draw the right-hand side last: put keeps only what is to its left.
	if p.shape == wide {
		d.put(lines, p.log.x, p.log.y-1, page.Rule(d.th, "Log", p.log.w))
		d.put(lines, p.chat.x, p.chat.y-1, page.Rule(d.th, "Chat", p.chat.w))
	}
	if p.shape == short && d.talks() { // it shares the row of the log, or has it
		at := p.log.w / 2
		if d.own.line != nil {
			at = 1
		}
		if talk := d.latest(p.log.w-at, 1, false); len(talk) > 0 {
			d.put(lines, 0, p.log.y, d.log(at-1, min(at-1, 1))...)
			d.put(lines, at, p.log.y, talk...)
			p.log.h = 0
		}
	}
	d.put(lines, p.log.x, p.log.y, d.log(p.log.w, p.log.h)...)
	var known []string
	if p.known.h > 0 {
		known = d.known(p.known.w, p.known.h)
	}
	if p.shape == usual {
		w := p.chat.w
		if p.known.y+len(known) > p.chat.y { // the panel extends down to these rows
			w = p.board.w
		}
		d.put(lines, p.chat.x, p.chat.y, d.lower(w, p.chat.h)...)
	} else {
		d.put(lines, p.chat.x, p.chat.y, d.talkFirst(p.chat.w, p.chat.h)...)
	}
	d.put(lines, p.known.x, p.known.y, known...)
	if p.names.h > 0 {
		d.put(lines, p.names.x, p.names.y, d.fit(theme.Muted, d.watching(), p.names.w))
	}
	return lines
}

// edge draws the edge of the table around the board, if it has one.
func (d *picture) edge(lines []string, p places) {
	if !p.edged {
		return
	}
	g, a := d.th.Glyphs(), p.board
	rule := strings.Repeat(g.Horizontal, a.w)
	d.put(lines, 0, a.y-1, d.th.Paint(theme.Border, g.TopLeft+rule+g.TopRight))
	d.put(lines, 0, a.y+a.h, d.th.Paint(theme.Border, g.BottomLeft+rule+g.BottomRight))
	side := d.th.Paint(theme.Border, g.Vertical)
	for y := a.y; y < a.y+a.h; y++ {
		lines[y] = page.Pad(side+strings.TrimPrefix(lines[y], " "), a.x+a.w) + side
	}
}

// put writes text into lines from row y, column x on; it keeps what is to its left.
func (d *picture) put(lines []string, x, y int, block ...string) {
	for i, s := range block {
		if y+i < 0 || y+i >= len(lines) || s == "" {
			continue
		}
		if x > 0 {
			s = page.Pad(lines[y+i], x) + s
		}
		lines[y+i] = s
	}
}

// status draws the line below the seats.
func (d *picture) status() string {
	const endsWidth = len("Ends now L 6x2 + R 5x2 + U 6 + D 4 = 32") // fits almost any count
	v := &d.v.Play
	left, stock, gap := "Round "+strconv.Itoa(v.Round), "boneyard ", "   "
	if d.w < 60 {
		left = "R" + strconv.Itoa(v.Round) + " " + v.Rules.Goal(v.Seats) // the header may have no room for it
		stock, gap = "yard ", "  "
	}
	count := ""
	if v.Rules.Draw != rules.DrawNone {
		left += gap + stock
		count = d.th.Paint(theme.Text, page.Pad(strconv.Itoa(v.Stock), 2))
	}
	clock := d.clock()
	if d.places().big { // it stands at the side
		clock = ""
	}
	left = " " + d.th.Paint(theme.Muted, left) + count + gap + page.Pad(clock, clockWidth)
	ends := ""
	right := d.version() + " "
	if d.thrifty() && d.w >= 60 { // what changes together stands together
		sum := d.ends(true)
		right = gap + page.Pad(sum, max(page.Width(sum), len("Ends now 18"))) + right
	} else if d.w >= 60 {
		ends = d.ends(false)
		spare := d.w - page.Width(left+gap[1:]+right)
		if d.watchers() != "" {
			spare -= len(" w") + len(strconv.Itoa(d.v.Watchers))
		}
		if page.Width(ends) > spare { // the sum matters most
			ends = d.ends(true)
		}
		left += gap[1:] + ends
	}
	if w := d.watchers(); w != "" {
		last := right
		right = d.th.Paint(theme.Muted, w) + last
		if page.Width(left)+page.Width(right) >= d.w {
			right = d.th.Paint(theme.Muted, strconv.Itoa(d.v.Watchers)+"w") + last
		}
	}
	if d.w >= 100 {
		counts, why := "rated", plain.UnderNight(d.v)
		if !d.v.Rated {
			counts, why = "casual", ": "+d.v.Casual
		}
		if v.Rules.Multiple != 0 { // what follows the count stays in place, too, as far as there is room
			spare := d.w - page.Width(left) - len("   "+counts+why+"  12 watching ") - page.Width(d.version())
			at := page.Width(left) - page.Width(ends) + endsWidth
			if p := d.places(); p.shape == wide { // above the log, if all but the longest counts have room before it
				if x := p.log.x - len(gap); x >= at-4 {
					at = x
				}
			}
			left += strings.Repeat(" ", max(min(at-page.Width(left), spare), 0)) + gap
		}
		room := d.w - page.Width(left) - page.Width(right) - 1
		left += d.fit(theme.Muted, page.Longest(room, counts+why, counts), room)
	}
	return page.Right(left, right, d.w)
}

// clockWidth fits any clock except in days, so that what follows it stays in place.
const clockWidth = len("bank 2 min")

// ends returns the count of the open ends: "Ends now L 6 + R 4×2 + U 1 = 15". If bytes or columns are scarce
// it is only the sum, since the board has the count of each end. It is empty if nothing scores in play.
func (d *picture) ends(brief bool) string {
	v := &d.v.Play
	l := &v.Layout
	if v.Rules.Multiple == 0 || l.Len() == 0 {
		return ""
	}
	role, when := theme.Muted, "now"
	if d.thrifty() {
		role = theme.Text
	}
	if d.stepping() {
		role, when = theme.Title, "then"
	}
	plus := " + "
	if d.w < 100 {
		plus = "+"
	}
	count := strconv.Itoa(int(l.Count()))
	switch {
	case d.thrifty():
		count = fmt.Sprintf("%2s", count)
	case !brief:
		count = board.Ends(l, v.Rules.Count, d.arm, plus, d.th)
	}
	return d.th.Paint(role, "Ends "+when+" ") + d.th.Paint(theme.Text, count)
}

// prompt tells the reader what to do, or what the table is waiting for.
func (d *picture) prompt(w int) string {
	const takeBack = "Press Enter to take your seat back."
	v := d.v
	if d.stepping() {
		return d.pastPrompt(w)
	}
	if v.POV != 0 && v.Replaced() && v.Asleep {
		return " " + d.fit(theme.Warn, page.Longest(w, "You were away, and the game sleeps. "+takeBack, takeBack), w)
	}
	if n := d.notice(); n != "" {
		return " " + d.fit(theme.Warn, page.Parts(n, w), w)
	}
	if v.POV != 0 && v.Replaced() {
		return " " + d.fit(theme.Warn, page.Longest(w, "You were away; a bot is playing for you. "+takeBack, takeBack), w)
	}
	move := ""
	if v.MyMove() {
		move = d.paint(theme.Accent, "Your move.") + " "
	}
	if s := d.absent(w - page.Width(move)); s != "" && (!v.MyMove() || d.own.pick == nothing) {
		return " " + move + d.fit(theme.Warn, s, w-page.Width(move))
	}
	if d.offer.next {
		const from = "You take over from a bot after this round. Press u if you don't want to."
		return " " + d.fit(theme.Accent, page.Longest(w, from, "You play next round. u takes it back."), w)
	}
	if v.POV == 0 {
		return " " + d.fit(theme.Muted, d.remark(), w)
	}
	late := d.late()
	if s := d.resigning(w); s != "" && late == "" && (!v.MyMove() || d.own.pick == nothing) {
		return " " + d.fit(theme.Warn, s, w)
	}
	if !v.MyMove() {
		if reason := english.Reason(&v.Play); reason != "" {
			return " " + d.fit(theme.Accent, page.Longest(w, reason, english.BriefReason(&v.Play)), w)
		}
		if v.Play.Turn == 0 {
			return ""
		}
		say := d.who(v.Play.Turn) + " is to move."
		if late != "" {
			return " " + d.fit(theme.Warn, page.Longest(w, late+" "+say, late), w)
		}
		if r := d.remark(); r != "" {
			say = r + " " + say
		}
		return " " + d.fit(theme.Muted, say, w)
	}
	if _, ok := d.own.pick.option(&v.Play); late != "" && !ok && d.own.pick.typed == "" {
		said := d.fit(theme.Warn, late, w-1)
		room := w - page.Width(said) - 2
		choosing := d.choosing(room)
		if least := page.Width(choosing); least > room { // never cut what the reader has to do
			said = d.fit(theme.Warn, late, w-least-2)
		}
		return " " + said + " " + choosing
	}
	return " " + d.choosing(w)
}

// resigning returns that the reader's partner wants to resign, or that the reader does and waits for them.
func (d *picture) resigning(w int) string {
	v := d.v
	if v.Own().Resigns {
		return page.Longest(w, "You asked to resign: your partner has to agree. X takes it back.", "You asked to resign. X takes it back.")
	}
	for i := range v.Seats {
		if n := rules.Seat(i + 1); v.Seats[i].Resigns && v.Play.SideOf(n) == v.Play.SideOf(v.POV) {
			return page.Longest(w, v.Seats[i].Name()+" wants to resign. Press X to agree, or play on.", "Press X to resign, too, or play on.")
		}
	}
	return ""
}

// late returns what was played for the reader when their time ran out, until their next move.
func (d *picture) late() string {
	v := d.v
	for i := len(v.Log) - 1; i >= 0 && v.Log[i].Round == v.Play.Round; i-- {
		if e := v.Log[i]; e.Number != 0 && e.Event.Seat == v.POV {
			if e.Late {
				return plain.Late(&e.Event, "you")
			}
			break
		}
	}
	return ""
}

// remark returns the house's latest announcement that is not among the last moves, or what was played for a
// player who ran out of time, if nothing has happened since.
func (d *picture) remark() string {
	n := len(d.v.Log)
	if n == 0 || d.shape() != usual {
		return ""
	}
	switch e := d.v.Log[n-1]; {
	case e.Number == 0 && !remarkable(e):
		return e.Text
	case e.Late:
		return plain.Late(&e.Event, d.who(e.Event.Seat))
	}
	return ""
}

// absent returns who is away, and what the others can decide; if room is scarce, the latter first.
func (d *picture) absent(w int) string {
	v := d.v
	for i := range v.Seats {
		n := rules.Seat(i + 1)
		s := &v.Seats[i]
		if n == v.POV || s.StandIn || !v.Away(n) {
			continue
		}
		say := s.Name() + " is away"
		switch s.Presence {
		case table.Disconnected:
			say = s.Name() + " lost connection"
		case table.Left:
			say = s.Name() + " has left"
		}
		waits := say + "."
		switch {
		case v.State == table.Waiting && d.at.Before(v.Deadline): // it may go on, until the others vote
			waits = say + "; the table waits up to " + d.timer.text() + "."
		case v.Config.Absence == table.AbsenceForfeit:
			waits = say + "; whoever stays away loses."
		}
		if v.POV == 0 {
			return waits
		}
		long, short := "", []string(nil)
		for _, vote := range []struct {
			what     table.Vote
			key, use string
		}{{table.VoteBot, "v: a bot", " plays on"}, {table.VoteAdjourn, "a: adjourn", ""}, {table.VoteClaim, "c: claim", " the game"}} {
			if !v.MayVote(vote.what, d.at) {
				continue
			}
			votes := ""
			if n := v.Votes[vote.what]; n.For > 0 {
				votes = " (" + plain.Votes(v, n) + " it)"
			}
			long += " " + vote.key + vote.use + votes + "."
			short = append(short, vote.key+votes)
		}
		if long == "" {
			return waits
		}
		brief := strings.Join(short, ", ") + "."
		return page.Longest(w, waits+long, waits+" "+brief, say+". "+brief, brief)
	}
	return ""
}

// choosing draws the prompt for a player's choice: what it would count, and what else the tile could do.
func (d *picture) choosing(w int) string {
	v := &d.v.Play
	pick := &d.own.pick
	if d.own.sending {
		return d.paint(theme.Muted, "Playing…")
	}
	o, ok := pick.option(v)
	plays := " plays"
	if !d.now.MyMove() {
		plays = " plays it on your turn"
	}
	if !ok {
		say := d.paint(theme.Accent, "Your move.")
		if !d.now.MyMove() {
			say = d.fit(theme.Muted, d.who(v.Turn)+" is to move.", w-4)
		}
		if pick.typed != "" {
			return say + " " + d.paint(theme.Key, pick.typed+"_")
		}
		reason := english.Reason(v)
		hurry, brief := plain.FirstMove(d.now)
		why := page.Longest(w-11, strings.TrimSpace(reason+" "+hurry), cmp.Or(hurry, reason), cmp.Or(brief, english.BriefReason(v)))
		if d.late() != "" && text.Width(why) > w-11 { // there is room for what happened only
			return say
		}
		return say + " " + d.fit(theme.Muted, why, w-11)
	}
	tile := d.paint(theme.Accent, o.Tile.Name())
	on := tile
	if o.Arm != rules.NoArm {
		on += " on " + d.paint(theme.Key, d.arm(o.Arm))
	}
	heads := []string{on} // what is played, the longest form first
	if whole, short := board.Receipt(v, o, d.arm(o.Arm), d.th); whole != "" {
		heads = []string{tile + whole, tile + short, on}
	}
	var others []string
	for _, e := range ends(v, o.Tile) {
		if e.Arm == o.Arm {
			continue
		}
		s := d.arm(e.Arm)
		if e.Points > 0 {
			s += " +" + strconv.Itoa(int(e.Points))
		}
		others = append(others, s)
	}
	const gap = "   "
	enter := gap + d.paint(theme.Key, "enter")
	plain := enter + d.paint(theme.Muted, plays)
	var tails []string // what can be done, likewise
	switch end, or := d.arm(o.Arm), strings.Join(others, ", "); {
	case pick.laid:
		esc := gap + d.paint(theme.Key, "esc") + d.paint(theme.Muted, " takes it back")
		return d.longest(w, heads[0]+gap+d.paint(theme.Muted, "played on your turn")+esc, tile+d.paint(theme.Muted, " is ready")+esc)
	case or == "":
		tails = []string{plain}
	case pick.sure:
		tail := enter + d.paint(theme.Muted, plays+", or "+or)
		tails = []string{gap + d.paint(theme.Accent, end+" chosen") + tail, tail, plain}
	default:
		tail := gap + d.paint(theme.Muted, "or "+or+"? ") + d.paint(theme.Key, "↑↓")
		chooses := enter + d.paint(theme.Muted, " chooses "+end)
		tails = []string{tail + chooses, tail, gap + d.paint(theme.Key, "↑↓") + chooses}
	}
	var forms []string
	for _, tail := range tails {
		forms = append(forms, heads[0]+tail)
	}
	for _, head := range heads[1:] {
		forms = append(forms, head+tails[len(tails)-1])
	}
	return d.longest(w, forms...)
}
