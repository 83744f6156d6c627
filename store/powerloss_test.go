package store_test

import (
	"database/sql"
	"errors"
	"flag"
	"fmt"
	"math/rand/v2"
	"os"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"boneyard/store"
	"boneyard/table"
)

var (
	powerStates = flag.Int("power.states", 15, "`number` of disks that TestPowerLoss rebuilds")
	powerSeed   = flag.Uint64("power.seed", 1, "seed of TestPowerLoss; 0: the time")
)

// played is how many lines each game has, as its players know it.
type played map[table.GameID]int

// recordedClub plays games on the recording file system. It returns the files at the beginning and the
// events; its acknowledgements note in acked what has been acknowledged, and in tried what has been sent.
func recordedClub(t *testing.T, seed uint64) (begin files, events []event, acked, tried *played) {
	path := newPath(t)
	o := options(t)
	o.CheckpointEvery = 9
	o.Committed = func(store.Group) {
		if b, err := os.ReadFile(path + ".mark"); err == nil {
			recording.add(event{disk: diskMark, kind: eventWrite, data: b})
		}
	}
	s := mustOpen(t, path, o)
	who := mustCreateAll(t, s, "ana", "ben", "cleo")
	mustClose(t, s)
	s = mustOpen(t, path, o)
	begin = leave(t, path)

	acked, tried = &played{}, &played{}
	recording.start()
	for n := range 6 {
		id, at := mustNumbers(t, s)
		m := match{rules: []string{"classic target=30", "classic target=50"}[n%2], seats: who[n%2 : n%2+2],
			at: noon.Add(time.Duration(n) * time.Hour), seed: seed + uint64(n), stop: 12}
		lines := 0
		for _, b := range m.batches(t, id, at) {
			lines += len(b.Rows)
			now := lines
			recording.add(event{kind: eventAck, ack: func() { (*tried)[id] = now }})
			require.NoError(t, commit(s, b))
			recording.add(event{kind: eventAck, ack: func() { (*acked)[id] = now }})
		}
	}
	events = recording.stop()
	mustClose(t, s)
	return begin, events, acked, tried
}

// powerLoss rebuilds a disk at a random moment and returns what is wrong with it.
func powerLoss(t *testing.T, rng *rand.Rand, begin files, events []event, acked, tried *played, lies bool) error {
	*acked, *tried = played{}, played{}
	var platters [disks]platter
	for d, end := range kept {
		platters[d].sure = append([]byte(nil), begin[end]...)
	}
	moment := rng.IntN(len(events) + 1)
	for _, e := range events[:moment] {
		if e.kind == eventAck {
			e.ack()
			continue
		}
		platters[e.disk].take(e, lies)
	}
	left := make(files)
	for d, end := range kept {
		left[end] = platters[d].lose(rng)
	}
	path := left.put(t)
	defer os.RemoveAll(path)
	var fatal error
	o := store.DefaultOptions()
	o.Fatal = func(err error) { fatal = err }
	s, err := store.Open(ctx, path, o)
	if err != nil {
		return fmt.Errorf("moment %d: %w", moment, err)
	}
	if err := errors.Join(s.Close(), fatal); err != nil {
		return fmt.Errorf("moment %d: %w", moment, err)
	}
	found, err := store.Check(ctx, path, nil)
	if err != nil {
		return fmt.Errorf("moment %d: %w", moment, err)
	}
	if len(found.Problems) > 0 {
		return fmt.Errorf("moment %d: %v", moment, found.Problems)
	}
	db, err := sql.Open("sqlite", path)
	require.NoError(t, err)
	defer db.Close()
	for id, most := range *tried {
		var lines int
		require.NoError(t, db.QueryRow(`SELECT count(*) FROM journal WHERE game = ?`, id).Scan(&lines))
		if least := (*acked)[id]; lines < least || lines > most {
			return fmt.Errorf("moment %d: game %d has %d lines; %d were acknowledged, %d were sent", moment, id, lines, least, most)
		}
	}
	return nil
}

// TestPowerLoss records what a store writes, and rebuilds the disk as a power loss at random moments might
// leave it: unsynced data is there or not, in any order, in part, or garbage. Each disk must open, be sound,
// and have everything acknowledged.
//
//	go test ./store -run TestPowerLoss -power.states 1000
func TestPowerLoss(t *testing.T) {
	seed := seedOf(t, *powerSeed, fmt.Sprintf("-power.states %d -power.seed", *powerStates))
	begin, events, acked, tried := recordedClub(t, seed)
	t.Logf("%d events", len(events))
	rng := rand.New(rand.NewPCG(seed, 1))
	for n := range *powerStates {
		if err := powerLoss(t, rng, begin, events, acked, tried, false); err != nil {
			t.Errorf("disk %d: %v", n, err)
		}
	}

	// The control: with syncs ignored, disks lose acknowledged data, and the test finds that.
	lost := 0
	for range max(10, *powerStates/10) {
		if powerLoss(t, rng, begin, events, acked, tried, true) != nil {
			lost++
		}
	}
	t.Logf("without syncs: %d lost something", lost)
	require.Positive(t, lost, "a disk that ignores syncs loses nothing: the test finds nothing")
}
