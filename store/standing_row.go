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
	if t.standings != nil {
		if kept := t.standings[f.standingKey]; kept != nil {
			return kept, nil
		}
		f.rating = rating.Initial()
		return f, nil
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

// saveStanding writes a row, or holds it back until keepStandings ends.
func (t *tx) saveStanding(f *standing) error {
	if t.standings != nil {
		t.standings[f.standingKey] = f
		return nil
	}
	return t.writeStanding(f)
}

// keepStandings runs do with the rows of the standings in memory, and returns them unwritten. It serves to
// compute all games at once, when most rows change again and again. It begins without rows.
func (t *tx) keepStandings(do func() error) (rows map[standingKey]*standing, err error) {
	t.standings = make(map[standingKey]*standing)
	defer func() { t.standings = nil }()
	if err := do(); err != nil {
		return nil, err
	}
	return t.standings, nil
}

// writeStandings writes rows in the order of their keys, so that the table and its index grow at their ends.
func (t *tx) writeStandings(rows map[standingKey]*standing) error {
	for _, key := range slices.SortedFunc(maps.Keys(rows), standingKey.compare) {
		if err := t.writeStanding(rows[key]); err != nil {
			return err
		}
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
