package remote

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"reflect"
	"slices"
	"strings"
	"time"

	"golang.org/x/time/rate"

	"boneyard/lobby"
	"boneyard/lobby/event"
	"boneyard/lobby/text"
	"boneyard/table"
	"boneyard/ui/feature"
	"boneyard/ui/plain"
)

// Failure is the answer to a line that was refused.
type Failure struct {
	Type  string `json:"type" means:"\"error\""`
	ID    string `json:"id" means:"of the line"`
	Error string `json:"error"`
}

// Done is the answer to a line with an id that was carried out.
type Done struct {
	Type string `json:"type" means:"\"ok\""`
	ID   string `json:"id" means:"of the line"`
}

// Bye is the last object of a session that was ended from outside.
type Bye struct {
	Type string `json:"type" means:"\"bye\""`
	Text string `json:"text" means:"a sentence: why"`
}

// Limits on a program's lines. Faster ones wait. The rate is below the club's limit for one person, so that
// no line is refused as too fast. The automatic continue after a round counts as a line.
const (
	linesASecond = 8
	linesAtOnce  = 16
	longestLine  = 4 << 10 // bytes
)

const errNotABot text.Refusal = "play --json is for programs: add --bot, which marks your account as one, permanently."

func play(ctx context.Context, c *call) error {
	if err := c.mayProgram(); err != nil {
		return err
	}
	return c.program(ctx, (*participant).begin)
}

// errNotCalled is returned for a line that needs a table while the program waits for its next game.
const errNotCalled text.Refusal = "You aren't at a table yet."

// mayProgram returns an error if the caller may not play as a program.
func (c *call) mayProgram() error {
	switch {
	case !c.opt.JSON:
		return feature.Usage("Without --json, use play CODE, play N or play new WORDS, and no other flags.")
	case c.Account == nil:
		if err := c.member(); err != nil {
			return err
		}
		return lobby.ErrMembersOnly
	case !c.Account.Bot && !c.opt.Bot:
		return errNotABot
	}
	return nil
}

// program enters the club and runs the dialogue with a program; begin takes it to a table, or to where it
// waits for one.
func (c *call) program(ctx context.Context, begin func(*participant, context.Context) error) error {
	v, err := c.enter(ctx)
	if err != nil {
		return err
	}
	p := &participant{call: c, visit: v, limit: rate.NewLimiter(rate.Every(time.Second/linesASecond), linesAtOnce)}
	how := table.Disconnected // a line that ends without a goodbye was disconnected
	defer func() { v.Close(how) }()
	if err := v.SetBot(ctx, true); err != nil {
		return err
	}
	defer v.Show(lobby.Place{}).Close()
	if err := begin(p, ctx); err != nil {
		return err
	}
	left, err := p.loop(ctx)
	p.leave()
	if left {
		how = table.Left
	}
	return err
}

// begin takes the program to the table that its command names.
func (p *participant) begin(ctx context.Context) error {
	id, err := p.sit(ctx)
	if err != nil {
		return err
	}
	return p.goTo(ctx, id)
}

// goTo opens a table, from the program's seat there.
func (p *participant) goTo(ctx context.Context, id table.ID) error {
	p.leave()
	here := p.visit.Show(lobby.Place{Table: id})
	sub, err := here.Watch(ctx)
	if err != nil {
		here.Close()
		return err
	}
	p.here, p.sub, p.table, p.view, p.version, p.continued = here, sub, id, nil, 0, 0
	return nil
}

// leave closes the table.
func (p *participant) leave() {
	if p.sub != nil {
		p.here.Close() // the subscription, too
		p.here, p.sub = nil, nil
	}
}

// participant is a program that plays.
type participant struct {
	*call
	visit  *lobby.Visit
	arena  *event.Room // where the program plays one game after another; nil: it plays at one table
	table  table.ID
	limit  *rate.Limiter  // of lines
	here   *lobby.Showing // at that table
	sub    *table.Subscription
	follow plain.Follower

	view      *table.View // the last one; its state was written, or is no news
	version   uint64      // of the state last written; 0 if one must be written
	continued int         // the round whose scoring was last continued
	left      bool        // the program has said it is leaving
}

func (p *participant) sit(ctx context.Context) (table.ID, error) {
	if p.args[0] == "new" {
		create, _ := feature.Find(feature.SSH, "new")
		ans, err := create.Carry(ctx, &feature.Ask{Way: feature.SSH, Visit: p.visit, Words: p.args[1:]})
		return ans.Go, err
	}
	return p.visit.Join(ctx, strings.Join(p.args, "")) // a code may have a space between its groups
}

// lines reads a program's lines.
type lines struct {
	in  feature.Input
	got []byte // read, but not taken yet
	err error  // after that
}

// always is always ready.
var always = func() <-chan struct{} {
	c := make(chan struct{})
	close(c)
	return c
}()

// ready has a value if next does not block.
func (l *lines) ready() <-chan struct{} {
	if l.err != nil || bytes.IndexByte(l.got, '\n') >= 0 {
		return always
	}
	return l.in.Ready()
}

// next returns the next line, or an empty one if it is still incomplete. The error says why there are no
// more.
func (l *lines) next() ([]byte, error) {
	if l.err == nil && bytes.IndexByte(l.got, '\n') < 0 {
		l.got = slices.Grow(l.got, 512)
		n, err := l.in.Read(l.got[len(l.got):cap(l.got)])
		l.got, l.err = l.got[:len(l.got)+n], err
	}
	l.got = bytes.TrimLeft(l.got, "\r\n") // empty lines cost nothing
	line, rest, ends := bytes.Cut(l.got, []byte("\n"))
	switch {
	case len(line) >= longestLine:
		return nil, bufio.ErrTooLong
	case !ends && (l.err == nil || len(line) == 0):
		return nil, l.err
	}
	if l.got = rest; len(rest) == 0 {
		l.got = nil // a waiting session keeps no buffer
	}
	return bytes.TrimSuffix(line, []byte("\r")), nil
}

// loop runs the dialogue with the program. It reports whether the program left, rather than just
// disconnected.
func (p *participant) loop(ctx context.Context) (left bool, err error) {
	said := lines{in: p.In}
	closed := p.sub != nil && p.show(ctx, p.sub.View())
	for !closed || p.arena != nil {
		if err := p.out.flush(); err != nil {
			return false, err
		}
		var woken, updates, over <-chan struct{}
		if p.sub != nil && !closed {
			woken = p.sub.C()
		}
		if p.arena != nil {
			updates, over = p.visit.Updates(), p.arena.Done()
		}
		select {
		case <-ctx.Done():
			p.bye(table.ErrDraining.Error())
			return false, exitError(exitRefused)
		case why := <-p.visit.Kicked():
			p.bye(text.Printable(why))
			return false, exitError(exitRefused)
		case <-woken:
			closed = p.show(ctx, p.sub.View())
		case <-updates:
			if id := p.visit.Called(); id != 0 {
				if closed = p.goTo(ctx, id) != nil; !closed {
					closed = p.show(ctx, p.sub.View())
				}
			}
		case <-over:
			if p.sub != nil && !closed {
				p.show(ctx, p.sub.View()) // how its last game ended
			}
			if !p.arena.View().Plan().Over { // its room has stopped with the server
				p.bye(table.ErrDraining.Error())
				return false, exitError(exitRefused)
			}
			p.note("The arena is over.")
			return true, nil
		case <-said.ready():
			line, err := said.next()
			if errors.Is(err, bufio.ErrTooLong) {
				p.fail("", feature.Usage("A line has at most 4096 bytes."))
				return false, exitError(exitUsage)
			}
			if err != nil {
				return false, nil // disconnected, or no more lines
			}
			if len(line) == 0 || p.limit.Wait(ctx) != nil {
				continue
			}
			p.obey(ctx, line)
			if p.left {
				return true, nil
			}
			select { // the line's effect goes out with its answer
			case <-woken:
				closed = p.show(ctx, p.sub.View())
			default:
			}
		}
	}
	return false, nil
}

func (p *participant) bye(why string) {
	p.out.json(Bye{Type: "bye", Text: why})
	_ = p.out.flush() // the program may be gone
}

func (p *participant) fail(id string, err error) {
	p.out.json(Failure{Type: "error", ID: text.Printable(id), Error: plain.Sentence(err)})
}

// show writes what is new in a view, then the state if it has changed. It reports whether the table is
// closed.
func (p *participant) show(ctx context.Context, v *table.View) (closed bool) {
	moved := false
	if p.view == nil {
		p.follow.Begin(v)
	} else {
		for _, h := range p.follow.Next(v) {
			p.tell(v, &h)
			moved = moved || h.Entry != nil && h.Entry.Number != 0
		}
	}
	if moved || p.version == 0 || isNews(stateOf(p.view), stateOf(v)) {
		p.version = v.Version
		p.out.state(v)
	}
	p.view = v
	if v.State == table.Scoring && v.POV != 0 && p.continued != v.Play.Round {
		p.continued = v.Play.Round
		p.limit.Reserve()
		_ = p.visit.Do(ctx, p.table, table.Continue{}) // if too late, the next round has begun
	}
	return v.State == table.Closed
}

// isNews reports whether two states differ in more than their version and the number of watchers.
func isNews(was, is *State) bool {
	was.Version, was.Watchers = is.Version, is.Watchers
	return !reflect.DeepEqual(was, is)
}

// tell writes one thing that has happened.
func (p *participant) tell(v *table.View, h *plain.Happening) {
	if l := h.Chat; l != nil {
		switch {
		case l.House:
			p.note(text.Printable(l.Text))
		case p.visit.Hears(l.From):
			p.out.json(Chat{Type: "chat", From: text.Printable(l.From.Name), Kind: plain.KindOf(l.From), Room: string(l.Room),
				Text: text.Printable(l.Text)})
		}
		return
	}
	w := watcher{call: p.call}
	w.tell(v, h)
	if h.Result != nil {
		p.continued = 0
	}
}
