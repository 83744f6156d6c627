package store

import (
	"encoding/json"

	"boneyard/lobby"
	"boneyard/lobby/rating"
)

const (
	lastKept   = 5  // games
	courseKept = 24 // ratings
)

// form is a row of the standings: how somebody has done in some games over some time.
type form struct {
	kind  lobby.Kind
	game  string // a preset, empty for all
	month string // empty for all time
	id    int64

	rating          rating.Rating
	games, won      int
	points, against int
	streak          int
	last            string
	course          []int
}

// form reads a row of the standings; a newcomer's if there is none.
func (t *tx) form(kind lobby.Kind, game, month string, id int64) (*form, error) {
	f := &form{kind: kind, game: game, month: month, id: id}
	var course []byte
	err := t.queryRow(`SELECT mu, sigma, games, won, points, against, streak, last, course FROM standings
		WHERE kind = ? AND game = ? AND month = ? AND id = ?`, string(kind), game, month, id).
		Scan(&f.rating.Mu, &f.rating.Sigma, &f.games, &f.won, &f.points, &f.against, &f.streak, &f.last, &course)
	if isNone(err) {
		f.rating = rating.Initial()
		return f, nil
	}
	if err != nil {
		return nil, err
	}
	return f, json.Unmarshal(course, &f.course)
}

// add counts one more game, after which the rating is r.
func (f *form) add(r rating.Rating, won bool, points, against int) {
	f.rating = r
	f.games++
	f.points += points
	f.against += against
	outcome, step := rating.Lost, -1
	if won {
		f.won++
		outcome, step = rating.Won, 1
	}
	if f.streak*step < 0 {
		f.streak = 0
	}
	f.streak += step
	f.last += outcome.String()
	f.last = f.last[max(0, len(f.last)-lastKept):]
	f.course = append(f.course, r.Number())
	f.course = f.course[max(0, len(f.course)-courseKept):]
}

func (t *tx) saveForm(f *form) error {
	course, err := json.Marshal(f.course)
	if err != nil {
		return err
	}
	_, err = t.exec(`REPLACE INTO standings (kind, game, month, id, mu, sigma, provisional, games, won, points, against, streak, last, course)
		VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
		string(f.kind), f.game, f.month, f.id, f.rating.Mu, f.rating.Sigma, f.rating.Provisional(), f.games, f.won, f.points, f.against,
		f.streak, f.last, string(course))
	return err
}
