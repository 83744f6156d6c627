package lobby

import (
	"cmp"
	"context"
	"errors"
	"net/netip"
	"slices"
	"time"

	"boneyard/lobby/event"
	"boneyard/lobby/limit"
	"boneyard/lobby/text"
	"boneyard/table"
)

// Visit is one session of one person: what a page may see, ask and do. Its methods may be called by any
// goroutine; those with a context may wait for a disk and are not for drawing. Errors are sentences for the
// person.
type Visit struct {
	desks
	lobby  *Lobby
	person *person
	origin Origin
	net    netip.Prefix
	who    limit.Who   // who limits count
	owner  limit.Owner // whose quotas things count against

	updates chan struct{} // capacity 1
	kicked  chan string   // capacity 1; at most one value is ever sent

	notedBefore int // the person's notes before this session began

	// Guarded by Lobby.mu.
	over    bool
	listens bool                // shows notes
	glance  *table.Subscription // set by Glance; nil for none
	glances int                 // number of calls of Glance
	showing []*Showing          // the last one counts; if empty, the club is on the screen
	shows   bool                // the club is on the screen
	at      table.ID            // the table on the screen, 0 for none

	called  table.ID // the table to which an event calls the person, or 0
	attempt table.ID // the daily deal's table for which the network has been recorded

	follows table.PlayerID // the player followed, or 0
}

// Player returns the person as tables know them, with their current team.
func (v *Visit) Player() table.Player {
	v.lobby.mu.Lock()
	defer v.lobby.mu.Unlock()
	return v.person.player
}

// sender returns the player and a hash of their network, as tables need them from a reader.
func (v *Visit) sender() (p table.Player, net string) {
	v.lobby.mu.Lock()
	defer v.lobby.mu.Unlock()
	return v.person.player, v.person.net
}

// Reader returns the person as a reader of tables, for whom lists show which seats they may take.
func (v *Visit) Reader() table.Reader {
	v.lobby.mu.Lock()
	defer v.lobby.mu.Unlock()
	return v.reader()
}

// reader is Reader, with mu held.
func (v *Visit) reader() table.Reader {
	return table.NewReader(v.person.player, v.person.net, !v.lobby.draining && v.maySit() == nil)
}

// MayPlay reports whether the person may play: everybody but guests in a club where guests only watch.
func (v *Visit) MayPlay() bool {
	v.lobby.mu.Lock()
	defer v.lobby.mu.Unlock()
	return v.mayPlay()
}

// mayPlay is MayPlay, with mu held.
func (v *Visit) mayPlay() bool {
	return !v.person.player.ID.Guest() || v.lobby.cfg.Guests == GuestsPlay
}

// Account returns a copy of the member's current account, or nil for a guest.
func (v *Visit) Account() *Account {
	a := v.account()
	if a.ID.Guest() {
		return nil
	}
	return &a
}

// account is Account for guests, too, whose accounts have only a name, a number and settings.
func (v *Visit) account() Account {
	v.lobby.mu.Lock()
	defer v.lobby.mu.Unlock()
	return v.person.account
}

// member returns the account of a member, or ErrMembersOnly or ErrOver.
func (v *Visit) member() (Account, error) {
	a, err := v.alive()
	if err == nil && a.ID.Guest() {
		err = ErrMembersOnly
	}
	return a, err
}

// memberAsks is member for a request, which counts as a command.
func (v *Visit) memberAsks() (Account, error) {
	a, err := v.member()
	if err == nil {
		err = v.allow()
	}
	return a, err
}

// alive returns the current account, or ErrOver.
func (v *Visit) alive() (Account, error) {
	v.lobby.mu.Lock()
	defer v.lobby.mu.Unlock()
	if v.over {
		return Account{}, ErrOver
	}
	return v.person.account, nil
}

// Operator reports whether the session may use operators' commands.
func (v *Visit) Operator() bool { return v.origin.Operator }

// Settings returns the person's settings.
func (v *Visit) Settings() Settings { return v.account().Settings }

// Newcomer reports whether the person has not played a game (a guest, in this visit) or declined the guide.
func (v *Visit) Newcomer() bool {
	v.lobby.mu.Lock()
	defer v.lobby.mu.Unlock()
	return !v.person.begun && !v.person.account.Settings.NoGuide && v.mayPlay()
}

// SaveSettings saves the person's settings: a member's for good, a guest's while they stay. It leaves the
// lists of ignored names and of friends alone; /ignore and Befriend change those.
func (v *Visit) SaveSettings(ctx context.Context, s Settings) error {
	return v.save(ctx, func(a *Account) {
		s.Ignored, s.IgnoredNets, s.Friends = a.Settings.Ignored, a.Settings.IgnoredNets, a.Settings.Friends
		a.Settings = s
	})
}

// SetBot marks the account as a program's, which is shown and makes its games casual, or as a person's. It
// returns ErrRatedSeat during a rated game, and a refusal during an event without programs.
func (v *Visit) SetBot(ctx context.Context, bot bool) error {
	a, err := v.member()
	if err != nil {
		return err
	}
	if err := v.unaided(ctx); err != nil || a.Bot == bot {
		return err
	}
	if err := v.save(ctx, func(a *Account) { a.Bot = bot }); err != nil {
		return err
	}
	l := v.lobby
	l.mu.Lock()
	l.introduce(a.ID) // the next games at their tables do not count
	l.mu.Unlock()
	return v.unaided(ctx) // the person may have sat down or entered during the save
}

// unaided returns a refusal if the person takes part in something that excludes programs.
func (v *Visit) unaided(ctx context.Context) error {
	l, id := v.lobby, v.person.id
	l.mu.Lock()
	rated := l.seatedWhere(id, func(s *table.Summary) bool { return s.Rated && (unfinished(s) || s.State == table.Countdown) })
	l.mu.Unlock()
	if rated {
		return ErrRatedSeat
	}
	in, err := l.events.Unaided(ctx, id)
	switch {
	case err != nil:
		return l.trouble("look for events without programs", err)
	case in != "":
		return text.Refusal("You take part in " + in + ", where programs may not play; wait until it is over.")
	}
	return nil
}

// savingOf returns the lock that is held while saving a member's settings.
func (l *Lobby) savingOf(id table.PlayerID) chan struct{} {
	return l.saving[uint64(id)%uint64(len(l.saving))]
}

// save changes settings on disk, then for all sessions of the person. It makes one change at a time, also if
// the person comes again in the meantime, so that no change is lost on disk.
func (v *Visit) save(ctx context.Context, change func(*Account)) error {
	if err := v.allow(); err != nil {
		return err
	}
	l := v.lobby
	ctx, release, err := event.Change(ctx, l.savingOf(v.person.id))
	if err != nil {
		return l.trouble("wait to save settings", err)
	}
	defer release()
	a, err := v.alive()
	if err != nil {
		return err
	}
	change(&a)
	if !a.ID.Guest() {
		if err := l.stores.Accounts.Save(ctx, a.ID, a.Settings, a.Bot); err != nil {
			return l.trouble("save settings", err)
		}
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	l.edits++
	p := cmp.Or(l.people[v.person.id], v.person) // the person may have left and come again
	now := p.account
	change(&now)
	p.become(now)
	l.changed(partPeople)
	return nil
}

// Updates is ready when there is a newer snapshot, if this visit shows the club, or a note for this person.
// Its capacity is one: a slow reader misses versions, but never the latest.
func (v *Visit) Updates() <-chan struct{} { return v.updates }

// Snapshot returns the club as it is now, at most one batch old.
func (v *Visit) Snapshot() *Snapshot { return v.lobby.snapshot() }

// Listen declares that this session shows its Notes, to which waiting messages are soon added. Other
// sessions, such as that of a command, leave the messages for the next one that listens.
func (v *Visit) Listen() {
	l := v.lobby
	l.mu.Lock()
	defer l.mu.Unlock()
	id, first := v.person.id, !v.person.listens()
	if v.listens = true; first {
		l.jobs.run(func() { l.greet(id) })
	}
}

// Notes returns what the club has said to this person alone since the session began, newest last. The slice
// is shared; nobody may change it.
func (v *Visit) Notes() []Note {
	v.lobby.mu.Lock()
	defer v.lobby.mu.Unlock()
	notes := v.person.notes
	return notes[max(0, len(notes)-(v.person.noted-v.notedBefore)):]
}

// Hears reports whether this person reads what a player says; see /ignore.
func (v *Visit) Hears(from table.Player) bool { return v.lobby.hears(v.person, from) }

// Kicked yields one text for the screen when the session was ended from outside: by an operator, or because
// another session of the person took over the seat. The visit is over then.
func (v *Visit) Kicked() <-chan string { return v.kicked }

// Close ends the visit. The person left (table.Left) or was disconnected (table.Disconnected), which tables
// where they sit learn after the last session. Close may be called again.
func (v *Visit) Close(how table.Presence) {
	l := v.lobby
	l.mu.Lock()
	defer l.mu.Unlock()
	v.end(how)
}

// kick ends the visit and shows why. With mu held.
func (v *Visit) kick(why string) {
	if v.over {
		return
	}
	v.kicked <- why // capacity 1, and this happens once
	v.end(table.Left)
}

// end removes the visit from the club, and the person with their last one. With mu held.
func (v *Visit) end(how table.Presence) {
	if v.over {
		return
	}
	l, p := v.lobby, v.person
	v.over, v.shows, v.at = true, false, 0
	delete(l.publisher.showing, v)
	v.follow(0)
	if v.glance != nil {
		go v.glance.Close() // as in Showing.Close
	}
	p.visits = slices.DeleteFunc(p.visits, func(other *Visit) bool { return other == v })
	if len(p.visits) == 0 {
		delete(l.people, p.player.ID)
		delete(l.present, text.Skeleton(p.player.Name))
		l.here(p.player.ID, how)
		if how == table.Disconnected || l.draining {
			l.keepUnseen(p)
		} else {
			delete(l.prompts, p.id)
		}
		if who, at := p.player, l.now(); !who.ID.Guest() && at.Sub(p.since) >= stayedLong {
			l.jobs.run(func() { l.seen(who, at) })
		}
	}
	l.changed(partPeople)
	l.showingChanged()
}

// wake signals that there is something new; it never blocks.
func (v *Visit) wake() { table.Signal(v.updates) }

// sentence returns a table's error, which is for players, or a sentence in place of a context's error.
func (v *Visit) sentence(doing string, err error) error {
	if errors.Is(err, context.Canceled) || errors.Is(err, context.DeadlineExceeded) {
		return v.lobby.trouble(doing, err)
	}
	return err
}

// Active records that the person has just done something. It is cheap enough for each key pressed.
func (v *Visit) Active() { v.person.active.Store(v.lobby.now().UnixNano()) }

// attentive is how recently people must have done something to count as waiting for a game.
const attentive = 30 * time.Second
