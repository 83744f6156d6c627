package settings

import (
	"boneyard/lobby"
	"boneyard/ui/board"
	"boneyard/ui/page"
	"boneyard/ui/theme"
	"cmp"
)

// Row is one setting: what it is, and its choices in the order in which they are offered.
type Row struct {
	Name    string
	Help    string // one sentence or two
	choices []string
	get     func(*lobby.Settings) string
	set     func(*lobby.Settings, string)
}

// byGround is the choice of theme that follows the terminal's background.
const byGround = "auto"

// Tiles is how tiles are drawn.
func Tiles() Row {
	faces := make([]string, 0, 3)
	for _, f := range theme.AllFaces() {
		faces = append(faces, f.String())
	}
	return Row{
		"Tiles", "How tiles are drawn. ASCII uses plain characters everywhere.", faces,
		func(s *lobby.Settings) string { return cmp.Or(s.Faces, theme.Digits.String()) },
		func(s *lobby.Settings, v string) { s.Faces = v },
	}
}

// Colours is the theme.
func Colours() Row {
	themes := []string{byGround}
	for _, n := range theme.Names() {
		themes = append(themes, n.String())
	}
	return Row{
		"Colours", "Auto follows your terminal's background; mono has no colours.", themes,
		func(s *lobby.Settings) string { return cmp.Or(s.Theme, byGround) },
		func(s *lobby.Settings, v string) {
			if s.Theme = v; v == byGround {
				s.Theme = ""
			}
		},
	}
}

// toggle is a setting that is off or on.
func toggle(name, help string, field func(*lobby.Settings) *bool) Row {
	return Row{
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

// Change takes the choice that is by places further; behind the last comes the first.
func (r *Row) Change(s *lobby.Settings, by int) {
	now, n := 0, len(r.choices)
	for i, c := range r.choices {
		if c == r.get(s) {
			now = i
		}
	}
	r.set(s, r.choices[((now+by)%n+n)%n])
}

// nameWidth holds the longest name of a setting.
const nameWidth = 10

// Draw draws the setting into one line, with a mark if it is the focused one.
func (r *Row) Draw(t *theme.Theme, s *lobby.Settings, focused bool) string {
	return Label(t, r.Name, focused) + page.Choices(t, r.choices, r.get(s), focused)
}

// Label is the name before a setting, or anything else in a form that can be focused.
func Label(t *theme.Theme, name string, focused bool) string {
	if focused {
		return " " + t.Paint(theme.Accent, t.Glyphs().Cursor) + " " + page.Pad(t.Paint(theme.Title, name), nameWidth)
	}
	return "   " + page.Pad(name, nameWidth)
}

// Indent is the column in which the choices begin.
const Indent = 3 + nameWidth

// Gallery shows a tile in all faces, those of the theme marked. Its height depends on the width only.
func Gallery(t *theme.Theme, w int) []string {
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
