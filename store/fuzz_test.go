package store_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"boneyard/store"
)

// An operation that can be read from the log is the same operation when it is written to it again: nodes pass entries on.
func FuzzOperation(f *testing.F) {
	s := newStore(f)
	var done []store.Operation
	s.Operations(&done)
	askEverything(f, s)
	seen := map[int]bool{}
	for _, o := range done {
		kind := indexOf(store.KindOf(o))
		if seen[kind] {
			continue
		}
		seen[kind] = true
		data, err := store.WriteOperation(o.Value)
		require.NoError(f, err)
		f.Add(uint8(kind), data[:min(len(data), 4000)])
	}
	f.Fuzz(func(t *testing.T, kind uint8, data []byte) {
		name := store.Kinds()[int(kind)%len(store.Kinds())]
		o, err := store.ReadOperation(name, data)
		if err != nil {
			return
		}
		once, err := store.WriteOperation(o)
		require.NoError(t, err)
		again, err := store.ReadOperation(name, once)
		require.NoError(t, err)
		twice, err := store.WriteOperation(again)
		require.NoError(t, err)
		require.Equal(t, string(once), string(twice))
	})
}

func indexOf(kind string) int {
	for i, k := range store.Kinds() {
		if k == kind {
			return i
		}
	}
	return 0
}
