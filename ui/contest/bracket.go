package contest

import (
	"fmt"
	"strconv"

	"boneyard/lobby/event/match"
	"boneyard/lobby/text"
	"boneyard/ui/page"
	"boneyard/ui/plain"
	"boneyard/ui/theme"
)

// A round of the bracket takes some columns for the teams, see [Page.cell], and joint for the lines to the next.
const (
	joint = 3
	tags  = 13
	heads = 2 // lines above the first tie
)

// cell returns how many columns the teams of a round take: as many as the longest name needs, fewer if not all
// rounds have room for that, or enough for tags.
func (p *Page) cell() int {
	const least, around = 24, 8 // for names; beside them are a mark, a seed and the games won
	w := (p.Width-2+joint)/max(len(p.One.Rounds), 1) - joint
	if w < least {
		return tags
	}
	longest := 0
	for i := range p.One.Teams {
		longest = max(longest, text.Width(tagged(&p.One.Teams[i])))
	}
	return min(w, max(longest+around, least))
}

func tagged(team *match.Team) string { return team.Tag + " " + team.Name }

// tops returns the row of each tie's first team, by round: a tie takes two rows, and one of a later round
// stands midway between the two from which its teams come.
func tops(rounds [][]match.Tie) [][]int {
	all := make([][]int, len(rounds))
	for r, ties := range rounds {
		all[r] = make([]int, len(ties))
		for i := range ties {
			if r == 0 {
				all[r][i] = 3 * i
				continue
			}
			all[r][i] = (all[r-1][2*i] + 1 + all[r-1][2*i+1]) / 2
		}
	}
	return all
}

// seen returns the rounds that are on the screen, from one to before another: as later rounds come into view
// on the right, the first ones leave on the left.
func (p *Page) seen() (from, to int) {
	n, room := len(p.One.Rounds), max((p.Width-2+joint)/(p.cell()+joint), 1)
	from = max(min(p.round-room/2, n-room), 0)
	return from, min(from+room, n)
}

// tieAt returns the round and place of the tie at a column of the page and a line of the bracket.
func (p *Page) tieAt(x, line int) (round, place int, ok bool) {
	from, to := p.seen()
	cell := p.cell()
	round = from + (x-1)/(cell+joint)
	if x < 1 || round >= to || (x-1)%(cell+joint) >= cell {
		return 0, 0, false
	}
	top := tops(p.One.Rounds)
	y := line - heads + top[from][0]
	for i, row := range top[round] {
		if y == row || y == row+1 {
			return round, i, true
		}
	}
	return 0, 0, false
}

func (p *Page) bracket() (lines []string, rows []int) {
	t, rounds := p.Env.Theme, p.One.Rounds
	if len(rounds) == 0 {
		return []string{""}, nil
	}
	from, to := p.seen()
	cell, top := p.cell(), tops(rounds)
	names := " "
	for r := from; r < to; r++ {
		names += page.Pad(p.Text(theme.Muted, plain.RoundName(p.One, r+1), cell+joint-1), cell+joint)
	}
	lines = append(lines, page.Pad(names, p.Width), "")
	first := top[from]
	base := first[0]
	for y := base; y <= first[len(first)-1]+1; y++ {
		line := " "
		for r := from; r < to; r++ {
			line += p.teamAt(r, y, top[r])
			if r+1 < to {
				line += t.Paint(theme.Faint, p.jointAt(y, top[r]))
			}
		}
		lines = append(lines, page.Pad(line, p.Width))
	}
	for _, y := range top[p.round] {
		rows = append(rows, y-base+heads)
	}
	return lines, rows
}

func (p *Page) teamAt(r, y int, top []int) string {
	cell := p.cell()
	for i, row := range top {
		if y != row && y != row+1 {
			continue
		}
		tie := &p.One.Rounds[r][i]
		k := y - row
		mark := " "
		if r == p.round && i == p.place {
			mark = p.Env.Theme.Glyphs().Cursor
		}
		role, name := theme.Text, p.Env.Theme.Glyphs().Dash
		team := &tie.Teams[k]
		switch {
		case team.ID == 0 && tie.Bye:
			name, role = "bye", theme.Faint
		case team.ID == 0:
			role = theme.Faint
		case tie.Winner != 0 && tie.Winner != k+1:
			role = theme.Faint
		case team.ID == p.club.Player().Team:
			role = theme.Accent
		}
		seed := "   "
		if team.ID != 0 {
			seed, name = fmt.Sprintf("%2d ", team.Seed), team.Tag
			if cell > tags {
				name = tagged(team)
			}
		}
		wins := ""
		if m := p.One.MatchOf(tie); m != nil && (m.Done || len(m.Games) > 0) {
			switch s := m.Of(team.ID); {
			case s < 0 || m.Walkover && tie.Winner != k+1:
			case m.Walkover:
				wins = "def" // by default
			default:
				wins = strconv.Itoa(m.Sides[s].Wins)
			}
		}
		right := max(len(wins), 2)
		left := cell - 1 - right
		return p.Env.Theme.Paint(theme.Key, mark) + page.Pad(p.Env.Theme.Paint(role, seed)+p.Text(role, name, left-1-len(seed)), left) +
			page.Pad(p.Text(role, wins, right), right)
	}
	return page.Pad("", cell)
}

func (p *Page) jointAt(y int, top []int) string {
	g := p.Env.Theme.Glyphs()
	for i := 0; i+1 < len(top); i += 2 {
		above, below := top[i]+1, top[i+1]
		middle := (above + below) / 2
		switch {
		case y == middle && y == above:
			return g.Horizontal + g.TeeTop + g.Horizontal
		case y == above:
			return g.Horizontal + g.TopRight + " "
		case y == below:
			return g.Horizontal + g.BottomRight + " "
		case y == middle:
			return " " + g.TeeLeft + g.Horizontal
		case y > above && y < below:
			return " " + g.Vertical + " "
		}
	}
	return page.Pad("", joint)
}

func (p *Page) tieLine() string {
	tie := p.tie()
	name := func(k int) string {
		if tie.Teams[k].ID == 0 {
			return "not known yet"
		}
		return "[" + tie.Teams[k].Tag + "] " + tie.Teams[k].Name
	}
	switch m := p.chosen(); {
	case tie.Bye:
		return name(tie.Winner-1) + " has a bye in this round."
	case m == nil:
		return name(0) + " against " + name(1) + "."
	default:
		result := ": " + plain.FixtureResult(p.One, m, p.Env.Now()) + plain.Advances(p.One, tie)
		return page.Longest(p.Width-2, name(0)+" against "+name(1)+result,
			m.Sides[0].Tag+" "+p.Env.Theme.Glyphs().Dash+" "+m.Sides[1].Tag+result)
	}
}
