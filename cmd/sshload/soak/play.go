package soak

import (
	"context"
	"fmt"
	"slices"
	"sync"
	"time"

	"golang.org/x/crypto/ssh"

	"boneyard/cmd/sshload/client"
	"boneyard/cmd/sshload/figures"
)

// The ordinary clients of a soak.

// The terminals of ordinary people.
const (
	termWidth  = 80
	termHeight = 24
)

// OpenTables is the number of tables at which everybody may sit down.
const OpenTables = 2

// enter lets all ordinary people come in; those who play do so as soon as the gate is open, until playing ends.
func (s *soaker) enter(ctx, playing context.Context) error {
	steps := []struct {
		n    int
		come func(ctx context.Context, i int) error
	}{
		{s.Tables, func(ctx context.Context, i int) error { return s.seatPair(ctx, playing, i) }},
		{OpenTables, s.hostOpen},
		{s.people(), func(ctx context.Context, i int) error { return s.seatPerson(ctx, playing, i) }},
		{s.watchers(), s.watch},
		{s.Plan.visitors(), s.visit},
	}
	for _, step := range steps {
		if err := client.Each(step.n, client.InFlight, func(i int) error {
			ctx, cancel := client.Sight(ctx)
			defer cancel()
			return step.come(ctx, i)
		}); err != nil {
			return err
		}
	}
	return nil
}

// call logs in from an address of its own, and calls again if that is refused, as people do. It returns how many calls that took.
func (s *soaker) call(ctx context.Context, user string, key ssh.Signer) (c *client.Client, calls int, err error) {
	return s.callFrom(ctx, client.Caller{User: user, Key: key})
}

// callFrom is call by somebody who is described, but for the address.
func (s *soaker) callFrom(ctx context.Context, who client.Caller) (c *client.Client, calls int, err error) {
	who.From = s.ordinary.Take()
	for calls = 1; ; calls++ {
		c, err = who.Login(ctx, s.club.Addr)
		if err == nil || calls == callsAtMost || !client.Sleep(ctx, callAgain) {
			return c, calls, err
		}
	}
}

// newProgram makes an account for a program.
func (s *soaker) newProgram(ctx context.Context, n int) (*client.Program, error) {
	name := client.ProgramName(s.name, n)
	p, err := client.NewProgram(ctx, name, func(key ssh.Signer) (*client.Client, error) {
		c, _, err := s.call(ctx, name, key)
		return c, err
	})
	if err == nil {
		p.Gate, p.Pace = s.gate, thinkTime
	}
	return p, err
}

// seatPair seats two programs at a table.
func (s *soaker) seatPair(ctx, playing context.Context, i int) error {
	t := &client.Table{Tally: &s.moves}
	var pair [2]*client.Program
	for n := range pair {
		p, err := s.newProgram(ctx, 2*i+n)
		if err != nil {
			return err
		}
		s.mu.Lock()
		s.programs = append(s.programs, p)
		s.mu.Unlock()
		p.Table, pair[n] = t, p
		command := "play " + t.Number + " --json"
		if n == 0 {
			command = "play new classic seats=2 bots=never --json"
		}
		if t.Number, err = p.Sit(ctx, command); err != nil {
			return err
		}
		if err := p.Ready(); err != nil {
			return err
		}
	}
	for _, p := range pair {
		s.playing.Go(func() { s.fault("a program at table "+t.Number, p.Play(playing)) })
	}
	return nil
}

// hostOpen opens a table where nobody is ever ready.
func (s *soaker) hostOpen(ctx context.Context, i int) error {
	p, err := s.newProgram(ctx, 2*s.Tables+i)
	if err != nil {
		return err
	}
	p.Table = &client.Table{Tally: &s.moves}
	s.mu.Lock()
	s.hosts = append(s.hosts, p)
	s.mu.Unlock()
	p.Table.Number, err = p.Sit(ctx, "play new classic seats=4 bots=never --json")
	return err
}

// look opens a screen, of somebody who plays or looks on.
func (s *soaker) look(ctx context.Context, user, command string, t *client.Table) (*client.Screen, error) {
	c, _, err := s.call(ctx, user, nil)
	if err != nil {
		return nil, err
	}
	sc := client.NewScreen(c, termWidth, termHeight)
	sc.Table = t
	s.mu.Lock()
	s.screens = append(s.screens, sc)
	s.mu.Unlock()
	return sc, sc.Enter(command)
}

// seatPerson has somebody open a table through the screens, and play against a bot there.
func (s *soaker) seatPerson(ctx, playing context.Context, _ int) error {
	t := &client.Table{Tally: &s.keys}
	sc, err := s.look(ctx, "player", "", t)
	if err != nil {
		return err
	}
	if t.Number, err = sc.Host(ctx, 2, 1); err != nil {
		return err
	}
	p := &client.Person{Screen: sc, Pace: thinkTime, Gate: s.gate}
	s.mu.Lock()
	s.persons = append(s.persons, p)
	s.mu.Unlock()
	s.playing.Go(func() { s.fault("a person at table "+t.Number, p.Play(playing)) })
	return nil
}

// watch has somebody watch a table of programs.
func (s *soaker) watch(ctx context.Context, i int) error {
	t := s.programs[i%len(s.programs)].Table
	sc, err := s.look(ctx, "watcher", "watch "+t.Number, t)
	if err != nil {
		return err
	}
	return sc.Opened(ctx)
}

// visit has somebody stay in the lobby.
func (s *soaker) visit(ctx context.Context, _ int) error {
	sc, err := s.look(ctx, "visitor", "", nil)
	if err != nil {
		return err
	}
	s.mu.Lock()
	s.visitors = append(s.visitors, sc)
	s.mu.Unlock()
	_, err = sc.Shows(ctx, client.SayLobby)
	return err
}

// begun waits for all games to be under way.
func (s *soaker) begun(ctx context.Context) error {
	ctx, cancel := client.Sight(ctx)
	defer cancel()
	for _, p := range s.programs {
		if err := p.Begun(ctx); err != nil {
			return err
		}
	}
	return nil
}

// talk has visitors say something in turn.
func (s *soaker) talk(ctx context.Context) {
	for n := 0; client.Sleep(ctx, talkEvery); n++ {
		v := s.visitors[n%len(s.visitors)]
		s.fault("a visitor's talk", v.Talk(fmt.Sprint("line ", n, " of the soak")))
	}
}

// newcomers has somebody come in now and then, from near and from far, who wants to see the lobby and goes again.
func (s *soaker) newcomers(ctx context.Context) *Newcomers {
	var wg sync.WaitGroup
	var took, far figures.Recorder
	n := &Newcomers{}
	var mu sync.Mutex
	for i := 0; client.Sleep(ctx, newcomerDue); i++ {
		who, mine := client.Caller{User: "newcomer"}, &took
		if i%2 == 1 {
			who.Delay, mine = farAway, &far
		}
		wg.Go(func() {
			came, cancel := client.Sight(context.WithoutCancel(ctx)) // the last one is let in, too
			defer cancel()
			began := time.Now()
			c, calls, err := s.callFrom(came, who)
			if err == nil {
				defer c.HangUp()
				sc := client.NewScreen(c, termWidth, termHeight)
				if err = sc.Enter(""); err == nil {
					_, err = sc.Shows(came, client.SayLobby)
				}
			}
			mu.Lock()
			defer mu.Unlock()
			n.N++
			n.Calls += calls
			if err == nil {
				n.In++
				mine.Add(time.Since(began))
			}
			if err != nil || time.Since(began) > inTime {
				n.Late++
			}
			s.fault("a newcomer", err)
		})
	}
	wg.Wait()
	n.Took, n.Far = took.Sum(), far.Sum()
	return n
}

// stillTime is after how long without a move at a table something is wrong. Between two games some seconds pass.
const stillTime = 30 * time.Second

// settle waits until every move that was sent has been acknowledged, and notes what was not, what was refused, and tables where
// nobody had moved for long.
func (s *soaker) settle(ctx context.Context) {
	ctx, cancel := client.Sight(ctx)
	defer cancel()
	now := time.Now()
	last := make(map[string]time.Time) // by table: the last move
	for _, p := range s.programs {
		what := "a program at table " + p.Table.Number
		at, denied, err := p.Settled(ctx)
		s.fault(what, err)
		if at.After(last[p.Table.Number]) || last[p.Table.Number].IsZero() {
			last[p.Table.Number] = at
		}
		for _, why := range denied {
			s.fault(what, fmt.Errorf("a move was refused: %s", why))
		}
	}
	for number, at := range last {
		if d := now.Sub(at); d > stillTime {
			s.fault("table "+number, fmt.Errorf("nobody has moved for %v", d.Round(time.Second)))
		}
	}
	for _, p := range s.persons {
		if d := now.Sub(p.Table.LastMove()); d > stillTime {
			s.fault("table "+p.Table.Number, fmt.Errorf("a person has not moved for %v; the screen is:\n%s", d.Round(time.Second), p.Picture()))
		}
	}
	for _, sc := range s.screens {
		select {
		case <-sc.Ended:
			s.fault("a session at a screen has ended", fmt.Errorf("it showed\n%s", sc.Picture()))
		default:
		}
	}
}

// hangUp ends all ordinary connections.
func (s *soaker) hangUp() error {
	var all []*client.Client
	for _, p := range slices.Concat(s.programs, s.hosts) {
		all = append(all, p.Client)
	}
	for _, sc := range s.screens {
		all = append(all, sc.Client)
	}
	return client.Each(len(all), client.InFlight, func(i int) error {
		all[i].Close()
		return nil
	})
}
