package client

import (
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

func TestLatency(t *testing.T) {
	var l Recorder
	require.Nil(t, l.Sum())
	var wg sync.WaitGroup
	for part := range 4 {
		wg.Go(func() {
			for n := part + 1; n <= 1000; n += 4 {
				l.Add(time.Duration(n) * time.Millisecond)
			}
		})
	}
	wg.Wait()
	s := l.Sum()
	require.Equal(t, int64(1000), s.N)
	require.InEpsilon(t, 500, s.P50, 0.01)
	require.InEpsilon(t, 990, s.P99, 0.01)
	require.InEpsilon(t, 1000, s.Worst, 0.01)
	l.Add(-time.Second)
	require.Equal(t, int64(1001), l.Sum().N)
	require.InEpsilon(t, 1000, l.Sum().Worst, 0.01)
}
