package screen

import (
	"runtime"
	"sync"
	"sync/atomic"
	"testing"

	"github.com/stretchr/testify/require"
)

func TestCache(t *testing.T) {
	c := NewCache[int, int](3)
	made := 0
	get := func(k int) int { return c.Get(k, func() int { made++; return 10 * k }) }
	for k := range 3 {
		require.Equal(t, 10*k, get(k))
	}
	get(0)
	require.Equal(t, 3, made)
	for k := 3; k < 100; k++ {
		get(k)
		require.Equal(t, 10*(k-1), get(k-1))
		require.LessOrEqual(t, len(c.young)+len(c.old), 6)
	}
	require.Equal(t, 100, made, "what was used last is kept")

	var once atomic.Int32
	many := NewCache[int, int](3)
	var wg sync.WaitGroup
	for range 100 {
		wg.Go(func() { many.Get(1, func() int { once.Add(1); runtime.Gosched(); return 0 }) })
	}
	wg.Wait()
	require.EqualValues(t, 1, once.Load())
}

// A panic while a value is made must not leave an empty one behind.
func TestCacheForgetsAPanic(t *testing.T) {
	c := NewCache[int, string](2)
	func() {
		defer func() {
			if recover() == nil {
				t.Error("Get kept the panic to itself")
			}
		}()
		c.Get(1, func() string { panic("while it was made") })
	}()
	if got := c.Get(1, func() string { return "made" }); got != "made" {
		t.Errorf("after a panic, Get = %q, want it made again", got)
	}
}
