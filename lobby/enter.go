package lobby

import (
	"context"
	"crypto/hmac"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"math/rand/v2"
	"net/netip"
	"strconv"
	"strings"
	"time"

	"boneyard/lobby/event"
	"boneyard/lobby/limit"
	"boneyard/lobby/text"
	"boneyard/table"
)

// Origin is where a session comes from.
type Origin struct {
	Net      string // the address or network of the line as text; an IPv6 address stands for its /64
	Key      KeyID  // zero for a guest
	Exempt   bool   // limits that count networks do not hold for this one
	Shared   bool   // so many callers come from this address that it says little about who they are; see [limit.Who]
	Operator bool   // the key is one of the operators'
	Terminal string // the terminal's name, cleaned
	Guest    Guest  // who a caller without a key was before the session went on at another node; zero for somebody new
}

// Guest is who somebody without a key is, for as long as they stay.
type Guest struct {
	ID   table.PlayerID
	Name string
}

// network is the network that counts as one place: an IPv4 address or an IPv6 /64. Not valid if Net says none.
func (o *Origin) network() netip.Prefix { return limit.Household(o.addr()) }

// netHash is what tables get to know of where somebody comes from, as [table.Request.Net]: equal addresses
// have equal hashes, and equal networks equal second parts.
func (l *Lobby) netHash(o *Origin) string {
	p := o.network()
	switch {
	case p.IsValid():
		return l.saltedHash(p.String()) + "." + l.saltedHash(limit.Network(p.Addr()).String())
	case o.Net != "":
		return l.saltedHash(o.Net)
	}
	return ""
}

// placeOf is netHash where that means one household or so: empty for a network that many share.
func (l *Lobby) placeOf(o *Origin) string {
	if o.Shared || o.Exempt {
		return ""
	}
	return l.netHash(o)
}

func (l *Lobby) saltedHash(net string) string { return hex.EncodeToString(l.salted(net)) }

// salted is a hash of 8 bytes of a text that cannot be guessed from it.
func (l *Lobby) salted(s string) []byte {
	mac := hmac.New(sha256.New, l.cfg.Salt)
	mac.Write([]byte(s))
	return mac.Sum(nil)[:8]
}

// Account finds the member a key belongs to. ErrNotFound: whoever holds it was never here.
func (l *Lobby) Account(ctx context.Context, key KeyID) (*Account, error) {
	l.mu.Lock()
	at := l.edits
	l.mu.Unlock()
	a, err := l.stores.Accounts.ByKey(ctx, key)
	switch {
	case errors.Is(err, ErrNotFound):
		return nil, err
	case err != nil:
		return nil, l.trouble("find the account of a key", err)
	}
	read := *a
	read.read = at
	return &read, nil
}

// lockFor locks mu when an account, nil for a guest, is known as it is now: its person is here, or none has changed since it was read.
func (l *Lobby) lockFor(ctx context.Context, a *Account) (_ *Account, err error) {
	for {
		l.mu.Lock()
		if a == nil || l.people[a.ID] != nil || a.read == l.edits {
			return a, nil
		}
		l.mu.Unlock()
		if a, err = l.Account(ctx, a.Key); err != nil {
			return nil, err
		}
	}
}

// ProposeName returns a name to offer to somebody new whose ssh user name is user. It may be taken by the
// time it is used.
func (l *Lobby) ProposeName(ctx context.Context, user string) string {
	taken := func(name string) bool { return l.mayBeNamed(ctx, name) != nil }
	return text.Propose(user, taken, l.rand())
}

// CheckName says whether a new member may have a name: nil, or a sentence that says why not.
func (l *Lobby) CheckName(ctx context.Context, o Origin, name string) error {
	if !l.limits.Allow(&l.limits.names, o.who(KeyID{}, 0)) {
		return ErrTooFast
	}
	return l.mayBeNamed(ctx, name)
}

func (l *Lobby) mayBeNamed(ctx context.Context, name string) error {
	clean, err := text.CleanName(name, table.HouseNames()...)
	if err != nil {
		return err
	}
	for _, like := range append(text.Lookalikes(clean), text.Lookalike{Skeleton: clean}) {
		a, err := l.stores.Accounts.ByName(ctx, like.Skeleton)
		switch {
		case err == nil && strings.Contains(a.Name, like.Needs):
			return ErrNameTaken
		case err != nil && !errors.Is(err, ErrNotFound):
			return l.trouble("look for a name", err)
		}
	}
	return nil
}

// Register makes a member of whoever holds the origin's key. It refuses as CheckName does, and with ErrHasAccount,
// ErrManyAccounts or, to the banned, a *SanctionError.
func (l *Lobby) Register(ctx context.Context, o Origin, name string) (*Account, error) {
	key := o.Key
	if key == (KeyID{}) {
		return nil, ErrMembersOnly
	}
	if banned, ok := errors.AsType[*SanctionError](l.admit(nil, &o)); ok {
		return nil, banned
	}
	// One at a time: of two names that look alike, the second finds the first.
	release, err := event.Turn(ctx, l.naming)
	if err != nil {
		return nil, l.trouble("wait to register", err)
	}
	defer release()
	if err := l.CheckName(ctx, o, name); err != nil {
		return nil, err
	}
	if _, err := l.Account(ctx, key); err == nil {
		return nil, ErrHasAccount
	} else if !errors.Is(err, ErrNotFound) {
		return nil, err
	}
	clean, err := text.CleanName(name, table.HouseNames()...)
	if err != nil {
		return nil, err
	}
	if !l.limits.Allow(&l.limits.accounts, o.who(KeyID{}, 0)) {
		return nil, ErrManyAccounts
	}
	a, err := l.stores.Accounts.Create(ctx, key, clean, text.Skeleton(clean), l.now())
	switch {
	case errors.Is(err, ErrTaken):
		return nil, ErrNameTaken
	case err != nil:
		return nil, l.trouble("make an account", err)
	}
	return a, nil
}

// Enter lets somebody in; a is nil for a guest. The visit must be closed. A person may have several at once, such as
// one on a line that hangs and one that replaces it. It refuses with a *SanctionError, ErrNoGuests or ErrDraining.
func (l *Lobby) Enter(ctx context.Context, a *Account, o Origin) (*Visit, error) {
	if err := l.admit(a, &o); err != nil {
		return nil, err
	}
	v := l.newVisit(o)
	begun := a != nil && l.hasPlayed(ctx, a)
	a, err := l.lockFor(ctx, a)
	if err != nil {
		return nil, err
	}
	defer l.mu.Unlock()
	if l.closed || l.draining {
		return nil, ErrDraining
	}
	if err := l.admit(a, &o); err != nil { // banned meanwhile
		return nil, err
	}
	var p *person
	switch {
	case a != nil:
		p = l.people[a.ID]
	case o.Guest.ID.Guest():
		p = l.people[o.Guest.ID]
	}
	if p == nil {
		p = l.newcomer(a, o.Guest)
		p.begun = begun
		l.people[p.player.ID] = p
		l.present[text.Skeleton(p.player.Name)] = p
		l.arrived(p)
	}
	p.net = l.netHash(&o)
	p.place, _, _ = strings.Cut(l.placeOf(&o), ".")
	if a == nil && len(p.visits) == 0 {
		l.guests.add(p.player.ID, p.place, func(id table.PlayerID) bool { return l.people[id] != nil })
	}
	v.person, v.notedBefore = p, p.noted
	v.who, v.owner = o.who(p.account.Key, p.player.ID), v.newOwner(p.player.ID)
	v.Active()
	p.visits = append(p.visits, v)
	if len(p.visits) == 1 {
		l.greet(p)
	}
	if note := l.asideNote(); note != "" && o.Operator {
		l.note(p, "%s", note)
	}
	l.publisher.showing[v] = struct{}{}
	v.shows = true
	l.changed(partPeople)
	l.showingChanged()
	return v, nil
}

// greet tells somebody who has just come what their events want of them. With mu held.
func (l *Lobby) greet(p *person) {
	for _, note := range l.events.Reminders(p.account.Team) {
		l.note(p, "%s", note)
	}
	for _, say := range l.events.Near(p.player) {
		l.remind(p, say)
	}
	for _, seat := range (*l.sealed.Load())[p.id] {
		l.note(p, "%s", seat.Rule())
	}
}

// newVisit makes a visit of nobody yet.
func (l *Lobby) newVisit(o Origin) *Visit {
	v := &Visit{lobby: l, origin: o, net: o.network(), updates: make(chan struct{}, 1), kicked: make(chan string, 1)}
	v.desks = newDesks(v)
	return v
}

// newcomer is the person of an account, or without one a guest. With mu held.
func (l *Lobby) newcomer(a *Account, before Guest) *person {
	if a == nil {
		return newPerson(l.guest(before), l.now())
	}
	return newPerson(*a, l.now())
}

// hasPlayed reports whether a member has played a game, or may have.
func (l *Lobby) hasPlayed(ctx context.Context, a *Account) bool {
	games, err := l.stores.Games.Games(ctx, GamesQuery{Player: a.ID, Limit: 1})
	if err != nil {
		l.log.Warn("store: look for a member's games", "player", a.ID, "err", err)
	}
	return err != nil || len(games) > 0
}

// arrived has the tables where a person sits told, and the store. With mu held.
func (l *Lobby) arrived(p *person) {
	id := p.player.ID
	l.here(id, table.Here)
	if !id.Guest() {
		l.tellFriends(p)
		l.recallInvitations(id)
		who, at := p.player, l.now()
		l.jobs.run(func() { l.seen(who, at) })
	}
}

// stayedLong is after how long a stay it is noted, too, when a member leaves.
const stayedLong = 24 * time.Hour

// seen notes when a member was last here. It is a background job.
func (l *Lobby) seen(who table.Player, at time.Time) {
	if err := l.stores.Accounts.Seen(l.ctx, who.ID, at); err != nil {
		l.log.Warn("store: note that a member was here", "player", who.ID, "err", err)
	}
	l.answers.drop(who.Team) // which tells how long its captain has been away
}

// guest makes up somebody without a key: a name that nobody here has and a number that nobody ever had.
// Numbers are random, since a table that outlives the server still holds the numbers of its guests. Somebody
// who was here before stays who they were, unless another has their name now. With mu held.
func (l *Lobby) guest(before Guest) Account {
	rnd := l.rand()
	var a Account
	if before.ID.Guest() && strings.HasPrefix(before.Name, guestPrefix) && l.present[text.Skeleton(before.Name)] == nil {
		return Account{ID: before.ID, Name: before.Name}
	}
	for a.ID == 0 || l.people[a.ID] != nil || l.holders[a.ID] != nil {
		a.ID = -1 - table.PlayerID(rnd.Int64N(1<<53-1)) // within what JSON readers keep exactly
	}
	for try := 0; a.Name == "" || l.present[text.Skeleton(a.Name)] != nil || l.seatHeld(a.Name); try++ {
		a.Name = guestName(rnd, len(l.people), try)
	}
	return a
}

const guestPrefix = "guest-"

// guestName is "guest-maple", or with a number, from a range that grows with the people who are here, so that few names
// are tried before a free one is found. The word guest is reserved, so that no member has such a name.
func guestName(rnd *rand.Rand, here, try int) string {
	name := guestPrefix + guestWords[rnd.IntN(len(guestWords))]
	if most := here/8 + try/8; most > 0 {
		if n := rnd.IntN(most + 1); n > 0 {
			name += strconv.Itoa(n + 1)
		}
	}
	return name
}

// guestWords have at most five letters, so that with a number a name has at most sixteen.
var guestWords = []string{
	"alder", "apple", "ash", "aspen", "beech", "birch", "cedar", "elder", "elm", "fern", "fig", "hazel", "holly", "ivy",
	"larch", "lemon", "lilac", "lime", "maple", "moss", "oak", "olive", "palm", "peach", "pear", "pine", "plum",
	"reed", "rose", "rowan", "sage", "thorn", "thyme", "tulip", "vine", "yew",
}

// Ask lets somebody ask without coming in; a is nil for a guest. The visit it returns is over from the start:
// it answers questions, changes nothing and says nothing, is not shown among the people, and no table hears
// of it. It need not be closed. It refuses as [Lobby.Enter] does.
func (l *Lobby) Ask(a *Account, o Origin) (*Visit, error) {
	if err := l.admit(a, &o); err != nil {
		return nil, err
	}
	v := l.newVisit(o)
	v.over = true
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.closed {
		return nil, ErrDraining
	}
	v.person = l.newcomer(a, Guest{})
	v.person.net = l.netHash(&o)
	v.who, v.owner = o.who(v.person.account.Key, v.person.player.ID), v.newOwner(v.person.player.ID)
	return v, nil
}

// Look is a table as the gallery sees it at this moment, for its players, too. The view is shared; nobody may change
// it. It refuses with ErrTooFast, ErrNoTable, or table.ErrWatchers where nobody may look.
func (v *Visit) Look(id table.ID) (*table.View, error) {
	if err := v.may(&v.lobby.limits.looks, ErrTooFast); err != nil {
		return nil, err
	}
	t, err := v.lobby.find(id)
	if err != nil {
		return nil, err
	}
	me, net := v.sender()
	view, err := t.Look(me, net)
	return view, v.sentence("look at a table", err)
}

// admit reports whether somebody may come in: a *SanctionError or ErrNoGuests.
func (l *Lobby) admit(a *Account, o *Origin) error {
	if s := l.sanctions.Load().banned(o.network(), o.Key, l.now()); s != nil {
		return &SanctionError{Kind: SanctionBan, Why: s.Why, Until: s.Until}
	}
	if a == nil && l.cfg.Guests == GuestsOff {
		return ErrNoGuests
	}
	return nil
}
