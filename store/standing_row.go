package store

import (
	"cmp"
	"maps"
	"slices"
	"strings"

	"boneyard/lobby"
	"boneyard/lobby/rating"
)

const (
	lastKept    = 5  // games
	historyKept = 24 // ratings
)

// standing is a row of the standings: the results of a player, pair or team in some games over some time.
type standing struct {
	standingKey
	rating          rating.Rating
	games           int
	won, shared     int
	points, against int
	streak          int
	last            string
	history         []int
}

type standingKey struct {
	kind  lobby.Kind
	game  string // a preset, empty for all
	month string // empty for all time
	id    int64
}

// standing reads a row of the standings, or returns that of a newcomer.
func (t *tx) standing(kind lobby.Kind, game, month string, id int64) (*standing, error) {
	f := &standing{standingKey: standingKey{kind, game, month, id}}
	if k := t.kept; k != nil {
		if row := k.rows[f.standingKey]; row != nil {
			return row, nil
		}
		if !k.written[month] {
			f.rating = rating.Initial()
			return f, nil
		}
	}
	err := t.queryRow(`SELECT mu, sigma, games, won, shared, points, against, streak, last, course FROM standings
		WHERE kind = ? AND game = ? AND month = ? AND id = ?`, string(kind), game, month, id).
		Scan(&f.rating.Mu, &f.rating.Sigma, &f.games, &f.won, &f.shared, &f.points, &f.against, &f.streak, &f.last, asJSON{&f.history})
	if isNone(err) {
		f.rating = rating.Initial()
		return f, nil
	}
	return f, err
}

// ended is how a game ended for one side, as a letter of "last".
type ended string

const (
	endedWon    ended = "W"
	endedLost   ended = "L"
	endedShared ended = "S"
)

// add counts one more game, after which the rating is r. A shared game ends a streak.
func (f *standing) add(r rating.Rating, how ended, points, against int) {
	f.rating = r
	f.games++
	f.points += points
	f.against += against
	switch how {
	case endedWon:
		f.won++
		f.streak = max(f.streak, 0) + 1
	case endedLost:
		f.streak = min(f.streak, 0) - 1
	case endedShared:
		f.shared++
		f.streak = 0
	}
	f.last += string(how)
	f.last = f.last[max(0, len(f.last)-lastKept):]
	f.history = append(f.history, r.Number())
	f.history = f.history[max(0, len(f.history)-historyKept):]
}

// saveStanding writes a row, or holds it back: see keepStandings.
func (t *tx) saveStanding(f *standing) error {
	if t.kept != nil {
		t.kept.rows[f.standingKey] = f
		return nil
	}
	return t.writeStanding(f)
}

// keptStandings are rows that keepStandings holds back.
type keptStandings struct {
	rows    map[standingKey]*standing // for all time, and of month
	month   string
	written map[string]bool // months with rows in the database
}

// keepStandings runs do with rows of the standings in memory, and then writes them. It serves to compute all
// games at once, when most rows change again and again. It begins without rows.
func (t *tx) keepStandings(do func() error) error {
	t.kept = &keptStandings{rows: make(map[standingKey]*standing), written: make(map[string]bool)}
	defer func() { t.kept = nil }()
	if err := do(); err != nil {
		return err
	}
	return t.writeKept(func(standingKey) bool { return true })
}

// beginMonth is called with the month of each game. It writes the rows of the month before: those of all months
// of a club of years do not fit into the memory of a small machine.
func (t *tx) beginMonth(month string) error {
	k := t.kept
	if k == nil || k.month == month {
		return nil
	}
	k.written[k.month] = k.month != "" // the rows for all time stay
	k.month = month
	return t.writeKept(func(key standingKey) bool { return key.month != "" })
}

// writeKept writes kept rows in the order of their keys, so that the table and its index grow at their ends.
func (t *tx) writeKept(of func(standingKey) bool) error {
	keys := slices.Collect(maps.Keys(t.kept.rows))
	keys = slices.DeleteFunc(keys, func(key standingKey) bool { return !of(key) })
	slices.SortFunc(keys, standingKey.compare)
	for _, key := range keys {
		if err := t.writeStanding(t.kept.rows[key]); err != nil {
			return err
		}
		delete(t.kept.rows, key)
	}
	return nil
}

func (k standingKey) compare(o standingKey) int {
	return cmp.Or(cmp.Compare(k.kind, o.kind), cmp.Compare(k.game, o.game), cmp.Compare(k.month, o.month), cmp.Compare(k.id, o.id))
}

// values returns what the columns of standingsTable hold, in order.
func (f *standing) values() []any {
	return []any{string(f.kind), f.game, f.month, f.id, f.rating.Mu, f.rating.Sigma, f.rating.Provisional(), f.games,
		f.won, f.shared, f.points, f.against,
		f.streak, f.last, asJSON{f.history}}
}

func (t *tx) writeStanding(f *standing) error {
	return t.exec(replaceStanding, f.values()...)
}

var replaceStanding = `REPLACE INTO standings (` + standingsTable.list() + `)
	VALUES (?` + strings.Repeat(", ?", len(standingsTable.columns)+len(standingsTable.key)-1) + `)`
