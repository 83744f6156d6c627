package plain

import (
	"context"
	"slices"
	"strconv"
	"strings"
	"time"

	"boneyard/lobby"
	"boneyard/lobby/event"
	"boneyard/lobby/event/contest"
	"boneyard/lobby/event/cup"
	"boneyard/lobby/event/league"
	"boneyard/lobby/event/match"
	"boneyard/lobby/text"
)

// ContestUsage is the syntax of the commands league and cup, on the command line and in line mode.
const ContestUsage = "[N [WORDS]|new WORDS]"

// contestWords explains the words that the command for a league or a cup takes.
func contestWords(kind event.Kind) text.Refusal {
	k := string(kind)
	return text.Refusal("Use " + k + ", " + k + " N, and for captains " + k + " N join, leave, propose 2026-11-27T20:00, propose nothing, accept, decline, lineup NAME NAME or lineup anybody; operators create one with " + newExample(kind) + ", and call it off before it begins with " + k + " N off.")
}

// AskLeague runs the command league.
func AskLeague(ctx context.Context, v *lobby.Visit, words []string, now time.Time) (Answer, error) {
	return AskContest(ctx, v, league.Kind, words, now)
}

// AskCup runs the command cup.
func AskCup(ctx context.Context, v *lobby.Visit, words []string, now time.Time) (Answer, error) {
	return AskContest(ctx, v, cup.Kind, words, now)
}

// AskContest runs the commands league and cup.
func AskContest(ctx context.Context, v *lobby.Visit, kind event.Kind, words []string, now time.Time) (Answer, error) {
	return eventCommand{
		kind:   kind,
		list:   func() (Answer, error) { return listContests(ctx, v, kind) },
		create: func(words []string) (event.ID, error) { return newContest(ctx, v, kind, words, now) },
		do:     func(id event.ID, words []string) error { return doInContest(ctx, v, id, kind, words) },
		show:   func(id event.ID) (Answer, error) { return contestShown(ctx, v, id, kind, now) },
		usage:  contestWords(kind),
	}.run(ctx, v, words)
}

func listContests(ctx context.Context, v *lobby.Visit, kind event.Kind) (ans Answer, err error) {
	past, err := v.FinishedContests(ctx, kind)
	if err != nil {
		return ans, err
	}
	all := append(slices.DeleteFunc(v.Contests(), func(c contest.Contest) bool { return c.Kind != kind }), past...)
	if len(all) == 0 {
		return Answer{Lines: []string{noContest(kind)}}, nil
	}
	return Contests.List(all), nil
}

// doInContest carries out the words after a contest's number that only contests know.
func doInContest(ctx context.Context, v *lobby.Visit, id event.ID, kind event.Kind, words []string) error {
	switch rest := words[1:]; {
	case words[0] == "join" && len(rest) == 0:
		return v.SignUp(ctx, id, true)
	case words[0] == "leave" && len(rest) == 0:
		return v.SignUp(ctx, id, false)
	case words[0] == "accept" && len(rest) == 0:
		return v.AcceptTime(ctx, id)
	case words[0] == "decline" && len(rest) == 0:
		return v.DeclineTime(ctx, id)
	case words[0] == "propose" && len(rest) == 1 && rest[0] == "nothing":
		return v.ProposeTime(ctx, id, time.Time{})
	case words[0] == "propose" && len(rest) == 1:
		at, err := ParseMoment(rest[0])
		if err != nil {
			return err
		}
		return v.ProposeTime(ctx, id, at)
	case words[0] == "lineup" && len(rest) == 1 && rest[0] == "anybody":
		return v.SetLineUp(ctx, id, nil)
	case words[0] == "lineup" && len(rest) == 2:
		return v.SetLineUp(ctx, id, rest)
	}
	return contestWords(kind)
}

func contestShown(ctx context.Context, visit *lobby.Visit, id event.ID, kind event.Kind, now time.Time) (ans Answer, err error) {
	c, err := visit.Contest(ctx, id)
	switch {
	case err != nil:
		return ans, err
	case c.Kind != kind:
		return ans, match.ErrNone
	}
	ans = Contests.List([]contest.Contest{*c})
	v, fixtures := c.View(), []Fixture(nil)
	if !v.Begun {
		ans.Lines = append(ans.Lines, "")
		for _, t := range v.Teams {
			ans.Lines = append(ans.Lines, text.Printable("["+t.Tag+"] "+t.Name))
		}
		return ans, nil
	}
	if c.League != nil {
		var places []LeaguePlace
		for d, division := range c.League.Divisions {
			for i := range division {
				places = append(places, LeaguePlace{&division[i], d + 1})
			}
		}
		ans.Add("", LeaguePlaces.List(places))
	}
	if c.Cup != nil {
		var places []CupPlace
		for r, ties := range c.Cup.Rounds {
			for i := range ties {
				places = append(places, CupPlace{&ties[i], r + 1, i + 1})
			}
		}
		ans.Lines, ans.Rows = append(ans.Lines, bracketLines(c.Cup)...), append(ans.Rows, CupPlaces.Objects(places)...)
	}
	for i := range v.Matches {
		fixtures = append(fixtures, Fixture{&v.Matches[i], c, now})
	}
	ans.Add("", Fixtures.List(fixtures))
	if own := v.Current(visit.Player().Team); own != nil && visit.Player().Team != 0 {
		ans.Lines = append(ans.Lines, "", text.Printable(c.View().Remind(own, visit.Player().Team, true)))
	}
	return ans, nil
}

// newContest creates a league or a cup. Words that do not concern it configure its tables.
func newContest(ctx context.Context, v *lobby.Visit, kind event.Kind, words []string, now time.Time) (event.ID, error) {
	window, size, after := match.Week, league.Largest, event.ID(0)
	usual := []string{usualPace}
	named := slices.IndexFunc(words, func(w string) bool { return strings.HasPrefix(w, "name=") })
	if named < 0 {
		named = len(words)
	}
	if !slices.ContainsFunc(words[:named], func(w string) bool { return !strings.Contains(w, "=") }) {
		usual = append(usual, "block") // no game was chosen
	}
	number := func(value string) (int, error) {
		n, err := strconv.Atoi(value)
		if err != nil {
			return 0, contestWords(kind)
		}
		return n, nil
	}
	t, begins, err := newEvent(words, now.Add(24*time.Hour), now, usual, func(key, value string) (taken bool, err error) {
		switch key {
		case "window", "round":
			window, err = period(value)
		case "divisions":
			size, err = number(value)
		case "after":
			var n int
			n, err = number(value)
			after = event.ID(n)
		default:
			return false, nil
		}
		return true, err
	})
	if err != nil {
		return 0, err
	}
	cfg := match.Config{Name: t.Name, Rules: t.RuleText, Pace: t.Pace}
	if kind == cup.Kind {
		return v.NewCup(ctx, cup.Config{Config: cfg, Round: window}, begins)
	}
	return v.NewLeague(ctx, league.Config{Config: cfg, Window: window, Size: size}, begins, after)
}
