// Package line presents the club as text that is only ever appended, for screen readers, slow lines and dumb
// terminals: it knows commands made of words and which events are worth saying, and must not know screens,
// colours or escape sequences.
//
// Everything in the club can be done here; help lists the commands. Events are written as sentences, each
// once, in order, and nothing written is ever changed. The only control characters are line ends, the bell if
// it is switched on, and on a terminal the backspaces of the person's own typing.
package line

import (
	"bytes"
	"context"
	"errors"
	"io"
	"time"

	"golang.org/x/time/rate"

	"boneyard/lobby"
	"boneyard/lobby/text"
	"boneyard/table"
	"boneyard/ui/feature"
	"boneyard/ui/page"
	"boneyard/ui/plain"
)

// Size is a terminal's size in columns and rows.
type Size = struct{ Width, Height int }

// Session is one person's connection, as the server passes it on.
type Session struct {
	feature.Caller
	In  io.Reader
	Err io.Writer // for what the club does not say: why a session cannot begin, and how to get screens
	// Echo is set if there is a terminal: input is echoed and can be edited, and lines end with CR LF.
	Echo    bool
	Size    Size        // of the terminal; without one lines are broken at 80 columns
	Resizes <-chan Size // its later sizes; nil without a terminal
	Back    bool        // the person was here before, and stays in the club if the place to return to no longer exists
}

// ErrRefused is returned if the person was not let in or, without a terminal, could not be taken where they
// wanted to go, or has not answered a question. They have read why.
var ErrRefused = errors.New("the person was refused")

// Run serves the person until they leave or are disconnected, or ctx ends; if the cause is a [text.Refusal],
// they read it. The only error is ErrRefused.
func Run(ctx context.Context, s *Session) error {
	const usualWidth = 80 // used for a terminal whose width is unknown
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	if !s.Echo && s.Size.Width == 0 {
		s.Size.Width = usualWidth // most people still read this in a terminal, which breaks words
	}
	m := &mode{Session: s, out: newWriter(s.Out, s.Echo, s.Size.Width), how: table.Disconnected}
	chunks := make(chan []byte)
	go read(ctx, s.In, chunks) // ends with ctx or, while it waits for a key, with the line
	defer m.close()            // even after a panic
	m.loop(ctx, chunks)
	if !m.refused {
		return nil
	}
	return ErrRefused
}

// Rate limit on typed lines, with a burst for somebody who pastes.
const (
	linesASecond = 8
	readAtOnce   = 64 // bytes, and so at most as many lines
)

// read sends the input to chunks until the input or ctx ends. It closes chunks at the end of the input.
func read(ctx context.Context, in io.Reader, chunks chan<- []byte) {
	limit := rate.NewLimiter(rate.Every(time.Second/linesASecond), readAtOnce)
	for {
		chunk := make([]byte, readAtOnce)
		n, err := in.Read(chunk)
		if n > 0 {
			lines := bytes.Count(chunk[:n], []byte("\n")) + bytes.Count(chunk[:n], []byte("\r"))
			if limit.WaitN(ctx, lines) != nil {
				return
			}
			select {
			case chunks <- chunk[:n]:
			case <-ctx.Done():
				return
			}
		}
		if err != nil {
			close(chunks)
			return
		}
	}
}

// mode is a session in line mode. All of it belongs to the goroutine of loop.
type mode struct {
	*Session
	out     *writer
	ed      editor
	visit   *lobby.Visit
	how     table.Presence // how the person will have left
	over    bool           // they have left
	refused bool           // they were not let in, or not taken where they wanted to go

	answer func(ctx context.Context, line string) error // handles the next line, in place of command; nil: nothing was asked
	rest   []string                                     // what the command more shows
	wide   bool                                         // the person has set a width; resizing the window keeps it

	heard  lobbyHeard
	prompt *lobby.Prompt // the question that yes and no answer; nil for none
	rung   *lobby.Prompt // the last question that was said: a question may return when a seat is free again
	shown  int           // how often the person was told how to choose a play
	at     *openTable    // the table that is open; nil in the lobby
}

// loop runs the session until the person has left or is disconnected.
func (m *mode) loop(ctx context.Context, chunks <-chan []byte) {
	m.ed.echo = m.Echo
	m.ed.width = m.Size.Width
	m.begin(ctx)
	for !m.over {
		if m.out.flush(m.ed.typed()) != nil {
			return // the connection is lost
		}
		var kicked <-chan string
		var updates, woken <-chan struct{}
		var late <-chan time.Time
		if m.visit != nil {
			kicked, updates = m.visit.Kicked(), m.visit.Updates()
		}
		if m.at != nil {
			woken = m.at.sub.C()
			if m.at.late != nil {
				late = m.at.late.C
			}
		}
		select {
		case <-ctx.Done():
			say := lobby.NoticeDraining
			if why, ok := errors.AsType[text.Refusal](context.Cause(ctx)); ok {
				say = why.Error()
			}
			m.lastWord(say)
		case chunk, ok := <-chunks:
			if !ok {
				m.refused = m.answer != nil && !m.Echo // what a script wanted has not been done
				m.lastWord("Goodbye.")                 // a client that has only closed its side can still read this
				break
			}
			if m.visit != nil {
				m.visit.Active()
			}
			m.typed(ctx, chunk)
		case size := <-m.Resizes:
			if m.ed.width = size.Width; !m.wide {
				m.out.width = size.Width
			}
		case why := <-kicked:
			m.lastWord(why)
		case <-updates:
			m.clubChanged(ctx)
		case <-woken:
			m.tableChanged(m.at.sub.View())
			m.goWhereCalled(ctx)
		case <-late:
			m.bankRuns()
		}
	}
	_ = m.out.flush("") // the person may be gone
}

// lastWord ends the session with a sentence, unless it was already said as a notice.
func (m *mode) lastWord(s string) {
	if m.heard.notice != s {
		m.say(s)
	}
	m.over = true
}

// refuse ends a session that cannot begin. It drops an unsent greeting.
func (m *mode) refuse(why error) {
	m.out.buf.Reset()
	m.warn(plain.Sentence(why))
	m.refused, m.over = true, true
}

// warn writes a sentence to the error stream.
func (m *mode) warn(s string) {
	width := m.Size.Width
	if !m.Echo {
		width = 0 // one line for a script
	}
	w := newWriter(m.Err, m.Echo, width)
	w.say(s)
	_ = w.flush("") // the person may be gone
}

func (m *mode) typed(ctx context.Context, chunk []byte) {
	const patience = 15 * time.Second // how long a command may wait for the club
	for _, b := range chunk {
		if m.over {
			return
		}
		echo, event := m.ed.key(b)
		m.out.echo(echo)
		switch event {
		case leave:
			m.leave()
		case entered:
			line := m.ed.take()
			m.out.entered()
			call, cancel := context.WithTimeout(ctx, patience)
			err := m.line(call, line)
			cancel()
			if err != nil {
				m.say(plain.Sentence(err))
			}
			if m.at != nil {
				m.at.typing = false
			}
		}
	}
}

func (m *mode) line(ctx context.Context, line string) error {
	if answer := m.answer; answer != nil {
		m.answer = nil
		err := answer(ctx, line)
		if m.visit != nil {
			m.heed()
		}
		return err
	}
	return m.command(ctx, line)
}

func (m *mode) moved(id table.ID) {
	if m.Moved == nil {
		return
	}
	to := page.Target{}
	if id != 0 {
		to = page.Target{Kind: page.Table, Table: id}
	}
	m.Moved(to)
}

func (m *mode) close() {
	m.leaveTable()
	if m.visit != nil {
		m.visit.Close(m.how)
	}
}

func (m *mode) say(lines ...string) { m.out.say(lines...) }

// page writes many lines; on a terminal, it keeps what does not fit for the command more.
func (m *mode) page(lines []string) {
	const most = 20
	if m.Echo && len(lines) > most+1 {
		m.rest, lines = lines[most:], lines[:most]
		m.say(lines...)
		m.say(text.Number(len(m.rest), "line") + " more: type more.")
		return
	}
	m.rest = nil
	m.say(lines...)
}
