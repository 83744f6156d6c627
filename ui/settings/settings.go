// Package settings has the page where a player chooses how the club looks and sounds. Each choice is saved at
// once.
package settings

import (
	"context"
	"reflect"
	"slices"

	tea "charm.land/bubbletea/v2"

	"boneyard/lobby"
	"boneyard/lobby/text"
	"boneyard/rules"
	"boneyard/ui/board"
	"boneyard/ui/feature"
	"boneyard/ui/page"
	"boneyard/ui/theme"
)

// Page lists the settings with their choices.
type Page struct {
	page.Listed
	env    *page.Env
	rows   page.List[Row]
	now    lobby.Settings // as chosen
	kept   lobby.Settings // as saved, or being saved
	saving page.Question
	who    string // the account of these settings
}

var keyChange = page.Bind("←→", "change", "left", "right", "h", "l", "enter", "space")

// New returns the page.
func New(e *page.Env) *Page {
	s := e.Visit.Settings()
	who := "You're a guest: your settings are forgotten when you leave. Make a key with ssh-keygen and come back; the key is your account."
	if a := e.Visit.Account(); a != nil {
		who = "You are " + a.Name + ", a member since " + a.Created.UTC().Format("2 January 2006") + ". Your SSH key is your " +
			"account; settings go with it."
	}
	p := &Page{env: e, now: s, kept: s, who: who}
	p.Sheet = p.sheet
	p.rows.Set(Rows())
	return p
}

func (p *Page) Chrome() page.Chrome { return page.Chrome{Title: "Settings", Widest: page.WidestText} }

func (p *Page) Actions() (does page.Actions) {
	does.With(true, keyChange, func(pressed string) tea.Cmd { return p.change(page.Step(pressed)) })
	does.Move(true, page.KeyMove, p.Move)
	return does
}

// helpRows returns how many rows every help has, so that nothing below it moves.
func (p *Page) helpRows() int {
	const narrow = 56 // columns; with less, a help takes three rows
	if p.Width < narrow {
		return 3
	}
	return 2
}

// Update shows what another session has chosen.
func (p *Page) Update(msg tea.Msg) tea.Cmd {
	if _, ok := msg.(page.ClubUpdateMsg); ok {
		before := p.now
		if p.refresh(); !reflect.DeepEqual(p.now, before) {
			p.env.Restyle(p.now)
		}
	}
	return nil
}

// refresh loads the saved settings, unless others are being saved.
func (p *Page) refresh() {
	if !p.saving.Waiting() {
		p.now = p.env.Visit.Settings()
		p.kept = p.now
	}
}

// change chooses another value for the setting under the cursor; it shows at once, and is saved.
func (p *Page) change(by int) tea.Cmd {
	p.refresh()
	p.rows.Chosen().Change(&p.now, by)
	p.env.Restyle(p.now)
	return p.save()
}

// save asks the club to save the choices. One request is under way at a time, so that the last choice wins.
func (p *Page) save() tea.Cmd {
	if p.saving.Waiting() || reflect.DeepEqual(p.now, p.kept) {
		return nil
	}
	p.kept = p.now
	kept := p.now
	return p.saving.Ask(p.env, func(ctx context.Context) tea.Msg {
		err := p.env.Visit.SaveSettings(ctx, kept)
		return page.Then(func() tea.Cmd {
			if err == nil {
				return p.save()
			}
			p.now = p.env.Visit.Settings()
			p.kept = p.now
			p.env.Restyle(p.now)
			return page.Refused(err)
		})
	})
}

// sheet draws the settings, and below them the chosen one's help, tiles as they look now, and who the player
// is.
func (p *Page) sheet() page.Sheet {
	const roomy = 21 // the number of rows from which some are left blank
	t, w, room := p.env.Theme, p.Width, p.helpRows()
	h := p.Height - min(p.rows.Len(), p.Height-room)
	var lines []string
	if h > room {
		lines = append(lines, "")
	}
	help := page.Paragraph(t, theme.Muted, p.rows.Chosen().Help, 3, min(w-4, 72))
	lines = append(lines, page.Fill(help, room)...)
	if p.Height >= roomy {
		lines = append(lines, "")
	}
	gallery := Gallery(t, w-4)
	if len(gallery) > h-len(lines) {
		gallery = Gallery(t, 30) // the small tiles, one below the other
	}
	if len(gallery) <= h-len(lines) {
		lines = append(lines, page.Shift(gallery, 3)...)
	}
	who := page.Paragraph(t, theme.Muted, p.who, 3, min(w-4, 72))
	if v := p.env.Version; v != "" {
		if more := page.Paragraph(t, theme.Muted, p.who+" This is Boneyard "+v+".", 3, min(w-4, 72)); h-len(lines) > len(more) {
			who = more
		}
	}
	if h-len(lines) > len(who) {
		lines = append(append(lines, ""), who...)
	}
	return page.Sheet{After: lines, Rows: p.rows.Drawn(func(_ int, r *Row, chosen bool) string { return r.Draw(t, &p.now, chosen) })}
}

// Row is one setting in a form.
type Row struct{ feature.Setting }

// Rows returns the settings with these words, or all that the page shows.
func Rows(words ...string) (rows []Row) {
	for _, s := range feature.Settings {
		if len(words) == 0 && s.Name != "" || slices.Contains(words, s.Word) {
			rows = append(rows, Row{s})
		}
	}
	return rows
}

// Change moves by choices on; the first follows the last.
func (r *Row) Change(s *lobby.Settings, by int) {
	now, n := max(slices.Index(r.Choices, r.Get(s)), 0), len(r.Choices)
	r.Set(s, r.Choices[((now+by)%n+n)%n])
}

const nameWidth = 10

// Draw draws the setting in one line, with a mark if it is focused.
func (r *Row) Draw(t *theme.Theme, s *lobby.Settings, focused bool) string {
	return Label(t, r.Name, focused) + page.Choices(t, r.Choices, r.Get(s), focused)
}

// Label draws the name before a setting, or before another part of a form that can be focused.
func Label(t *theme.Theme, name string, focused bool) string {
	if focused {
		return " " + t.Paint(theme.Accent, t.Glyphs().Cursor) + " " + page.Pad(t.Paint(theme.Title, name), nameWidth)
	}
	return "   " + page.Pad(name, nameWidth)
}

// Indent is the column where the choices begin.
const Indent = 3 + nameWidth

// Gallery shows the same tile in all faces, side by side below their names; those of the theme are marked. The tiles lie
// where w columns have room for that, else they stand, or are small. Its height depends on the width only.
func Gallery(t *theme.Theme, w int) (lines []string) {
	const gap = 3
	for _, standing := range []bool{false, true} {
		all, width := faces(t, board.Large, standing), -gap
		for _, b := range all {
			width += b.Width + gap
		}
		if width <= w {
			return page.Beside(gap, all...)
		}
	}
	for _, b := range faces(t, board.Small, false) {
		lines = append(lines, b.Lines[0]+" "+b.Lines[1])
	}
	return lines
}

// faces are the names of all faces, each above its tile.
func faces(t *theme.Theme, size board.Size, standing bool) []page.Block {
	return text.Each(theme.AllFaces(), func(f theme.Faces) page.Block {
		look := theme.Get(t.Name(), t.Profile(), f)
		name := "  " + look.Paint(theme.Muted, string(f))
		if f == t.Faces() {
			name = look.Paint(theme.Accent, look.Glyphs().Cursor+" "+string(f))
		}
		tile := board.Tile(rules.NewTile(6, 4), look, size, standing)
		return page.Block{Width: page.Width(tile[0]), Lines: append([]string{name}, tile...)}
	})
}
