// Package rulebook is the page of rules: the five games in full sentences, and all house rules. What it says comes from
// package rules; it knows no game itself.
package rulebook

import (
	"charm.land/bubbles/v2/key"
	tea "charm.land/bubbletea/v2"

	"boneyard/lobby/text"
	"boneyard/rules"
	"boneyard/ui/page"
	"boneyard/ui/theme"
)

// Page shows one set of rules at a time: those of a table, each of the five games, and the house rules.
type Page struct {
	env    *page.Env
	leaves []leaf
	at     int
	scroll int
}

// leaf is what one turn of the page shows.
type leaf struct {
	name  string
	intro string
	text  []string // paragraphs
	keys  bool     // the table of house rules
}

var (
	keyTurn   = page.Bind("←→", "turn the page", "left", "right", "h", "l")
	keyScroll = page.Bind("↑↓", "scroll", "up", "down", "j", "k", "pgup", "pgdown", "home", "end")
)

// readable is the longest line of running text.
const readable = 76

// New returns the page; ruleText is the rule string of a table to show first, or empty.
func New(e *page.Env, ruleText string) *Page {
	p := &Page{env: e}
	if r, err := rules.Parse(ruleText); err == nil {
		p.leaves = append(p.leaves, leaf{name: "this table", intro: r.String(), text: rules.Describe(r, 0)})
	}
	for _, preset := range rules.Presets() {
		p.leaves = append(p.leaves, leaf{name: preset.String(), intro: preset.Title() + ". " + preset.Difference(), text: rules.Describe(preset.Rules(), 0)})
	}
	p.leaves = append(p.leaves, leaf{name: "house rules", intro: "A table may change any of these; the rule string says which, as in \"classic target=100 count=flank\".", keys: true})
	return p
}

// Init loads nothing.
func (p *Page) Init() tea.Cmd { return nil }

// Title is the page's name.
func (p *Page) Title() string { return "Rules" }

// Keys are the page's keys.
func (p *Page) Keys() []key.Binding { return []key.Binding{keyTurn, keyScroll} }

// Update turns and scrolls.
func (p *Page) Update(msg tea.Msg) (page.Page, tea.Cmd) {
	press, ok := msg.(tea.KeyPressMsg)
	if !ok {
		return p, nil
	}
	switch press.String() {
	case "left", "h":
		p.at, p.scroll = max(p.at-1, 0), 0
	case "right", "l":
		p.at, p.scroll = min(p.at+1, len(p.leaves)-1), 0
	case "up", "k":
		p.scroll--
	case "down", "j":
		p.scroll++
	case "pgup":
		p.scroll -= 10
	case "pgdown", "space":
		p.scroll += 10
	case "home":
		p.scroll = 0
	case "end":
		p.scroll = 1 << 20
	}
	return p, nil
}

// Lines draws the names of all leaves and the chosen one.
func (p *Page) Lines(w, h int) []string {
	body := p.body(w)
	room := h - 2
	p.scroll = max(min(p.scroll, len(body)-room), 0)
	lines := append(make([]string, 0, h), p.names(w), "")
	return append(lines, body[p.scroll:min(p.scroll+room, len(body))]...)
}

// names lists the leaves; where they do not fit, only the chosen one and its neighbours' number.
func (p *Page) names(w int) string {
	t := p.env.Theme
	line, used := " ", 1
	for i, l := range p.leaves {
		name := " " + l.name + " "
		used += text.Width(name)
		if i == p.at {
			line += t.Paint(theme.Selected, name)
		} else {
			line += t.Paint(theme.Muted, name)
		}
	}
	if used <= w {
		return line
	}
	g := t.Glyphs()
	return " " + t.Paint(theme.Key, g.Left) + " " + t.Paint(theme.Title, text.Fit(p.leaves[p.at].name, min(w-8, text.Width(p.leaves[p.at].name)))) + " " + t.Paint(theme.Key, g.Right)
}

// body is the chosen leaf in lines.
func (p *Page) body(w int) []string {
	t, l := p.env.Theme, p.leaves[p.at]
	width := min(w-2, readable)
	var lines []string
	for _, s := range page.Wrap(l.intro, width) {
		lines = append(lines, " "+t.Paint(theme.Accent, s))
	}
	for _, paragraph := range l.text {
		lines = append(lines, "")
		for _, s := range page.Wrap(paragraph, width) {
			lines = append(lines, " "+s)
		}
	}
	if l.keys {
		lines = append(lines, "")
		for _, k := range rules.Keys() {
			lines = append(lines, " "+t.Paint(theme.Key, text.Fit(k.Name, 10))+t.Paint(theme.Text, k.Values))
			for _, s := range page.Wrap(k.Help, width-10) {
				lines = append(lines, "           "+t.Paint(theme.Muted, s))
			}
		}
	}
	return lines
}
