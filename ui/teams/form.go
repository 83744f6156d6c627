package teams

import (
	tea "charm.land/bubbletea/v2"

	"boneyard/lobby/text"
	"boneyard/ui/page"
	"boneyard/ui/screen"
	"boneyard/ui/theme"
)

// form asks for a new team's name and tag. It stands in the first two rows of the page.
type form struct {
	name, tag page.Input
}

var (
	keyNext = page.Bind("enter", "next, then create", "enter")
	keyTurn = page.Bind("tab", "name or tag", "tab", "shift+tab", "up", "down")
)

func newForm() form {
	return form{
		name: page.NewInput("Name of the team", "such as Night Owls", text.MaxTitle),
		tag:  page.NewInput("Tag             ", "2 to 5 letters or digits, such as OWL", text.MaxTag),
	}
}

func (f *form) open() bool { return f.name.Active() || f.tag.Active() }

func (f *form) begin() { f.name.Focus() }

// close ends the form and forgets what was typed.
func (f *form) close() {
	f.name.Blur()
	f.tag.Blur()
	f.name.Take()
	f.tag.Take()
}

// actions are those of the open form; send sends it off, and it stays open until it is closed.
func (f *form) actions(send func(name, tag string) tea.Cmd) (does page.Actions) {
	does.Add(true, keyNext, func() tea.Cmd {
		if f.name.Active() {
			f.turn()
			return nil
		}
		return send(f.name.Value(), f.tag.Value())
	})
	does.Add(true, keyTurn, func() tea.Cmd {
		f.turn()
		return nil
	})
	does.Add(true, page.KeyCancel, func() tea.Cmd {
		f.close()
		return nil
	})
	return does
}

// turn goes to the other line.
func (f *form) turn() {
	if f.name.Active() {
		f.name.Blur()
		f.tag.Focus()
		return
	}
	f.tag.Blur()
	f.name.Focus()
}

// handle gives a message to the line that takes it, as [page.Input.Handle].
func (f *form) handle(msg tea.Msg, keys page.Actions) (tea.Cmd, bool) {
	if f.name.Active() {
		return f.name.Handle(msg, keys)
	}
	return f.tag.Handle(msg, keys)
}

func (f *form) lines(t *theme.Theme, w int) []string {
	name, _ := f.name.Line(t, w-2)
	tag, _ := f.tag.Line(t, w-2)
	return []string{" " + name, " " + tag}
}

func (f *form) cursor(t *theme.Theme, w int) screen.Cursor {
	if f.tag.Active() {
		return f.tag.CursorAt(t, 1, 1, w-2)
	}
	return f.name.CursorAt(t, 1, 0, w-2)
}
