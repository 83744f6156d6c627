package feature

import (
	"cmp"
	"context"
	"fmt"
	"strings"
	"time"

	"boneyard/lobby/event"
	"boneyard/table"
	"boneyard/ui/plain"
)

const errChallenge Usage = "Use challenge NAME, challenge team TAG, or challenge N off; " +
	"words such as classic, in=30 or at=2026-11-27T20:00 may follow."

// challenges lists the person's challenges, challenges a person or a team now or for a later time, or ends a
// challenge.
func challenges(ctx context.Context, q *Ask) (Answer, error) {
	v, words := q.Visit, q.Words
	switch {
	case len(words) == 0:
		return listed(q, plain.Challenges, v.Challenges()...), v.List()
	case len(words) == 2 && strings.EqualFold(words[1], "off"):
		n, err := Number(words[0])
		if err != nil {
			return Answer{}, err
		}
		return said("That challenge is off.", v.EndChallenge(ctx, event.ID(n)))
	}
	name, team := words[0], table.TeamID(0)
	usual := []string{"access=code", "bots=never", usualPace}
	if words = words[1:]; strings.EqualFold(name, "team") {
		if len(words) == 0 {
			return Answer{}, errChallenge
		}
		t, err := q.teamOf(ctx, words[0])
		if err != nil {
			return Answer{}, err
		}
		name, team, words = "", t.ID, words[1:]
		usual = usualOfTeams(words, "access=teams", usualPace)
	}
	cfg, at, err := newEvent(words, time.Time{}, q.Visit.EventsNow(), usual, nil)
	if err != nil {
		return Answer{}, err
	}
	if !at.IsZero() {
		return said(v.ChallengeAt(ctx, cfg, team, name, at))
	}
	t, err := v.Challenge(ctx, cfg, team, name)
	if t == nil {
		return Answer{}, err
	}
	ans := Answer{Go: t.ID(), Code: t.Code()}
	if q.Way == Chat {
		ans.Lines = []string{fmt.Sprintf("You have a seat at table %d, and %s is invited.", t.ID(), cmp.Or(name, "the team"))}
	}
	return ans, err
}
