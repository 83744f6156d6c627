package ui

import (
	"reflect"

	tea "charm.land/bubbletea/v2"

	"boneyard/ui/page"
)

type answerMsg struct {
	to  int // the page's number
	msg tea.Msg
}

// addressed has all that comes of a command of the page that is shown find that page only, however late it
// comes.
func (m *model) addressed(c tea.Cmd) tea.Cmd { return addressed(m.number, c) }

func addressed(to int, c tea.Cmd) tea.Cmd {
	if c == nil {
		return nil
	}
	return func() tea.Msg {
		msg := c()
		if msg == nil || each(msg, func(c tea.Cmd) tea.Cmd { return addressed(to, c) }) {
			return msg
		}
		return answerMsg{to, msg}
	}
}

// answer hands an answer to the page that asked, unless the page has asked again. If that page was left, the
// answer is dropped: it must neither lead elsewhere nor ask a question. A line for the player, such as why
// the club refused something, is shown all the same.
func (m *model) answer(a answerMsg) tea.Cmd {
	msg := a.msg
	if q, ok := msg.(page.AnswerMsg); ok {
		if msg, ok = q.Take(); !ok {
			return nil
		}
	}
	if _, said := msg.(page.Toast); !said && a.to != m.number {
		return nil
	}
	return m.update(msg)
}

// each replaces the commands of a message that is a list of them, to be carried out together or one after
// another. It reports whether the message is one.
func each(msg tea.Msg, f func(tea.Cmd) tea.Cmd) bool {
	// Bubble Tea exports the type of the one list, and not that of the other.
	v := reflect.ValueOf(msg)
	if !v.IsValid() || v.Kind() != reflect.Slice || !v.Type().ConvertibleTo(commands) {
		return false
	}
	list := v.Convert(commands).Interface().([]tea.Cmd)
	for i := range list {
		list[i] = f(list[i])
	}
	return true
}

var commands = reflect.TypeFor[[]tea.Cmd]()
