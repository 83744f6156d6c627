package gate

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"io"
	"net/netip"
	"slices"
	"strings"
	"sync/atomic"
	"unicode"
	"unicode/utf8"

	"charm.land/ssh"
	gossh "golang.org/x/crypto/ssh"

	"github.com/charmbracelet/x/ansi"
)

// MaxKept is the limit of the text for [Call.Keep], in bytes.
const MaxKept = 256

// Exit statuses of calls.
const (
	ExitOK     = 0
	ExitFailed = 1 // it was tried, and went wrong
	ExitUsage  = 2 // the command cannot be read

	// ExitAgain is what ssh exits with when the server goes down under a session: sysexits.h's EX_TEMPFAIL. A loop that
	// calls again can tell it from somebody who has quit.
	ExitAgain = 75
)

// KeyID names a public key: the SHA-256 of its SSH wire format.
type KeyID [sha256.Size]byte

// String returns the ID in hexadecimal.
func (id KeyID) String() string { return hex.EncodeToString(id[:]) }

// KeyIDOf returns the ID of a key.
func KeyIDOf(key gossh.PublicKey) KeyID { return sha256.Sum256(key.Marshal()) }

// Handler is what lies behind the gate.
type Handler interface {
	// Serve serves one call and returns the exit status for its client. It is called on a goroutine of its
	// own and must return soon after ctx is done: the line has ended, and context.Cause(ctx) is an [Ended],
	// or the server drains, and it is [ErrServerClosed]; in that case the line is still good for a last word.
	Serve(ctx context.Context, c *Call) (exitCode int)
}

// Drainer is a [Handler] that wants to prepare the end: Drain is called when the server takes no more
// connections and before the contexts of the calls are done. ctx ends when there is no more time.
type Drainer interface {
	Drain(ctx context.Context)
}

// Call is one session of one caller. Everything in it that a client chose itself has been cleaned:
// printable, short, within bounds.
type Call struct {
	Key           KeyID  // zero for a guest
	HasKey        bool   // the caller has proved to hold Key
	Fingerprint   string // of the key, as ssh-keygen -l prints it; empty for a guest
	AuthorizedKey string // the key as a line of authorized_keys, without line end; empty for a guest
	KeyRefused    string // for a guest who offered a key: why it was not accepted, as a sentence

	Addr   netip.Addr // the client's, also through a proxy
	Exempt bool       // Addr is of one of the networks that limits by address do not count
	Shared bool       // nearly all callers come from Addr, as from a proxy that does not pass theirs on
	User   string     // the name before the @, which proves nothing

	// Command is the command to run instead of a shell, split into words as a shell does.
	Command []string
	Env     []string  // NAME=VALUE of LANG, LC_*, COLORTERM, TERM_PROGRAM, NO_COLOR and BONEYARD_VERSIONS
	Term    *Terminal // nil when the client has none (ssh -T, or a command without -t)

	// In gives the caller's input; with a terminal, floods of keys are dropped from it. Out and Err
	// pass bytes on as they are: on a terminal a line ends with "\r\n". A write that the client takes
	// too long to read ends the line. Each of the three is for one goroutine at a time.
	In       Input
	Out, Err io.Writer

	// Resume is where the caller was when another server stopped serving the call, as its handler last told
	// Keep: the command has been carried out, or may have been. It is empty if nothing was told, and nil in a
	// call that begins.
	Resume *string

	Outcome Outcome

	server *Server
	end    func(Reason)    // ends the caller's line
	keep   func(at string) // nil where nobody would resume the call

	panicked atomic.Pointer[panicked]
}

// Input is what a caller sends. Read does not wait if Ready has had a value.
type Input interface {
	io.Reader
	Ready() <-chan struct{}
}

// Panicked tells of a panic that the handler has caught, with the stack as debug.Stack writes it: the gate
// logs and counts it as one of the handler's own, when Serve returns.
func (c *Call) Panicked(value any, stack []byte) {
	c.panicked.CompareAndSwap(nil, &panicked{value, stack})
}

// Keep tells where the caller is, in words of the handler's own, of at most [MaxKept] bytes: should this
// server be lost, another goes on from there. A handler that never tells serves a call that cannot be
// resumed. Keep does not wait; where no other could go on, it does not ask either.
func (c *Call) Keep(at func() string) {
	if c.keep != nil {
		c.keep(at())
	}
}

// Warn writes a sentence to the caller's error stream, on a terminal in lines that end between words.
func (c *Call) Warn(say string) {
	if c.Term != nil {
		say = strings.ReplaceAll(ansi.Wordwrap(say, c.Term.Size.Width, ""), "\n", "\r\n") + "\r"
	}
	_, _ = io.WriteString(c.Err, say+"\n") // the caller may be gone
}

// Close ends the line at once, without a last word. why is for the log.
func (c *Call) Close(why string) {
	c.server.cfg.Log.Info("connection closed by the club", "addr", c.Addr, "why", why)
	c.end(ReasonClub)
}

// newCall describes a session to the handler. On the handler's goroutine, when the channel no longer changes.
func newCall(sess ssh.Session, l *line) *Call {
	l.mu.Lock()
	ch := l.channel
	l.mu.Unlock()
	c := &Call{
		KeyRefused: l.keyRefused,
		Addr:       l.addr,
		Exempt:     l.exempt,
		Shared:     l.shared,
		User:       printable(sess.User(), maxName),
		Command:    sess.Command(),
		Env:        sess.Environ(),
		In:         ch.in,
		Out:        ch.out,
		Err:        ch.err,
		server:     l.srv,
		end:        l.end,
	}
	if key := sess.PublicKey(); key != nil {
		c.identify(key)
		c.KeyRefused = ""
	}
	if ch.resizes != nil {
		c.Term = &Terminal{Name: ch.term, Size: ch.size, Resizes: ch.resizes.sizes}
	}
	return c
}

// identify makes it the call of a key's holder.
func (c *Call) identify(key gossh.PublicKey) {
	c.HasKey = true
	c.Key = KeyIDOf(key)
	c.Fingerprint = gossh.FingerprintSHA256(key)
	c.AuthorizedKey = strings.TrimSpace(string(gossh.MarshalAuthorizedKey(key)))
}

// badCommand reports whether a command, split into words at blanks and tabs, cannot be taken as words of text: the library
// returns none at all for an open quote, which would be taken for a call without a command.
func badCommand(raw string, words []string) bool {
	noText := func(s string) bool { return !utf8.ValidString(s) || strings.ContainsFunc(s, unicode.IsControl) }
	return noText(strings.ReplaceAll(raw, "\t", " ")) || slices.ContainsFunc(words, noText) || len(words) == 0 && strings.TrimSpace(raw) != ""
}
