package lobby

import (
	"context"
	"slices"

	"boneyard/lobby/text"
	"boneyard/table"
)

// mostFriends bounds the friends that one member may have.
const mostFriends = 100

// Refusals of friends.
const (
	ErrManyFriends text.Refusal = "You have as many friends as the club can remember; remove one first."
	ErrNoFriend    text.Refusal = "Nobody of that name is among your friends."
)

// FriendNotes are the choices of who is told when a friend comes: nobody, the member, those whose friend the member is, or both.
func FriendNotes() []string { return []string{"off", "told", "seen", "both"} }

// FriendNotes is the member's choice.
func (s *Settings) FriendNotes() string {
	i := 0
	if !s.NoFriendNotes {
		i++
	}
	if !s.ComesQuietly {
		i += 2
	}
	return FriendNotes()[i]
}

// SetFriendNotes sets the choice.
func (s *Settings) SetFriendNotes(choice string) {
	i := slices.Index(FriendNotes(), choice)
	s.NoFriendNotes, s.ComesQuietly = i&1 == 0, i&2 == 0
}

// Friend is a member whom somebody likes to meet.
type Friend struct {
	Name string
	Here *Person // nil if they are away
}

// Friends lists the person's friends, those who are here first, each by name. Nobody else learns who they are.
func (v *Visit) Friends() (all []Friend) {
	l := v.lobby
	l.mu.Lock()
	defer l.mu.Unlock()
	var away []Friend
	names := slices.Clone(v.person.account.Settings.Friends)
	slices.Sort(names)
	for _, name := range names {
		if p := l.byName(name); p != nil {
			here := l.describe(p)
			all = append(all, Friend{name, &here})
		} else {
			away = append(away, Friend{Name: name})
		}
	}
	return append(all, away...)
}

// FriendsFirst is a list of people with this person's friends before all others, and how many those are; the list itself if there are none.
func (v *Visit) FriendsFirst(people []Person) (list []Person, friends int) {
	l := v.lobby
	l.mu.Lock()
	here := map[table.PlayerID]bool{}
	for like := range v.person.friends {
		if p := l.present[like]; p != nil {
			here[p.id] = true
		}
	}
	l.mu.Unlock()
	if len(here) == 0 { // most people draw the list that is shared
		return people, 0
	}
	var others []Person
	for _, p := range people {
		if here[p.Player.ID] {
			list = append(list, p)
		} else {
			others = append(others, p)
		}
	}
	return append(list, others...), len(list)
}

// Befriend makes a member one of the person's friends, or no friend any more; nobody is told. It refuses with ErrMembersOnly, ErrYourself,
// ErrNoMember, ErrNoFriend or ErrManyFriends.
func (v *Visit) Befriend(ctx context.Context, name string, on bool) error {
	a, err := v.memberAsks()
	if err != nil {
		return err
	}
	like := text.Skeleton(name)
	same := func(other string) bool { return text.Skeleton(other) == like }
	has := a.Settings.IsFriend(name)
	switch {
	case on && same(a.Name):
		return ErrYourself
	case on && has:
		return nil
	case !on && !has:
		return ErrNoFriend
	case on && len(a.Settings.Friends) >= mostFriends:
		return ErrManyFriends
	}
	if on {
		other, err := ask(v, func() (*Account, error) { return v.lobby.stores.Accounts.ByName(ctx, name) })
		if err != nil {
			return v.lobby.missing(ErrNoMember, "look for a name", err)
		}
		name = other.Name
	}
	return v.save(ctx, func(a *Account) {
		s := &a.Settings
		s.Friends = slices.DeleteFunc(slices.Clone(s.Friends), same)
		if on && len(s.Friends) < mostFriends {
			s.Friends = append(s.Friends, name)
		}
	})
}

// IsFriend reports whether a name is that of a friend.
func (s *Settings) IsFriend(name string) bool { return containsName(s.Friends, name) }

// tellFriends tells those who are here that their friend has come, unless one of the two does not want that. With mu held.
func (l *Lobby) tellFriends(p *person) {
	if p.id.Guest() || p.account.Settings.ComesQuietly {
		return
	}
	like, allowed := text.Skeleton(p.player.Name), false
	for _, other := range l.people {
		if _, friend := other.friends[like]; !friend || other.account.Settings.NoFriendNotes ||
			!l.hears(p, other.player) || !l.hears(other, p.player) {
			continue
		}
		if allowed = allowed || l.limits.Allow(&l.limits.arrivals, onePerson(p.id)); !allowed {
			return
		}
		l.note(other, "%s is here.", p.player.Name)
	}
}

// containsName reports whether one of some names looks like another.
func containsName(names []string, name string) bool {
	return slices.ContainsFunc(names, func(other string) bool { return text.Skeleton(other) == text.Skeleton(name) })
}

// skeletons are what some names look like.
func skeletons(names []string) map[string]struct{} {
	all := make(map[string]struct{}, len(names))
	for _, name := range names {
		all[text.Skeleton(name)] = struct{}{}
	}
	return all
}
