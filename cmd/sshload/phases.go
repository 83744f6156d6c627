package main

import (
	"bytes"
	"context"
	"fmt"
	"strconv"
	"sync"
	"time"

	"golang.org/x/crypto/ssh"
)

// sightTime is how long a screen may take to show what it should. It is a far bound: the machine may have a lot else to do, and a
// club that is slow shows in the delays.
const sightTime = 2 * time.Minute

func sight(ctx context.Context) (context.Context, context.CancelFunc) {
	return context.WithTimeoutCause(ctx, sightTime, fmt.Errorf("waited for %v", sightTime))
}

// player is somebody who plays: a [person] or a [program].
type player interface {
	play(ctx context.Context) error
	begun(ctx context.Context) error // waits for the first round
	mark() uint64                    // the version of the table that was last seen
	close()
}

// open opens the tables and seats people, who play as soon as the gate is open, until playing ends.
func (r *runner) open(ctx, playing context.Context, wg *sync.WaitGroup) error {
	ctx, cancel := sight(ctx)
	defer cancel()
	r.tables = make([]*tableLoad, r.load.Tables)
	seat := r.seatPeople
	if r.load.Lines {
		seat = r.seatPrograms
	}
	if err := each(r.load.Tables, inFlight, func(i int) error {
		r.tables[i] = &tableLoad{tally: &r.tally}
		return seat(ctx, r.tables[i], i)
	}); err != nil {
		return err
	}
	for _, p := range r.players {
		wg.Go(func() {
			if err := p.play(playing); err != nil {
				select {
				case r.failed <- err:
				default:
				}
			}
		})
	}
	return nil
}

// joined takes up a player who has connected.
func (r *runner) joined(p player) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.players = append(r.players, p)
}

// seatPeople lets one person open a table through the screens, and the others sit down there.
func (r *runner) seatPeople(ctx context.Context, t *tableLoad, _ int) error {
	for n := range r.load.People {
		c, err := login(ctx, r.club.addr, "player", nil)
		if err != nil {
			return err
		}
		s := newScreen(c, r.load.Width, r.load.Height)
		s.table = t
		r.joined(&person{screen: s, pace: r.load.Pace, gate: r.gate})
		if n > 0 {
			if err := s.enter("join " + t.number); err != nil {
				return err
			}
			if _, err := s.shows(ctx, sayReady); err != nil {
				return err
			}
			continue
		}
		if err := s.enter(""); err != nil {
			return err
		}
		if t.number, err = s.host(ctx, r.load.Seats, r.load.People); err != nil {
			return err
		}
	}
	return nil
}

// seatPrograms lets one program open a table, and the others sit down there. Programs need accounts, and get them.
func (r *runner) seatPrograms(ctx context.Context, t *tableLoad, i int) error {
	bots := "never"
	if r.load.People < r.load.Seats {
		bots = "now"
	}
	for n := range r.load.People {
		name := programName(r.name, i*r.load.People+n)
		p, err := newProgram(ctx, name, func(key ssh.Signer) (*client, error) { return login(ctx, r.club.addr, name, key) })
		if err != nil {
			return err
		}
		p.table, p.pace, p.gate = t, r.load.Pace, r.gate
		r.joined(p)
		command := "play " + t.number + " --json"
		if n == 0 {
			command = fmt.Sprintf("play new classic seats=%d bots=%s", r.load.Seats, bots)
			if r.load.Bots != "" {
				command += " strength=" + r.load.Bots
			}
			command += " --json"
		}
		if t.number, err = p.sit(ctx, command); err != nil {
			return err
		}
	}
	return nil
}

// batches is into how many parts those who come in are divided: the servers take turns, and figures are medians.
const batches = 8

// cost is what a batch of callers took.
type cost struct{ rate, login, open float64 }

// enter lets watchers and visitors of the lobby come in, at the club and at the bare server in turn.
func (r *runner) enter(ctx context.Context) error {
	n := r.load.Watchers + r.load.Lobby
	r.screens = make([]*screen, n)
	if r.bare != nil {
		r.twins = make([]*screen, n)
	}
	if err := r.enterFirst(ctx); err != nil {
		return err
	}
	var rates, logins, opens, both []Pair
	for b := range batches {
		from, to := 1+b*(n-1)/batches, 1+(b+1)*(n-1)/batches
		if from == to {
			continue
		}
		var c [2]cost
		for i, s := range r.servers() {
			var err error
			if c[i], err = r.batch(ctx, s, from, to); err != nil {
				return err
			}
		}
		rates = append(rates, pairOf(c[0].rate, c[1].rate))
		logins = append(logins, pairOf(c[0].login, c[1].login))
		opens = append(opens, pairOf(c[0].open, c[1].open))
		both = append(both, pairOf(c[0].login+c[0].open, c[1].login+c[1].open))
	}
	r.report.Enter = &Enter{
		PerSecond: medians(rates), Login: medians(logins), Open: medians(opens), Both: medians(both), FirstScreen: len(r.first),
	}
	return r.quiet(ctx)
}

// enterFirst lets the first come in, whose screen the bare server shows, too, and who takes down what comes.
func (r *runner) enterFirst(ctx context.Context) error {
	if err := r.login(ctx, r.club, 0); err != nil {
		return err
	}
	first := r.screens[0]
	first.scribe = &scribe{}
	if err := r.show(ctx, r.club, 0); err != nil {
		return err
	}
	first.mu.Lock()
	r.first = bytes.Join(first.scribe.pieces, nil)
	first.mu.Unlock()
	if r.bare == nil {
		return nil
	}
	if err := r.bare.say("greet " + strconv.Quote(string(r.first))); err != nil {
		return err
	}
	if err := r.login(ctx, r.bare, 0); err != nil {
		return err
	}
	return r.show(ctx, r.bare, 0)
}

// batch lets some come in and tells what that took of the server.
func (r *runner) batch(ctx context.Context, s *server, from, to int) (c cost, err error) {
	n := float64(to - from)
	start, began := r.usages(), time.Now()
	if err = each(to-from, inFlight, func(i int) error { return r.login(ctx, s, from+i) }); err != nil {
		return c, err
	}
	c.rate = n / time.Since(began).Seconds()
	in := r.usages()
	if err = each(to-from, inFlight, func(i int) error { return r.show(ctx, s, from+i) }); err != nil {
		return c, err
	}
	c.login, c.open = cpu(s, start, in)/n, cpu(s, in, r.usages())/n
	return c, nil
}

// seats are the sessions of a server that are not people's.
func (r *runner) seats(s *server) []*screen {
	if s == r.bare {
		return r.twins
	}
	return r.screens
}

// login connects the session of one index.
func (r *runner) login(ctx context.Context, s *server, i int) error {
	c, err := login(ctx, s.addr, "visitor", nil)
	if err != nil {
		return err
	}
	screen := newScreen(c, r.load.Width, r.load.Height)
	if s == r.club && i < r.load.Watchers {
		screen.table = r.tables[i%len(r.tables)]
		screen.observer = i < r.load.Watchers-r.load.Slow
	}
	if s == r.bare {
		screen.echo = &r.echo
	}
	r.seats(s)[i] = screen
	return nil
}

// show opens the session and waits for its first screen. Slow readers are slow from then on.
func (r *runner) show(ctx context.Context, s *server, i int) error {
	ctx, cancel := sight(ctx)
	defer cancel()
	screen, command := r.seats(s)[i], ""
	if screen.table != nil {
		command = "watch " + screen.table.number
	}
	if err := screen.enter(command); err != nil {
		return err
	}
	_, err := screen.until(ctx, "a screen", func(text string) bool {
		return screen.frames.Load() > 0 && (screen.table == nil || screen.version > 0)
	})
	if err == nil && screen.table != nil && !screen.observer {
		screen.line.rate.Store(slowRate)
	}
	return err
}

// slowRate is how many bytes a second slow readers take.
const slowRate = 300

// quietTime is how long no frame has come when all is quiet.
const quietTime = 400 * time.Millisecond

// quiet waits until nothing has come for a moment. Nothing tells when a server has nothing more to say.
func (r *runner) quiet(ctx context.Context) error {
	ctx, cancel := sight(ctx)
	defer cancel()
	for last := int64(-1); ; {
		now := r.frames(r.screens) + r.frames(r.twins)
		if now == last {
			return nil
		}
		last = now
		if !sleep(ctx, quietTime) {
			return fmt.Errorf("screens do not come to rest: %w", context.Cause(ctx))
		}
	}
}

func (r *runner) frames(screens []*screen) (n int64) {
	for _, s := range screens {
		if s != nil {
			n += s.frames.Load()
		}
	}
	return n
}

// idle measures sessions to which nothing happens.
func (r *runner) idle(ctx context.Context) error {
	frames, start := r.frames(r.screens), r.usages()
	began := time.Now()
	if !sleep(ctx, r.load.Rest) {
		return context.Cause(ctx)
	}
	end := r.usages()
	took := time.Since(began).Seconds()
	perSession := func(s *server) float64 {
		n := len(r.seats(s))
		if s == r.club {
			n += len(r.players)
		}
		return 1 / float64(max(n, 1))
	}
	i := &Idle{Seconds: took, Frames: float64(r.frames(r.screens)-frames) / float64(max(len(r.screens), 1))}
	i.CPU = r.pair(func(s *server) float64 { return cpu(s, start, end) / took * perSession(s) })
	i.RSS = r.pair(func(s *server) float64 {
		return float64(end[s].rss-r.before[s].rss) / 1024 * perSession(s)
	})
	gauges := make(map[*server][2]float64)
	for _, s := range r.servers() {
		if n, live, err := s.gauges(); err == nil {
			gauges[s] = [2]float64{n - r.base[s][0], live - r.base[s][1]}
		}
	}
	i.Goroutines = r.pair(func(s *server) float64 { return gauges[s][0] * perSession(s) })
	i.Live = r.pair(func(s *server) float64 { return gauges[s][1] / 1024 * perSession(s) })
	r.report.Idle = i
	return nil
}
