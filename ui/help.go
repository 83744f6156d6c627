package ui

import (
	"fmt"
	"slices"
	"strings"
	"unicode/utf8"

	"charm.land/bubbles/v2/key"
	tea "charm.land/bubbletea/v2"

	"boneyard/ui/page"
	"boneyard/ui/theme"
)

// help is the list of all keys that ? opens. Typing filters it, and Enter runs an entry.
type help struct {
	open   bool
	filter string
	chosen entry // an entry, not an index, so that it stays when the list changes
}

type entry struct {
	show, does string
	run        string // the key that Enter presses; empty if the entry's keys differ in what they do
}

var (
	keyRun   = page.Bind("enter", "run it", "enter")
	keyBook  = page.Bind("?", "rulebook", "?")
	keyClose = page.Bind("esc", "back", "esc")
)

// most is the most characters of a filter.
const most = 24

// helpKey handles a key while the list is open. A key without a use in the list closes it and is then handled
// as usual.
func (m *model) helpKey(msg tea.KeyPressMsg) tea.Cmd {
	found := m.found()
	switch {
	case key.Matches(msg, keyClose):
		m.help = help{}
	case key.Matches(msg, keyBook):
		return m.open(page.Target{Kind: page.Rules}, true)
	case key.Matches(msg, keyRun):
		chosen := m.help.chosen
		m.help = help{}
		switch {
		case !slices.Contains(found, chosen): // it was, until the list changed
		case chosen.run == "":
			m.say(page.Say(fmt.Sprintf("Press its keys here: %s, %s.", chosen.show, chosen.does)))
		default:
			return m.key(page.KeyPress(chosen.run))
		}
	case key.Matches(msg, page.KeyMove):
		c := page.Cursor{At: slices.Index(found, m.help.chosen)}
		c.Move(msg.String(), len(found), m.height/2)
		m.choose(c.At)
	case msg.String() == "backspace":
		_, n := utf8.DecodeLastRuneInString(m.help.filter)
		m.help.filter = m.help.filter[:len(m.help.filter)-n]
		m.choose(0)
	case msg.Text != "":
		if utf8.RuneCountInString(m.help.filter) < most {
			m.help.filter += msg.Text
		}
		m.choose(0)
	default:
		m.help = help{}
		return m.key(msg)
	}
	return nil
}

// choose puts the cursor on the i-th matching entry, if there is any.
func (m *model) choose(i int) {
	if found := m.found(); len(found) > 0 {
		m.help.chosen = found[i]
	}
}

// found returns the entries that match the filter, those whose key it is first.
func (m *model) found() []entry {
	f := strings.ToLower(strings.TrimSpace(m.help.filter))
	var exact, rest []entry
	for _, e := range m.entries() {
		switch {
		case m.help.filter == e.show:
			exact = append(exact, e)
		case strings.Contains(strings.ToLower(e.show+" "+e.does), f):
			rest = append(rest, e)
		}
	}
	return append(exact, rest...)
}

// entries returns all keys that do something now.
func (m *model) entries() []entry {
	var all []entry
	for _, b := range m.bindings() {
		e := entry{show: b.Help().Key, does: b.Help().Desc}
		if keys := b.Keys(); slices.Contains(keys, e.show) || len(keys) > 0 && len(page.KeyPress(keys[0]).Text) == 0 {
			e.run = keys[0] // of arrows the first; digits are typed on the page
		}
		all = append(all, e)
	}
	return all
}

const (
	keyColumn   = 35 // the least width of a key with what it does
	beforeDoes  = 13 // columns before what it does
	besideFrom  = 76 // columns from which an explanation has room beside the keys
	explanation = 38 // its width at least
	between     = 2  // columns that part the two
)

// allKeys draws the list into h lines, and beside it the page's explanation.
func (m *model) allKeys(w, h int) []string {
	t := m.env.Theme
	beside, wide := m.page.(page.Explainer)
	wide = wide && w >= besideFrom && h >= page.Roomy-4
	left, widest := w, m.widestKey()
	if wide {
		left = max(w-max(explanation, w/2)-between, widest+1)
	}
	lines := []string{"", " " + t.Paint(theme.Title, "Keys: "+page.Clip(t, m.page.Chrome().Title, max(left-8, 1))), m.filterLine(left)}
	if h < page.Roomy-4 {
		lines = lines[2:]
	}
	if !wide {
		return m.sheet(lines, left, h, widest)
	}
	right := w - left - between - 1
	explained := beside.Explain(right, h)
	if len(explained) < h {
		explained = append([]string{""}, explained...)
	} else { // the heads of both stay side by side
		lines = lines[1:]
	}
	return page.Beside(between, page.Block{Width: left, Lines: m.sheet(lines, left, h, widest)}, page.Block{Width: right, Lines: explained})
}

func (m *model) filterLine(w int) string {
	t := m.env.Theme
	if m.help.filter == "" {
		return " " + t.Paint(theme.Faint, page.Clip(t, "Type to find a key; Enter runs it.", w-2))
	}
	return " " + t.Paint(theme.Muted, "Find: ") + t.Paint(theme.Key, page.Clip(t, m.help.filter+"_", w-9))
}

// widestKey returns the columns of the widest entry, whether it matches or not.
func (m *model) widestKey() int {
	w := keyColumn
	for _, e := range m.entries() {
		w = max(w, beforeDoes+page.Width(e.does))
	}
	return w
}

// sheet adds the matching entries to the lines above them, in as many columns of the widest one's width as fit
// into w, and in h rows in all: of several sheets the one with the chosen entry, whose number ends the last line
// above.
func (m *model) sheet(lines []string, w, h, widest int) []string {
	t := m.env.Theme
	found := m.found()
	if len(found) == 0 {
		return append(lines, " "+t.Paint(theme.Muted, "No match. Backspace."))
	}
	columns := max((w-1)/widest, 1)
	column := min((w-1)/columns, max(widest, keyColumn+6))
	rows := max(h-len(lines), 1)
	at := slices.Index(found, m.help.chosen)
	first := max(at, 0) / (rows * columns) * rows * columns
	shown := found[first:min(first+rows*columns, len(found))]
	if last := len(lines) - 1; len(shown) < len(found) {
		number := fmt.Sprintf("%d/%d ", first/(rows*columns)+1, (len(found)-1)/(rows*columns)+1)
		lines[last] = page.Right(lines[last], t.Paint(theme.Faint, number), w)
	}
	rows = (len(shown) + columns - 1) / columns
	for r := range rows {
		var b strings.Builder
		for c := range columns {
			i := c*rows + r
			if i >= len(shown) {
				break
			}
			mark, role := "   ", theme.Text
			if first+i == at {
				mark, role = " "+t.Paint(theme.Key, t.Glyphs().Cursor)+" ", theme.Selected
			}
			does := page.Clip(t, page.Plain(t, shown[i].does), column-beforeDoes)
			b.WriteString(page.Pad(mark+page.Pad(t.Paint(theme.Key, page.Plain(t, shown[i].show)), 9)+" "+t.Paint(role, does), column))
		}
		lines = append(lines, b.String())
	}
	return lines
}

// bindings returns all keys that do something now: the page's, then the club's.
func (m *model) bindings() []key.Binding {
	all := m.page.Actions().Keys()
	if !m.page.Chrome().Digits {
		for i := range pages {
			number := tabKey(i)
			all = append(all, page.Bind(number, pages[i].name, number))
		}
	}
	if m.tab() >= 0 {
		all = append(all, keyNext, keyPrev)
		if m.env.Visit.Operator() {
			all = append(all, keyAdmin)
		}
	}
	return append(all, m.keyBack(), keyQuit)
}

// keyBack returns the key that leads back, or from the lobby out of the club.
func (m *model) keyBack() key.Binding {
	back := page.KeyBack
	if m.leaves() {
		back.SetHelp("q", "leave")
	}
	return back
}
