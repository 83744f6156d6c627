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

// person is a person who is here, with all their sessions. Lobby.mu guards all fields, except where stated.
type person struct {
	id      table.PlayerID // does not change, and needs no lock
	account Account        // a guest's has only name, number and settings
	player  table.Player
	net     string // hash of the latest session's network, see netHash
	place   string // hash of its address alone; empty if unknown people share the address
	since   time.Time
	visits  []*Visit // in order of arrival; never empty while the person is in Lobby.people
	notes   []Note   // replaced, never changed in place
	noted   int      // number of notes so far, including dropped ones
	invited []Invitation
	replyTo string              // the sender of the latest message
	unseen  []toldLine          // latest lines told to them; see keepUnseen
	friends map[string]struct{} // skeletons of names

	begun  bool       // has, or may have, played a game
	played []GameInfo // a guest's games of this visit, newest first; replaced, never changed in place

	active atomic.Int64 // when they last did something, in Unix nanoseconds; written without the lock, at each key

	ignored atomic.Pointer[ignoring] // nil for nobody; read without the lock, for each line drawn
}

func newPerson(a Account, now time.Time) *person {
	p := &person{id: a.ID, account: a, since: now}
	p.become(a)
	return p
}

// become adopts the current state of the account. With mu held, or before the person is published.
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

// wake signals all sessions that there is something new. With mu held; it cannot block.
func (p *person) wake() {
	for _, v := range p.visits {
		v.wake()
	}
}

// operator reports whether one of the sessions is an operator's. With mu held.
func (p *person) operator() bool {
	return slices.ContainsFunc(p.visits, func(v *Visit) bool { return v.origin.Operator })
}

// Note is something that the club tells one person alone, such as an invitation.
type Note struct {
	Seq   int // counts up for each person
	At    time.Time
	Text  string   // one line
	Table table.ID // to which an event calls the person; 0 for none
	Rings bool     // worth interrupting other activities
}

// note tells something to a person who is here. With mu held.
func (l *Lobby) note(p *person, format string, args ...any) {
	l.addNote(p, Note{Text: fmt.Sprintf(format, args...)})
}

// addNote adds a note and sets its number and time. With mu held.
func (l *Lobby) addNote(p *person, n Note) {
	const keptNotes = 3 * tellsKept // how many notes a person can read again: the waiting messages, and what comes in the meantime
	p.noted++
	n.Seq, n.At, n.Text = p.noted, l.now(), text.Printable(n.Text)
	notes := append(slices.Clip(p.notes), n)
	p.notes = notes[max(0, len(notes)-keptNotes):]
	p.wake()
}

// describe returns a snapshot's entry for a person: who they are and what they do. With mu held.
func (l *Lobby) describe(p *person) Person {
	d := Person{
		Player: p.player, Guest: p.player.ID.Guest(), Doing: "in the lobby", Since: p.since,
		Sessions: len(p.visits), Operator: p.operator(), Shield: l.book.Shields().Players[p.player.ID],
		folded: strings.ToLower(p.player.Name),
	}
	d.active = &p.active
	for _, v := range slices.Backward(p.visits) {
		e := l.directory[v.at]
		if e == nil { // it looks at no table, or at one that has closed
			continue
		}
		// Until the next round a bot plays where the person will sit then.
		sits := e.sum.SeatOf(p.player.ID) != 0
		if d.Table != 0 && !sits { // a seat matters more than a table watched in another session
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
		case !unfinished(&e.sum):
			d.Doing = fmt.Sprintf("sits at %d", v.at)
		default:
			d.Doing = fmt.Sprintf("plays at %d", v.at)
		}
		break
	}
	if h := l.holders[p.player.ID]; d.Table == 0 && h != nil {
		for at := range h.at { // a player who looks elsewhere for a moment is still playing
			if e := l.directory[at]; e != nil && live(&e.sum) && !e.sum.Config.Event.Private && e.sum.SeatOf(p.player.ID) != 0 &&
				(d.Table == 0 || at < d.Table) {
				d.Table, d.Doing = at, fmt.Sprintf("plays at %d", at)
			}
		}
	}
	return d
}

// holder is a player, here or not, who sits at tables. Lobby.mu guards all fields.
type holder struct {
	at      map[table.ID]table.Presence // the presence last reported to each table; empty for none
	seats   map[table.ID]*limit.Place
	want    table.Presence // the actual presence; empty if unknown since the start
	telling bool           // a goroutine is notifying tables
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

// here reports a player's presence to all tables at which they sit. With mu held.
func (l *Lobby) here(id table.PlayerID, how table.Presence) {
	if h := l.holders[id]; h != nil {
		h.want = how
		l.tell(id, h)
	}
}

// tell starts notifying a player's tables, unless that is under way. One table after another is notified, so
// that "left" and "here" stay in order without a lock held during calls. With mu held.
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

// nextToTell returns a table with an outdated presence of the player, and the player; nil ends the goroutine.
func (l *Lobby) nextToTell(id table.PlayerID, h *holder) (t *table.Table, how table.Presence, who table.Player, net string) {
	l.mu.Lock()
	defer l.mu.Unlock()
	for at, told := range h.at {
		if e := l.directory[at]; e != nil && e.table != nil {
			how := h.want
			if how == table.Here && waitsForPlayers(&e.sum) && l.occupied(id, at) { // it sees them only when no other game occupies them
				how = table.Disconnected
			}
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

// waitsForPlayers reports whether a table's game begins only when all its players are there.
func waitsForPlayers(s *table.Summary) bool { return s.Config.Event.Wait && s.State == table.Gathering }

// occupies reports whether a game occupies its players.
func occupies(s *table.Summary) bool {
	if s.Config.Pace.Turn() == 0 || s.Config.Pace == table.PaceSlow || s.State == table.Adjourned {
		return false
	}
	return unfinished(s) || s.State == table.Countdown
}

// occupied reports whether a game occupies a player at a table other than but, or an earlier table will do so
// at once. With mu held.
func (l *Lobby) occupied(id table.PlayerID, but table.ID) bool {
	return l.seatedWhere(id, func(s *table.Summary) bool {
		return s.Table != but && (occupies(s) || s.Table < but && waitsForPlayers(s))
	})
}

// introduce notifies all tables of a player of their presence and current data. With mu held.
func (l *Lobby) introduce(id table.PlayerID) {
	if h := l.holders[id]; h != nil {
		for at := range h.at {
			h.at[at] = ""
		}
		l.tell(id, h)
	}
}

// sat records that a player has taken a seat. With mu held.
func (l *Lobby) sat(id table.PlayerID, at table.ID) {
	h := l.holders[id]
	if h == nil {
		h = &holder{at: map[table.ID]table.Presence{}, seats: map[table.ID]*limit.Place{}}
		l.holders[id] = h
		switch p := l.people[id]; {
		case p != nil:
			h.want = table.Here
		case l.started: // they left between their command and its effect
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

// stood records that a player no longer has a seat. With mu held.
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
	l.tell(id, h) // the player's other tables may have waited for them
}

// seatHeld reports whether a seat is held under a guest's name, by the guest or by their bot. With mu held.
func (l *Lobby) seatHeld(name string) bool {
	for _, e := range l.directory {
		if slices.ContainsFunc(e.sum.Seats, func(s table.SeatView) bool { return s.Player.Name == name || s.Next.Name == name }) {
			return true
		}
	}
	return false
}
