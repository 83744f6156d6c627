package page

import (
	"context"
	"errors"
	"time"

	"boneyard/lobby"

	tea "charm.land/bubbletea/v2"
)

// Question is something that a page asks the club again and again, such as for its list. Only the answer to
// the latest asking reaches the page: the root drops the others. The zero Question has not been asked.
type Question struct {
	number  int // of the latest asking
	waiting bool
	cancel  context.CancelFunc
}

// AnswerMsg is what came of a [Question].
type AnswerMsg struct {
	of     *Question
	number int
	msg    tea.Msg
}

// Ask is [Env.Call], and calls off what was asked before.
func (q *Question) Ask(e *Env, f func(ctx context.Context) tea.Msg) tea.Cmd {
	q.Forget()
	q.waiting = true
	n := q.number
	called, cancel := context.WithCancel(context.Background())
	q.cancel = cancel
	return e.Call(func(ctx context.Context) tea.Msg {
		defer cancel()
		ctx, stop := context.WithCancel(ctx)
		defer stop()
		defer context.AfterFunc(called, stop)()
		return AnswerMsg{q, n, f(ctx)}
	})
}

// Once is Ask, but asks nothing while an answer is waited for.
func (q *Question) Once(e *Env, f func(ctx context.Context) tea.Msg) tea.Cmd {
	if q.waiting {
		return nil
	}
	return q.Ask(e, f)
}

// Then is what a page does when what it asked for has come, or the person has said yes. The root carries it out
// unless the page was left.
type Then func() tea.Cmd

// Find asks for something by [Env.Call], [Question.Ask] or [Question.Once], and has take take it up on the page. What comes too
// fast for the club's limits is asked again, as the person would do, for as long as a page waits.
func Find[T any](ask func(*Env, func(context.Context) tea.Msg) tea.Cmd, e *Env, f func(context.Context) (T, error),
	take func(it T, err error) tea.Cmd) tea.Cmd {
	return ask(e, func(ctx context.Context) tea.Msg {
		it, err := f(ctx)
		for errors.Is(err, lobby.ErrTooFast) {
			select {
			case <-time.After(askAgain):
				it, err = f(ctx)
				continue
			case <-ctx.Done():
			}
			break
		}
		return Then(func() tea.Cmd { return take(it, err) })
	})
}

// askAgain is how long after it was too fast something is asked again. The club's limits are made up for in 2.4 s at most.
const askAgain = time.Second

// Forget calls off what was asked.
func (q *Question) Forget() {
	q.number++
	q.waiting = false
	if q.cancel != nil {
		q.cancel()
		q.cancel = nil
	}
}

// Waiting reports whether an answer is still to come.
func (q *Question) Waiting() bool { return q.waiting }

// Take returns the answer, unless something else was asked meanwhile. The root calls it before the page gets
// the answer.
func (a AnswerMsg) Take() (msg tea.Msg, ok bool) {
	if a.number != a.of.number {
		return nil, false
	}
	a.of.waiting, a.of.cancel = false, nil
	return a.msg, a.msg != nil
}
