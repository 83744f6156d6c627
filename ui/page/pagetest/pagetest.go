// Package pagetest tries out pages: it gives them keys and messages, carries out what they ask for, and holds
// what they draw against pictures. It knows pages only through package page.
package pagetest

import (
	"context"
	"fmt"
	"reflect"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	tea "charm.land/bubbletea/v2"
	"github.com/charmbracelet/colorprofile"
	"github.com/charmbracelet/x/ansi"
	"github.com/stretchr/testify/require"

	"boneyard/lobby"
	"boneyard/lobby/text/texttest"
	"boneyard/ui/golden"
	"boneyard/ui/page"
	"boneyard/ui/theme"
)

// Now is the time in tests of pages.
var Now = time.Date(2026, 11, 21, 20, 15, 0, 0, time.UTC)

// Dark is the usual look, on a terminal with 256 colours. Plain has neither colours nor anything but ASCII.
var (
	Dark  = theme.Get(theme.Dark, colorprofile.ANSI256, theme.Digits)
	Plain = theme.Get(theme.Mono, colorprofile.NoTTY, theme.ASCII)
)

// Env is what a page is made with; v may be nil.
func Env(t testing.TB, v *lobby.Visit) *page.Env {
	ctx, cancel := context.WithCancel(context.Background())
	t.Cleanup(cancel)
	return &page.Env{
		Version: "v1.2.3 (0123456789ab)",
		Context: ctx, Visit: v, Theme: Dark, Address: "-p 2222 club.example.org",
		Now: func() time.Time { return Now }, Copy: func(string) bool { return true }, Bell: func() {}, Wake: func() {},
		Restyle: func(lobby.Settings) {},
	}
}

// Driver stands in for the club around a page.
type Driver struct {
	Page page.Page
	Sent []tea.Msg // what the page has asked the club for (Goto, Toast, Ask, …) and not been given back
}

// Drive enters a page on a terminal of 80×24.
func Drive(p page.Page) *Driver {
	d := &Driver{Page: p}
	d.Page.Resize(80, 20)
	d.Do(p.Init())
	return d
}

// Lines gives the page's body a size and draws it.
func (d *Driver) Lines(w, h int) []string { return Lines(d.Page, w, h) }

// Lines gives a page's body a size and draws it.
func Lines(p page.Page, w, h int) []string {
	p.Resize(w, h)
	return p.Lines()
}

// Send gives the page a message, and carries out what follows from it.
func (d *Driver) Send(msg tea.Msg) {
	if then, ok := msg.(page.Then); ok {
		d.Do(then())
	} else {
		cmd, _ := page.Give(d.Page, msg)
		d.Do(cmd)
	}
}

// Do carries out a command here and now. What is for the club is kept, the rest goes to the page.
func (d *Driver) Do(cmd tea.Cmd) {
	if cmd == nil {
		return
	}
	switch msg := cmd().(type) {
	case nil:
	case page.AnswerMsg:
		if answer, ok := msg.Take(); ok {
			d.Do(page.Send(answer))
		}
	case page.Then:
		d.Send(msg)
	case page.GotoMsg, page.BackMsg, page.Toast, page.AskMsg:
		d.Sent = append(d.Sent, msg)
	default:
		if v := reflect.ValueOf(msg); v.Kind() == reflect.Slice && v.Type().Elem() == reflect.TypeFor[tea.Cmd]() {
			for i := range v.Len() { // [tea.Batch] or [tea.Sequence], whose message has no name outside its package
				d.Do(v.Index(i).Interface().(tea.Cmd))
			}
			return
		}
		d.Sent = append(d.Sent, msg)
	}
}

// Press presses keys by their names: "down", "enter", "ctrl+b", "/", "space".
func (d *Driver) Press(keys ...string) {
	for _, k := range keys {
		d.Send(Key(k))
	}
}

// Type types text, a key for each character.
func (d *Driver) Type(s string) {
	for _, r := range s {
		d.Send(tea.KeyPressMsg{Code: r, Text: string(r)})
	}
}

// Click clicks on a place of the page's body.
func (d *Driver) Click(x, y int) { d.Do(page.Click(d.Page, x, y)) }

// Paste pastes text.
func (d *Driver) Paste(s string) { d.Send(tea.PasteMsg{Content: s}) }

// Key is the message of a key.
func Key(name string) tea.KeyPressMsg { return page.KeyPress(name) }

// Take returns the one thing of type T that the page has asked the club for, and forgets what it has asked.
func Take[T tea.Msg](t testing.TB, d *Driver) T {
	t.Helper()
	var found []T
	for _, m := range d.Sent {
		if m, ok := m.(T); ok {
			found = append(found, m)
		}
	}
	require.Len(t, found, 1, "asked of the club: %#v", d.Sent)
	d.Sent = nil
	return found[0]
}

// Screen is the whole screen around a page's body, with a plain header.
func Screen(t *theme.Theme, p page.Page, w, h int) []string {
	_, rows := page.Room(h)
	left, width := page.Middle(p, w)
	p.Resize(width, rows)
	c, does := p.Chrome(), p.Actions()
	if !c.Typing {
		does = does.And(page.KeyBack, page.KeyHelp)
	}
	return page.Around(t, w, h, page.Header(t, c.Title, "ana", w), page.Shift(p.Lines(), left), "", does)
}

// Sizes are the sizes at which every page is held against a picture.
var Sizes = [][2]int{{40, 12}, {80, 24}, {120, 40}}

// Large is the size at which pages are held against a picture, too, that use the room of a large terminal.
var Large = [2]int{200, 50}

// Golden holds a page against its pictures in testdata, one file for each size, and for more sizes: as text, as roles, and
// without colours in ASCII. The page must draw with the theme in e.
func Golden(t *testing.T, e *page.Env, p page.Page, name string, more ...[2]int) {
	t.Helper()
	for _, s := range pictures(t, e, p, name, more...) {
		for _, r := range s {
			require.Less(t, r, rune(0x80), "not ASCII: %s", s)
		}
	}
}

// GoldenWithFaces is Golden for a page that shows all tile faces, so that it has more than ASCII on any
// terminal.
func GoldenWithFaces(t *testing.T, e *page.Env, p page.Page, name string) {
	t.Helper()
	pictures(t, e, p, name)
}

// pictures does what Golden says, and returns all lines of the plain look.
func pictures(t *testing.T, e *page.Env, p page.Page, name string, more ...[2]int) (all []string) {
	t.Helper()
	was := e.Theme
	defer func() { e.Theme = was }()
	for _, size := range slices.Concat(Sizes, more) {
		w, h := size[0], size[1]
		var b strings.Builder
		e.Theme = Dark
		dark := Screen(Dark, p, w, h)
		e.Theme = Plain
		plain := Screen(Plain, p, w, h)
		for _, look := range []struct {
			name  string
			lines []string
			show  func(string) string
		}{
			{"dark", dark, ansi.Strip},
			{"dark, in roles", dark, func(s string) string { return Roles(Dark, s) }},
			{"mono, ascii", plain, func(s string) string { return s }},
		} {
			fmt.Fprintf(&b, "== %dx%d, %s\n", w, h, look.name)
			for _, s := range look.lines {
				b.WriteString(strings.TrimRight(look.show(s), " ") + "\n")
			}
		}
		CheckFits(t, dark, w, h)
		CheckFits(t, plain, w, h)
		all = append(all, plain...)
		golden.Check(t, fmt.Sprintf("%s-%dx%d.txt", name, w, h), b.String())
	}
	return all
}

// CheckFits checks that lines stay within w columns and h rows.
func CheckFits(t testing.TB, lines []string, w, h int) {
	t.Helper()
	require.LessOrEqual(t, len(lines), h)
	for _, s := range lines {
		require.LessOrEqual(t, ansi.StringWidth(s), w, "too wide: %q", s)
		require.NotContains(t, s, "\n")
	}
}

// CheckHostile draws a page into which text of strangers c has been put, at many sizes, and checks that
// nothing of it is left that could act on a terminal.
func CheckHostile(t testing.TB, p page.Page, c texttest.Case) {
	t.Helper()
	for _, size := range append([][2]int{{61, 17}}, Sizes...) {
		lines := Lines(p, size[0], size[1])
		CheckFits(t, lines, size[0], size[1])
		all := strings.Join(lines, "\n")
		require.Empty(t, c.Leak(all), "%s leaks at %v", c.Name, size)
		require.NoError(t, texttest.Inert(ansi.Strip(strings.Join(lines, " "))), "%s at %v", c.Name, size)
	}
}

var sgr = regexp.MustCompile("\x1b\\[[0-9;]*m")

// Roles writes a painted line with the names of roles for escape sequences: "{Title}Tables{}". Roles that
// look the same have the name of the first of them.
func Roles(t *theme.Theme, s string) string {
	return sgr.ReplaceAllStringFunc(s, func(seq string) string {
		if seq == "\x1b[m" {
			return "{}"
		}
		for _, r := range theme.Roles() {
			if strings.HasPrefix(t.Paint(r, "x"), seq+"x") {
				return "{" + r.String() + "}"
			}
		}
		return "{?" + seq[1:] + "}"
	})
}

// Clicks checks that a click chooses a row of the page's list, and that one on the chosen row opens it as
// enter does.
func Clicks(t *testing.T, d *Driver) {
	t.Helper()
	chosen := func() int {
		mark := Dark.Glyphs().Cursor
		return slices.IndexFunc(d.Lines(80, 20), func(line string) bool { return strings.Contains(line, mark) })
	}
	click := func(row int) { d.Click(10, row) }
	d.Press("home")
	row := chosen()
	d.Press("down")
	require.Equal(t, row+1, chosen(), "the list has two rows, one below the other")
	click(row)
	require.Equal(t, row, chosen())
	click(row + 1)
	require.Equal(t, row+1, chosen())
	click(row)
	require.Equal(t, row, chosen())
	require.Empty(t, d.Sent)
	d.Press("enter")
	opens := d.Sent
	require.NotEmpty(t, opens)
	d.Sent = nil
	click(row)
	require.Equal(t, opens, d.Sent)
	d.Sent = nil
	for _, y := range []int{-1, 19} {
		click(y)
		require.Empty(t, d.Sent)
	}
}
