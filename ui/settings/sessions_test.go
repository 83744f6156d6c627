package settings_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"boneyard/lobby"
	"boneyard/ui/page/pagetest"
	"boneyard/ui/settings"
)

// What another session of the person has chosen meanwhile stays.
func TestAnotherSessionsChoiceStays(t *testing.T) {
	v := pagetest.Open(t).Come("ana")
	d := pagetest.Drive(settings.New(pagetest.Env(t, v)))
	// another session switches the bell on, and has seen how a round goes
	s := v.Settings()
	s.Bell, s.NoGuide = true, true
	require.NoError(t, v.SaveSettings(t.Context(), s))
	d.Press("right")
	require.Equal(t, lobby.Settings{Faces: "pips", Bell: true, NoGuide: true}, v.Settings())
}
