package remote

import (
	"context"
	"time"

	"boneyard/lobby/event/daily"
	"boneyard/lobby/text"
	"boneyard/ui/plain"
)

// DailyHead is a daily deal as the caller sees it.
type DailyHead struct {
	Type       string    `json:"type"` // "daily"
	Number     int       `json:"number"`
	Day        string    `json:"day"`
	Rules      string    `json:"rules"`
	Ends       time.Time `json:"ends"`
	Over       bool      `json:"over"`
	Commitment string    `json:"commitment"` // SHA-256 of the seed
	Seed       string    `json:"seed"`       // empty until the day is over
	Next       string    `json:"next"`       // the commitment of the next day's seed
	Players    int       `json:"players"`    // who have a place
	Streak     int       `json:"streak"`     // days in a row that the caller has played
	Played     bool      `json:"played"`     // by the caller
	Rounds     []int     `json:"rounds"`     // what each brought the caller, points for less points against
	Share      string    `json:"share"`      // the caller's result in a line; empty before it
}

// DailyRow is a row of the table of a day.
type DailyRow struct {
	Type    string `json:"type"`  // "daily_row"
	Place   int    `json:"place"` // 0 for none
	Name    string `json:"name"`
	For     int    `json:"for"`
	Against int    `json:"against"`
	Diff    int    `json:"diff"`
	State   string `json:"state"` // placed, apart, playing or unfinished
}

// DailyChoice is a decision of the caller's, compared.
type DailyChoice struct {
	Type   string       `json:"type"` // "daily_choice"
	Round  int          `json:"round"`
	Move   int          `json:"move"` // of the round
	Tile   string       `json:"tile"`
	Arm    string       `json:"arm"`
	Met    int          `json:"met"`    // others who came to the same position
	Others []DailyShare `json:"others"` // what they played, the most frequent first
	Master DailyShare   `json:"master"` // what a master plays; its percent is 0
}

// DailyShare is how many played something.
type DailyShare struct {
	Tile    string `json:"tile"`
	Arm     string `json:"arm"`
	Count   int    `json:"count"`
	Percent int    `json:"percent"`
}

func dailyDeal(ctx context.Context, c *call) error {
	v, err := c.list()
	if err != nil {
		return err
	}
	key := ""
	if len(c.opt.args) > 0 {
		key = c.opt.args[0]
	}
	d, err := v.Daily(ctx, key)
	if err != nil {
		return err
	}
	if !c.opt.json {
		for _, line := range plain.Daily(d, time.Now()) {
			c.out.line(text.Printable(line))
		}
		return nil
	}
	c.out.json(DailyHead{
		Type: "daily", Number: d.Number, Day: d.Key, Rules: d.Rules, Ends: plain.Moment(d.Ends), Over: d.Over, Commitment: d.Commit, Seed: d.Seed,
		Next: d.Next, Players: d.Placed(), Streak: d.Streak, Played: d.Mine != nil && d.Mine.Played, Rounds: append([]int{}, d.Rounds...), Share: d.Share(),
	})
	for i := range d.Rows {
		r := &d.Rows[i]
		c.out.json(DailyRow{Type: "daily_row", Place: r.Place, Name: text.Printable(r.Name), For: r.For, Against: r.Against, Diff: r.Diff(), State: dailyState(r)})
	}
	for i := range d.Decided {
		x := &d.Decided[i]
		row := DailyChoice{
			Type: "daily_choice", Round: x.Round, Move: x.Move, Tile: x.Played.Tile.Name(), Arm: arm(x.Played.Arm), Met: x.Met, Others: []DailyShare{},
			Master: DailyShare{Tile: x.Master.Tile.Name(), Arm: arm(x.Master.Arm)},
		}
		for _, o := range x.Others {
			row.Others = append(row.Others, DailyShare{Tile: o.Tile.Name(), Arm: arm(o.Arm), Count: o.N, Percent: o.Percent})
		}
		c.out.json(row)
	}
	return nil
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
