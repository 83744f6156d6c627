package storetest

import (
	"encoding/json"
	"testing"

	"github.com/stretchr/testify/require"

	"boneyard/store"
)

// Effects is what a log brings about, as read from it independently of the store: an entry counts once, and
// only in the epoch of its owner.
type Effects struct {
	Entries []Effect          // but for the claims
	Claims  map[string]uint64 // the positions of the last ones, by owner
	Doubled int               // entries that were in the log before
	Late    int               // entries of an epoch that was over
}

// Effect is an entry that counts.
type Effect struct {
	store.Entry
	Owner string
}

// EffectsOf reads a log.
func EffectsOf(t testing.TB, log []store.Entry) *Effects {
	all := &Effects{Claims: make(map[string]uint64)}
	var epoch, seq uint64
	owner := ""
	for _, e := range log {
		switch {
		case e.Kind == "claim" && e.Epoch == epoch+1:
			var c struct{ Node string }
			require.NoError(t, json.Unmarshal(e.Data, &c))
			epoch, seq, owner = e.Epoch, 0, c.Node
			all.Claims[owner] = e.Position
		case e.Kind == "claim":
		case e.Epoch != epoch:
			all.Late++
		case e.Seq != seq+1:
			all.Doubled++
		default:
			seq++
			all.Entries = append(all.Entries, Effect{e, owner})
		}
	}
	return all
}
