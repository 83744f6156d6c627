package limit_test

import (
	"encoding/binary"
	"net/netip"
	"slices"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"boneyard/lobby/limit"
	_ "boneyard/rules/sameseed"
)

// clock is a time that advances when told to.
type clock struct{ t time.Time }

func (c *clock) now() time.Time { return c.t }

func open(entries int) (*limit.Limits, *clock) {
	c := &clock{time.Date(2026, 11, 21, 12, 0, 0, 0, time.UTC)}
	return limit.New(entries, c.now), c
}

func who(key uint32, addr string) limit.Who {
	w := limit.Who{}
	binary.BigEndian.PutUint32(w.Key[:], key)
	if addr != "" {
		w.Addr = netip.MustParseAddr(addr)
	}
	return w
}

// allowed counts how many of some tries are allowed.
func allowed(l *limit.Limits, r *limit.Rule, w limit.Who, tries int) (n int) {
	for range tries {
		if l.Allow(r, w) {
			n++
		}
	}
	return n
}

func TestEachScopeCounts(t *testing.T) {
	r := &limit.Rule{
		Key: limit.Rate{Burst: 2, Every: time.Second}, Addr: limit.Rate{Burst: 4, Every: time.Second},
		Network: limit.Rate{Burst: 6, Every: time.Second},
	}
	l, c := open(100)
	require.Equal(t, 2, allowed(l, r, who(1, "192.0.2.1"), 9), "one key")
	require.Equal(t, 0, allowed(l, r, who(1, "198.51.100.1"), 9), "the same key from elsewhere")
	require.Equal(t, 2, allowed(l, r, who(2, "192.0.2.1"), 9), "another key from there")
	require.Equal(t, 0, allowed(l, r, who(3, "::ffff:192.0.2.1"), 9), "and no third, however the address is written")
	require.Equal(t, 0, allowed(l, r, who(0, "192.0.2.1"), 9), "nor a guest")
	require.Equal(t, 2, allowed(l, r, who(0, "192.0.2.77"), 9), "the network has room for two more")
	require.Equal(t, 0, allowed(l, r, who(9, "192.0.2.78"), 9))
	require.Equal(t, 4, allowed(l, r, who(0, "2001:db8::1"), 9))
	require.Equal(t, 0, allowed(l, r, who(0, "2001:db8::ffff"), 9), "the same /64")
	require.Equal(t, 2, allowed(l, r, who(0, "2001:db8:0:1::1"), 9), "the same /48")
	require.Equal(t, 4, allowed(l, r, who(0, "2001:db8:1::1"), 9), "another one")
	other := &limit.Rule{Key: limit.Rate{Burst: 1, Every: time.Second}}
	require.Equal(t, 1, allowed(l, other, who(1, "192.0.2.1"), 9), "another rule counts for itself")
	c.t = c.t.Add(time.Second)
	require.Equal(t, 1, allowed(l, r, who(1, "192.0.2.1"), 9))
}

// What a scope refuses costs nothing in the others, and Open costs nothing at all.
func TestRefusedIsNotCounted(t *testing.T) {
	r := &limit.Rule{Key: limit.Rate{Burst: 1, Every: time.Hour}, Addr: limit.Rate{Burst: 3, Every: time.Hour}}
	l, _ := open(100)
	require.Equal(t, 1, allowed(l, r, who(1, "192.0.2.1"), 100))
	require.False(t, l.Open(r, who(1, "192.0.2.1")))
	for range 9 {
		require.True(t, l.Open(r, who(2, "192.0.2.1")))
	}
	require.Equal(t, 1, allowed(l, r, who(2, "192.0.2.1"), 100))
	require.Equal(t, 1, allowed(l, r, who(3, "192.0.2.1"), 100))
	require.Equal(t, 0, allowed(l, r, who(4, "192.0.2.1"), 100))
}

// A caller from a shared address is limited by key as always; the address has room for a crowd only.
func TestSharedAddress(t *testing.T) {
	r := &limit.Rule{Key: limit.Rate{Burst: 1, Every: time.Minute}, Addr: limit.Rate{Burst: 2, Every: time.Minute}}
	l, c := open(1000)
	n := 0
	for key := range uint32(3 * limit.Crowd) {
		w := who(key+1, "10.88.0.1")
		w.Shared = true
		n += allowed(l, r, w, 5)
	}
	require.Equal(t, 2*limit.Crowd, n)
	c.t = c.t.Add(time.Minute)
	w := who(7777, "10.88.0.1")
	w.Shared = true
	require.Equal(t, 1, allowed(l, r, w, 5))
}

// A flood of keys does not displace what is known about their network, nor use unlimited memory.
func TestBounded(t *testing.T) {
	r := &limit.Rule{Key: limit.Rate{Burst: 1, Every: time.Hour}, Addr: limit.Rate{Burst: 50, Every: time.Hour}}
	l, c := open(64)
	n := 0
	for key := range uint32(5000) {
		n += allowed(l, r, who(key+1, "192.0.2.1"), 2)
	}
	require.Equal(t, 50, n)
	for a := range 5000 {
		l.Allow(r, who(1, netip.AddrFrom4([4]byte{100, 64, byte(a >> 8), byte(a)}).String()))
		l.Allow(r, who(uint32(a)+10, netip.AddrFrom4([4]byte{100, 65, byte(a >> 8), byte(a)}).String()))
		require.LessOrEqual(t, l.Len(), 4*64)
	}
	// Counts that no longer limit anything are dropped.
	c.t = c.t.Add(100 * time.Hour)
	for key := range uint32(200) {
		l.Allow(r, who(key+90000, netip.AddrFrom4([4]byte{198, 51, 100, byte(key)}).String()))
		c.t = c.t.Add(2 * time.Hour)
	}
	require.LessOrEqual(t, l.Len(), 8)
}

// Nobody without an address is limited by one, and a rule without rates limits nobody.
func TestNothingToCount(t *testing.T) {
	l, _ := open(10)
	require.Equal(t, 99, allowed(l, &limit.Rule{Addr: limit.Rate{Burst: 1, Every: time.Hour}}, who(1, ""), 99))
	require.Equal(t, 99, allowed(l, &limit.Rule{}, who(1, "192.0.2.1"), 99))
	require.Zero(t, l.Len())
}

// In no period is more allowed than the burst and the rate for that time, whatever keys are used.
func TestNeverMoreThanTheRate(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		burst, every := rapid.IntRange(1, 5).Draw(t, "burst"), time.Duration(rapid.IntRange(1, 60).Draw(t, "every"))*time.Second
		r := &limit.Rule{Key: limit.Rate{Burst: burst, Every: every}, Addr: limit.Rate{Burst: 2 * burst, Every: every / 2}}
		l, c := open(1000)
		start, n := c.t, map[uint32]int{}
		all := 0
		for range rapid.IntRange(1, 200).Draw(t, "tries") {
			c.t = c.t.Add(time.Duration(rapid.IntRange(0, 5000).Draw(t, "ms")) * time.Millisecond)
			key := rapid.Uint32Range(1, 4).Draw(t, "key")
			if l.Allow(r, who(key, "192.0.2.1")) {
				n[key]++
				all++
			}
			given := func(rate limit.Rate) int { return rate.Burst + int(c.t.Sub(start)/rate.Every) }
			require.LessOrEqual(t, n[key], given(r.Key))
			require.LessOrEqual(t, all, given(r.Addr))
		}
	})
}

// However much a few networks want of a pool, they never get more than the rate, and a caller from another
// network gets a share.
func TestSharedPools(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		const every = 200 * time.Millisecond
		burst := rapid.IntRange(20, 80).Draw(t, "burst")
		r := &limit.Rule{All: limit.Rate{Burst: burst, Every: every}}
		l, c := open(1000)
		start, greedy, all := c.t, rapid.IntRange(1, burst/2-2).Draw(t, "greedy networks"), 0
		from := func(net, host int) limit.Who {
			return who(0, netip.AddrFrom4([4]byte{10, byte(net), 0, byte(host)}).String())
		}
		for range rapid.IntRange(1, 300).Draw(t, "seconds") {
			for n := range greedy {
				all += allowed(l, r, from(1+n, rapid.IntRange(1, 9).Draw(t, "host")), rapid.IntRange(0, burst).Draw(t, "tries"))
			}
			require.LessOrEqual(t, all, burst+int(c.t.Sub(start)/every))
			c.t = c.t.Add(time.Second)
		}
		require.True(t, l.Allow(r, from(0, 1)), "whoever comes from elsewhere, beside %d networks", greedy)
	})
}

// A caller without a network has no share, and many who come through one address are no network.
func TestPoolWithoutNetworks(t *testing.T) {
	r := &limit.Rule{All: limit.Rate{Burst: 20, Every: time.Second}}
	l, _ := open(10)
	require.Equal(t, 20, allowed(l, r, limit.Who{}, 99))
	l, _ = open(10)
	crowd := who(0, "10.88.0.1")
	crowd.Shared = true
	require.Equal(t, 20, allowed(l, r, crowd, 99))
	l, _ = open(10)
	l.Charge(r, who(0, "192.0.2.1"), 1000)
	require.False(t, l.Allow(r, who(0, "192.0.2.1")))
}

// A quota holds exactly, however many places are taken at once, and places given back can be taken again.
func TestPlaces(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		quota := limit.Quota{Person: 2, Address: 3, Network: 5, All: rapid.IntRange(1, 30).Draw(t, "all"),
			Few: rapid.IntRange(0, 6).Draw(t, "few")}
		var places limit.Places
		var held []*limit.Place
		var owners []limit.Owner
		count := func(same func(limit.Owner) bool) (n int) {
			for _, o := range owners {
				if same(o) {
					n++
				}
			}
			return n
		}
		for range rapid.IntRange(1, 100).Draw(t, "steps") {
			if len(held) > 0 && rapid.IntRange(0, 3).Draw(t, "free") == 0 {
				i := rapid.IntRange(0, len(held)-1).Draw(t, "which")
				held[i].Free()
				held[i].Free() // again is no harm
				held, owners = slices.Delete(held, i, i+1), slices.Delete(owners, i, i+1)
				continue
			}
			pick := func(name string, of ...string) string { return rapid.SampledFrom(of).Draw(t, name) }
			network := pick("network", "", "n1", "n2")
			o := limit.Owner{Person: pick("person", "", "a", "b", "c", "d", "e", "f"), Network: network}
			if network != "" {
				o.Address = network + pick("address", "/1", "/2", "/3")
			}
			share := 1
			if quota.Few > 0 && len(owners) >= quota.Few {
				share = 3
			}
			want := limit.Free
			switch {
			case o.Person != "" && count(func(x limit.Owner) bool { return x.Person == o.Person }) >= quota.Person:
				want = limit.PersonFull
			case o.Address != "" && count(func(x limit.Owner) bool { return x.Address == o.Address }) >= quota.Address/share:
				want = limit.AddressFull
			case o.Network != "" && count(func(x limit.Owner) bool { return x.Network == o.Network }) >= quota.Network/share:
				want = limit.NetworkFull
			case len(owners) >= quota.All:
				want = limit.AllFull
			}
			place, full := places.Take(&quota, o)
			require.Equal(t, want, full)
			if full == limit.Free {
				held, owners = append(held, place), append(owners, o)
			}
		}
	})
	var places limit.Places
	var none *limit.Place
	none.Free()
	q := &limit.Quota{Address: 1, All: 2, Staff: 3}
	crowd := limit.Owner{Address: "a", Shared: true}
	for range 2 {
		_, full := places.Take(q, crowd)
		require.Equal(t, limit.Free, full)
	}
	_, full := places.Take(q, crowd)
	require.Equal(t, limit.AllFull, full)
	_, full = places.Take(q, limit.Owner{Address: "a", Staff: true})
	require.Equal(t, limit.Free, full)
	_, full = places.Take(q, limit.Owner{Staff: true})
	require.Equal(t, limit.AllFull, full)
	held := places.Hold(q, limit.Owner{Address: "a"})
	require.NotNil(t, held, "what exists is counted, whether or not there is room")
}
