package lobby

import (
	"context"
	"errors"
	"sync"

	"boneyard/table"
)

// answers keeps what the stores have answered until results or teams change: a thousand people looking at the standings
// are one question.
type answers struct {
	mu   sync.Mutex
	kept map[any]any
	age  uint64 // counts up with each change
}

const mostAnswers = 256

// forget is called when something has changed that answers rest on.
func (a *answers) forget() {
	a.mu.Lock()
	defer a.mu.Unlock()
	a.kept = nil
	a.age++
}

// remember returns the kept answer to a question, or asks. Errors are not kept, nor is an answer during whose asking
// something changed.
func remember[V any](a *answers, question any, ask func() (V, error)) (V, error) {
	a.mu.Lock()
	if v, ok := a.kept[question]; ok {
		a.mu.Unlock()
		return v.(V), nil
	}
	age := a.age
	a.mu.Unlock()
	v, err := ask()
	if err != nil {
		return v, err
	}
	a.mu.Lock()
	defer a.mu.Unlock()
	if a.age != age {
		return v, nil
	}
	if a.kept == nil || len(a.kept) >= mostAnswers {
		a.kept = map[any]any{}
	}
	a.kept[question] = v
	return v, nil
}

// Standings lists teams, pairs or players by rank. The list is shared; nobody may change it.
func (v *Visit) Standings(ctx context.Context, q StandingsQuery) ([]Standing, error) {
	l := v.lobby
	list, err := remember(&l.answers, q, func() ([]Standing, error) { return l.store.Standings(ctx, q) })
	if err != nil {
		return nil, l.trouble("read the standings", err)
	}
	return list, nil
}

// HeadToHead tells what two teams did against each other. It is shared; nobody may change it. ErrNoTeam.
func (v *Visit) HeadToHead(ctx context.Context, a, b table.TeamID) (*HeadToHead, error) {
	l := v.lobby
	h, err := remember(&l.answers, [2]table.TeamID{a, b}, func() (*HeadToHead, error) { return l.store.HeadToHead(ctx, a, b) })
	switch {
	case errors.Is(err, ErrNotFound):
		return nil, ErrNoTeam
	case err != nil:
		return nil, l.trouble("compare two teams", err)
	}
	return h, nil
}

// Months lists the months with rated games, the newest first. The list is shared; nobody may change it.
func (v *Visit) Months(ctx context.Context) ([]string, error) {
	l := v.lobby
	list, err := remember(&l.answers, "months", func() ([]string, error) { return l.store.Months(ctx) })
	if err != nil {
		return nil, l.trouble("list months", err)
	}
	return list, nil
}

// Games lists games, the newest first. Of unfinished ones only the person's own can be asked for.
func (v *Visit) Games(ctx context.Context, q GamesQuery) ([]GameInfo, error) {
	if q.Mine != 0 {
		q.Mine = v.Player().ID
	}
	list, err := v.lobby.store.Games(ctx, q)
	if err != nil {
		return nil, v.lobby.trouble("list games", err)
	}
	return list, nil
}

// Record returns the lines of a finished game. ErrNoGame for any other.
func (v *Visit) Record(ctx context.Context, id table.GameID) (GameInfo, []string, error) {
	info, lines, err := v.lobby.store.Record(ctx, id)
	switch {
	case errors.Is(err, ErrNotFound):
		return info, nil, ErrNoGame
	case err != nil:
		return info, nil, v.lobby.trouble("read a game", err)
	}
	return info, lines, nil
}
