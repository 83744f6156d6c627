// Package settings is the page on which a player chooses how the club looks and sounds. What is chosen is kept at once.
package settings

import (
	"context"

	"charm.land/bubbles/v2/key"
	tea "charm.land/bubbletea/v2"

	"boneyard/lobby"
	"boneyard/ui/board"
	"boneyard/ui/page"
	"boneyard/ui/theme"
)

// Page lists the settings with their choices.
type Page struct {
	env  *page.Env
	rows []row
	at   int
	kept lobby.Settings
}

// row is one setting: what it is, and its choices in the order in which they are offered.
type row struct {
	name    string
	help    string
	choices []string
	get     func(*lobby.Settings) string
	set     func(*lobby.Settings, string)
}

var (
	keyChoose = page.Bind("↑↓", "choose", "up", "down", "k", "j")
	keyChange = page.Bind("←→", "change", "left", "right", "h", "l", "enter", "space")
)

// byGround is the choice of theme that follows the terminal's background.
const byGround = "auto"

// New returns the page.
func New(e *page.Env) *Page {
	p := &Page{env: e, kept: e.Visit.Settings()}
	faces := make([]string, 0, 3)
	for _, f := range theme.AllFaces() {
		faces = append(faces, f.String())
	}
	themes := []string{byGround}
	for _, n := range theme.Names() {
		themes = append(themes, n.String())
	}
	p.rows = []row{
		{
			"Tiles", "How tiles are drawn. ASCII also draws all lines with plain characters.", faces,
			func(s *lobby.Settings) string { return orElse(s.Faces, theme.Digits.String()) },
			func(s *lobby.Settings, v string) { s.Faces = v },
		},
		{
			"Colours", "Auto follows your terminal's background; mono uses no colour at all.", themes,
			func(s *lobby.Settings) string { return orElse(s.Theme, byGround) },
			func(s *lobby.Settings, v string) {
				if s.Theme = v; v == byGround {
					s.Theme = ""
				}
			},
		},
		toggle("Bell", "Rings when it is your turn.", func(s *lobby.Settings) *bool { return &s.Bell }),
		toggle("Mouse", "Lets you point at tiles and ends; your terminal's own selection then needs Shift.", func(s *lobby.Settings) *bool { return &s.Mouse }),
		toggle("Line mode", "Text only, nothing is redrawn: for screen readers and slow lines. From your next visit.", func(s *lobby.Settings) *bool { return &s.LineMode }),
	}
	return p
}

func toggle(name, help string, field func(*lobby.Settings) *bool) row {
	return row{
		name, help, []string{"off", "on"},
		func(s *lobby.Settings) string {
			if *field(s) {
				return "on"
			}
			return "off"
		},
		func(s *lobby.Settings, v string) { *field(s) = v == "on" },
	}
}

func orElse(s, other string) string {
	if s == "" {
		return other
	}
	return s
}

// Init loads nothing: settings are in the visit.
func (p *Page) Init() tea.Cmd { return nil }

// Title is the page's name.
func (p *Page) Title() string { return "Settings" }

// Keys are the page's keys.
func (p *Page) Keys() []key.Binding { return []key.Binding{keyChoose, keyChange} }

// Update moves among the settings and changes them.
func (p *Page) Update(msg tea.Msg) (page.Page, tea.Cmd) {
	press, ok := msg.(tea.KeyPressMsg)
	if !ok {
		return p, nil
	}
	switch press.String() {
	case "up", "k":
		p.at = max(p.at-1, 0)
	case "down", "j":
		p.at = min(p.at+1, len(p.rows)-1)
	case "left", "h":
		return p, p.change(-1)
	case "right", "l", "enter", "space":
		return p, p.change(1)
	}
	return p, nil
}

// change takes the next choice of the setting under the cursor, or the one before, and keeps it.
func (p *Page) change(by int) tea.Cmd {
	r := &p.rows[p.at]
	now := 0
	for i, c := range r.choices {
		if c == r.get(&p.kept) {
			now = i
		}
	}
	r.set(&p.kept, r.choices[(now+by+len(r.choices))%len(r.choices)])
	kept := p.kept
	return p.env.Call(func(ctx context.Context) tea.Msg {
		if err := p.env.Visit.SaveSettings(ctx, kept); err != nil {
			return page.Complain(err)
		}
		return page.Restyle{}
	})
}

// Lines draws the settings, what the chosen one means, and tiles as they look now.
func (p *Page) Lines(w, h int) []string {
	t := p.env.Theme
	lines := []string{""}
	for i := range p.rows {
		r := &p.rows[i]
		mark := "  "
		role := theme.Text
		if i == p.at {
			mark, role = t.Glyphs().Cursor+" ", theme.Title
		}
		line := " " + t.Paint(theme.Accent, mark) + page.Pad(t.Paint(role, r.name), 12)
		for _, c := range r.choices {
			if c == r.get(&p.kept) {
				line += t.Paint(theme.Selected, " "+c+" ") + " "
			} else {
				line += t.Paint(theme.Muted, " "+c+" ") + " "
			}
		}
		lines = append(lines, line)
		if h >= 18 {
			lines = append(lines, "")
		}
	}
	if h < 18 {
		lines = append(lines, "")
	}
	for _, s := range page.Wrap(p.rows[p.at].help, min(w-4, 72)) {
		lines = append(lines, "   "+t.Paint(theme.Muted, s))
	}
	if sample := p.gallery(w - 3); h-len(lines) > len(sample)+1 {
		lines = append(lines, "")
		for _, s := range sample {
			lines = append(lines, "   "+s)
		}
	}
	return lines
}

// gallery shows a tile in all faces, the chosen one marked.
func (p *Page) gallery(w int) []string {
	t := p.env.Theme
	var looks []*theme.Theme
	chosen := 0
	for i, f := range theme.AllFaces() {
		looks = append(looks, theme.Get(t.Name(), t.Profile(), f))
		if f == t.Faces() {
			chosen = i
		}
	}
	return board.Gallery(looks, chosen, w)
}
