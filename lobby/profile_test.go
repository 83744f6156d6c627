package lobby_test

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"boneyard/lobby"
	titles "boneyard/lobby/event/season"
	"boneyard/table"
)

// A game of a number of rounds that several share was lost by those with fewer points.
func TestHowGamesEnded(t *testing.T) {
	bubble(t, func(t *testing.T, c *club) {
		people := c.comeAll("ana", "ben", "cem")
		play := func(rules string, r table.Result, seats ...*lobby.Visit) {
			start := table.Start{Rules: rules}
			for _, v := range seats {
				start.Seats = append(start.Seats, v.Player())
			}
			c.store.AddGame(t, time.Now(), start, &r, "x")
			wait(time.Minute)
		}
		ana, ben, cem := people[0], people[1], people[2]
		play("classic", table.Result{Ending: table.EndPlayed, Winner: 2, Scores: []int{20, 205}}, ana, ben)
		play("classic", table.Result{Ending: table.EndForfeit, Winner: 2, Scores: []int{20, 5}}, ben, ana)
		play("classic", table.Result{Ending: table.EndAbandoned, Scores: []int{20, 20}}, ben, ana)
		play("classic rounds=2", table.Result{Ending: table.EndPlayed, Scores: []int{20, 20}}, ben, ana)
		play("classic rounds=2", table.Result{Ending: table.EndPlayed, Scores: []int{30, 30, 20}}, ana, cem, ben)
		for of, want := range map[string]struct {
			how    []string
			versus lobby.Versus
		}{
			"ben": {[]string{"lost", "shared", "abandoned", "lost", "won"}, lobby.Versus{Won: 1, Lost: 1, Shared: 1}},
			"cem": {[]string{"shared"}, lobby.Versus{Shared: 1}},
		} {
			p, err := ana.Profile(ctx, of)
			require.NoError(t, err)
			var how []string
			for i := range p.Games {
				how = append(how, p.Games[i].How(of))
			}
			require.Equal(t, want.how, how, of)
			require.Equal(t, want.versus, *p.Versus, of)
		}
		p, err := cem.Profile(ctx, "ben")
		require.NoError(t, err)
		require.Nil(t, p.Versus, "neither has won, and they did not share")
	})
}

func TestProfileInSentences(t *testing.T) {
	joined := time.Date(2026, 1, 2, 0, 0, 0, 0, time.UTC)
	of := func(f func(p *lobby.Profile)) []string {
		p := &lobby.Profile{ID: 1, Name: "ana", Member: joined}
		f(p)
		return p.Sentences(joined, 3)
	}
	const since = "ana has been a member since 2 January 2026"
	require.Equal(t, []string{since + "."}, of(func(*lobby.Profile) {}))
	require.Equal(t, []string{since + " and is a program."}, of(func(p *lobby.Profile) { p.Bot = true }))
	team := &lobby.Team{Name: "Spinners", Tag: "SPI"}
	require.Equal(t, []string{since + " and plays for Spinners [SPI]."}, of(func(p *lobby.Profile) { p.Team = team }))
	require.Equal(t, []string{since + ", is a program and plays for Spinners [SPI]."},
		of(func(p *lobby.Profile) { p.Team, p.Bot = team, true }))
	require.Equal(t, []string{since + ".", "ana holds the shield of the season.",
		"Within a year: 1st in the season of November 2026, 2nd in the season of May 2026, 1st in 1 event, 3rd in 2 events.",
		"Against each other: you won 1, ana won 0, 2 shared."}, of(func(p *lobby.Profile) {
		p.Shield, p.Versus = true, &lobby.Versus{Won: 1, Shared: 2}
		p.Titles = []titles.Title{{Place: 1, What: "Season of November 2026"}, {Place: 2, What: "Season of May 2026"},
			{Place: 3, Event: 7}, {Place: 1, Event: 6}, {Place: 3, Event: 5}}
	}))
}
