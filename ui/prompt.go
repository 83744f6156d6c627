package ui

import (
	"context"
	"fmt"
	"slices"
	"time"

	"charm.land/bubbles/v2/key"
	tea "charm.land/bubbletea/v2"

	"boneyard/lobby"
	"boneyard/lobby/text"
	"boneyard/table"
	"boneyard/ui/page"
	"boneyard/ui/theme"
)

// settles is how long a prompt is shown before its keys work. Until then, and wherever digits are the page's
// own, a key does what it did before the prompt came.
const settles = time.Second

var (
	keyYes = page.Bind("9", "join", "9") // no page has this number
	keyNo  = page.Bind("0", "decline", "0")
)

// heed takes note of what concerns the person on any page: prompts, and tables that wait for their move.
func (m *model) heed() {
	waits := m.env.Visit.Awaited()
	isNew := func(at table.ID) bool { return m.worthMentioning(at) && !slices.Contains(m.awaited, at) }
	if m.settings.Bell && m.arrived && slices.ContainsFunc(waits, isNew) {
		m.env.Bell()
	}
	m.awaited = waits
	asked := m.env.Visit.Prompt()
	if asked == m.prompt {
		return
	}
	m.prompt, m.promptAt = asked, time.Time{}
	if asked == nil {
		return
	}
	time.AfterFunc(time.Until(asked.At.Add(lobby.PromptLasts)), func() { m.send(page.ClubUpdateMsg{}) })
	if m.settings.Bell && asked != m.rung {
		m.env.Bell()
	}
	m.rung = asked
}

// settle notes since when the prompt has been shown where it can be answered. It is called for each frame,
// and since prompts are rare it asks the page last.
func (m *model) settle() {
	seen := m.prompt != nil && m.asking == "" && m.toast.Text == "" && !m.help.open && !m.small()
	if seen {
		c := m.page.Chrome()
		seen = !c.Typing && !c.Digits
	}
	switch {
	case !seen:
		m.promptAt = time.Time{}
	case m.promptAt.IsZero():
		m.promptAt = time.Now()
		time.AfterFunc(settles, func() { m.send(doMsg(func() tea.Cmd { return nil })) }) // but draw the keys, which may work by now
	}
}

func (m *model) settled() bool { return !m.promptAt.IsZero() && time.Since(m.promptAt) >= settles }

// promptLine returns the prompt, with its keys if they work, or with how to join later if they cannot.
func (m *model) promptLine(w int) string {
	t, keys, say := m.env.Theme, "", text.Printable(m.prompt.Text)
	switch {
	case m.promptAt.IsZero():
		say = m.prompt.Note()
	case m.settled():
		for _, b := range []key.Binding{keyYes, keyNo} {
			keys += "   " + t.Paint(theme.Key, b.Help().Key) + " " + t.Paint(theme.Muted, b.Help().Desc)
		}
	}
	room := w - 2 - page.Width(keys)
	if text.Width(say) > room { // what it is for matters most
		to := "Team"
		if m.prompt.Table != 0 {
			to = fmt.Sprintf("Table %d", m.prompt.Table)
		}
		say = to + ": " + say
	}
	return " " + t.Paint(theme.Accent, page.Cut(t, say, room)) + keys
}

// answerPrompt answers the prompt, and opens the table.
func (m *model) answerPrompt(yes bool) tea.Cmd {
	visit, asked := m.env.Visit, m.prompt
	m.prompt, m.promptAt = nil, time.Time{}
	return m.env.Call(func(ctx context.Context) tea.Msg {
		at, err := visit.Answer(ctx, asked, yes)
		switch {
		case at != 0 || err != nil:
			return page.OpenTable(at, err, false)()
		case yes:
			return page.Say("You are in the team.")
		}
		return page.Say("You have declined.")
	})
}
