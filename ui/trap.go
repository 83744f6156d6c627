package ui

import (
	"fmt"
	"runtime/debug"
	"sync"

	tea "charm.land/bubbletea/v2"
)

// PanicError is returned by [Run] if something in the session panicked.
type PanicError struct {
	Value any
	Stack []byte // of the goroutine that panicked, as debug.Stack writes it
}

func (e *PanicError) Error() string { return fmt.Sprintf("panic: %v", e.Value) }

// trap recovers panics on all goroutines of a session, and ends the session. Bubble Tea would do the same,
// but write the stack to the server's standard error instead of its log.
type trap struct {
	end func() // ends the session

	mu     sync.Mutex
	caught *PanicError // the first; nil if there is none
}

// guard is deferred wherever code of a page runs.
func (t *trap) guard() {
	v := recover()
	if v == nil {
		return
	}
	stack := debug.Stack()
	t.mu.Lock()
	if t.caught == nil {
		t.caught = &PanicError{v, stack}
	}
	t.mu.Unlock()
	t.end()
}

// err returns the panic that was caught, or nil.
func (t *trap) err() *PanicError {
	t.mu.Lock()
	defer t.mu.Unlock()
	return t.caught
}

// cmd guards a command, and those of a batch or sequence that it returns.
func (t *trap) cmd(c tea.Cmd) tea.Cmd {
	if c == nil {
		return nil
	}
	return func() (msg tea.Msg) {
		defer t.guard()
		msg = c()
		each(msg, t.cmd)
		return msg
	}
}
