package main

import (
	"context"
	"fmt"
	"slices"
	"strconv"
	"sync"
	"time"

	"golang.org/x/crypto/ssh"
)

// The ordinary clients of a soak.

// The terminals of ordinary people.
const (
	soakWidth  = 80
	soakHeight = 24
)

// openTables is how many tables there are where everybody may sit down.
const openTables = 2

// enter lets all ordinary people come in; those who play do so as soon as the gate is open, until playing ends.
func (s *soaker) enter(ctx, playing context.Context) error {
	steps := []struct {
		n    int
		come func(ctx context.Context, i int) error
	}{
		{s.Tables, func(ctx context.Context, i int) error { return s.seatPair(ctx, playing, i) }},
		{openTables, s.hostOpen},
		{s.people(), func(ctx context.Context, i int) error { return s.seatPerson(ctx, playing, i) }},
		{s.watchers(), s.watch},
		{s.Soak.visitors(), s.visit},
	}
	for _, step := range steps {
		if err := each(step.n, inFlight, func(i int) error {
			ctx, cancel := sight(ctx)
			defer cancel()
			return step.come(ctx, i)
		}); err != nil {
			return err
		}
	}
	return nil
}

// call logs in from an address of its own, and calls again if that is refused, as people do. It returns how many calls that took.
func (s *soaker) call(ctx context.Context, user string, key ssh.Signer) (c *client, calls int, err error) {
	return s.callFrom(ctx, caller{user: user, key: key})
}

// callFrom is call by somebody who is described, but for the address.
func (s *soaker) callFrom(ctx context.Context, who caller) (c *client, calls int, err error) {
	who.from = s.ordinary.take()
	for calls = 1; ; calls++ {
		c, err = who.login(ctx, s.club.addr)
		if err == nil || calls == callsAtMost || !sleep(ctx, callAgain) {
			return c, calls, err
		}
	}
}

// newProgram makes an account for a program.
func (s *soaker) newProgram(ctx context.Context, n int) (*program, error) {
	name := programName(s.name, n)
	p, err := newProgram(ctx, name, func(key ssh.Signer) (*client, error) {
		c, _, err := s.call(ctx, name, key)
		return c, err
	})
	if err == nil {
		p.gate, p.pace = s.gate, soakPace
	}
	return p, err
}

// seatPair seats two programs at a table.
func (s *soaker) seatPair(ctx, playing context.Context, i int) error {
	t := &tableLoad{tally: &s.moves}
	var pair [2]*program
	for n := range pair {
		p, err := s.newProgram(ctx, 2*i+n)
		if err != nil {
			return err
		}
		s.mu.Lock()
		s.programs = append(s.programs, p)
		s.mu.Unlock()
		p.table, pair[n] = t, p
		command := "play " + t.number + " --json"
		if n == 0 {
			command = "play new classic seats=2 bots=never --json"
		}
		if t.number, err = p.sit(ctx, command); err != nil {
			return err
		}
	}
	for _, p := range pair {
		s.playing.Go(func() { s.fault("a program at table "+t.number, p.play(playing)) })
	}
	return nil
}

// hostOpen opens a table where nobody is ever ready.
func (s *soaker) hostOpen(ctx context.Context, i int) error {
	p, err := s.newProgram(ctx, 2*s.Tables+i)
	if err != nil {
		return err
	}
	p.table = &tableLoad{tally: &s.moves}
	s.mu.Lock()
	s.hosts = append(s.hosts, p)
	s.mu.Unlock()
	if err := p.open(0, 0, "play new classic seats=4 bots=never --json", p.take); err != nil {
		return err
	}
	err = p.until(ctx, "a table", func() bool { return p.state.Table != 0 })
	p.table.number = strconv.FormatInt(p.state.Table, 10)
	return err
}

// look opens a screen, of somebody who plays or looks on.
func (s *soaker) look(ctx context.Context, user, command string, t *tableLoad) (*screen, error) {
	c, _, err := s.call(ctx, user, nil)
	if err != nil {
		return nil, err
	}
	sc := newScreen(c, soakWidth, soakHeight)
	sc.table = t
	s.mu.Lock()
	s.screens = append(s.screens, sc)
	s.mu.Unlock()
	return sc, sc.enter(command)
}

// seatPerson has somebody open a table through the screens, and play against a bot there.
func (s *soaker) seatPerson(ctx, playing context.Context, _ int) error {
	t := &tableLoad{tally: &s.keys}
	sc, err := s.look(ctx, "player", "", t)
	if err != nil {
		return err
	}
	if t.number, err = sc.host(ctx, 2, 1); err != nil {
		return err
	}
	p := &person{screen: sc, pace: soakPace, gate: s.gate}
	s.mu.Lock()
	s.persons = append(s.persons, p)
	s.mu.Unlock()
	s.playing.Go(func() { s.fault("a person at table "+t.number, p.play(playing)) })
	return nil
}

// watch has somebody watch a table of programs.
func (s *soaker) watch(ctx context.Context, i int) error {
	t := s.programs[i%len(s.programs)].table
	sc, err := s.look(ctx, "watcher", "watch "+t.number, t)
	if err != nil {
		return err
	}
	_, err = sc.until(ctx, "the table", func(string) bool { return sc.version > 0 })
	return err
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
	_, err = sc.shows(ctx, sayLobby)
	return err
}

// begun waits for all games to be under way.
func (s *soaker) begun(ctx context.Context) error {
	ctx, cancel := sight(ctx)
	defer cancel()
	for _, p := range s.programs {
		if err := p.begun(ctx); err != nil {
			return err
		}
	}
	return nil
}

// talk has visitors say something in turn.
func (s *soaker) talk(ctx context.Context) {
	for n := 0; sleep(ctx, soakTalk); n++ {
		v := s.visitors[n%len(s.visitors)]
		s.fault("a visitor's talk", v.send("t"+fmt.Sprint("line ", n, " of the soak")+keyEnter))
	}
}

// newcomers has somebody come in now and then, from near and from far, who wants to see the lobby and goes again.
func (s *soaker) newcomers(ctx context.Context) *Newcomers {
	var wg sync.WaitGroup
	var took, far latency
	n := &Newcomers{}
	var mu sync.Mutex
	for i := 0; sleep(ctx, newcomerDue); i++ {
		who, mine := caller{user: "newcomer"}, &took
		if i%2 == 1 {
			who.delay, mine = farAway, &far
		}
		wg.Go(func() {
			came, cancel := sight(context.WithoutCancel(ctx)) // the last one is let in, too
			defer cancel()
			began := time.Now()
			c, calls, err := s.callFrom(came, who)
			if err == nil {
				defer c.hangUp()
				sc := newScreen(c, soakWidth, soakHeight)
				if err = sc.enter(""); err == nil {
					_, err = sc.shows(came, sayLobby)
				}
			}
			mu.Lock()
			defer mu.Unlock()
			n.N++
			n.Calls += calls
			if err == nil {
				n.In++
				mine.add(time.Since(began))
			}
			if err != nil || time.Since(began) > inTime {
				n.Late++
			}
			s.fault("a newcomer", err)
		})
	}
	wg.Wait()
	n.Took, n.Far = took.sum(), far.sum()
	return n
}

// soakStill is for how long no program moves at a table where something is wrong. Between two games there are some seconds.
const soakStill = 30 * time.Second

// settle waits until every move that was sent has been acknowledged, and notes what was not, what was refused, and tables where
// nobody had moved for long.
func (s *soaker) settle(ctx context.Context) {
	ctx, cancel := sight(ctx)
	defer cancel()
	now := time.Now()
	last := make(map[string]time.Time) // by table: the last move
	for _, p := range s.programs {
		what := "a program at table " + p.table.number
		s.fault(what, p.until(ctx, "an acknowledgment", func() bool { return p.done == p.sent || len(p.denied) > 0 }))
		p.mu.Lock()
		at, denied := p.sentAt, slices.Clone(p.denied)
		p.mu.Unlock()
		if at.After(last[p.table.number]) || last[p.table.number].IsZero() {
			last[p.table.number] = at
		}
		for _, why := range denied {
			s.fault(what, fmt.Errorf("a move was refused: %s", why))
		}
	}
	for number, at := range last {
		if d := now.Sub(at); d > soakStill {
			s.fault("table "+number, fmt.Errorf("nobody has moved for %v", d.Round(time.Second)))
		}
	}
	for _, p := range s.persons {
		if d := now.Sub(p.table.lastMove()); d > soakStill {
			s.fault("table "+p.table.number, fmt.Errorf("a person has not moved for %v; the screen is:\n%s", d.Round(time.Second), p.picture()))
		}
	}
	for _, sc := range s.screens {
		select {
		case <-sc.ended:
			s.fault("a session at a screen has ended", fmt.Errorf("it showed\n%s", sc.picture()))
		default:
		}
	}
}

// hangUp ends all ordinary connections.
func (s *soaker) hangUp() error {
	var all []*client
	for _, p := range slices.Concat(s.programs, s.hosts) {
		all = append(all, p.client)
	}
	for _, sc := range s.screens {
		all = append(all, sc.client)
	}
	return each(len(all), inFlight, func(i int) error {
		all[i].close()
		return nil
	})
}
