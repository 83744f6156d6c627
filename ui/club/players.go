package club

import (
	"slices"
	"strconv"
	"strings"

	"boneyard/lobby/text"
	"boneyard/rules"
	"boneyard/table"
	"boneyard/ui/page"
	"boneyard/ui/plain"
	"boneyard/ui/theme"
)

// token is a part of the players' column; if room is short, names are cut first.
type token struct {
	page.Piece
	name bool
}

type tokens []token

func (all *tokens) add(role theme.Role, s string) {
	*all = append(*all, token{page.Piece{Role: role, Text: s}, false})
}

func (all *tokens) addName(role theme.Role, name string) {
	*all = append(*all, token{page.Piece{Role: role, Text: text.Printable(name)}, true})
}

func (all tokens) width() (n int) {
	for _, k := range all {
		n += text.Width(k.Text)
	}
	return n
}

// players lists who sits at a table, with the scores once a game has begun: "ana 45 : 60 ben", "ana, ben,
// free". The table's name, which the line below the list has too, is before them if all of it fits. If even
// cut names of four members of two teams do not fit, the teams' tags replace them.
func (p *Page) players(s *table.Summary, w int) []page.Piece {
	all := p.tokens(s, w, false)
	if s.Config.Name != "" {
		var named tokens
		named.addName(theme.Title, s.Config.Name)
		named.add(theme.Muted, ": ")
		if named = append(named, all...); named.width() <= w {
			all = named
		}
	}
	if s.Config.Access == table.AccessTeams && least(all) > w {
		all = p.tokens(s, w, true)
	}
	return fit(p.env.Theme, all, w)
}

func (p *Page) tokens(s *table.Summary, w int, tagsOnly bool) (all tokens) {
	sides := rules.SideCount(len(s.Seats), s.Config.Rules.Teams)
	free := s.Free()
	deserted := s.State == table.Finished && free > 0 // somebody whose score it is has left, and "25 free" means seats
	together := sides > 2 && free > 0 && w < 28       // free seats are only counted
	for side := 1; side <= sides; side++ {
		if together && s.Seats[side-1].Free() {
			continue
		}
		score := ""
		if side <= len(s.Scores) && !s.State.Gathers() && !deserted {
			score = strconv.Itoa(s.Scores[side-1])
		}
		switch {
		case side > 1 && sides == 2:
			all.add(theme.Muted, " : ")
			if score != "" {
				all.add(theme.Text, score+" ")
			}
		case len(all) > 0:
			all.add(theme.Muted, ", ")
		}
		if tag := tagOf(s, side); tagsOnly && tag != "" {
			all.add(theme.Text, tag)
		} else {
			p.side(s, side, &all)
		}
		if score != "" && (side == 1 || sides > 2) {
			all.add(theme.Text, " "+score)
		}
	}
	if together {
		if free < len(s.Seats) {
			all.add(theme.Muted, ", ")
		}
		all.add(theme.Good, strconv.Itoa(free)+" free")
	}
	return all
}

// tagOf returns the tag of the team that holds all seats of a side, or "".
func tagOf(s *table.Summary, side int) string {
	tag := ""
	for i := range s.Seats {
		if int(rules.SideOf(rules.Seat(i+1), s.Config.Rules.Teams)) != side {
			continue
		}
		if tag = s.Seats[i].Player.Tag; s.Seats[i].Free() || tag == "" {
			return ""
		}
	}
	return text.Printable(tag)
}

// side adds the players of a side, partners with their team's tag.
func (p *Page) side(s *table.Summary, side int, all *tokens) {
	first := true
	for i := range s.Seats {
		seat := &s.Seats[i]
		if int(rules.SideOf(rules.Seat(i+1), s.Config.Rules.Teams)) != side {
			continue
		}
		switch {
		case !first:
			all.add(theme.Muted, "+")
		case s.Config.Access == table.AccessTeams && seat.Player.Tag != "":
			all.add(theme.Muted, text.Printable(seat.Player.Tag)+" ")
		}
		first = false
		switch {
		case seat.Free():
			all.add(theme.Good, "free")
		case seat.House != "" || seat.StandIn: // a bot plays
			all.addName(theme.Muted, seat.Name())
		case seat.Player.ID == p.me.ID:
			all.addName(theme.Title, seat.Name())
		default:
			all.addName(theme.Text, seat.Name())
		}
	}
}

// shortest is the length to which names are cut first.
const shortest = 4

// least returns the columns of tokens with names cut to shortest, and without the blanks that [fit] drops first.
func least(all tokens) int {
	n := all.width()
	for _, k := range all {
		if k.name {
			n -= max(text.Width(k.Text)-shortest, 0)
		} else if k.Text == " : " {
			n -= 2
		}
	}
	return n
}

// fit fits tokens into exactly w columns: bots lose their strength first, then it cuts the longest names, to
// one letter if scores need the room, and at last whatever does not fit.
func fit(t *theme.Theme, all tokens, w int) []page.Piece {
	if all.width() > w {
		for i := range all {
			if all[i].name {
				all[i].Text = plain.FirstName(all[i].Text)
			}
		}
	}
	widths := make([]int, len(all))
	total, longest := 0, 0
	for i, k := range all {
		widths[i] = text.Width(k.Text)
		total += widths[i]
		if k.name {
			longest = max(longest, widths[i])
		}
	}
	for i := range all { // blanks around a colon matter less than names
		if total > w && all[i].Text == " : " {
			all[i].Text, widths[i] = ":", 1
			total -= 2
		}
	}
	for total > w && longest > 1 {
		longest--
		for i, k := range slices.Backward(all) {
			if total <= w {
				break // each letter counts
			}
			if k.name && widths[i] > longest {
				widths[i]--
				total--
			}
		}
	}
	for i := range all { // then the blanks after commas
		if total > w && all[i].Text == ", " {
			all[i].Text = ","
			widths[i]--
			total--
		}
	}
	pieces := make([]page.Piece, 0, len(all)+1)
	left := w
	for i, k := range all {
		n := min(widths[i], left)
		if n < text.Width(k.Text) { // a whole token keeps its blanks
			if k.name && n < shortest { // letters are worth more than an ellipsis
				k.Text = text.FitTail(k.Text, n, "")
			} else {
				k.Text = page.Cut(t, k.Text, n)
			}
		}
		pieces = append(pieces, k.Piece)
		left -= n
	}
	return append(pieces, page.Piece{Role: theme.Text, Text: strings.Repeat(" ", left)})
}
