package gate

import (
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/require"
)

// slow is a client that takes a while to read what is written.
type slow struct{ time.Duration }

func (s *slow) Write(p []byte) (int, error) {
	time.Sleep(s.Duration)
	return len(p), nil
}

// A write that takes too long ends the session, regardless of earlier writes; any number of slow ones does
// not.
func TestAWriteThatDoesNotEnd(t *testing.T) {
	const after = 10 * time.Second
	for _, before := range [][]time.Duration{
		nil, {0}, {0, 0, 0}, {7 * time.Second, 7 * time.Second, 7 * time.Second}, {time.Second, 0, 3 * time.Second, 7 * time.Second, 0},
	} {
		for _, pause := range []time.Duration{0, time.Second, after / 4, after, time.Minute} {
			synctest.Test(t, func(t *testing.T) {
				var ended atomic.Int64 // when, after the last write began
				var last time.Time
				to := &slow{}
				w := newStallWriter(to, after, func(Reason) { ended.Store(int64(time.Since(last))) })
				for _, to.Duration = range before {
					_, _ = w.Write(nil)
					time.Sleep(pause)
				}
				require.Zero(t, ended.Load(), "%v, %v apart", before, pause)
				last, to.Duration = time.Now(), time.Hour
				_, _ = w.Write(nil)
				took := time.Duration(ended.Load())
				require.GreaterOrEqual(t, took, after*3/4, "%v, %v apart", before, pause)
				require.LessOrEqual(t, took, after)
				w.stop()
			})
		}
	}
}
