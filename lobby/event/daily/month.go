package daily

import (
	"context"
	"errors"
	"slices"
	"strings"
	"time"

	"boneyard/table"
)

// MonthRow is somebody's result over the days of a month.
type MonthRow struct {
	Place  int
	Player table.PlayerID
	Name   string
	Days   int     // that were played
	Points float64 // of the best days: how many percent of the others were left behind, added up
}

// DailyMonth is the table of a month such as "2026-11": the sum of everybody's best 20 days. A day's points
// are the percentage of the other players who did worse. A day counts once it is over: until then its results
// are only for those who have played it.
func (d Desk) DailyMonth(ctx context.Context, month string) ([]MonthRow, error) {
	return ask(d, func() ([]MonthRow, error) { return d.readMonth(ctx, month) })
}

func (k Desk) readMonth(ctx context.Context, month string) ([]MonthRow, error) {
	first, err := time.Parse("2006-01", month)
	if err != nil {
		return nil, ErrNone
	}
	room, err := k.deals.today(ctx)
	if err != nil {
		return nil, err
	}
	points := map[table.PlayerID][]float64{}
	names := map[table.PlayerID]string{}
	for at := first; at.Month() == first.Month() && at.Before(room.Event().Begins); at = at.AddDate(0, 0, 1) {
		d, err := k.deals.past(ctx, KeyOf(at))
		switch {
		case errors.Is(err, ErrNone) || err == nil && !d.Over:
			continue
		case err != nil:
			return nil, err
		}
		for i, beaten := range d.Points() {
			r := &d.Rows[i]
			points[r.Player] = append(points[r.Player], beaten)
			names[r.Player] = r.Name
		}
	}
	var list []MonthRow
	for id, days := range points {
		row := MonthRow{Player: id, Name: names[id], Days: len(days)}
		slices.Sort(days)
		for _, p := range days[max(0, len(days)-monthDays):] {
			row.Points += p
		}
		list = append(list, row)
	}
	slices.SortFunc(list, func(a, b MonthRow) int {
		switch {
		case a.Points > b.Points:
			return -1
		case a.Points < b.Points:
			return 1
		}
		return strings.Compare(a.Name, b.Name)
	})
	for i := range list {
		if list[i].Place = i + 1; i > 0 && list[i].Points == list[i-1].Points {
			list[i].Place = list[i-1].Place
		}
	}
	return list, nil
}

// DailyPast lists the latest days that are over, the newest first.
func (d Desk) DailyPast(ctx context.Context) ([]*Day, error) {
	return ask(d, func() ([]*Day, error) { return d.readPast(ctx) })
}

func (k Desk) readPast(ctx context.Context) (list []*Day, err error) {
	room, err := k.deals.today(ctx)
	if err != nil {
		return nil, err
	}
	for i := 1; i <= shownDays; i++ {
		d, err := k.deals.past(ctx, KeyOf(room.Event().Begins.AddDate(0, 0, -i)))
		switch {
		case errors.Is(err, ErrNone) || err == nil && !d.Over:
			continue
		case err != nil:
			return nil, err
		}
		list = append(list, d)
	}
	return list, nil
}
