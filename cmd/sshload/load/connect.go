package load

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"regexp"
	"strconv"
	"strings"
	"time"

	"golang.org/x/crypto/ssh"

	"boneyard/cmd/sshload/client"
	"boneyard/cmd/sshload/figures"
	"boneyard/cmd/sshload/server"
)

// player is somebody who plays: a [client.Person] or a [client.Program].
type player interface {
	Play(ctx context.Context) error
	Begun(ctx context.Context) error // waits for the first round
	Mark() uint64                    // the version of the table that was last seen
	Close()
}

func (r *runner) players() (all []player) {
	for _, p := range r.programs {
		all = append(all, p)
	}
	for _, p := range r.persons {
		all = append(all, p)
	}
	return all
}

// Callers that are turned away, or thrown out before their session has begun, call again.
const (
	callAgain   = 500 * time.Millisecond
	callsAtMost = 60
)

// later waits until somebody who has called so often calls again; it reports false if nobody would.
func (r *runner) later(ctx context.Context, calls int, why error) bool {
	if calls == callsAtMost || !client.Sleep(ctx, callAgain) {
		return false
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.again++; r.again == 1 {
		r.refusal = why
	}
	return true
}

// call logs the i-th client in at the club, and again if that fails. It returns how many calls that took.
func (r *runner) call(ctx context.Context, who client.Caller, i int) (c *client.Client, calls int, err error) {
	if r.Apart {
		who.From = r.from.Take()
	}
	for calls = 1; ; calls++ {
		c, err = who.Login(ctx, r.addr(i))
		if err == nil || !r.later(ctx, calls, err) {
			return c, calls, err
		}
	}
}

// comeIn connects with a terminal and waits for the lobby. It returns how many calls that took, and the screen
// even if the lobby was not shown.
func (r *runner) comeIn(ctx context.Context, who client.Caller) (s *client.Screen, calls int, err error) {
	ctx, cancel := client.Sight(ctx)
	defer cancel()
	c, calls, err := r.call(ctx, who, 0)
	if err != nil {
		return nil, calls, err
	}
	s = client.NewScreen(c, r.Width, r.Height)
	if err = s.Enter(ctx, ""); err == nil {
		err = s.Shows(ctx, client.SayLobby)
	}
	return s, calls, err
}

// ask has the i-th node answer a command, in a connection of its own.
func (r *runner) ask(ctx context.Context, who client.Caller, i int, command string) (string, error) {
	ctx, cancel := client.Sight(ctx)
	defer cancel()
	c, _, err := r.call(ctx, who, i)
	if err != nil {
		return "", err
	}
	return c.Run(ctx, command)
}

// askFirst has the club answer a command with --json, and reads the first object.
func (r *runner) askFirst(ctx context.Context, who client.Caller, command string, to any) error {
	said, err := r.ask(ctx, who, 0, command)
	if err == nil {
		err = json.NewDecoder(strings.NewReader(said)).Decode(to)
	}
	if err != nil {
		return fmt.Errorf("%s was not answered: %w", command, err)
	}
	return nil
}

// open opens the tables and seats people, who play as soon as the gate is open.
func (r *runner) open(ctx context.Context) error {
	r.tables = make([]*client.Table, r.Tables)
	return client.Each(r.Tables+r.Open+r.Alone, func(i int) error {
		ctx, cancel := client.Sight(ctx)
		defer cancel()
		t := &client.Table{Tally: &r.tallies[0]}
		switch {
		case i < r.Tables && r.Lines:
			r.tables[i] = t
			return r.seatPrograms(ctx, t)
		case i < r.Tables:
			r.tables[i] = t
			return r.seatPeople(ctx, t, r.Seats, r.People)
		case i < r.Tables+r.Open:
			p, err := r.program(ctx, 0, t)
			if err != nil {
				return err
			}
			r.mu.Lock()
			r.hosts = append(r.hosts, p)
			r.mu.Unlock()
			t.Number, err = p.Sit(ctx, "play new classic seats=4 bots=never --json")
			return err
		default:
			return r.seatPeople(ctx, t, 2, 1)
		}
	})
}

// plays takes up a player, who plays until all is over.
func (r *runner) plays(p player) {
	r.mu.Lock()
	defer r.mu.Unlock()
	switch p := p.(type) {
	case *client.Program:
		r.programs = append(r.programs, p)
	case *client.Person:
		r.persons = append(r.persons, p)
	}
	r.played.Go(func() { r.fault("a player", p.Play(r.playing)) })
}

// seatPeople lets one person open a table through the screens, and the others sit down there.
func (r *runner) seatPeople(ctx context.Context, t *client.Table, seats, people int) error {
	t.Tally = &r.tallies[1]
	for n := range people {
		c, _, err := r.call(ctx, client.Caller{User: "player"}, n)
		if err != nil {
			return err
		}
		s := client.NewScreen(c, r.Width, r.Height)
		s.Table = t
		if n > 0 {
			if err = s.Enter(ctx, "join "+t.Number); err == nil {
				err = s.Shows(ctx, client.SayReady)
			}
		} else if err = s.Enter(ctx, ""); err == nil {
			t.Number, err = s.Host(ctx, seats, people)
		}
		if err != nil {
			return err
		}
		r.plays(&client.Person{Screen: s, Pace: r.Pace, Gate: &r.gate})
	}
	return nil
}

// program logs a program in at the i-th node, with an account that it makes: programs need one.
func (r *runner) program(ctx context.Context, i int, t *client.Table) (*client.Program, error) {
	name := client.Name(r.name, int(r.named.Add(1))-1)
	p, err := client.NewProgram(ctx, name, func(key ssh.Signer) (*client.Client, error) {
		c, _, err := r.call(ctx, client.Caller{User: name, Key: key}, i)
		return c, err
	})
	if err == nil {
		p.Table, p.Pace, p.Gate = t, r.Pace, &r.gate
	}
	return p, err
}

// seatPrograms lets one program open a table, and the others sit down there.
func (r *runner) seatPrograms(ctx context.Context, t *client.Table) error {
	command := fmt.Sprintf("play new classic seats=%d bots=never", r.Seats)
	if r.People < r.Seats {
		command = strings.Replace(command, "never", "now", 1)
	}
	if r.Bots != "" {
		command += " strength=" + r.Bots
	}
	for n := range r.People {
		p, err := r.program(ctx, n, t)
		if err != nil {
			return err
		}
		if t.Number, err = p.Sit(ctx, command+" --json"); err != nil {
			return err
		}
		if err := p.Ready(); err != nil {
			return err
		}
		r.plays(p)
		command = "play " + t.Number
	}
	return nil
}

// Those who come in are divided into parts: the servers take turns, and figures are medians. A part is small
// enough for the last to log in before the club hangs up on the first, which has not opened a session yet.
const (
	minBatches = 8
	maxBatch   = 500
)

// enter lets watchers and visitors of the lobby come in, at the club and at the bare server in turn.
func (r *runner) enter(ctx context.Context) error {
	n := r.Watchers + r.Lobby
	r.screens = make([]*client.Screen, n)
	if r.bare != nil {
		r.twins = make([]*client.Screen, n)
	}
	if err := r.enterFirst(ctx); err != nil {
		return err
	}
	names := []struct{ name, unit string }{{"logins", "/s"}, {"login", "µs CPU"}, {"session, first screen", "µs CPU"}, {"both", "µs CPU"}}
	all := make([][]figures.Pair, len(names))
	batches := max(minBatches, n/maxBatch)
	for b := range batches {
		from, to := 1+b*(n-1)/batches, 1+(b+1)*(n-1)/batches
		if from == to {
			continue
		}
		var cost [2][4]float64
		for i, s := range []*server.Server{r.club, r.bare} {
			if s == nil {
				continue
			}
			var err error
			if cost[i], err = r.batch(ctx, s, from, to); err != nil {
				return err
			}
		}
		for i := range all {
			all[i] = append(all[i], figures.PairOf(cost[0][i], cost[1][i]))
		}
	}
	r.report.Part("entering")
	for i, f := range names {
		r.report.Pair(f.name, f.unit, figures.Medians(all[i]))
	}
	r.report.Add("first screen", "bytes", float64(len(r.first)))
	if r.bare != nil {
		r.report.Goal("entering, CPU against bare", figures.Medians(all[3]).Ratio, 2)
	}
	if err := r.counted(ctx); err != nil {
		return err
	}
	return r.quiet(ctx)
}

// counted waits until every watcher sees the number of watchers, which is sent to all at once, some time
// after the last has come.
func (r *runner) counted(ctx context.Context) error {
	ctx, cancel := client.Sight(ctx)
	defer cancel()
	watchers := make(map[*client.Table]int)
	for _, s := range r.screens {
		watchers[s.Table]++
	}
	for _, s := range r.screens {
		if !s.Observer {
			continue
		}
		say := regexp.MustCompile(fmt.Sprintf(`\b%d( watching|w)\b`, watchers[s.Table]))
		if _, err := s.Until(ctx, say.String(), say.MatchString); err != nil {
			return err
		}
	}
	return nil
}

// enterFirst lets the first come in, whose screen the bare server shows, too.
func (r *runner) enterFirst(ctx context.Context) error {
	if err := r.login(ctx, r.club, 0); err != nil {
		return err
	}
	first := r.screens[0]
	first.Record(true)
	if err := r.show(ctx, r.club, 0); err != nil {
		return err
	}
	r.first = bytes.Join(first.Record(false), nil)
	if r.bare == nil {
		return nil
	}
	err := r.bare.Greet(string(r.first))
	if err == nil {
		err = r.login(ctx, r.bare, 0)
	}
	if err == nil {
		err = r.show(ctx, r.bare, 0)
	}
	return err
}

// batch lets some connect. It returns how many did in a second, and the server's processor time for a login,
// a session, and both, in microseconds.
func (r *runner) batch(ctx context.Context, s *server.Server, from, to int) (cost [4]float64, err error) {
	n := float64(to - from)
	start, began := r.usages(), time.Now()
	if err = client.Each(to-from, func(i int) error { return r.login(ctx, s, from+i) }); err != nil {
		return cost, err
	}
	rate, in := n/time.Since(began).Seconds(), r.usages()
	if err = client.Each(to-from, func(i int) error { return r.show(ctx, s, from+i) }); err != nil {
		return cost, err
	}
	end := r.usages()
	return [4]float64{rate, cpu(s, start, in) / n, cpu(s, in, end) / n, cpu(s, start, end) / n}, nil
}

// seats are the sessions of a server that are not players'.
func (r *runner) seats(s *server.Server) []*client.Screen {
	if s == r.bare {
		return r.twins
	}
	return r.screens
}

// login connects the session of one index.
func (r *runner) login(ctx context.Context, s *server.Server, i int) (err error) {
	var c *client.Client
	if s == r.bare {
		c, err = client.Caller{User: "visitor"}.Login(ctx, s.Addr)
	} else {
		c, _, err = r.call(ctx, client.Caller{User: "visitor"}, i)
	}
	if err != nil {
		return err
	}
	screen := client.NewScreen(c, r.Width, r.Height)
	if s == r.club && i < r.Watchers {
		screen.Table = r.tables[i%len(r.tables)]
		screen.Observer = true
	}
	if s == r.bare {
		screen.Echo = &r.echo
	}
	r.seats(s)[i] = screen
	return nil
}

// show opens the session and waits for its first screen; one that ends before calls again.
func (r *runner) show(ctx context.Context, s *server.Server, i int) error {
	ctx, cancel := client.Sight(ctx)
	defer cancel()
	for calls := 1; ; calls++ {
		screen, command := r.seats(s)[i], ""
		if screen.Table != nil {
			command = "watch " + screen.Table.Number
		}
		err := screen.Enter(ctx, command)
		if err == nil {
			err = screen.Opened(ctx)
		}
		if err == nil || !r.later(ctx, calls, err) {
			return err
		}
		screen.HangUp()
		if err := r.login(ctx, s, i); err != nil {
			return err
		}
	}
}

// quietTime is how long no frame has come when all is quiet.
const quietTime = 400 * time.Millisecond

// quiet waits until nothing has come for a moment. Nothing tells when a server has nothing more to say.
func (r *runner) quiet(ctx context.Context) error {
	ctx, cancel := client.Sight(ctx)
	defer cancel()
	for last := int64(-1); ; {
		now := frames(r.screens) + frames(r.twins)
		if now == last {
			return nil
		}
		last = now
		if !client.Sleep(ctx, quietTime) {
			return fmt.Errorf("screens do not come to rest: %w", context.Cause(ctx))
		}
	}
}

func frames(screens []*client.Screen) (n int64) {
	for _, s := range screens {
		n += s.Frames.Load()
	}
	return n
}

// idle measures sessions to which nothing happens.
func (r *runner) idle(ctx context.Context, part string) error {
	came, start, began := frames(r.screens), r.usages(), time.Now()
	if !client.Sleep(ctx, r.Rest) {
		return context.Cause(ctx)
	}
	end, took := r.usages(), time.Since(began).Seconds()
	gauges := make(map[*server.Server][2]float64)
	for _, s := range r.servers() {
		if n, live, err := s.Gauges(); err == nil {
			gauges[s] = [2]float64{n - r.base[s][0], live - r.base[s][1]}
		}
	}
	each := func(of func(*server.Server) float64) figures.Pair {
		return r.pair(func(s *server.Server) float64 {
			n := len(r.seats(s))
			if s == r.club {
				n += len(r.players())
			}
			return of(s) / float64(max(n, 1))
		})
	}
	spent := each(func(s *server.Server) float64 { return cpu(s, start, end) / took })
	memory := each(func(s *server.Server) float64 { return float64(end[s].RSS-r.before[s].RSS) / 1024 })
	r.report.Part(part)
	r.report.Pair("CPU", "µs/s a session", spent)
	r.report.Pair(residentMemory, "kB a session", memory)
	r.report.Pair("live memory", "kB a session", each(func(s *server.Server) float64 { return gauges[s][1] / 1024 }))
	r.report.Pair("goroutines", "a session", each(func(s *server.Server) float64 { return gauges[s][0] }))
	r.report.Add("frames", "a session", float64(frames(r.screens)-came)/float64(max(len(r.screens), 1)))
	if r.bare != nil {
		r.report.Goal("idle session, memory against bare", memory.Ratio, 2.5)
	}
	if spent.Club > 0 && r.Arena == 0 {
		r.report.Goal("idle session, µs of CPU a second", spent.Club, 1)
	}
	return nil
}

// arena has programs come and play an arena, which begins when they come. Before, it looks at the lobby while
// one begins soon.
func (r *runner) arena(ctx context.Context) error {
	boss := client.Caller{User: "olga", Key: r.boss}
	if _, err := r.ask(ctx, boss, 0, "register olga"); err != nil {
		return err
	}
	var made struct{ Arena int64 }
	begins := func(when string) error {
		return r.askFirst(ctx, boss, "arena new in="+when+" length=20 programs=on pace=normal classic rounds=1 --json", &made)
	}
	err := begins("8")
	if err == nil {
		err = r.quiet(ctx)
	}
	if err == nil {
		err = r.idle(ctx, "idle, an arena begins soon")
	}
	if err == nil {
		err = begins("0")
	}
	if err != nil {
		return err
	}
	r.gate.Set(true) // so that the last of them need not wait for somebody to be free
	return client.Each(r.Arena, func(int) error {
		ctx, cancel := client.Sight(ctx)
		defer cancel()
		p, err := r.program(ctx, 0, &client.Table{Tally: &r.tallies[0]})
		if err != nil {
			return err
		}
		p.Arena = true
		if _, err = p.Sit(ctx, "arena "+strconv.FormatInt(made.Arena, 10)+" play --json --bot"); err == nil {
			r.plays(p)
		}
		return err
	})
}
