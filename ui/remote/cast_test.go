package remote_test

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/hinshun/vt10x"
	"github.com/stretchr/testify/require"
)

// A cast is played to its end by a terminal, at a pace that never waits long.
func TestCast(t *testing.T) {
	bubble(t, func(t *testing.T, c *club) {
		ana, _ := evening(t, c)
		for size, want := range map[string][2]int{"": {80, 24}, " 120x40": {120, 40}} {
			lines := strings.Split(strings.TrimSuffix(c.ok(ana, "cast 1"+size), "\n"), "\n")
			var head struct{ Version, Width, Height int }
			require.NoError(t, json.Unmarshal([]byte(lines[0]), &head))
			require.Equal(t, [3]int{2, want[0], want[1]}, [3]int{head.Version, head.Width, head.Height})
			term := vt10x.New(vt10x.WithSize(want[0], want[1]))
			now, screens := 0.0, []string{}
			for _, l := range lines[1:] {
				var event []any
				require.NoError(t, json.Unmarshal([]byte(l), &event))
				require.Len(t, event, 3)
				at := event[0].(float64)
				require.LessOrEqual(t, at-now, 3.01)
				require.Equal(t, "o", event[1])
				_, err := term.Write([]byte(event[2].(string)))
				require.NoError(t, err)
				screens, now = append(screens, term.String()), at
			}
			require.Contains(t, screens[0], "Round 1 is dealt")
			require.Contains(t, screens[len(screens)-1], " wins ")
			require.Greater(t, len(screens), 20)
		}
		for words, want := range map[string]int{"cast 2": 1, "cast 999": 1, "cast 1 big": 2, "cast 1 9x9": 2, "cast 1 5000x10": 2,
			"cast 1 --json": 2} {
			status, out, _ := c.run(ana, words)
			require.Equal(t, want, status, words)
			require.Empty(t, out, words)
		}
	})
}
