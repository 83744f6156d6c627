// Package theme knows how the club looks on one terminal: its colours, its attributes and the characters it
// draws with. It must know neither games nor pages, and it writes nothing.
//
// [Get] returns a [Theme], which is immutable. The same arguments give the same pointer, so a *Theme can be
// part of a cache key: everybody who looks at a table in the same size with the same *Theme sees the same
// lines.
//
// Colour never carries information alone. Pages say the same thing in words, by position or by a mark as
// well, and the mono theme distinguishes roles by bold, underline and reverse only.
package theme

import (
	"fmt"
	"slices"
	"strings"

	"github.com/charmbracelet/colorprofile"

	"boneyard/lobby/text"
)

// Name is a player's choice of colours.
type Name string

// The themes. Dark is made for a dark background and is the default, Light for
// a white one; Mono uses no colour on any terminal.
const (
	Dark  Name = "dark"
	Light Name = "light"
	Mono  Name = "mono"
)

// Names returns all themes in the order in which they are offered.
func Names() []Name { return []Name{Dark, Light, Mono} }

// ParseName reads a setting. Case and surrounding space do not matter. The
// error is a sentence for the player that lists the choices.
func ParseName(s string) (Name, error) { return parse("theme", s, Names()) }

func parse[T ~string](what, s string, all []T) (T, error) {
	t := T(strings.ToLower(strings.TrimSpace(s)))
	if !slices.Contains(all, t) {
		return "", fmt.Errorf("unknown %s %q: choose %s", what, s, text.Join(text.Each(all, func(t T) string { return string(t) }), " or "))
	}
	return t, nil
}

// Faces is a player's choice of how tiles are drawn.
type Faces string

// The tile faces. Digits, the default, can be read in every font. Pips draws dots. ASCII draws digits, and
// everything else (lines, arrows, marks) with the characters of ASCII as well, see [Glyphs].
const (
	Digits Faces = "digits"
	Pips   Faces = "pips"
	ASCII  Faces = "ascii"
)

// AllFaces returns all tile faces in the order in which they are offered.
func AllFaces() []Faces { return []Faces{Digits, Pips, ASCII} }

// ParseFaces is [ParseName] for tile faces.
func ParseFaces(s string) (Faces, error) { return parse("tile faces", s, AllFaces()) }

// Theme is the look of one terminal: a theme, the colours that this terminal
// can show, and the tile faces. It is immutable and safe for concurrent use.
type Theme struct {
	look
	glyphs *Glyphs
	prefix [roleCount]string // SGR that starts the role, empty for plain text
}

// look is what tells one theme from another.
type look struct {
	name    Name
	profile colorprofile.Profile
	faces   Faces
}

// themes holds every possible theme, so that Get needs no lock.
var themes = func() map[look]*Theme {
	all := map[look]*Theme{}
	for _, n := range Names() {
		for p := colorprofile.NoTTY; p <= colorprofile.TrueColor; p++ {
			for _, f := range AllFaces() {
				t := &Theme{look: look{n, p, f}, glyphs: &unicodeGlyphs}
				if f == ASCII {
					t.glyphs = &asciiGlyphs
				}
				for r := range roleCount {
					t.prefix[r] = styleOf(n, p, r).sgr(p)
				}
				all[t.look] = t
			}
		}
	}
	return all
}()

// Get returns the theme for these choices on a terminal of this profile. Equal arguments give the same
// pointer; so do profiles between which the theme makes no difference (Mono needs no colours).
func Get(n Name, p colorprofile.Profile, f Faces) *Theme {
	return themes[look{n, normalProfile(n, p), f}]
}

// normalProfile maps a profile to the one that looks the same under theme n.
func normalProfile(n Name, p colorprofile.Profile) colorprofile.Profile {
	switch {
	case p == colorprofile.Unknown || p > colorprofile.TrueColor:
		return colorprofile.ASCII
	case n == Mono && p > colorprofile.ASCII:
		return colorprofile.ASCII
	}
	return p
}

// Name returns the theme's name.
func (t *Theme) Name() Name { return t.name }

// Profile returns the profile the theme paints in. It may be lower than the one asked for, see [Get].
func (t *Theme) Profile() colorprofile.Profile { return t.profile }

// Faces returns the tile faces.
func (t *Theme) Faces() Faces { return t.faces }

// Glyphs returns the characters to draw with. The caller must not change them.
func (t *Theme) Glyphs() *Glyphs { return t.glyphs }

const reset = "\x1b[m"

// Paint returns s in the look of role r: the role's SGR, s, and a reset. If the role needs no SGR it returns
// s. Painted pieces do not nest: the reset of an inner piece ends the outer one too, so build a row plain and
// paint it once.
func (t *Theme) Paint(r Role, s string) string {
	p := t.prefix[r]
	if p == "" || s == "" {
		return s
	}
	return p + s + reset
}

// AppendPaint appends what [Theme.Paint] returns to dst, for pages that build a line piece by piece.
func (t *Theme) AppendPaint(dst []byte, r Role, s string) []byte {
	p := t.prefix[r]
	if p == "" || s == "" {
		return append(dst, s...)
	}
	dst = append(dst, p...)
	dst = append(dst, s...)
	return append(dst, reset...)
}
