package wall

import (
	"cmp"
	"fmt"
	"strconv"
	"strings"

	"boneyard/lobby"
	"boneyard/lobby/text"
	"boneyard/rules"
	"boneyard/table"
	"boneyard/ui/board"
	"boneyard/ui/english"
	"boneyard/ui/page"
	"boneyard/ui/plain"
	"boneyard/ui/screen"
	"boneyard/ui/theme"
)

// The least size of a table, if there is more than one.
const (
	leastWidth  = 80
	leastHeight = 18
	gap         = 2 // columns between two tables
	mostAcross  = 3
)

// capacity returns how many tables fit side by side and one below the other into a body of w columns and h
// rows.
func capacity(w, h int) (columns, rows int) {
	columns = min(max((w+gap)/(leastWidth+gap), 1), mostAcross)
	return columns, min(max(h/leastHeight, 1), lobby.MostOnWall/columns)
}

// grid returns how n tables are arranged in a body: in as few columns and rows as hold them, so that each is
// as large as possible.
func grid(n, w, h int) (columns, rows int) {
	mostColumns, mostRows := capacity(w, h)
	columns, rows = 1, 1
	for columns*rows < n && (columns < mostColumns || rows < mostRows) {
		// Additions keep the tables wide: a layout needs about four columns for each row.
		if columns < mostColumns && (rows >= mostRows || w/(columns+1) >= 4*(h/(rows+1))) {
			columns++
		} else {
			rows++
		}
	}
	return columns, rows
}

// Lines draws the tables.
func (p *Page) Lines() []string { return p.draw(p.Width, p.Height) }

func (p *Page) draw(w, h int) []string {
	switch {
	case p.fault != "":
		return p.say(p.fault, w, h)
	case !p.shown:
		return p.say("Looking for tables.", w, h)
	case len(p.views) == 0:
		return p.say("No public game is being played. The next one appears here by itself.", w, h)
	}
	columns, rows := grid(len(p.views), w, h)
	width, height := (w-gap*(columns-1))/columns, h/rows
	lines := make([]string, 0, h)
	for row := range rows {
		blocks := make([]page.Block, columns)
		for column := range columns {
			blocks[column].Width = width
			if i := row*columns + column; i < len(p.views) {
				blocks[column].Lines = tile(tileKey{p.views[i], p.env.Theme, i + 1, width, height})
			}
		}
		lines = append(lines, page.Fill(page.Beside(gap, blocks...), height)...)
	}
	return lines
}

func (p *Page) say(s string, w, h int) []string {
	lines := make([]string, h/2)
	for _, l := range page.Wrap(page.Plain(p.env.Theme, s), w-4) {
		lines = append(lines, page.Center(p.env.Theme.Paint(theme.Muted, l), w))
	}
	return page.Fill(lines, h)
}

// frames are shared by walls that show the same tables at the same size. Views are immutable, so the key
// determines what a frame shows.
var frames = screen.NewCache[frameKey, *screen.Frame](64)

type frameKey struct {
	views  [lobby.MostOnWall]*table.View
	theme  *theme.Theme
	notice string
	w, h   int
}

// Frame draws the whole screen, the same for all walls of the same tables, size and theme.
func (p *Page) Frame(w, h int) *screen.Frame {
	if !p.shown || p.fault != "" || len(p.views) > lobby.MostOnWall {
		return nil
	}
	k := frameKey{theme: p.env.Theme, notice: p.env.Visit.Snapshot().Notice, w: w, h: h}
	copy(k.views[:], p.views)
	return frames.Get(k, func() *screen.Frame {
		_, rows := page.Room(h)
		foot := ""
		if k.notice != "" {
			foot = page.Foot(k.theme, theme.Warn, k.notice, w)
		}
		return page.Shared(k.theme, w, h, title, p.subtitle(), p.draw(w, rows), foot, p.Actions())
	})
}

// tiles holds tables as last drawn, for all walls that show them.
var tiles = screen.NewCache[tileKey, []string](256)

type tileKey struct {
	view  *table.View
	theme *theme.Theme
	place int // from 1; 0 if tables are not numbered
	w, h  int
}

// Table draws a table into a rectangle, in h lines of at most w columns, once for all viewers.
func Table(v *table.View, t *theme.Theme, w, h int) []string {
	return tile(tileKey{view: v, theme: t, w: w, h: h})
}

// tile draws a table into a rectangle, in at most k.h lines of at most k.w columns.
func tile(k tileKey) []string {
	return tiles.Get(k, func() []string {
		d := drawing{k.view, k.theme, k.w}
		lines := append([]string{d.title(k.place)}, d.seats(k.h)...)
		if k.view.Game == 0 {
			lines = append(lines, d.rules()...)
		}
		room := k.h - len(lines) - 2 // for the last event, and a blank row below
		lines = append(lines, board.Draw(&k.view.Play.Layout, board.Options{
			Width: k.w, Height: max(room, 0), Theme: k.theme, Count: board.Counts(&k.view.Play.Rules),
		})...)
		role, say := d.last()
		return page.Fill(append(lines, "  "+d.fit(role, say, k.w-2)), k.h)
	})
}

type drawing struct {
	v  *table.View
	th *theme.Theme
	w  int
}

func (d *drawing) fit(r theme.Role, s string, w int) string { return page.Fit(d.th, r, s, w) }

// title names the table and what is played: "1 Table 12 Friday ── classic to 200, round 3".
func (d *drawing) title(place int) string {
	v := d.v
	name := "Table " + strconv.FormatInt(int64(v.Table), 10)
	if v.Config.Name != "" {
		name += " " + v.Config.Name
	}
	game := v.Config.Game()
	if v.Play.Round > 0 {
		game += ", round " + strconv.Itoa(v.Play.Round)
	}
	left := d.fit(theme.Title, name, d.w/2-3) + " "
	if place > 0 {
		left = d.th.Paint(theme.Key, strconv.Itoa(place)) + " " + left
	}
	room := d.w - page.Width(left) - 3
	right := " " + d.fit(theme.Muted, page.Parts(game, room), room)
	rule := d.w - page.Width(left) - page.Width(right)
	return left + d.th.Paint(theme.Border, strings.Repeat(d.th.Glyphs().Horizontal, max(rule, 0))) + right
}

// seats shows who plays, with scores and tiles left: partners' two sides next to each other, their seats one
// below the other.
func (d *drawing) seats(h int) []string {
	const wholeName = 28 // the width from which a seat has room for all names
	n := len(d.v.Seats)
	columns := 2
	if h < leastHeight && d.w/n >= wholeName {
		columns = n
	}
	width := d.w / columns
	lines := make([]string, (n+columns-1)/columns)
	for i := range n {
		lines[i/columns] += page.Pad(d.seat(rules.Seat(i+1), width-1), width)
	}
	return lines
}

// seat shows one seat in w columns: whose turn it is, team, name, score and tiles in hand.
func (d *drawing) seat(n rules.Seat, w int) string {
	const tilesInWords = 32 // the width from which a seat says "7 tiles"; a narrower one has the mark that the table's own page uses
	v, g := d.v, d.th.Glyphs()
	mark := " "
	if v.Play.Turn == n && v.State == table.Playing {
		mark = d.th.Paint(theme.Accent, g.Cursor)
	}
	side := v.Play.SideOf(n)
	name := v.Seats[n-1].Name()
	if len(v.Names) >= int(n) {
		name = v.Names[n-1]
	}
	held, room := strconv.Itoa(v.Play.Held[n-1])+d.th.Paint(theme.TileGhost, g.Back), len("10#")
	if w >= tilesInWords {
		room = len("10 tiles")
		held = d.th.Paint(theme.Muted, fmt.Sprintf("%*s", room, text.Number(v.Play.Held[n-1], "tile")))
	}
	if v.State != table.Playing && v.State != table.Paused {
		held = ""
	}
	width := min(w-len("> 12345 ")-room, text.MaxName+6)
	tagged := strings.TrimSpace(v.Seats[n-1].Player.Tag + " " + name)
	name = page.Longest(width, tagged, name, plain.FirstName(name)) // the name matters more than a tag or a bot's strength
	score := fmt.Sprintf("%5d ", v.Play.Scores[side-1])
	if v.Game == 0 {
		name, score = cmp.Or(name, "free"), ""
	}
	return mark + " " + page.Pad(d.fit(theme.Side(int(side)-1), name, width), width) + d.th.Paint(theme.Text, score) + page.Pad(held, room)
}

// rules says what is played, before a game, which has no layout to show.
func (d *drawing) rules() (lines []string) {
	const widest = 80 // columns; longer lines are hard to read
	c := &d.v.Config
	lines = append(lines, "")
	for _, say := range []string{english.Title(c.Rules.Preset) + ". " + english.Brief(&c.Rules), english.House(&c.Rules)} {
		if say != "" {
			lines = append(lines, page.Paragraph(d.th, theme.Text, say, 2, min(d.w-3, widest))...)
		}
	}
	return lines
}

// last returns the last event: a play with its receipt, how a round ended, or the result.
func (d *drawing) last() (theme.Role, string) {
	v := d.v
	names, sides := plain.Names(v), plain.SidesAt(v)
	switch {
	case v.Result != nil && v.Game != 0: // after a restart a table may have a result without its game
		return theme.Accent, plain.Result(sides, v.Play.Rules.Teams, v.Result)[0]
	case v.Notice != "":
		return theme.Warn, v.Notice
	case v.Game == 0:
		return theme.Muted, "The game has not begun."
	case v.State == table.Scoring:
		lines := plain.Scoring(&v.Play.Rules, &v.Play.Result, names, sides, 0)
		return theme.Good, lines[len(lines)-1]
	}
	for i := len(v.Log) - 1; i >= 0; i-- {
		if e := v.Log[i]; e.Number != 0 && e.Round == v.Play.Round {
			role := theme.Text
			if e.Event.Points > 0 {
				role = theme.Good
			}
			return role, plain.Entry(names, e)
		}
	}
	return theme.Muted, "The tiles have been dealt."
}
