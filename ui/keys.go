package ui

import (
	"strconv"
	"strings"

	"charm.land/bubbles/v2/key"
	tea "charm.land/bubbletea/v2"

	"boneyard/ui/page"
)

var (
	keyQuit  = page.Bind("ctrl+c", "leave the club", "ctrl+c", "ctrl+d")
	keyNext  = page.Bind("tab", "next page", "tab")
	keyPrev  = page.Bind("shift+tab", "previous page", "shift+tab")
	keyAdmin = page.Bind("0", "the operators' page", "0")
	keyPages = page.Bind("1-"+strconv.Itoa(len(pages)), "pages", strings.Split("123456789"[:len(pages)], "")...)
)

// The indexes in pages of the lobby, and of the teams, where invitations are answered.
const (
	tabLobby = iota
	tabTeams
)

// tabKey returns the number key of a page, given its index in pages.
func tabKey(i int) string { return string(rune('1' + i)) }

func (m *model) key(msg tea.KeyPressMsg) tea.Cmd {
	m.toast = page.Toast{}
	if key.Matches(msg, keyQuit) {
		return m.leave()
	}
	if !m.arrived {
		if len(m.early) < maxEarly {
			m.early = append(m.early, msg)
		}
		return nil
	}
	if m.asking != "" {
		question := m.then
		m.asking, m.then = "", nil
		if s := msg.String(); s == "y" || s == "Y" {
			return m.addressed(page.Send(question))
		}
		return nil
	}
	if m.help.open {
		return m.helpKey(msg)
	}
	if m.env.Visit == nil || m.typing() {
		return m.forward(msg)
	}
	tab := m.tab()
	switch {
	case m.settled() && key.Matches(msg, keyYes, keyNo):
		return m.answerPrompt(key.Matches(msg, keyYes))
	case key.Matches(msg, page.KeyHelp):
		m.help.open = true
		m.choose(0)
		return nil
	case key.Matches(msg, page.KeyBack) && !key.Matches(msg, m.page.Actions().Keys()...): // it closes an overlay before it leads away
		q := m.page.Chrome().Leaving
		if m.leaves() { // q would end the session, and people press it once too often on their way back
			q = "Leave the club?"
		}
		if q != "" {
			m.asking, m.then = q, page.BackMsg{}
			return nil
		}
		return m.back()
	case tab >= 0 && m.env.Visit.Operator() && key.Matches(msg, keyAdmin):
		return m.open(page.Target{Kind: page.Admin}, true)
	case !m.page.Chrome().Digits && key.Matches(msg, keyPages):
		return m.openTab(int(msg.String()[0] - '1'))
	case tab >= 0 && key.Matches(msg, keyNext):
		return m.openTab((tab + 1) % len(pages))
	case tab >= 0 && key.Matches(msg, keyPrev):
		return m.openTab((tab + len(pages) - 1) % len(pages))
	}
	return m.forward(m.arrow(msg))
}

// onPage translates a place on the screen to one on the page; on reports whether its column is the page's.
func (m *model) onPage(x, y int) (px, py int, on bool) {
	top, _ := page.Room(m.height)
	left, w := page.Middle(m.page, m.width)
	return x - left, y - top, x >= left && x < left+w
}

// wheel turns the mouse's wheel into up and down where these choose, or scroll: then three rows at a time.
// Elsewhere they may choose a play, which the wheel must not do.
func (m *model) wheel(msg tea.MouseWheelMsg) tea.Cmd {
	k := tea.KeyPressMsg{Code: tea.KeyUp}
	switch msg.Button {
	case tea.MouseWheelUp:
	case tea.MouseWheelDown:
		k.Code = tea.KeyDown
	default:
		return nil
	}
	switch {
	case m.asking != "" || m.page == nil:
		return nil
	case m.help.open:
		return m.helpKey(k)
	}
	if p, ok := m.page.(page.Paneled); ok {
		if x, y, on := m.onPage(msg.X, msg.Y); on {
			p.FocusAt(x, y)
		}
	}
	switch m.moving(k) {
	case page.Chooses:
		return m.forward(k)
	case page.Scrolls:
		return tea.Batch(m.forward(k), m.forward(k), m.forward(k))
	}
	return nil
}

// moving returns the role of a key on the page: ByKey if it neither chooses nor scrolls.
func (m *model) moving(k tea.KeyPressMsg) page.ActionRole {
	if a := m.page.Actions().Of(k); a != nil {
		return a.Role
	}
	return page.ByKey
}

// arrows are the keys that move as in less and vi.
var arrows = map[string]string{"k": "up", "j": "down", "g": "home", "G": "end", "ctrl+b": "pgup", "ctrl+f": "pgdown"}

// arrow returns the key of arrows that a letter stands for, if that key moves on the page and the page does
// not use the letter itself; else msg.
func (m *model) arrow(msg tea.KeyPressMsg) tea.KeyPressMsg {
	to := arrows[msg.String()]
	if to == "" || m.page.Actions().Of(msg) != nil {
		return msg
	}
	if k := page.KeyPress(to); m.moving(k) != page.ByKey {
		return k
	}
	return msg
}

// leaves reports whether q leaves the club.
func (m *model) leaves() bool { return m.at.Kind == page.Lobby && len(m.history) == 0 }

func (m *model) typing() bool { return m.page.Chrome().Typing }

func (m *model) openTab(i int) tea.Cmd {
	m.history = nil
	switch m.at.Kind {
	case page.NewTable, page.NewArena: // the number may have been meant for the form
		m.history = []visited{{Target: m.here()}}
	case page.Table:
		if pages[i].kind != page.Lobby {
			m.history = []visited{{Target: m.here()}}
		}
	}
	if i == m.tab() {
		return nil
	}
	var last tea.Cmd
	if f, ok := m.page.(page.OnLeave); ok && pages[i].kind == page.Lobby {
		last = m.addressed(f.OnLeave(false))
	}
	return tea.Batch(last, m.open(page.Target{Kind: pages[i].kind}, false))
}
