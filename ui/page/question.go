package page

import (
	"context"
	"errors"
	"time"

	"boneyard/lobby"

	tea "charm.land/bubbletea/v2"
)

// Question is something that a page asks the club repeatedly, such as for its list. The page gets the answer
// to the latest request only; the root drops the others. The zero Question is ready to use.
type Question struct {
	number  int // of the latest request
	waiting bool
	cancel  context.CancelFunc
}

// AnswerMsg is the answer to a [Question].
type AnswerMsg struct {
	of     *Question
	number int
	msg    tea.Msg
}

// Ask is [Env.Call], and cancels the previous request.
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

// Once is Ask, but does nothing while an answer is pending.
func (q *Question) Once(e *Env, f func(ctx context.Context) tea.Msg) tea.Cmd {
	if q.waiting {
		return nil
	}
	return q.Ask(e, f)
}

// Then is what a page does with an answer, or after the person has said yes. The root carries it out unless
// the page was left.
type Then func() tea.Cmd

// Find asks for something by [Env.Call], [Question.Ask] or [Question.Once], and calls take with the answer on
// the page. While the club refuses it with ErrTooFast, Find asks again, for as long as a page waits.
func Find[T any](ask func(*Env, func(context.Context) tea.Msg) tea.Cmd, e *Env, f func(context.Context) (T, error),
	take func(it T, err error) tea.Cmd) tea.Cmd {
	return ask(e, func(ctx context.Context) tea.Msg {
		it, err := patiently(ctx, f)
		return Then(func() tea.Cmd { return take(it, err) })
	})
}

func patiently[T any](ctx context.Context, f func(context.Context) (T, error)) (it T, err error) {
	const askAgain = time.Second // the pause after ErrTooFast. The club's limits recover in at most 2.4 s.
	for {
		if it, err = f(ctx); !errors.Is(err, lobby.ErrTooFast) {
			return it, err
		}
		select {
		case <-time.After(askAgain):
		case <-ctx.Done():
			return it, err
		}
	}
}

// Get is [Find] for what the player only needs an answer to: an error is shown, even if the page was left.
func Get[T any](ask func(*Env, func(context.Context) tea.Msg) tea.Cmd, e *Env, f func(context.Context) (T, error),
	take func(it T) tea.Cmd) tea.Cmd {
	return ask(e, func(ctx context.Context) tea.Msg {
		it, err := patiently(ctx, f)
		if err != nil {
			return Complain(err)
		}
		return Then(func() tea.Cmd { return take(it) })
	})
}

// Forget cancels the request.
func (q *Question) Forget() {
	q.number++
	q.waiting = false
	if q.cancel != nil {
		q.cancel()
		q.cancel = nil
	}
}

// Waiting reports whether an answer is pending.
func (q *Question) Waiting() bool { return q.waiting }

// Take returns the answer, unless the page has asked again since. The root calls it before the page gets the
// answer.
func (a AnswerMsg) Take() (msg tea.Msg, ok bool) {
	if a.number != a.of.number {
		return nil, false
	}
	a.of.waiting, a.of.cancel = false, nil
	return a.msg, a.msg != nil
}
