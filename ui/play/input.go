package play

import (
	"context"

	tea "charm.land/bubbletea/v2"

	"boneyard/lobby/text"
	"boneyard/rules"
	"boneyard/ui/english"
	"boneyard/ui/page"
	"boneyard/ui/plain"
	"boneyard/ui/screen"
)

// invitation begins the line that the key for inviting offers. Nobody typed it, so it is no unfinished line.
const invitation = "/invite "

// talk starts a line, or continues the unfinished one.
func (p *Page) talk() {
	if p.line == nil || p.line.Value() == invitation {
		line := page.NewInput("", "to the table; /invite NAME asks somebody to come, /help lists commands", text.MaxLine)
		p.line = &line
	}
	p.line.Focus()
	p.promptLine()
}

// promptLine labels the input line, which hides the prompt: so the label says if it is the player's move.
func (p *Page) promptLine() {
	if p.line == nil {
		return
	}
	p.line.Prompt = "Say"
	if p.view.MyMove() {
		p.line.Prompt = "Your move. Say"
	}
}

// say sends the line that was typed.
func (p *Page) say() tea.Cmd {
	said := p.line.Value()
	p.line = nil
	if said == "" || p.view == nil {
		return nil
	}
	say := page.Get((*page.Env).Call, p.env, func(ctx context.Context) (string, error) { return p.club.SayAt(ctx, p.id, said) },
		func(reply string) tea.Cmd { return p.take(said, reply) })
	return page.IfRefused(say, func() {
		if p.line == nil {
			p.talk()
			p.line.Set(said)
		}
	})
}

// take shows the reply to a line: one line at the foot of the screen, a longer reply in place of the table.
func (p *Page) take(line, reply string) tea.Cmd {
	switch long := page.NewAnswer(p.env.Theme, p.Size, line, reply); {
	case long != nil:
		if p.line != nil {
			p.line.Blur() // keep a line begun in the meantime
		}
		p.answer = long
	case reply != "":
		p.listen() // the list of ignored people may have changed
		return page.Send(page.Say(reply))
	}
	return nil
}

// invite copies the command that leads to this table to the player's clipboard.
func (p *Page) invite() tea.Cmd {
	line := plain.Invitation(p.view, p.env.Address)
	if line == "" {
		return page.Send(page.Say("Nobody else can be invited to this table."))
	}
	say := line
	if p.env.Copy(line) {
		say = "Copied, if your terminal allows it: " + line
	}
	if p.view.POV != 0 && p.view.HasRoom() && !p.talking() {
		p.talk()
		p.line.Set(invitation)
	}
	return page.Send(page.Say(say))
}

// Point implements [page.Pointed] for tiles and ends while the player can choose; a second click plays.
func (p *Page) Point(x, y int) (again bool, cmd tea.Cmd) {
	at := chooses(p.view)
	if at == nil || p.sending {
		return false, nil
	}
	if p.past != (moment{}) || p.moves { // as with keys: nobody may play what is not on the screen
		return true, nil
	}
	pic := p.picture()
	v := &at.Play
	if t, ok := pic.tileAt(x, y); ok {
		if again = t == p.pick.tile; !again && !p.pick.choose(v, t) {
			cmd = page.Send(page.Say(english.Unplayable(v, t)))
		}
		return again, cmd
	}
	arm, ok := pic.armAt(x, y)
	switch {
	case !ok || p.pick.tile == rules.NoTile:
		return false, nil
	case arm == p.pick.arm && p.pick.sure:
		return true, nil
	}
	if _, fits := (&picker{tile: p.pick.tile, arm: arm}).option(v); !fits {
		return false, page.Send(page.Say(p.pick.tile.Name() + " does not fit there."))
	}
	p.pick = picker{tile: p.pick.tile, arm: arm, sure: true}
	return false, nil
}

// cursor returns the cursor's position in the input line.
func (p *Page) cursor() screen.Cursor {
	if p.view == nil || !p.talking() {
		return screen.Cursor{}
	}
	d := p.picture()
	row := d.h - 1
	if d.onBoard() {
		row = d.places().prompt
	}
	return p.line.CursorAt(p.env.Theme, 1, row, d.promptWidth())
}
