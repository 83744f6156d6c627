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

// Visit is one session of one person: what a page may see, ask and do. Its methods may be called by any goroutine;
// those that take a context may wait for a disk and are not for drawing. Errors read as sentences for the person.
type Visit struct {
	desks
	lobby  *Lobby
	person *person
	origin Origin
	net    netip.Prefix
	who    limit.Who   // whom limits count
	owner  limit.Owner // whom what they make counts for

	updates chan struct{} // capacity 1
	kicked  chan string   // capacity 1, sent to once at most

	notedBefore int // notes of the person's before this session began

	// Guarded by Lobby.mu.
	over    bool
	listens bool                // shows notes
	glance  *table.Subscription // see Glance; nil for none
	glances int                 // counts them
	showing []*Showing          // the last counts; where there is none, the club is on the screen
	shows   bool                // the club is on the screen
	at      table.ID            // the table on the screen, 0 for none

	called  table.ID // to which an arena calls the person, 0 for none
	attempt table.ID // where they play a daily deal that knows from where

	follows table.PlayerID // who is followed, 0 for nobody
}

// Player is the person as tables know them, with the team they are in now.
func (v *Visit) Player() table.Player {
	v.lobby.mu.Lock()
	defer v.lobby.mu.Unlock()
	return v.person.player
}

// sender is the player with the network that they come from, as tables ask who looks at them.
func (v *Visit) sender() (p table.Player, net string) {
	v.lobby.mu.Lock()
	defer v.lobby.mu.Unlock()
	return v.person.player, v.person.net
}

// Reader is the person as lists of tables and those who watch ask which seats to offer.
func (v *Visit) Reader() table.Reader {
	v.lobby.mu.Lock()
	defer v.lobby.mu.Unlock()
	return v.reader()
}

// reader is Reader, with mu held.
func (v *Visit) reader() table.Reader {
	return table.NewReader(v.person.player, v.person.net, !v.lobby.draining && v.maySit() == nil)
}

// MayPlay reports whether the person may play here at all: not a guest where guests only watch.
func (v *Visit) MayPlay() bool {
	v.lobby.mu.Lock()
	defer v.lobby.mu.Unlock()
	return v.mayPlay()
}

// mayPlay is MayPlay, with mu held.
func (v *Visit) mayPlay() bool {
	return !v.person.player.ID.Guest() || v.lobby.cfg.Guests == GuestsPlay
}

// Account is the member's account as it is now, a copy; nil for a guest.
func (v *Visit) Account() *Account {
	a := v.account()
	if a.ID.Guest() {
		return nil
	}
	return &a
}

// account is the same for guests, too, of whom it holds name, number and settings.
func (v *Visit) account() Account {
	v.lobby.mu.Lock()
	defer v.lobby.mu.Unlock()
	return v.person.account
}

// member is the account of a member, or ErrMembersOnly; it refuses a visit that is over.
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

// alive is the account as it is now, or ErrOver.
func (v *Visit) alive() (Account, error) {
	v.lobby.mu.Lock()
	defer v.lobby.mu.Unlock()
	if v.over {
		return Account{}, ErrOver
	}
	return v.person.account, nil
}

// Operator reports whether the session may use the operators' commands.
func (v *Visit) Operator() bool { return v.origin.Operator }

// Settings is what the person has chosen.
func (v *Visit) Settings() Settings { return v.account().Settings }

// Newcomer reports whether the person has played no game yet, a guest none in this visit, and has not declined to be shown how.
func (v *Visit) Newcomer() bool {
	v.lobby.mu.Lock()
	defer v.lobby.mu.Unlock()
	return !v.person.begun && !v.person.account.Settings.NoGuide && v.mayPlay()
}

// SaveSettings keeps what the person has chosen: for members for good, for guests as long as they stay. The lists of
// ignored names and of friends are not changed by it; /ignore and Befriend do that.
func (v *Visit) SaveSettings(ctx context.Context, s Settings) error {
	return v.save(ctx, func(a *Account) {
		s.Ignored, s.IgnoredNets, s.Friends = a.Settings.Ignored, a.Settings.IgnoredNets, a.Settings.Friends
		a.Settings = s
	})
}

// SetBot says whether the account is a program's; it is shown with the name, and its games are casual. While the person
// plays a rated game, it refuses with ErrRatedSeat, and also while they take part in an event without programs.
func (v *Visit) SetBot(ctx context.Context, bot bool) error {
	a, err := v.member()
	if err != nil {
		return err
	}
	if err := v.unaided(); err != nil || a.Bot == bot {
		return err
	}
	if err := v.save(ctx, func(a *Account) { a.Bot = bot }); err != nil {
		return err
	}
	l := v.lobby
	l.mu.Lock()
	l.introduce(a.ID) // the next games at their tables do not count
	l.mu.Unlock()
	return v.unaided() // who sat down or entered while that was saved did so as a person
}

// unaided refuses where the person takes part in something in which no program may.
func (v *Visit) unaided() error {
	l, id := v.lobby, v.person.id
	l.mu.Lock()
	rated := l.seatedWhere(id, func(s *table.Summary) bool { return s.Rated && (playing(s) || s.State == table.Countdown) })
	l.mu.Unlock()
	if rated {
		return ErrRatedSeat
	}
	if in := l.events.Unaided(id); in != "" {
		return text.Refusal("You take part in " + in + ", where no program may; wait until it is over.")
	}
	return nil
}

// save changes settings on disk, then for all sessions of the person; one change after the other, so that the
// last one stays, on disk as well.
func (v *Visit) save(ctx context.Context, change func(*Account)) error {
	if err := v.allow(); err != nil {
		return err
	}
	release, err := event.Turn(ctx, v.person.saving)
	if err != nil {
		return v.lobby.trouble("wait to save settings", err)
	}
	defer release()
	a, err := v.alive()
	if err != nil {
		return err
	}
	change(&a)
	if !a.ID.Guest() {
		if err := v.lobby.stores.Accounts.Save(ctx, a.ID, a.Settings, a.Bot); err != nil {
			return v.lobby.trouble("save settings", err)
		}
	}
	v.lobby.mu.Lock()
	defer v.lobby.mu.Unlock()
	v.lobby.edits++
	p := cmp.Or(v.lobby.people[v.person.id], v.person) // who may have left, and come again
	now := p.account
	change(&now)
	p.become(now)
	v.lobby.changed(partPeople)
	return nil
}

// Updates is ready when there is a newer snapshot, if this visit shows the club, or a note for this person.
// Its capacity is one: who falls behind misses versions, never the latest.
func (v *Visit) Updates() <-chan struct{} { return v.updates }

// Snapshot is the club as it is now, at most one batch old.
func (v *Visit) Snapshot() *Snapshot { return v.lobby.snapshot() }

// Listen says that this session shows its Notes: the messages that wait for the person are among them soon. Others, such
// as that of a command, leave the messages for the next that listens.
func (v *Visit) Listen() {
	l := v.lobby
	l.mu.Lock()
	defer l.mu.Unlock()
	id, first := v.person.id, !v.listens
	if v.listens = true; first && !id.Guest() {
		l.jobs.run(func() { l.deliver(id) })
	}
}

// Notes are what the club has said to this person only since this session began, the newest last. The slice
// is shared; nobody may change it.
func (v *Visit) Notes() []Note {
	v.lobby.mu.Lock()
	defer v.lobby.mu.Unlock()
	notes := v.person.notes
	return notes[max(0, len(notes)-(v.person.noted-v.notedBefore)):]
}

// Hears reports whether this person wants to read what somebody says; see /ignore.
func (v *Visit) Hears(from table.Player) bool { return v.lobby.hears(v.person, from) }

// Kicked yields one text for the screen when the session was ended from outside: by an operator, or because
// the person's seat was taken over by another session. The visit can do nothing any more.
func (v *Visit) Kicked() <-chan string { return v.kicked }

// Close ends the visit. how says whether the person has left (table.Left) or disconnected (table.Disconnected); tables
// where they sit hear of it if it was their last session. It may be called again.
func (v *Visit) Close(how table.Presence) {
	l := v.lobby
	l.mu.Lock()
	defer l.mu.Unlock()
	v.end(how)
}

// kick ends the visit and tells its screen why. With mu held.
func (v *Visit) kick(why string) {
	if v.over {
		return
	}
	v.kicked <- why // capacity 1, and this happens once
	v.end(table.Left)
}

// end takes the visit out of the club, and the person with their last one. With mu held.
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

// wake tells the session that there is something new; it never blocks.
func (v *Visit) wake() { table.Signal(v.updates) }

// sentence passes on what a table says, which is for the player to read, and hides the end of a context behind a
// sentence of our own.
func (v *Visit) sentence(doing string, err error) error {
	if errors.Is(err, context.Canceled) || errors.Is(err, context.DeadlineExceeded) {
		return v.lobby.trouble(doing, err)
	}
	return err
}

// Active notes that the person has just done something, such as pressing a key. It is cheap, and may be
// called with each key.
func (v *Visit) Active() { v.person.active.Store(v.lobby.now().UnixNano()) }

// attentive is how long ago somebody may have done something last who counts as waiting for a game, not as asleep.
const attentive = 30 * time.Second
