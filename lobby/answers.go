package lobby

import (
	"context"
	"errors"
	"fmt"
	"runtime/debug"
	"sync"

	"golang.org/x/sync/singleflight"

	"boneyard/lobby/text"
	"boneyard/table"
)

// answers keeps what the stores have answered until results or teams change: a thousand people looking at the standings
// are one question.
type answers struct {
	mu   sync.Mutex
	kept map[any]any
	rows int    // in all that is kept
	age  uint64 // counts up with each change

	asking singleflight.Group // by question and age
}

// What is kept at most, as callers choose what they ask for: so many answers, with so many rows together.
const (
	mostAnswers = 256
	mostRows    = 10_000
)

// Standings are asked of the store in a few lengths only, so that many who ask for different ones are one question.
var standingsLengths = []int{25, 100, 500, 1000}

// forget is called when something has changed that answers rest on.
func (a *answers) forget() {
	a.mu.Lock()
	defer a.mu.Unlock()
	a.kept, a.rows = nil, 0
	a.age++
}

// drop forgets one answer.
func (a *answers) drop(question any) {
	a.mu.Lock()
	defer a.mu.Unlock()
	if v, ok := a.kept[question]; ok {
		delete(a.kept, question)
		a.rows -= rowsOf(v)
	}
}

// remember returns the kept answer to a question, or asks; others who ask the same meanwhile wait for that
// answer. Errors are not kept, nor is an answer during whose asking something changed. ask goes on when ctx
// ends, since others may wait for it.
func remember[V any](ctx context.Context, a *answers, question any, ask func(context.Context) (V, error)) (v V, err error) {
	a.mu.Lock()
	if v, ok := a.kept[question]; ok {
		a.mu.Unlock()
		return v.(V), nil
	}
	age := a.age
	a.mu.Unlock()
	answer := a.asking.DoChan(fmt.Sprintf("%d %T %#v", age, question, question), func() (_ any, err error) {
		defer func() { // in a goroutine of its own, where a panic would end the program
			if fault := recover(); fault != nil {
				err = fmt.Errorf("%w: %v\n%s", errBug, fault, debug.Stack())
			}
		}()
		v, err := ask(context.WithoutCancel(ctx))
		if err == nil {
			a.keep(question, v, age)
		}
		return v, err
	})
	select {
	case r := <-answer:
		if r.Err != nil {
			return v, r.Err
		}
		return r.Val.(V), nil
	case <-ctx.Done():
		return v, ctx.Err()
	}
}

func (a *answers) has(question any) bool {
	a.mu.Lock()
	defer a.mu.Unlock()
	_, ok := a.kept[question]
	return ok
}

// askOnce is remember for somebody, whose question counts if nobody has asked it before; see ask.
func askOnce[V any](ctx context.Context, v *Visit, a *answers, question any,
	read func(context.Context) (V, error)) (answered V, err error) {
	if err := ctx.Err(); err != nil {
		return answered, err // the caller does not wait any more, even for what is known
	}
	answer := func() (V, error) { return remember(ctx, a, question, read) }
	if a.has(question) {
		answered, err = answer()
	} else {
		answered, err = ask(v, answer)
	}
	if errors.Is(err, errBug) {
		err = v.lobby.trouble("answer a question", err)
	}
	return answered, err
}

// errBug is what came of a question behind which there was a panic.
var errBug = errors.New("panic")

// kept is askOnce with an answer from the stores that stays until results or teams change. ErrNotFound
// becomes the refusal none, unless none is empty.
func kept[V any](ctx context.Context, v *Visit, question any, none text.Refusal, doing string,
	read func(context.Context) (V, error)) (V, error) {
	answer, err := askOnce(ctx, v, &v.lobby.answers, question, read)
	return answer, v.lobby.missing(none, doing, err)
}

// keep remembers an answer, unless something has changed since it was asked for.
func (a *answers) keep(question, v any, age uint64) {
	a.mu.Lock()
	defer a.mu.Unlock()
	if a.age != age {
		return
	}
	n := rowsOf(v)
	if a.kept == nil || len(a.kept) >= mostAnswers || a.rows+n > mostRows {
		a.kept, a.rows = map[any]any{}, 0
	}
	a.kept[question] = v
	a.rows += n
}

// rowsOf is about how much an answer holds.
func rowsOf(answer any) int {
	switch v := answer.(type) {
	case []Standing:
		return len(v)
	case []TeamRow:
		return len(v)
	case []Line:
		return len(v)
	case *HeadToHead:
		return 1 + len(v.Games)
	case *Card:
		return len(v.Record.Moments)
	case map[table.PlayerID]int:
		return len(v)
	case *Team:
		return 1 + len(v.Members) + len(v.Invited) + len(v.Recent)
	}
	return 1 // or asked for in one way only
}

// Standings lists teams, pairs or players by rank, 1,000 at most. The list is shared; nobody may change it.
func (v *Visit) Standings(ctx context.Context, q StandingsQuery) ([]Standing, error) {
	l := v.lobby
	limit := q.Limit
	q.Limit = standingsLengths[len(standingsLengths)-1]
	for _, n := range standingsLengths {
		if limit > 0 && limit <= n {
			q.Limit = n
			break
		}
	}
	list, err := kept(ctx, v, q, "", "read the standings",
		func(ctx context.Context) ([]Standing, error) {
			list, err := l.stores.Standings.Standings(ctx, q)
			shields := v.Shields()
			for i := range list {
				s := &list[i]
				s.Shield = q.Kind == KindPlayer && shields.Players[table.PlayerID(s.ID)] || q.Kind == KindTeam && shields.Teams[table.TeamID(s.ID)]
			}
			return list, err
		})
	if limit > 0 && limit < len(list) {
		list = list[:limit:limit]
	}
	return list, err
}

// HeadToHead reports what two teams did against each other. It is shared; nobody may change it. ErrNoTeam.
func (v *Visit) HeadToHead(ctx context.Context, a, b table.TeamID) (*HeadToHead, error) {
	return kept(ctx, v, [2]table.TeamID{a, b}, ErrNoTeam, "compare two teams", func(ctx context.Context) (*HeadToHead, error) {
		return v.lobby.stores.Standings.HeadToHead(ctx, a, b)
	})
}

// Months lists the months with rated games, the newest first. The list is shared; nobody may change it.
func (v *Visit) Months(ctx context.Context) ([]string, error) {
	return kept(ctx, v, "months", "", "list months", v.lobby.stores.Standings.Months)
}

// Games lists games, the newest first. Of unfinished ones only the person's own can be asked for. ErrTooFast,
// ErrManySearches, ErrSlow.
func (v *Visit) Games(ctx context.Context, q GamesQuery) ([]GameInfo, error) {
	if q.Mine != 0 {
		q.Mine = v.Player().ID
	}
	list, err := ask(v, func() ([]GameInfo, error) {
		if q.Text != "" { // common words take long to find together, and somebody with many addresses could ask all the time
			r := &v.lobby.limits.searches
			if err := v.may(r, ErrManySearches); err != nil {
				return nil, err
			}
			defer v.took(r, v.lobby.now())
		}
		return v.lobby.stores.Games.Games(ctx, q)
	})
	return list, v.lobby.trouble("list games", err)
}

// Record returns the lines of a finished game. ErrNoGame for any other.
func (v *Visit) Record(ctx context.Context, id table.GameID) (GameInfo, []string, error) {
	var lines []string
	info, err := ask(v, func() (info GameInfo, err error) {
		info, lines, err = v.lobby.stores.Games.Record(ctx, id)
		return info, err
	})
	return info, lines, v.lobby.missing(ErrNoGame, "read a game", err)
}
