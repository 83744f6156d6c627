package gate

import (
	"math/rand/v2"
	"net/netip"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

// startupsWith returns places that n lines from different sources hold, all of which spoke just now.
func startupsWith(t *testing.T, n int, chance func() float64) *startups {
	t.Helper()
	s := newStartups(DefaultConfig().Startups, func() float64 { return 1 })
	for i := range n {
		_, why := s.admit(lineFrom(i, -time.Hour)) // never stalls
		require.Empty(t, why)
	}
	s.rand = chance
	return s
}

// lineFrom returns a line of the nth source that has been silent for so long since its first words.
func lineFrom(n int, silent time.Duration) *line {
	l := &line{
		source: sourceOf(netip.AddrFrom4([4]byte{10, 0, byte(n >> 8), byte(n)})),
		born:   time.Now().Add(-silent - 1),
	}
	l.heard.Store(1)
	return l
}

// The chances are those of sshd's drop_connection for MaxStartups 10:30:100.
func TestEarlyDropFollowsMaxStartups(t *testing.T) {
	for _, tc := range []struct {
		held   int
		chance float64 // of being refused
	}{{0, 0}, {9, 0}, {10, .30}, {55, .65}, {99, .30 + .70*89/90}, {100, 1}} {
		rng := rand.New(rand.NewPCG(1, uint64(tc.held)))
		s := startupsWith(t, tc.held, rng.Float64)
		const tries = 20000
		refused := 0
		for i := range tries {
			l := lineFrom(1000+i, 0)
			if _, why := s.admit(l); why != "" {
				require.Equal(t, ReasonStartups, why)
				refused++
			}
			s.release(l)
		}
		require.InDelta(t, tc.chance, float64(refused)/tries, 0.015, "with %d held", tc.held)
	}
}

func TestPlacesOfOneSource(t *testing.T) {
	s := startupsWith(t, 0, nil)
	for range s.limits.PerSource {
		_, why := s.admit(lineFrom(1, 0))
		require.Empty(t, why)
	}
	_, why := s.admit(lineFrom(1, 0))
	require.Equal(t, ReasonSource, why)
	other := lineFrom(2, 0)
	_, why = s.admit(other)
	require.Empty(t, why)
	s.release(other)
	s.release(other)
	require.Len(t, s.held, s.limits.PerSource)
}

func TestASilentLineGivesItsPlace(t *testing.T) {
	full := func() (*startups, *line, *line, *line) {
		s := startupsWith(t, 97, nil)
		mute, hello, keyed := lineFrom(201, time.Second), lineFrom(202, 2*time.Second), lineFrom(203, 3*time.Second)
		mute.heard.Store(0)
		keyed.keyed.Store(true)
		for _, l := range []*line{keyed, hello, mute} {
			s.held[l] = struct{}{}
			s.bySource[l.source]++
		}
		return s, mute, hello, keyed
	}

	s, mute, hello, keyed := full()
	for i, want := range []*line{mute, hello, keyed} {
		displaced, why := s.admit(lineFrom(300+i, 0))
		require.Empty(t, why)
		require.Same(t, want, displaced, "the one furthest from logging in goes first")
		require.Len(t, s.held, s.limits.Full)
	}
	_, why := s.admit(lineFrom(310, 0))
	require.Equal(t, ReasonStartups, why, "nobody is silent any more")

	// Of one source, only its own lines give way to it.
	s, mute, _, _ = full()
	for i := range s.limits.PerSource {
		l := lineFrom(400, 0)
		s.held[l] = struct{}{}
		s.bySource[l.source]++
		if i == 0 {
			l.born = l.born.Add(-time.Minute)
		}
	}
	displaced, why := s.admit(lineFrom(400, 0))
	require.Empty(t, why)
	require.NotSame(t, mute, displaced)
	require.GreaterOrEqual(t, displaced.silence(), time.Minute)
	_, why = s.admit(lineFrom(400, 0))
	require.Equal(t, ReasonSource, why)
}

func TestSources(t *testing.T) {
	of := func(s string) source { return sourceOf(netip.MustParseAddr(s)) }
	require.Equal(t, of("10.0.0.1"), of("::ffff:10.0.0.1"))
	require.NotEqual(t, of("10.0.0.1"), of("10.0.0.2"))
	require.Equal(t, of("2001:db8:1:2::1"), of("2001:db8:1:2:ffff::9"))
	require.Equal(t, of("fe80::1%eth0"), of("fe80::1%eth1"))
	require.NotEqual(t, of("2001:db8:1:2::1"), of("2001:db8:1:3::1"))
}

func TestNetworks(t *testing.T) {
	ns, err := ParseNetworks([]string{"10.1.0.0/16", " 192.0.2.7 ", "", "2001:db8::/32"})
	require.NoError(t, err)
	for addr, in := range map[string]bool{
		"10.1.2.3": true, "::ffff:10.1.2.3": true, "10.2.0.1": false, "192.0.2.7": true, "192.0.2.8": false,
		"2001:db8:5::1": true, "2001:db9::1": false, "127.0.0.1": false,
	} {
		require.Equal(t, in, ns.Contains(netip.MustParseAddr(addr)), addr)
	}
	for _, bad := range []string{"10.1", "host", "10.0.0.0/33"} {
		_, err := ParseNetworks([]string{bad})
		require.ErrorContains(t, err, bad)
	}
}

func TestSessionsAreCounted(t *testing.T) {
	src := func(n int) source { return lineFrom(n, 0).source }
	key := func(n byte) player { return player{key: KeyID{n}} }
	s := newSessions(20, 5)

	for range 5 {
		require.Empty(t, s.admit(key(1), src(1), false))
	}
	require.Equal(t, ReasonPlayer, s.admit(key(1), src(2), false), "from anywhere")
	require.Equal(t, ReasonPlayer, s.admit(key(1), src(2), true), "exempt or not")

	for range 5 {
		require.Empty(t, s.admit(player{guest: src(1)}, src(1), false))
	}
	require.Equal(t, ReasonPlayer, s.admit(player{guest: src(1)}, src(1), false))
	require.Equal(t, ReasonCrowd, s.admit(key(2), src(1), false), "new keys do not help one source")

	for i := range 10 {
		require.Empty(t, s.admit(player{guest: src(3)}, src(3), true), "exempt guest %d", i)
	}
	require.Equal(t, ReasonFull, s.admit(key(3), src(4), false))
	s.release(key(1), src(1))
	require.Empty(t, s.admit(key(3), src(4), false))
}
