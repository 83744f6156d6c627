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
	"boneyard/ui/english"
	"boneyard/ui/page"
	"boneyard/ui/theme"
)

// seen reports whether a seat's tiles are shown: all are once a round is over.
func (c *canvas) seen(s rules.Seat) bool {
	return c.seat == 0 || c.seat == s || c.game.Phase() != rules.Playing
}

func (c *canvas) side(s rules.Seat) theme.Role { return theme.Side(int(c.game.SideOf(s)) - 1) }

func (c *canvas) headline(w int) string {
	e := c.m.Event
	if c.next {
		e = c.decided().Event
		return c.t.Paint(theme.Accent, c.fit(fmt.Sprintf("Before move %d: %s played %s", c.decided().Turn, c.name(e.Seat, max(w-32, 4)),
			e.Choice()), w))
	}
	if c.m.Kind != replay.Moved {
		return c.t.Paint(theme.Accent, c.fit(c.happened(), w))
	}
	name := c.t.Paint(c.side(e.Seat), c.name(e.Seat, max(w-32, 4)))
	var did string
	switch e.Kind {
	case rules.Play:
		view := c.game.View(0)
		did = c.t.Paint(theme.TileLast, e.Tile.Name())
		if whole, short := board.Counted(&view, e.Points, c.t); page.Width(name+" "+did+whole) <= w {
			did += whole
		} else {
			did += short
		}
		if c.rec.Rules.Multiple == 0 && e.Arm != rules.NoArm {
			did += " " + c.t.Paint(theme.Key, e.Arm.String())
		}
		if e.End == rules.Domino {
			did += c.t.Paint(theme.Accent, " domino")
		}
	case rules.Draw:
		did = "draws"
		if e = e.For(c.reader(e.Seat)); e.Tile != rules.NoTile {
			did += " " + c.t.Paint(theme.TileLast, e.Tile.Name())
		}
	case rules.Pass:
		did = "passes"
	}
	return ansi.Truncate(name+" "+did, w, c.g.Ellipsis)
}

// reader returns the seat as which an event of another seat is read: that seat itself if its tiles are shown.
func (c *canvas) reader(s rules.Seat) rules.Seat {
	if c.seen(s) {
		return s
	}
	return c.seat
}

// happened describes in a sentence a moment that is not a move.
func (c *canvas) happened() string {
	if c.m.Kind == replay.Dealt {
		return fmt.Sprintf("Round %d is dealt; %s leads.", c.m.Round, c.rec.Names[c.game.Leader()-1])
	}
	if c.game.Phase() == rules.Over {
		return c.result()
	}
	return fmt.Sprintf("Round %d is over.", c.m.Round)
}

// result says who won, the winner's score first; it is empty if the game is not over.
func (c *canvas) result() string {
	last := c.rec.Game(len(c.rec.Moments) - 1)
	if last.Winner() == 0 {
		if last.Phase() != rules.Over {
			return ""
		}
		var scores []string
		for side := range last.Sides() {
			scores = append(scores, strconv.Itoa(int(last.Score(rules.Side(side+1)))))
		}
		return "The game is shared, " + strings.Join(scores, " : ")
	}
	verb := " wins "
	if c.rec.Rules.Teams {
		verb = " win "
	}
	s := c.rec.Side(last.Winner()) + verb + strconv.Itoa(int(last.Score(last.Winner())))
	for side := range last.Sides() {
		if side := rules.Side(side + 1); side != last.Winner() {
			s += " : " + strconv.Itoa(int(last.Score(side)))
		}
	}
	return s
}

// people draws the hands and the boneyard, followed by the last moves if there is room.
func (c *canvas) people(w, h int) []string {
	lines := append(c.hands(w, 1), c.boneyard(w))
	if room := h - len(lines) - 1; room > 0 {
		lines = append(append(lines, ""), c.moves(w, room)...)
	}
	return page.Fill(lines, h)
}

func (c *canvas) boneyard(w int) string {
	n := c.game.Stock()
	line := "   " + c.t.Paint(theme.Muted, "boneyard ")
	if n == 0 {
		return page.Pad(line+c.t.Paint(theme.Muted, "empty"), w)
	}
	return page.Pad(line+board.Backs(n, max(w-12, 1), c.t), w)
}

// hands draws all seats' hands in the given number of rows each, with the name in front, or above if the
// tiles are pictures.
func (c *canvas) hands(w, rows int) []string {
	namew := c.nameWidth(max(w/4-1, 5, w-3-wordTile*c.rec.Round(c.m.Round).Most)) // a name gives way to tiles
	var lines []string
	for i := range c.rec.Names {
		s := rules.Seat(i + 1)
		mark := " "
		if c.game.Turn() == s {
			mark = c.t.Paint(theme.Accent, c.g.Cursor)
		}
		head := mark + c.t.Paint(theme.Faint, strconv.Itoa(i+1)) + " " + page.Pad(c.t.Paint(c.side(s), c.name(s, namew)), namew) + " "
		room := w - namew - 4
		if rows == 1 {
			lines = append(lines, head+strings.Join(c.hand(s, room, 1), ""))
			continue
		}
		tiles := page.Fill(c.hand(s, w-3, rows), rows)
		if len(tiles[0]) > 0 && tiles[1] == "" { // one line of tiles is centred
			tiles[0], tiles[1] = "", tiles[0]
		}
		lines = append(append(lines, head), page.Shift(tiles, 3)...)
	}
	return lines
}

// nameWidth returns the width of a column of names: that of the longest, but no more than most.
func (c *canvas) nameWidth(most int) int {
	longest := 0
	for _, name := range c.rec.Names {
		longest = max(longest, text.Width(name))
	}
	return min(longest, most, 16)
}

func (c *canvas) hand(s rules.Seat, w, rows int) []string {
	h := c.game.Hand(s)
	if h.Empty() {
		return []string{c.t.Paint(theme.Faint, "no tiles")}
	}
	if !c.seen(s) {
		return []string{board.Backs(h.Len(), w, c.t)}
	}
	if rows == 1 && w < smallTile*(c.rec.Rules.HandSize(len(c.rec.Names))+spareTiles) {
		return []string{c.words(h, w)}
	}
	return board.Hand(h, board.HandOptions{Width: w, Height: rows, Theme: c.t, Chosen: rules.NoTile})
}

// If there is no room for a dealt hand and a few more as small tiles, all hands are written in words, so that
// they keep their look while tiles are played and drawn.
const (
	smallTile  = 6
	wordTile   = 4
	spareTiles = 2
)

// words writes a hand's tiles as text; those without room are counted.
func (c *canvas) words(h rules.Hand, w int) string {
	n, most := h.Len(), (w+1)/wordTile
	var b strings.Builder
	for i, tile := range h.Tiles() {
		if n > most && i >= most-1 {
			b.WriteString(c.t.Paint(theme.Muted, fmt.Sprintf("+%d", n-i)))
			break
		}
		b.WriteString(c.t.Paint(theme.Tile, tile.Name()+" "))
	}
	return b.String()
}

// moves draws the last moves of the round in at most h lines, newest last.
func (c *canvas) moves(w, h int) []string {
	var lines []string
	for i := c.at; i >= c.rec.Round(c.m.Round).Start && len(lines) < h; i-- {
		m := &c.rec.Moments[i]
		for _, r := range slices.Backward(m.Remarks) {
			lines = append(lines, c.t.Paint(theme.System, c.fit("      "+text.Printable(r), w)))
		}
		if m.Kind == replay.Moved {
			lines = append(lines, c.moveLine(m, w))
		}
	}
	lines = lines[:min(len(lines), max(h, 0))]
	slices.Reverse(lines)
	return lines
}

func (c *canvas) moveLine(m *replay.Moment, w int) string {
	e := m.Event.For(c.reader(m.Event.Seat))
	namew := c.nameWidth(max(w-26, 4))
	number, name := c.t.Paint(theme.Faint, fmt.Sprintf("%4d", m.Turn)), page.Pad(c.t.Paint(c.side(e.Seat), c.name(e.Seat, namew)), namew)
	var did string
	switch e.Kind {
	case rules.Play:
		did = fmt.Sprintf("%-7s", e.Choice())
		if c.rec.Rules.Multiple != 0 {
			did += fmt.Sprintf(" = %2d", e.Count)
		}
		if e.Points > 0 {
			did += " " + c.t.Paint(theme.Good, fmt.Sprintf("%+3d", e.Points))
		}
	case rules.Draw:
		did = c.t.Paint(theme.Muted, "draws")
		if e.Tile != rules.NoTile {
			did += " " + e.Tile.Name()
		}
	case rules.Pass:
		did = c.t.Paint(theme.Muted, "passes")
	}
	if m.Event == c.m.Event && m.Number == c.m.Number {
		number = c.t.Paint(theme.Accent, fmt.Sprintf("%4d", m.Turn))
	}
	return page.Pad(number+" "+name+" "+did, w)
}

// knows reports whether a move's choices are shown: to anybody but its player they would reveal the hand.
func (c *canvas) knows() bool { return c.seat == 0 || c.seat == c.m.Event.Seat }

// about explains the moment: the alternatives to the play, skipping the first ones if scrolled, or how the
// round was scored. It lists at most as many choices as fit in h lines.
func (c *canvas) about(w, h, scroll int) []string {
	c = c.explained()
	if lines := c.explanation(w, h); lines != nil {
		return c.part(lines, w, h, scroll)
	}
	return c.choices(w, h, scroll)
}

// explained is the moment that is explained: the next one, if its choices are shown.
func (c *canvas) explained() *canvas {
	if !c.next {
		return c
	}
	ahead := *c.Viewer
	ahead.next, ahead.at = false, c.at+1
	return ahead.canvas()
}

// explanation explains a moment at which nothing is known to be chosen; it is nil if something is. h rows
// should do.
func (c *canvas) explanation(w, h int) []string {
	switch {
	case c.m.Kind == replay.Ended:
		return c.scoring(w, h)
	case c.m.Kind == replay.Dealt:
		return c.dealt(w)
	case c.m.Event.Kind != rules.Play:
		return c.forced(w)
	case !c.knows():
		known := "Known to " + c.name(c.m.Event.Seat, 20) + page.Keyed(" alone; %s opens all hands.", KeyOpen)
		return append([]string{page.Rule(c.t, "Choices", w)}, c.wrap(theme.Faint, known, w)...)
	}
	return nil
}

// hidden is how far what explains the moment can be scrolled in h rows: 0 where there is room for all of it.
func (c *canvas) hidden(w, h int) int {
	c = c.explained()
	if lines := c.explanation(w, h); lines != nil {
		return max(len(lines)-h, 0)
	}
	if c.m.Options < h {
		return 0
	}
	return max(c.m.Options-1, 1)
}

// part is what h rows have room for of lines below their title, skipping the first ones if scrolled.
func (c *canvas) part(lines []string, w, h, scroll int) []string {
	over := len(lines) - h
	if over <= 0 || h < 2 {
		return lines[:min(len(lines), max(h, 0))]
	}
	from := 1 + min(scroll, over)
	return append(lines[:1:1], page.Beginning(c.t, lines[from:], w, h-1)...)
}

func (c *canvas) dealt(w int) []string {
	lines := []string{page.Rule(c.t, "The deal", w)}
	say := "The record has no seed to check this deal against."
	if c.rec.Seed != nil {
		say = "It follows from the game's seed."
	}
	return append(lines, c.wrap(theme.Muted, say, w)...)
}

func (c *canvas) forced(w int) []string {
	say := "No tile fits, so " + c.name(c.m.Event.Seat, 20) + " must draw."
	if c.m.Event.Kind == rules.Pass {
		say = "No tile fits and none may be drawn, so " + c.name(c.m.Event.Seat, 20) + " must pass."
	}
	return append([]string{page.Rule(c.t, "No choice", w)}, c.wrap(theme.Muted, say, w)...)
}

// choices lists what could have been played, best first, in at most h lines. The actual play is marked, and
// always among the first lines shown.
func (c *canvas) choices(w, h, scroll int) []string {
	view := c.before.View(c.m.Event.Seat)
	options := slices.Clone(view.Options)
	slices.SortStableFunc(options, func(a, b rules.Option) int { return cmp.Compare(b.Points, a.Points) })
	title := fmt.Sprintf("%d choices", len(options))
	if len(options) == 1 {
		title = "The only choice"
	}
	lines := []string{page.Rule(c.t, title, w)}
	if left := c.m.Left(); left > 0 {
		lines[0] = page.RuleTo(c.t, title, c.t.Paint(theme.Warn, fmt.Sprintf(" %d points left", left)), w)
	}
	room := max(h-1, 0)
	if room >= len(options) {
		scroll = 0
	} else if room > 0 {
		first := max(room-1, 1) // the last line says how many more there are
		e := c.m.Event
		at := slices.IndexFunc(options, func(o rules.Option) bool { return o.Choice == e.Choice() })
		if at >= first {
			played := options[at]
			options = slices.Insert(slices.Delete(options, at, at+1), first-1, played)
		}
	}
	rest := options[max(min(scroll, len(options)-1), 0):]
	more := 0
	if len(rest) > room {
		if room > 1 {
			room--
		}
		more, rest = len(rest)-room, rest[:room]
	}
	for _, o := range rest {
		best := c.m.Best.Points > 0 && o.Points == c.m.Best.Points && len(options) > 1
		lines = append(lines, c.choice(&view, o, best, w))
	}
	if more > 0 && h > 2 {
		lines = append(lines, "  "+c.t.Paint(theme.Muted, c.fit(fmt.Sprintf("%s %d more", c.g.Ellipsis, more), w-2)))
	}
	return lines
}

// choice draws one line: the tile, marked if it was played, what it would count, and whether it was the best.
func (c *canvas) choice(view *rules.View, o rules.Option, best bool, w int) string {
	mark, role := " ", theme.Text
	if e := c.m.Event; o.Choice == e.Choice() {
		mark, role = c.t.Paint(theme.TileLast, c.g.Last), theme.TileLast
	}
	line, end := mark+" "+c.t.Paint(role, o.Tile.Name()), ""
	if best {
		end = c.t.Paint(theme.Good, " best")
	}
	room := w - page.Width(end)
	if whole, short := board.Receipt(view, o, o.Arm.String(), c.t); whole == "" {
		line += " " + c.t.Paint(theme.Key, o.Arm.String())
	} else if page.Width(line+whole) <= room {
		line += whole
	} else {
		line += short
	}
	return page.Right(page.PadCut(c.t, line, room), end, w)
}

// scoring says how a round was scored, line by line, or more shortly if h rows are too few for that.
func (c *canvas) scoring(w, h int) (lines []string) {
	res := c.game.Result()
	said := []english.ScoreLine{{Text: "The target was reached with that play, which ends the game at once."}}
	if res.Round == c.m.Round {
		said = english.Scoring(&c.rec.Rules, &res, c.rec.Names, 0)
	}
	all, short := make([]string, 0, len(said)), "" // hands that change nothing are shown anyway
	for _, l := range said {
		all = append(all, l.Text)
		if l.Kind != english.ScoreHand || l.Change != 0 {
			short += strings.TrimSuffix(l.Text, ".") + ". "
		}
	}
	for _, said := range [][]string{all, {short}} {
		lines = []string{page.Rule(c.t, "Scoring", w)}
		for _, s := range said {
			lines = append(lines, c.wrap(theme.Text, strings.TrimSpace(s), w)...)
		}
		if c.game.Phase() == rules.Over {
			lines = append(lines, c.wrap(theme.Accent, c.result(), w)...)
			lines = append(lines, c.wrap(theme.Muted, page.Keyed("%s shows how the players did, and checks the deals.", KeySummary), w)...)
		}
		if len(lines) <= h {
			break
		}
	}
	return lines
}
