package teams

import (
	"charm.land/bubbles/v2/key"
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

var formKeys = []key.Binding{
	page.Bind("enter", "next, then create", "enter"),
	page.Bind("tab", "name or tag", "tab", "shift+tab", "up", "down"),
	page.Bind("esc", "cancel", "esc"),
}

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

// key handles a key; whole is true when it has sent the form off, which stays open until it is closed.
func (f *form) key(msg tea.KeyPressMsg) (name, tag string, whole bool) {
	switch msg.String() {
	case "esc":
		f.close()
	case "tab", "shift+tab", "up", "down":
		f.turn()
	case "enter":
		if f.name.Active() {
			f.turn()
			return "", "", false
		}
		return f.name.Value(), f.tag.Value(), true
	default:
		f.update(msg)
	}
	return "", "", false
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

// update gives a key or pasted text to the line that takes it.
func (f *form) update(msg tea.Msg) {
	switch {
	case f.name.Active():
		f.name.Update(msg)
	case f.tag.Active():
		f.tag.Update(msg)
	}
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
