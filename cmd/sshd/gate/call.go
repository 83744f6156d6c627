package gate

import (
	"context"
	"crypto/sha256"
	"io"
	"net/netip"
	"slices"
	"strings"
	"sync/atomic"
	"unicode"
	"unicode/utf8"

	"charm.land/ssh"
	"github.com/anmitsu/go-shlex"
	"github.com/charmbracelet/x/ansi"
	gossh "golang.org/x/crypto/ssh"
)

// MaxKept is the longest text for [Call.Keep], in bytes.
const MaxKept = 256

// Exit statuses of calls.
const (
	ExitOK     = 0
	ExitFailed = 1 // the command failed
	ExitUsage  = 2 // the command could not be parsed

	// ExitAgain is the exit status when the server goes down during a session: sysexits.h's EX_TEMPFAIL. It
	// lets a script that calls in a loop tell this from a caller who quit.
	ExitAgain = 75
)

// KeyID names a public key: the SHA-256 of its SSH wire format.
type KeyID [sha256.Size]byte

// KeyIDOf returns the ID of a key.
func KeyIDOf(key gossh.PublicKey) KeyID { return sha256.Sum256(key.Marshal()) }

// Handler is what lies behind the gate.
type Handler interface {
	// Serve serves one call and returns the exit status for its client. It is called on a goroutine of its
	// own and must return soon after ctx is done. context.Cause(ctx) is an [Ended] if the line has ended, or
	// [ErrServerClosed] if the server is draining; then Serve may still write a last message.
	Serve(ctx context.Context, c *Call) (exitCode int)
}

// Drainer is a [Handler] that prepares for shutdown: Drain is called after the server stops accepting
// connections and before the contexts of the calls are done. ctx ends when time is up.
type Drainer interface {
	Drain(ctx context.Context)
}

// Call is one session of one caller. All client-supplied values in it have been cleaned: printable and within
// bounds. In JSON it is what [Describe] sends, see TestWhatIsSentOfACall.
type Call struct {
	Key           KeyID  `json:"-"`          // zero for a guest
	HasKey        bool   `json:"-"`          // the caller has proved that they hold Key
	Fingerprint   string `json:"-"`          // of the key, as ssh-keygen -l prints it; empty for a guest
	AuthorizedKey string `json:",omitempty"` // the key as a line of authorized_keys, without line end; empty for a guest
	KeyRefused    string `json:",omitempty"` // for a guest whose key was refused: why, as a sentence

	Addr   netip.Addr // the client's address, even behind a proxy
	Exempt bool       `json:",omitempty"` // Addr is in a network that is exempt from limits by address
	Shared bool       `json:",omitempty"` // nearly all callers have this address, as behind a proxy that hides theirs
	User   string     `json:",omitempty"` // the name before the @, which proves nothing

	// Command is the command to run instead of a shell, split into words as a shell does.
	Command []string  `json:",omitempty"`
	Env     []string  `json:",omitempty"` // NAME=VALUE of LANG, LC_*, COLORTERM, TERM_PROGRAM, NO_COLOR and BONEYARD_VERSIONS
	Term    *Terminal `json:",omitempty"` // nil when the client has none (ssh -T, or a command without -t)

	// In is the caller's input; with a terminal, a flood of keys is dropped from it. Out and Err pass bytes
	// on unchanged: on a terminal a line ends with "\r\n". A write that the client takes too long to read
	// ends the line. Each of the three is for one goroutine at a time.
	In  Input     `json:"-"`
	Out io.Writer `json:"-"`
	Err io.Writer `json:"-"`

	// Resume is where the caller was when another server stopped serving the call, as last passed to Keep
	// there: Command has been carried out, or may have been. It is empty if Keep was never called, and nil in
	// a new call.
	Resume *string `json:",omitempty"`

	Outcome Outcome `json:"-"`

	server *Server
	end    func(Reason)    // ends the caller's line
	keep   func(at string) // nil if no other server could resume the call

	panicked atomic.Pointer[panicked]
}

// Input is what a caller sends. After a receive from Ready, Read does not block.
type Input interface {
	io.Reader
	Ready() <-chan struct{}
}

// Panicked reports a panic that the handler recovered, with the stack from debug.Stack. When Serve returns,
// the gate logs and counts it like a panic of Serve itself.
func (c *Call) Panicked(value any, stack []byte) {
	c.panicked.CompareAndSwap(nil, &panicked{value, stack})
}

// Keep saves where the caller is, in the handler's own format, in at most [MaxKept] bytes: if this server is
// lost, another resumes from there. A call whose handler never calls Keep cannot be resumed. Keep does not
// block, and does not call at if no other server could resume the call.
func (c *Call) Keep(at func() string) {
	if c.keep != nil {
		c.keep(at())
	}
}

// Warn writes a sentence to the caller's error stream, wrapped to the terminal's width if there is one.
func (c *Call) Warn(say string) {
	if c.Term != nil {
		say = strings.ReplaceAll(ansi.Wordwrap(say, c.Term.Size.Width, ""), "\n", "\r\n") + "\r"
	}
	_, _ = io.WriteString(c.Err, say+"\n") // the caller may be gone
}

// Close ends the line at once, without a last message. why is for the log.
func (c *Call) Close(why string) {
	c.server.cfg.Log.Info("connection closed by the club", "addr", c.Addr, "why", why)
	c.end(ReasonClub)
}

// newCall describes a session to the handler. It is called on the handler's goroutine, when the channel no
// longer changes.
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

// identify records key as the caller's.
func (c *Call) identify(key gossh.PublicKey) {
	c.HasKey = true
	c.Key = KeyIDOf(key)
	c.Fingerprint = gossh.FingerprintSHA256(key)
	c.AuthorizedKey = strings.TrimSpace(string(gossh.MarshalAuthorizedKey(key)))
}

// splitCommand splits a command into words as a shell does. It reports false for a command that is not text, or
// cannot be split, as with an open quote.
func splitCommand(raw string) (words []string, ok bool) {
	if raw == "" {
		return nil, true // for which the splitter would take 4 kB
	}
	noText := func(s string) bool { return !utf8.ValidString(s) || strings.ContainsFunc(s, unicode.IsControl) }
	words, err := shlex.Split(raw, true)
	ok = err == nil && !noText(strings.ReplaceAll(raw, "\t", " ")) && !slices.ContainsFunc(words, noText) &&
		(len(words) > 0 || strings.TrimSpace(raw) == "")
	return words, ok
}
