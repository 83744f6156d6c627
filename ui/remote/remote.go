// Package remote answers commands that are given to ssh instead of a terminal: it knows what each command asks of the club
// and how its answer is written, as text or as JSON Lines, and must not know how the words came here, nor anything of
// screens.
//
// What the commands are and what each field of their JSON means is told in docs/commands.md. Answers go to the output, one
// thing a line; errors to the error stream, as one line. The exit status is 0, or 1 for what was refused or not found, or 2
// for a command that does not exist in that form.
package remote

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"io"
	"log/slog"

	"boneyard/lobby"
	"boneyard/lobby/text"
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
	Club     *lobby.Lobby
	Account  *lobby.Account // nil for a guest, and for a key without an account
	Key      *lobby.KeyID   // nil for a guest
	Origin   lobby.Origin
	Address  string   // the part of an ssh command that names this club
	Command  []string // its words, at least one
	In       io.Reader
	Out, Err io.Writer
	Terminal bool // lines end with CR LF
	Log      *slog.Logger
}

// Run carries out the command and returns the exit status. It returns soon after ctx has ended; In may still be read then,
// until it is closed.
func Run(ctx context.Context, s Session) int {
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
		last.line("Something went wrong on our side; please try again.")
	}
	_ = last.flush() // the caller may be gone
	if usage != "" {
		return exitUsage
	}
	return exitRefused
}

// exitError ends a command with a status when all has been said.
type exitError int

func (e exitError) Error() string { return "the command has ended" }

const (
	errNoAccount text.Refusal = "Your key has no account yet: the command register NAME creates one, and so does a first " +
		"visit with a terminal."
	errNoKey   text.Refusal = "That's for members. Connect with an SSH key; the key is your account."
	errNothing text.Refusal = "No finished game and no table has that number."
)

// call is a command that is being carried out.
type call struct {
	Session
	opt  feature.Options
	args []string
	out  *output
}

// ask is a visit that asks without coming in.
func (c *call) ask() (*lobby.Visit, error) { return c.Club.Ask(c.Account, c.Origin) }

// askOf is a visit that asks about the table or game with a number.
func (c *call) askOf(number string) (*lobby.Visit, int64, error) {
	n, err := feature.Number(number)
	if err != nil {
		return nil, 0, err
	}
	v, err := c.ask()
	return v, n, err
}

// enter lets the caller in, as a guest if they have no key. The visit must be closed.
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

// output writes lines. Its first error stays, and is returned by flush.
type output struct {
	w   *bufio.Writer
	end string
	err error
}

func newOutput(w io.Writer, terminal bool) *output {
	o := &output{w: bufio.NewWriterSize(w, 16<<10), end: "\n"}
	if terminal {
		o.end = "\r\n"
	}
	return o
}

func (o *output) line(lines ...string) {
	for _, s := range lines {
		o.write(s)
	}
}

func (o *output) json(v any) {
	var b bytes.Buffer
	enc := json.NewEncoder(&b)
	enc.SetEscapeHTML(false)
	if err := enc.Encode(v); err != nil {
		if o.err == nil {
			o.err = err
		}
		return
	}
	o.write(string(bytes.TrimSuffix(b.Bytes(), []byte("\n"))))
}

func (o *output) write(s string) {
	if o.err != nil {
		return
	}
	if _, o.err = o.w.WriteString(s); o.err == nil {
		_, o.err = o.w.WriteString(o.end)
	}
}

// flush sends what was written. The error is the first of all that was written.
func (o *output) flush() error {
	if o.err == nil {
		o.err = o.w.Flush()
	}
	return o.err
}
