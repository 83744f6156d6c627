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
	"sync"
	"sync/atomic"
	"time"

	"golang.org/x/crypto/ssh"
	"golang.org/x/sync/errgroup"

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

// way makes one attempt. It ends with ctx, and returns errTurnedAway if the club did not let it in; no other error matters.
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

	texts []texttest.Case
	weak  []ssh.Signer // keys that nobody should accept
	began time.Time
}

// Run reads a campaign, lets hostile clients loose until there is nothing more to read, waits until they have gone, and
// writes how many attempts of each kind there were, and how many of them were turned away.
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
	o.texts, o.weak, o.began = texttest.Hostile(), weakKeys(), time.Now()
	kinds := Kinds(o.Only...)
	var wg sync.WaitGroup
	var mu sync.Mutex
	done := make(map[string]int)
	count := func(name string) {
		mu.Lock()
		defer mu.Unlock()
		done[name]++
	}
	// The i-th client has the kind i modulo their number; so many of a kind are a group.
	for i := range o.Hostile {
		k, n := kinds[i%len(kinds)], i/len(kinds)
		if !k.alone {
			n -= n % attackersAnAddress
		}
		a := &attacker{Campaign: &o, group: n*len(kinds) + i%len(kinds), name: client.Name(o.Run, o.Names+i)}
		wg.Go(func() {
			for pause := rand.N(k.pause); client.Sleep(ctx, pause); pause = k.pause/2 + rand.N(k.pause+1) {
				during, cancel := context.WithTimeout(ctx, attackTime)
				count(k.Name)
				if errors.Is(k.way(during, a), errTurnedAway) {
					count(k.Name + ", turned away")
				}
				cancel()
			}
		})
	}
	wg.Wait()
	return json.NewEncoder(out).Encode(done)
}

// one of several.
func one[T any](of ...T) T { return of[rand.IntN(len(of))] }

func (o *Campaign) table() string { return one(o.Tables...) }
func (o *Campaign) text() string  { return one(o.texts...).Text }

// somebody is the name of an ordinary program, of an attacker, or of nobody.
func (o *Campaign) somebody() string { return client.Name(o.Run, rand.IntN(2*o.Names)) }

// place is a command that leads to a table or, as often, to the lobby; edge may lead to a table that gathers,
// too.
func (o *Campaign) place() string { return one("", "watch "+o.table()) }
func (o *Campaign) edge() string  { return one("join "+one(o.Open...), o.place()) }

// attacker is one hostile client.
type attacker struct {
	*Campaign
	group int // the first client of those who share an address
	name  string
	key   ssh.Signer // of its account; nil until it has one
}

// address returns the address of the attacker's group at a time.
func (a *attacker) address(now time.Time) net.Addr {
	n := a.group + int(now.Sub(a.began)/addressTime)*a.Hostile
	return &net.TCPAddr{IP: net.IPv4(127, 66, byte(n>>8), byte(n))}
}

// errTurnedAway is returned when the club did not let an attacker in.
var errTurnedAway = errors.New("turned away")

// dial connects, until ctx ends.
func (a *attacker) dial(ctx context.Context) (*greeted, error) {
	d := net.Dialer{LocalAddr: a.address(time.Now())}
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
	first atomic.Int32  // the first byte, and 1 more
	deaf  atomic.Bool   // takes a byte a second
	stays time.Duration // how long after the greeting; 0: without limit
}

func (g *greeted) Read(p []byte) (int, error) {
	if g.deaf.Load() {
		time.Sleep(time.Second)
		p = p[:1]
	}
	n, err := g.Conn.Read(p)
	if n > 0 && g.first.CompareAndSwap(0, int32(p[0])+1) && g.stays > 0 {
		time.AfterFunc(g.stays, func() { _ = g.Close() })
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
	conn, err := a.dial(ctx)
	if err != nil {
		return nil, err
	}
	c, err := who.LoginOn(ctx, conn)
	if err != nil {
		return nil, errTurnedAway
	}
	return c, nil
}

// command runs a command in a connection of its own, as somebody does whose limits would be forgotten with a visit.
func (a *attacker) command(ctx context.Context, key ssh.Signer, command string) error {
	c, err := a.login(ctx, client.Caller{User: "commands", Key: key})
	if err == nil {
		_, err = c.Run(ctx, command)
	}
	return err
}

// asMember makes attempts with the attacker's account, which the first one registers.
func asMember(of way) way {
	return func(ctx context.Context, a *attacker) error {
		if a.key == nil {
			key, err := client.NewKey()
			if err == nil {
				err = a.command(ctx, key, "register "+a.name+" --bot")
			}
			if err != nil {
				return err
			}
			a.key = key
		}
		return of(ctx, a)
	}
}

// withNewKey makes each attempt with a new key.
func withNewKey(of way) way {
	return func(ctx context.Context, a *attacker) (err error) {
		stranger := *a
		if stranger.key, err = client.NewKey(); err != nil {
			return err
		}
		return of(ctx, &stranger)
	}
}

// tries makes n attempts, atOnce of them in parallel. It returns errTurnedAway if none was let in.
func tries(n, atOnce int, one way) way {
	return func(ctx context.Context, a *attacker) error {
		var in atomic.Bool
		var all errgroup.Group
		all.SetLimit(atOnce)
		for i := 0; i < n && ctx.Err() == nil; i++ {
			all.Go(func() error {
				if !errors.Is(one(ctx, a), errTurnedAway) {
					in.Store(true)
				}
				return nil
			})
		}
		_ = all.Wait()
		if !in.Load() {
			return errTurnedAway
		}
		return nil
	}
}

// commands runs n commands, each on its own connection.
func commands(n, atOnce int, command func(a *attacker) string) way {
	return tries(n, atOnce, func(ctx context.Context, a *attacker) error { return a.command(ctx, a.key, command(a)) })
}
