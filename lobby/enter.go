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
	Net      string // the caller's address or network as text; an IPv6 address stands for its /64
	Key      KeyID  // zero for a guest
	Exempt   bool   // limits by address and network do not apply
	Shared   bool   // many callers share this address, so that it identifies nobody; see [limit.Who]
	Operator bool   // the key is one of the operators'
	Terminal string // the terminal's name, cleaned
	Guest    Guest  // for a session moved from another node, its guest; else zero
}

// Guest identifies a person without a key while they stay.
type Guest struct {
	ID   table.PlayerID
	Name string
}

// network returns the IPv4 address or IPv6 /64 that counts as one address. It is invalid if Net has none.
func (o *Origin) network() netip.Prefix { return limit.Household(o.addr()) }

// netHash returns what tables learn of where a person comes from, as [table.Request.Net]: equal addresses
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

// placeOf is netHash if that means about one household, or "" for a network that many share.
func (l *Lobby) placeOf(o *Origin) string {
	if o.Shared || o.Exempt {
		return ""
	}
	return l.netHash(o)
}

func (l *Lobby) saltedHash(net string) string { return hex.EncodeToString(l.salted(net)) }

// salted returns an 8-byte hash from which the text cannot be guessed.
func (l *Lobby) salted(s string) []byte {
	mac := hmac.New(sha256.New, l.cfg.Salt)
	mac.Write([]byte(s))
	return mac.Sum(nil)[:8]
}

// Account returns the member with a key, or ErrNotFound.
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

// lockFor locks mu and returns the current state of an account; nil stays nil, for a guest. An account is
// current if its person is here, or if no account has changed since it was read.
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

// ProposeName returns a name to offer to a newcomer whose ssh user name is user. It may soon be taken.
func (l *Lobby) ProposeName(ctx context.Context, user string) string {
	taken := func(name string) bool { return l.mayBeNamed(ctx, name) != nil }
	return text.Propose(user, taken, l.rand())
}

// CheckName returns nil if a new member may have a name, or else a sentence that says why not.
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

// Register makes the holder of the origin's key a member. It returns CheckName's refusals, ErrHasAccount,
// ErrManyAccounts, or to the banned, a *SanctionError.
func (l *Lobby) Register(ctx context.Context, o Origin, name string) (*Account, error) {
	key := o.Key
	if key == (KeyID{}) {
		return nil, ErrMembersOnly
	}
	if banned, ok := errors.AsType[*SanctionError](l.admit(nil, &o)); ok {
		return nil, banned
	}
	// One at a time: of two names that look alike, the second must find the first.
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

// Enter lets a person in; a is nil for a guest. The visit must be closed. A person may have several at once,
// such as one that hangs and its replacement. Enter returns a *SanctionError, ErrNoGuests or ErrDraining.
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
	if err := l.admit(a, &o); err != nil { // banned in the meantime
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
	if note := l.asideNote(); note != "" && o.Operator {
		l.note(p, "%s", note)
	}
	l.publisher.showing[v] = struct{}{}
	v.shows = true
	l.changed(partPeople)
	l.showingChanged()
	return v, nil
}

// greet delivers the messages that waited for a person who has just entered, and then, since a screen shows
// only the latest note, tells them what their events expect of them. It is a background job.
func (l *Lobby) greet(id table.PlayerID) {
	if !id.Guest() {
		l.deliver(id)
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	p := l.people[id]
	if p == nil {
		return
	}
	for _, note := range l.events.Reminders(p.account.Team) {
		l.note(p, "%s", note)
	}
	for _, say := range l.events.AppointmentNotes(p.player) {
		l.remind(p, say)
	}
	for _, seat := range (*l.sealed.Load())[p.id] {
		l.note(p, "%s", seat.Rule())
	}
}

// newVisit returns a visit that belongs to nobody yet.
func (l *Lobby) newVisit(o Origin) *Visit {
	v := &Visit{lobby: l, origin: o, net: o.network(), updates: make(chan struct{}, 1), kicked: make(chan string, 1)}
	v.desks = newDesks(v)
	return v
}

// newcomer returns a new person for an account, or for a guest if a is nil. With mu held.
func (l *Lobby) newcomer(a *Account, before Guest) *person {
	if a == nil {
		return newPerson(l.guest(before), l.now())
	}
	return newPerson(*a, l.now())
}

// hasPlayed reports whether a member has, or may have, played a game.
func (l *Lobby) hasPlayed(ctx context.Context, a *Account) bool {
	games, err := l.stores.Games.Games(ctx, GamesQuery{Player: a.ID, Limit: 1})
	return l.trouble("look for a member's games", err) != nil || len(games) > 0
}

// arrived notifies the tables where a person sits, their friends, and the store. With mu held.
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

// stayedLong is how long a member must have stayed for the time of leaving to be stored, too.
const stayedLong = 24 * time.Hour

// seen stores when a member was last here. It is a background job.
func (l *Lobby) seen(who table.Player, at time.Time) {
	if err := l.stores.Accounts.Seen(l.ctx, who.ID, at); err != nil {
		l.log.Warn("store: note that a member was here", "player", who.ID, "err", err)
	}
	l.answers.drop(who.Team) // it says how long its captain has been away
}

// guest makes an account for a guest: a name that nobody here has, and a number that nobody ever had. Numbers
// are random, since a table that outlives the server still holds the numbers of its guests. A guest who was
// here before keeps both, unless somebody else has the name now. With mu held.
func (l *Lobby) guest(before Guest) Account {
	rnd := l.rand()
	var a Account
	if before.ID.Guest() && strings.HasPrefix(before.Name, guestPrefix) && l.present[text.Skeleton(before.Name)] == nil {
		return Account{ID: before.ID, Name: before.Name}
	}
	for a.ID == 0 || l.people[a.ID] != nil || l.holders[a.ID] != nil {
		a.ID = -1 - table.PlayerID(rnd.Int64N(1<<53-1)) // JSON readers keep such numbers exactly
	}
	for try := 0; a.Name == "" || l.present[text.Skeleton(a.Name)] != nil || l.seatHeld(a.Name); try++ {
		a.Name = guestName(rnd, len(l.people), try)
	}
	return a
}

const guestPrefix = "guest-"

// guestName returns "guest-maple", or with a number from a range that grows with the number of people here,
// so that a free name is found in a few tries. No member has such a name, since the word guest is reserved.
func guestName(rnd *rand.Rand, here, try int) string {
	name := guestPrefix + guestWords[rnd.IntN(len(guestWords))]
	if most := here/8 + try/8; most > 0 {
		if n := rnd.IntN(most + 1); n > 0 {
			name += strconv.Itoa(n + 1)
		}
	}
	return name
}

// guestWords have at most five letters, so that a name with a number has at most sixteen characters.
var guestWords = []string{
	"alder", "apple", "ash", "aspen", "beech", "birch", "cedar", "elder", "elm", "fern", "fig", "hazel", "holly", "ivy",
	"larch", "lemon", "lilac", "lime", "maple", "moss", "oak", "olive", "palm", "peach", "pear", "pine", "plum",
	"reed", "rose", "rowan", "sage", "thorn", "thyme", "tulip", "vine", "yew",
}

// Ask lets a person ask without entering; a is nil for a guest. The visit is over from the start: it answers
// questions, changes nothing, is not listed among the people, and no table knows of it. It need not be
// closed. It returns the refusals of [Lobby.Enter].
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

// GalleryView returns a table as the gallery sees it now, even to its players. The view is shared; nobody may
// change it. GalleryView returns ErrTooFast, ErrNoTable, or table.ErrWatchers for a table that may not be
// watched.
func (v *Visit) GalleryView(id table.ID) (*table.View, error) {
	if err := v.may(&v.lobby.limits.looks, ErrTooFast); err != nil {
		return nil, err
	}
	t, err := v.lobby.find(id)
	if err != nil {
		return nil, err
	}
	me, net := v.sender()
	view, err := t.GalleryView(me, net)
	return view, v.sentence("look at a table", err)
}

// admit returns a *SanctionError or ErrNoGuests if a person may not enter.
func (l *Lobby) admit(a *Account, o *Origin) error {
	if s := l.sanctions.Load().banned(o.network(), o.Key, l.earlierTime()); s != nil {
		return &SanctionError{Kind: SanctionBan, Why: s.Why, Until: s.Until}
	}
	if a == nil && l.cfg.Guests == GuestsOff {
		return ErrNoGuests
	}
	return nil
}
