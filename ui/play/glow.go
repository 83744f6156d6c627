package play

import (
	"time"

	"github.com/charmbracelet/colorprofile"

	"boneyard/lobby/text"
	"boneyard/rules"
	"boneyard/table"
	"boneyard/ui/board"
	"boneyard/ui/theme"
)

// glow is a stage of what a table shows for about a second after a play that scores, and again if it ends the
// round or the game: the halves that counted light up, the sum appears, and the score ticks up. It follows
// from the view and the time alone, so that watchers share it, and ends with the next play, so that nothing
// waits.
type glow uint8

const (
	noGlow    glow = iota
	sumBegins      // the sum is shown, term by term
	sumTotals      // then its total, with the points in large digits; half of them are on the score
	sumStands      // all of them are
	endBegins      // "Domino", "Blocked" or "Game over" is shown
	endTotals      // then what it brought, half of which is on the score
	endStands
)

// glowTimes is how long each stage lasts; glowLongest is longer than all of them together.
var glowTimes = [...]time.Duration{
	sumBegins: 300 * time.Millisecond, sumTotals: 300 * time.Millisecond, sumStands: 600 * time.Millisecond,
	endBegins: 300 * time.Millisecond, endTotals: 300 * time.Millisecond, endStands: 900 * time.Millisecond,
}

const glowLongest = 3 * time.Second

// glowAt returns the glow of a view, its move, and when it changes; noGlow if the last play brought nothing
// or is long past. The reader's own play glows to its end, since a bot may answer sooner.
func glowAt(v *table.View, now time.Time) (glow, *table.Entry, time.Time) {
	last := lastEvent(v)
	if last != nil && last.Event.End == rules.NotEnded && !last.Event.GameOver && v.POV != 0 {
		own := last
		for i := len(v.Log) - 1; i >= 0 && own.Event.Seat != v.POV && now.Sub(v.Log[i].At) < glowLongest; i-- {
			if v.Log[i].Event.Kind == rules.Play {
				own = v.Log[i]
			}
		}
		if g, until := glowOf(v, own, now); own.Event.Seat == v.POV && g != noGlow {
			return g, own, until
		}
	}
	g, until := glowOf(v, last, now)
	return g, last, until
}

// glowOf returns the glow of one move at a time.
func glowOf(v *table.View, e *table.Entry, now time.Time) (glow, time.Time) {
	if e == nil || e.Round != v.Play.Round || now.Before(e.At) || now.Sub(e.At) > glowLongest {
		return noGlow, time.Time{}
	}
	first, last, until := endBegins, sumStands, e.At
	if e.Event.Points > 0 {
		first = sumBegins
	}
	if e.Event.End != rules.NotEnded || e.Event.GameOver {
		last = endStands
	}
	for g := first; g <= last; g++ {
		if until = until.Add(glowTimes[g]); now.Before(until) {
			return g, until
		}
	}
	return noGlow, time.Time{}
}

// lastEvent returns the newest entry of a view's log that is a play or ended the round, or nil.
func lastEvent(v *table.View) *table.Entry {
	for i := len(v.Log) - 1; i >= 0; i-- {
		if e := v.Log[i]; e.Event.Kind == rules.Play || e.Event.End != rules.NotEnded {
			return e
		}
	}
	return nil
}

// glow returns what glows now on the reader's screen, its move, and when it changes: nothing for readers who
// asked for calm, or have pressed a key since.
func (p *Page) glow(now time.Time) (glow, *table.Entry, time.Time) {
	g, of, next := glowAt(p.view, now)
	if g == noGlow || p.calm() || of.Round == p.skipped.round && of.Number <= p.skipped.number {
		return noGlow, nil, time.Time{}
	}
	if p.view.POV == 0 && (g == sumTotals || g == endTotals) { // a watcher has all points by now, and the next stage looks the same
		next = next.Add(glowTimes[g+1])
	}
	return g, of, next
}

// calm reports whether nothing glows on this page.
func (p *Page) calm() bool {
	th := p.env.Theme
	return p.noGlow || th.Name() == theme.Mono || th.Profile() <= colorprofile.ASCII || th.Faces() == theme.ASCII
}

// skip ends the glow.
func (p *Page) skip() {
	if p.view != nil {
		if e := lastEvent(p.view); e != nil {
			p.skipped = moment{e.Round, e.Number}
		}
	}
}

// ticking returns a view with the scores as the glow of a move shows them.
func ticking(v *table.View, g glow, of *table.Entry) *table.View {
	if g == noGlow {
		return v
	}
	then, e := *v, &of.Event
	p := &then.Play
	if e.End != rules.NotEnded {
		for i, c := range p.Result.Change {
			p.Scores[i] -= missing(g, endTotals, c, 1, v.POV)
		}
	}
	p.Scores[p.SideOf(e.Seat)-1] -= missing(g, sumTotals, e.Points, max(p.Rules.Multiple, 1), v.POV)
	return &then
}

// missing returns how many of a move's points are not yet on the score. Half of them, in whole steps, come
// with the stage half; watchers get all at once, since a further step would cost another write.
func missing(g, half glow, points, step rules.Points, pov rules.Seat) rules.Points {
	switch {
	case g < half:
		return points
	case g == half && pov != 0:
		return points / 2 / step * step
	}
	return 0
}

// says returns what glows on the board: the sum of a play, or how the round or game ended.
func (d *picture) says() board.Moment {
	v := &d.now.Play
	m := board.Moment{Whole: d.glow != sumBegins && d.glow != endBegins, Sign: true, Role: theme.Good}
	switch {
	case d.glow < endBegins:
		e, whole := d.glows, m.Whole
		m = board.SumOf(d.th, &v.Rules, &e.Event, e.Terms, d.thrifty())
		m.Whole, m.Back = whole, d.since()
	case stageOf(d.v) == finished: // the row above names the winner
		m.Text, m.Sign, m.Role = "Game over", false, theme.Accent
		if w := d.v.Result.Winner; w != 0 {
			m.Number = int(v.Scores[w-1])
		}
	default:
		m.Text = text.Capital(v.Result.How.String())
		if w := v.Result.Winner; w != 0 {
			m.Number = max(int(v.Result.Change[v.SideOf(w)-1]), 0)
		}
	}
	return m
}

// since returns how many tiles have been laid since the move that glows.
func (d *picture) since() (n int) {
	for i := len(d.v.Log) - 1; i >= 0 && d.v.Log[i] != d.glows; i-- {
		if d.v.Log[i].Event.Kind == rules.Play {
			n++
		}
	}
	return n
}
