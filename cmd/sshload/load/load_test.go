package load

import (
	"testing"

	"github.com/stretchr/testify/require"
)

func TestProfilesAreValid(t *testing.T) {
	help := NewCommand().Long
	for _, l := range profiles() {
		require.NoError(t, l.Validate(), l.Name)
		require.Contains(t, help, l.Name+" ")
		require.Contains(t, help, l.About)
	}
}

func TestBounds(t *testing.T) {
	for what, change := range map[string]func(*Load){
		"too many":   func(l *Load) { l.Watchers = maxClients + 1 },
		"below 0":    func(l *Load) { l.Lobby = -1 },
		"nobody":     func(l *Load) { *l = Load{} },
		"seats":      func(l *Load) { l.Seats = 5 },
		"cannot":     func(l *Load) { l.People = 4 },
		"table":      func(l *Load) { l.Tables = 0 },
		"slow":       func(l *Load) { l.Slow = l.Watchers + 1 },
		"at most":    func(l *Load) { l.Play = maxPhase + 1 },
		"some time":  func(l *Load) { l.Play = 0 },
		"columns":    func(l *Load) { l.Width = 1000 },
		"1000 a sec": func(l *Load) { l.Chat = 5000 },
	} {
		l, err := profile("small")
		require.NoError(t, err)
		change(&l)
		require.ErrorContains(t, l.Validate(), what)
	}
}
