package load

import (
	"bytes"
	"context"
	"fmt"
	"regexp"
	"sync"
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

// open opens the tables and seats people, who play as soon as the gate is open, until playing ends.
func (r *runner) open(ctx, playing context.Context, wg *sync.WaitGroup) error {
	ctx, cancel := client.Sight(ctx)
	defer cancel()
	r.tables = make([]*client.Table, r.load.Tables)
	seat := r.seatPeople
	if r.load.Lines {
		seat = r.seatPrograms
	}
	if err := client.Each(r.load.Tables, client.InFlight, func(i int) error {
		r.tables[i] = &client.Table{Tally: &r.tally}
		return seat(ctx, r.tables[i], i)
	}); err != nil {
		return err
	}
	for _, p := range r.players {
		wg.Go(func() {
			if err := p.Play(playing); err != nil {
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
func (r *runner) seatPeople(ctx context.Context, t *client.Table, _ int) error {
	for n := range r.load.People {
		c, err := client.Login(ctx, r.addr(n), "player", nil)
		if err != nil {
			return err
		}
		s := client.NewScreen(c, r.load.Width, r.load.Height)
		s.Table = t
		r.joined(&client.Person{Screen: s, Pace: r.load.Pace, Gate: r.gate})
		if n > 0 {
			if err := s.Enter("join " + t.Number); err != nil {
				return err
			}
			if _, err := s.Shows(ctx, client.SayReady); err != nil {
				return err
			}
			continue
		}
		if err := s.Enter(""); err != nil {
			return err
		}
		if t.Number, err = s.Host(ctx, r.load.Seats, r.load.People); err != nil {
			return err
		}
	}
	return nil
}

// seatPrograms lets one program open a table, and the others sit down there. Programs need accounts, and get them.
func (r *runner) seatPrograms(ctx context.Context, t *client.Table, i int) error {
	bots := "never"
	if r.load.People < r.load.Seats {
		bots = "now"
	}
	for n := range r.load.People {
		name := client.ProgramName(r.name, i*r.load.People+n)
		p, err := client.NewProgram(ctx, name, func(key ssh.Signer) (*client.Client, error) { return client.Login(ctx, r.addr(n), name, key) })
		if err != nil {
			return err
		}
		p.Table, p.Pace, p.Gate = t, r.load.Pace, r.gate
		r.joined(p)
		command := "play " + t.Number + " --json"
		if n == 0 {
			command = fmt.Sprintf("play new classic seats=%d bots=%s", r.load.Seats, bots)
			if r.load.Bots != "" {
				command += " strength=" + r.load.Bots
			}
			command += " --json"
		}
		if t.Number, err = p.Sit(ctx, command); err != nil {
			return err
		}
		if err := p.Ready(); err != nil {
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
	r.screens = make([]*client.Screen, n)
	if r.bare != nil {
		r.twins = make([]*client.Screen, n)
	}
	if err := r.enterFirst(ctx); err != nil {
		return err
	}
	var rates, logins, opens, both []figures.Pair
	for b := range batches {
		from, to := 1+b*(n-1)/batches, 1+(b+1)*(n-1)/batches
		if from == to {
			continue
		}
		var c [2]cost
		for i, s := range []*server.Server{r.club, r.bare} {
			var err error
			if s == nil {
				continue
			}
			if c[i], err = r.batch(ctx, s, from, to); err != nil {
				return err
			}
		}
		rates = append(rates, figures.PairOf(c[0].rate, c[1].rate))
		logins = append(logins, figures.PairOf(c[0].login, c[1].login))
		opens = append(opens, figures.PairOf(c[0].open, c[1].open))
		both = append(both, figures.PairOf(c[0].login+c[0].open, c[1].login+c[1].open))
	}
	r.report.Enter = &Enter{
		PerSecond: figures.Medians(rates), Login: figures.Medians(logins), Open: figures.Medians(opens), Both: figures.Medians(both), FirstScreen: len(r.first),
	}
	if err := r.counted(ctx); err != nil {
		return err
	}
	return r.quiet(ctx)
}

// counted waits until every watcher sees the number of watchers, which is sent to all at once, some time after the last has come.
func (r *runner) counted(ctx context.Context) error {
	ctx, cancel := client.Sight(ctx)
	defer cancel()
	watchers := make(map[*client.Table]int)
	for _, s := range r.screens {
		if s.Table != nil {
			watchers[s.Table]++
		}
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

// enterFirst lets the first come in, whose screen the bare server shows, too, and who takes down what comes.
func (r *runner) enterFirst(ctx context.Context) error {
	if err := r.login(ctx, r.club, 0); err != nil {
		return err
	}
	first := r.screens[0]
	first.Record()
	if err := r.show(ctx, r.club, 0); err != nil {
		return err
	}
	r.first = bytes.Join(first.Recorded(), nil)
	if r.bare == nil {
		return nil
	}
	if err := r.bare.Greet(string(r.first)); err != nil {
		return err
	}
	if err := r.login(ctx, r.bare, 0); err != nil {
		return err
	}
	return r.show(ctx, r.bare, 0)
}

// batch lets some connect, and reports what that cost the server.
func (r *runner) batch(ctx context.Context, s *server.Server, from, to int) (c cost, err error) {
	n := float64(to - from)
	start, began := r.usages(), time.Now()
	if err = client.Each(to-from, client.InFlight, func(i int) error { return r.login(ctx, s, from+i) }); err != nil {
		return c, err
	}
	c.rate = n / time.Since(began).Seconds()
	in := r.usages()
	if err = client.Each(to-from, client.InFlight, func(i int) error { return r.show(ctx, s, from+i) }); err != nil {
		return c, err
	}
	c.login, c.open = cpu(s, start, in)/n, cpu(s, in, r.usages())/n
	return c, nil
}

// seats are the sessions of a server that are not people's.
func (r *runner) seats(s *server.Server) []*client.Screen {
	if s == r.bare {
		return r.twins
	}
	return r.screens
}

// login connects the session of one index.
func (r *runner) login(ctx context.Context, s *server.Server, i int) error {
	addr := s.Addr
	if s == r.club {
		addr = r.addr(i)
	}
	c, err := client.Login(ctx, addr, "visitor", nil)
	if err != nil {
		return err
	}
	screen := client.NewScreen(c, r.load.Width, r.load.Height)
	if s == r.club && i < r.load.Watchers {
		screen.Table = r.tables[i%len(r.tables)]
		screen.Observer = i < r.load.Watchers-r.load.Slow
	}
	if s == r.bare {
		screen.Echo = &r.echo
	}
	r.seats(s)[i] = screen
	return nil
}

// show opens the session and waits for its first screen. Slow readers are slow from then on.
func (r *runner) show(ctx context.Context, s *server.Server, i int) error {
	ctx, cancel := client.Sight(ctx)
	defer cancel()
	screen, command := r.seats(s)[i], ""
	if screen.Table != nil {
		command = "watch " + screen.Table.Number
	}
	if err := screen.Enter(command); err != nil {
		return err
	}
	err := screen.Opened(ctx)
	if err == nil && screen.Table != nil && !screen.Observer {
		screen.ReadSlowly(slowRate)
	}
	return err
}

// slowRate is how many bytes a second slow readers take.
const slowRate = 300

// quietTime is how long no frame has come when all is quiet.
const quietTime = 400 * time.Millisecond

// quiet waits until nothing has come for a moment. Nothing tells when a server has nothing more to say.
func (r *runner) quiet(ctx context.Context) error {
	ctx, cancel := client.Sight(ctx)
	defer cancel()
	for last := int64(-1); ; {
		now := r.frames(r.screens) + r.frames(r.twins)
		if now == last {
			return nil
		}
		last = now
		if !client.Sleep(ctx, quietTime) {
			return fmt.Errorf("screens do not come to rest: %w", context.Cause(ctx))
		}
	}
}

func (r *runner) frames(screens []*client.Screen) (n int64) {
	for _, s := range screens {
		if s != nil {
			n += s.Frames.Load()
		}
	}
	return n
}

// idle measures sessions to which nothing happens.
func (r *runner) idle(ctx context.Context) error {
	frames, start := r.frames(r.screens), r.usages()
	began := time.Now()
	if !client.Sleep(ctx, r.load.Rest) {
		return context.Cause(ctx)
	}
	end := r.usages()
	took := time.Since(began).Seconds()
	perSession := func(s *server.Server) float64 {
		n := len(r.seats(s))
		if s == r.club {
			n += len(r.players)
		}
		return 1 / float64(max(n, 1))
	}
	i := &Idle{Seconds: took, Frames: float64(r.frames(r.screens)-frames) / float64(max(len(r.screens), 1))}
	i.CPU = r.pair(func(s *server.Server) float64 { return cpu(s, start, end) / took * perSession(s) })
	i.RSS = r.pair(func(s *server.Server) float64 {
		return float64(end[s].RSS-r.before[s].RSS) / 1024 * perSession(s)
	})
	gauges := make(map[*server.Server][2]float64)
	for _, s := range r.servers() {
		if n, live, err := s.Gauges(); err == nil {
			gauges[s] = [2]float64{n - r.base[s][0], live - r.base[s][1]}
		}
	}
	i.Goroutines = r.pair(func(s *server.Server) float64 { return gauges[s][0] * perSession(s) })
	i.Live = r.pair(func(s *server.Server) float64 { return gauges[s][1] / 1024 * perSession(s) })
	r.report.Idle = i
	return nil
}
