package plain_test

import (
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"boneyard/lobby/event/daily"
	"boneyard/rules"
	"boneyard/ui/plain"
)

// No time left ends with "0 min".
func TestDailyHead(t *testing.T) {
	d := &daily.Day{Config: daily.Config{Number: 1}, Key: "2026-11-28", Ends: time.Date(2026, 11, 29, 0, 0, 0, 0, time.UTC)}
	for left, says := range map[time.Duration]string{
		24 * time.Hour: "ends in 24 h.", 3*time.Hour + 59*time.Second: "ends in 3 h.", 3*time.Hour + time.Minute: "ends in 3 h 1 min.",
		time.Minute: "ends in 2 min.", 0: "ends soon.",
	} {
		require.Contains(t, plain.DailyHead(d, d.Ends.Add(-left)), says)
	}
}

// Only decisions of a daily deal in which a master differs are listed.
func TestOnlyDifferencesAreListed(t *testing.T) {
	a, b := rules.Choice{Tile: rules.NewTile(3, 1)}, rules.Choice{Tile: rules.NewTile(6, 4)}
	same, other := daily.Decision{Round: 1, Move: 2, Played: a, Master: a}, daily.Decision{Round: 1, Move: 4, Played: a, Master: b}
	require.Empty(t, plain.DailyDecisions(nil))
	require.Equal(t, []string{"A master plays the same."}, plain.DailyDecisions([]daily.Decision{same, same}))
	lines := plain.DailyDecisions([]daily.Decision{same, other})
	differs := "Round 1, move 4: you played 3-1 on the left; a master plays 6-4 on the left."
	require.Equal(t, []string{differs, "In your other decisions a master plays the same."}, lines)
	other.Met, other.Others = 3, []daily.Share{{Choice: b, Percent: 67}, {Choice: a, Percent: 33}}
	require.Equal(t, []string{differs + " Of 3 others here, 67 % played 6-4 on the left, 33 % played 3-1 on the left."},
		plain.DailyDecisions([]daily.Decision{other}))
	other.Met, other.Others = 1, []daily.Share{{Choice: b, Percent: 100}}
	require.Equal(t, []string{differs + " The only other player here played 6-4 on the left."}, plain.DailyDecisions([]daily.Decision{other}))
}

// A result without a place is not numbered.
func TestDailyRow(t *testing.T) {
	for says, r := range map[string]daily.Row{
		"2. ana: +10 (60 to 50)":          {Name: "ana", Place: 2, Played: true, For: 60, Against: 50},
		"ben, listed apart: -5 (-5 to 0)": {Name: "ben", Played: true, For: -5},
		"cem is playing":                  {Name: "cem", Playing: true},
		"dia did not finish":              {Name: "dia"},
	} {
		require.Equal(t, says, plain.DailyRow(&r))
	}
}

func TestScore(t *testing.T) {
	require.Equal(t, "205–170", plain.Score(205, 170))
	require.Equal(t, "50 to -5", plain.Score(50, -5))
	require.Empty(t, plain.Score())
}

// A streak longer than the club counts has no exact number.
func TestStreaks(t *testing.T) {
	for streak, says := range map[int]string{
		2:                    "You have played 2 days in a row.",
		daily.MostStreak - 1: "You have played 399 days in a row.",
		daily.MostStreak:     "You have played 400 days in a row, or more.",
	} {
		require.Contains(t, plain.DailyState(&daily.Deal{Day: &daily.Day{}, Streak: streak}), says)
	}
	require.NotContains(t, strings.Join(plain.DailyState(&daily.Deal{Day: &daily.Day{}, Streak: 1}), "\n"), "in a row")
}
