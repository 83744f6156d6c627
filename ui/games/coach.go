package games

import (
	"context"
	"strconv"
	"strings"

	tea "charm.land/bubbletea/v2"

	"boneyard/lobby"
	"boneyard/lobby/rating"
	"boneyard/rules/replay"
	"boneyard/table"
	"boneyard/ui/board"
	"boneyard/ui/page"
	"boneyard/ui/plain"
	"boneyard/ui/theme"
)

// coachSheet is what the coach says about the player's decisions, in the place of the replay.
type coachSheet struct {
	ask    page.Question
	rec    *replay.Record
	said   *lobby.Coached
	fault  string
	scroll int
}

var (
	keyCoach      = page.Bind("c", "coach", "c")
	keyCoachShow  = page.Bind("1-3", "show the mistake", "1", "2", "3")
	keyCoachClose = page.Bind("c", "back to the game", "c", "esc", "q")
)

// askCoach opens the sheet and has the coach look at the game.
func (p *Replay) askCoach() tea.Cmd {
	c := &coachSheet{rec: p.rec}
	p.coach = c
	return page.Find(c.ask.Ask, p.env, func(ctx context.Context) (*lobby.Coached, error) { return clubOf(p.env).Coach(ctx, p.id) },
		func(said *lobby.Coached, err error) tea.Cmd {
			if c.said = said; err != nil {
				c.fault = plain.Sentence(err)
			}
			return nil
		})
}

func (p *Replay) closeCoach() tea.Cmd {
	p.coach.ask.Forget()
	p.coach = nil
	return nil
}

func (p *Replay) coachActions() (does page.Actions) {
	c, back := p.coach, keyCoachClose
	if p.viewer.Summary() {
		back = page.Named(back, "back to points left")
	}
	if c.said != nil {
		show, worst := keyCoachShow, c.said.Report.Worst
		if n := len(worst); n == 1 {
			show.SetHelp("1", "show the mistake")
		} else {
			show.SetHelp("1-"+strconv.Itoa(n), "show the mistake")
		}
		does.With(len(worst) > 0, show, func(pressed string) tea.Cmd {
			if n := int(pressed[0] - '0'); n <= len(worst) {
				p.closeCoach()
				p.viewer.GoTo(c.said.Report.Decisions[worst[n-1]].Move)
			}
			return nil
		})
	}
	does.Scroll(true, page.KeyScroll, func(pressed string) tea.Cmd {
		c.scroll = page.Scrolled(pressed, c.scroll, len(c.body(p.env.Theme, p.Width)), p.Height)
		return nil
	})
	does.Add(true, back, p.closeCoach)
	return does
}

func (c *coachSheet) lines(t *theme.Theme, id table.GameID, w, h int) []string {
	switch {
	case c.fault != "":
		return notice(t, theme.Bad, c.fault, w)
	case c.said == nil:
		return notice(t, theme.Faint, "The coach is looking at game "+strconv.FormatInt(int64(id), 10)+t.Glyphs().Ellipsis, w)
	}
	lines := c.body(t, w)
	from := min(c.scroll, max(len(lines)-h, 0))
	return lines[from:min(from+h, len(lines))]
}

// Where there is room, the position of a mistake is shown beside the sentence about it.
const (
	besideWidth  = 110
	positionRows = 9
)

// position draws the layout before a decision, with the better play as a ghost.
func (c *coachSheet) position(t *theme.Theme, decision, w int) []string {
	d := &c.said.Report.Decisions[decision]
	g := c.rec.Game(c.rec.MoveAt(d.Move) - 1)
	view := g.View(c.said.Report.Seat)
	after := view.After(d.Best)
	return board.Draw(&after, board.Options{Width: w, Height: positionRows, Theme: t, Ghost: true, Count: board.Counts(&view.Rules)})
}

// body is what the coach says, in lines of at most w columns; nothing before it is said.
func (c *coachSheet) body(t *theme.Theme, w int) []string {
	if c.said == nil {
		return nil
	}
	room := min(w-2, 96)
	lines := []string{""}
	for i, l := range plain.Coach(c.said.Report, plain.You(c.said.Game.Seats, c.said.Report.Seat)) {
		role := theme.Text
		if i == 0 {
			role = theme.Title
		}
		const first = 2 // the line of the first mistake
		n, wrapped := i-first, room-3
		beside := w >= besideWidth && n >= 0 && n < len(c.said.Report.Worst)
		if beside {
			wrapped = w/2 - 4
		}
		var say []string
		for j, part := range page.Wrap(l, wrapped) {
			indent := " "
			if j > 0 {
				indent = "    "
			}
			say = append(say, indent+t.Paint(role, part))
		}
		if beside {
			pw := w - w/2 - 3
			say = page.Beside(2, page.Block{Width: w / 2, Lines: say}, page.Block{Width: pw, Lines: c.position(t, c.said.Report.Worst[n], pw)})
		}
		lines = append(lines, say...)
		if l == "" {
			lines = append(lines, "")
		}
	}
	if past := c.said.Accuracies; len(past) > 1 {
		numbers := make([]int, len(past))
		for i, a := range past {
			numbers[i] = int(a)
		}
		var spark strings.Builder
		for _, level := range rating.Sparkline(numbers, min(len(numbers), room/2)) {
			spark.WriteString(t.Glyphs().Spark[level])
		}
		lines = append(lines, "", " "+t.Paint(theme.Muted, "Accuracy, game by game ")+t.Paint(theme.Accent, spark.String())+
			t.Paint(theme.Muted, " "+strconv.Itoa(numbers[len(numbers)-1])+" %"))
	}
	return lines
}
