package settings_test

import (
	"errors"
	"fmt"
	"strings"
	"testing"

	tea "charm.land/bubbletea/v2"
	"github.com/charmbracelet/colorprofile"
	"github.com/charmbracelet/x/ansi"
	"github.com/stretchr/testify/require"

	"boneyard/lobby"
	"boneyard/ui/golden"
	"boneyard/ui/page"
	"boneyard/ui/page/clubtest"
	"boneyard/ui/page/pagetest"
	"boneyard/ui/settings"
	"boneyard/ui/theme"
)

func TestChoicesAreSeenAndKept(t *testing.T) {
	v := clubtest.Open(t).Come("ana")
	e := pagetest.Env(t, v)
	var look lobby.Settings
	e.Restyle = func(s lobby.Settings) { look = s }
	d := pagetest.Drive(settings.New(e))
	d.Press("right")
	want := lobby.Settings{Faces: "pips"}
	require.Equal(t, want, look)
	require.Equal(t, want, v.Settings())
	d.Press("down", "left", "down", "space", "down", "enter", "down", "enter", "down", "left")
	require.Equal(t, lobby.Settings{Faces: "pips", Theme: "mono", Bell: true, Mouse: true, LineMode: true, NoEarnings: true}, v.Settings())
	d.Press("up", "up", "up", "up", "right")
	require.Empty(t, v.Settings().Theme, "the terminal's background decides again")
}

// If choices are made faster than they are saved, the last one is saved.
func TestLastChoiceIsKept(t *testing.T) {
	v := clubtest.Open(t).Come("ana")
	var p page.Page = settings.New(pagetest.Env(t, v))
	var waiting []tea.Cmd
	for range 3 {
		cmd, _ := page.Give(p, pagetest.Key("right"))
		waiting = append(waiting, cmd)
	}
	d := &pagetest.Driver{Page: p}
	for i := range waiting { // the answers come in the wrong order
		d.Do(waiting[len(waiting)-1-i])
	}
	require.Equal(t, "digits", v.Settings().Faces)
}

func TestWhatCannotBeKeptIsTakenBack(t *testing.T) {
	club := clubtest.Open(t)
	v := club.Come("ana")
	e := pagetest.Env(t, v)
	var looks []lobby.Settings
	e.Restyle = func(s lobby.Settings) { looks = append(looks, s) }
	d := pagetest.Drive(settings.New(e))
	club.Store.Fail(errors.New("disk on fire"))
	d.Press("right")
	club.Store.Fail(nil)
	require.Equal(t, []lobby.Settings{{Faces: "pips"}, {}}, looks)
	require.Contains(t, pagetest.Take[page.Toast](t, d).Text, "try again")
	require.Contains(t, text(d), "[digits]")
}

func text(d *pagetest.Driver) string { return ansi.Strip(strings.Join(d.Lines(80, 20), "\n")) }

func TestGuestsAreToldWhatTheyLose(t *testing.T) {
	v := clubtest.Open(t).Guest()
	d := pagetest.Drive(settings.New(pagetest.Env(t, v)))
	require.Contains(t, text(d), "forgotten when you leave")
	d.Press("right")
	require.Equal(t, "pips", v.Settings().Faces)
}

func TestPictures(t *testing.T) {
	v := clubtest.Open(t).Come("ana")
	e := pagetest.Env(t, v)
	d := pagetest.Drive(settings.New(e))
	pagetest.GoldenWithFaces(t, e, d.Page, "settings")
	d.Press("down", "down", "down")
	pagetest.GoldenWithFaces(t, e, d.Page, "mouse")
}

func TestFitsEverySize(t *testing.T) {
	v := clubtest.Open(t).Come("ana")
	d := pagetest.Drive(settings.New(pagetest.Env(t, v)))
	for w := 40; w < 130; w += 3 {
		for h := 10; h < 40; h++ {
			pagetest.CheckFits(t, d.Lines(w, h), w, h)
		}
	}
}

// The help of the chosen setting is complete at every width.
func TestHelpIsWhole(t *testing.T) {
	d := pagetest.Drive(settings.New(pagetest.Env(t, clubtest.Open(t).Come("ana"))))
	for _, s := range settings.Rows() {
		for w := page.MinWidth; w <= 120; w++ {
			said := strings.Join(strings.Fields(ansi.Strip(strings.Join(d.Lines(w, 12), " "))), " ")
			require.Contains(t, said, s.Help, "%d columns", w)
		}
		d.Press("down")
	}
}

func TestGallery(t *testing.T) {
	var b strings.Builder
	for _, width := range []int{76, 40, 24} {
		lines := settings.Gallery(theme.Get(theme.Mono, colorprofile.NoTTY, theme.Pips), width)
		fmt.Fprintf(&b, "== %d\n", width)
		for _, s := range lines {
			require.LessOrEqual(t, ansi.StringWidth(s), width)
			b.WriteString(strings.TrimRight(s, " ") + "\n")
		}
	}
	golden.Check(t, "gallery.txt", b.String())
}
