package page

import (
	"context"

	tea "charm.land/bubbletea/v2"

	"boneyard/ui/plain"
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

// Found is the answer to a question that was asked with [Find].
type Found[T any] struct {
	It  T
	Err error
}

// Take takes up what was found, or why nothing was, and reports whether it was found.
func (f Found[T]) Take(it *T, fault *string) bool {
	if f.Err != nil {
		*fault = plain.Sentence(f.Err)
		return false
	}
	*it = f.It
	return true
}

// Find asks for something by [Question.Once]; a [Found] is the answer.
func Find[T any](q *Question, e *Env, f func(ctx context.Context) (T, error)) tea.Cmd {
	return q.Once(e, func(ctx context.Context) tea.Msg {
		it, err := f(ctx)
		return Found[T]{it, err}
	})
}

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
