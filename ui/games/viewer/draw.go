package viewer

import (
	"cmp"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/charmbracelet/x/ansi"

	"boneyard/lobby/text"
	"boneyard/rules"
	"boneyard/rules/replay"
	"boneyard/ui/board"
	"boneyard/ui/page"
	"boneyard/ui/plain"
	"boneyard/ui/screen"
	"boneyard/ui/theme"
)

// The sizes from which panels stand side by side below the layout, and from which they stand beside it.
const (
	pairWidth, pairHeight = 64, 15
	wideWidth, wideHeight = 104, 26
)

// canvas holds what one drawing needs: the moment, the game at that moment, and the theme.
type canvas struct {
	*Viewer
	g *theme.Glyphs
	m *replay.Moment
	// game is the game at the moment, and before the game one move earlier: equal to game if the moment is
	// not a move.
	game, before rules.Game
}

func (v *Viewer) canvas() *canvas {
	c := &canvas{Viewer: v, g: v.t.Glyphs(), m: &v.rec.Moments[v.at], game: v.rec.Game(v.at)}
	c.before = c.game
	if c.m.Kind == replay.Moved {
		c.before = v.rec.Game(v.at - 1)
	}
	return c
}

// shape is the arrangement of the screen.
type shape int

const (
	single shape = iota // one column
	pair                // what explains the moment is beside the hands
	wide                // and beside the layout
)

// shape returns the arrangement, and the rows between the status and what stands at the foot.
func (c *canvas) shape() (s shape, body int) {
	switch {
	case c.w >= wideWidth && c.h >= wideHeight:
		s = wide
	case c.w >= pairWidth && c.h >= pairHeight:
		s = pair
	}
	if c.chances != nil && s != single {
		return s, c.h - 3
	}
	return s, c.h - 2
}

// Lines draws the viewer at its current size.
func (v *Viewer) Lines() []string {
	c, w, h := v.canvas(), v.w, v.h
	if v.summary {
		lines, _, _ := c.summaryLines()
		return c.cut(lines, w)
	}
	lines := append(make([]string, 0, h), c.status(w))
	shape, body := c.shape()
	switch {
	case body < 2:
		return c.cut(append(lines[:max(h-1, 0)], c.foot(w))[:max(h, 0)], w)
	case shape == wide:
		lines = append(lines, c.wide(w, body)...)
	case shape == pair:
		lines = append(lines, c.pair(w, body)...)
	default:
		lines = append(lines, c.single(w, body)...)
	}
	lines = page.Fill(lines, 1+body)
	if body == h-3 {
		lines = append(lines, c.curve(w))
	}
	return c.cut(append(lines, c.foot(w)), w)
}

// cut truncates lines to w columns, for sizes too small for even the narrowest arrangement.
func (c *canvas) cut(lines []string, w int) []string {
	for i, l := range lines {
		lines[i] = ansi.Truncate(l, w, "")
	}
	return lines
}

// Cursor returns the position of the terminal's cursor.
func (v *Viewer) Cursor() screen.Cursor { return v.move.CursorAt(v.t, 1, v.h-1, v.w-2) }

// single draws one column, most important parts first. If there is no room for the choices, scrolling shows
// them in place of the hands.
func (c *canvas) single(w, h int) []string {
	panel := c.hands(w-1, 1)
	room := c.singleRoom(h)
	height := min(len(panel)+room, h-2)
	if room > 0 && c.hidden(w-1, room) == 0 || c.scroll == 0 && (room > 0 || !c.next) {
		about := c.about(w-1, room, 0)
		panel = append(panel, about[:min(room, len(about))]...)
	} else {
		skipped := c.scroll
		if !c.next || room > 0 { // the first step brought it here
			skipped = max(skipped-1, 0)
		}
		panel = c.about(w-1, height, skipped)
	}
	panel = page.Fill(panel, max(height, 0))
	headline := " " + c.headline(w-2)
	if left := c.m.Left(); !c.next && left > 0 && c.knows() {
		end := c.t.Paint(theme.Warn, fmt.Sprintf(" %d left", left)) + " "
		headline = page.Right(" "+c.headline(w-1-page.Width(end)), end, w)
	}
	lines := append(make([]string, 0, h), c.picture(w, max(h-1-len(panel), 1))...)
	return append(append(lines, headline), page.Shift(panel, 1)...)
}

// singleRoom is how many rows one column has for the choices.
func (c *canvas) singleRoom(h int) int {
	room := min((h-1)/2-len(c.rec.Names), 8)
	if room < 3 {
		return 0
	}
	return room
}

// pairPanel is the size of what explains the moment there.
func (c *canvas) pairPanel(w, h int) (left, right, rows int) {
	left = min((w-4)/2+2, 52) // seven tiles have room from 80 columns on
	return left, min(w-4-left, 60), max(min(h/3, 12), len(c.rec.Names)+2)
}

// scrolls returns how far what explains the moment can be scrolled: 0 where there is room for all of it.
func (c *canvas) scrolls() int {
	shape, body := c.shape()
	switch shape {
	case wide:
		return c.hidden(sideWidth, wideBelow(body))
	case pair:
		_, w, rows := c.pairPanel(c.w, body)
		return c.hidden(w, rows)
	}
	room := c.singleRoom(body)
	if room > 0 && c.hidden(c.w-1, room) == 0 {
		return 0
	}
	further := c.hidden(c.w-1, min(len(c.rec.Names)+room, body-2))
	if c.next && room == 0 { // it is in the place of the hands already
		return further
	}
	return 1 + further
}

func (c *canvas) pair(w, h int) []string {
	left, right, panel := c.pairPanel(w, h)
	lines := append(make([]string, 0, h), c.picture(w, h-1-panel)...)
	lines = append(lines, " "+c.ruled(c.headline(w-6), w-2))
	return append(lines, page.Shift(page.Beside(2,
		page.Block{Width: left, Lines: c.people(left, panel)},
		page.Block{Width: right, Lines: page.Fill(c.about(right, panel, c.scroll), panel)}), 1)...)
}

// sideWidth is the width of the column beside the layout. If at least boardHeight rows are left for the
// layout and what surrounds it, the hands below it are pictures.
const (
	sideWidth   = 42
	boardHeight = 25
)

// wideBelow is how many rows explain the moment there.
func wideBelow(h int) int { return max(h/3, 10) }

// wide draws the layout and the hands on the left, and the round's moves and the choices on the right.
func (c *canvas) wide(w, h int) []string {
	left := w - sideWidth - 4
	rowsEach := 1
	if h-4*len(c.rec.Names) >= boardHeight {
		rowsEach = 3
	}
	people := append(c.hands(min(left, 90), rowsEach), c.boneyard(min(left, 90)))
	rows := h - 3 - len(people)
	main := append(make([]string, 0, h), c.picture(left+1, rows)...)
	main = append(main, " "+c.ruled(c.headline(left-6), left), "")
	main = append(main, page.Shift(people, 1)...)

	below := wideBelow(h)
	log := append([]string{page.Rule(c.t, fmt.Sprintf("Round %d", c.m.Round), sideWidth)}, c.moves(sideWidth, h-below-2)...)
	side := append(page.Fill(log, h-below-1), "")
	side = append(side, page.Fill(c.about(sideWidth, below, c.scroll), below)...)
	return page.Beside(2, page.Block{Width: left + 1, Lines: main}, page.Block{Width: sideWidth, Lines: side})
}

// picture draws the layout with a blank column on the left, or a word if nothing has been laid.
func (c *canvas) picture(w, h int) []string {
	if c.game.Layout().Len() > 0 {
		r := c.game.Rules()
		o := board.Options{Width: w - 2, Height: h, Theme: c.t, Count: board.Counts(&r)}
		if e := &c.m.Event; c.m.Kind == replay.Moved && e.Kind == rules.Play && e.Points > 0 { // why it scored, as at the table
			o.Lit, o.Moment = true, board.SumOf(c.t, &r, e, c.rec.Terms(c.at), false)
		}
		return page.Shift(page.Fill(board.Draw(c.game.Layout(), o), h), 1)
	}
	lines := make([]string, h)
	say := fmt.Sprintf("%d tiles each, %d in the boneyard", c.game.Hand(1).Len(), c.game.Stock())
	lines[h/2] = page.Center(c.t.Paint(theme.Faint, c.fit(say, w)), w)
	return lines
}

// ruled extends a painted line with a rule up to w columns.
func (c *canvas) ruled(s string, w int) string {
	n := w - page.Width(s) - 1
	if n < 1 {
		return page.Pad(s, w)
	}
	return s + " " + c.t.Paint(theme.Border, strings.Repeat(c.g.Horizontal, n))
}

func (c *canvas) status(w int) string {
	if w < pairWidth {
		left := " " + c.t.Paint(theme.Title, fmt.Sprintf("R%d", c.m.Round)) + " "
		if c.seat != 0 {
			left += c.t.Paint(theme.Muted, fmt.Sprintf("seat %d ", c.seat))
		}
		return page.Right(left, c.scores(w-page.Width(left)-1, "")+" ", w)
	}
	target := ""
	if n := c.rec.Rules.TargetFor(len(c.rec.Names)); n > 0 {
		target = fmt.Sprintf(" of %d", n)
	}
	left := " " + c.t.Paint(theme.Title, fmt.Sprintf("Round %d of %d", c.m.Round, len(c.rec.Rounds))) + "  "
	about, role := c.fit(rules.Words(c.rec.Rules.String()), 40), theme.Muted
	if c.seat != 0 {
		about, role = "seen by "+c.name(c.seat, 12), theme.Accent
	}
	room := w - page.Width(left) - 4
	right := c.scores(max(w*3/5, room-text.Width(about)), target) + " " // names get the columns that are free
	if c.seat == 0 {
		about = c.fit(about, max(room+1-page.Width(right), 0))
	}
	left += c.t.Paint(role, about)
	return page.Right(left, right, w)
}

// scores returns the sides and their totals in at most w columns, followed by last.
func (c *canvas) scores(w int, last string) string {
	sides := c.game.Sides()
	room := (w-len(last)+2)/sides - 2 // for a name and its score
	parts := make([]string, sides)
	for i := range parts {
		score := fmt.Sprintf("%3d", c.game.Score(rules.Side(i+1)))
		parts[i] = c.t.Paint(theme.Side(i), c.sideName(rules.Side(i+1), max(room-len(score)-1, 1))) + " " + c.t.Paint(theme.Title, score)
	}
	return strings.Join(parts, "  ") + c.t.Paint(theme.Muted, last)
}

// name returns a seat's name in at most w columns; a bot loses its strength first.
func (c *canvas) name(s rules.Seat, w int) string {
	name := c.rec.Names[s-1]
	return c.fit(page.Longest(w, name, plain.FirstName(name)), w)
}

func (c *canvas) fit(s string, w int) string { return page.Clip(c.t, s, w) }

// sideName returns a side's name in at most w columns; partners' names are cut alike.
func (c *canvas) sideName(s rules.Side, w int) string {
	switch name := c.rec.Side(s); {
	case !c.rec.Rules.Teams:
		return c.name(rules.Seat(s), w)
	case text.Width(name) <= w:
		return c.fit(name, w)
	}
	half := max((w-1)/2, 1)
	return c.name(rules.Seat(s), half) + "+" + c.name(rules.Seat(s+2), half)
}

func (c *canvas) foot(w int) string {
	if c.move.Active() {
		if c.refused != "" {
			return " " + c.t.Paint(theme.Bad, c.fit(c.refused, w-2))
		}
		line, _ := c.move.Line(c.t, w-2)
		return " " + line
	}
	count, state, n := c.track()
	return " " + c.timeline(n) + c.t.Paint(theme.Title, count) + c.t.Paint(theme.Good, state)
}

// track is what stands in the foot: behind a blank the timeline of n columns, 0 where there is no room for it, and the words behind it.
func (c *canvas) track() (count, state string, n int) {
	switch {
	case c.playing && c.w < pairWidth:
		state = "playing "
	case c.playing:
		state = fmt.Sprintf("playing %4v ", speeds[c.speed])
	}
	count = fmt.Sprintf(" %*d of %d ", len(strconv.Itoa(c.rec.Turns)), c.m.Turn, c.rec.Turns)
	if c.chances != nil && c.w >= pairWidth { // below the curve, which is equally wide
		return count, state, c.w - 1 - c.curveName() - curveWords
	}
	if n = c.w - 1 - len(state) - len(count); n < 8 {
		n = 0
	}
	return count, state, n
}

// point is the moment that the timeline, or the curve above it, shows at a place: the one that is marked there, or else the first.
func (c *canvas) point(x, y int) (moment int, hit bool) {
	_, _, n := c.track()
	_, body := c.shape()
	if x--; x < 0 || x >= n || y <= body || y >= c.h {
		return 0, false
	}
	marked := slices.Clone(c.turns)
	for i := range c.rec.Rounds {
		marked = append(marked, c.rec.Rounds[i].Start)
	}
	for _, i := range marked {
		if c.column(i, n) == x {
			return i, true
		}
	}
	return (x*c.last() + n - 2) / (n - 1), true
}

// column returns where the timeline of n columns has a moment.
func (c *canvas) column(moment, n int) int { return moment * (n - 1) / c.last() }

// last returns the index of the last moment, at least 1.
func (c *canvas) last() int { return max(len(c.rec.Moments)-1, 1) }

// timeline draws the whole game as a line of n columns: where its rounds begin, and the current position.
func (c *canvas) timeline(n int) string {
	if n == 0 {
		return ""
	}
	cells := slices.Repeat([]string{c.g.Horizontal}, n)
	for i := range c.rec.Rounds {
		cells[c.column(c.rec.Rounds[i].Start, n)] = c.g.TeeTop
	}
	for _, i := range c.turns {
		cells[c.column(i, n)] = c.g.Last
	}
	here := c.column(c.at, n)
	return c.t.Paint(theme.Key, strings.Join(cells[:here], "")) + c.t.Paint(theme.Accent, c.g.On) +
		c.t.Paint(theme.Border, strings.Join(cells[here+1:], ""))
}

// curve draws how likely a side was to win over the whole game, above the timeline and equally wide: the side
// of the viewed seat, or else the first. It ends with the chance at the current moment and how much the
// moment changed it.
func (c *canvas) curve(w int) string {
	side := rules.Side(1)
	if c.seat != 0 {
		side = c.game.SideOf(c.seat)
	}
	say := c.chance(side)
	name := c.rec.Side(side)
	most := c.curveName()
	if c.rec.Rules.Teams && text.Width(name) > most {
		name = cmp.Or(c.rec.Teams[side-1], name) // says more than the beginning of two names
	}
	name = c.fit(name, most)
	n := w - 1 - most - curveWords
	last := len(c.chances) - 1
	var b strings.Builder
	for i := range n {
		p := c.chances[i*last/max(n-1, 1)][side-1]
		b.WriteString(c.g.Spark[min(int(p*float64(len(c.g.Spark))), len(c.g.Spark)-1)])
	}
	return " " + c.t.Paint(theme.Side(int(side)-1), b.String()) + " " + c.t.Paint(theme.Muted, name+" wins "+say)
}

// curveWords is the width of the words beside the curve, and beside the timeline below it, without the side's name.
const curveWords = len("  wins 100 % (+100)")

// curveName is the width of the side's name beside the curve: a player's, or what a team needs of a quarter of the screen.
func (c *canvas) curveName() int {
	need := text.MaxName
	for side := range rules.SideCount(len(c.rec.Names), c.rec.Rules.Teams) {
		need = max(need, text.Width(c.rec.Side(rules.Side(side+1))))
	}
	return min(need, max(text.MaxName, c.w/4))
}

// chance returns a side's chance at the moment, and how much the moment changed it.
func (c *canvas) chance(side rules.Side) string {
	now := c.chances.Percent(c.at)[side-1]
	say := fmt.Sprintf("%d %%", now)
	if c.at > 0 {
		if change := now - c.chances.Percent(c.at - 1)[side-1]; change != 0 {
			say += " (" + text.Signed(change) + ")"
		}
	}
	return say
}
