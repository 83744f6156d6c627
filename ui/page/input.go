package page

import (
	"slices"
	"strings"

	"charm.land/bubbles/v2/key"
	"charm.land/bubbles/v2/textinput"
	tea "charm.land/bubbletea/v2"

	"boneyard/lobby/text"
	"boneyard/ui/screen"
	"boneyard/ui/theme"
)

// Input is one line to type in. The zero value is not usable: see [NewInput].
type Input struct {
	Prompt string
	Hint   string // shown while nothing is typed
	limit  int
	model  *textinput.Model // nil while nothing is typed: it takes 7 kB, and most sessions have nothing to say
	active bool
}

// NewInput returns an input for at most limit characters.
func NewInput(prompt, hint string, limit int) Input {
	return Input{Prompt: prompt, Hint: hint, limit: limit}
}

// NewPartner returns an input for the name of a partner in an event.
func NewPartner() Input {
	return NewInput("Partner:", "the name of somebody in the club", text.MaxName)
}

func (i *Input) edit() *textinput.Model {
	if i.model == nil {
		m := textinput.New()
		m.CharLimit = i.limit
		i.model = &m
	}
	if i.active {
		i.model.Focus()
	}
	return i.model
}

// Active reports whether the line takes keys.
func (i *Input) Active() bool { return i.active }

// Focus lets the line take keys.
func (i *Input) Focus() {
	i.active = true
	i.edit()
}

// Blur makes the line take no keys; what was typed stays.
func (i *Input) Blur() {
	i.active = false
	if i.model != nil {
		i.model.Blur()
	}
}

// Value returns what was typed.
func (i *Input) Value() string {
	if i.model == nil {
		return ""
	}
	return typed(i.model)
}

// typed and position are apart, since the library's methods copy the line, which takes 8 kB of a session's stack.
//
//go:noinline
func typed(m *textinput.Model) string { return m.Value() }

//go:noinline
func position(m *textinput.Model) int { return m.Position() }

// Set replaces what was typed.
func (i *Input) Set(s string) {
	m := i.edit()
	m.SetValue(s)
	m.CursorEnd()
}

// Take returns what was typed and empties the line.
func (i *Input) Take() string {
	s := i.Value()
	i.model = nil
	return s
}

// Update handles a key or pasted text. The page handles Enter and Esc.
func (i *Input) Update(msg tea.Msg) {
	if p, ok := msg.(tea.PasteMsg); ok {
		msg = tea.PasteMsg{Content: strings.Join(strings.Fields(text.Printable(p.Content)), " ")}
	}
	m := i.edit()
	if k, ok := msg.(tea.KeyPressMsg); ok && key.Matches(k, m.KeyMap.DeleteWordForward) {
		deleteWord(m, tea.KeyRight)
	} else if ok && key.Matches(k, m.KeyMap.DeleteWordBackward) {
		deleteWord(m, tea.KeyLeft)
	} else {
		*m, _ = m.Update(msg)
	}
}

// deleteWord deletes from the cursor to the next word's end, or back to the last one's beginning. The
// library's own keys delete the next word with a last letter, or the blank before the first word, and panic
// at the last letter (bubbles v2.2.1).
func deleteWord(m *textinput.Model, arrow rune) {
	at := position(m)
	*m, _ = m.Update(tea.KeyPressMsg{Code: arrow, Mod: tea.ModAlt})
	from, to := min(at, position(m)), max(at, position(m))
	m.SetValue(string(slices.Delete([]rune(typed(m)), from, to)))
	m.SetCursor(from)
}

// Actions are the line's while it takes keys: Enter closes it and passes what was typed to enter, and Esc
// empties and closes it. If what enter does is refused, the line opens again with what was typed. does names
// what enter does.
func (i *Input) Actions(does string, enter func(typed string) tea.Cmd) (a Actions) {
	a.Add(true, Bind("enter", does, "enter"), func() tea.Cmd {
		typed, prompt := strings.TrimSpace(i.Take()), i.Prompt
		i.Blur()
		return IfRefused(enter(typed), func() {
			if i.Prompt == prompt { // the page may have used the line for something else since
				i.Reopen(typed)
			}
		})
	})
	a.Set(true, KeyCancel, func() {
		i.Take()
		i.Blur()
	})
	return a
}

// IfRefused returns a command that also calls again on its page, if it ends in a refusal.
func IfRefused(cmd tea.Cmd, again func()) tea.Cmd {
	if cmd == nil {
		return nil
	}
	return func() tea.Msg {
		msg := cmd()
		if !refused(msg) {
			return msg
		}
		return tea.BatchMsg{Send(msg), Send(Then(func() tea.Cmd {
			again()
			return nil
		}))}
	}
}

// Reopen lets the line take keys again, with what was typed before, unless something else was begun since.
func (i *Input) Reopen(typed string) {
	if i.Value() == "" {
		i.Set(typed)
		i.Focus()
	}
}

// Handle handles keys and pasted text while the line takes keys, and reports whether msg was handled.
func (i *Input) Handle(msg tea.Msg) (ok bool) {
	switch msg.(type) {
	case tea.PasteMsg, tea.KeyPressMsg:
		if i.active {
			i.Update(msg)
		}
		return i.active
	}
	return false
}

// Foot draws the line at the foot of a page of w columns; nil while it takes no keys.
func (i *Input) Foot(t *theme.Theme, w int) []string {
	if !i.active {
		return nil
	}
	line, _ := i.Line(t, w-2)
	return []string{" " + line}
}

// FootCursor returns the terminal's cursor in the line that [Input.Foot] draws.
func (i *Input) FootCursor(t *theme.Theme, s Size) screen.Cursor {
	return i.CursorAt(t, 1, s.Height-1, s.Width-2)
}

// Line draws the input into w columns, and returns the column of the cursor.
func (i *Input) Line(t *theme.Theme, w int) (string, int) {
	prompt := t.Paint(theme.Key, i.Prompt)
	pw := text.Width(i.Prompt)
	if i.Prompt != "" {
		prompt += " "
		pw++
	}
	room := max(w-pw-1, 1)
	runes := []rune(i.Value())
	if len(runes) == 0 {
		return prompt + t.Paint(theme.Faint, text.FitTail(i.Hint, room, t.Glyphs().Ellipsis)), pw
	}
	// Scroll so that the cursor is visible.
	pos := min(position(i.model), len(runes))
	start := 0
	for text.Width(string(runes[start:pos])) > room-1 && start < pos {
		start++
	}
	return prompt + text.FitTail(string(runes[start:]), room, t.Glyphs().Ellipsis), pw + text.Width(string(runes[start:pos]))
}

// CursorAt returns the terminal's cursor for an input drawn at x, y; hidden if the input takes no keys.
func (i *Input) CursorAt(t *theme.Theme, x, y, w int) screen.Cursor {
	if !i.active {
		return screen.Cursor{}
	}
	_, col := i.Line(t, w)
	return screen.Cursor{X: x + col, Y: y, Visible: true}
}
