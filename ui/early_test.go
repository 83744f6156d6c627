package ui_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"boneyard/table"
	"boneyard/ui"
	"boneyard/ui/page"
	"boneyard/ui/page/clubtest"
)

// Keys typed before the club has answered go to the first page.
func TestKeysTypedEarly(t *testing.T) {
	club := clubtest.Open(t)
	typed := func(s *ui.Session) { s.In.(*keyboard).press("?") }
	c := sit(t, club, nil, 80, 24, typed)
	c.sees("Keys: Lobby")
	c = sit(t, club, nil, 80, 24, typed, func(s *ui.Session) {
		s.Start = page.Target{Kind: page.NewTable, Draft: page.Draft{Make: true, Words: "target=50 sniff"}}
	})
	c.sees("Keys: Table")
}

// A key that comes together with one that opens a page is for that page.
func TestKeysTypedAhead(t *testing.T) {
	club := clubtest.Open(t)
	_, err := club.Come("ana").NewTable(t.Context(), table.DefaultConfig())
	require.NoError(t, err)
	for ahead, want := range map[string]string{"A?": "Keys: Arenas", "w?": "Keys: Table", "W?": "Keys: The wall"} {
		c := sit(t, club, nil, 80, 24)
		c.sees("sit down")
		c.press(ahead)
		c.sees(want)
	}
}
