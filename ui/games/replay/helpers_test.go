package replay_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	tea "charm.land/bubbletea/v2"
	"github.com/charmbracelet/colorprofile"
	"github.com/stretchr/testify/require"

	"boneyard/ui/games/replay"
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

func names(t testing.TB) []string {
	t.Helper()
	files, err := filepath.Glob(filepath.Join(records, "*.dom"))
	require.NoError(t, err)
	require.NotEmpty(t, files)
	return files
}

func text(t testing.TB, file string) string {
	t.Helper()
	b, err := os.ReadFile(file)
	require.NoError(t, err)
	return string(b)
}

func read(t testing.TB, file string) *replay.Record {
	t.Helper()
	rec, err := replay.Read(strings.NewReader(text(t, file)))
	require.NoError(t, err)
	return rec
}

// open shows one of the records; it must have a moment.
func open(t testing.TB, name string) (*replay.Viewer, *replay.Record) {
	t.Helper()
	rec := read(t, filepath.Join(records, name+".dom"))
	require.NotEmpty(t, rec.Moments)
	return replay.New(rec, ""), rec
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
func press(v *replay.Viewer, keys string) {
	for _, name := range strings.Fields(keys) {
		k, ok := special[name]
		if !ok {
			k = tea.Key{Code: rune(name[0]), Text: name}
		}
		v.Update(tea.KeyPressMsg(k), epoch)
	}
}

// show is the screen as plain text.
func show(v *replay.Viewer, t *theme.Theme, w, h int) string {
	return strings.Join(v.Lines(t, w, h), "\n") + "\n"
}
