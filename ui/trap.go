package ui

import (
	"fmt"
	"runtime/debug"
	"sync"

	tea "charm.land/bubbletea/v2"
)

// PanicError is returned by [Run] when the session ended because something in it panicked.
type PanicError struct {
	Value any
	Stack []byte // of the goroutine that panicked, as debug.Stack writes it
}

func (e *PanicError) Error() string { return fmt.Sprintf("panic: %v", e.Value) }

// trap catches what panics in a session, on whichever goroutine, and ends the session. Bubble Tea would do
// the same, but writes the stack to the standard error of the server, past its log, each time.
type trap struct {
	end func() // ends the session

	mu     sync.Mutex
	caught *PanicError // the first; nil while there is none
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

// err is what was caught; nil if nothing was.
func (t *trap) err() *PanicError {
	t.mu.Lock()
	defer t.mu.Unlock()
	return t.caught
}

// cmd guards a command, and the commands that it returns to be carried out together or one after another.
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
