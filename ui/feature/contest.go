package feature

import (
	"context"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"

	"boneyard/lobby"
	"boneyard/lobby/event"
	"boneyard/lobby/event/cup"
	"boneyard/lobby/event/league"
	"boneyard/lobby/event/match"
	"boneyard/lobby/text"
	"boneyard/ui/plain"
)

// newContest is a new league or cup, as its words describe it.
type newContest struct {
	match.Config
	begins time.Time
	window time.Duration // for each match
	size   int           // of a division
	after  event.ID      // the previous season
}

var (
	leagues = contests(league.Kind, "league new at=2026-11-27T20:00 window=7d block name=Winter league",
		func(ctx context.Context, v *lobby.Visit, n *newContest) (event.ID, error) {
			return v.NewLeague(ctx, league.Config{Config: n.Config, Window: n.window, Size: n.size}, n.begins, n.after)
		})
	cups = contests(cup.Kind, "cup new at=2026-11-27T20:00 round=7d block name=Winter cup",
		func(ctx context.Context, v *lobby.Visit, n *newContest) (event.ID, error) {
			return v.NewCup(ctx, cup.Config{Config: n.Config, Round: n.window}, n.begins)
		})
)

// contests returns the command for leagues or cups; example creates one.
func contests(kind event.Kind, example string, create func(context.Context, *lobby.Visit, *newContest) (event.ID, error)) eventKind {
	k := string(kind)
	usage := Usage("Use " + k + ", " + k + " N, and for captains " + k + " N join, leave, propose 2026-11-27T20:00, " +
		"propose nothing, accept, decline, lineup NAME NAME or lineup anybody; operators create one with " + example +
		", and call it off before it begins with " + k + " N off.")
	return eventKind{
		kind: kind, usage: usage,
		list: func(ctx context.Context, q *Ask) (Answer, error) {
			past, err := q.Visit.FinishedContests(ctx, kind)
			if err != nil {
				return Answer{}, err
			}
			all := append(slices.DeleteFunc(q.Visit.Contests(), func(c match.View) bool { return c.Kind != kind }), past...)
			if len(all) == 0 {
				return Say("No " + k + " is planned. Operators create one, such as " + example), nil
			}
			return listed(q, plain.Contests, all...), nil
		},
		create: func(ctx context.Context, v *lobby.Visit, words []string) (event.ID, error) {
			n, err := parseContest(words, v.EventsNow(), usage)
			if err != nil {
				return 0, err
			}
			return create(ctx, v, n)
		},
		do: func(ctx context.Context, q *Ask, id event.ID, words []string) error {
			if c, err := q.Visit.Contest(ctx, id); err == nil && c.Kind != kind {
				return match.ErrNone // before anything is done
			}
			return inContest(ctx, q, id, words, usage)
		},
		show: shows(func(v *lobby.Visit, ctx context.Context, id event.ID) (*match.View, error) {
			c, err := v.Contest(ctx, id)
			if err == nil && c.Kind != kind {
				return nil, match.ErrNone
			}
			return c, err
		}, showContest),
	}
}

// inContest carries out the words after a contest's number that other events do not have.
func inContest(ctx context.Context, q *Ask, id event.ID, words []string, usage error) error {
	v := q.Visit
	switch said := strings.ToLower(strings.Join(words, " ")); {
	case said == "join", said == "leave":
		return v.SignUp(ctx, id, said == "join")
	case said == "accept":
		return v.AcceptTime(ctx, id, time.Time{})
	case said == "decline":
		return v.DeclineTime(ctx, id)
	case said == "propose nothing":
		return v.ProposeTime(ctx, id, time.Time{})
	case len(words) == 2 && strings.HasPrefix(said, "propose "):
		at, err := moment(words[1])
		if err != nil {
			return err
		}
		return v.ProposeTime(ctx, id, at)
	case said == "lineup anybody":
		return v.SetLineUp(ctx, id, nil)
	case len(words) == 3 && strings.HasPrefix(said, "lineup "):
		return v.SetLineUp(ctx, id, words[1:])
	}
	return usage
}

func showContest(q *Ask, v *match.View) Answer {
	ans := listed(q, plain.Contests, *v)
	if !v.Begun {
		ans.Lines = append(ans.Lines, "")
		for _, t := range v.Teams {
			ans.Lines = append(ans.Lines, text.Printable("["+t.Tag+"] "+t.Name))
		}
		if says := plain.MissingTeams(v); says != "" {
			ans.Lines = append(ans.Lines, says)
		}
		me := q.Visit.Player()
		switch own := slices.ContainsFunc(v.Teams, func(t match.Team) bool { return t.ID == me.Team }); {
		case v.Over:
		case own:
			ans.Lines = append(ans.Lines, fmt.Sprintf("Your team takes part; captains withdraw it: %s %d leave", v.Kind, v.ID))
		default:
			ans.Lines = append(ans.Lines, fmt.Sprintf("To take part, captains sign up their team: %s %d join", v.Kind, v.ID))
			if me.Team == 0 && !me.ID.Guest() {
				ans.Lines = append(ans.Lines, "You are in no team: wait to be invited, or make one in line mode: team new TAG NAME")
			}
		}
		return ans
	}
	if v.Divisions != nil {
		ans.add(listed(q, plain.LeaguePlaces, slices.Concat(v.Divisions...)...))
	}
	for r, ties := range v.Rounds {
		ans.Lines = append(ans.Lines, "", plain.RoundName(v, r+1)+":")
		for i := range ties {
			ans.Lines = append(ans.Lines, "  "+plain.Tie(v, &ties[i]))
		}
		ans.Rows = append(ans.Rows, plain.CupPlaces.Objects(ties)...)
	}
	var fixtures []plain.Fixture
	for i := range v.Matches {
		fixtures = append(fixtures, plain.Fixture{Match: &v.Matches[i], In: v, Now: q.Now})
	}
	ans.add(listed(q, plain.Fixtures, fixtures...))
	if team := q.Visit.Player().Team; team != 0 && v.Current(team) != nil {
		ans.Lines = append(ans.Lines, "", text.Printable(v.Remind(v.Current(team), team, true)))
	}
	return ans
}

// parseContest parses the words of a new league or cup. Words that it does not know configure the tables.
func parseContest(words []string, now time.Time, usage error) (*newContest, error) {
	n := &newContest{window: match.Week, size: league.Largest}
	after := 0
	number := func(to *int) func(string) error {
		return func(value string) (err error) {
			if *to, err = strconv.Atoi(value); err != nil {
				return usage
			}
			return nil
		}
	}
	t, begins, err := newEvent(words, now.Add(24*time.Hour), now, usualOfTeams(words, usualPace), eventWords{
		"window": period(&n.window), "round": period(&n.window), "divisions": number(&n.size), "after": number(&after),
	})
	n.Config, n.begins, n.after = match.Config{Name: t.Name, Rules: t.RuleText, Pace: t.Pace}, begins, event.ID(after)
	return n, err
}
