// Package rulebook has the page of rules: the five games in full sentences, how a count comes about, and all
// house rules. The texts come from package rules; the page must not know any game.
package rulebook

import (
	"fmt"

	tea "charm.land/bubbletea/v2"

	"boneyard/lobby/text"
	"boneyard/rules"
	"boneyard/ui/english"
	"boneyard/ui/page"
	"boneyard/ui/theme"
)

// Page shows one leaf at a time: the rules of a table, those of each of the five games, and the house rules.
type Page struct {
	page.Listed
	env    *page.Env
	table  string // the rule string of the first leaf, if a table's comes first
	leaves []leaf
	at     int
	lines  []string // of that leaf
	text   page.Text
}

type leaf struct {
	name  string
	intro string
	rules rules.Ruleset // none: the house rules
}

var (
	keyTurn   = page.Bind("←→", "turn the page", "left", "right", "h", "l")
	keyScroll = page.Bind("↑↓", "scroll", "up", "down", "pgup", "pgdown", "space", "home", "end")
)

// New returns the page; Rules is the rule string of a table whose leaf comes first, or empty, and Panel the
// chosen leaf.
func New(e *page.Env, to page.Target) *Page {
	p := &Page{env: e, table: to.Rules}
	p.Sheet = func() page.Sheet {
		return page.Sheet{Above: []string{p.chooser(p.Width), ""}, Rows: p.text.Of(p.lines)}
	}
	if r, err := rules.Parse(to.Rules); err == nil {
		p.leaves = append(p.leaves, leaf{name: "your table", intro: r.String(), rules: r})
	}
	for _, preset := range rules.Presets() {
		intro := english.Title(preset) + ". " + english.Difference(preset)
		p.leaves = append(p.leaves, leaf{name: preset.String(), intro: intro, rules: preset.Rules()})
	}
	p.leaves = append(p.leaves, leaf{
		name:  "house rules",
		intro: `A table may change any of these. Its rule string says which: "classic target=100 count=flank".`,
	})
	p.at = to.PanelOf(len(p.leaves))
	return p
}

func (p *Page) Chrome() page.Chrome {
	return page.Chrome{Title: "Rules", Widest: page.WidestText, Reopen: page.Target{Kind: page.Rules, Rules: p.table, Panel: p.at}}
}

func (p *Page) Actions() (does page.Actions) {
	turned := func(to int) tea.Cmd {
		p.at = to
		p.text.Top()
		p.lines = p.leafLines(p.Width)
		return nil
	}
	does.Leaves(keyTurn, p.at, 0, p.room(), p.names(), turned)
	does.Scroll(p.Scrolls(), keyScroll, func(pressed string) tea.Cmd {
		if pressed == "space" {
			pressed = "pgdown"
		}
		return p.Move(pressed)
	})
	return does
}

// Resize draws the leaf for another width.
func (p *Page) Resize(w, h int) {
	p.Width = w
	p.lines = p.leafLines(w)
	p.Listed.Resize(w, h)
}

func (p *Page) names() []string { return text.Each(p.leaves, func(l leaf) string { return l.name }) }

// room is how many columns there are for the names of the leaves side by side.
func (p *Page) room() int { return p.Width - 10 }

// chooser lists the leaves, or only the chosen one if not all fit, followed by how far the text is scrolled.
func (p *Page) chooser(w int) string {
	const chooserRows = 2 // the number of lines above the text
	t, g := p.env.Theme, p.env.Theme.Glyphs()
	names := p.names()
	left := " " + page.Choices(t, names, p.leaves[p.at].name, true)
	if page.ChoicesWidth(names) > p.room() {
		left = " " + t.Paint(theme.Key, g.Left) + " " + t.Paint(theme.Selected, " "+p.leaves[p.at].name+" ") + " " + t.Paint(theme.Key, g.Right)
	}
	right := ""
	if n, room := len(p.lines), p.Height-chooserRows; n > room {
		right = fmt.Sprintf("%s%s %d%%", g.Up, g.Down, min((p.text.From()+room)*100/n, 100))
	}
	return page.Right(left, t.Paint(theme.Muted, right)+" ", min(w, readable+4))
}
