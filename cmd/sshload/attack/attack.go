// Package attack attacks a club in every known way. The hostile clients run in their own process, so that
// those whose delays are measured do not wait for them.
package attack

import (
	"context"
	"encoding/json"
	"errors"
	"expvar"
	"fmt"
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

// Kind is a kind of attack.
type Kind struct {
	Name, About string
	pause       time.Duration // between attempts, ± 50 %: the attackers run on this machine, too
	alone       bool          // each client has an address of its own
	way         way
}

// way makes one attempt. It returns errTurnedAway if the club did not let it in; no other error matters.
type way func(ctx context.Context, a *attacker) error

const (
	attackTime         = 30 * time.Second // of one attempt, at most
	attackersAnAddress = 4                // of one kind share an address, and are limited and punished together,
	addressTime        = 30 * time.Second // for this long: then they move to another, as somebody with many machines would
)

// Campaign tells hostile clients what they need to know.
type Campaign struct {
	Club    string   // its address
	Only    []string // kinds of attack; empty: all
	Hostile int      // clients
	Tables  []string // where programs play
	Open    []string // where everybody may sit down
	Run     string   // begins the names of accounts
	Names   int      // the number of accounts before the campaign

	texts []texttest.Case
	weak  []ssh.Signer // keys that no server should accept
	began time.Time
}

// Run reads a campaign, runs its hostile clients until the end of its input, and writes the number of
// attempts of each kind, and of those that were turned away.
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
		_, _ = io.Copy(io.Discard, in) // also ends when the process that started this one does
		cancel()
	}()
	o.texts, o.weak, o.began = texttest.Hostile(), weakKeys(), time.Now()
	kinds := Kinds(o.Only...)
	var wg sync.WaitGroup
	var done expvar.Map
	// The kinds take turns; attackersAnAddress clients of a kind are a group.
	for i := range o.Hostile {
		k, n := kinds[i%len(kinds)], i/len(kinds)
		if !k.alone {
			n -= n % attackersAnAddress
		}
		a := &attacker{Campaign: &o, group: n*len(kinds) + i%len(kinds), name: client.Name(o.Run, o.Names+i)}
		wg.Go(func() {
			for pause := rand.N(k.pause); client.Sleep(ctx, pause); pause = k.pause/2 + rand.N(k.pause+1) {
				during, cancel := context.WithTimeout(ctx, attackTime)
				done.Add(k.Name, 1)
				if errors.Is(k.way(during, a), errTurnedAway) {
					done.Add(k.Name+", turned away", 1)
				}
				cancel()
			}
		})
	}
	wg.Wait()
	_, err = fmt.Fprintln(out, &done) // as JSON
	return err
}

// one returns one of several values, at random.
func one[T any](of ...T) T { return of[rand.IntN(len(of))] }

func (o *Campaign) table() string { return one(o.Tables...) }
func (o *Campaign) text() string  { return one(o.texts...).Text }

// somebody is the name of an ordinary program, of an attacker, or of nobody.
func (o *Campaign) somebody() string { return client.Name(o.Run, rand.IntN(2*o.Names)) }

// place is a command that leads to a table or to the lobby.
func (o *Campaign) place() string { return one("", "watch "+o.table()) }

// attacker is one hostile client.
type attacker struct {
	*Campaign
	group int // the number of the first client with the same address
	name  string
	key   ssh.Signer // of its account; nil until it has one
}

// address returns the address of the attacker's group at a time.
func (a *attacker) address(now time.Time) net.Addr {
	n := a.group + int(now.Sub(a.began)/addressTime)*a.Hostile
	return &net.TCPAddr{IP: net.IPv4(127, 66, byte(n>>8), byte(n))}
}

// errTurnedAway is returned if the club did not let an attacker in.
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

// greeted knows whether it was turned away: then its first byte is not that of SSH's greeting.
type greeted struct {
	net.Conn
	first atomic.Int32  // the first byte, plus 1
	deaf  atomic.Bool   // reads a byte a second
	stays time.Duration // after the greeting; 0: without limit
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

// end closes the connection and returns err, or errTurnedAway.
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
		err = errTurnedAway
	}
	return c, err
}

// command runs a command on a connection of its own, in case the club forgets limits with a visit.
func (a *attacker) command(ctx context.Context, key ssh.Signer, command string) error {
	c, err := a.login(ctx, client.Caller{User: "commands", Key: key})
	if err == nil {
		_, err = c.Run(ctx, command)
	}
	return err
}

// asMember makes attempts with the attacker's account, which the first attempt registers.
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
