package plain

import (
	"strconv"
	"strings"
	"time"

	"boneyard/lobby/text"
	"boneyard/table"
)

// newEvent parses the words of a new event: in= and at= say when it begins, own takes those that only its kind knows, and the others
// configure its tables, all from name= on as in [ParseTable]. begins is when it begins otherwise; usual are words that the others override.
func newEvent(words []string, begins, now time.Time, usual []string, own func(key, value string) (bool, error)) (table.Config, time.Time, error) {
	rest := usual
	for i, w := range words {
		key, value, _ := strings.Cut(w, "=")
		taken, err := true, error(nil)
		switch key {
		case "in":
			var d time.Duration
			d, err = period(value)
			begins = now.Add(d)
		case "at":
			begins, err = ParseMoment(value)
		case "name":
			t, err := ParseTable(append(rest, words[i:]...))
			return t, begins, err
		default:
			taken, err = own(key, value)
		}
		if err != nil {
			return table.Config{}, begins, err
		}
		if !taken {
			rest = append(rest, w)
		}
	}
	t, err := ParseTable(rest)
	return t, begins, err
}

// usualPace is the pace of an event's tables if no other is chosen.
const usualPace = "pace=" + string(table.PaceNormal)

const momentForm = "2006-01-02T15:04"

const (
	errMoment text.Refusal = "Write a time like 2026-11-27T20:00, in UTC."
	errPeriod text.Refusal = "Write a period like 30 (minutes), 90m, 36h or 7d."
)

// ParseMoment parses a time in UTC, such as 2026-11-27T20:00 or 2026-11-27T20:00Z.
func ParseMoment(s string) (time.Time, error) {
	at, err := time.Parse(momentForm, strings.TrimSuffix(s, "Z"))
	if err != nil {
		return at, errMoment
	}
	return at, nil
}

// period parses a duration: 7d, 36h, 90m, or a number of minutes.
func period(s string) (time.Duration, error) {
	const most = 1000 * 24 * time.Hour
	if days, ok := strings.CutSuffix(s, "d"); ok {
		n, err := strconv.Atoi(days)
		if err != nil || n < 0 || n > 1000 {
			return 0, errPeriod
		}
		return time.Duration(n) * 24 * time.Hour, nil
	}
	if n, err := strconv.Atoi(s); err == nil && n >= 0 && n <= int(most/time.Minute) {
		return time.Duration(n) * time.Minute, nil
	}
	d, err := time.ParseDuration(s)
	if err != nil || d < 0 || d > most {
		return 0, errPeriod
	}
	return d, nil
}
