package event

import (
	"errors"
	"maps"
	"slices"
	"sync"
	"time"

	"boneyard/lobby/text"
	"boneyard/table"
)

// opening is how many tables are opened at the same time.
const opening = 32

// attend opens the tables that the event wants, and closes the others.
func (r *Room) attend() error {
	open, now := *r.tables.Load(), time.Now()
	var missing []Pairing
	wanted := map[int64]bool{}
	if !r.over() {
		missing = r.rules.Wanted()
	}
	for _, p := range missing {
		wanted[p.No] = true
		if l := r.lost[p.No]; slices.Contains(r.gone, p.No) {
			r.lost[p.No] = lost{l.times + 1, now.Add(min(reopenFirst<<min(l.times, 30), reopenMost))}
		}
	}
	r.gone = nil
	maps.DeleteFunc(r.lost, func(no int64, _ lost) bool { return !wanted[no] })
	stuck := r.closeOthers(wanted) // a table that cannot be closed must not hold up other games
	missing = slices.DeleteFunc(missing, func(p Pairing) bool {
		_, ok := open[p.No]
		return ok || r.lost[p.No].until.After(now)
	})
	if len(missing) == 0 {
		return stuck
	}
	made := make([]table.ID, len(missing))
	errs := make([]error, len(missing))
	places := make(chan struct{}, opening)
	var wg sync.WaitGroup
	for i, p := range missing {
		p.Config.Event.ID, p.Config.Event.Pairing = r.event.ID, p.No
		places <- struct{}{}
		wg.Go(func() {
			made[i], errs[i] = r.deps.Club.OpenTable(r.ctx, p)
			<-places
		})
	}
	wg.Wait()
	tables := maps.Clone(open)
	for i, p := range missing {
		switch err := errs[i]; {
		case err == nil:
			tables[p.No] = made[i]
		case errors.Is(err, ErrBusy):
			errs[i] = nil // retried when another game is over
		case errors.Is(err, table.ErrConfig): // it can never be played, except by a later version of the program
			if r.lost[p.No].times == 0 {
				r.log.Error("event: a game cannot be played", "pairing", p.No, "err", err)
			}
			r.lost[p.No], errs[i] = lost{1, now.Add(reopenMost)}, nil
		}
	}
	r.tables.Store(&tables)
	r.show()
	return errors.Join(append(errs, stuck)...)
}

// closeOthers closes the tables of games that are not wanted, and second tables of games.
func (r *Room) closeOthers(wanted map[int64]bool) error {
	closing := slices.Clone(r.spare)
	for no, id := range *r.tables.Load() {
		if !wanted[no] {
			closing = append(closing, id)
		}
	}
	return errors.Join(text.Each(closing, func(id table.ID) error { return r.deps.Club.CloseTable(r.ctx, id) })...)
}
