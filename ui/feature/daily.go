package feature

import (
	"context"
	"encoding/json"
	"regexp"
	"slices"
	"strings"
	"time"

	"boneyard/lobby/event/daily"
	"boneyard/ui/plain"
)

var dailyHeads = &plain.Rows[daily.Deal]{
	Object: "dailyhead",
	About: "`daily` with `--json` begins with this object; then come the rows of the day's standings, and your decisions. " +
		"Before your own attempt has ended, or\nthe day is over, there are no rows of others.",
	Columns: []plain.Column[daily.Deal]{
		plain.Typed[daily.Deal]("daily"),
		plain.Col("number", "of the day", func(d *daily.Deal) int { return d.Number }),
		plain.Col("day", `such as "2026-11-21"`, func(d *daily.Deal) string { return d.Key }),
		plain.Col("rules", "", func(d *daily.Deal) string { return d.Rules }),
		plain.Col("ends", "", func(d *daily.Deal) time.Time { return d.Ends }),
		plain.Col("over", "", func(d *daily.Deal) bool { return d.Over }),
		plain.Col("commitment", "", func(d *daily.Deal) string { return d.Commit }),
		plain.Col("seed", "", func(d *daily.Deal) string { return d.Seed }),
		plain.Col("next", "the next day's commitment", func(d *daily.Deal) string { return d.Next }),
		plain.Col("players", "who are ranked", func(d *daily.Deal) int { return d.Placed() }),
		plain.Col("streak", "days in a row, at most 400", func(d *daily.Deal) int { return d.Streak }),
		plain.Col("played", "by you, to its end", func(d *daily.Deal) bool { return d.Mine != nil && d.Mine.Played }),
		plain.Col("rounds", "your points minus the house's", func(d *daily.Deal) []int { return d.Rounds }),
		plain.Col("share", "your result in one line", func(d *daily.Deal) string { return d.Share() }),
	},
}

var dailyTable = &plain.Rows[daily.Row]{
	Object: "dailyrow",
	Columns: []plain.Column[daily.Row]{
		plain.Typed[daily.Row]("daily_row"),
		plain.Col("place", "", func(r *daily.Row) int { return r.Place }),
		plain.Col("name", "", func(r *daily.Row) string { return r.Name }),
		plain.Col("for", "points", func(r *daily.Row) int { return r.For }),
		plain.Col("against", "points of the house", func(r *daily.Row) int { return r.Against }),
		plain.Col("diff", "the result: `for` minus `against`", func(r *daily.Row) int { return r.Diff() }),
		plain.Col("state", "`placed`, `apart` (listed separately), `playing`, `unfinished`", dailyState),
	},
}

var dailyChoices = &plain.Rows[daily.Decision]{
	Object: "dailychoice",
	Columns: []plain.Column[daily.Decision]{
		plain.Typed[daily.Decision]("daily_choice"),
		plain.Col("round", "", func(d *daily.Decision) int { return d.Round }),
		plain.Col("move", "of the round, draws and passes counted", func(d *daily.Decision) int { return d.Move }),
		plain.Col("tile", "", func(d *daily.Decision) string { return d.Played.Tile.Name() }),
		plain.Col("arm", "", func(d *daily.Decision) string { return d.Played.Arm.String() }),
		plain.Col("met", "how many others came to the same position", func(d *daily.Decision) int { return d.Met }),
		plain.Col("others", "what they played, the most frequent first", func(d *daily.Decision) []any {
			return dailyShares.Objects(d.Others)
		}).Of("dailyshares"),
		plain.Col("master", "what a house master plays", func(d *daily.Decision) json.RawMessage {
			return dailyShares.JSON(&daily.Share{Choice: d.Master})
		}).Of("dailyshare"),
	},
}

var dailyShares = &plain.Rows[daily.Share]{
	Object: "dailyshare",
	Columns: []plain.Column[daily.Share]{
		plain.Col("tile", "", func(s *daily.Share) string { return s.Tile.Name() }),
		plain.Col("arm", "", func(s *daily.Share) string { return s.Arm.String() }),
		plain.Col("count", "how many played it", func(s *daily.Share) int { return s.N }),
		plain.Col("percent", "of those who came to the position", func(s *daily.Share) int { return s.Percent }),
	},
}

var dailyMonths = &plain.Rows[daily.MonthRow]{
	Object: "dailymonth", About: "A row of `daily month`.", Text: "PLACE POINTS DAYS NAME", None: "Nobody is ranked yet.",
	Columns: []plain.Column[daily.MonthRow]{
		plain.Typed[daily.MonthRow]("daily_month"),
		plain.Col("place", "", func(r *daily.MonthRow) int { return r.Place }),
		plain.Col("name", "", func(r *daily.MonthRow) string { return r.Name }),
		plain.Col("points", "the sum of the best 20 days, each the percentage of the others who did worse",
			func(r *daily.MonthRow) int { return r.Points }),
		plain.Col("days", "played", func(r *daily.MonthRow) int { return r.Days }),
	},
}

var day = regexp.MustCompile(`^[0-9]{4}-[0-9]{2}-[0-9]{2}$`)

const errDaily Usage = "Use daily, daily play, daily month, daily with a day such as 2026-11-21, daily chat, or daily say TEXT."

// dailyDeal shows the deal of a day or a month, or plays one.
func dailyDeal(ctx context.Context, q *Ask) (Answer, error) {
	key, which, play := "", "", false
	words := q.Words
	if len(words) > 0 && day.MatchString(words[0]) {
		words = words[1:]
	}
	if len(words) > 0 && (isSay(words[0]) || strings.EqualFold(words[0], "chat")) {
		return q.dailyTalk(ctx, strings.Join(q.Words[:len(q.Words)-len(words)], ""), words)
	}
	for _, w := range q.Words {
		switch w = strings.ToLower(w); {
		case w == "play":
			play = true
		case w == "month" || month.MatchString(w):
			which = w
		case day.MatchString(w):
			key = w
		default:
			return Answer{}, errDaily
		}
	}
	switch {
	case q.Way == SSH && play:
		return Answer{}, Usage("Play the daily deal on the screen or in line mode.")
	case play:
		id, err := q.Visit.PlayDaily(ctx, key)
		return Answer{Go: id}, err
	}
	if err := q.Visit.List(); err != nil {
		return Answer{}, err
	}
	d, err := q.Visit.Daily(ctx, key)
	switch {
	case err != nil:
		return Answer{}, err
	case which != "":
		if which == "month" {
			which = d.Key[:len("2006-01")]
		}
		return q.dailyMonth(ctx, which)
	case q.Options.JSON:
		return q.tell(slices.Concat(dailyHeads.Objects([]daily.Deal{*d}), dailyTable.Objects(d.Rows), dailyChoices.Objects(d.Decided))), nil
	}
	told := plain.Daily(d, q.Now)
	if q.Way == Line && d.MayPlay {
		told = append(told, "daily play plays it.")
	}
	return Say(told...), nil
}

// dailyTalk says a line in the chat of a day's deal, or lists that chat.
func (q *Ask) dailyTalk(ctx context.Context, key string, words []string) (Answer, error) {
	if err := q.Visit.List(); err != nil {
		return Answer{}, err
	}
	d, err := q.Visit.Daily(ctx, key)
	if err != nil {
		return Answer{}, err
	}
	ans, ok, err := q.talk(ctx, daily.Kind, d.ID, words)
	if !ok {
		err = errDaily
	}
	return ans, err
}

func (q *Ask) dailyMonth(ctx context.Context, which string) (Answer, error) {
	rows, err := q.Visit.DailyMonth(ctx, which)
	ans := list(q, dailyMonths, rows, plain.DailyMonth(which), "", plain.DailyMonthRow)
	if q.Way == SSH { // which begins with the heads
		ans.Lines = append(ans.Lines, "", plain.DailyMonth(which))
	}
	return ans, err
}

func dailyState(r *daily.Row) string {
	switch {
	case r.Place > 0:
		return "placed"
	case r.Played:
		return "apart"
	case r.Playing:
		return "playing"
	}
	return "unfinished"
}
