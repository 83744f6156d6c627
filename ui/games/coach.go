package games

import (
	"context"
	"strconv"
	"strings"

	"charm.land/bubbles/v2/key"
	tea "charm.land/bubbletea/v2"

	"boneyard/lobby"
	"boneyard/lobby/rating"
	"boneyard/table"
	"boneyard/ui/page"
	"boneyard/ui/plain"
	"boneyard/ui/theme"
)

// coachSheet is what the coach says about the player's decisions, in the place of the replay.
type coachSheet struct {
	ask    page.Question
	said   *lobby.Coached
	fault  string
	scroll int
}

var (
	keyCoach      = page.Bind("c", "coach", "c")
	keyCoachShow  = page.Bind("1-3", "show the mistake", "1", "2", "3")
	keyCoachMove  = page.Bind("↑↓", "scroll", "up", "down", "k", "j", "pgup", "pgdown")
	keyCoachClose = page.Bind("c", "back to the game", "c", "esc", "q")
)

// coachedMsg is what the coach says.
type coachedMsg struct {
	said *lobby.Coached
	err  error
}

// askCoach opens the sheet and has the coach look at the game.
func (p *Replay) askCoach() tea.Cmd {
	p.coach = &coachSheet{}
	return p.coach.ask.Ask(p.env, func(ctx context.Context) tea.Msg {
		said, err := p.env.Visit.Coach(ctx, p.id)
		return coachedMsg{said, err}
	})
}

// coachSays takes the coach's review.
func (p *Replay) coachSays(msg coachedMsg) {
	if msg.err != nil {
		p.coach.fault = plain.Sentence(msg.err)
		return
	}
	p.coach.said = msg.said
}

func (p *Replay) closeCoach() {
	p.coach.ask.Forget()
	p.coach = nil
}

// coachKeys are those of the sheet.
func (p *Replay) coachKeys() []key.Binding {
	c, show, back := p.coach, keyCoachShow, keyCoachClose
	if p.viewer.Summary() {
		back.SetHelp("c", "back to points left")
	}
	if c.said == nil || len(c.said.Report.Worst) == 0 {
		return []key.Binding{back, keyCoachMove}
	}
	if n := len(c.said.Report.Worst); n == 1 {
		show.SetHelp("1", "show the mistake")
	} else {
		show.SetHelp("1-"+strconv.Itoa(n), "show the mistake")
	}
	return []key.Binding{show, keyCoachMove, back}
}

// keyAtCoach handles a key while the sheet is open.
func (p *Replay) keyAtCoach(msg tea.KeyPressMsg) {
	c := p.coach
	switch {
	case key.Matches(msg, keyCoachClose):
		p.closeCoach()
	case key.Matches(msg, keyCoachShow):
		if n, _ := strconv.Atoi(msg.String()); c.said != nil && n <= len(c.said.Report.Worst) {
			move := c.said.Report.Decisions[c.said.Report.Worst[n-1]].Move
			p.closeCoach()
			p.viewer.GoTo(move)
		}
	case key.Matches(msg, keyCoachMove):
		switch msg.String() {
		case "up", "k":
			c.scroll--
		case "down", "j":
			c.scroll++
		case "pgup":
			c.scroll -= 10
		case "pgdown":
			c.scroll += 10
		}
		c.scroll = max(c.scroll, 0)
	}
}

// lines draws the sheet.
func (c *coachSheet) lines(t *theme.Theme, id table.GameID, w, h int) []string {
	switch {
	case c.fault != "":
		return notice(t, theme.Bad, c.fault, w)
	case c.said == nil:
		return notice(t, theme.Faint, "The coach is looking at game "+strconv.FormatInt(int64(id), 10)+t.Glyphs().Ellipsis, w)
	}
	room := min(w-2, 96)
	lines := []string{""}
	for i, l := range plain.Coach(c.said.Report, c.said.Game.Seats) {
		role := theme.Text
		if i == 0 {
			role = theme.Title
		}
		for j, part := range page.Wrap(l, room-3) {
			indent := " "
			if j > 0 {
				indent = "    "
			}
			lines = append(lines, indent+t.Paint(role, part))
		}
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
	from := min(c.scroll, max(len(lines)-h, 0))
	return lines[from:min(from+h, len(lines))]
}
