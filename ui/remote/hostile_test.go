package remote_test

import (
	"bytes"
	"context"
	"encoding/json"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"boneyard/lobby"
	"boneyard/lobby/text/texttest"
	"boneyard/table"
)

// A hostile name that passed all checks is harmless in every answer, and JSON is UTF-8 of printable text.
func TestHostileNamesAreInert(t *testing.T) {
	bubble(t, func(t *testing.T, c *club) {
		visitor := c.stranger()
		for i, hostile := range texttest.Hostile() {
			c.Store.Table = func(lobby.StandingsQuery) []lobby.Standing {
				return []lobby.Standing{{Rank: 1, Name: hostile.Text, Tag: hostile.Text, LastFive: hostile.Text}}
			}
			p := c.stranger()
			_, err := c.Store.Create(context.Background(), p.key, hostile.Text, string(rune('a'+i)), time.Now())
			require.NoError(t, err)
			v := p.enter()
			cfg := table.DefaultConfig()
			cfg.Pace, cfg.Fill = table.PaceNone, table.FillNow
			tab, err := v.NewTable(context.Background(), cfg)
			require.NoError(t, err)
			var watched, watchedJSON bytes.Buffer
			w1 := c.start(nil, "watch "+number(tab), strings.NewReader(""), &watched)
			w2 := c.start(nil, "watch "+number(tab)+" --json", strings.NewReader(""), &watchedJSON)
			require.NoError(t, v.Do(context.Background(), tab.ID(), table.Ready{On: true}))
			published()
			require.NoError(t, v.Do(context.Background(), tab.ID(), table.Resign{}))
			<-w1.done
			<-w2.done
			inert(t, hostile, watched.String())
			inertJSON(t, hostile, watchedJSON.String())
			for _, words := range []string{"who", "tables", "standings", "games", "show table " + number(tab), "show game " + number(tab)} {
				status, out, errs := c.run(nil, words)
				require.Contains(t, []int{0, 1}, status)
				inert(t, hostile, out+errs)
				_, out, _ = c.run(nil, words+" --json")
				inertJSON(t, hostile, out)
			}
			for _, words := range []string{hostile.Text, "help " + hostile.Text, "show " + hostile.Text, "standings --" + hostile.Text,
				"games " + hostile.Text, "register " + hostile.Text, "new " + hostile.Text} {
				if len(strings.Fields(words)) == 0 {
					continue
				}
				_, out, errs := c.run(visitor, words)
				inert(t, hostile, out+errs)
			}
			v.Close(table.Left)
			published()
		}
	})
}

func inert(t *testing.T, c texttest.Case, out string) {
	t.Helper()
	for line := range strings.Lines(out) {
		require.NoError(t, texttest.Inert(strings.TrimSuffix(line, "\n")), c.Name)
	}
	require.Empty(t, c.Leak(out), c.Name)
}

// inertJSON looks into all texts of the objects, too.
func inertJSON(t *testing.T, c texttest.Case, out string) {
	t.Helper()
	inert(t, c, out)
	for line := range strings.Lines(out) {
		var v any
		require.NoError(t, json.Unmarshal([]byte(line), &v))
		var walk func(any)
		walk = func(v any) {
			switch v := v.(type) {
			case string:
				require.NoError(t, texttest.Inert(v), c.Name)
			case []any:
				for _, e := range v {
					walk(e)
				}
			case map[string]any:
				for k, e := range v {
					walk(k)
					walk(e)
				}
			}
		}
		walk(v)
	}
}
