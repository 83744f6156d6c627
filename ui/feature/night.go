package feature

import (
	"context"
	"strconv"
	"strings"
	"time"

	"boneyard/lobby/event"
	"boneyard/lobby/event/night"
	"boneyard/lobby/text"
	"boneyard/ui/plain"
)

const (
	errNight text.Refusal = "Use clubnight, clubnight N, clubnight new, or clubnight new length=90m; its maker and operators: clubnight N off."
	// evening is how long a club night lasts if nothing else is said.
	evening = 4 * time.Hour
)

var clubNights = eventKind{
	kind: night.Kind, usage: errNight,
	list: func(_ context.Context, q *Ask) (Answer, error) {
		return listed(plain.ClubNights, q.Visit.ClubNights()...), nil
	},
	create: func(ctx context.Context, q *Ask, words []string) (event.ID, error) {
		length := evening
		for _, w := range words {
			value, ok := strings.CutPrefix(w, "length=")
			if !ok {
				return 0, errNight
			}
			if err := period(&length)(value); err != nil {
				return 0, err
			}
		}
		return q.Visit.NewClubNight(ctx, length)
	},
	show: func(ctx context.Context, q *Ask, id event.ID) (Answer, error) {
		n, err := q.Visit.ClubNight(ctx, id)
		if err != nil {
			return Answer{}, err
		}
		return nights(q, *n), nil
	},
}

func nights(q *Ask, all ...night.View) Answer {
	return list(q, plain.ClubNights, all, "", plain.ClubNights.None, func(v *night.View) string {
		return "Club night " + strconv.FormatInt(int64(v.ID), 10) + " of " + v.Config.By + ", for " + v.Config.For() + ", ends " + event.DayAndTime(v.Ends) + "."
	})
}
