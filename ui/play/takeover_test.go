package play

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"boneyard/table"
)

// Players read who will take over a bot's seat, and who has; an earlier board still names the bot.
func TestTakeoverIsTold(t *testing.T) {
	s := sit(t, "classic", 3, "ana", "nora.regular")
	bot := &s.view.Seats[1]
	bot.Player.ID, bot.House = 0, table.Regular
	bot.Next = table.Player{ID: 2, Name: "ben"}
	s.deal()
	s.moveTo(1, 4)
	const coming, came = "ben takes over from nora.regular after this round.", "ben takes over from nora.regular."
	require.Contains(t, shown(at(t, s.of(1)), 80, 24), coming)
	s.say(1, table.RoomPlayers, "welcome")
	require.Contains(t, shown(at(t, s.of(1)), 80, 24), coming, "while somebody talks")
	s.toRoundEnd()
	require.Contains(t, shown(at(t, s.of(1)), 80, 24), coming)

	s.view.Chat = nil
	s.tell(came)
	bot.Player, bot.House, bot.Next = table.Player{ID: 2, Name: "ben"}, "", table.Player{}
	s.deal()
	p := at(t, s.of(1))
	screen := shown(p, 80, 24)
	require.Contains(t, screen, came)
	require.Contains(t, screen, "░  ben ")
	p.press("<")
	screen = shown(p, 80, 24)
	require.Contains(t, screen, " of round 1: ")
	require.Contains(t, screen, "░  nora.regular ")
	require.NotContains(t, screen, "ben")
}

// A person who takes over a bot's seat reads why they only watch for now, and how to give the seat up.
func TestWhoeverTakesOverIsTold(t *testing.T) {
	s := sit(t, "classic", 3, "cem", "nora.regular")
	s.view.Seats[0].Player.ID = 9
	bot := &s.view.Seats[1]
	bot.Player.ID, bot.House = 0, table.Regular
	s.deal()
	s.moveTo(1, 4)
	p := at(t, s.of(0))
	require.NotContains(t, shown(p, 80, 24), "You take over")
	p.press("u")
	require.Empty(t, p.asked())
	bot.Next = p.club.Player()
	p = at(t, s.of(0))
	for _, size := range [][2]int{{80, 24}, {120, 40}} {
		require.Contains(t, shown(p, size[0], size[1]), "You take over from a bot after this round. Press u if you don't want to.")
		require.Contains(t, strings.Join(p.Frame(size[0], size[1]).Lines, "\n"), "You take over from a bot")
	}
	require.Contains(t, shown(p, 80, 24), "u stand up")
	p.press("u")
	require.Equal(t, []table.Command{table.Stand{UnlessPlaying: true}}, p.asked())
}

// Players who come back to a sleeping game read how to resume it.
func TestReturnToASleepingGame(t *testing.T) {
	s := sit(t, "classic", 3, "ana", "ben")
	s.deal()
	s.moveTo(1, 4)
	s.view.Asleep = true
	s.view.Seats[0].StandIn = true
	require.Contains(t, shown(at(t, s.of(1)), 80, 24), " You were away, and the game sleeps. Press Enter to take your seat back.")
	s.view.Asleep = false
	require.Contains(t, shown(at(t, s.of(1)), 80, 24), " You were away; a bot is playing for you. Press Enter to take your seat back.")
}

// The reason why a game does not count is not cut if there is room.
func TestCasualIsWhole(t *testing.T) {
	s := sit(t, "classic", 3, "ana", "ben")
	s.deal()
	s.moveTo(1, 4)
	s.view.Casual = "house bot at the table, with hints"
	require.Contains(t, shown(at(t, s.of(1)), 140, 40), "casual: house bot at the table, with hints ")
}
