package rules

import (
	"testing"

	"github.com/stretchr/testify/require"
)

func TestWords(t *testing.T) {
	for rule, want := range map[string][2]string{
		"classic":                            {"classic", "classic to 200"},
		"classic teams=on":                   {"classic, partners", "classic to 200, partners"},
		"classic target=100 teams=on":        {"classic to 100, partners", "classic to 100, partners"},
		"block above=300 hand=5":             {"block over 300, hand=5", ""},
		"spruce teams=on rounds=6 next=lead": {"spruce for 6 rounds, partners, next=lead", "spruce for 6 rounds, partners, next=lead"},
		"classic rounds=1":                   {"classic for 1 round", "classic for 1 round"},
		"":                                   {"", ""},
	} {
		require.Equal(t, want[0], Words(rule))
		if want[1] != "" {
			r, err := Parse(rule)
			require.NoError(t, err)
			require.Equal(t, want[1], r.Words(4), r.String())
		}
	}
}
