package settings_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"boneyard/lobby"
	"boneyard/ui/page"
	"boneyard/ui/page/clubtest"
	"boneyard/ui/page/pagetest"
	"boneyard/ui/settings"
)

// Changes that another session has made in the meantime stay.
func TestAnotherSessionsChoiceStays(t *testing.T) {
	v := clubtest.Open(t).Come("ana")
	d := pagetest.Drive(settings.New(pagetest.Env(t, v)))
	// another session switches the bell on, and has seen how a round goes
	s := v.Settings()
	s.Bell, s.NoGuide = true, true
	require.NoError(t, v.SaveSettings(t.Context(), s))
	d.Press("right")
	require.Equal(t, lobby.Settings{Faces: "pips", Bell: true, NoGuide: true}, v.Settings())
}

// A choice made in another session shows on the page at once, and the page uses it.
func TestAnotherSessionsChoiceIsSeen(t *testing.T) {
	v := clubtest.Open(t).Come("ana")
	e := pagetest.Env(t, v)
	var looks []lobby.Settings
	e.Restyle = func(s lobby.Settings) { looks = append(looks, s) }
	d := pagetest.Drive(settings.New(e))
	d.Send(page.ClubUpdateMsg{})
	require.Empty(t, looks)
	want := lobby.Settings{Faces: "pips"}
	require.NoError(t, v.SaveSettings(t.Context(), want))
	d.Send(page.ClubUpdateMsg{})
	require.Contains(t, strings.Join(pagetest.Screen(e.Theme, d.Page, 80, 24), ""), "[pips]")
	require.Equal(t, []lobby.Settings{want}, looks)
}
