package lobby

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"math"
	"slices"
	"strings"
	"time"

	"boneyard/lobby/event"
	"boneyard/lobby/event/arena"
	"boneyard/lobby/event/challenge"
	"boneyard/lobby/event/cup"
	"boneyard/lobby/event/daily"
	"boneyard/lobby/event/duplicate"
	"boneyard/lobby/event/field"
	"boneyard/lobby/event/league"
	"boneyard/lobby/event/night"
	"boneyard/lobby/event/season"
	"boneyard/lobby/limit"
	"boneyard/lobby/rating"
	"boneyard/table"
)

// eventClub is the lobby as events see it.
type eventClub struct{ *Lobby }

func (l eventClub) EventTables() map[table.ID]table.Event {
	l.mu.Lock()
	defer l.mu.Unlock()
	all := map[table.ID]table.Event{}
	for id, e := range l.directory {
		if of := e.sum.Config.Event; of.ID != 0 && e.table != nil {
			all[id] = of
		}
	}
	return all
}

// makesBusy reports whether a table makes its players busy: it belongs to an event, and a game is or will be
// played there. The daily deal has no clock and can wait.
func makesBusy(s *table.Summary) bool {
	of := s.Config.Event
	return of.ID != 0 && !of.Solo && s.State != table.Finished && s.State != table.Closed
}

func (l eventClub) Busy(id table.PlayerID, in event.ID) bool {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.busy(id, in)
}

// busy is eventClub.Busy with mu held.
func (l *Lobby) busy(id table.PlayerID, in event.ID) bool {
	if of := l.seating[id]; of != 0 && of != in {
		return true
	}
	return l.seatedWhere(id, func(s *table.Summary) bool { return s.Config.Event.ID != in && makesBusy(s) })
}

// OpenTable implements event.Club. The event's page leads the players to the table.
func (l eventClub) OpenTable(ctx context.Context, p event.Pairing) (table.ID, error) {
	deps := l.tables
	deps.NewCode = l.newCode
	l.mu.Lock()
	deps.From = l.callUp(&p)
	taken, err := l.roomFor(&p, deps.From)
	l.mu.Unlock()
	if err != nil {
		return 0, err
	}
	seats, of := p.Occasion.Seats, p.Config.Event.ID
	t, err := table.MakeFor(ctx, deps, p.Config, p.Occasion)
	if err != nil {
		taken.free()
		l.seated(seats, of)
		l.events.Recheck() // games may have waited for these players
		return 0, err
	}
	l.register(t, taken)
	l.seated(seats, of)
	if r := l.events.Room(of); r != nil && kinds[r.Event().Kind].Leads {
		l.mu.Lock()
		l.call(t.ID(), seats)
		l.mu.Unlock()
	}
	return t.ID(), nil
}

// callUp updates the players of a pairing to their current data, if they are here. If the game is for one
// player, it returns where that player comes from. With mu held.
func (l *Lobby) callUp(p *event.Pairing) (from string) {
	seats := slices.Clone(p.Occasion.Seats)
	nets := make([]string, len(seats)) // they decide whether the game is rated
	for i := range seats {
		who := l.people[seats[i].ID]
		if who == nil {
			continue
		}
		team, tag := seats[i].Team, seats[i].Tag
		seats[i], nets[i] = who.player, who.net
		if !p.Config.Event.Wait || !l.occupied(who.player.ID, math.MaxInt64) {
			p.Occasion.Here = append(p.Occasion.Here, who.player.ID)
		}
		if p.Config.Event.Solo {
			from = who.visits[len(who.visits)-1].from()
		}
		if p.Config.Access == table.AccessTeams { // they play for this team even after leaving it
			if seats[i].Team != team {
				seats[i].For = ""
			}
			seats[i].Team, seats[i].Tag = team, tag
		}
	}
	p.Occasion.Seats, p.Occasion.Nets = seats, nets
	return from
}

// roomFor takes the place of a pairing's table, and makes its players busy. With mu held.
func (l *Lobby) roomFor(p *event.Pairing, from string) (taken places, err error) {
	switch b, of, seats := &l.bounds, p.Config.Event, p.Occasion.Seats; {
	case l.draining:
		return taken, ErrDraining
	case of.Solo:
		if taken.table = l.redeem(seatOf{who: seats[0].ID}); taken.table == nil {
			taken.table = b.Hold(b.tables.Quota, ownerOf(0, from))
		}
	case !of.Wait && slices.ContainsFunc(seats, func(s table.Player) bool { return s.ID != 0 && l.busy(s.ID, of.ID) }):
		return taken, event.ErrBusy
	default:
		if taken.table, _ = b.Take(b.eventTables.Quota, limit.Owner{}); taken.table == nil {
			return taken, ErrClubFull
		}
		for _, s := range seats {
			if l.seating[s.ID] == 0 {
				l.seating[s.ID] = of.ID
			}
		}
	}
	return taken, nil
}

// seated records that an event's table for some players exists now, or will not be made.
func (l *Lobby) seated(seats []table.Player, in event.ID) {
	l.mu.Lock()
	defer l.mu.Unlock()
	for _, s := range seats {
		if l.seating[s.ID] == in {
			delete(l.seating, s.ID)
		}
	}
}

func (l eventClub) CloseTable(ctx context.Context, id table.ID) error {
	t, err := l.find(id)
	if err != nil || t.Summary().State == table.Finished {
		return nil // it has already closed, or will
	}
	err = t.Do(ctx, table.Request{By: table.Player{Name: "the house"}, Command: table.Close{UnlessOver: true}})
	if hasClosed(err) || errors.Is(err, table.ErrClosing) {
		return nil
	}
	return err
}

func (l eventClub) Changed(r *event.Room) {
	l.mu.Lock()
	defer l.mu.Unlock()
	e := r.Event()
	over := l.events.Room(e.ID) == nil // with mu held, so that an older state is never handled after a newer one
	l.countEvent(e, over)
	l.changed(partEvents)
	l.outside(nil)
	if over {
		l.titles.forget()
		l.book.Over(e)
		l.jobs.run(l.countSeason)
	}
	if e.Kind == night.Kind {
		tables := l.openTables()
		l.jobs.run(func() {
			for _, t := range tables {
				t.Rerate()
			}
		})
	}
	if over || r.Deals() {
		l.seal()
	}
	if !l.closed {
		l.events.Changed(r, over)
	}
}

func (l eventClub) Rosters(ctx context.Context, teams []table.TeamID) (all []event.Roster, err error) {
	for _, id := range teams {
		t, err := l.stores.Teams.Team(ctx, id)
		switch {
		case errors.Is(err, ErrNotFound): // it was disbanded
			continue
		case err != nil:
			return nil, fmt.Errorf("roster of team %d: %w", id, err)
		}
		all = append(all, *rosterOf(t))
	}
	return all, nil
}

func (l eventClub) Here(id table.PlayerID) bool {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.people[id] != nil && !l.occupied(id, 0)
}

func (l eventClub) Came(id table.ID) (begun bool, here []table.PlayerID) {
	l.mu.Lock()
	defer l.mu.Unlock()
	e := l.directory[id]
	if e == nil {
		return false, nil
	}
	for i := range e.sum.Seats {
		if p := e.sum.Seats[i].Player.ID; p != 0 && l.people[p] != nil && !l.occupied(p, id) {
			here = append(here, p)
		}
	}
	begun = e.sum.Played || e.sum.Config.Event.Wait && (e.sum.Game != 0 || e.sum.State == table.Countdown)
	return begun, here
}

// clubNight returns the club night that applies to a player who is here, or 0. It is called by tables.
func (l *Lobby) clubNight(id table.PlayerID) table.EventID {
	nights := event.Views[night.View](l.events, night.Kind)
	if len(nights) == 0 {
		return 0
	}
	now := l.events.Now()
	l.mu.Lock()
	defer l.mu.Unlock()
	p := l.people[id]
	for i := range nights {
		if p != nil && nights[i].Holds(p.player, p.account.Created, now) {
			return nights[i].ID
		}
	}
	return 0
}

// rosterOf returns a team as events see it.
func rosterOf(t *Team) *event.Roster {
	r := &event.Roster{Team: t.ID, Tag: t.Tag, Name: t.Name, Rating: rating.Initial().Number()}
	if t.Stand != nil {
		r.Rating = t.Stand.Rating
	}
	for _, m := range t.Members {
		p := table.Player{ID: m.ID, Name: m.Name, Team: t.ID, Tag: t.Tag}
		r.Members = append(r.Members, p)
		if m.ID == t.Captain {
			r.Captain = p
		}
	}
	return r
}

func (l eventClub) GalleryView(id table.ID) (*table.View, error) {
	t, err := l.find(id)
	if err != nil {
		return nil, err
	}
	return t.GalleryView(table.Player{}, "")
}

func (l eventClub) Open() bool {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.started && !l.draining
}

func (l eventClub) Run(job func()) { l.jobs.run(job) }

func (l eventClub) KeepTime() { l.clock.Keep(l.ctx) }

func (l eventClub) Trouble(doing string, err error) error { return l.trouble(doing, err) }

func (l eventClub) News(at time.Time, kind, what string, sort event.NewsSort) {
	l.telling.Lock() // so that two jobs do not add the same news
	defer l.telling.Unlock()
	if at.IsZero() {
		at = l.events.Now() // as the journals say
	}
	n := NewsItem{At: at, Kind: kind, Text: what}
	rule := map[event.NewsSort]*limit.Rule{event.Results: &l.limits.eventNews, event.Starts: &l.limits.arenaNews}[sort]
	l.mu.Lock()
	maps.DeleteFunc(l.told, func(_ string, t remembered) bool { return time.Since(t.since) >= keptTold })
	old, before := l.told[n.Kind+n.Text]
	skip := before && n.At.Sub(old.at).Abs() < event.ToldOnce || rule != nil && !l.limits.Allow(rule, limit.Who{})
	if !skip {
		l.remember(&n)
	}
	l.mu.Unlock()
	if !skip {
		l.addNews(n)
	}
}

// remembered is news of an event that is not to be told again.
type remembered struct {
	at    time.Time // of the news
	since time.Time // monotonic
}

// keptTold is how long the lobby remembers news: longer than events may take to tell them again, after a start
// or after the clock was set back.
const keptTold = 24 * time.Hour

// remember remembers news. With mu held.
func (l *Lobby) remember(n *NewsItem) { l.told[n.Kind+n.Text] = remembered{n.At, time.Now()} }

func (l eventClub) Tell(players []table.Player, but table.PlayerID, what string) {
	l.tell(players, but, what, true)
}

func (l eventClub) TellHere(players []table.Player, but table.PlayerID, what string) {
	l.tell(players, but, what, false)
}

// tell sends a message to players, except one; with keep, members who are away read it on their next visit.
func (l eventClub) tell(players []table.Player, but table.PlayerID, what string, keep bool) {
	line := Line{At: l.now(), Text: what}
	l.mu.Lock()
	defer l.mu.Unlock()
	for i := range players {
		id := players[i].ID
		switch p := l.people[id]; {
		case id == but:
		case p != nil && p.listens() && keep:
			l.notePrivately(p, line)
		case p != nil && p.listens(): // on the next visit it may be overtaken
			l.note(p, "%s", what)
		case keep && !id.Guest() && !l.closed:
			l.jobs.run(func() { l.keepTells(id, []Line{line}) })
		}
	}
}

func (l eventClub) Remind(what func(p table.Player) string) {
	var here []table.Player
	l.mu.Lock()
	for _, p := range l.people {
		if !p.player.ID.Guest() {
			here = append(here, p.player)
		}
	}
	l.mu.Unlock()
	for i := range here {
		say := what(here[i])
		if say == "" {
			continue
		}
		l.mu.Lock()
		if p := l.people[here[i].ID]; p != nil {
			l.remind(p, say)
		}
		l.mu.Unlock()
	}
}

// remind sends a person a reminder, unless they want none, or have just read it on entering. With mu held.
func (l *Lobby) remind(p *person, say string) {
	_, what, _ := strings.Cut(say, ":")
	now := l.now()
	reminded := func(n Note) bool {
		return n.Rings && strings.HasSuffix(n.Text, what) && now.Sub(n.At).Abs() < 2*time.Minute
	}
	if !p.account.Settings.NoReminders && !slices.ContainsFunc(p.notes, reminded) {
		l.addNote(p, Note{Text: say, Rings: true})
	}
}

func (l eventClub) Hears(id table.PlayerID, from table.Player) bool {
	l.mu.Lock()
	defer l.mu.Unlock()
	p := l.people[id]
	return p != nil && l.hears(p, from)
}

func (l eventClub) Shows(id table.PlayerID, at table.ID) bool {
	l.mu.Lock()
	defer l.mu.Unlock()
	p := l.people[id]
	return p != nil && slices.ContainsFunc(p.visits, func(v *Visit) bool {
		s := v.shown()
		return s != nil && s.place.Table == at
	})
}

// countSeason reads the outcomes of ended events, one at a time so that other background jobs need not wait
// long, and again after the month, when shields may change hands. It is a background job.
func (l *Lobby) countSeason() {
	const seasonLook = time.Hour // the longest wait before checking the month again: clocks are set, and machines sleep
	more, err := l.book.Step(l.ctx)
	if more {
		l.jobs.run(l.countSeason)
		return
	}
	if err == nil {
		_, err = l.book.Outcomes(l.ctx) // an error is logged, and the next event tries again
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.closed {
		return
	}
	if l.monthEnd != nil {
		l.monthEnd.Stop()
	}
	if err != nil {
		l.monthEnd = time.AfterFunc(recallAgain, func() { l.jobs.run(l.countSeason) })
		return
	}
	l.monthEnd = time.AfterFunc(min(season.Left(l.events.Now()), seasonLook), func() { l.jobs.run(l.countSeason) })
	s := l.book.Shields()
	if l.shown == s {
		return
	}
	l.shown = s
	l.answers.forget()
	l.changed(partPeople)
}

// countEvent takes a place for a current event, or frees that of one that is over. With mu held.
func (l *Lobby) countEvent(e event.Event, over bool) {
	switch place, known := l.created[e.ID]; {
	case over:
		place.Free()
		delete(l.created, e.ID)
	case !known:
		if place = l.redeem(e.Key); place == nil && kinds[e.Kind].Bound != nil {
			place = l.bounds.Hold(&kinds[e.Kind].Bound.Quota, ownerOfEvent(e.Key))
		}
		l.created[e.ID] = place
	}
}

// Called returns, once a session, the open table to which an event, or Lead, calls the person, or 0.
func (v *Visit) Called() table.ID {
	v.lobby.mu.Lock()
	defer v.lobby.mu.Unlock()
	id := v.called
	v.called = 0
	if v.lobby.directory[id] == nil {
		return 0
	}
	return id
}

// Lead makes Called return a table where the person has just got a seat, unless the session shows a game that they
// play.
func (v *Visit) Lead(id table.ID) {
	l := v.lobby
	l.mu.Lock()
	defer l.mu.Unlock()
	if e := l.directory[v.at]; e != nil && unfinished(&e.sum) && e.sum.SeatOf(v.person.id) != 0 {
		return
	}
	v.called = id
	v.wake()
}

// call calls the players of an event's game to their table. With mu held.
func (l *Lobby) call(id table.ID, seats []table.Player) {
	for i := range seats {
		p := l.people[seats[i].ID]
		if p == nil {
			continue
		}
		for _, v := range p.visits {
			v.called = id
		}
		l.addNote(p, Note{Text: fmt.Sprintf("Your next game is at table %d.", id), Table: id})
	}
}

// kinds are the kinds of events that the club holds.
var kinds = event.KindsOf(arena.Type, challenge.Type, cup.Type, daily.Type, duplicate.Type, field.Type, league.Type, night.Type)

// EventKinds returns the kinds of events that the club holds.
func EventKinds() event.Kinds { return kinds }
