// Package remote answers commands that are given to ssh instead of a terminal: it knows what each command
// asks of the club and how its answer is written, as text or as JSON Lines, and must not know how the words
// came here, nor anything of screens.
//
// docs/commands.md describes the commands and the fields of their JSON. Answers go to the output, one thing a
// line; errors to the error stream, as one line. The exit status is 0 for success, 1 if the command was
// refused or something was not found, and 2 if there is no such command or not in that form.
package remote

import (
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"io"
	"sync"

	"boneyard/lobby"
	"boneyard/lobby/text"
	"boneyard/table"
	"boneyard/ui/feature"
	"boneyard/ui/plain"
)

const (
	exitOK      = 0
	exitRefused = 1 // it was refused, or was not found
	exitUsage   = 2 // there is no such command, or not in that form
)

// Session is one command of one caller.
type Session struct {
	feature.Caller
	Command  []string // its words, at least one
	In       feature.Input
	Err      io.Writer
	Terminal bool // lines end with CR LF
}

// Run carries out the command and returns the exit status. It returns soon after ctx has ended.
func Run(ctx context.Context, s *Session) int {
	c := &call{Session: s, out: newOutput(s.Out, s.Terminal)}
	err := c.run(ctx)
	if flushed := c.out.flush(); err == nil {
		err = flushed
	}
	if err == nil {
		return exitOK
	}
	last := newOutput(s.Err, s.Terminal)
	var usage feature.Usage
	var status exitError
	switch {
	case errors.As(err, &status):
		return int(status)
	case errors.As(err, &usage):
		last.line(usage.Error())
	case ctx.Err() != nil:
		last.line(lobby.NoticeDraining)
	case lobby.IsForPlayer(err):
		last.line(plain.Sentence(err))
	default:
		s.Log.Warn("command", "command", s.Command[0], "err", err)
		last.line(feature.ErrOurSide.Error())
	}
	_ = last.flush() // the caller may be gone
	if usage != "" {
		return exitUsage
	}
	return exitRefused
}

// exitError ends a command with a status, without a message.
type exitError int

func (e exitError) Error() string { return "the command has ended" }

const (
	errNoAccount text.Refusal = "Your key has no account yet: the command register NAME creates one, and so does a first " +
		"visit with a terminal."
	errNothing text.Refusal = "No finished game and no table has that number."
)

// call is a command that is being carried out.
type call struct {
	*Session
	opt  feature.Options
	args []string
	out  *output
}

// ask returns a visit that asks without entering the club.
func (c *call) ask() (*lobby.Visit, error) { return c.Club.Ask(c.Account, c.Origin) }

// write writes an object for programs, or lines for people.
func (c *call) write(object any, lines ...string) {
	if c.opt.JSON {
		c.out.json(object)
		return
	}
	c.out.line(lines...)
}

// enter lets the caller in, as a guest if they have no key. The caller must close the visit.
func (c *call) enter(ctx context.Context) (*lobby.Visit, error) {
	return c.Club.Enter(ctx, c.Account, c.Origin)
}

// member refuses a key that has no account yet. Guests pass.
func (c *call) member() error {
	if c.Key != nil && c.Account == nil {
		return errNoAccount
	}
	return nil
}

// output writes lines. Its first error stays, and flush returns it.
type output struct {
	w   io.Writer
	buf *bytes.Buffer // waiting for flush; nil: nothing
	end string
	err error
}

// mostWaiting is how many bytes may wait before they are flushed.
const mostWaiting = 16 << 10

// buffers are shared by all sessions; an idle session has none.
var buffers = sync.Pool{New: func() any { return new(bytes.Buffer) }}

func newOutput(w io.Writer, terminal bool) *output {
	o := &output{w: w, end: "\n"}
	if terminal {
		o.end = "\r\n"
	}
	return o
}

// waiting returns the buffer of what waits for flush.
func (o *output) waiting() *bytes.Buffer {
	if o.buf == nil {
		o.buf = buffers.Get().(*bytes.Buffer)
	}
	return o.buf
}

func (o *output) line(lines ...string) {
	for _, s := range lines {
		o.waiting().WriteString(s)
		o.ended()
	}
}

func (o *output) json(v any) {
	if o.encode(v) {
		o.ended()
	}
}

// state writes a table as JSON: what all readers see, which the first of them encodes, and the reader's own
// part.
func (o *output) state(v *table.View) {
	o.waiting().Write(v.Once(func() []byte {
		all := output{buf: new(bytes.Buffer)} // kept by the view
		all.encode(shownOf(v))
		return all.buf.Bytes()[:all.buf.Len()-1] // without its closing brace
	}))
	at := o.buf.Len()
	if o.encode(mineOf(v)) {
		o.buf.Bytes()[at] = ',' // in place of its opening brace
		o.ended()
	}
}

// encode writes a value as JSON, and reports whether it could.
func (o *output) encode(v any) bool {
	enc := json.NewEncoder(o.waiting())
	enc.SetEscapeHTML(false)
	if err := enc.Encode(v); err != nil {
		o.err = cmp.Or(o.err, err)
		return false
	}
	o.buf.Truncate(o.buf.Len() - 1) // its own line feed
	return true
}

// ended ends a line.
func (o *output) ended() {
	o.buf.WriteString(o.end)
	if o.buf.Len() >= mostWaiting {
		_ = o.flush() // the error stays
	}
}

// flush sends what was written. It returns the first error of all writes.
func (o *output) flush() error {
	if o.buf == nil {
		return o.err
	}
	if o.err == nil && o.buf.Len() > 0 {
		_, o.err = o.w.Write(o.buf.Bytes())
	}
	if o.buf.Reset(); o.buf.Cap() <= 2*mostWaiting {
		buffers.Put(o.buf)
	}
	o.buf = nil
	return o.err
}
