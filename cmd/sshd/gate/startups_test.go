package gate

import (
	"encoding/binary"
	"fmt"
	"net/netip"
	"testing"
	"time"

	"boneyard/lobby/limit"

	"github.com/stretchr/testify/require"
)

// gateFor returns a server for lines that a test makes.
func gateFor(t *testing.T) *Server {
	t.Helper()
	l, _ := pipeLine(t)
	return l.srv
}

// sourceOfNumber is the nth source. The first 250 are of one network, and so on.
func sourceOfNumber(n int) source {
	return sourceOf(netip.AddrFrom4([4]byte{10, byte(n / 250 >> 8), byte(n / 250), byte(n%250 + 1)}))
}

// lineFrom returns a line of the nth source that was accepted some time ago.
func lineFrom(s *Server, n int, age time.Duration) *line {
	addr := netip.Prefix(sourceOfNumber(n)).Addr()
	return &line{srv: s, source: sourceOfNumber(n), network: limit.Network(addr), born: time.Now().Add(-age)}
}

// apart returns the number of a source in a network of its own.
func apart(n int) int { return 250 * n }

// fill makes sources in networks of their own hold some places each.
func fill(t *testing.T, s *startups, gate *Server, sources, each int, age time.Duration) (all []*line) {
	t.Helper()
	for n := range sources {
		for range each {
			l := lineFrom(gate, apart(n), age)
			_, why := s.admit(l)
			require.Empty(t, why)
			all = append(all, l)
		}
	}
	return all
}

func TestPlacesOfOneSource(t *testing.T) {
	gate := gateFor(t)
	s := gate.startups
	for range s.perSource {
		_, why := s.admit(lineFrom(gate, 1, 0))
		require.Empty(t, why)
	}
	_, why := s.admit(lineFrom(gate, 1, 0))
	require.Equal(t, ReasonSource, why)
	other := lineFrom(gate, 2, 0)
	_, why = s.admit(other)
	require.Empty(t, why)
	s.release(other)
	s.release(other)
	require.Len(t, s.held, s.perSource)

	// A late line of its own source gives way, and no other source's.
	old := lineFrom(gate, 3, s.limits.BeforeKeys)
	_, why = s.admit(old)
	require.Empty(t, why)
	for range s.perSource - 1 {
		_, why = s.admit(lineFrom(gate, 3, 0))
		require.Empty(t, why)
	}
	displaced, why := s.admit(lineFrom(gate, 3, 0))
	require.Empty(t, why)
	require.Same(t, old, displaced)

	many := lineFrom(gate, 1, 0)
	many.shared = true
	_, why = s.admit(many)
	require.Empty(t, why, "an address that many share")
}

// Age counts, and nothing that a client can do to look busy.
func TestWhoHasTakenTooLongGivesWay(t *testing.T) {
	gate := gateFor(t)
	s := gate.startups
	limits := s.limits
	fill(t, s, gate, limits.Full-3, 1, 0)
	slow, logged, young := lineFrom(gate, apart(500), limits.BeforeKeys), lineFrom(gate, apart(501), limits.BeforeSession),
		lineFrom(gate, apart(502), limits.BeforeKeys)
	logged.keyed.Store(true)
	young.keyed.Store(true) // it has exchanged keys, and has some time left
	for _, l := range []*line{young, slow, logged} {
		l.heard.Store(int64(time.Since(l.born))) // a byte just now
		_, why := s.admit(l)
		require.Empty(t, why)
	}
	for i, want := range []*line{logged, slow} { // the older first
		displaced, why := s.admit(lineFrom(gate, apart(600+i), 0))
		require.Empty(t, why)
		require.Same(t, want, displaced)
		require.Len(t, s.held, limits.Full)
	}
	_, why := s.admit(lineFrom(gate, apart(610), 0))
	require.Equal(t, ReasonStartups, why, "nobody is late, and all hold one place")
}

// Callers who hold many places give way to callers who hold few even if nobody is late: first by network, then by address.
func TestWhoHoldsMuchGivesWay(t *testing.T) {
	gate := gateFor(t)
	s := gate.startups
	each, newcomers := s.perSource, 300
	sources := s.limits.Full / each
	attackers := fill(t, s, gate, sources, each, time.Second)
	for n := range newcomers {
		displaced, why := s.admit(lineFrom(gate, apart(1000+n), 0))
		require.Empty(t, why, "newcomer %d", n)
		require.Contains(t, attackers, displaced)
	}
	for n, held := range s.bySource {
		require.LessOrEqual(t, held, (s.limits.Full-newcomers)/sources+1, "%v", netip.Prefix(n).Addr())
	}

	gate = gateFor(t)
	s = gate.startups
	for n := range s.limits.Full { // one network, from all of whose addresses somebody calls
		_, why := s.admit(lineFrom(gate, n%250, 0))
		require.Empty(t, why)
	}
	inside := lineFrom(gate, 7, 0)
	_, why := s.admit(inside)
	require.Equal(t, ReasonStartups, why, "it holds as many as its neighbours")
	displaced, why := s.admit(lineFrom(gate, apart(9), 0))
	require.Empty(t, why)
	require.Equal(t, inside.network, displaced.network)
	require.Equal(t, 2, s.bySource[displaced.source]+1, "of the network, one of those with two places")
}

// Somebody may return to a game from an address: its first line gets a place and keeps it, the rest are
// treated like all others.
func TestWhoIsAwaitedComesFirst(t *testing.T) {
	gate := gateFor(t)
	s := gate.startups
	fill(t, s, gate, s.limits.Full, 1, 0)
	gate.returning.add(sourceOfNumber(apart(3)))
	require.True(t, gate.returning.has(sourceOfNumber(apart(3))))
	require.False(t, gate.returning.has(sourceOfNumber(apart(4))))
	back := func(n int) *line {
		l := lineFrom(gate, apart(n), 0)
		l.awaited = true
		return l
	}
	first := back(1001)
	displaced, why := s.admit(first)
	require.Empty(t, why)
	require.NotNil(t, displaced)
	_, why = s.admit(back(1001))
	require.Equal(t, ReasonStartups, why)
	first.born = first.born.Add(-gate.cfg.Startups.BeforeSession)
	for n := range s.limits.Full - 1 {
		displaced, why = s.admit(back(2000 + n))
		require.Empty(t, why)
		require.NotSame(t, first, displaced)
	}
	_, why = s.admit(back(4000))
	require.Equal(t, ReasonStartups, why, "where all are awaited, nobody is")
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
	for _, bad := range []string{"10.1", "host", "10.0.0.0/33", "::ffff:10.9.0.0/112"} {
		_, err := ParseNetworks([]string{bad})
		require.ErrorContains(t, err, bad)
	}
}

// guestFrom, strangerFrom and memberFrom are sessions from the nth source.
func guestFrom(n int) *admission { return admissionFrom(n, 0, Stranger) }

func admissionFrom(n int, key int, rank Rank) *admission {
	p := &admission{rank: rank, source: sourceOfNumber(n), network: limit.Network(netip.Prefix(sourceOfNumber(n)).Addr())}
	binary.BigEndian.PutUint32(p.key[:], uint32(key))
	return p
}

// admitted returns how many of the sessions are admitted before the first that is not, and why that one is
// not.
func admitted(s *sessions, next func(i int) *admission) (n int, why Reason) {
	for ; why == "" && n < 10_000; n++ {
		if why = s.admit(next(n)); why != "" {
			return n, why
		}
	}
	return n, ""
}

// Callers who wait for a server leave places to those from elsewhere.
func TestPlacesAreShared(t *testing.T) {
	places, keys := NewPlaces(512, 20), uint32(0)
	held := func(addr func(n int) string) (n int, last func()) {
		for {
			c := &Call{Addr: netip.MustParseAddr(addr(n))}
			keys++
			binary.BigEndian.PutUint32(c.Key[:], keys)
			leave := places.Hold(c)
			if leave == nil {
				return n, last
			}
			n, last = n+1, leave
		}
	}
	of := func(network int) func(int) string {
		return func(n int) string { return fmt.Sprintf("192.0.%d.%d", network, n) }
	}
	one := func(int) string { return "198.51.100.1" }
	n, leave := held(one)
	require.Equal(t, 60, n, "new keys do not help one address")
	leave()
	n, _ = held(one)
	require.Equal(t, 1, n)
	for network, most := range []int{128, 128, 128, 512 - 60 - 3*128} {
		n, _ := held(of(network))
		require.Equal(t, most, n)
	}
}

func TestSessionsAreCounted(t *testing.T) {
	s := newSessions(2000, 5)
	n, why := admitted(s, func(i int) *admission { return admissionFrom(apart(i), 1, Member) })
	require.Equal(t, 5, n, "of one key, from anywhere")
	require.Equal(t, ReasonPlayer, why)
	exempt := admissionFrom(0, 1, Member)
	exempt.exempt = true
	require.Equal(t, ReasonPlayer, s.admit(exempt), "exempt or not")

	n, why = admitted(s, func(i int) *admission { return admissionFrom(7, (i%2)*(i+10), Stranger) })
	require.Equal(t, 10, n, "guests and keys without an account are strangers of their source")
	require.Equal(t, ReasonStrangers, why)
	require.Empty(t, s.admit(admissionFrom(7, 5000, Member)), "a member is none of them")

	n, why = admitted(s, func(i int) *admission { return admissionFrom(apart(20), 6000+i, Member) })
	require.Equal(t, 40, n, "new keys do not help one source")
	require.Equal(t, ReasonCrowd, why)
	require.Empty(t, s.admit(admissionFrom(apart(20), 7000, Seated)), "but who has a game there is let in")
	require.Empty(t, s.admit(admissionFrom(apart(20), 7001, Operator)))
	n, why = admitted(s, func(i int) *admission { return admissionFrom(apart(30)+i%250, 8000+i, Member) })
	require.Equal(t, 500, n, "nor do new addresses help one network")
	require.Equal(t, ReasonCrowd, why)
}

// Two thousand keys without an account, from two addresses and from forty, leave room for everybody else.
func TestNobodyFillsTheClub(t *testing.T) {
	for _, addresses := range []int{2, 40} {
		s := newSessions(2000, 5)
		var all []*admission
		for key := range 2000 {
			p := admissionFrom(apart(key%addresses), key+1, Stranger)
			if s.admit(p) == "" {
				all = append(all, p)
			}
		}
		require.Equal(t, 10*addresses, s.count)
		n, _ := admitted(s, func(i int) *admission { return guestFrom(apart(100 + i/5)) })
		require.GreaterOrEqual(t, n, 1000, "newcomers")
		// They get names, and others come in their place.
		for _, p := range all {
			s.named(p.key)
		}
		for key := range 4000 {
			_ = s.admit(admissionFrom(apart(key%addresses), 10_000+key, Member))
		}
		require.LessOrEqual(t, s.bySource[sourceOfNumber(apart(0))], 40)
	}
}

func TestPlacesAreKept(t *testing.T) {
	s := newSessions(200, 5)
	n, why := admitted(s, func(i int) *admission { return guestFrom(apart(i)) })
	require.Equal(t, 150, n, "strangers")
	require.Equal(t, ReasonFull, why)
	n, why = admitted(s, func(i int) *admission { return admissionFrom(apart(i), i+1, Member) })
	require.Equal(t, 40, n, "members")
	require.Equal(t, ReasonFull, why)
	n, why = admitted(s, func(i int) *admission { return admissionFrom(apart(i), i+1000, Seated+Rank(i%2)) })
	require.Equal(t, 10, n, "who has a seat in a running game, and operators")
	require.Equal(t, ReasonFull, why)

	one := newSessions(1, 5)
	require.Empty(t, one.admit(guestFrom(1)), "a club for one")
}

func TestSessionsAreGivenBack(t *testing.T) {
	s := newSessions(100, 5)
	var all []*admission
	for i := range 60 {
		p := admissionFrom(i, (i%3)*(i/2+1), Rank(i%5%4))
		p.exempt, p.shared = i%7 == 0, i%11 == 0
		if s.admit(p) == "" {
			all = append(all, p)
		}
	}
	require.Greater(t, len(all), 30)
	for _, p := range all[:20] {
		s.named(p.key)
	}
	for _, p := range all {
		s.release(p)
	}
	require.Zero(t, s.count)
	require.Zero(t, s.strangers)
	for _, left := range []int{len(s.byOwner), len(s.bySource), len(s.byNetwork), len(s.nameless)} {
		require.Zero(t, left)
	}
}

// Behind a proxy that hides addresses all callers have its address: it counts as many callers. Nobody on the
// internet can look like that.
func TestASharedAddressIsNoticed(t *testing.T) {
	key := func(n int) (k KeyID) { binary.BigEndian.PutUint32(k[:], uint32(n)); return k }
	proxy, other := netip.MustParseAddr("10.88.0.1"), netip.MustParseAddr("198.51.100.7")
	now := time.Now()
	var s sharing
	told := 0
	for n := range 20 {
		if s.came(proxy, key(n+1), now) {
			told++
		}
		require.Equal(t, n+1 >= fewCallers, s.is(sourceOf(proxy)), "after %d callers", n+1)
	}
	require.Equal(t, 1, told)
	for n := range 5 {
		require.False(t, s.came(other, key(n), now))
		require.False(t, s.came(netip.MustParseAddr("127.0.0.1"), key(n), now))
	}
	require.True(t, s.is(sourceOf(proxy)), "a few come another way")
	require.False(t, s.is(sourceOf(other)))
	for n := range 20 {
		s.came(netip.AddrFrom4([4]byte{198, 51, 100, byte(n)}), key(n), now)
	}
	require.False(t, s.is(sourceOf(proxy)), "most come another way")

	for _, addr := range []string{"198.51.100.7", "127.0.0.1", "2001:db8::1"} {
		var s sharing
		for n := range 2 * lastCallers {
			require.False(t, s.came(netip.MustParseAddr(addr), key(n), now))
		}
		require.False(t, s.is(sourceOf(netip.MustParseAddr(addr))), addr)
	}
	var house sharing
	for n := range lastCallers - 1 {
		require.False(t, house.came(proxy, key(n%3+1), now), "three people at one address")
	}

	p := admissionFrom(1, 0, Stranger)
	p.shared = true
	all := newSessions(100, 5)
	n, _ := admitted(all, func(int) *admission { q := *p; return &q })
	require.Equal(t, 75, n)
}

// A source that leaves again is remembered anew, even while there is no room for others.
func TestReturningIsRememberedAnew(t *testing.T) {
	now := time.Now()
	r := newRecent[source](maxReturning, func() time.Time { return now })
	for n := range maxReturning + 1 {
		r.add(sourceOfNumber(n))
	}
	require.False(t, r.has(sourceOfNumber(maxReturning)))
	now = now.Add(recentTime / 2)
	r.add(sourceOfNumber(7))
	now = now.Add(recentTime / 2)
	require.True(t, r.has(sourceOfNumber(7)))
}
