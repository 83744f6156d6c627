package ui

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/charmbracelet/x/ansi"

	"boneyard/lobby"
	"boneyard/lobby/event"
	"boneyard/lobby/text"
	"boneyard/table"
	"boneyard/ui/page"
	"boneyard/ui/screen"
	"boneyard/ui/theme"
)

func (m *model) frame() *screen.Frame {
	if m.page == nil || !m.drawn && m.page.Chrome().Opening {
		return nil
	}
	w, h := m.width, m.height
	if m.small() {
		say := fmt.Sprintf("Boneyard needs %d×%d; this is %d×%d. ctrl+c leaves.", page.MinWidth, page.MinHeight, w, h)
		lines := page.Wrap(say, w)
		return screen.NewFrame(screen.Content{Width: w, Height: h, Lines: lines[:min(len(lines), h)]})
	}
	if f, ok := m.page.(page.Framer); ok && !m.help.open && m.asking == "" && m.toast.Text == "" && m.prompt == nil && len(m.awaits()) == 0 {
		if shared := f.Frame(w, h); shared != nil {
			return shared
		}
	}
	top, rows := page.Room(h)
	c := m.page.Chrome()
	var body []string
	var cursor screen.Cursor
	if m.help.open {
		body = m.allKeys(w, rows)
	} else {
		left, _ := page.Middle(m.page, w)
		body = page.Shift(m.page.Lines(), left)
		if cursor = c.Cursor; cursor.Visible {
			cursor.X += left
			cursor.Y += top
		}
	}
	said := m.said(w)
	keys := m.keysLine(&c)
	lines := page.Around(m.env.Theme, w, h, m.headerLine(&c, w), body, m.foot(&c, said, w), keys)
	keys.Drawn()
	if len(said) > 1 {
		cursor.Visible = cursor.Visible && cursor.Y < h-len(said)
		copy(lines[h-len(said):], said)
	}
	return screen.NewFrame(screen.Content{Width: w, Height: h, Lines: lines, Cursor: cursor, Title: m.title(&c), Alike: m.tab() >= 0})
}

// title returns the terminal's title: the player's turn, else what was asked or noted, else the page.
func (m *model) title(c *page.Chrome) string {
	turn := c.Turn
	if others := m.awaits(); turn == 0 && len(others) > 0 {
		turn = others[0]
	}
	g := m.env.Theme.Glyphs()
	switch {
	case turn == 0 && m.prompt != nil:
		return g.On + " " + text.Printable(m.prompt.Text)
	case turn == 0 && m.rings != "" && m.toast.Text == m.rings:
		return g.On + " " + m.rings
	case turn == 0:
		return page.Club + ": " + c.Title
	}
	return fmt.Sprintf("%s Your turn %s table %d", g.On, g.Dash, turn)
}

// foot returns the line above the keys: the first that is said, or what concerns everybody.
func (m *model) foot(c *page.Chrome, said []string, w int) string {
	t := m.env.Theme
	switch {
	case len(said) > 0:
		return said[0]
	case m.prompt != nil:
		return m.promptLine(w)
	case m.height >= page.Roomy && m.env.Visit != nil: // small screens need the keys
		s := m.env.Visit.Snapshot()
		_, whole := m.page.(page.Framer) // and says itself what concerns everybody
		switch others := m.awaits(); {
		case s.Notice != "" && !whole:
			return page.Foot(t, theme.Warn, s.Notice, w)
		case len(others) > 0 && m.at.Kind != page.Lobby: // which says so itself
			press := ". Press " + tabKey(tabLobby) + ", then Enter."
			switch {
			case c.Typing:
				press = "."
			case c.Digits:
				press = ". Press " + page.KeyBack.Help().Key + " to go back."
			}
			where := fmt.Sprintf("table %d", others[0])
			if len(others) > 1 { // Enter opens the one that the lobby lists first
				where = text.Number(len(others), "table")
			}
			return hint(t, "Your turn at "+where, press, w)
		case whole || c.Digits || c.Typing: // where other keys lead away
			return ""
		}
		say, press := begins(s.Soon(m.env.Now()), m.at, w-2)
		if say == "" && m.at.Kind != page.Teams { // which lists them
			say, press = invited(m.env.Visit.Invited())
		}
		return hint(t, say, press, w)
	}
	return ""
}

// hint returns a line for the foot that ends with what to press, which is never cut.
func hint(t *theme.Theme, say, press string, w int) string {
	return page.Foot(t, theme.Accent, page.Clip(t, say, w-2-text.Width(press))+press, w)
}

// said returns a whole question, or what has just happened in at most two lines, or nothing. Where the foot is
// too small, it covers lines above until the next key.
func (m *model) said(w int) (lines []string) {
	t, role, say, end, most := m.env.Theme, m.toast.Role, text.Printable(m.toast.Text), "", 2
	if m.asking != "" {
		role, say, most = theme.Warn, m.asking, max(m.height-1, 1)
		end = t.Paint(theme.Key, "y") + t.Paint(theme.Muted, " or ") + t.Paint(theme.Key, "n")
	}
	if strings.TrimSpace(say) == "" {
		return nil
	}
	if lines = page.Wrap(say, w-2); len(lines) > most {
		lines = append(lines[:most-1], page.Clip(t, strings.Join(lines[most-1:], " "), w-2))
	}
	if end != "" && page.Width(lines[len(lines)-1]) > w-3-page.Width(end) {
		lines = append(lines, "")
	}
	for i, l := range lines {
		l = " " + t.Paint(role, l)
		if end != "" && i == len(lines)-1 {
			l += " " + end
		}
		lines[i] = page.Pad(l, w)
	}
	return lines
}

// begins returns the next arena in w columns, and what to press; nothing if none begins soon, or its page or
// the list with it is shown.
func begins(s *event.Soon, at page.Target, w int) (say, press string) {
	if s == nil || at == page.EventTarget(s.Kind, s.Event, "") || at.Event == 0 && at.Kind == page.EventDoors[s.Kind].List {
		return "", ""
	}
	press = ": press "
	if at.Kind != page.Lobby {
		press += tabKey(tabLobby) + ", then "
	}
	press += page.EventDoors[s.Kind].Key.Help().Key + "."
	return page.Longest(w-text.Width(press), s.Says, s.Brief), press
}

// awaits returns the tables, other than the one shown, that wait for the person's move.
func (m *model) awaits() []table.ID {
	return slices.DeleteFunc(slices.Clone(m.awaited), func(at table.ID) bool { return !m.worthMentioning(at) })
}

// worthMentioning reports whether a table is worth mentioning, since it is not shown. A wall is for other
// people.
func (m *model) worthMentioning(at table.ID) bool {
	return m.at.Kind != page.Wall && (m.at.Kind != page.Table || m.here().Table != at)
}

// invited returns which team, or how many teams, invite the person, and what to press; nothing if none does.
func invited(by []lobby.Invitation) (say, press string) {
	press = "; press " + tabKey(tabTeams) + " to answer."
	switch len(by) {
	case 0:
		return "", ""
	case 1:
		return fmt.Sprintf("The team %s [%s] invites you", text.Printable(by[0].Name), text.Printable(by[0].Tag)), press
	}
	return fmt.Sprintf("%d teams invite you", len(by)), press
}

// header is all that the top line depends on; it seldom changes from one frame to the next.
type header struct {
	theme           *theme.Theme
	w, tab          int
	asked           bool // a team waits for an answer
	who             string
	waits           string // says at which other table one's move is waited for; empty where the foot does
	title, subtitle string // the page's
}

func (m *model) headerLine(c *page.Chrome, w int) string {
	if m.env.Visit == nil {
		return page.Pad(" "+m.env.Theme.Paint(theme.Accent, page.Club), w)
	}
	h := header{m.env.Theme, w, m.tab(), len(m.env.Visit.Invited()) > 0, m.env.Visit.Player().Name, "", c.Title, c.Subtitle}
	if others := m.awaits(); len(others) > 0 && m.height < page.Roomy && m.at.Kind != page.Lobby {
		h.waits = fmt.Sprintf("%s your turn at %d", m.env.Theme.Glyphs().Bullet, others[0])
	}
	if h != m.header {
		m.header, m.headed = h, h.draw()
	}
	return m.headed
}

func (h *header) draw() string {
	t, w := h.theme, h.w
	if !h.tabbed() {
		who := h.who
		if say := cmp.Or(h.waits, h.subtitle); say != "" {
			who = say
		} else if h.tab >= 0 && h.tab != tabTeams && h.asked {
			say := t.Glyphs().Bullet + " " + tabKey(tabTeams) + " " + pages[tabTeams].name
			if both := say + "  " + who; text.Width(both) <= w-22 { // a title and the club's name
				say = both
			}
			who = say
		}
		return page.Header(t, h.title, who, w)
	}
	var b strings.Builder
	if w >= 100 { // with less room the pages' names are more use than the club's
		b.WriteString(" " + t.Paint(theme.Accent, page.Club) + "  ")
	}
	gap := " "
	for i, p := range pages {
		number := tabKey(i)
		b.WriteString(gap)
		gap = " "
		switch {
		case i == h.tab:
			b.WriteString(t.Paint(theme.Selected, " "+number+" "+p.name+" "))
		case i == tabTeams && h.asked: // the mark has the place of two blanks, so that nothing moves
			b.WriteString(" " + t.Paint(theme.Key, number) + " " + t.Paint(theme.Accent, p.name+" "+t.Glyphs().Bullet))
			gap = ""
		default:
			b.WriteString(" " + t.Paint(theme.Key, number) + " " + t.Paint(theme.Muted, p.name) + " ")
		}
	}
	const around, least = 2, 4 // a blank before the name and one behind it; less of a name tells nothing
	right, room := "", w-page.Width(b.String())-around
	if name := h.who; room >= min(text.Width(name), least) {
		if text.Width(name) > room {
			name = text.FitTail(name, room, t.Glyphs().Ellipsis)
		}
		right = t.Paint(theme.Muted, name) + " "
	}
	return page.Right(b.String(), right, w)
}

// tabbed reports whether the header has the pages' names.
func (h *header) tabbed() bool { return h.tab >= 0 && h.w >= 76 && h.waits == "" }

// at returns the index in pages of the name drawn at a column, or -1.
func (h *header) at(x int) int {
	if !h.tabbed() {
		return -1
	}
	drawn := ansi.Strip(h.draw()) // what stands before the pages' names, and they, have a column a byte
	for i, p := range pages {
		name := " " + tabKey(i) + " " + p.name
		if from := strings.Index(drawn, name); x >= from && x <= from+len(name) {
			return i
		}
	}
	return -1
}

// keysLine returns the keys of the help line: the page's, then the club's.
func (m *model) keysLine(c *page.Chrome) page.Actions {
	if m.help.open {
		return page.Actions(nil).And(keyRun, keyBook, keyClose)
	}
	switch does := m.page.Actions(); {
	case m.env.Visit == nil:
		return does.And(keyQuit)
	case c.Typing: // q and ? are text
		return does
	default:
		return does.And(m.keyBack(), page.KeyHelp)
	}
}

func (m *model) small() bool { return m.width < page.MinWidth || m.height < page.MinHeight }
