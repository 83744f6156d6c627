package event_test

import (
	"log/slog"
	"math/rand/v2"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/require"

	"boneyard/lobby/event"
)

// shifted is a wall clock that is wrong by an offset, and a Clock that believes it.
type shifted struct {
	*event.Clock
	off  time.Duration
	said strings.Builder
}

func newShifted() *shifted {
	s := &shifted{}
	s.start()
	return s
}

func (s *shifted) start() {
	s.Clock = event.NewClock(func() time.Time { return time.Now().Add(s.off) }, event.ConfirmTime, slog.New(slog.NewTextHandler(&s.said, nil)))
}

// wrong returns the difference from the real time.
func (s *shifted) wrong() time.Duration { return s.Now().Sub(time.Now().Round(0)) }

const minutes = 2 * time.Minute

// A wall clock that is wrong for less than 15 minutes at a time, in whatever way, changes nothing, even if
// the server is restarted while the clock is wrong by hours or years. Each leap is logged once.
func TestShortLeaps(t *testing.T) {
	for seed := range uint64(100) {
		synctest.Test(t, func(t *testing.T) {
			rng := rand.New(rand.NewPCG(seed, 1))
			s := newShifted()
			for range 10 {
				s.off = time.Duration(rng.Int64N(int64(4 * time.Hour)))
				if rng.IntN(2) == 0 {
					s.off = time.Duration(rng.Int64N(int64(800*24*time.Hour))) - 400*24*time.Hour
				}
				if s.off.Abs() > 3*time.Hour && rng.IntN(2) == 0 {
					last, wall := s.Now(), time.Now().Add(s.off)
					s.start()
					s.Resume(last, wall, 0)
				}
				for range 14 {
					require.LessOrEqual(t, s.wrong().Abs(), minutes, "seed %d", seed)
					time.Sleep(time.Minute)
				}
				s.off = 0
				for range 3 {
					require.LessOrEqual(t, s.wrong().Abs(), minutes, "seed %d", seed)
					time.Sleep(time.Hour)
				}
				require.Zero(t, s.wrong())
			}
			require.LessOrEqual(t, strings.Count(s.said.String(), "level=WARN"), 2*10, "each leap, and each restart")
		})
	}
}

// A leap that lasts is believed: after 15 minutes, later for long leaps, and at once if an operator accepts
// it. Steps of a time server are followed immediately.
func TestLeapsThatLast(t *testing.T) {
	const day = 24 * time.Hour
	for by, wait := range map[time.Duration]time.Duration{
		time.Second: 0, -time.Minute: 0, time.Hour: event.ConfirmTime, 8 * time.Hour: event.ConfirmTime, -365 * day: event.ConfirmTime,
		30 * day: 150 * time.Minute, 365 * day: day, 290 * 365 * day: day,
	} {
		for _, operator := range []bool{false, true} {
			synctest.Test(t, func(t *testing.T) {
				s := newShifted()
				s.off = by
				if wait > 0 {
					require.Zero(t, s.wrong())
					time.Sleep(wait - time.Second)
					require.Zero(t, s.wrong())
					left, _ := s.Leap()
					require.Equal(t, by, left)
				}
				if operator {
					s.Accept()
				} else {
					time.Sleep(time.Second)
				}
				require.Equal(t, by, s.wrong(), "%v", by)
				left, _ := s.Leap()
				require.Zero(t, left)
			})
		}
	}
}

// An unconfirmed leap is not taken for a stop of the server.
func TestALeapBeforeAStop(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := newShifted()
		s.off = 26 * time.Hour
		last, wall := s.Now(), time.Now().Add(s.off)
		s.start()
		s.Resume(last, wall, 0)
		time.Sleep(event.ConfirmTime - time.Second)
		require.Zero(t, s.wrong())
		time.Sleep(time.Second)
		require.Equal(t, s.off, s.wrong())
	})
}

// After a stop of the server the new time is believed at once or soon, or after a long stop, once it lasts.
func TestTheClockAfterAStop(t *testing.T) {
	const day = 24 * time.Hour
	for down, wait := range map[time.Duration]time.Duration{
		time.Minute: 0, 14 * time.Minute: 0, time.Hour: time.Minute, 2 * day: time.Minute, 3 * day: event.ConfirmTime,
		30 * day: 150 * time.Minute, 365 * day: day, 3000 * day: day,
	} {
		synctest.Test(t, func(t *testing.T) {
			s := newShifted()
			last := s.Now()
			time.Sleep(down)
			s.start()
			s.Resume(last, last, 0)
			if wait > 0 {
				require.Equal(t, -down, s.wrong())
				time.Sleep(wait - time.Second)
				require.Equal(t, -down, s.wrong())
				time.Sleep(time.Second)
			}
			require.Zero(t, s.wrong(), "%v", down)
		})
	}
}

// A node that takes over knows how long ago the time was kept: however long that was, it goes on at once, and
// that its clock differs is no sign of a stop.
func TestTheClockOfAnotherNode(t *testing.T) {
	for _, off := range []time.Duration{0, time.Hour, -time.Hour} {
		synctest.Test(t, func(t *testing.T) {
			s := newShifted()
			last := s.Now()
			const ago = 5 * time.Hour
			time.Sleep(ago)
			s.off = off
			s.start()
			s.Resume(last, last, ago)
			time.Sleep(event.ConfirmTime - time.Second)
			require.Zero(t, s.wrong())
			time.Sleep(time.Second)
			require.Equal(t, off, s.wrong())
		})
	}
}
