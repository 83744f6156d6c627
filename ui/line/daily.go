package line

import (
	"context"
	"regexp"
	"strings"
	"time"

	"boneyard/lobby/text"
	"boneyard/ui/plain"
)

// day is how a day is written.
var day = regexp.MustCompile(`^[0-9]{4}-[0-9]{2}-[0-9]{2}$`)

// dailyDeal tells of the deal of a day or a month, or plays one.
func dailyDeal(ctx context.Context, m *mode, args string) error {
	key, which, play := "", "", false
	for _, w := range strings.Fields(strings.ToLower(args)) {
		switch {
		case w == "play":
			play = true
		case w == "month" || month.MatchString(w):
			which = w
		case day.MatchString(w):
			key = w
		default:
			return text.Refusal("Use daily, daily play, daily month, or daily with a day such as 2026-11-21.")
		}
	}
	if play {
		id, err := m.visit.PlayDaily(ctx, key)
		if err != nil {
			return err
		}
		return m.open(ctx, id)
	}
	if err := m.visit.List(); err != nil {
		return err
	}
	d, err := m.visit.Daily(ctx, key)
	if err != nil {
		return err
	}
	if which == "" {
		lines := plain.Daily(d, time.Now())
		if d.MayPlay {
			lines = append(lines, "daily play plays it.")
		}
		m.page(lines)
		return nil
	}
	if which == "month" {
		which = d.Key[:len("2006-01")]
	}
	rows, err := m.visit.DailyMonth(ctx, which)
	if err != nil {
		return err
	}
	lines := []string{"The daily deals of " + which + ": the best 20 days, each with as many points as percent of the others were left behind."}
	for i := range rows {
		lines = append(lines, plain.DailyMonthRow(&rows[i]))
	}
	if len(rows) == 0 {
		lines = append(lines, "Nobody is ranked yet.")
	}
	m.page(lines)
	return nil
}
