package arena

import (
	"errors"
	"fmt"
	"slices"
	"sync"
	"time"

	"boneyard/lobby/event"
	"boneyard/table"
)

// MoveTime is how long a player has for the first move in a game.
const MoveTime = 30 * time.Second

type keeper struct {
	events *event.Events
	club   event.Club

	mu     sync.Mutex
	tables map[table.ID]*waiting
}

// waiting is a table of an arena whose players' first moves are awaited.
type waiting struct {
	timer *time.Timer
	turn  uint8 // whose first turn is awaited
	seen  uint8 // seats whose first turn has come, as bits
}

func keep(s *event.Events) *event.Keeper {
	k := &keeper{events: s, club: s.Deps().Club, tables: map[table.ID]*waiting{}}
	return &event.Keeper{News: news, Started: k.repeatAll, Ended: k.ended, Table: k.table}
}

// table calls off games in which a player does not make the first move.
func (k *keeper) table(r *event.Room, sum *table.Summary) {
	k.mu.Lock()
	defer k.mu.Unlock()
	w := k.tables[sum.Table]
	if w == nil {
		if r == nil || sum.State == table.Closed {
			return
		}
		w = &waiting{}
		k.tables[sum.Table] = w
	}
	turn := uint8(sum.Turn)
	over := sum.Round > 1 || sum.State == table.Finished || sum.State == table.Closed
	another := sum.State == table.Playing && turn != w.turn
	if w.timer != nil && (over || another) {
		w.timer.Stop()
		w.timer = nil
	}
	if w.timer != nil && sum.State == table.Frozen { // nobody can move; the time starts again when the game goes on
		w.timer.Stop()
		w.timer, w.seen, w.turn = nil, w.seen&^(1<<w.turn), 0
	}
	switch {
	case sum.State == table.Closed:
		delete(k.tables, sum.Table)
	case !over && another:
		if w.turn = turn; turn != 0 && w.seen&(1<<turn) == 0 {
			w.seen |= 1 << turn
			of, id, p := sum.Config.Event, sum.Table, sum.Seats[turn-1].Player.ID
			wait := MoveTime
			if r != nil {
				wait += min(r.Returning(), time.Minute)
			}
			k.await(w, wait, of, id, p)
		}
	}
}

// await gives a player some time for the first move. Called with k.mu held.
func (k *keeper) await(w *waiting, wait time.Duration, of table.Event, id table.ID, p table.PlayerID) {
	due := k.events.Now().Add(wait)
	w.timer = time.AfterFunc(wait, func() { k.club.Run(func() { k.idle(w, due, of, id, p) }) })
}

// idle calls off a game in which a player has not made the first move, if need be once that can be written. If
// nobody could move, the time begins anew.
func (k *keeper) idle(w *waiting, due time.Time, of table.Event, id table.ID, p table.PlayerID) {
	const idleAgain = 5 * time.Second // how long after a failure it is tried again
	again := func(after time.Duration) {
		k.mu.Lock()
		defer k.mu.Unlock()
		k.await(w, after, of, id, p)
	}
	r := k.events.Room(of.ID)
	view, err := k.club.GalleryView(id)
	if r == nil || err != nil {
		return
	}
	seat := view.SeatOf(p)
	if view.State != table.Playing || view.Play.Turn != seat || slices.ContainsFunc(view.Log, func(e *table.Entry) bool {
		return e.Number != 0 && !e.Auto && e.Event.Seat == seat
	}) {
		return
	}
	if event.Overslept(due, k.events.Now()) {
		again(MoveTime)
		return
	}
	var elsewhere []table.Player // at the table itself they read it there
	for i := range view.Seats {
		if q := view.Seats[i].Player; !k.club.Shows(q.ID, id) {
			elsewhere = append(elsewhere, q)
		}
	}
	did := false
	err = r.Do(k.events.Deps().Context, func(rules event.Rules, _ time.Time) ([]event.Entry, error) {
		entries := rules.(*Arena).Idle(of.Pairing, p)
		did = len(entries) > 0
		return entries, nil
	})
	if errors.Is(err, table.ErrUnavailable) {
		again(idleAgain)
	}
	if err != nil || !did { // if it did, the game is no longer wanted, and its table closes
		return
	}
	k.club.Tell(elsewhere, p, fmt.Sprintf("The game was called off, since %s didn't move.", view.Seats[seat-1].Player.Name))
	k.club.Tell([]table.Player{{ID: p}}, 0, fmt.Sprintf("You didn't move: you are out of arena %d. Enter it again to play on.", of.ID))
}
