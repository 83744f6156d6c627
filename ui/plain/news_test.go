package plain_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"boneyard/lobby"
	"boneyard/table"
	"boneyard/ui/plain"
)

func TestNewsFor(t *testing.T) {
	for _, c := range []struct{ name, kind, text, want string }{
		{"rosa", lobby.NewsResult, "rosa beat sam at classic, 200:145", "You beat sam at classic, 200:145"},
		{"sam", lobby.NewsResult, "rosa beat sam at classic, 200:145", "rosa beat you at classic, 200:145"},
		{"sam", lobby.NewsResult, "rosa beat samuel at classic, 200:145", "rosa beat samuel at classic, 200:145"},
		{"ben", lobby.NewsResult, "[DOM] ana + ben beat [CD] cem + dia at block, 100:85", "[DOM] ana + you beat [CD] cem + dia at block, 100:85"},
		{"rosa", lobby.NewsStreak, "rosa has won 5 in a row", "You have won 5 in a row"},
		{"gina", lobby.NewsBest, "30 points in one play: gina at block, the best of the day",
			"30 points in one play: you at block, the best of the day"},
		{"emil", lobby.NewsComeback, "emil came back from 85 points behind at sniff", "You came back from 85 points behind at sniff"},
		{"classic", lobby.NewsResult, "rosa beat sam at classic, 200:145", "rosa beat sam at classic, 200:145"},
		{"Owls", lobby.NewsTeam, "Owls [OWL] has played its first game", "Owls [OWL] has played its first game"},
	} {
		require.Equal(t, c.want, plain.NewsFor(&lobby.NewsItem{Kind: c.kind, Text: c.text}, table.Player{ID: 3, Name: c.name}))
	}
	require.Equal(t, "rosa beat sam at sniff",
		plain.NewsFor(&lobby.NewsItem{Kind: lobby.NewsResult, Text: "rosa beat sam at sniff"}, table.Player{ID: -3, Name: "sam"}),
		"another guest of that name")
}
