package thinker_test

import (
	"math/rand/v2"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/require"

	"boneyard/rules"
	"boneyard/rules/bot"
	"boneyard/table/thinker"
)

// seen is what a seat sees that has several plays.
func seen(t *testing.T, seed byte) bot.Seen {
	t.Helper()
	r, err := rules.Parse("spruce")
	require.NoError(t, err)
	g, err := rules.New(r, 2)
	require.NoError(t, err)
	g, err = g.Deal(rules.Seed{seed}.Deal(&r, 2, 1))
	require.NoError(t, err)
	return bot.See(g.View(g.Turn()), nil)
}

// found collects what was found for one request.
type found struct {
	mu    sync.Mutex
	moves []rules.Move
}

func (f *found) add(m rules.Move) {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.moves = append(f.moves, m)
}

func (f *found) all() []rules.Move {
	f.mu.Lock()
	defer f.mu.Unlock()
	return f.moves
}

// A master's first answer is an expert's, its second its own; weaker levels answer once. All follow from the seed.
func TestAnswers(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var playouts []int
		th := thinker.New(func(n int, _ time.Duration) { playouts = append(playouts, n) })
		defer th.Close()
		s := seen(t, 1)
		for _, level := range bot.Levels() {
			var f found
			th.Think(level, s, 5, f.add)
			synctest.Wait()
			want := []rules.Move{level.Choose(&s, rand.New(rand.NewPCG(5, 0)))}
			if level == bot.Master {
				want = []rules.Move{bot.Expert.Choose(&s, rand.New(rand.NewPCG(5, 0))), want[0]}
			}
			require.Equal(t, want, f.all(), level)
		}
		require.Equal(t, []int{bot.Playouts}, playouts)
		require.Zero(t, th.Waiting())
	})
}

// With a long queue everybody gets the expert's answer first, and then as much of a search as the queue allows: less for those
// behind whom many wait, and the whole of it for the last.
func TestALongQueueIsServedWithLess(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		count := map[int]int{}
		order := []int{}
		th := thinker.New(func(n int, _ time.Duration) {
			if count[n]++; count[n] == 1 {
				order = append(order, n)
			}
		})
		defer th.Close()
		const asked = 1000
		var all [asked]found
		block := make(chan struct{})
		th.Think(bot.Regular, seen(t, 1), 0, func(rules.Move) { <-block }) // so that all are there before any is answered
		for i := range all {
			th.Think(bot.Master, seen(t, byte(i)), uint64(i), all[i].add)
		}
		close(block)
		synctest.Wait()
		require.Equal(t, []int{0, 100, 300, bot.Playouts}, order)
		require.Equal(t, map[int]int{0: 100, 100: 600, 300: 200, bot.Playouts: 100}, count)
		for i := range all {
			want := 2
			if i < 100 {
				want = 1 // the expert's answer stands
			}
			require.Len(t, all[i].all(), want, i)
		}
	})
}

// What nobody waits for any more is not searched, and nothing is found after the end.
func TestStopAndClose(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		searched := 0
		th := thinker.New(func(int, time.Duration) { searched++ })
		var f, g found
		block := make(chan struct{})
		th.Think(bot.Regular, seen(t, 1), 0, func(rules.Move) { <-block })
		stop := th.Think(bot.Master, seen(t, 2), 0, f.add)
		stop()
		close(block)
		synctest.Wait()
		require.Empty(t, f.all())
		require.Zero(t, searched)
		th.Close()
		th.Close()
		th.Think(bot.Master, seen(t, 3), 0, g.add)
		synctest.Wait()
		require.Empty(t, g.all())
		require.Zero(t, th.Waiting())
	})
}
