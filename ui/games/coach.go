package games

import (
	"context"
	"slices"
	"strconv"

	tea "charm.land/bubbletea/v2"

	"boneyard/lobby"
	"boneyard/rules/replay"
	"boneyard/table"
	"boneyard/ui/board"
	"boneyard/ui/page"
	"boneyard/ui/plain"
	"boneyard/ui/theme"
)

type coachSheet struct {
	page.Listed
	ask   page.Question
	rec   *replay.Record
	said  *lobby.Coached
	fault string
	text  page.Text
}

var (
	keyCoach      = page.Bind("c", "coach", "c")
	keyCoachShow  = page.Bind("1-3", "show the mistake", "1", "2", "3")
	keyCoachClose = page.Bind("c", "back to the game", "c", "esc", "q")
)

func (p *Replay) askCoach() tea.Cmd {
	c := &coachSheet{rec: p.rec}
	c.Sheet = func() page.Sheet { return c.sheet(p.env.Theme, p.id) }
	c.Resize(p.Width, p.Height)
	p.coach = c
	return page.Find(c.ask.Ask, p.env, func(ctx context.Context) (*lobby.Coached, error) { return p.env.Visit.Coach(ctx, p.id) },
		func(said *lobby.Coached, err error) tea.Cmd {
			if c.said = said; err != nil {
				c.fault = plain.Sentence(err)
			}
			return nil
		})
}

func (p *Replay) closeCoach() {
	p.coach.ask.Forget()
	p.coach, p.coached = nil, false
}

func (p *Replay) coachActions() (does page.Actions) {
	c, back := p.coach, keyCoachClose
	switch {
	case p.coached: // q leads back to where the coach was asked
		back = page.Named(back, "replay")
		back.SetKeys("c", "esc")
	case p.viewer.Summary():
		back = page.Named(back, "back to points left")
	}
	if c.said != nil {
		show, worst := keyCoachShow, c.said.Report.Worst
		if n := len(worst); n == 1 {
			show.SetHelp("1", "show the mistake")
		} else {
			show.SetHelp("1-"+strconv.Itoa(n), "show the mistake")
		}
		goTo := func(i int) (ok bool) {
			if ok = i >= 0 && i < len(worst); ok {
				p.closeCoach()
				p.viewer.GoTo(c.said.Report.Decisions[worst[i]].Move)
			}
			return ok
		}
		does.With(len(worst) > 0, show, func(pressed string) tea.Cmd {
			goTo(int(pressed[0] - '1'))
			return nil
		})
		if len(worst) > 0 {
			does.Pointed(func(_, y int) (tea.Cmd, bool) {
				_, ends := c.body(p.env.Theme, p.Width, p.Height)
				at, in := slices.BinarySearch(ends, c.text.From()+y)
				if in { // an end is the line behind it
					at++
				}
				return nil, goTo(at - firstMistake)
			})
		}
	}
	does.Scroll(c.Scrolls(), page.KeyScroll, c.Move)
	does.Set(true, back, p.closeCoach)
	return does
}

func (c *coachSheet) sheet(t *theme.Theme, id table.GameID) page.Sheet {
	switch {
	case c.fault != "":
		return page.Sheet{Above: notice(t, theme.Bad, c.fault, c.Width)}
	case c.said == nil:
		looks := "The coach is looking at game " + strconv.FormatInt(int64(id), 10) + t.Glyphs().Ellipsis
		return page.Sheet{Above: notice(t, theme.Faint, looks, c.Width)}
	}
	lines, _ := c.body(t, c.Width, c.Height)
	return page.Sheet{Rows: c.text.Of(lines)}
}

// firstMistake is which of the coach's sentences is about the first mistake.
const firstMistake = 2

// Where there is room, the position of a mistake is shown beside the sentence about it, or below: from so many
// columns on, and in so many rows.
const (
	besideWidth = 110
	leastRows   = 9
	mostRows    = 24
)

// position draws the layout before a decision in w columns and at most h rows, the better play as a ghost.
func (c *coachSheet) position(t *theme.Theme, decision, w, h int) []string {
	d := &c.said.Report.Decisions[decision]
	g := c.rec.Game(c.rec.MoveAt(d.Move) - 1)
	view := g.View(c.said.Report.Seat)
	after := view.After(d.Best)
	_, lines := board.Trim(board.Draw(&after, board.Options{Width: w, Height: h, Theme: t, Ghost: true, Count: board.Counts(&view.Rules)}))
	return lines
}

// body is what the coach says, in lines of at most w columns, of which h are seen at a time. ends are the lines
// behind each of the coach's sentences, and the position that belongs to it.
func (c *coachSheet) body(t *theme.Theme, w, h int) (lines []string, ends []int) {
	room, worst := min(w-2, 96), c.said.Report.Worst
	mistake := func(i int) bool { return i >= firstMistake && i < firstMistake+len(worst) }
	beside, wide, rest := w >= besideWidth, w*2/5, h-1
	var all [][]string
	for i, l := range plain.Coach(c.said.Report, plain.You(c.said.Game.Seats, c.said.Report.Seat)) {
		role, wrapped := theme.Text, room-3
		if i == 0 {
			role = theme.Title
		}
		if beside && mistake(i) {
			wrapped = wide - 4
		}
		var say []string
		for j, part := range page.Wrap(l, wrapped) {
			indent := " "
			if j > 0 {
				indent = "    "
			}
			say = append(say, indent+t.Paint(role, part))
		}
		if all = append(all, say); !beside || !mistake(i) {
			rest -= len(say)
		}
	}
	each := min(rest/max(len(worst), 1), mostRows) // rows for a position
	lines = []string{""}
	for i, say := range all {
		switch {
		case !mistake(i):
		case beside:
			pw := w - wide - 3
			position := c.position(t, worst[i-firstMistake], pw, max(each-1, leastRows))
			say = page.Beside(2, page.Block{Width: wide, Lines: append(say, "")}, page.Block{Width: pw, Lines: position})
		case each > leastRows:
			say = append(say, page.Shift(append(c.position(t, worst[i-firstMistake], room-3, each-1), ""), 4)...)
		}
		lines = append(lines, say...)
		ends = append(ends, len(lines))
	}
	if past := c.said.Accuracies; len(past) > 1 {
		lines = append(lines, "", " "+page.Accuracies(t, "Accuracy, game by game ", past, min(len(past), room/2)))
	}
	return lines, ends
}
