package plain

import (
	"context"
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
	"boneyard/table"
)

// ContestUsage is the syntax of the commands league and cup, on the command line and in line mode.
const ContestUsage = "[N [WORDS]|new WORDS]"

// contestWords explains the words that the command for a league or a cup takes.
func contestWords(kind event.Kind) text.Refusal {
	k := string(kind)
	return text.Refusal("Use " + k + ", " + k + " N, and for captains " + k + " N join, leave, propose 2026-11-27T20:00, propose nothing, accept, lineup NAME NAME or lineup anybody; operators create one with " + newExample(kind) + ", and call it off before it begins with " + k + " N off.")
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
		leave:  func(ctx context.Context, id event.ID) error { return v.SignUp(ctx, id, false) },
		do:     func(id event.ID, words []string) error { return doInContest(ctx, v, id, kind, words) },
		show:   func(id event.ID) (Answer, error) { return contestShown(ctx, v, id, kind, now) },
		usage:  contestWords(kind),
	}.run(ctx, v, words)
}

func listContests(ctx context.Context, v *lobby.Visit, kind event.Kind) (ans Answer, err error) {
	var list []Contest
	for _, c := range v.Contests() {
		if c.Kind == kind {
			list = append(list, contestRow(&c))
		}
	}
	past, err := v.FinishedContests(ctx, kind)
	if err != nil {
		return ans, err
	}
	for i := range past {
		list = append(list, contestRow(&past[i]))
	}
	for _, row := range list {
		ans.Rows = append(ans.Rows, row)
	}
	ans.Lines = Contests(kind, list)
	return ans, nil
}

// doInContest carries out the words after a contest's number that only contests know.
func doInContest(ctx context.Context, v *lobby.Visit, id event.ID, kind event.Kind, words []string) error {
	switch rest := words[1:]; {
	case words[0] == "join" && len(rest) == 0:
		return v.SignUp(ctx, id, true)
	case words[0] == "accept" && len(rest) == 0:
		return v.AcceptTime(ctx, id)
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

const momentForm = "2006-01-02T15:04"

const errMoment text.Refusal = "Write a time like 2026-11-27T20:00, in UTC."

// ParseMoment parses a time in UTC, such as 2026-11-27T20:00.
func ParseMoment(s string) (time.Time, error) {
	at, err := time.Parse(momentForm, strings.TrimSuffix(s, "Z"))
	if err != nil {
		return at, errMoment
	}
	return at, nil
}

func contestShown(ctx context.Context, v *lobby.Visit, id event.ID, kind event.Kind, now time.Time) (ans Answer, err error) {
	c, err := v.Contest(ctx, id)
	switch {
	case err != nil:
		return ans, err
	case c.Kind != kind:
		return ans, lobby.ErrNoContest
	}
	ans.Rows = append(ans.Rows, contestRow(c))
	if c.League != nil {
		for _, p := range leaguePlaces(c.League) {
			ans.Rows = append(ans.Rows, p)
		}
	}
	if c.Cup != nil {
		for _, p := range cupPlaces(c.Cup) {
			ans.Rows = append(ans.Rows, p)
		}
	}
	for i := range c.View().Matches {
		ans.Rows = append(ans.Rows, fixtureRow(c, &c.View().Matches[i]))
	}
	ans.Lines = contestLines(c, now)
	if own := c.View().Current(v.Player().Team); own != nil && v.Player().Team != 0 {
		ans.Lines = append(ans.Lines, "", text.Printable(lobby.Reminder(c, own, v.Player().Team, true)))
	}
	return ans, nil
}

const errLength text.Refusal = "Write a period for matches like 7d, 36h or 90m."

// length parses a duration: 7d, 36h, 90m.
func length(s string) (time.Duration, error) {
	if days, ok := strings.CutSuffix(s, "d"); ok {
		n, err := strconv.Atoi(days)
		if err != nil || n < 0 || n > 1000 {
			return 0, errLength
		}
		return time.Duration(n) * 24 * time.Hour, nil
	}
	d, err := time.ParseDuration(s)
	if err != nil {
		return 0, errLength
	}
	return d, nil
}

// newContest creates a league or a cup. Words that do not concern it configure its tables.
func newContest(ctx context.Context, v *lobby.Visit, kind event.Kind, words []string, now time.Time) (id event.ID, err error) {
	begins, window, size, after := now.Add(24*time.Hour), match.Week, league.Largest, event.ID(0)
	rest := []string{"pace=" + string(table.PaceNormal)}
	named := slices.IndexFunc(words, func(w string) bool { return strings.HasPrefix(w, "name=") })
	if named < 0 {
		named = len(words)
	}
	if !slices.ContainsFunc(words[:named], func(w string) bool { return !strings.Contains(w, "=") }) {
		rest = append(rest, "block") // no game was chosen
	}
	for i, w := range words {
		key, value, _ := strings.Cut(w, "=")
		switch key {
		case "in":
			var d time.Duration
			d, err = length(value)
			begins = now.Add(d)
		case "at":
			begins, err = ParseMoment(value)
		case "window", "round":
			window, err = length(value)
		case "divisions":
			if size, err = strconv.Atoi(value); err != nil {
				err = contestWords(kind)
			}
		case "after":
			var n int64
			if n, err = strconv.ParseInt(value, 10, 64); err != nil {
				err = contestWords(kind)
			}
			after = event.ID(n)
		case "name":
			return makeContest(ctx, v, kind, append(rest, words[i:]...), begins, window, size, after)
		default:
			rest = append(rest, w)
		}
		if err != nil {
			return 0, err
		}
	}
	return makeContest(ctx, v, kind, rest, begins, window, size, after)
}

func makeContest(ctx context.Context, v *lobby.Visit, kind event.Kind, words []string, begins time.Time, window time.Duration, size int, after event.ID) (event.ID, error) {
	t, err := ParseTable(words)
	if err != nil {
		return 0, err
	}
	cfg := match.Config{Name: t.Name, Rules: t.RuleText, Pace: t.Pace}
	if kind == cup.Kind {
		return v.NewCup(ctx, cup.Config{Config: cfg, Round: window}, begins)
	}
	return v.NewLeague(ctx, league.Config{Config: cfg, Window: window, Size: size}, begins, after)
}
