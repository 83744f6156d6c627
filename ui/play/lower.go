package play

import (
	"strconv"
	"strings"
	"time"

	"boneyard/rules"
	"boneyard/table"
	"boneyard/ui/page"
	"boneyard/ui/theme"
)

// chatShown is how long what somebody has said stands in the place of the last moves.
const chatShown = 30 * time.Second

// talkAt reports whether somebody has spoken so lately that it is shown in the place of the last moves, and when that ends. What
// the house says is no talk.
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

// lower draws the rows below the board: for newcomers the rule, then the last moves, or what has just been said.
func (d *picture) lower(w, h int) []string {
	var rows []string
	if d.novice && h > 1 {
		rows = append(rows, d.fit(theme.System, d.v.Play.Rules.Brief(), w))
	}
	if h -= len(rows); d.talk {
		return append(rows, d.chat(w, h)...)
	}
	return append(rows, d.ribbon(w, h)...)
}

// ribbon is the round's turns one behind the other, the last h rows of them. Where bytes are scarce it is the tiles alone, of
// which a whole round fits into three rows, so that a move adds to the last row and nothing else changes.
func (d *picture) ribbon(w, h int) []string {
	gap := "   "
	if d.thrifty() {
		gap = "  "
	}
	var rows []string
	width := 0
	for _, t := range turns(d.v) {
		e := &t[len(t)-1]
		if e.Number == 0 {
			continue
		}
		s := d.brief(t)
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

// brief is a turn in a few words: "12 ana 6-5 L +15", or where bytes are scarce "6-5+15".
func (d *picture) brief(t turn) string {
	e := &t[len(t)-1]
	did := e.Event.Tile.Name()
	switch e.Event.Kind {
	case rules.Pass:
		did = "pass"
	case rules.Draw:
		did = "drew"
	default:
		if e.Event.Arm != rules.NoArm && !d.thrifty() {
			did += " " + e.Event.Arm.String()
		}
	}
	points := ""
	if e.Event.Points > 0 {
		points = "+" + strconv.Itoa(int(e.Event.Points))
	}
	if d.thrifty() {
		return did + points
	}
	s := d.th.Paint(theme.Muted, strconv.Itoa(e.Number)) + " " + d.fit(d.side(e.Event.Seat), d.who(e.Event.Seat), 10) + " " + did
	if points != "" {
		s += " " + d.th.Paint(theme.Good, points)
	}
	return strings.TrimRight(s, " ")
}
