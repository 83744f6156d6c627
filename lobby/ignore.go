package lobby

import (
	"context"
	"slices"
	"sync"

	"boneyard/lobby/text"
	"boneyard/table"
)

// IgnoredNet is a network whose guests are ignored, because a person from there was.
type IgnoredNet struct {
	Name string `json:"name"` // of the person who was ignored
	Net  string `json:"net"`  // the hash of the address, see netHash
}

// ignoring is the set of people whom a person ignores. It is immutable.
type ignoring struct {
	names map[string]struct{} // skeletons
	nets  map[string]struct{} // of guests
}

// newIgnoring returns nil if nobody is ignored.
func newIgnoring(s *Settings) *ignoring {
	if len(s.Ignored) == 0 && len(s.IgnoredNets) == 0 {
		return nil
	}
	i := &ignoring{skeletons(s.Ignored), map[string]struct{}{}}
	for _, n := range s.IgnoredNets {
		i.nets[n.Net] = struct{}{}
	}
	return i
}

// hears reports whether a person reads a player's lines: they do not ignore the player, and no event keeps
// the two apart. It takes no lock of the lobby.
func (l *Lobby) hears(p *person, from table.Player) bool {
	if l.sealedBetween(p.id, from.ID) != nil {
		return false
	}
	ignored := p.ignored.Load()
	if ignored == nil {
		return true
	}
	_, no := ignored.names[text.Skeleton(from.Name)]
	if !no && from.ID.Guest() {
		_, no = ignored.nets[l.guests.net(from.ID)]
	}
	return !no
}

// setIgnored hides or shows again what a person says. Since a guest is somebody new with each visit, guests
// are ignored by network, including those from the network of an ignored member; withGuests reports whether
// the network is known.
func (v *Visit) setIgnored(ctx context.Context, name string, on bool) (withGuests bool, err error) {
	const mostIgnored = 100 // limits the names, and the networks, that one person ignores; the oldest are dropped
	l := v.lobby
	l.mu.Lock()
	net, guest := "", false
	if p := l.byName(name); p != nil && p != v.person {
		net, guest = p.place, p.player.ID.Guest()
	}
	l.mu.Unlock()
	same := func(other string) bool { return text.Skeleton(other) == text.Skeleton(name) }
	last := func(n int) int { return max(0, n-mostIgnored) }
	return net != "", v.save(ctx, func(a *Account) {
		s := &a.Settings
		s.Ignored = slices.DeleteFunc(slices.Clone(s.Ignored), same)
		s.IgnoredNets = slices.DeleteFunc(slices.Clone(s.IgnoredNets),
			func(n IgnoredNet) bool { return same(n.Name) || net != "" && n.Net == net })
		if on && net != "" {
			s.IgnoredNets = append(s.IgnoredNets, IgnoredNet{name, net})
			s.IgnoredNets = s.IgnoredNets[last(len(s.IgnoredNets)):]
		}
		if on && !(guest && net != "") { // the next guest with that name is somebody else
			s.Ignored = append(s.Ignored, name)
			s.Ignored = s.Ignored[last(len(s.Ignored)):]
		}
	})
}

// IgnoredNames returns the names of all ignored people, each once.
func (s *Settings) IgnoredNames() []string {
	names := slices.Clone(s.Ignored)
	for _, n := range s.IgnoredNets {
		if !slices.Contains(names, n.Name) {
			names = append(names, n.Name)
		}
	}
	return names
}

func (s *Settings) ignores(name string) bool { return containsName(s.Ignored, name) }

// guestsKnown is how many guests' networks are remembered. Guests who have left are remembered, since their
// lines are still shown.
const guestsKnown = 1 << 14

// guests remembers the networks of guests. Its methods may be called by any goroutine.
type guests struct {
	mu    sync.RWMutex
	nets  map[table.PlayerID]string
	order []table.PlayerID // oldest first
}

// add records a guest's network. If there is no room, it drops the oldest guest who has left.
func (g *guests) add(id table.PlayerID, net string, here func(table.PlayerID) bool) {
	if net == "" {
		return
	}
	g.mu.Lock()
	defer g.mu.Unlock()
	if g.nets == nil {
		g.nets = map[table.PlayerID]string{}
	}
	for range g.order {
		if len(g.order) < guestsKnown {
			break
		}
		oldest := g.order[0]
		g.order = g.order[1:]
		if here(oldest) {
			g.order = append(g.order, oldest)
		} else {
			delete(g.nets, oldest)
		}
	}
	g.nets[id] = net
	g.order = append(g.order, id)
}

// net returns the network of a guest, or "" if it is unknown.
func (g *guests) net(id table.PlayerID) string {
	g.mu.RLock()
	defer g.mu.RUnlock()
	return g.nets[id]
}
