package lobby

import (
	"context"
	"slices"
	"sort"
	"strings"

	"boneyard/lobby/text"
)

// Refusals about friends.
const (
	ErrManyFriends text.Refusal = "You have as many friends as the club can remember; remove one first."
	ErrNoFriend    text.Refusal = "Nobody of that name is among your friends."
)

// FriendNotes lists who may be told of arrivals: nobody, the member, people with the member as friend, or
// both.
func FriendNotes() []string { return []string{"off", "told", "seen", "both"} }

// FriendNotes returns the member's choice.
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

// SetFriendNotes makes the choice.
func (s *Settings) SetFriendNotes(choice string) {
	i := slices.Index(FriendNotes(), choice)
	s.NoFriendNotes, s.ComesQuietly = i&1 == 0, i&2 == 0
}

// Friend is a member on somebody's list of friends.
type Friend struct {
	Name string
	Here *Person // nil if they are away
}

// Friends lists the person's friends by name, those who are here first. Only the person sees the list.
func (v *Visit) Friends() (all []Friend) {
	l := v.lobby
	l.mu.Lock()
	defer l.mu.Unlock()
	var away []Friend
	names := slices.Clone(v.person.account.Settings.Friends)
	slices.Sort(names)
	for _, name := range names {
		if p := l.byName(name); p != nil {
			all = append(all, Friend{name, new(l.describe(p))})
		} else {
			away = append(away, Friend{Name: name})
		}
	}
	return append(all, away...)
}

// Roster is the people of a snapshot in another order, a person's friends first. The people are shared, since
// in a lobby of thousands a list for each person would be too much.
type Roster struct {
	People  []Person
	Friends []int // indices of friends in People, ascending
}

// At returns the i-th person, from 0.
func (r *Roster) At(i int) *Person {
	if i < len(r.Friends) {
		return &r.People[r.Friends[i]]
	}
	i -= len(r.Friends)
	for _, friend := range r.Friends {
		if friend <= i {
			i++
		}
	}
	return &r.People[i]
}

// FriendsFirst returns a snapshot's people with this person's friends first.
func (v *Visit) FriendsFirst(people []Person) Roster {
	l, r := v.lobby, Roster{People: people}
	l.mu.Lock()
	defer l.mu.Unlock()
	for like := range v.person.friends {
		p := l.present[like]
		if p == nil {
			continue
		}
		folded := strings.ToLower(p.player.Name)
		i := sort.Search(len(people), func(i int) bool { return people[i].folded >= folded })
		if i < len(people) && people[i].Player.ID == p.id {
			r.Friends = append(r.Friends, i)
		}
	}
	slices.Sort(r.Friends)
	return r
}

// Befriend makes a member one of the person's friends, or ends that; nobody is told. It returns
// ErrMembersOnly, ErrYourself, ErrNoMember, ErrNoFriend or ErrManyFriends.
func (v *Visit) Befriend(ctx context.Context, name string, on bool) error {
	const mostFriends = 100
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
	full := false // other sessions added friends in the meantime
	err = v.save(ctx, func(a *Account) {
		s := &a.Settings
		s.Friends = slices.DeleteFunc(slices.Clone(s.Friends), same)
		if full = on && len(s.Friends) >= mostFriends; on && !full {
			s.Friends = append(s.Friends, name)
		}
	})
	if err == nil && full {
		return ErrManyFriends
	}
	return err
}

// IsFriend reports whether a name is on the list of friends.
func (s *Settings) IsFriend(name string) bool { return containsName(s.Friends, name) }

// tellFriends tells people here that their friend has come, unless either does not want that. With mu held.
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

// containsName reports whether one of the names looks like another.
func containsName(names []string, name string) bool {
	return slices.ContainsFunc(names, func(other string) bool { return text.Skeleton(other) == text.Skeleton(name) })
}

func skeletons(names []string) map[string]struct{} {
	all := make(map[string]struct{}, len(names))
	for _, name := range names {
		all[text.Skeleton(name)] = struct{}{}
	}
	return all
}
