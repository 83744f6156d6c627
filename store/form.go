package store

import (
	"encoding/json"

	"boneyard/lobby"
	"boneyard/lobby/rating"
)

const (
	lastKept    = 5  // games
	historyKept = 24 // ratings
)

// form is a row of the standings: how somebody has done in some games over some time.
type form struct {
	formKey
	rating          rating.Rating
	games           int
	won, shared     int
	points, against int
	streak          int
	last            string
	history         []int
}

// formKey tells the rows apart.
type formKey struct {
	kind  lobby.Kind
	game  string // a preset, empty for all
	month string // empty for all time
	id    int64
}

// form reads a row of the standings; a newcomer's if there is none.
func (t *tx) form(kind lobby.Kind, game, month string, id int64) (*form, error) {
	f := &form{formKey: formKey{kind, game, month, id}}
	if kept := t.forms[f.formKey]; kept != nil {
		return kept, nil
	}
	var history []byte
	err := t.queryRow(`SELECT mu, sigma, games, won, shared, points, against, streak, last, course FROM standings
		WHERE kind = ? AND game = ? AND month = ? AND id = ?`, string(kind), game, month, id).
		Scan(&f.rating.Mu, &f.rating.Sigma, &f.games, &f.won, &f.shared, &f.points, &f.against, &f.streak, &f.last, &history)
	if isNone(err) {
		f.rating = rating.Initial()
		return f, nil
	}
	if err != nil {
		return nil, err
	}
	return f, json.Unmarshal(history, &f.history)
}

// ended is how a game ended for one side: the letters of "last".
type ended string

const (
	endedWon    ended = "W"
	endedLost   ended = "L"
	endedShared ended = "S"
)

// add counts one more game, after which the rating is r. A shared game ends a streak.
func (f *form) add(r rating.Rating, how ended, points, against int) {
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

// saveForm writes a row, or keeps it back until keepForms ends.
func (t *tx) saveForm(f *form) error {
	if t.forms != nil {
		t.forms[f.formKey] = f
		return nil
	}
	return t.writeForm(f)
}

// keepForms runs do with the rows of the standings in memory, and writes them when it is done: for computing many games
// at once, where most rows are moved again and again.
func (t *tx) keepForms(do func() error) error {
	t.forms = make(map[formKey]*form)
	defer func() { t.forms = nil }()
	if err := do(); err != nil {
		return err
	}
	for _, f := range t.forms {
		if err := t.writeForm(f); err != nil {
			return err
		}
	}
	return nil
}

func (t *tx) writeForm(f *form) error {
	history, err := json.Marshal(f.history)
	if err != nil {
		return err
	}
	_, err = t.exec(`REPLACE INTO standings (kind, game, month, id, mu, sigma, provisional, games, won, shared, points, against, streak, last, course)
		VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
		string(f.kind), f.game, f.month, f.id, f.rating.Mu, f.rating.Sigma, f.rating.Provisional(), f.games, f.won, f.shared, f.points, f.against,
		f.streak, f.last, string(history))
	return err
}
