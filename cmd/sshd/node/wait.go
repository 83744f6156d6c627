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

// What people read who wait for a node that runs the club.
const (
	sayMoving  = "The club is moving to another machine: a moment. Nothing is lost."
	sayApart   = "Cut off from the rest of the club since %s UTC. Nothing is lost." // in the club, at the node that runs it
	sayCutOff  = "The rest of the club cannot be reached. Nothing is lost, and this goes on by itself."
	cutOff     = "The rest of the club can't be reached. Nothing is lost. Ctrl+C leaves." // the same in one row of a screen
	sayNobody  = "The rest of the club cannot be reached from here at the moment. Nothing is lost: please try again in a minute."
	sayGoodbye = "Goodbye. Your seat is kept for you."
	sayBye     = "Goodbye." // to a guest
)

const (
	tryAgain  = 200 * time.Millisecond // after which a node that did not serve a call is asked again
	remindFor = time.Minute            // after which somebody in line mode is told again that they wait
)

// wait is the part of a session in which its caller waits for a node that runs the club.
type wait struct {
	*switchboard
	call   *gate.Call
	out    *lastByte
	keys   *keys
	tried  string    // the node that did not serve the call or serves it no more, by its ID
	at     time.Time // when that was found
	until  time.Time // for which somebody waits who has just called
	said   string    // since the call was served
	status int       // with which the session ends
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

// lastByte is output whose last byte is known.
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

// keys is what a caller types. Whoever is typing when the session moves goes on for a moment with what the next page would
// take for commands: all that is dropped until they pause, but what leaves, and a terminal's answer to what it is asked.
type keys struct {
	gate.Input
	last    time.Time // when something came
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

// stays reports whether the caller is somebody who stays in the club, and not a command that is answered.
func (w *wait) stays() bool {
	return w.club.Stays(w.call.Command, w.call.Term != nil) || w.call.Resume != nil && *w.call.Resume != ""
}

// pages reports whether the caller's terminal shows the club's pages.
func (w *wait) pages() bool {
	return w.call.Term != nil && w.call.Resume != nil && w.club.Pages(*w.call.Resume)
}

// failed takes note of a node that did not serve the call, or serves it no more.
func (w *wait) failed(m cluster.Member) {
	w.tried, w.at = m.ID(), time.Now()
	w.keys.dropped = w.call.Term != nil
}

// owner waits for a node that runs the club. If the session ends instead, ok is false. Somebody who has just
// called waits for a while only; others as long as they like.
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
			again = time.After(tryAgain) // while none is known, there is nobody to ask
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

// serves reports whether the node that runs the club may be asked to serve the call: not if it has just
// failed to, unless it has been heard since.
func (w *wait) serves(owner cluster.Member) bool {
	if owner.ID() != w.tried {
		return true
	}
	return time.Since(w.at) >= tryAgain && (owner.ID() == w.node.ID() || owner.Heard.After(w.at))
}

// tell says that the session waits, unless that has been said.
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
	_, _ = w.out.Write(screen.Foot(say, w.call.Term.Size.Width, w.call.Term.Size.Height)) // a caller who takes nothing is disconnected
}

// goOn prepares the caller's terminal for the node that serves the call next.
func (w *wait) goOn() {
	if w.pages() {
		_, _ = io.WriteString(w.out, screen.Renew)
	}
	w.said = ""
	w.closeReader()
}

// typed drops what the caller has typed while they wait. It returns false if they leave.
func (w *wait) typed() bool {
	var b [512]byte
	n, err := w.call.In.Read(b[:])
	w.keys.dropped = w.call.Term != nil // they may go on typing
	switch {
	case w.call.Term == nil && err != nil:
		w.status = gate.ExitAgain // whatever was asked for may not have been done
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

// leave says a last word if this node goes down under a session that nobody serves, and returns the session's
// status.
func (w *wait) leave(ctx context.Context) int {
	if !errors.Is(context.Cause(ctx), gate.ErrServerClosed) {
		return gate.ExitFailed // the caller is gone
	}
	w.restore()
	if w.stays() {
		w.line(lobby.NoticeDraining)
	} else {
		w.call.Warn(lobby.NoticeDraining)
	}
	return gate.ExitAgain
}

// giveUp ends the session of somebody who has just called, and found nobody to serve them.
func (w *wait) giveUp(ctx context.Context) (ok bool) {
	if w.readable() && w.read(ctx) {
		return false
	}
	w.call.Warn(sayNobody)
	w.status = gate.ExitAgain
	return false
}

// restore gives the caller's terminal back as it was.
func (w *wait) restore() {
	if w.pages() {
		_, _ = io.WriteString(w.out, screen.Restore)
		w.out.b = '\n'
	}
}

// line writes a line of its own.
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
