package theme_test

import (
	"image/color"
	"math"
	"strings"
	"testing"

	"github.com/charmbracelet/colorprofile"
	"github.com/charmbracelet/x/ansi"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"boneyard/ui/theme"

	_ "boneyard/ui/golden" // for -update
)

var profiles = []colorprofile.Profile{
	colorprofile.NoTTY, colorprofile.ASCII, colorprofile.ANSI, colorprofile.ANSI256, colorprofile.TrueColor,
}

// each calls f with every theme there is.
func each(f func(t *theme.Theme)) {
	for _, n := range theme.Names() {
		for _, p := range profiles {
			for _, faces := range theme.AllFaces() {
				f(theme.Get(n, p, faces))
			}
		}
	}
}

func TestGetInterns(t *testing.T) {
	for _, n := range theme.Names() {
		for _, p := range profiles {
			for _, f := range theme.AllFaces() {
				a, b := theme.Get(n, p, f), theme.Get(n, p, f)
				require.Same(t, a, b)
				require.Equal(t, n, a.Name())
				require.Equal(t, f, a.Faces())
			}
		}
	}
	dark := theme.Get(theme.Dark, colorprofile.TrueColor, theme.Digits)
	assert.NotSame(t, dark, theme.Get(theme.Light, colorprofile.TrueColor, theme.Digits))
	assert.NotSame(t, dark, theme.Get(theme.Dark, colorprofile.ANSI256, theme.Digits))
	assert.NotSame(t, dark, theme.Get(theme.Dark, colorprofile.TrueColor, theme.Pips))

	t.Run("mono is the same on all colour terminals", func(t *testing.T) {
		assert.Same(t, theme.Get(theme.Mono, colorprofile.ASCII, theme.Digits), theme.Get(theme.Mono, colorprofile.TrueColor, theme.Digits))
	})
	t.Run("an unknown terminal has no colours", func(t *testing.T) {
		assert.Same(t, theme.Get(theme.Dark, colorprofile.ASCII, theme.Digits), theme.Get(theme.Dark, 99, theme.Digits))
		assert.Same(t, theme.Get(theme.Dark, colorprofile.ASCII, theme.Digits), theme.Get(theme.Dark, colorprofile.Unknown, theme.Digits))
	})
}

func TestParse(t *testing.T) {
	for _, n := range theme.Names() {
		got, err := theme.ParseName(" " + strings.ToUpper(string(n)))
		require.NoError(t, err)
		require.Equal(t, n, got)
	}
	for _, f := range theme.AllFaces() {
		got, err := theme.ParseFaces(string(f) + " ")
		require.NoError(t, err)
		require.Equal(t, f, got)
	}
	_, err := theme.ParseName("blue")
	require.EqualError(t, err, `unknown theme "blue": choose dark, light or mono`)
	_, err = theme.ParseFaces("dots")
	require.EqualError(t, err, `unknown tile faces "dots": choose digits, pips or ascii`)
}

func TestPaint(t *testing.T) {
	each(func(th *theme.Theme) {
		for _, r := range theme.Roles() {
			painted := th.Paint(r, "six")
			require.Equal(t, "six", ansi.Strip(painted))
			require.Equal(t, painted, string(th.AppendPaint(nil, r, "six")))
			require.Empty(t, th.Paint(r, ""))
			if painted != "six" {
				require.True(t, strings.HasSuffix(painted, "\x1b[m"), "%q", painted)
			}
		}
	})

	dark := func(p colorprofile.Profile) string {
		return theme.Get(theme.Dark, p, theme.Digits).Paint(theme.TileLast, "6-4")
	}
	assert.Equal(t, "6-4", dark(colorprofile.NoTTY))
	assert.Equal(t, "\x1b[7m6-4\x1b[m", dark(colorprofile.ASCII))
	assert.Equal(t, "\x1b[1;93m6-4\x1b[m", dark(colorprofile.ANSI))
	assert.Equal(t, "\x1b[1;38;5;221m6-4\x1b[m", dark(colorprofile.ANSI256))
	assert.Equal(t, "\x1b[1;38;2;255;215;95m6-4\x1b[m", dark(colorprofile.TrueColor))
}

func TestPaintAllocatesItsResultOnly(t *testing.T) {
	th := theme.Get(theme.Dark, colorprofile.TrueColor, theme.Digits)
	var s string
	assert.LessOrEqual(t, testing.AllocsPerRun(100, func() { s = th.Paint(theme.Title, "Lobby of the club, and its tables") }), 1.0)
	assert.Zero(t, testing.AllocsPerRun(100, func() { s = th.Paint(theme.Text, "plain") }))
	buf := make([]byte, 0, 256)
	assert.Zero(t, testing.AllocsPerRun(100, func() { buf = th.AppendPaint(buf[:0], theme.Title, "Lobby") }))
	_ = s
}

// pen is what a role's SGR selects, read back from its bytes.
type pen struct {
	bold, underline, reverse bool
	fg, bg                   color.Color
}

func penOf(t *testing.T, th *theme.Theme, r theme.Role) pen {
	t.Helper()
	sgr, _, _ := strings.Cut(th.Paint(r, "x"), "x")
	var p pen
	if sgr == "" {
		return p
	}
	params := strings.Split(strings.TrimSuffix(strings.TrimPrefix(sgr, "\x1b["), "m"), ";")
	num := func(i int) int {
		n := 0
		for _, c := range params[i] {
			n = n*10 + int(c-'0')
		}
		return n
	}
	for i := 0; i < len(params); i++ {
		switch n := num(i); {
		case n == 1:
			p.bold = true
		case n == 4:
			p.underline = true
		case n == 7:
			p.reverse = true
		case n == 38 || n == 48:
			var c color.Color
			if num(i+1) == 5 {
				c, i = ansi.IndexedColor(num(i+2)), i+2
			} else {
				c, i = color.RGBA{uint8(num(i + 2)), uint8(num(i + 3)), uint8(num(i + 4)), 255}, i+4
			}
			if n == 38 {
				p.fg = c
			} else {
				p.bg = c
			}
		case n >= 30 && n <= 37:
			p.fg = ansi.BasicColor(n - 30)
		case n >= 90 && n <= 97:
			p.fg = ansi.BasicColor(n - 90 + 8)
		default:
			t.Fatalf("%v: unexpected parameter %d in %q", r, n, sgr)
		}
	}
	return p
}

// contrast is the ratio of WCAG 2.2, "contrast ratio": 1 to 21.
func contrast(a, b color.Color) float64 {
	luminance := func(c color.Color) float64 {
		r, g, b, _ := c.RGBA()
		lin := func(v uint32) float64 {
			x := float64(v) / 0xffff
			if x <= 0.04045 {
				return x / 12.92
			}
			return math.Pow((x+0.055)/1.055, 2.4)
		}
		return 0.2126*lin(r) + 0.7152*lin(g) + 0.0722*lin(b)
	}
	la, lb := luminance(a), luminance(b)
	if la < lb {
		la, lb = lb, la
	}
	return (la + 0.05) / (lb + 0.05)
}

// The backgrounds that terminals have in practice: each theme is checked on
// the extreme and on a softer one that is widely used.
var backgrounds = map[theme.Name][]color.Color{
	theme.Dark:  {color.RGBA{0, 0, 0, 255}, color.RGBA{0x1e, 0x1e, 0x2e, 255}},
	theme.Light: {color.RGBA{255, 255, 255, 255}, color.RGBA{0xfd, 0xf6, 0xe3, 255}},
}

func TestContrast(t *testing.T) {
	each(func(th *theme.Theme) {
		for _, r := range theme.Roles() {
			p := penOf(t, th, r)
			want := 4.5 // WCAG 2.2, 1.4.3, text
			if r == theme.Border {
				want = 3 // 1.4.11, what is not text
			}
			bgs := backgrounds[th.Name()]
			if th.Profile() == colorprofile.ANSI {
				bgs = bgs[:1] // softer backgrounds come with a palette that is made for them
			}
			for _, bg := range bgs {
				if p.bg != nil {
					bg = p.bg
				}
				if p.fg == nil {
					require.Nil(t, p.bg, "%v has a background without a foreground", r)
					continue
				}
				require.GreaterOrEqualf(t, contrast(p.fg, bg), want, "%v %v %v", th.Name(), th.Profile(), r)
			}
		}
	})
}

// What is all but grey is grey on a terminal with 256 colours, too.
func TestGreysStayGrey(t *testing.T) {
	grey := 0
	for _, n := range []theme.Name{theme.Dark, theme.Light} {
		for _, r := range theme.Roles() {
			exact := penOf(t, theme.Get(n, colorprofile.TrueColor, theme.Digits), r).fg
			if exact == nil || tint(exact) > 45 {
				continue
			}
			require.LessOrEqual(t, tint(penOf(t, theme.Get(n, colorprofile.ANSI256, theme.Digits), r).fg), 8, "%v %v", n, r)
			grey++
		}
	}
	require.Greater(t, grey, 10)
}

// tint is how far the strongest of a colour's three parts exceeds the weakest, of 255.
func tint(c color.Color) int {
	r, g, b, _ := c.RGBA()
	return int(max(r, g, b)>>8) - int(min(r, g, b)>>8)
}

// Without colours the roles that a player must tell apart differ by attributes.
func TestMonoUsesAttributesOnly(t *testing.T) {
	for _, n := range theme.Names() {
		th := theme.Get(n, colorprofile.ASCII, theme.Digits)
		for _, r := range theme.Roles() {
			p := penOf(t, th, r)
			require.Nil(t, p.fg)
			require.Nil(t, p.bg)
		}
		for _, apart := range [][]theme.Role{
			{theme.Text, theme.Selected, theme.Key, theme.Accent},
			{theme.Tile, theme.TilePlayable, theme.TileLast, theme.TileGhost},
			{theme.Text, theme.Good, theme.Bad, theme.Warn},
		} {
			seen := map[pen]theme.Role{}
			for _, r := range apart {
				p := penOf(t, th, r)
				other, taken := seen[p]
				require.Falsef(t, taken, "%v looks like %v", r, other)
				seen[p] = r
			}
		}
	}
}

// A reader's "you" stands beside the names of the sides, in the role of titles.
func TestNoSideLooksLikeATitle(t *testing.T) {
	each(func(th *theme.Theme) {
		for i := range 4 {
			if p := penOf(t, th, theme.Side(i)); p.fg != nil {
				require.NotEqual(t, penOf(t, th, theme.Title).fg, p.fg, "%v %v side %d", th.Name(), th.Profile(), i+1)
			}
		}
	})
}

func TestGlyphs(t *testing.T) {
	each(func(th *theme.Theme) {
		g := th.Glyphs()
		all := append([]string{
			g.Horizontal, g.Vertical, g.TopLeft, g.TopRight, g.BottomLeft, g.BottomRight,
			g.TeeLeft, g.TeeTop, g.Left, g.Right, g.Up, g.Down,
			g.Pip, g.Back, g.Cursor, g.Last, g.Bullet, g.Dot, g.Dash, g.Times,
			g.Check, g.Cross, g.On, g.Full, g.Empty,
		}, g.Spark[:]...)
		for _, s := range all {
			require.Equalf(t, 1, ansi.StringWidth(s), "%q", s)
		}
		if th.Faces() == theme.ASCII {
			for _, s := range append(all, g.Ellipsis) {
				for _, c := range []byte(s) {
					require.Truef(t, c >= 0x20 && c < 0x7f, "%q", s)
				}
			}
		}
		levels := map[string]bool{}
		for _, s := range g.Spark {
			levels[s] = true
		}
		require.Len(t, levels, len(g.Spark))
	})
}

func TestSide(t *testing.T) {
	assert.Equal(t, []theme.Role{theme.Side1, theme.Side2, theme.Side3, theme.Side4, theme.Side1},
		[]theme.Role{theme.Side(0), theme.Side(1), theme.Side(2), theme.Side(3), theme.Side(4)})
}

func TestDetect(t *testing.T) {
	for _, c := range []struct {
		term string
		env  []string
		want colorprofile.Profile
	}{
		{"", nil, colorprofile.NoTTY},
		{"dumb", nil, colorprofile.NoTTY},
		{"dumb", []string{"COLORTERM="}, colorprofile.NoTTY},
		{"vt100", nil, colorprofile.ASCII},
		{"vt220", nil, colorprofile.ASCII},
		{"xterm-mono", nil, colorprofile.ASCII},
		{"xterm", nil, colorprofile.ANSI},
		{"linux", nil, colorprofile.ANSI},
		{"putty", nil, colorprofile.ANSI},
		{"putty-256color", nil, colorprofile.ANSI256},
		{"xterm-256color", nil, colorprofile.ANSI256},
		{"xterm-256color", []string{"LANG=C.UTF-8", "COLORTERM=truecolor"}, colorprofile.TrueColor},
		{"xterm-256color", []string{"COLORTERM=24bit"}, colorprofile.TrueColor},
		{"xterm-kitty", nil, colorprofile.TrueColor},
		{"xterm-ghostty", nil, colorprofile.TrueColor},
		{"xterm-direct", nil, colorprofile.TrueColor},
		{"vt320", nil, colorprofile.ASCII},
		{"vt420-w", nil, colorprofile.ASCII},
		{"vt525", nil, colorprofile.ANSI},
		{"ms-terminal", nil, colorprofile.ANSI},
		{"screen", nil, colorprofile.ANSI},
		{"screen", []string{"COLORTERM=truecolor"}, colorprofile.ANSI},
		{"screen.linux", nil, colorprofile.ANSI},
		{"screen.xterm-kitty", nil, colorprofile.ANSI},
		{"screen.st-256color", nil, colorprofile.ANSI256},
		{"screen-256color", []string{"COLORTERM=truecolor"}, colorprofile.ANSI256},
		{"tmux-256color", []string{"TMUX=/tmp/x", "COLORTERM=truecolor"}, colorprofile.ANSI256},
		{"xterm-kitty", []string{"NO_COLOR=1"}, colorprofile.ASCII},
		{"xterm-256color", []string{"NO_COLOR=please", "CLICOLOR_FORCE=1"}, colorprofile.ASCII},
		{"xterm-256color", []string{"NO_COLOR="}, colorprofile.ANSI256},
		{"dumb", []string{"NO_COLOR=1"}, colorprofile.NoTTY},
	} {
		assert.Equalf(t, c.want, theme.Detect(c.term, c.env), "TERM=%s %v", c.term, c.env)
	}
	t.Run("the server's environment is not read", func(t *testing.T) {
		t.Setenv("NO_COLOR", "1")
		t.Setenv("COLORTERM", "truecolor")
		assert.Equal(t, colorprofile.ANSI256, theme.Detect("xterm-256color", nil))
	})
}

func BenchmarkPaint(b *testing.B) {
	th := theme.Get(theme.Dark, colorprofile.TrueColor, theme.Digits)
	b.ReportAllocs()
	var s string
	for b.Loop() {
		s = th.Paint(theme.TilePlayable, "│6·4│")
	}
	_ = s
}
