package remote_test

import (
	"regexp"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

// All commands that create events take the same times and periods, and refuse others with the same sentence.
func TestTimesOfEvents(t *testing.T) {
	bubble(t, func(t *testing.T, c *club) {
		boss := c.member("olga")
		boss.boss = true
		for _, kind := range []string{"arena", "field", "league", "cup"} {
			refused := func(want int, word string) string {
				time.Sleep(time.Second) // or it is too fast
				status, _, errs := c.run(boss, kind+" new "+word+" classic teams=on name=Friday")
				require.Equal(t, want, status, word)
				return errs
			}
			for _, at := range []string{"soon", "2026-11-27", "20:00", "2026-11-27T20:00+01:00", ""} {
				require.Equal(t, "Write a time like 2026-11-27T20:00, in UTC.\n", refused(2, "at="+at), "%s at=%s", kind, at)
			}
			for _, in := range []string{"soon", "-5", "-5m", "2000d", "9999999", ""} {
				require.Equal(t, "Write a period like 30 (minutes), 90m, 36h or 7d.\n", refused(2, "in="+in), "%s in=%s", kind, in)
			}
			// Such as 20:00 in New York, or 2 January typed in December.
			for _, past := range []string{moment(-5 * time.Hour), moment(-365 * 24 * time.Hour)} {
				require.Regexp(t, "now or within two weeks|ten minutes from now", refused(1, "at="+past), "%s at=%s", kind, past)
			}
			at := moment(time.Hour)
			for _, when := range []string{"at=" + at, "at=" + at + "Z", "in=60", "in=60m", "in=1h", "in=1d"} {
				made := c.ok(boss, kind+" new "+when+" classic teams=on name=Friday --json")
				require.Contains(t, made, `"name":"Friday"`)
				if when == "at="+at+"Z" {
					require.Contains(t, made, at+":00Z")
				}
				number := regexp.MustCompile(`"(?:arena|field|contest)":(\d+)`).FindStringSubmatch(made)[1]
				c.ok(boss, kind+" "+number+" off")
				time.Sleep(time.Second) // one person creates one event at a moment, and when the last one is gone
			}
		}
	})
}
