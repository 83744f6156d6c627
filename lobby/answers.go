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

// answers keeps the stores' answers until results or teams change, so that a thousand people looking at the
// standings are one question.
type answers struct {
	mu   sync.Mutex
	kept map[any]any
	rows int    // of all answers kept
	age  uint64 // grows with each forget

	asking singleflight.Group // by question and age
}

// Limits for answers kept, since callers choose the questions, and for their rows together.
const (
	mostAnswers = 256
	mostRows    = 10_000
)

// forget drops all answers: something that they depend on has changed.
func (a *answers) forget() {
	a.mu.Lock()
	defer a.mu.Unlock()
	a.kept, a.rows = nil, 0
	a.age++
}

// drop drops one answer.
func (a *answers) drop(question any) {
	a.mu.Lock()
	defer a.mu.Unlock()
	if v, ok := a.kept[question]; ok {
		delete(a.kept, question)
		a.rows -= rowsOf(v)
	}
}

// remember returns the kept answer to a question, or calls ask; others with the same question meanwhile wait
// for that answer. It keeps neither errors nor answers that forget has overtaken. ask goes on when ctx ends,
// since others may wait for it.
func remember[V any](ctx context.Context, a *answers, question any, ask func(context.Context) (V, error)) (v V, err error) {
	a.mu.Lock()
	if v, ok := a.kept[question]; ok {
		a.mu.Unlock()
		return v.(V), nil
	}
	age := a.age
	a.mu.Unlock()
	answer := a.asking.DoChan(fmt.Sprintf("%d %T %#v", age, question, question), func() (_ any, err error) {
		defer func() { // on a goroutine of its own, where a panic would end the program
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

// askOnce is remember for a person: a question that is not yet answered counts as by ask.
func askOnce[V any](ctx context.Context, v *Visit, a *answers, question any,
	read func(context.Context) (V, error)) (answered V, err error) {
	if err := ctx.Err(); err != nil {
		return answered, err // the caller no longer waits, even for a known answer
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

// errBug is returned for a question that caused a panic.
var errBug = errors.New("panic")

// kept is askOnce for an answer of the stores that is valid until results or teams change. ErrNotFound
// becomes the refusal none, unless that is empty.
func kept[V any](ctx context.Context, v *Visit, question any, none text.Refusal, doing string,
	read func(context.Context) (V, error)) (V, error) {
	answer, err := askOnce(ctx, v, &v.lobby.answers, question, read)
	return answer, v.lobby.missing(none, doing, err)
}

// keep keeps an answer, unless something has changed since the question.
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

// rowsOf returns about how many rows an answer holds.
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
	return 1 // or a question without parameters
}

// Standings lists teams, pairs or players by rank, at most 1,000. The list is shared; nobody may change it.
func (v *Visit) Standings(ctx context.Context, q StandingsQuery) ([]Standing, error) {
	standingsLengths := []int{25, 100, 500, 1000} // asked of the store, so that requests of many lengths are few questions
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

// HeadToHead returns how two teams fared against each other, or ErrNoTeam. It is shared: do not change it.
func (v *Visit) HeadToHead(ctx context.Context, a, b table.TeamID) (*HeadToHead, error) {
	return kept(ctx, v, [2]table.TeamID{a, b}, ErrNoTeam, "compare two teams", func(ctx context.Context) (*HeadToHead, error) {
		return v.lobby.stores.Standings.HeadToHead(ctx, a, b)
	})
}

// Months lists the months with rated games, newest first. The list is shared; nobody may change it.
func (v *Visit) Months(ctx context.Context) ([]string, error) {
	return kept(ctx, v, "months", "", "list months", v.lobby.stores.Standings.Months)
}

// Games lists games, newest first; unfinished ones only if they are the person's own. It returns ErrTooFast,
// ErrManySearches or ErrSlow.
func (v *Visit) Games(ctx context.Context, q GamesQuery) ([]GameInfo, error) {
	if q.Mine != 0 {
		q.Mine = v.Player().ID
	}
	list, err := ask(v, func() ([]GameInfo, error) {
		if q.Text != "" { // common words are slow to find together, and one person may have many addresses
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

// Record returns the lines of a finished game; ErrNoGame for any other.
func (v *Visit) Record(ctx context.Context, id table.GameID) (GameInfo, []string, error) {
	var lines []string
	info, err := ask(v, func() (info GameInfo, err error) {
		info, lines, err = v.lobby.stores.Games.Record(ctx, id)
		return info, err
	})
	return info, lines, v.lobby.missing(ErrNoGame, "read a game", err)
}
