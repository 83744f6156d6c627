package play

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"boneyard/rules"
	"boneyard/table"
	"boneyard/ui/page"
)

func TestAnswersToCommands(t *testing.T) {
	for _, pov := range []rules.Seat{1, 0} {
		p := at(t, lead(t).of(pov))
		body := func() string { return strings.Join(screenOf(p.Page, 80, 24), "\n") }
		p.club.reply = "/help - this list\n/who [NAME] - who is here"
		p.press("t", "/", "h", "enter")
		require.Contains(t, body(), "/help - this list")
		require.Contains(t, body(), "/who [NAME] - who is here")
		require.Empty(t, p.said, "nothing of it at the foot")
		require.True(t, p.Chrome().Typing, "q and ? are not for the club")
		require.False(t, p.Chrome().Cursor.Visible)
		p.asked()
		p.press("1")
		require.False(t, p.Chrome().Typing)
		require.NotContains(t, body(), "/who [NAME]")
		require.Equal(t, nothing, p.pick, "the key that closes the answer does nothing else")

		p.club.reply = "You no longer see what ben says."
		p.press("t", "/", "i", "enter")
		require.Equal(t, p.club.reply, p.said[0].(page.Toast).Text)
		require.False(t, p.Chrome().Typing)
	}
}

func TestLongAnswersScroll(t *testing.T) {
	p := at(t, lead(t).of(1))
	p.club.reply = strings.Repeat("somebody\n", 60) + "the last"
	p.press("t", "/", "enter")
	body := func() string { return strings.Join(screenOf(p.Page, 40, 12), "\n") }
	require.Contains(t, body(), "scroll")
	for range 70 {
		require.True(t, p.Chrome().Typing)
		p.press("down")
		body()
	}
	require.Contains(t, body(), "the last")
	p.press("enter")
	require.NotContains(t, body(), "the last")
	require.Equal(t, []table.Command{table.Say{Text: "/"}}, p.asked(), "enter played nothing")
}

// Lines of a player who is ignored disappear from a watcher's screen at once.
func TestIgnoringAtATable(t *testing.T) {
	s := lead(t)
	s.view.Chat = []table.ChatLine{{Seq: 1, From: table.Player{ID: 9, Name: "zoe"}, Text: "look at that", Room: table.RoomWatchers}}
	p := at(t, s.of(0))
	body := func() string { return strings.Join(screenOf(p.Page, 120, 40), "\n") }
	require.Contains(t, body(), "look at that")
	p.club.ignored, p.club.reply = "zoe", "You no longer see what zoe says."
	p.press("t", "/", "enter")
	require.NotContains(t, body(), "look at that")
}
