package feature

import (
	"context"
	"regexp"
	"strings"
	"time"

	"boneyard/lobby/event/daily"
	"boneyard/lobby/text"
	"boneyard/ui/plain"
)

// DailyHead is a daily deal as the caller sees it.
type DailyHead struct {
	Type       string    `json:"type" means:"\"daily\""`
	Number     int       `json:"number" means:"counts the days since the club's first"`
	Day        string    `json:"day" means:"such as \"2026-11-21\", in UTC"`
	Rules      string    `json:"rules" means:"the rule string"`
	Ends       time.Time `json:"ends" means:"when the day is over"`
	Over       bool      `json:"over" means:"whether it is"`
	Commitment string    `json:"commitment" means:"SHA-256 of the seed"`
	Seed       string    `json:"seed" means:"from which all deals follow; empty until the day is over"`
	Next       string    `json:"next" means:"the commitment of the next day's seed; empty for a day that is over"`
	Players    int       `json:"players" means:"ranked players; 0 before your own attempt has ended"`
	Streak     int       `json:"streak" means:"days in a row that you have played"`
	Played     bool      `json:"played" means:"whether you have played this one to its end"`
	Rounds     []int     `json:"rounds" means:"what each round brought you, points for minus points against"`
	Share      string    `json:"share" means:"your result in one line; empty until you have one"`
}

// DailyRow is a row of the table of a day.
type DailyRow struct {
	Type    string `json:"type" means:"\"daily_row\""`
	Place   int    `json:"place" means:"equal results share one; 0 for none"`
	Name    string `json:"name" means:"the player"`
	For     int    `json:"for" means:"points made"`
	Against int    `json:"against" means:"points of the house"`
	Diff    int    `json:"diff" means:"the result: \"for\" minus \"against\""`
	State   string `json:"state" means:"\"placed\", \"apart\" for a result that is listed separately, \"playing\", or \"unfinished\""`
}

// DailyChoice is a decision of the caller's, compared.
type DailyChoice struct {
	Type   string       `json:"type" means:"\"daily_choice\""`
	Round  int          `json:"round" means:"from 1"`
	Move   int          `json:"move" means:"of the round, draws and passes counted"`
	Tile   string       `json:"tile" means:"what you played"`
	Arm    string       `json:"arm" means:"where; empty for a lead"`
	Met    int          `json:"met" means:"how many others came to the same position"`
	Others []DailyShare `json:"others" kind:"dailyshares" means:"what they played, the most frequent first"`
	Master DailyShare   `json:"master" kind:"dailyshare" means:"what a house master plays; its count and percent are 0"`
}

// DailyShare is how many played something.
type DailyShare struct {
	Tile    string `json:"tile" means:"the tile"`
	Arm     string `json:"arm" means:"where; empty for a lead"`
	Count   int    `json:"count" means:"how many played it"`
	Percent int    `json:"percent" means:"of those who came to the position"`
}

func dailyObjects() []plain.Describer {
	return []plain.Describer{
		plain.Struct[DailyHead]("`daily` with `--json` begins with this object; then come the rows of the day's standings, and your decisions. Before your own attempt has ended, or\nthe day is over, there are no rows of others."),
		plain.Struct[DailyRow](""),
		plain.Struct[DailyChoice](""),
		plain.Struct[DailyShare](""),
	}
}

// day is how a day is written.
var day = regexp.MustCompile(`^[0-9]{4}-[0-9]{2}-[0-9]{2}$`)

const errDaily Usage = "Use daily, daily play, daily month, or daily with a day such as 2026-11-21."

// dailyDeal tells of the deal of a day or a month, or plays one.
func dailyDeal(ctx context.Context, q *Ask) (Answer, error) {
	key, which, play := "", "", false
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
	case q.Way == SSH && (play || which != ""):
		return Answer{}, Usage("Play the daily deal, and see its months, on the screen or in line mode.")
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
		return q.tell(dailyRows(d)), nil
	}
	told := plain.Daily(d, q.Now)
	if q.Way == Line && d.MayPlay {
		told = append(told, "daily play plays it.")
	}
	return Say(told...), nil
}

func (q *Ask) dailyMonth(ctx context.Context, which string) (Answer, error) {
	rows, err := q.Visit.DailyMonth(ctx, which)
	if err != nil {
		return Answer{}, err
	}
	told := []string{"The daily deals of " + which + ": the best 20 days, each with as many points as percent of the others were left behind."}
	for i := range rows {
		told = append(told, plain.DailyMonthRow(&rows[i]))
	}
	if len(rows) == 0 {
		told = append(told, "Nobody is ranked yet.")
	}
	return Say(told...), nil
}

func dailyRows(d *daily.Deal) []any {
	rows := []any{DailyHead{
		Type: "daily", Number: d.Number, Day: d.Key, Rules: d.Rules, Ends: plain.Moment(d.Ends), Over: d.Over, Commitment: d.Commit, Seed: d.Seed,
		Next: d.Next, Players: d.Placed(), Streak: d.Streak, Played: d.Mine != nil && d.Mine.Played, Rounds: append([]int{}, d.Rounds...), Share: d.Share(),
	}}
	for i := range d.Rows {
		r := &d.Rows[i]
		rows = append(rows, DailyRow{Type: "daily_row", Place: r.Place, Name: text.Printable(r.Name), For: r.For, Against: r.Against, Diff: r.Diff(), State: dailyState(r)})
	}
	for i := range d.Decided {
		x := &d.Decided[i]
		row := DailyChoice{
			Type: "daily_choice", Round: x.Round, Move: x.Move, Tile: x.Played.Tile.Name(), Arm: plain.ArmName(x.Played.Arm), Met: x.Met, Others: []DailyShare{},
			Master: DailyShare{Tile: x.Master.Tile.Name(), Arm: plain.ArmName(x.Master.Arm)},
		}
		for _, o := range x.Others {
			row.Others = append(row.Others, DailyShare{Tile: o.Tile.Name(), Arm: plain.ArmName(o.Arm), Count: o.N, Percent: o.Percent})
		}
		rows = append(rows, row)
	}
	return rows
}

func dailyState(r *daily.Row) string {
	switch {
	case r.Place > 0:
		return "placed"
	case r.Played:
		return "apart"
	case r.Game == 0:
		return "playing"
	}
	return "unfinished"
}
