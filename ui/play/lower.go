package play

import (
	"slices"
	"strconv"
	"strings"
	"time"

	"boneyard/lobby/text"
	"boneyard/rules"
	"boneyard/table"
	"boneyard/ui/english"
	"boneyard/ui/page"
	"boneyard/ui/plain"
	"boneyard/ui/theme"
)

// chatShown is how long talk takes the place of the last moves.
const chatShown = 30 * time.Second

// talkAt reports whether the latest talk, without the house's announcements, is recent enough to take the
// place of the last moves, and until when.
func talkAt(v *table.View, hears func(table.Player) bool, now time.Time) (talk bool, end time.Time) {
	for i := len(v.Chat) - 1; i >= 0; i-- {
		l := &v.Chat[i]
		if end = l.At.Add(chatShown); !end.After(now) {
			break
		}
		if !l.House && (hears == nil || hears(l.From)) {
			return true, end
		}
	}
	return false, time.Time{}
}

// lower draws the rows below the board: the rule for newcomers, the last moves, and the latest talk.
func (d *picture) lower(w, h int) []string {
	var rows []string
	if d.guided() {
		rows = d.lesson(w, h)
	} else if d.novice && !d.talks() && h > d.lessonRows(w) { // it is said whole, or not at all
		rows = d.lesson(w, h)
	}
	h -= len(rows)
	var coming []string
	if say := d.coming(); say != "" && h > 1 {
		coming = []string{d.fit(theme.System, say, w)}
		h--
	}
	var talk []string
	switch {
	case d.own.line != nil:
		talk = d.latest(w, h, false)
	case d.talk && h > 0: // the guide may need all rows
		talk = d.latest(w, max(h-1, 1), false) // the last move stays
	}
	return slices.Concat(rows, coming, d.ribbon(w, h-len(talk)), talk)
}

// talks reports whether to show the latest talk: while it is new, and to a reader who writes a line.
func (d *picture) talks() bool { return d.talk || d.own.line != nil }

// lesson draws what a learner is told in at most h rows: what the guide says, or how the game scores.
func (d *picture) lesson(w, h int) []string {
	said := []string{english.Brief(&d.v.Play.Rules)}
	if d.guided() {
		said = d.guide
	}
	rows := d.wrap(theme.System, strings.Join(said, " "), w)
	for len(rows) > h && len(said) > 1 { // what to do now comes last
		said = said[1:]
		rows = d.wrap(theme.System, strings.Join(said, " "), w)
	}
	return page.Beginning(d.th, rows, w, h)
}

func (d *picture) guided() bool { return len(d.guide) > 0 }

// lessonRows returns the rows of the lesson: on a wide screen these are reserved, so that moves shift nothing.
func (d *picture) lessonRows(w int) int {
	const guideRows = 3 // have room to explain two moves and to say what to do now
	switch {
	case d.guided() && d.shape() == short:
		return shortGuide
	case d.guided():
		return guideRows
	case d.novice:
		return len(d.wrap(theme.System, english.Brief(&d.v.Play.Rules), w))
	}
	return 0
}

// guided reports whether the guide shows the player how to play.
func (p *Page) guided() bool {
	return p.view != nil && p.view.Config.Guide && p.view.POV != 0 && !p.club.Settings().NoGuide
}

// guide explains the last move of each player, and says what to do now.
func guide(v *table.View) (said []string) {
	add := func(s string) {
		if s != "" {
			said = append(said, s)
		}
	}
	if stageOf(v) == playing {
		for _, t := range turns(v)[max(len(turns(v))-len(v.Seats), 0):] {
			add(plain.GuideMove(v, t[len(t)-1]))
		}
		add(plain.GuideNow(v))
	}
	if len(said) == 0 {
		return []string{english.Brief(&v.Play.Rules), "A tile goes where its number matches an open end."}
	}
	return said
}

// coming returns who takes over a bot's seat with the next round; empty if nobody does.
func (d *picture) coming() string {
	for i := range d.v.Seats {
		if s := &d.v.Seats[i]; s.Next.ID != 0 && d.v.POV != 0 {
			return s.Next.Name + " takes over from " + s.Name() + " after this round."
		}
	}
	return ""
}

// ribbon draws the round's turns, and who left or came back, one after another, in the last h rows.
func (d *picture) ribbon(w, h int) []string {
	if d.thrifty() {
		return d.scorings(w, h)
	}
	const gap = "   "
	var rows []string
	width := 0
	for _, t := range turns(d.v) {
		e := t[len(t)-1]
		s := ""
		switch {
		case e.Number > 0:
			s = d.brief(t)
		case remarkable(e):
			s = d.fit(theme.Warn, e.Text, w)
		default:
			continue
		}
		n := page.Width(s)
		if len(rows) == 0 || width+len(gap)+n > w {
			rows, width = append(rows, s), n
		} else {
			rows[len(rows)-1] += gap + s
			width += len(gap) + n
		}
	}
	return rows[max(len(rows)-h, 0):]
}

// scorings draws the turns that scored, a row each, and who left or came back. The newest row replaces the
// oldest, so that no row has to be sent twice.
func (d *picture) scorings(w, h int) []string {
	if h < 1 { // talk fills all rows
		return nil
	}
	rows := make([]string, h)
	n := 0
	for _, t := range turns(d.v) {
		e := t[len(t)-1]
		row := d.entry(t, w)
		switch {
		case e.Number == 0 && remarkable(e):
			row[0] = d.fit(theme.Warn, e.Text, w)
		case e.Event.Points == 0:
			continue
		case len(row) > 1:
			row[0] = d.brief(t)
		}
		rows[n%h] = row[0]
		n++
	}
	return rows
}

// remarkable reports whether an announcement adds anything to the moves. The start of a round does not.
func remarkable(e *table.Entry) bool { return !strings.HasPrefix(e.Text, "Round ") }

// brief describes a turn in a few words: "12 ana 6-5 L +15".
func (d *picture) brief(t turn) string {
	e := t[len(t)-1]
	did := d.choice(e.Event.Choice())
	switch e.Event.Kind {
	case rules.Pass:
		did = "passed"
	case rules.Draw:
		did = "drew"
	}
	who := d.fit(d.side(e.Event.Seat), d.who(e.Event.Seat), text.MaxName)
	return d.th.Paint(theme.Muted, strconv.Itoa(e.Turn)) + " " + who + " " + did + d.gained(e)
}

// gained returns what a move scored: " +15"; empty if nothing.
func (d *picture) gained(e *table.Entry) string {
	if e.Event.Points == 0 {
		return ""
	}
	role := theme.Good
	if d.thrifty() { // the row below the board is coloured
		role = theme.Text
	}
	return " " + d.th.Paint(role, "+"+strconv.Itoa(int(e.Event.Points)))
}
