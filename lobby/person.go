package lobby

import (
	"fmt"
	"slices"
	"strings"
	"sync/atomic"
	"time"

	"boneyard/lobby/limit"
	"boneyard/lobby/text"
	"boneyard/table"
)

// person is somebody who is here, with all their sessions. All fields are guarded by Lobby.mu but those that
// say so.
type person struct {
	id      table.PlayerID // does not change, and needs no lock
	account Account        // of a guest: name, number and settings only
	player  table.Player
	net     string // of the latest session: equal networks have equal hashes, see netHash
	place   string // that of the address alone, empty where others come from there, too, who are not known
	since   time.Time
	visits  []*Visit // in order of arrival; never empty while the person is in Lobby.people
	notes   []Note   // replaced, never changed in place
	noted   int      // notes there have been, also those that are not kept any more
	invited []Invitation
	replyTo string              // the name of whoever told them something last
	unseen  []toldLine          // what they were told last, since they did something; see keepUnseen
	friends map[string]struct{} // skeletons of names

	begun  bool       // has played a game, as far as is known
	played []GameInfo // a guest's games of this visit, the newest first; replaced, never changed in place

	saving chan struct{} // the turn to save settings
	active atomic.Int64  // when they last did something, in nanoseconds since 1970. Written without the lock, with each key

	ignored atomic.Pointer[ignoring] // nil: nobody is. Read without the lock, for each line drawn
}

func newPerson(a Account, now time.Time) *person {
	p := &person{id: a.ID, account: a, since: now, saving: make(chan struct{}, 1)}
	p.become(a)
	return p
}

// become adopts the account as it is now. With mu held, or before the person is published.
func (p *person) become(a Account) {
	p.account = a
	p.player = table.Player{ID: a.ID, Name: a.Name, Bot: a.Bot, Team: a.Team, Tag: a.Tag, For: a.TeamName}
	p.ignored.Store(newIgnoring(&a.Settings))
	p.friends = skeletons(a.Settings.Friends)
}

// listens reports whether a session of the person shows notes. With mu held.
func (p *person) listens() bool {
	return slices.ContainsFunc(p.visits, func(v *Visit) bool { return v.listens })
}

// wake tells all sessions that there is something new. With mu held; it cannot block.
func (p *person) wake() {
	for _, v := range p.visits {
		v.wake()
	}
}

// operator reports whether one of the sessions is an operator's. With mu held.
func (p *person) operator() bool {
	return slices.ContainsFunc(p.visits, func(v *Visit) bool { return v.origin.Operator })
}

// Note is something the club says to one person only, such as an invitation.
type Note struct {
	Seq   int // counts up for each person
	At    time.Time
	Text  string // one line
	Rings bool   // somebody who does something else should hear of it
}

// keptNotes is how many notes somebody can read again: the messages that waited for them, and what comes meanwhile.
const keptNotes = 3 * tellsKept

// note says something to a person who is here. With mu held.
func (l *Lobby) note(p *person, format string, args ...any) {
	l.addNote(p, Note{Text: fmt.Sprintf(format, args...)})
}

// addNote is note for one that is ready but for its time. With mu held.
func (l *Lobby) addNote(p *person, n Note) {
	p.noted++
	n.Seq, n.At, n.Text = p.noted, l.now(), text.Printable(n.Text)
	notes := append(slices.Clip(p.notes), n)
	p.notes = notes[max(0, len(notes)-keptNotes):]
	p.wake()
}

// describe says who somebody is and what they do, for a snapshot. With mu held.
func (l *Lobby) describe(p *person) Person {
	d := Person{
		Player: p.player, Guest: p.player.ID.Guest(), Doing: "in the lobby", Since: p.since,
		Sessions: len(p.visits), Operator: p.operator(), Shield: l.book.Shields().Players[p.player.ID],
		folded: strings.ToLower(p.player.Name),
	}
	d.active = &p.active
	for _, v := range slices.Backward(p.visits) {
		e := l.directory[v.at]
		if e == nil { // at none, or at one that has closed
			continue
		}
		sits := l.sits(p.player.ID, v.at)
		if d.Table != 0 && !sits { // a seat says more than what another session watches
			continue
		}
		if e.sum.Config.Event.Private {
			d.Table, d.Doing = 0, "at "+e.sum.Config.Name
			break
		}
		d.Table = v.at
		switch {
		case !sits:
			d.Doing = fmt.Sprintf("watches %d", v.at)
			continue
		case !playing(&e.sum):
			d.Doing = fmt.Sprintf("sits at %d", v.at)
		default:
			d.Doing = fmt.Sprintf("plays at %d", v.at)
		}
		break
	}
	if h := l.holders[p.player.ID]; d.Table == 0 && h != nil {
		for at := range h.at { // who looks elsewhere for a moment plays all the same
			if e := l.directory[at]; e != nil && live(&e.sum) && !e.sum.Config.Event.Private && (d.Table == 0 || at < d.Table) {
				d.Table, d.Doing = at, fmt.Sprintf("plays at %d", at)
			}
		}
	}
	return d
}

// holder is somebody who sits at tables, here or not. All fields are guarded by Lobby.mu.
type holder struct {
	at      map[table.ID]table.Presence // what each table was told last; empty: nothing
	seats   map[table.ID]*limit.Place
	want    table.Presence // what is so; empty: not known since the start
	telling bool           // a goroutine is telling them
}

// sits reports whether somebody has a seat at a table. With mu held.
func (l *Lobby) sits(id table.PlayerID, at table.ID) bool {
	h := l.holders[id]
	if h == nil {
		return false
	}
	_, ok := h.at[at]
	return ok
}

// here has all tables at which somebody sits told how they are there. With mu held.
func (l *Lobby) here(id table.PlayerID, how table.Presence) {
	if h := l.holders[id]; h != nil {
		h.want = how
		l.tell(id, h)
	}
}

// tell starts telling tables about somebody, unless that is under way. Telling one person's tables one after another
// keeps "left" and "here" in their order, without a lock held while a table is called. With mu held.
func (l *Lobby) tell(id table.PlayerID, h *holder) {
	if h.telling || h.want == "" || l.closed {
		return
	}
	h.telling = true
	l.tellers.Go(func() {
		for {
			t, how, who, net := l.nextToTell(id, h)
			if t == nil {
				return
			}
			if how == table.Here && who.ID != 0 {
				t.Introduce(who, net)
			}
			t.Presence(id, how)
		}
	})
}

// nextToTell is a table that does not know what is so, and who this is; nil ends the telling.
func (l *Lobby) nextToTell(id table.PlayerID, h *holder) (t *table.Table, how table.Presence, who table.Player, net string) {
	l.mu.Lock()
	defer l.mu.Unlock()
	for at, told := range h.at {
		if e := l.directory[at]; e != nil && e.table != nil {
			how := l.howAt(id, h, &e.sum)
			if told == how {
				continue
			}
			h.at[at] = how
			if p := l.people[id]; p != nil {
				who, net = p.player, p.net
			}
			return e.table, how, who, net
		}
	}
	h.telling = false
	return nil, "", who, ""
}

// howAt is how somebody is there for a table. One whose game waits for its players has them when nothing else
// takes their time. With mu held.
func (l *Lobby) howAt(id table.PlayerID, h *holder, s *table.Summary) table.Presence {
	if h.want == table.Here && s.Config.Event.Wait && s.State == table.Gathering && l.engaged(id, s.Table) {
		return table.Disconnected
	}
	return h.want
}

// engages reports whether a game takes the time of those who play it.
func engages(s *table.Summary) bool {
	if s.Config.Pace.Turn() == 0 || s.Config.Pace == table.PaceSlow || s.State == table.Adjourned {
		return false
	}
	return playing(s) || s.State == table.Countdown
}

// engaged reports whether a game takes somebody's time, at a table other than one, or one that was opened
// before it will, at once. With mu held.
func (l *Lobby) engaged(id table.PlayerID, but table.ID) bool {
	return l.seatedWhere(id, func(s *table.Summary) bool {
		return s.Table != but && (engages(s) || s.Table < but && s.Config.Event.Wait && s.State == table.Gathering)
	})
}

// retell tells the tables where somebody sits how they are there, if that may have changed with what another
// table does. With mu held.
func (l *Lobby) retell(id table.PlayerID) {
	if h := l.holders[id]; h != nil && len(h.at) > 1 {
		l.tell(id, h)
	}
}

// introduce tells all tables where somebody sits how they are there, and who they are now. With mu held.
func (l *Lobby) introduce(id table.PlayerID) {
	if h := l.holders[id]; h != nil {
		for at := range h.at {
			h.at[at] = ""
		}
		l.tell(id, h)
	}
}

// sat notes that somebody has taken a seat. With mu held.
func (l *Lobby) sat(id table.PlayerID, at table.ID) {
	h := l.holders[id]
	if h == nil {
		h = &holder{at: map[table.ID]table.Presence{}, seats: map[table.ID]*limit.Place{}}
		l.holders[id] = h
		switch p := l.people[id]; {
		case p != nil:
			h.want = table.Here
		case l.started: // they went between their command and its effect
			h.want = table.Disconnected
		}
	}
	h.at[at] = ""
	if h.seats[at] = l.redeem(seatOf{id, at}); h.seats[at] == nil {
		h.seats[at] = l.bounds.Hold(l.bounds.seats.Quota, ownerOf(id, ""))
	}
	l.tell(id, h)
	l.moved(id)
}

// stood notes that somebody has no seat any more. With mu held.
func (l *Lobby) stood(id table.PlayerID, at table.ID) {
	h := l.holders[id]
	if h == nil {
		return
	}
	h.seats[at].Free()
	delete(h.seats, at)
	delete(h.at, at)
	if len(h.at) == 0 {
		delete(l.holders, id)
		return
	}
	l.tell(id, h) // the others may have waited for them
}

// seatHeld reports whether a seat is held under a guest's name, by the guest or, once they have gone, by a bot. With mu held.
func (l *Lobby) seatHeld(name string) bool {
	for _, e := range l.directory {
		if slices.ContainsFunc(e.sum.Seats, func(s table.SeatView) bool { return s.Player.Name == name || s.Next.Name == name }) {
			return true
		}
	}
	return false
}
