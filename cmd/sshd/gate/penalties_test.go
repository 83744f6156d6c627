package gate

import (
	"net/netip"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

// fakeClock is a clock that a test moves.
type fakeClock struct{ t time.Time }

func (c *fakeClock) now() time.Time { return c.t }

func TestPenaltiesAddUpAndRunOut(t *testing.T) {
	clock := &fakeClock{t: time.Unix(1e9, 0)}
	rules := DefaultConfig().Penalties
	p := newPenalties(rules, clock.now)
	bad, good := sourceOfNumber(1), sourceOfNumber(2)

	// 3 × 5 s are 15 s, the minimum; the next exceeds it.
	for range 3 {
		p.add(bad, rules.AuthFail)
		require.False(t, p.shutOut(bad))
	}
	p.add(bad, rules.AuthFail)
	require.True(t, p.shutOut(bad))
	require.False(t, p.shutOut(good))

	clock.t = clock.t.Add(20*time.Second - 1)
	require.True(t, p.shutOut(bad), "also when less than the minimum is left")
	clock.t = clock.t.Add(1)
	require.False(t, p.shutOut(bad))
	require.Empty(t, p.of, "forgotten, not kept")

	for range 1000 {
		p.add(bad, rules.GraceExceeded)
	}
	clock.t = clock.t.Add(rules.Max)
	require.False(t, p.shutOut(bad), "never longer than the maximum")

	p.add(good, rules.NoAuth)
	clock.t = clock.t.Add(rules.NoAuth)
	for range 30 {
		p.add(good, rules.NoAuth)
		clock.t = clock.t.Add(rules.NoAuth)
	}
	require.False(t, p.shutOut(good), "one port check a second is none too many")
}

func TestPenaltyTableIsBounded(t *testing.T) {
	clock := &fakeClock{t: time.Unix(1e9, 0)}
	rules := DefaultConfig().Penalties
	rules.Sources = 100
	p := newPenalties(rules, clock.now)
	worst := sourceOfNumber(0)
	for range 5 {
		p.add(worst, rules.GraceExceeded)
	}
	for i := range 100000 {
		p.add(sourceOf(netip.AddrFrom4([4]byte{11, byte(i >> 16), byte(i >> 8), byte(i)})), rules.AuthFail)
	}
	require.LessOrEqual(t, len(p.of), 100)
	require.Greater(t, len(p.of), 90)
	require.True(t, p.shutOut(worst), "what ends last is forgotten last")
}
