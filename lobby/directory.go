package lobby

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"
	"unicode"

	"boneyard/lobby/text"
	"boneyard/table"
)

// entry is a table in the directory. It is guarded by Lobby.mu.
type entry struct {
	table *table.Table  // nil while it is being made
	sum   table.Summary // the newest from the table
	places
}

// onChange takes a table's new state. The table calls it on its own goroutine, so it must not call the table.
func (l *Lobby) onChange(sum *table.Summary) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.update(*sum)
}

// update takes a table's new state, unless a newer one is known. With mu held.
func (l *Lobby) update(sum table.Summary) *entry {
	e := l.directory[sum.Table]
	if e == nil {
		if sum.State == table.Closed {
			return nil
		}
		e = &entry{}
		l.directory[sum.Table] = e
	}
	if sum.Version < e.sum.Version {
		return e
	}
	before, wasBusy := e.sum.Seats, makesBusy(&e.sum)
	began, other := unfinished(&e.sum) != unfinished(&sum), e.sum.State != sum.State
	waited, waits := e.sum.Mover(), sum.Mover()
	if began { // what its people are doing
		l.changed(partPeople)
	}
	l.galleries.Add(gallery(&sum) - gallery(&e.sum))
	e.sum = sum
	if !sum.State.Gathers() && sum.State != table.Frozen { // a finished table is there for a rematch, and closes when people have left
		e.waiting.Free()
	}
	if wasBusy && !makesBusy(&sum) {
		l.events.Recheck()
	}
	if sum.Config.Event.ID != 0 {
		l.events.TableChanged(&sum)
	}
	if sum.State == table.Closed {
		sum.Seats = nil
	}
	l.reseat(sum.Table, before, sum.Seats)
	if waited != waits {
		l.wakeElsewhere(waited, sum.Table)
		l.wakeElsewhere(waits, sum.Table)
	}
	for i := range sum.Seats {
		id := sum.Seats[i].Player.ID
		if began && id != 0 {
			l.moved(id)
		}
		if h := l.holders[id]; other && h != nil && len(h.at) > 1 { // it may change their presence at their other tables
			l.tell(id, h)
		}
	}
	if sum.State == table.Closed {
		l.forget(sum.Table, e)
	}
	l.changed(partTables)
	return e
}

// wakeElsewhere wakes a player's sessions that do not look at a table where the move changed. With mu held.
func (l *Lobby) wakeElsewhere(id table.PlayerID, at table.ID) {
	if p := l.people[id]; p != nil {
		for _, v := range p.visits {
			if v.at != at {
				v.wake()
			}
		}
	}
}

// gallery returns 1 for a table that anybody may watch, else 0.
func gallery(s *table.Summary) int32 {
	if s.Config.Watchers && !s.Config.Event.Private && s.State != table.Closed {
		return 1
	}
	return 0
}

// Galleries returns the number of tables that anybody may watch. Watchers call it at each move: no lock.
func (v *Visit) Galleries() int { return int(v.lobby.galleries.Load()) }

// onUnseat informs a player who had to stand up. The table calls it on its own goroutine.
func (l *Lobby) onUnseat(at table.ID, id table.PlayerID, why string) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if p := l.people[id]; p != nil {
		l.note(p, "Table %d: %s", at, why)
	}
}

// reseat records who has sat down and who has stood up. With mu held.
func (l *Lobby) reseat(at table.ID, before, after []table.SeatView) {
	has := func(seats []table.SeatView, id table.PlayerID) bool {
		return slices.ContainsFunc(seats, func(s table.SeatView) bool { return s.Player.ID == id || s.Next.ID == id })
	}
	for i := range before {
		for _, p := range []*table.Player{&before[i].Player, &before[i].Next} {
			if p.ID != 0 && !has(after, p.ID) {
				l.stood(p.ID, at)
				l.changed(partPeople)
			}
		}
	}
	for i := range after {
		for _, p := range []*table.Player{&after[i].Player, &after[i].Next} {
			if p.ID != 0 && !has(before, p.ID) {
				l.sat(p.ID, at)
				l.changed(partPeople)
			}
		}
	}
}

// register adds a table that was made or restored and has taken its places.
func (l *Lobby) register(t *table.Table, p places) {
	if !l.enroll(t, p) {
		return
	}
	// The lobby was closed in the meantime and will not close this table, which stays for the next start.
	if err := t.Close(context.Background()); err != nil {
		l.log.Warn("close a table that was made too late", "table", t.ID(), "err", err)
	}
}

// enroll adds a table to the directory, and reports whether the lobby is closed.
func (l *Lobby) enroll(t *table.Table, p places) (closed bool) {
	l.mu.Lock()
	defer l.mu.Unlock()
	e := l.update(*t.Summary()) // later summaries come later: the table may close at once
	if e == nil || e.sum.State == table.Closed {
		p.free()
		return false // the table has already closed
	}
	e.table, e.places = t, p
	if !e.sum.State.Gathers() && e.sum.State != table.Frozen {
		e.waiting.Free()
	}
	if l.suspended != "" {
		t.Suspend(l.suspended)
	}
	if code := t.Code(); code != "" {
		l.codes[foldCode(code)] = t.ID()
	}
	for i := range e.sum.Seats { // the summary may be older than their presence
		id := e.sum.Seats[i].Player.ID
		if h := l.holders[id]; h != nil {
			l.tell(id, h)
		}
	}
	l.changed(partTables | partPeople)
	return l.closed
}

// forget removes a closed table from the directory. With mu held.
func (l *Lobby) forget(id table.ID, e *entry) {
	delete(l.directory, id)
	e.free()
	if of := e.sum.Config.Event; of.ID != 0 {
		l.events.Closed(of, id)
	}
	if e.sum.Config.House {
		l.queueExhibition() // another is made
	}
	if e.table != nil {
		delete(l.codes, foldCode(e.table.Code()))
	}
	l.changed(partPeople) // people who looked at it
}

// find returns a table by number, or ErrNoTable.
func (l *Lobby) find(id table.ID) (*table.Table, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if e := l.directory[id]; e != nil && e.table != nil {
		return e.table, nil
	}
	return nil, ErrNoTable
}

// openTables lists all tables. With mu held.
func (l *Lobby) openTables() []*table.Table {
	var list []*table.Table
	for _, e := range l.directory {
		if e.table != nil {
			list = append(list, e.table)
		}
	}
	return list
}

// newCode returns a code for a private table that no other open table has.
func (l *Lobby) newCode() string {
	for {
		code := table.NewCode()
		l.mu.Lock()
		_, used := l.codes[foldCode(code)]
		l.mu.Unlock()
		if !used { // two equal codes made at the same moment are not noticed: a chance of 1 in 100,000,000,000
			return code
		}
	}
}

// foldCode returns the form in which codes are compared: people read them aloud, and type them with the
// separator, a space or neither.
func foldCode(code string) string {
	return strings.Map(func(r rune) rune {
		if r == '-' || unicode.IsSpace(r) {
			return -1
		}
		return unicode.ToUpper(r)
	}, code)
}

func numbered(id table.ID) string { return strconv.FormatInt(int64(id), 10) }

// MyTables lists the tables at which the person sits: first where it is their move, then where a game is in
// progress, then the others; each by number.
func (v *Visit) MyTables() []table.Summary {
	l := v.lobby
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.tablesOf(v.person.player.ID)
}

// Awaited lists the tables that wait for the person's move, by number, without those of the daily deal.
// Updates signals changes, except at the table that the session looks at.
func (v *Visit) Awaited() (list []table.ID) {
	for _, s := range v.MyTables() {
		if s.MoveOf(v.person.id) && !s.Config.Event.Solo {
			list = append(list, s.Table)
		}
	}
	return list
}

// Plays reports whether a player, here or not, has a seat in a game in progress.
func (l *Lobby) Plays(id table.PlayerID) bool {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.seatedWhere(id, unfinished)
}

// seatedWhere reports whether a player, here or not, has a seat at a table that is accepts. With mu held.
func (l *Lobby) seatedWhere(id table.PlayerID, is func(*table.Summary) bool) bool {
	h := l.holders[id]
	if h == nil {
		return false
	}
	for at := range h.at {
		if e := l.directory[at]; e != nil && is(&e.sum) {
			return true
		}
	}
	return false
}

// tablesOf is MyTables for any player. With mu held.
func (l *Lobby) tablesOf(id table.PlayerID) []table.Summary {
	h := l.holders[id]
	if h == nil {
		return nil
	}
	var list []table.Summary
	for at := range h.at {
		if e := l.directory[at]; e != nil && e.table != nil {
			list = append(list, e.sum)
		}
	}
	class := func(s *table.Summary) int {
		switch {
		case s.MoveOf(id):
			return 0
		case unfinished(s):
			return 1
		}
		return 2
	}
	slices.SortFunc(list, func(a, b table.Summary) int {
		return cmp.Or(cmp.Compare(class(&a), class(&b)), cmp.Compare(a.Table, b.Table))
	})
	return list
}

// Seat returns the table to lead the person back to on entering: one where they sit in a game with a clock
// that is in progress, else any other. It ignores slow and adjourned games; MyTables lists them.
func (v *Visit) Seat() (table.ID, bool) {
	mine := v.MyTables()
	for i := range mine { // a game without a clock, such as the daily deal, can wait
		if s := &mine[i]; live(s) && s.Config.Pace != table.PaceNone && s.Config.Pace != table.PaceSlow {
			return s.Table, true
		}
	}
	for _, s := range mine {
		if s.Config.Pace != table.PaceSlow && s.State != table.Adjourned {
			return s.Table, true
		}
	}
	return 0, false
}

// setAside deals with a table that could not be restored. A game begun under rules that this program does not
// play is adjourned: its record stays readable. Any other table is left to an operator, or to a program that
// can read it.
func (l *Lobby) setAside(s table.Saved, why error) error {
	switch {
	case errors.Is(why, table.ErrOtherRules):
		l.log.Error("a game is adjourned: this program does not play by its rules", "table", s.Table, "game", s.Game, "err", why)
		return table.Adjourn(l.stores.Tables, s,
			"adjourned: this game was begun under other rules, and the program does not play by them", l.now())
	case errors.Is(why, table.ErrSaved):
		l.log.Error("a table cannot be restored and is set aside", "table", s.Table, "game", s.Game, "err", why)
		l.mu.Lock()
		defer l.mu.Unlock()
		l.aside[s.Table] = s
		return nil
	}
	return why
}

func (l *Lobby) isAside(id table.ID) bool {
	l.mu.Lock()
	defer l.mu.Unlock()
	_, ok := l.aside[id]
	return ok
}

func (l *Lobby) closeAside(id table.ID) error {
	l.mu.Lock()
	s, ok := l.aside[id]
	l.mu.Unlock()
	if !ok {
		return ErrNoTable
	}
	if err := table.Adjourn(l.stores.Tables, s, "abandoned: the table could not be restored", l.now()); err != nil {
		return fmt.Errorf("close table %d: %w", id, err)
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	delete(l.aside, id)
	return nil
}

// asideNote returns what operators read on entering, or "" if no table is set aside. With mu held.
func (l *Lobby) asideNote() string {
	if len(l.aside) == 0 {
		return ""
	}
	numbers := text.Each(slices.Sorted(maps.Keys(l.aside)), func(id table.ID) string { return fmt.Sprint(id) })
	return "Not restored, and set aside: table " + strings.Join(numbers, ", ") + ". The log says why; /close N gives one up."
}
