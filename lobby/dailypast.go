package lobby

import (
	"context"
	"errors"
	"slices"
	"strings"
	"time"

	"boneyard/lobby/event"
	"boneyard/lobby/event/daily"
	"boneyard/table"
)

// pastDay is a day by its key. ErrNoDaily.
func (l *Lobby) pastDay(ctx context.Context, key string) (*daily.Day, error) {
	if _, err := time.Parse(time.DateOnly, key); err != nil {
		return nil, ErrNoDaily
	}
	m := &l.daily
	m.mu.Lock()
	d, known := m.days[key]
	m.mu.Unlock()
	if !known {
		e, err := l.stores.Events.Event(ctx, daily.Kind, key)
		switch {
		case errors.Is(err, event.ErrNotFound):
		case err != nil:
			return nil, l.trouble("look for a daily deal", err)
		default:
			state, _, err := event.Replay(ctx, l.stores.Events, EventKinds(), e)
			if err != nil {
				return nil, l.trouble("read a daily deal", err)
			}
			d, _ = state.View().(*daily.Day)
		}
		// Earlier days no longer change, with or without a deal.
		if today, _ := daily.Bounds(l.clock.Now()); d != nil && d.Over || d == nil && key < daily.KeyOf(today) {
			m.mu.Lock()
			if len(m.days) >= dailyDaysKept {
				clear(m.days)
			}
			m.days[key] = d
			m.mu.Unlock()
		}
	}
	if d == nil || d.Begins.After(l.clock.Now()) {
		return nil, ErrNoDaily
	}
	return d, nil
}

// DailyMonthRow is somebody's result over the days of a month.
type DailyMonthRow struct {
	Place  int
	Player table.PlayerID
	Name   string
	Days   int     // that were played
	Points float64 // of the best days: how many percent of the others were left behind, added up
}

// DailyMonth is the table of a month such as "2026-11": the sum of everybody's best 20 days. A day's points are the percentage of the
// other players who did worse. A day counts once it is over: until then its results are only for those who have played it.
func (v *Visit) DailyMonth(ctx context.Context, month string) ([]DailyMonthRow, error) {
	return ask(v, func() ([]DailyMonthRow, error) { return v.readDailyMonth(ctx, month) })
}

func (v *Visit) readDailyMonth(ctx context.Context, month string) ([]DailyMonthRow, error) {
	first, err := time.Parse("2006-01", month)
	if err != nil {
		return nil, ErrNoDaily
	}
	room, err := v.lobby.today(ctx)
	if err != nil {
		return nil, err
	}
	points := map[table.PlayerID][]float64{}
	names := map[table.PlayerID]string{}
	for at := first; at.Month() == first.Month() && at.Before(room.Event().Begins); at = at.AddDate(0, 0, 1) {
		d, err := v.lobby.pastDay(ctx, daily.KeyOf(at))
		switch {
		case errors.Is(err, ErrNoDaily) || err == nil && !d.Over:
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
	var list []DailyMonthRow
	for id, days := range points {
		row := DailyMonthRow{Player: id, Name: names[id], Days: len(days)}
		slices.Sort(days)
		for _, p := range days[max(0, len(days)-dailyMonthDays):] {
			row.Points += p
		}
		list = append(list, row)
	}
	slices.SortFunc(list, func(a, b DailyMonthRow) int {
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
func (v *Visit) DailyPast(ctx context.Context) ([]*daily.Day, error) {
	return ask(v, func() ([]*daily.Day, error) { return v.readDailyPast(ctx) })
}

func (v *Visit) readDailyPast(ctx context.Context) (list []*daily.Day, err error) {
	room, err := v.lobby.today(ctx)
	if err != nil {
		return nil, err
	}
	for i := 1; i <= dailyShownDays; i++ {
		d, err := v.lobby.pastDay(ctx, daily.KeyOf(room.Event().Begins.AddDate(0, 0, -i)))
		switch {
		case errors.Is(err, ErrNoDaily) || err == nil && !d.Over:
			continue
		case err != nil:
			return nil, err
		}
		list = append(list, d)
	}
	return list, nil
}
