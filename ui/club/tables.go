package club

import (
	"boneyard/rules"
	"boneyard/ui/plain"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"boneyard/lobby/text"
	"boneyard/table"
	"boneyard/ui/page"
	"boneyard/ui/theme"
)

// The widths from which the list of tables has more columns than the players and the state, the pace, the
// watchers, and whole rules. Players come first: two names as long as any, with scores of two digits, fit into 39
// columns, which the list has at 80.
const (
	fullList     = 64
	withPaces    = 80
	withWatchers = 92
	withRules    = 116
)

// columns are the widths of the columns of the list of tables, 0 for absent ones.
type columns struct {
	small   bool
	number  int
	game    int
	players int
	state   int
	watch   int
	pace    int
	kind    int
}

// columnsFor divides w columns; last is the highest number of a table.
func columnsFor(w int, last table.ID) columns {
	if w < fullList {
		c := columns{small: true, number: max(len(number(last)), 4), state: 9}
		c.players = max(w-3-c.number-1-1-c.state-1, 1)
		return c
	}
	c := columns{number: max(len(number(last)), 3), game: 8, state: 9, kind: 7}
	c.players = w - 3 - c.number - 1 - c.game - 2 - 2 - c.state - 1 - c.kind
	take := func(column *int, from, columns, gap int) {
		if w >= from {
			*column += columns
			c.players -= columns + gap
		}
	}
	take(&c.pace, withPaces, 4, 1)
	take(&c.watch, withWatchers, 5, 1)
	take(&c.game, withRules, 16, 0)
	return c
}

// drawTables draws the list of tables: its title, heads and rows, and the details of the chosen table.
func (p *Page) drawTables(w, h int) []string {
	t := p.env.Theme
	last := table.ID(0)
	for i := range p.snap.Tables {
		last = max(last, p.snap.Tables[i].Table)
	}
	c := columnsFor(w, last)
	var lines []string
	if !p.layout().bare {
		var heads []page.Piece
		for _, s := range []string{"No", "Game", "Players", "State", "Watch", "Pace", "Kind"} {
			heads = append(heads, page.Piece{Role: theme.Muted, Text: s})
		}
		lines = append(lines, p.head(tables, "Tables "+strconv.Itoa(len(p.order)), p.counts(w-20), w), c.row(t, heads, nil, false))
	}
	rows, cursor := max(h-len(lines)-1, 1), p.cursor[tables]
	if len(p.order) == 0 {
		return page.Fill(append(lines, page.Paragraph(t, theme.Faint, p.empty(), 3, min(w-3, 72))...), h)
	}
	for i := cursor.Top; i < min(cursor.Top+rows, len(p.order)); i++ {
		lines = append(lines, p.row(p.order[i], c, i == cursor.At && p.focus == tables))
	}
	return append(page.Fill(lines, h-1), p.detail(w))
}

// empty returns why no table is shown, and what to do.
func (p *Page) empty() string {
	switch {
	case len(p.snap.Tables) == 0 && p.me.MaySit():
		return page.Keyed("No tables yet. Press %s to make one, %s to play now.", page.KeyNewTable, page.KeyQuick)
	case len(p.snap.Tables) == 0:
		return "No tables yet."
	case p.filter.Text != "":
		return "No match. Esc clears the search."
	}
	if !p.me.MaySit() {
		return "No match for " + p.filtered() + ". Esc shows all tables."
	}
	return "No match for " + p.filtered() + page.Keyed(". Esc shows all tables; %s makes one.", page.KeyNewTable)
}

// counts returns the filter, or where it is the person's move.
func (p *Page) counts(w int) string {
	t := p.env.Theme
	if s := p.filtered(); s != "" {
		return t.Paint(theme.Accent, page.Clip(t, s, w))
	}
	if p.yours > 0 {
		const one = "your move"
		all := one
		if p.yours > 1 {
			all += fmt.Sprintf(" at %d tables", p.yours)
		}
		return t.Paint(theme.Accent, page.Longest(w, all, one))
	}
	return ""
}

func (p *Page) filtered() string {
	f := &p.filter
	var parts []string
	add := func(on bool, s string) {
		if on {
			parts = append(parts, s)
		}
	}
	add(f.Joinable, "free seats")
	add(f.Mine, "my tables")
	add(f.Game != "", f.Game)
	add(f.Access != "", kindWords[f.Access])
	add(f.Text != "", "/"+f.Text)
	return strings.Join(parts, " "+p.env.Theme.Glyphs().Dot+" ")
}

var kindWords = map[table.Access]string{table.AccessOpen: "open", table.AccessCode: "private", table.AccessTeams: "team"}

// row draws a row of cells. players, if not nil, is the cell of players, in its width already.
func (c columns) row(t *theme.Theme, cells, players []page.Piece, chosen bool) string {
	const who, state = 2, 3
	r := page.NewLine(t)
	for i, w := range []int{-c.number, c.game, c.players, c.state, -c.watch, c.pace, c.kind} {
		switch {
		case w == 0:
			continue
		case i == 0:
		case !c.small && (i == who || i == state):
			r.Gap(2)
		default:
			r.Gap(1)
		}
		if i == who && players != nil {
			r.Pieces(players...)
		} else {
			r.Add(cells[i].Role, cells[i].Text, w)
		}
	}
	return r.Draw(chosen)
}

func (p *Page) drawTable(s *table.Summary, c columns, chosen bool) string {
	t := p.env.Theme
	game := plain.Game(s.Config.RuleText)
	if c.game > 12 {
		game = rules.Words(s.Config.RuleText)
	}
	watchers := ""
	if s.Watchers > 0 {
		watchers = strconv.Itoa(s.Watchers)
	}
	role, word := state(s, p.me)
	return c.row(t, []page.Piece{
		{Role: theme.Muted, Text: number(s.Table)}, {Role: theme.Text, Text: game}, {}, {Role: role, Text: word},
		{Role: theme.Muted, Text: watchers}, {Role: theme.Muted, Text: pace(t, s.Config.Pace)}, {Role: theme.Muted, Text: kind(s)},
	}, p.players(s, c.players), chosen)
}

func state(s *table.Summary, me table.Reader) (theme.Role, string) {
	if s.Asleep {
		return theme.Faint, "asleep"
	}
	switch s.State {
	case table.Gathering:
		word := "waiting"
		if s.Game != 0 {
			word = "rematch?"
		}
		if s.MayJoin(me) {
			return theme.Good, word
		}
		return theme.Muted, word
	case table.Countdown:
		return theme.Warn, "starting"
	case table.Playing, table.Scoring:
		if s.MoveOf(me.ID) {
			return theme.Accent, "your move"
		}
		return theme.Text, "round " + strconv.Itoa(s.Round)
	case table.Waiting:
		return theme.Muted, "on hold"
	case table.Adjourned:
		return theme.Faint, "asleep"
	case table.Frozen:
		return theme.Bad, "frozen"
	case table.Finished:
		if !s.Config.House && slices.ContainsFunc(s.Seats, func(seat table.SeatView) bool { return seat.Ready }) {
			return theme.Muted, "rematch?"
		}
		return theme.Muted, "over"
	}
	return theme.Muted, string(s.State)
}

func pace(t *theme.Theme, p table.Pace) string {
	switch d := p.Turn(); {
	case p == table.PaceSlow:
		return "24 h"
	case d > 0:
		return strconv.Itoa(int(d.Seconds())) + " s"
	}
	return t.Glyphs().Dash
}

func kind(s *table.Summary) string {
	if s.Config.House {
		return "house"
	}
	return kindWords[s.Config.Access]
}

// detail returns what the list omits about the chosen table.
func (p *Page) detail(w int) string {
	t, s := p.env.Theme, p.table()
	if s == nil || p.focus != tables {
		return ""
	}
	dot := " " + t.Glyphs().Dot + " "
	var parts []string
	if s.Config.Name != "" {
		parts = append(parts, s.Config.Name)
	}
	parts = append(parts, rules.Words(s.Config.RuleText))
	turn := plain.Pace(s.Config.Pace)
	parts = append(parts, turn)
	switch {
	case s.Config.House:
		parts = append(parts, "bots play while anyone watches")
	case s.Config.Access == table.AccessCode:
		if s.MaySit(p.me) {
			parts = append(parts, "join by code")
		} else {
			parts = append(parts, "private")
		}
		if s.Config.Watchers && !s.Config.OpenHands {
			parts = append(parts, "anyone may watch")
		}
	case s.Config.Access == table.AccessTeams:
		parts = append(parts, "for two teams")
	case s.State == table.Gathering && s.Config.Fill == table.FillSoon:
		parts = append(parts, "bots join soon")
	}
	if last := plain.Score(s.Scores...); last != "" {
		switch s.State {
		case table.Gathering, table.Countdown:
			parts = append(parts, "last game "+last)
		case table.Finished:
			parts = append(parts, "over, "+last)
		}
	}
	watching := fmt.Sprintf("%d watching", s.Watchers)
	switch {
	case !s.Config.Watchers:
		parts = append(parts, "only its players see it")
	case s.Watchers > 0:
		parts = append(parts, watching)
	}
	if s.Config.OpenHands {
		parts = append(parts, "watchers see hands after 2 min")
	}
	switch {
	case s.Config.House:
	case s.Rated:
		parts = append(parts, "rated")
	case len(s.Scores) > 0 || s.Casual() != "":
		parts = append(parts, "casual")
	}
	if text.Width(strings.Join(parts, dot)) > w-4 { // omit what the list shows, too
		parts = slices.DeleteFunc(parts, func(s string) bool {
			return s == turn && w >= withPaces || s == watching && w >= withWatchers
		})
	}
	for len(parts) > 1 && text.Width(strings.Join(parts, dot)) > w-4 {
		parts = parts[:len(parts)-1]
	}
	return "   " + t.Paint(theme.Muted, page.Clip(t, page.Plain(t, strings.Join(parts, dot)), w-4))
}
