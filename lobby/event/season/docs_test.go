package season_test

import (
	"fmt"
	"os"
	"testing"

	"github.com/stretchr/testify/require"

	"boneyard/lobby"
	"boneyard/lobby/event"
)

// docs/events.md says what each kind of event is worth.
func TestWorthIsDocumented(t *testing.T) {
	docs, err := os.ReadFile("../../../docs/events.md")
	require.NoError(t, err)
	rows := map[event.Kind]string{
		"daily": "daily deal", "arena": "arena,", "field": "duplicate arena", "duplicate": "duplicate match",
		"league": "match of a league or cup", "cup": "match of a league or cup",
	}
	for kind, of := range lobby.EventKinds() {
		w := of.Season
		require.Equal(t, w != nil, rows[kind] != "", kind)
		if w == nil {
			continue
		}
		count := "all"
		if w.Best > 0 {
			count = fmt.Sprint("the best ", w.Best)
		}
		row := fmt.Sprintf(`\| %s[^|]*\| %d \|[^|]*\| %s \|\n`, rows[kind], w.Rival, count)
		require.Regexp(t, row, string(docs))
	}
	require.Equal(t, 20, event.MostRivals, "as docs/events.md says")
}
