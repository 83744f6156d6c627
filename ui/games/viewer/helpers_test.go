package viewer_test

import (
	"path/filepath"
	"strings"
	"testing"
	"time"

	tea "charm.land/bubbletea/v2"
	"github.com/charmbracelet/colorprofile"
	"github.com/stretchr/testify/require"

	"boneyard/rules/replay"
	"boneyard/rules/replay/replaytest"
	"boneyard/ui/games/viewer"
	"boneyard/ui/theme"
)

// The looks in which screens are held against goldens: with colours, and with the least that a terminal can show.
var (
	dark  = theme.Get(theme.Dark, colorprofile.TrueColor, theme.Digits)
	plain = theme.Get(theme.Mono, colorprofile.NoTTY, theme.Digits)
	ascii = theme.Get(theme.Mono, colorprofile.NoTTY, theme.ASCII)
)

// records are the records that package record is tested with.
const records = "../../../rules/record/testdata/valid"

// open shows one of the records; it must have a moment.
func open(t testing.TB, name string) (*viewer.Viewer, *replay.Record) {
	t.Helper()
	rec := replaytest.Read(t, filepath.Join(records, name+".dom"))
	require.NotEmpty(t, rec.Moments)
	return newViewer(rec, ""), rec
}

// newViewer returns a viewer of 80 columns and 20 rows.
func newViewer(rec *replay.Record, ending string) *viewer.Viewer {
	v := viewer.New(rec, ending)
	v.Resize(plain, 80, 20)
	return v
}

// epoch is when the tests take place.
var epoch = time.Date(2026, 11, 21, 20, 15, 0, 0, time.UTC)

var special = map[string]tea.Key{
	"left": {Code: tea.KeyLeft}, "right": {Code: tea.KeyRight}, "up": {Code: tea.KeyUp}, "down": {Code: tea.KeyDown},
	"home": {Code: tea.KeyHome}, "end": {Code: tea.KeyEnd}, "pgup": {Code: tea.KeyPgUp}, "pgdown": {Code: tea.KeyPgDown},
	"enter": {Code: tea.KeyEnter}, "esc": {Code: tea.KeyEscape}, "backspace": {Code: tea.KeyBackspace},
	"space": {Code: tea.KeySpace, Text: " "},
}

// press presses keys one after the other: "g 1 7 enter".
func press(v *viewer.Viewer, keys string) {
	for _, name := range strings.Fields(keys) {
		k, ok := special[name]
		if !ok {
			k = tea.Key{Code: rune(name[0]), Text: name}
		}
		if _, ok := v.Actions(epoch).Press(tea.KeyPressMsg(k)); !ok {
			v.Update(tea.KeyPressMsg(k))
		}
	}
}

// show is the screen as plain text.
func show(v *viewer.Viewer, t *theme.Theme, w, h int) string {
	v.Resize(t, w, h)
	return strings.Join(v.Lines(), "\n") + "\n"
}
