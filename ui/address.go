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

// addressed directs the messages that follow from a command to the page that is shown now, however late they
// come.
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
// answer is dropped, since it must neither open a page nor ask a question. A line for the player, such as a
// refusal of the club, is shown all the same.
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

// each replaces the commands of a message that is a batch or a sequence of them, and reports whether it is
// one.
func each(msg tea.Msg, f func(tea.Cmd) tea.Cmd) bool {
	// Bubble Tea exports the type of a batch, but not that of a sequence.
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
