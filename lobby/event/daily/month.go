package daily

import (
	"cmp"
	"context"
	"errors"
	"math"
	"slices"
	"time"

	"boneyard/lobby/event"
	"boneyard/table"
)

// MonthRow is a player's result over the days of a month.
type MonthRow struct {
	Place  int
	Player table.PlayerID
	Name   string
	Days   int // days played
	Points int // the sum of the best days' points, rounded
}

// DailyMonth returns the table of a month such as "2026-11": the sum of everybody's best 20 days. A day's
// points are the percentage of other players who did worse. A day counts once it is over: until then only
// those who have played it may know its results.
func (d Desk) DailyMonth(ctx context.Context, month string) ([]MonthRow, error) {
	first, err := time.Parse("2006-01", month)
	if err != nil {
		return nil, ErrNone
	}
	days, err := event.Once(ctx, d.c, nil, func(ctx context.Context) ([]*Day,
		error) {
		return d.deals.between(ctx, first, first.AddDate(0, 1, 0))
	})
	if err != nil {
		return nil, err
	}
	points := map[table.PlayerID][]float64{}
	names := map[table.PlayerID]string{}
	for _, d := range days {
		for i, beaten := range d.Points() {
			r := &d.Rows[i]
			points[r.Player] = append(points[r.Player], beaten)
			names[r.Player] = r.Name
		}
	}
	var list []MonthRow
	for id, days := range points {
		row, sum := MonthRow{Player: id, Name: names[id], Days: len(days)}, 0.0
		slices.Sort(days)
		for _, p := range days[max(0, len(days)-monthDays):] {
			sum += p
		}
		row.Points = int(math.Round(sum))
		list = append(list, row)
	}
	slices.SortFunc(list, func(a, b MonthRow) int {
		return cmp.Or(b.Points-a.Points, cmp.Compare(a.Name, b.Name))
	})
	for i := range list {
		if list[i].Place = i + 1; i > 0 && list[i].Points == list[i-1].Points {
			list[i].Place = list[i-1].Place
		}
	}
	return list, nil
}

// DailyPast lists the latest days that are over, newest first.
func (d Desk) DailyPast(ctx context.Context) ([]*Day, error) {
	list, err := event.Once(ctx, d.c, nil, func(ctx context.Context) ([]*Day, error) {
		today, _ := Bounds(d.c.Events.Now())
		return d.deals.between(ctx, today.AddDate(0, 0, -shownDays), today)
	})
	slices.Reverse(list)
	return list, err
}

// between lists the days that are over and begin in [from, to), by date.
func (k *deals) between(ctx context.Context, from, to time.Time) (list []*Day, err error) {
	if !k.events.Deps().Daily {
		return nil, ErrOff
	}
	today, _ := Bounds(k.events.Now())
	for at := from; at.Before(to) && at.Before(today); at = at.AddDate(0, 0, 1) {
		d, err := k.past(ctx, KeyOf(at))
		switch {
		case err == nil && d.Over:
			list = append(list, d)
		case err != nil && !errors.Is(err, ErrNone):
			return nil, err
		}
	}
	return list, nil
}
