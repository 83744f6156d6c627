package lobby_test

import (
	"maps"
	"os"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"boneyard/lobby"
	"boneyard/lobby/limit"
)

// The operators' handbook has the figures of the code.
func TestTheHandbookHasTheLimits(t *testing.T) {
	b, err := os.ReadFile("../docs/operation.md")
	require.NoError(t, err)
	_, rest, ok := strings.Cut(string(b), "| what | by key | by address | by network |\n")
	require.True(t, ok)
	rows, _, _ := strings.Cut(rest, "\n\n")
	all := lobby.DocumentedLimits()
	found := map[string]bool{}
	for row := range strings.SplitSeq(rows, "\n") {
		cells := strings.Split(row, "|")
		for name, rule := range all {
			if what := strings.TrimSpace(cells[1]); strings.HasPrefix(what, name) {
				found[name] = true
				require.Equal(t, []limit.Rate{rule.Key, rule.Addr, rule.Network},
					[]limit.Rate{documented(t, cells[2]), documented(t, cells[3]), documented(t, cells[4])}, what)
			}
		}
	}
	require.ElementsMatch(t, slices.Collect(maps.Keys(all)), slices.Collect(maps.Keys(found)))
}

// documented returns the rate that a cell such as "1,200+100/s" describes.
func documented(t *testing.T, cell string) limit.Rate {
	cell = strings.ReplaceAll(strings.TrimSpace(cell), ",", "")
	if cell == "" {
		return limit.Rate{}
	}
	first, then, _ := strings.Cut(cell, "+")
	each, unit, _ := strings.Cut(then, "/")
	burst, err := strconv.Atoi(first)
	require.NoError(t, err, cell)
	n, err := strconv.ParseFloat(each, 64)
	require.NoError(t, err, cell)
	per := map[string]time.Duration{"s": time.Second, "min": time.Minute, "h": time.Hour}[unit]
	return limit.Rate{Burst: burst, Every: time.Duration(float64(per) / n)}
}
