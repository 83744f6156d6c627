package store_test

import (
	"bytes"
	"database/sql"
	"errors"
	"flag"
	"fmt"
	"maps"
	"math/rand/v2"
	"os"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"boneyard/store"
	"boneyard/table"
)

var (
	fuzzCases = flag.Int("files.cases", 20, "`number` of damages that TestDamageIsNeverTakenForWell does")
	fuzzSeed  = flag.Uint64("files.seed", 1, "seed of TestDamageIsNeverTakenForWell; 0: the time")
)

// facts must never change silently: the standings, and every line of every game.
func facts(t *testing.T, path string) string {
	t.Helper()
	db, err := sql.Open("sqlite", path)
	require.NoError(t, err)
	defer db.Close()
	rows, err := db.Query(`SELECT game || '.' || seq || ' ' || line FROM journal ORDER BY game, seq`)
	if err != nil {
		return err.Error()
	}
	defer rows.Close()
	var b bytes.Buffer
	for rows.Next() {
		var line string
		if err := rows.Scan(&line); err != nil {
			return err.Error()
		}
		fmt.Fprintln(&b, line)
	}
	return b.String() + projection(t, path)
}

// ages are snapshots of a club's files, as a kill would leave them, the newest last.
func ages(t *testing.T, seed uint64) (all []files) {
	path := newPath(t)
	o := options(t)
	o.CheckpointEvery = 40
	var who []table.Player
	for age := range 3 {
		s := mustOpen(t, path, o)
		if age == 0 {
			who = mustCreateAll(t, s, "ana", "ben")
		}
		for n := range 3 {
			id, at := mustNumbers(t, s)
			m := match{rules: "classic target=30", seats: who, at: noon.Add(time.Duration(10*age+n) * time.Hour), seed: seed + uint64(10*age+n)}
			for _, b := range m.batches(t, id, at) {
				require.NoError(t, commit(s, b))
			}
			all = append(all, leave(t, path))
		}
		mustClose(t, s)
	}
	return all
}

// damages change files; old are those of an earlier moment, other those of another club.
var damages = []struct {
	name string
	do   func(rng *rand.Rand, f, old, other files)
}{
	{"a bit of the data", func(rng *rand.Rand, f, _, _ files) { flip(rng, f, "") }},
	{"a bit of the log", func(rng *rand.Rand, f, _, _ files) { flip(rng, f, "-wal") }},
	{"a bit of the mark", func(rng *rand.Rand, f, _, _ files) { flip(rng, f, ".mark") }},
	{"a bit of the log, no mark", func(rng *rand.Rand, f, _, _ files) { flipEarly(rng, f); delete(f, ".mark") }},
	{"data cut", func(rng *rand.Rand, f, _, _ files) { f[""] = f[""][:rng.IntN(len(f[""]))] }},
	{"log cut", func(rng *rand.Rand, f, _, _ files) { f["-wal"] = f["-wal"][:rng.IntN(len(f["-wal"]))] }},
	{"no log", func(_ *rand.Rand, f, _, _ files) { delete(f, "-wal") }},
	{"no data", func(_ *rand.Rand, f, _, _ files) { f[""] = nil }},
	{"sectors of the data", func(rng *rand.Rand, f, _, _ files) { blot(rng, f[""]) }},
	{"sectors of the log", func(rng *rand.Rand, f, _, _ files) { blot(rng, f["-wal"]) }},
	{"a page of the data elsewhere", func(rng *rand.Rand, f, _, _ files) { stray(rng, f[""]) }},
	{"a page of the log elsewhere", func(rng *rand.Rand, f, _, _ files) { stray(rng, f["-wal"]) }},
	{"older data", func(_ *rand.Rand, f, old, _ files) { f[""] = old[""] }},
	{"an older log", func(_ *rand.Rand, f, old, _ files) { f["-wal"] = old["-wal"] }},
	{"older data and log", func(_ *rand.Rand, f, old, _ files) { f[""], f["-wal"] = old[""], old["-wal"] }},
	{"another club's data", func(_ *rand.Rand, f, _, other files) { f[""] = other[""] }},
	{"another club's log", func(_ *rand.Rand, f, _, other files) { f["-wal"] = other["-wal"] }},
	{"another club's log, no mark", func(_ *rand.Rand, f, _, other files) { f["-wal"] = other["-wal"]; delete(f, ".mark") }},
}

func flip(rng *rand.Rand, f files, end string) {
	b := f[end]
	if len(b) > 0 {
		b[rng.IntN(len(b))] ^= 1 << rng.IntN(8)
	}
}

// flipEarly flips a bit of the log before its last two transactions; only the mark shows later damage.
func flipEarly(rng *rand.Rand, f files) {
	commits := f.commits()
	if n := len(commits); n > 3 {
		f["-wal"][rng.IntN(32+frame*(commits[n-3]+1))] ^= 1 << rng.IntN(8)
	}
}

func blot(rng *rand.Rand, b []byte) {
	if len(b) > 0 {
		at := rng.IntN(len(b)) / 512 * 512
		clear(b[at:min(len(b), at+512*(1+rng.IntN(16)))])
	}
}

func stray(rng *rand.Rand, b []byte) {
	if n := len(b) / page; n > 1 {
		copy(b[rng.IntN(n)*page:], bytes.Clone(b[rng.IntN(n)*page:])[:page])
	}
}

// TestDamageIsNeverTakenForWell damages the files of a club as disks and people do. Each time the server
// refuses the files and leaves them as they are, or nothing is lost, or the check finds the difference.
//
//	go test ./store -run TestDamageIsNeverTakenForWell -files.cases 2000
func TestDamageIsNeverTakenForWell(t *testing.T) {
	seed := seedOf(t, *fuzzSeed, fmt.Sprintf("-files.cases %d -files.seed", *fuzzCases))
	rng := rand.New(rand.NewPCG(seed, 2))
	clubs := [][]files{ages(t, seed), ages(t, seed+1000)}
	truth := make(map[int]string)
	ends := make(map[string]int)
	for n := range *fuzzCases {
		moment := 1 + rng.IntN(len(clubs[0])-1)
		good := clubs[0][moment]
		if truth[moment] == "" {
			path := good.put(t)
			s := mustOpen(t, path, options(t))
			mustClose(t, s)
			truth[moment] = facts(t, path)
		}
		d := damages[n%len(damages)]
		f := make(files)
		for end, b := range good {
			f[end] = bytes.Clone(b)
		}
		old, other := clubs[0][rng.IntN(moment)], clubs[1][rng.IntN(len(clubs[1]))]
		d.do(rng, f, old, other)
		maps.DeleteFunc(f, func(end string, b []byte) bool { return end == "-wal" && len(b) == 0 })
		end, err := afterDamage(t, f, truth[moment])
		if err != nil {
			t.Errorf("case %d, %s, at moment %d: %v", n, d.name, moment, err)
		}
		ends[end]++
	}
	t.Log(ends)
}

// afterDamage starts on files and returns how it went: refused, whole, or told.
func afterDamage(t *testing.T, f files, truth string) (string, error) {
	path := f.put(t)
	defer os.Remove(path)
	var fatal error
	o := store.DefaultOptions()
	o.Fatal = func(err error) { fatal = err }
	s, err := store.Open(ctx, path, o)
	if err != nil {
		for _, known := range []error{store.ErrDamaged, store.ErrLog, store.ErrBehind, store.ErrMissing, store.ErrForeign, store.ErrNewer} {
			if errors.Is(err, known) && same(f, leave(t, path)) {
				return "refused", nil
			}
		}
		return "", fmt.Errorf("refused with %w; files unchanged: %v", err, same(f, leave(t, path)))
	}
	if _, err := s.Load(ctx); err != nil {
		s.Close()
		return "told", nil
	}
	if err := errors.Join(s.Close(), fatal); err != nil {
		return "told", nil
	}
	if facts(t, path) == truth {
		return "whole", nil
	}
	found, err := store.Check(ctx, path, nil)
	if err != nil || len(found.Problems) > 0 {
		return "told", nil
	}
	return "", errors.New("something is another way than it was, and all is said to be well")
}
