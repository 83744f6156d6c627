// Package attack does harm to a club in every way that is known, as hostile clients: before login, at it, and in a session. They run as
// a process of their own, so that those whose delays are measured do not wait for attackers on their own side.
package attack

import (
	"context"
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
	"boneyard/lobby/text/texttest"
)

// Kind is one way to do harm to a club.
type Kind struct {
	Name  string
	About string
	pause time.Duration // from the end of one to the next, half as much more or less: this machine has to bear the attackers, too
	run   func(ctx context.Context, a *attacker) error
	alone bool // each client has an address of its own
}

// Kinds are those of the names, or all of them. A hostile client knows one.
func Kinds(only ...string) []Kind {
	all := []Kind{
		{"stall", "connect and say nothing", time.Second, stall, false},
		{"noise", "random bytes instead of SSH", 2 * time.Second, noise, false},
		{"banner", "SSH's greeting, then garbage", 2 * time.Second, banner, false},
		{"half", "hang up in the middle of the key exchange", 2 * time.Second, half, false},
		{"keys", "offer many useless keys, and login methods that do not exist", 2 * time.Second, keys, false},
		{"deaf", "watch a table on a huge window and never read", 2 * time.Second, deaf, false},
		{"paste", "paste hundreds of thousands of keys", 4 * time.Second, paste, false},
		{"resize", "thousands of absurd window sizes a second", 4 * time.Second, resizeStorm, false},
		{"channels", "dozens of channels, forwardings, agents, subsystems", 3 * time.Second, channels, false},
		{"env", "thousands of environment variables", 3 * time.Second, environment, false},
		{"text", "hostile text as name, terminal, chat and command", 2 * time.Second, hostileText, false},
		{"commands", "commands in bursts", 4 * time.Second, commandBurst, false},
		{"protocol", "garbage, endless lines and forbidden moves in the line protocol", 3 * time.Second, protocolGarbage, false},
		{"seats", "sit down at an open table and leave at once", time.Second, sitAndLeave, false},
		{"rekey", "new keys all the time, and unknown requests", 4 * time.Second, rekey, false},
		{"drip", "hold places before login with a byte now and then", time.Second, drip, true},
		{"loiter", "log in, open no session, hang up in time", time.Second, loiter, true},
		{"nameless", "fill the club with keys that choose no name", time.Second, nameless, true},
		{"unread", "send half a megabyte of lines faster than anybody reads", time.Second, unread, true},
		{"guess", "guess codes of private tables, one per connection", time.Second, guess, true},
		{"search", "search for many short words", time.Second, search, true},
		{"words", "search for words that are frequent but never together", time.Second, commonWords, true},
		{"reconnect", "come and go as fast as possible", time.Second, reconnect, true},
		{"accounts", "make one account after another", time.Second, accounts, true},
		{"nag", "talk and report, and reconnect when told to slow down", time.Second, nag, true},
		{"hoard", "make tables and events, all at once, and leave", 2 * time.Second, hoard, true},
		{"edges", "odd keys on windows of odd sizes", time.Second, edges, true},
		{"scroll", "scroll on a large window, faster than anybody reads", time.Second, scroll, true},
		{"tell", "send messages to everybody, present or not", time.Second, tell, true},
		{"whois", "run whois on everybody", time.Second, whois, true},
		{"lists", "ask for long lists again and again", time.Second, lists, true},
		{"walls", "show many tables at once, and rearrange them all the time", time.Second, walls, true},
		{"hop", "watch table after table, so that the chances are computed", time.Second, hop, true},
		{"coach", "have the coach review games", time.Second, coach, true},
		{"events", "ask for events, and try to join all", time.Second, events, true},
	}
	if len(only) == 0 {
		return all
	}
	return slices.DeleteFunc(all, func(a Kind) bool { return !slices.Contains(only, a.Name) })
}

// attackTime is how long one attempt may take.
const attackTime = 30 * time.Second

// Hostile clients of one kind share addresses, so that the limits and penalties of a source catch them; but whoever has many
// machines goes on from others, or the club would not see much of the attack.
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
	Kind    string `json:"kind"`
	N       int64  `json:"n"`
	Refused int64  `json:"refused"` // of them, before they had logged in as they wanted to
}

// run lets hostile clients loose until ctx ends, waits until they have gone, and reports what they have done.
func (o *Campaign) run(ctx context.Context) []Row {
	var wg sync.WaitGroup
	kinds := Kinds(o.Only...)
	target := &target{Campaign: o, texts: texttest.Hostile(), weak: weakKeys()}
	n, refused := make([]atomic.Int64, len(kinds)), make([]atomic.Int64, len(kinds))
	// The i-th client has the kind i modulo their number; so many of a kind are a group.
	all := &client.Addresses{Net: 66}
	groups := make(map[[2]int]*group)
	for i := range o.Hostile {
		kind := i % len(kinds)
		g := [2]int{kind, i / len(kinds) / attackersAnAddress}
		if kinds[kind].alone {
			g[1] = i / len(kinds)
		}
		if groups[g] == nil {
			groups[g] = &group{from: all}
		}
		a := &attacker{target: target, group: groups[g], name: client.ProgramName(o.Run, o.Names+i)}
		wg.Go(func() {
			for client.Sleep(ctx, kinds[kind].pause/2+rand.N(kinds[kind].pause+1)) {
				n[kind].Add(1)
				during, cancel := context.WithTimeout(ctx, attackTime)
				if err := kinds[kind].run(during, a); errors.Is(err, errTurnedAway) {
					refused[kind].Add(1)
				}
				cancel()
			}
		})
	}
	wg.Wait()
	var rows []Row
	for i, k := range kinds {
		rows = append(rows, Row{k.Name, n[i].Load(), refused[i].Load()})
	}
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

func (p *target) table() string { return p.Tables[rand.IntN(len(p.Tables))] }
func (p *target) text() string  { return p.texts[rand.IntN(len(p.texts))].Text }

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

// greeted is a connection that knows how it was greeted: one that is turned away reads something other than SSH's greeting.
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

// login logs in; the line ends with ctx.
func (a *attacker) login(ctx context.Context, who client.Caller) (*client.Client, error) {
	who.From = a.address()
	c, err := who.Login(ctx, a.Club)
	if err != nil {
		return nil, errTurnedAway
	}
	context.AfterFunc(ctx, func() { _ = c.Conn.Close() })
	return c, nil
}

// enter logs in and asks for a session; a call that gets none is hung up.
func (a *attacker) enter(ctx context.Context, who client.Caller, term string, w, h uint32, command string) (*client.Client, ssh.Channel, error) {
	c, err := a.login(ctx, who)
	if err != nil {
		return nil, nil, err
	}
	ch, err := session(c, term, w, h, command)
	if err != nil {
		c.HangUp()
		return nil, nil, err
	}
	return c, ch, nil
}

// session asks for a session with a terminal of a size, unless that is zero, and a command or a shell. What comes is thrown away.
func session(c *client.Client, term string, w, h uint32, command string) (ssh.Channel, error) {
	ch, reqs, err := c.Conn.OpenChannel("session", nil)
	if err != nil {
		return nil, err
	}
	go client.Answer(reqs)
	go func() { _, _ = io.Copy(io.Discard, ch) }()
	go func() { _, _ = io.Copy(io.Discard, ch.Stderr()) }()
	if w > 0 {
		if _, err := ch.SendRequest("pty-req", true, ssh.Marshal(struct {
			Term                         string
			Columns, Rows, Width, Height uint32
			Modes                        string
		}{Term: term, Columns: w, Rows: h})); err != nil {
			return nil, err
		}
	}
	if command == "" {
		_, err = ch.SendRequest("shell", true, nil)
	} else {
		_, err = ch.SendRequest("exec", true, ssh.Marshal(struct{ Command string }{command}))
	}
	return ch, err
}

// resized is a request to change the window's size.
func resized(ch ssh.Channel, w, h uint32) error {
	_, err := ch.SendRequest("window-change", false, ssh.Marshal(struct{ Columns, Rows, Width, Height uint32 }{Columns: w, Rows: h}))
	return err
}
