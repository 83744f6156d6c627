package node

import (
	"bytes"
	"context"
	"errors"
	"io"
	"regexp"
	"strings"
	"time"

	"github.com/charmbracelet/x/ansi"

	"boneyard/cmd/sshd/gate"
	"boneyard/lobby"
	"boneyard/store/cluster"
	"boneyard/ui/screen"
)

// What people read while they wait for a node that runs the club.
const (
	sayMoving  = "The club is moving to another machine: a moment. Nothing is lost."
	sayApart   = "Cut off from the rest of the club since %s UTC. Nothing is lost." // in the club, at the node that runs it
	sayCutOff  = "The rest of the club cannot be reached. Nothing is lost, and this goes on by itself."
	cutOff     = "The rest of the club can't be reached. Nothing is lost. Ctrl+C leaves." // the same for one row of a screen
	sayNobody  = "The rest of the club cannot be reached from here at the moment. Nothing is lost: please try again in a minute."
	sayGoodbye = "Goodbye. Your seat is kept for you."
	sayBye     = "Goodbye." // for a guest
)

const (
	tryAgain  = 200 * time.Millisecond // before asking a node again that did not serve a call
	remindFor = time.Minute            // before reminding a caller in line mode that they are waiting
)

// wait is the part of a session in which its caller waits for a node that runs the club.
type wait struct {
	*switchboard
	call   *gate.Call
	out    *lastByte
	keys   *keys
	tried  string    // ID of the node that did not serve the call, or no longer does
	at     time.Time // when that was noticed
	until  time.Time // until when a new caller waits
	said   string    // since the call was last served
	status int       // the session's exit status
}

func newWait(s *switchboard, call *gate.Call) *wait {
	w := &wait{switchboard: s, call: call, out: &lastByte{Writer: call.Out}, keys: &keys{Input: call.In}}
	call.Out, call.In = w.out, w.keys
	w.until = time.Now().Add(ownerTime)
	if w.readable() {
		w.until = time.Now().Add(readTime)
	}
	return w
}

// lastByte is a writer that remembers the last byte.
type lastByte struct {
	io.Writer
	b byte
}

func (l *lastByte) Write(p []byte) (int, error) {
	if len(p) > 0 {
		l.b = p[len(p)-1]
	}
	return l.Writer.Write(p)
}

// keys is what a caller types. A caller who is typing when the session moves goes on for a moment with what
// the next page would take for commands. So all input is dropped until they pause, except the keys that
// leave, and terminals' replies.
type keys struct {
	gate.Input
	last    time.Time // time of the last input
	dropped bool
}

const pauseOfTyping = time.Second

var noKeys = regexp.MustCompile(`[\x03\x04]|\x1b][^\x07\x1b]*(\x07|\x1b\\)`)

func (k *keys) Read(p []byte) (n int, err error) {
	n, err = k.Input.Read(p)
	now := time.Now()
	k.dropped = k.dropped && now.Sub(k.last) < pauseOfTyping
	k.last = now
	if k.dropped {
		n = copy(p, bytes.Join(noKeys.FindAll(p[:n], -1), nil))
	}
	return n, err
}

// stays reports whether the caller stays in the club, rather than giving a command to be answered.
func (w *wait) stays() bool {
	return w.club.Stays(w.call.Command, w.call.Term != nil) || w.call.Resume != nil && *w.call.Resume != ""
}

// pages reports whether the caller's terminal shows the club's pages.
func (w *wait) pages() bool {
	return w.call.Term != nil && w.call.Resume != nil && w.club.Pages(*w.call.Resume)
}

// failed records that a node did not serve the call, or no longer does.
func (w *wait) failed(m cluster.Member) {
	w.tried, w.at = m.ID(), time.Now()
	w.keys.dropped = w.call.Term != nil
}

// owner waits for a node that runs the club; ok is false if the session ends instead. New callers wait for a
// while only, others as long as they like.
func (w *wait) owner(ctx context.Context) (m cluster.Member, ok bool) {
	begun := w.call.Resume != nil
	var late <-chan time.Time
	if !begun {
		leave := w.held.Hold(w.call)
		if leave == nil {
			return m, w.giveUp(ctx)
		}
		defer leave()
		late = time.After(time.Until(w.until))
	}
	remind := time.Tick(remindFor)
	for {
		owner, changed := w.ownerNow()
		var again <-chan time.Time
		if owner.Epoch > 0 {
			if w.serves(owner) {
				return owner, true
			}
			again = time.After(tryAgain) // as long as no owner is known, there is nobody to ask
		}
		var ready <-chan struct{}
		var sizes <-chan gate.Size
		if begun {
			w.tell(w.node.Majority())
			ready = w.call.In.Ready()
			if w.call.Term != nil {
				sizes = w.call.Term.Resizes
			}
		}
		select {
		case <-changed:
		case <-again:
		case <-remind:
			if !w.pages() {
				w.said = ""
			}
		case size := <-sizes:
			w.call.Term.Size = size
			if w.pages() {
				w.said = ""
			}
		case <-ready:
			if !w.typed() {
				return m, false
			}
		case <-late:
			return m, w.giveUp(ctx)
		case <-ctx.Done():
			w.status = w.leave(ctx)
			return m, false
		}
	}
}

// serves reports whether to ask the node that runs the club to serve the call: not if it has just failed to,
// unless it has been heard since.
func (w *wait) serves(owner cluster.Member) bool {
	if owner.ID() != w.tried {
		return true
	}
	return time.Since(w.at) >= tryAgain && (owner.ID() == w.node.ID() || owner.Heard.After(w.at))
}

// tell tells the caller that the session is waiting, unless they have been told.
func (w *wait) tell(majority bool) {
	say := sayMoving
	if !majority {
		say = sayCutOff
	}
	if w.said == say {
		return
	}
	w.said = say
	if !w.pages() {
		w.line(say)
		return
	}
	if !majority {
		say = cutOff
	}
	_, _ = w.out.Write(screen.Foot(say, w.call.Term.Size.Width, w.call.Term.Size.Height)) // a caller who does not read is disconnected
}

// goOn prepares the caller's terminal for the node that serves the call next.
func (w *wait) goOn() {
	if w.pages() {
		_, _ = io.WriteString(w.out, screen.Renew)
	}
	w.said = ""
	w.closeReader()
}

// typed drops what the caller has typed while waiting. It returns false if they leave.
func (w *wait) typed() bool {
	var b [512]byte
	n, err := w.call.In.Read(b[:])
	w.keys.dropped = w.call.Term != nil // they may go on typing
	switch {
	case w.call.Term == nil && err != nil:
		w.status = gate.ExitAgain // the request may not have been carried out
		return false
	case err != nil, w.call.Term != nil && bytes.ContainsAny(b[:n], "\x03\x04"): // Ctrl+C, Ctrl+D
		w.restore()
		goodbye := sayGoodbye
		if !w.call.HasKey {
			goodbye = sayBye
		}
		w.line(goodbye)
		w.status = gate.ExitOK
		return false
	}
	return true
}

// leave writes a last message if this node shuts down during the wait, and returns the session's exit status.
func (w *wait) leave(ctx context.Context) int {
	if !errors.Is(context.Cause(ctx), gate.ErrServerClosed) {
		return gate.ExitFailed // the caller has disconnected
	}
	w.restore()
	if w.stays() {
		w.line(lobby.NoticeDraining)
	} else {
		w.call.Warn(lobby.NoticeDraining)
	}
	return gate.ExitAgain
}

// giveUp ends the session of a new caller whom no node serves.
func (w *wait) giveUp(ctx context.Context) (ok bool) {
	if w.readable() && w.read(ctx) {
		return false
	}
	w.call.Warn(sayNobody)
	w.status = gate.ExitAgain
	return false
}

// restore restores the caller's terminal.
func (w *wait) restore() {
	if w.pages() {
		_, _ = io.WriteString(w.out, screen.Restore)
		w.out.b = '\n'
	}
}

// line writes a line, at the beginning of one.
func (w *wait) line(say string) {
	if w.call.Term == nil {
		_, _ = io.WriteString(w.out, say+"\n")
		return
	}
	say = strings.ReplaceAll(ansi.Wordwrap(say, w.call.Term.Size.Width, ""), "\n", "\r\n") + "\r\n"
	if w.out.b != '\n' && w.out.b != 0 {
		say = "\r\n" + say
	}
	_, _ = io.WriteString(w.out, say)
}
