// Package attack does harm to a club in every way that is known, as hostile clients: before login, at it, and
// in a session. They run as a process of their own, so that those whose delays are measured do not wait for
// attackers on their own side.
package attack

import (
	"context"
	"encoding/json"
	"errors"
	"io"
	"math/rand/v2"
	"net"
	"slices"
	"sync"
	"sync/atomic"
	"time"

	"golang.org/x/crypto/ssh"

	"boneyard/cmd/sshload/client"
	"boneyard/cmd/sshload/server"
	"boneyard/lobby/text/texttest"
)

// Kind is one way to do harm to a club.
type Kind struct {
	Name  string
	About string
	pause time.Duration // from the end of one to the next, half as much more or less: this machine has to bear the attackers, too
	alone bool          // each client has an address of its own
	way   way
}

// way is one attempt. It ends with ctx, and returns errTurnedAway if the club did not let it in.
type way func(ctx context.Context, a *attacker) error

// attackTime is how long one attempt may take.
const attackTime = 30 * time.Second

// Hostile clients of one kind share addresses, so that the limits and penalties of a source catch them; but
// whoever has many machines goes on from others, or the club would not see much of the attack.
const (
	attackersAnAddress = 4
	addressTime        = 30 * time.Second
)

// Campaign is what hostile clients are told about the club.
type Campaign struct {
	Club    string   // its address
	Only    []string // kinds of attack; empty: all
	Hostile int      // clients
	Tables  []string // where programs play
	Open    []string // where everybody may sit down
	Run     string   // begins the names of accounts
	Names   int      // the number of the first of them
}

// Row is the report on one kind of attack.
type Row struct {
	Kind    string
	N       int64
	Refused int64 // of them, before they had logged in as they wanted to
}

// Run reads a campaign, attacks until there is nothing more to read, and writes what it has done.
func Run(in io.Reader, out io.Writer) error {
	var o Campaign
	err := json.NewDecoder(in).Decode(&o)
	if err == nil {
		err = server.Loopback(o.Club)
	}
	if err != nil {
		return err
	}
	ctx, cancel := context.WithCancel(context.Background())
	defer cancel()
	go func() {
		_, _ = io.Copy(io.Discard, in) // ends with whoever has started this, too
		cancel()
	}()
	return json.NewEncoder(out).Encode(o.run(ctx))
}

// run lets hostile clients loose until ctx ends, waits until they have gone, and reports what they have done.
func (o *Campaign) run(ctx context.Context) []Row {
	var wg sync.WaitGroup
	kinds := Kinds(o.Only...)
	rows := make([]Row, len(kinds))
	target := &target{Campaign: o, texts: texttest.Hostile(), weak: weakKeys()}
	// The i-th client has the kind i modulo their number; so many of a kind are a group.
	all := &client.Addresses{Net: 66}
	groups := make(map[[2]int]*group)
	for i := range o.Hostile {
		kind, n := i%len(kinds), i/len(kinds)
		k, row := kinds[kind], &rows[kind]
		row.Kind = k.Name
		if !k.alone {
			n /= attackersAnAddress
		}
		g := [2]int{kind, n}
		if groups[g] == nil {
			groups[g] = &group{from: all}
		}
		a := &attacker{target: target, group: groups[g], name: client.Name(o.Run, o.Names+i)}
		wg.Go(func() {
			for client.Sleep(ctx, k.pause/2+rand.N(k.pause+1)) {
				during, cancel := context.WithTimeout(ctx, attackTime)
				atomic.AddInt64(&row.N, 1)
				if errors.Is(k.way(during, a), errTurnedAway) {
					atomic.AddInt64(&row.Refused, 1)
				}
				cancel()
			}
		})
	}
	wg.Wait()
	return rows
}

// group is who shares an address.
type group struct {
	from *client.Addresses

	mu    sync.Mutex
	addr  net.Addr
	since time.Time
}

// address is the one that the group has at the moment.
func (g *group) address() net.Addr {
	g.mu.Lock()
	defer g.mu.Unlock()
	if now := time.Now(); g.addr == nil || now.Sub(g.since) > addressTime {
		g.addr, g.since = g.from.Take(), now
	}
	return g.addr
}

// target is what hostile clients know and have.
type target struct {
	*Campaign
	texts []texttest.Case
	weak  []ssh.Signer // keys that nobody should accept
}

// one of several.
func one[T any](of ...T) T { return of[rand.IntN(len(of))] }

func (t *target) table() string { return one(t.Tables...) }
func (t *target) text() string  { return one(t.texts...).Text }

// somebody is the name of an ordinary program, of an attacker, or of nobody.
func (t *target) somebody() string { return client.Name(t.Run, rand.IntN(2*t.Names)) }

// place is a command that leads to a table or, as often, to the lobby; edge may lead to a table that gathers,
// too.
func (t *target) place() string { return one("", "watch "+t.table()) }
func (t *target) edge() string  { return one("join "+one(t.Open...), t.place()) }

// attacker is one hostile client.
type attacker struct {
	*target
	*group
	name string
	key  ssh.Signer // of its account; nil until it has one
}

// errTurnedAway is returned when the club did not let an attacker in.
var errTurnedAway = errors.New("turned away")

// dial connects, until ctx ends.
func (a *attacker) dial(ctx context.Context) (*greeted, error) {
	d := net.Dialer{LocalAddr: a.address()}
	conn, err := d.DialContext(ctx, "tcp", a.Club)
	if err != nil {
		return nil, errTurnedAway
	}
	context.AfterFunc(ctx, func() { _ = conn.Close() })
	return &greeted{Conn: conn}, nil
}

// greeted is a connection that knows how it was greeted: one that is turned away reads something other than
// SSH's greeting.
type greeted struct {
	net.Conn
	first atomic.Int32 // the first byte, and 1 more
}

func (g *greeted) Read(p []byte) (int, error) {
	n, err := g.Conn.Read(p)
	if n > 0 {
		g.first.CompareAndSwap(0, int32(p[0])+1)
	}
	return n, err
}

// end closes the connection and returns err, or errTurnedAway if the attack was not let begin.
func (g *greeted) end(err error) error {
	_ = g.Close()
	if g.first.Load() != 'S'+1 {
		return errTurnedAway
	}
	return err
}

// login logs in; the connection ends with ctx.
func (a *attacker) login(ctx context.Context, who client.Caller) (*client.Client, error) {
	who.From = a.address()
	c, err := who.Login(ctx, a.Club)
	if err != nil {
		return nil, errTurnedAway
	}
	context.AfterFunc(ctx, c.HangUp)
	return c, nil
}

// member logs in with an account, which is made at the first call.
func (a *attacker) member(ctx context.Context) error {
	if a.key != nil {
		return nil
	}
	key, err := client.NewKey()
	if err != nil {
		return err
	}
	return session{user: "member", key: key}.run(ctx, a, "register "+a.name+" --bot", func(c *entered) error {
		a.key = key
		_ = c.Conn.Wait() // the club hangs up when it has answered
		return nil
	})
}

// session is how somebody enters: as a guest unless there is a key, in line mode unless there is a size.
type session struct {
	user, term string
	key        ssh.Signer
	rekey      uint64 // after how many bytes new keys are exchanged; 0: as usual
	w, h       uint32
	before     func(ssh.Channel) error // is done before the session begins; nil: nothing
}

// entered is a connection with a session.
type entered struct {
	*client.Client
	ch ssh.Channel
}

func (e *entered) write(text string) error {
	_, err := io.WriteString(e.ch, text)
	return err
}

func (e *entered) resize(w, h uint32) error { return client.Resize(e.ch, w, h) }

// flush waits until the club has what was sent.
func (e *entered) flush() { _, _, _ = e.Conn.SendRequest("until-all-has-come", true, nil) }

// run logs in, begins a session with a command or a shell, whose output is thrown away, does something in it,
// and hangs up.
func (s session) run(ctx context.Context, a *attacker, command string, do func(*entered) error) error {
	c, err := a.login(ctx, client.Caller{User: s.user, Key: s.key, Rekey: s.rekey})
	if err != nil {
		return err
	}
	defer c.HangUp()
	ch, reqs, err := c.Conn.OpenChannel("session", nil)
	if err != nil {
		return err
	}
	go client.Answer(reqs)
	go func() { _, _ = io.Copy(io.Discard, ch) }()
	go func() { _, _ = io.Copy(io.Discard, ch.Stderr()) }()
	if s.term == "" {
		s.term = client.TermName
	}
	if err = client.Terminal(ch, s.term, s.w, s.h); err == nil && s.before != nil {
		err = s.before(ch)
	}
	if err == nil {
		err = client.Begin(ch, command)
	}
	if err != nil {
		return err
	}
	return do(&entered{c, ch})
}

// atOnce does something so many times at once, and is turned away if none of them was let in.
func atOnce(n int, do way) way {
	return func(ctx context.Context, a *attacker) error {
		errs := make([]error, n)
		var wg sync.WaitGroup
		for i := range n {
			wg.Go(func() { errs[i] = do(ctx, a) })
		}
		wg.Wait()
		if i := slices.IndexFunc(errs, func(err error) bool { return !errors.Is(err, errTurnedAway) }); i >= 0 {
			return errs[i]
		}
		return errTurnedAway
	}
}
