package welcome_test

import (
	"context"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"boneyard/lobby"
	"boneyard/ui/page"
	"boneyard/ui/page/clubtest"
	"boneyard/ui/page/pagetest"
	"boneyard/ui/welcome"
)

var key = lobby.KeyID{77}

// arrive shows the page to somebody new.
func arrive(t *testing.T, user string) (*clubtest.Club, *page.Env, *pagetest.Driver) {
	club := clubtest.Open(t)
	e := pagetest.Env(t, nil)
	return club, e, pagetest.Drive(welcome.New(e, club.Lobby, lobby.Origin{Key: key}, user, ""))
}

func clear(d *pagetest.Driver) {
	for range 24 {
		d.Press("backspace")
	}
}

func TestProposedNameAndLookAreTaken(t *testing.T) {
	club, e, d := arrive(t, "cleo")
	var looks []lobby.Settings
	e.Restyle = func(s lobby.Settings) { looks = append(looks, s) }
	d.Press("down", "right", "down", "left", "left", "enter")
	require.Equal(t, []lobby.Settings{{Faces: "pips"}, {Faces: "pips", Theme: "mono"}, {Faces: "pips", Theme: "light"}}, looks,
		"choices are seen at once")
	got := pagetest.Take[welcome.RegisteredMsg](t, d)
	require.Equal(t, "cleo", got.Account.Name)
	require.Equal(t, lobby.Settings{Faces: "pips", Theme: "light"}, got.Account.Settings)
	_, err := club.Account(context.Background(), key)
	require.NoError(t, err)
}

func TestFirstLetterReplacesTheProposedName(t *testing.T) {
	for name, typed := range map[string]func(d *pagetest.Driver){
		"ben":    func(d *pagetest.Driver) { d.Type("ben") },
		"dia":    func(d *pagetest.Driver) { d.Paste("dia") },
		"cleola": func(d *pagetest.Driver) { d.Press("end"); d.Type("la") },
		"cle":    func(d *pagetest.Driver) { d.Press("backspace") },
		"cleop":  func(d *pagetest.Driver) { d.Press("left", "right"); d.Type("p") },
	} {
		_, _, d := arrive(t, "cleo")
		typed(d)
		d.Press("enter")
		require.Equal(t, name, pagetest.Take[welcome.RegisteredMsg](t, d).Account.Name)
	}
}

func TestOneEnterComesIn(t *testing.T) {
	_, _, d := arrive(t, "cleo")
	d.Press("enter")
	require.Equal(t, "cleo", pagetest.Take[welcome.RegisteredMsg](t, d).Account.Name)
}

func TestSaysWhereTheWayLeads(t *testing.T) {
	club := clubtest.Open(t)
	e := pagetest.Env(t, nil)
	d := pagetest.Drive(welcome.New(e, club.Lobby, lobby.Origin{Key: key}, "cleo", "table 8"))
	require.Contains(t, body(d), "You are on your way to table 8.")
	pagetest.GoldenWithFaces(t, e, d.Page, "way")
}

func TestNameIsJudgedAsItIsTyped(t *testing.T) {
	club, _, d := arrive(t, "cleo")
	club.Come("ben")
	clear(d)
	d.Type("Ben")
	require.Contains(t, body(d), "Somebody has that name")
	d.Press("enter", "down", "enter")
	require.Empty(t, d.Sent, "nobody comes in under a taken name")
	d.Type("ji")
	require.Contains(t, body(d), "You can have this name")
	d.Press("enter")
	require.Equal(t, "Benji", pagetest.Take[welcome.RegisteredMsg](t, d).Account.Name)
}

// A refusal is complete at any width, and moves nothing below it.
func TestRefusalIsWhole(t *testing.T) {
	_, _, d := arrive(t, "cleo")
	clear(d)
	d.Type("?")
	for _, size := range [][2]int{{60, 20}, {64, 24}, {72, 24}, {80, 24}, {90, 28}, {120, 40}} {
		lines := d.Lines(size[0], size[1])
		said := strings.Join(strings.Fields(strings.Join(lines, " ")), " ")
		require.Contains(t, said, "another.", "%d columns", size[0])
		require.Contains(t, said, "Tiles", "%d columns", size[0])
	}
}

func TestSomebodyWasFaster(t *testing.T) {
	club, _, d := arrive(t, "cleo")
	club.Come("cleo")
	d.Press("enter")
	require.Empty(t, d.Sent)
	require.Contains(t, body(d), "Somebody has that name")
	d.Press("end")
	d.Type("2")
	d.Press("enter")
	require.Equal(t, "cleo2", pagetest.Take[welcome.RegisteredMsg](t, d).Account.Name)
}

func TestPastedTextIsTextOfTheName(t *testing.T) {
	_, _, d := arrive(t, "cleo")
	clear(d)
	d.Paste("an\x1b[2Ja\r")
	require.Empty(t, d.Sent)
	require.Contains(t, body(d), "an[2Ja")
	require.NotContains(t, body(d), "\x1b[2J")
	d.Press("down")
	d.Paste("x")
	require.NotContains(t, body(d), "an[2Jax")
}

func body(d *pagetest.Driver) string {
	var s string
	for _, l := range d.Lines(100, 30) {
		s += l + "\n"
	}
	return s
}

func TestPictures(t *testing.T) {
	club, e, d := arrive(t, "cleo")
	pagetest.GoldenWithFaces(t, e, d.Page, "welcome")
	club.Come("ben")
	clear(d)
	d.Type("ben")
	d.Press("down")
	pagetest.GoldenWithFaces(t, e, d.Page, "taken")
}
