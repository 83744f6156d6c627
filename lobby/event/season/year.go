package season

import (
	"slices"
	"sync"
	"time"

	"boneyard/lobby/event"
)

// Year is the outcomes of a year, with what follows from them, which is computed once however many people ask
// for it. Its methods may be called by any goroutine.
type Year struct {
	All []event.Outcome // newest first

	kinds  event.Kinds
	past   []Past // newest first
	mu     sync.Mutex
	tables map[monthly][]Row
}

// monthly identifies the table of a month.
type monthly struct {
	first time.Time
	teams bool
}

func newYear(kinds event.Kinds, all []event.Outcome) *Year {
	y := &Year{All: all, kinds: kinds, tables: map[monthly][]Row{}}
	for i := range all {
		if all[i].Match != 0 {
			continue
		}
		p := Past{Outcome: all[i], Podium: all[i].Places}
		if len(all[i].Teams) > 0 {
			p.Podium = all[i].Teams
		}
		p.Podium = slices.DeleteFunc(slices.Clone(p.Podium), func(x event.Placing) bool { return x.Place > podium })
		y.past = append(y.past, p)
	}
	return y
}

// Table is [Table] of these outcomes. The table is shared; nobody may change it.
func (y *Year) Table(first time.Time, teams bool) []Row {
	y.mu.Lock()
	defer y.mu.Unlock()
	of := monthly{first, teams}
	if y.tables[of] == nil {
		rows := Table(y.kinds, y.All, first, teams)
		if rows == nil { // people may ask for any month to come
			return nil
		}
		y.tables[of] = rows
	}
	return y.tables[of]
}
