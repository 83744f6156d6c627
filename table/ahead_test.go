package table_test

import (
	"testing"
	"testing/synctest"

	"github.com/stretchr/testify/require"

	"boneyard/rules"
	"boneyard/rules/bot"
)

// Watchers see who is ahead by the scores, while a game is played.
func TestWatchersAreToldWhoIsAhead(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		f := open(t, 1, config(nil))
		require.Nil(t, f.see(eve).Chances, "no game is played")
		f.seat(ana, ben)
		require.Equal(t, []int{50, 50}, f.see(eve).Chances)
		p, v := f.turn(ana, ben)
		for v.Play.Scores == [rules.MaxSeats]rules.Points{} {
			f.play(p, v)
			p, v = f.turn(ana, ben)
		}
		require.Nil(t, v.Chances, "players are not told")
		require.Equal(t, bot.Percent(bot.Chances(&v.Play)), f.see(eve).Chances)
		require.NotEqual(t, []int{50, 50}, f.see(eve).Chances)
		f.playOut(ana, ben)
		require.Nil(t, f.see(eve).Chances)
	})
}
