package arena

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"
	"time"

	"boneyard/lobby/event"
	"boneyard/table"
)

// The kinds of entries, and their data.
const (
	kindEnter = "enter"
	kindLeave = "leave"
	kindBack  = "back"
	kindPair  = "pair"
	kindIdle  = "idle"
	kindTook  = "took"
	kindBegin = "begin"
	kindEnd   = "end"  // nobody is paired any more
	kindOnce  = "once" // it is no longer weekly
)

type entered struct {
	Members []table.Player `json:"members"`
	Nets    []string       `json:"nets"`
}

type player struct {
	ID table.PlayerID `json:"id"`
}

type idle struct {
	No int64          `json:"no"`
	ID table.PlayerID `json:"id"`
}

// Taken is the result of a game as the arena counted it.
type Taken struct {
	Game   table.GameID   `json:"game"`
	No     int64          `json:"no"`
	Winner table.PlayerID `json:"winner,omitempty"` // the entrant; 0 for none
	Shared bool           `json:"shared,omitempty"` // the highest score is shared
	Quick  bool           `json:"quick,omitempty"`  // forfeited so soon that it does not extend a streak
	Void   bool           `json:"void,omitempty"`   // it counts for nobody
}

// Enter returns the entries for a player who enters. With a partner, in an arena of pairs, they are in once
// both have named each other. Entrants who were away are back.
func (a *Arena) Enter(p table.Player, net string, partner *table.Player, partnerNet string, now time.Time) ([]event.Entry, error) {
	if a.v.Closed || !now.Before(a.v.Ends) {
		return nil, ErrOver
	}
	if e := a.of(p.ID); e != nil && (partner == nil || e.Has(partner.ID)) {
		if !e.Away {
			return nil, nil
		}
		return []event.Entry{event.New(kindBack, player{e.ID})}, nil
	}
	has := func(id table.PlayerID) bool { return a.of(id) != nil }
	members, nets, err := event.Party(a.v.Config.Pairs, p, net, partner, partnerNet, ErrSingle, ErrPartner, has)
	if err != nil {
		return nil, err
	}
	for _, m := range members {
		switch {
		case m.Bot && !a.v.Config.Programs:
			return nil, ErrPrograms
		case a.v.Config.Battle && (m.Team == 0 || m.Team != members[0].Team ||
			len(a.v.Config.Teams) > 0 && !slices.Contains(a.v.Config.Teams, m.Team)):
			return nil, ErrTeam
		}
	}
	if len(a.players) >= most {
		return nil, ErrFull
	}
	return a.asked.Enter(members, event.New(kindEnter, entered{members, nets})), nil
}

// Leave returns the entries for a player who wants no more games for now.
func (a *Arena) Leave(p table.PlayerID) ([]event.Entry, error) {
	e := a.of(p)
	switch {
	case e == nil:
		return nil, ErrNotIn
	case e.Away:
		return nil, nil
	}
	return []event.Entry{event.New(kindLeave, player{e.ID})}, nil
}

// Once returns the entries that make a weekly arena the last of its series.
func (a *Arena) Once() ([]event.Entry, error) {
	if !a.v.Config.Weekly {
		return nil, ErrOnce
	}
	return []event.Entry{event.New(kindOnce, nil)}, nil
}

// CallOff implements [event.Optional]. A weekly arena is still followed by the next.
func (a *Arena) CallOff() ([]event.Entry, error) {
	if a.v.Begun {
		return nil, ErrBegun
	}
	return []event.Entry{event.New(event.KindOver, Final{a.v.Config.Weekly})}, nil
}

// EndEarly implements [event.Endable]: pairing ends as planned, and games in progress still count.
func (a *Arena) EndEarly() ([]event.Entry, error) {
	if a.v.Closed {
		return nil, ErrOver
	}
	return []event.Entry{event.New(kindEnd, nil)}, nil
}

// Final is the data of the last entry of an arena's journal.
type Final struct {
	Weekly bool `json:"weekly"` // the next one begins a week after this one began
}

// Idle returns the entries for a player who has not made their first move: the game counts for nobody, and
// the player is away until they return.
func (a *Arena) Idle(no int64, p table.PlayerID) []event.Entry {
	g, ok := a.games[no]
	e := a.of(p)
	if !ok || e == nil || e.Game != no || g.A != e.ID && g.B != e.ID {
		return nil
	}
	return []event.Entry{event.New(kindIdle, idle{no, e.ID})}
}

func (a *Arena) Ended(_ time.Time, p event.Played) []event.Entry {
	return []event.Entry{event.New(kindTook, a.Judge(p))}
}

// Judge returns the result of a game that has ended.
func (a *Arena) Judge(p event.Played) Taken {
	g, ok := a.games[p.Start.Event.Pairing]
	return judge(g, ok, &p)
}

// judge returns the result of a game; ok reports whether the arena was still waiting for it.
func judge(g Game, ok bool, p *event.Played) Taken {
	t := Taken{Game: p.Game, No: p.Start.Event.Pairing}
	r := &p.Result
	switch {
	case !ok || r.Winner == 0 && !r.Shared():
		t.Void = true
	case r.Winner == 1:
		t.Winner = g.A
	case r.Winner == 2:
		t.Winner = g.B
	default:
		t.Shared = true
	}
	if t.Winner != 0 && r.Ending == table.EndForfeit {
		own := 0
		for i, n := range r.Own {
			if i%2 != r.Winner-1 {
				own += n
			}
		}
		t.Quick = own < quick
	}
	return t
}

func (a *Arena) Due(now time.Time) []event.Entry {
	switch {
	case !a.v.Begun && (!now.Before(a.v.Ends) || a.v.Config.Weekly && a.v.Begins.Sub(now) > tooFar): // it cannot be played
		return []event.Entry{event.New(event.KindOver, Final{a.v.Config.Weekly})}
	case !a.v.Begun && !now.Before(a.v.Begins):
		return []event.Entry{event.New(kindBegin, nil)}
	case !a.v.Begun:
		return nil
	case !a.v.Closed && !now.Before(a.v.Ends):
		return []event.Entry{event.New(kindEnd, nil)}
	case a.v.Closed && (len(a.games) == 0 || !now.Before(a.v.Ends.Add(overtime))):
		return []event.Entry{event.New(event.KindOver, Final{a.v.Config.Weekly})}
	}
	return nil
}

// Ask implements [event.Asker]: it pairs entrants who are free, and not busy with another event.
func (a *Arena) Ask(_ context.Context, now time.Time, f event.Facts) (entries []event.Entry, err error) {
	if !a.v.Begun || a.v.Closed {
		return nil, nil
	}
	clear(a.busy)
	for _, e := range a.free() {
		a.busy[e.ID] = slices.ContainsFunc(e.Members, func(p table.Player) bool { return f.Busy(p.ID) })
	}
	for _, g := range a.pair(now) {
		entries = append(entries, event.New(kindPair, g))
	}
	return entries, nil
}

// Next implements [event.Rules]. Ask has already paired everybody who need not wait.
func (a *Arena) Next() time.Time {
	switch {
	case !a.v.Begun:
		return a.v.Begins
	case a.v.Closed:
		return a.v.Ends.Add(overtime)
	}
	next := a.v.Ends
	free := a.free()
	slices.SortFunc(free, func(x, y *Entrant) int { return x.since.Compare(y.since) })
	for i, y := range free {
		if at := y.since.Add(lonely); a.v.Config.Bots && at.Before(next) {
			next = at
		}
		at := y.since.Add(patience)
		if at.Before(next) && slices.ContainsFunc(free[:i], func(x *Entrant) bool { return a.mayMeet(x, y, at) }) {
			next = at
		}
	}
	return next
}

func (a *Arena) Apply(e event.Entry) error { return entries.Apply(a, e) }

var entries = event.Entries[*Arena]{
	kindEnter:      event.On((*Arena).enter),
	event.KindAsk:  event.Does(func(a *Arena, _ time.Time, x event.Named) { a.asked.Note(x) }),
	kindLeave:      event.On(func(a *Arena, _ time.Time, x player) error { return a.away(x.ID, true, time.Time{}) }),
	kindBack:       event.On(func(a *Arena, at time.Time, x player) error { return a.away(x.ID, false, at) }),
	kindPair:       event.On((*Arena).begin),
	kindIdle:       event.On((*Arena).idle),
	kindTook:       event.On((*Arena).take),
	kindBegin:      event.Does(func(a *Arena, _ time.Time, _ event.Nothing) { a.v.Begun = true }),
	kindEnd:        event.Does((*Arena).close),
	kindOnce:       event.Does(func(a *Arena, _ time.Time, _ event.Nothing) { a.v.Config.Weekly = false }),
	event.KindOver: event.Does((*Arena).finish),
}

// close ends the pairing, at the planned end or earlier.
func (a *Arena) close(at time.Time, _ event.Nothing) {
	a.v.Closed = true
	if at.Before(a.v.Ends) {
		a.v.Ends = at
	}
}

// finish ends the arena: games in progress count for nobody.
func (a *Arena) finish(time.Time, Final) {
	a.v.Over = true
	clear(a.games)
	for _, e := range a.entrants {
		e.Game = 0
	}
}

var (
	errEntrant = errors.New("it names somebody who does not take part, or twice")
	errGame    = errors.New("it names a game that is not played")
)

func (a *Arena) enter(at time.Time, x entered) error {
	if len(x.Members) != a.v.Config.seats()/2 {
		return errEntrant
	}
	for _, m := range x.Members {
		if a.of(m.ID) != nil {
			return errEntrant
		}
		delete(a.asked, m.ID)
	}
	id := x.Members[0].ID
	e := &Entrant{ID: id, Entrant: event.Entrant{Members: x.Members, Nets: x.Nets}, since: at, no: len(a.entrants)}
	a.entrants[id] = e
	for _, m := range x.Members {
		a.players[m.ID] = e
	}
	return nil
}

func (a *Arena) away(id table.PlayerID, away bool, at time.Time) error {
	e := a.entrants[id]
	if e == nil {
		return errEntrant
	}
	e.Away, e.Idle = away, false
	if !away {
		e.since = at
	}
	return nil
}

func (a *Arena) begin(_ time.Time, g Game) error {
	x, y := a.entrants[g.A], a.entrants[g.B]
	bots := g.B == 0 && a.v.Config.Bots
	if x == nil || x.Game != 0 || !bots && (y == nil || x == y || y.Game != 0) || g.No != a.last+1 {
		return errEntrant
	}
	a.games[g.No], a.last = g, g.No
	for _, e := range a.sides(g) {
		e.Game = g.No
	}
	return nil
}

// end frees the entrants of a game. y is nil if x played against bots.
func (a *Arena) end(no int64, at time.Time) (x, y *Entrant, err error) {
	g, ok := a.games[no]
	if !ok {
		return nil, nil, errGame
	}
	delete(a.games, no)
	for _, e := range a.sides(g) {
		e.Game, e.since = 0, at
	}
	return a.entrants[g.A], a.entrants[g.B], nil
}

func (a *Arena) idle(at time.Time, x idle) error {
	if _, _, err := a.end(x.No, at); err != nil {
		return err
	}
	if err := a.away(x.ID, true, at); err != nil {
		return err
	}
	a.entrants[x.ID].Idle = true
	return nil
}

func (a *Arena) take(at time.Time, t Taken) error {
	if a.took[t.Game] {
		return errGame
	}
	a.took[t.Game] = true
	g, ok := a.games[t.No]
	a.results = append(a.results, outcome{t, g, ok})
	if !ok && t.Void {
		return nil
	}
	x, y, err := a.end(t.No, at)
	if err != nil || t.Void {
		return err
	}
	if y != nil {
		a.v.Played++
	}
	score(x, y, t)
	return nil
}

// score adds the result of a game to the scores of both entrants. A game against bots, where y is nil, is
// worth half, and neither extends nor ends a streak, so that it never pays to wait for a bot.
func score(x, y *Entrant, t Taken) {
	if y == nil {
		if x.Games++; t.Winner == x.ID {
			x.Won++
			x.Score++
		}
		return
	}
	for _, e := range []*Entrant{x, y} {
		o := x
		if e == x {
			o = y
		}
		e.Games++
		e.met = append(e.met, o.ID)
		switch {
		case t.Winner == e.ID && t.Quick:
			e.Won++
			e.Score += 2
		case t.Winner == e.ID:
			e.Won++
			if e.Row++; e.Row >= streak {
				e.Score += 2
			}
			e.Score += 2
		case t.Shared:
			e.Row = 0
			e.Score++
		default:
			e.Row = 0
		}
	}
}

// outcome is a result that the arena recorded; ok reports whether the arena was still waiting for the game.
type outcome struct {
	Taken
	game Game
	ok   bool
}

// Check implements [event.Checker]: it compares results with their games, and scores with the games' sums.
func (a *Arena) Check(games []event.Played) (faults []string) {
	ended := event.ByGame(games)
	again := map[table.PlayerID]*Entrant{}
	for id := range a.entrants {
		again[id] = &Entrant{ID: id}
	}
	for _, o := range a.results {
		p := ended[o.Game]
		if p == nil {
			faults = append(faults, fmt.Sprintf("game %d has a result in the arena, and is not among its games", o.Game))
			continue
		}
		t := judge(o.game, o.ok, p)
		if t != o.Taken {
			faults = append(faults, fmt.Sprintf("game %d was won by side %d, and the arena took it as won by player "+
				"%d", o.Game, p.Result.Winner, o.Winner))
		}
		if !t.Void {
			score(again[o.game.A], again[o.game.B], t)
		}
	}
	for _, id := range slices.Sorted(maps.Keys(a.entrants)) {
		if e := a.entrants[id]; e.Score != again[id].Score {
			faults = append(faults, fmt.Sprintf("%s has %d points, and by the games %d", e.Name(), e.Score, again[id].Score))
		}
	}
	return faults
}
