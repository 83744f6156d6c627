package teams_test

import (
	"context"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"boneyard/lobby/event"
	"boneyard/lobby/event/league"
	"boneyard/lobby/event/match"
	"boneyard/lobby/lobbytest"
	"boneyard/ui/feature"
	"boneyard/ui/page/clubtest"
	"boneyard/ui/page/pagetest"
	"boneyard/ui/teams"
)

// A team's page, and the command, show the team's own trophies, not those of others.
func TestTrophies(t *testing.T) {
	ctx := context.Background()
	c := clubtest.Open(t, func(s *lobbytest.Store) {
		e, err := s.CreateEvent(ctx, event.Event{Kind: league.Kind, Key: "1", Begins: pagetest.Now})
		require.NoError(t, err)
		over := event.New(event.KindOver,
			match.Final{Name: "Winter league", Trophies: []match.Trophy{{Team: 1, Title: "Winner of Winter league"}}})
		over.Seq, over.At = 1, pagetest.Now.Add(time.Hour)
		require.NoError(t, s.AppendEvent(ctx, e.ID, 0, []event.Entry{over}, true))
	})
	for i, name := range []string{"ana", "ben"} {
		v := c.Come(name)
		team, err := v.CreateTeam(ctx, "Team of "+name, strings.ToUpper(name))
		require.NoError(t, err)
		shown := strings.Join(pagetest.Drive(teams.NewTeam(pagetest.Env(t, v), team.ID, 0)).Lines(80, 24), "\n")
		require.Equal(t, i == 0, strings.Contains(shown, pagetest.Now.UTC().Format(time.DateOnly)+"  Winner of Winter league"), shown)
		command, _ := feature.Find(feature.Line, "team")
		said, err := command.Run(ctx, &feature.Ask{Way: feature.Line, Visit: v})
		require.NoError(t, err)
		won := "Trophy, " + pagetest.Now.UTC().Format(time.DateOnly) + ": Winner of Winter league."
		require.Equal(t, i == 0, strings.Contains(strings.Join(said.Lines, "\n"), won))
	}
}
