package club

import (
	"testing"

	"github.com/stretchr/testify/require"

	"boneyard/lobby"
	"boneyard/table"
	"boneyard/ui/page"
	"boneyard/ui/page/pagetest"
)

// shown returns the keys that the lobby offers.
func shown(p *Page) (keys []string) {
	for _, k := range p.Actions().Keys() {
		keys = append(keys, k.Help().Key)
	}
	return keys
}

// Where guests may only watch, the lobby offers them no seat; the club answers their keys.
func TestWhoOnlyWatchesIsOfferedNoSeat(t *testing.T) {
	plays, watches := evening(), evening()
	watches.me, watches.watches = table.Player{ID: -3, Name: "guest-elm"}, true
	p, q := New(pagetest.Env(t, nil), plays, page.Target{}), New(pagetest.Env(t, nil), watches, page.Target{})
	keys := []string{"p", "e", "h", "j", "n"}
	require.Subset(t, shown(p), append(keys, "o", "v"))
	for _, k := range keys {
		require.NotContains(t, shown(q), k)
	}
	for _, s := range q.order {
		require.Contains(t, []action{toWatch, noAction}, q.action(s), "table %d", s.Table)
	}
	d := pagetest.Drive(q)
	require.Contains(t, d.Lines(80, 20)[0], "Guests can watch. To play, make a key with ssh-keygen")
	d.Press("p")
	require.Len(t, watches.prefs, 1)

	for _, c := range []*fakeClub{plays, watches} {
		c.snap = &lobby.Snapshot{}
		q := New(pagetest.Env(t, nil), c, page.Target{})
		require.Equal(t, c == plays, q.empty() != "No tables yet.")
		require.NotContains(t, shown(q), "o", "no game is in the news")
		require.NotContains(t, shown(q), "v", "no game is played")
	}
}
