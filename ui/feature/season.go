package feature

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"boneyard/lobby"
	"boneyard/lobby/event/season"
	"boneyard/lobby/text"
	"boneyard/table"
	"boneyard/ui/plain"
)

const errSeason Usage = "Use season with players or teams, and a month such as 2026-11."

// points answers with the table of a month.
func points(ctx context.Context, q *Ask) (Answer, error) {
	when, teams := season.Month(q.Now), false
	for _, w := range q.Words {
		switch w = strings.ToLower(w); {
		case kinds[w] == lobby.KindTeam, kinds[w] == lobby.KindPlayer:
			teams = kinds[w] == lobby.KindTeam
		case month.MatchString(w):
			when = w
		default:
			return Answer{}, errSeason
		}
	}
	rows, err := q.Visit.Season(ctx, when, teams)
	if err != nil {
		return Answer{}, err
	}
	return list(q, plain.SeasonRows, rows, "Season of "+when+".", "", func(r *season.Row) string {
		points, events := text.Number(r.Points, "point"), text.Number(r.Events, "event")
		return fmt.Sprintf("%d. %s, %s, %s, %d won.", r.Place, r.Name, points, events, r.Won)
	}), nil
}

// past answers with events that are over: all, or those in which a person or a team was among the best.
func past(ctx context.Context, q *Ask) (Answer, error) {
	var player table.PlayerID
	var team table.TeamID
	switch {
	case len(q.Words) > 1 && strings.EqualFold(q.Words[0], "team"):
		t, err := q.Visit.AnyTeam(ctx, q.Words[1])
		if errors.Is(err, lobby.ErrNoTeam) {
			err = errTag
		}
		if err != nil {
			return Answer{}, err
		}
		team = t.ID
	case len(q.Words) > 0:
		who, err := q.Visit.Profile(ctx, q.text())
		if err != nil {
			return Answer{}, err
		}
		player = who.ID
	}
	all, err := q.Visit.PastEvents(ctx, player, team)
	if err != nil {
		return Answer{}, err
	}
	all = all[:min(len(all), 100)]
	return list(q, plain.PastEvents, all, "", "", func(p *season.Past) string {
		return text.Printable(p.At.UTC().Format("2 January 2006") + ", " + p.Title + ": " + plain.Podium(p) + ".")
	}), nil
}
