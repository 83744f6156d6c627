package season

import (
	"cmp"
	"context"
	"fmt"
	"iter"
	"maps"
	"slices"
	"sync"
	"sync/atomic"
	"time"

	"boneyard/lobby/event"
	"boneyard/lobby/text"
	"boneyard/table"
)

// key identifies an outcome.
type key struct {
	event event.ID
	match int
}

// Book holds the outcomes of events, read from their journals. Its methods may be called by any goroutine.
type Book struct {
	events  *event.Events
	turn    chan struct{} // held while reading
	shields atomic.Pointer[Shields]
	told    time.Time // see Told

	mu   sync.Mutex
	todo map[event.ID]bool // events that are over and not read yet

	// The fields below belong to the holder of turn.
	all   map[key]event.Outcome
	year  *Year        // made of all; nil if outdated
	month string       // in which year was made
	from  time.Time    // events that ended since then are read or in todo; zero at first
	held  [2]time.Time // the months whose best players, and teams, hold the shields
}

// NewBook returns an empty book, which is filled when it is first read.
func NewBook(s *event.Events) *Book {
	return &Book{events: s, told: s.Now(), turn: make(chan struct{}, 1), todo: map[event.ID]bool{}, all: map[key]event.Outcome{}}
}

// Told sets when a new book's club last had news, now by default: winners of months that were over by then are
// not news. It is called before all other methods.
func (b *Book) Told(at time.Time) { b.told = at }

// Over records that an event is over. It neither blocks nor calls back.
func (b *Book) Over(e event.Event) {
	if b.events.Deps().Kinds[e.Kind].Season != nil {
		b.mu.Lock()
		b.todo[e.ID] = true
		b.mu.Unlock()
	}
}

// since returns the start of the first month that the book covers.
func (b *Book) since() time.Time { return Since(b.events.Now()) }

// past yields the first days of the months that the book covers and that are over, newest first.
func (b *Book) past() iter.Seq[time.Time] {
	return func(yield func(time.Time) bool) {
		since := b.since()
		for i := months - 2; i >= 0 && yield(since.AddDate(0, i, 0)); i-- {
		}
	}
}

// Outcomes returns the outcomes of a year. It first reads what has ended since the last call.
func (b *Book) Outcomes(ctx context.Context) (*Year, error) {
	release, err := event.Turn(ctx, b.turn)
	if err != nil {
		return nil, err
	}
	defer release()
	if err := b.read(ctx); err != nil {
		return nil, b.events.Deps().Club.Trouble("read what was won", err)
	}
	now := b.events.Now()
	if b.year != nil && b.month == Month(now) {
		return b.year, nil
	}
	b.month, b.from = Month(now), b.since()
	maps.DeleteFunc(b.all, func(_ key, o event.Outcome) bool { return o.At.Before(b.from) })
	b.year = newYear(b.events.Deps().Kinds, slices.SortedFunc(maps.Values(b.all), func(x, y event.Outcome) int {
		return cmp.Or(y.At.Compare(x.At), cmp.Compare(y.Event, x.Event), cmp.Compare(y.Match, x.Match))
	}))
	b.shield()
	return b.year, nil
}

var noShields Shields

// Shields returns the holders at the last call of Outcomes. The pointer changes only when a holder does.
func (b *Book) Shields() *Shields { return cmp.Or(b.shields.Load(), &noShields) }

// shield finds out who holds the shields now: whoever was first in the last month that is over and in which
// there were points. It announces them if that month or one of them is new. turn is held.
func (b *Book) shield() {
	deps, before := b.events.Deps(), b.shields.Load()
	var since time.Time // the first month whose winners are news
	if before == nil {  // a month may have ended while the server was down
		before, since = &noShields, FirstDay(b.told.Add(-event.ToldOnce))
	}
	s := &Shields{Players: map[table.PlayerID]bool{}, Teams: map[table.TeamID]bool{}}
	for i, teams := range []bool{false, true} {
		for at := range b.past() {
			rows, fresh := first(b.year.Table(at, teams)), at.After(b.held[i])
			for _, r := range rows {
				if teams {
					s.Teams[r.Team] = true
				} else {
					s.Players[r.Player] = true
				}
				fresh = fresh || !before.Players[r.Player] && !before.Teams[r.Team]
			}
			if len(rows) == 0 {
				continue
			}
			if fresh && !at.Before(since) {
				say := won(rows) + " the season of " + MonthName(at) + " with " + text.Number(rows[0].Points, "point")
				deps.Club.News(at.AddDate(0, 1, 0), "season", say, event.Rare)
			}
			b.held[i] = at
			break
		}
	}
	if old := b.Shields(); maps.Equal(s.Players, old.Players) && maps.Equal(s.Teams, old.Teams) {
		s = old
	}
	b.shields.Store(s)
}

func first(rows []Row) []Row { return event.Leading(rows, func(r *Row) bool { return r.Place == 1 }) }

// won says who won a season. Several winners share one item, since few news items are allowed at a time.
func won(first []Row) string {
	const named = 3
	names := text.Each(first[:min(len(first), named)], func(r Row) string { return r.Name })
	switch more := len(first) - named; {
	case len(first) == 1:
		return names[0] + " won"
	case more > 0:
		names = append(names, text.Number(more, "other"))
	}
	return text.List(names) + " shared"
}

// Step reads one of the events that are over and not in the book, and reports whether there are more.
func (b *Book) Step(ctx context.Context) (more bool, err error) {
	release, err := event.Turn(ctx, b.turn)
	if err != nil {
		return false, err
	}
	defer release()
	todo, err := b.waiting(ctx)
	if err == nil && len(todo) > 0 {
		err = b.over(ctx, todo[0])
	}
	return err == nil && len(todo) > 1, b.events.Deps().Club.Trouble("read what was won", err)
}

// waiting returns the events that are over and not in the book. turn is held.
func (b *Book) waiting(ctx context.Context) (todo []event.ID, err error) {
	deps, since := b.events.Deps(), b.since()
	if b.from.IsZero() || since.Before(b.from) { // a clock that was ahead may be right again
		for _, t := range deps.Kinds.Sorted() {
			if t.Season == nil {
				continue
			}
			closings, err := deps.Journal.Closings(ctx, t.Kind, 0)
			if err != nil {
				return nil, err
			}
			for _, c := range closings {
				if !c.Last.At.Before(since) {
					b.Over(c.Event)
				}
			}
		}
		b.from = since
	}
	b.mu.Lock()
	defer b.mu.Unlock()
	return slices.Sorted(maps.Keys(b.todo)), nil
}

// read reads events that are over and not in the book, and matches decided in others. turn is held.
func (b *Book) read(ctx context.Context) error {
	todo, err := b.waiting(ctx)
	if err != nil {
		return err
	}
	for _, id := range todo {
		if err := b.over(ctx, id); err != nil {
			return err
		}
	}
	for _, r := range b.events.All() {
		if err := b.take(ctx, r.Event(), r.View(), time.Time{}); err != nil {
			return err
		}
	}
	return nil
}

// over reads an event that is over. turn is held.
func (b *Book) over(ctx context.Context, id event.ID) error {
	deps := b.events.Deps()
	e, err := deps.Journal.EventByID(ctx, id)
	if err != nil {
		return err
	}
	log, err := deps.Journal.EventLog(ctx, id)
	if err != nil {
		return err
	}
	if len(log) > 0 && log[len(log)-1].Kind == event.KindOver { // else its room stopped with the server
		rules, err := deps.Kinds.Fold(e, log)
		if err != nil { // the other events still count
			deps.Log.Error("what was won in an event cannot be read", "event", id, "err", err)
		} else if err := b.take(ctx, e, rules.View(nil), log[len(log)-1].At); err != nil {
			return err
		}
	}
	b.mu.Lock()
	delete(b.todo, id)
	b.mu.Unlock()
	return nil
}

// take adds the outcomes of an event; over is when it ended, or zero.
func (b *Book) take(ctx context.Context, e event.Event, view event.View, over time.Time) error {
	v, ok := view.(event.Ranked)
	if !ok {
		return nil
	}
	fresh := false
	for _, o := range v.Outcomes(&e, nil) {
		if o.Match == 0 && over.IsZero() { // its room still exists
			continue
		}
		_, has := b.all[key{e.ID, o.Match}]
		fresh = fresh || !has && (o.Match == 0 || !o.At.Before(b.since())) // a match that the book has dropped is not new
	}
	if !fresh {
		return nil
	}
	games, err := b.events.Deps().Journal.EventGames(ctx, e.ID)
	if err != nil {
		return fmt.Errorf("games of event %d: %w", e.ID, err)
	}
	for _, o := range v.Outcomes(&e, games) {
		if o.Event, o.Kind, o.Key = e.ID, e.Kind, e.Key; o.Match == 0 {
			if over.IsZero() {
				continue
			}
			o.At = over
		}
		b.all[key{e.ID, o.Match}], b.year = o, nil
	}
	return nil
}
