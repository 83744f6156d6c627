package theme

import (
	"image/color"
	"strconv"

	"github.com/charmbracelet/colorprofile"
	"github.com/charmbracelet/x/ansi"
)

// Role says what a piece of text means. Pages name roles, never colours.
type Role uint8

// The roles.
const (
	// Text is ordinary text, in the terminal's own colour.
	Text Role = iota
	// Muted is text beside the point: column heads, times, units.
	Muted
	// Faint is text that is there when looked for: hints, empty seats.
	Faint
	// Title heads a page or a box.
	Title
	// Accent is what the eye should find first; used once or twice a page.
	Accent
	// Key is a key that can be pressed, in help lines and forms.
	Key
	// Strong stands out without a colour, and so takes few bytes.
	Strong
	// Good is points scored, a win, a thing that worked.
	Good
	// Lit is a score that has just happened, lit for a moment.
	Lit
	// Bad is a loss, a refusal, an error.
	Bad
	// Warn is a clock that runs out, a seat about to be lost.
	Warn
	// Selected is the row or choice under the cursor; it has a background.
	Selected
	// Border is lines around and between boxes.
	Border
	// Tile is a tile on the table, or one in hand that cannot be played now.
	Tile
	// TilePlayable is a tile in hand that can be played.
	TilePlayable
	// TileLast is the tile played last; [Glyphs.Last] marks it too.
	TileLast
	// TileGhost is where a chosen tile would lie, and tiles face down.
	TileGhost
	// Side1 to Side4 are the sides of a game: names and scores. A side's
	// number is always shown by its place or name as well.
	Side1
	Side2
	Side3
	Side4
	// Chat is what people say.
	Chat
	// System is what the club says in the chat: who came, what happened.
	System

	roleCount
)

var roleWords = [roleCount]string{
	"Text", "Muted", "Faint", "Title", "Accent", "Key", "Strong", "Good", "Lit", "Bad", "Warn",
	"Selected", "Border", "Tile", "TilePlayable", "TileLast", "TileGhost",
	"Side1", "Side2", "Side3", "Side4", "Chat", "System",
}

// String returns the role's name.
func (r Role) String() string { return roleWords[r] }

// Roles returns all roles.
func Roles() []Role {
	all := make([]Role, roleCount)
	for i := range all {
		all[i] = Role(i)
	}
	return all
}

// Side returns the role of the side with index i, from zero; a fifth side would look like the first.
func Side(i int) Role { return Side1 + Role(uint(i)%4) }

// attr is a set of the attributes that every terminal has.
type attr uint8

const (
	bold attr = 1 << iota
	underline
	reverse
)

// ink is one colour: exact for terminals with many, indexed for those with 256, and for those with sixteen, where the
// exact colours are the user's own, one of the palette, or nil if none is readable. The zero ink is the terminal's
// own colour.
type ink struct{ exact, indexed, basic color.Color }

func hex(rgb uint32, basic ansi.BasicColor) ink {
	i := many(rgb)
	i.basic = basic
	return i
}

// many is a colour that only terminals with 256 or more colours show.
func many(rgb uint32) ink {
	exact := color.RGBA{R: uint8(rgb >> 16), G: uint8(rgb >> 8), B: uint8(rgb), A: 0xff}
	return ink{exact: exact, indexed: indexed(exact)}
}

// style is the look of a role before a profile is applied.
type style struct {
	fg, bg ink
	attr   attr
	// attr16 is added on terminals with at most sixteen colours.
	attr16 attr
}

// palettes are the colours of the two coloured themes. Missing roles are plain text. A test checks the
// contrast of each with its background. The sides' colours can be told apart with colour blindness; they
// follow Okabe and Ito, "Color Universal Design" (2008), darkened for white.
var palettes = map[Name]map[Role]style{
	Dark: {
		Muted:        {fg: many(0xa9adb8)},
		Faint:        {fg: many(0x8d92a0)},
		Title:        {fg: hex(0xf2e7cf, 15), attr: bold},
		Accent:       {fg: hex(0xf0c060, 11), attr: bold},
		Key:          {fg: hex(0x8ab4f8, 14)},
		Strong:       {attr: bold},
		Good:         {fg: hex(0x98d27a, 10)},
		Lit:          {attr: bold | reverse},
		Bad:          {fg: hex(0xff8a8a, 9), attr16: bold},
		Warn:         {fg: hex(0xffa657, 11), attr: bold},
		Selected:     {fg: many(0xffffff), bg: many(0x34466b), attr16: reverse},
		Border:       {fg: many(0x6c7386)},
		TilePlayable: {fg: hex(0xfff1c9, 15), attr: bold},
		TileLast:     {fg: hex(0xffd75f, 11), attr: bold},
		TileGhost:    {fg: many(0x8d92a0)},
		Side1:        {fg: hex(0x56b4e9, 14)},
		Side2:        {fg: hex(0xf0a030, 11)},
		Side3:        {fg: hex(0x4fc79d, 10)},
		Side4:        {fg: hex(0xdd94bd, 13)},
		System:       {fg: many(0xa9adb8)},
	},
	Light: {
		Muted:        {fg: many(0x565a66)},
		Faint:        {fg: many(0x686d7a)},
		Title:        {fg: many(0x3a2c10), attr: bold},
		Accent:       {fg: hex(0x8a4b00, 5), attr: bold},
		Key:          {fg: hex(0x1a56c4, 4)},
		Strong:       {attr: bold},
		Good:         {fg: many(0x1f6b2d), attr16: bold},
		Lit:          {attr: bold | reverse},
		Bad:          {fg: hex(0xb3261e, 1)},
		Warn:         {fg: hex(0x8c3000, 1), attr: bold},
		Selected:     {fg: many(0x10182b), bg: many(0xcfdcf7), attr16: reverse},
		Border:       {fg: many(0x878c99)},
		TilePlayable: {fg: many(0x101010), attr: bold},
		TileLast:     {fg: hex(0x8a4b00, 5), attr: bold},
		TileGhost:    {fg: many(0x686d7a)},
		Side1:        {fg: hex(0x00609a, 4)},
		Side2:        {fg: hex(0x9a4a00, 1)},
		Side3:        {fg: many(0x006b4f)},
		Side4:        {fg: hex(0x8f3a72, 5)},
		System:       {fg: many(0x565a66)},
	},
}

// plain is the look without colours, of Mono and of terminals that have none.
var plain = map[Role]attr{
	Title:        bold,
	Accent:       bold | underline,
	Key:          bold,
	Strong:       bold,
	Good:         bold,
	Lit:          bold | reverse,
	Bad:          bold | underline,
	Warn:         bold | reverse,
	Selected:     reverse,
	TilePlayable: bold,
	TileLast:     reverse,
	TileGhost:    underline,
}

// styleOf returns the look of a role in a theme on a terminal of profile p.
func styleOf(n Name, p colorprofile.Profile, r Role) style {
	if n == Mono || p <= colorprofile.ASCII {
		return style{attr: plain[r]}
	}
	return palettes[n][r]
}

// sgr returns the sequence that starts the style in profile p, or "".
func (s style) sgr(p colorprofile.Profile) string {
	a := s.attr
	if p <= colorprofile.ANSI {
		a |= s.attr16
	}
	look := ansi.NewStyle()
	for i, on := range []ansi.Attr{ansi.AttrBold, ansi.AttrUnderline, ansi.AttrReverse} {
		if a&(1<<i) != 0 {
			look = append(look, strconv.Itoa(on))
		}
	}
	if c := s.fg.in(p); c != nil {
		look = look.ForegroundColor(c)
	}
	if c := s.bg.in(p); c != nil {
		look = look.BackgroundColor(c)
	}
	if p <= colorprofile.NoTTY || len(look) == 0 {
		return ""
	}
	return look.String()
}

// in returns the colour as profile p has it, nil for the terminal's own.
func (i ink) in(p colorprofile.Profile) color.Color {
	switch p {
	case colorprofile.ANSI:
		return i.basic
	case colorprofile.ANSI256:
		return i.indexed
	}
	return i.exact
}

// indexed returns the nearest of the colours that terminals with 256 have in common: those after the first 16.
// [ansi.Convert256] minds hue so much that it makes teal or maroon of a grey with a hint of colour.
func indexed(c color.Color) color.Color {
	distance := func(i int) uint32 { // "redmean", a cheap approximation of what the eye sees
		r, g, b, _ := c.RGBA()
		x, y, z, _ := ansi.IndexedColor(i).RGBA()
		square := func(p, q uint32) uint32 { d := max(p, q)>>8 - min(p, q)>>8; return d * d }
		mean := (r + x) >> 9
		return (512+mean)*square(r, x) + 1024*square(g, y) + (767-mean)*square(b, z)
	}
	best, least := 16, distance(16)
	for i := best + 1; i < 256; i++ {
		if d := distance(i); d < least {
			best, least = i, d
		}
	}
	return ansi.IndexedColor(best)
}
