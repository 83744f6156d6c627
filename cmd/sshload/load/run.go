package load

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"sync"
	"sync/atomic"
	"time"

	"boneyard/cmd/sshload/client"
	"boneyard/cmd/sshload/figures"
	"boneyard/cmd/sshload/server"
)

type runner struct {
	load   Load
	opt    options
	club   *server.Server
	nodes  []*server.Server // of a club on several machines, the one that has it first; nil of one
	bare   *server.Server   // nil without a baseline
	report *Report

	tables  []*client.Table
	players []player
	screens []*client.Screen // all of the club's but players': watchers, then the lobby, then arrivals
	twins   []*client.Screen // of the bare server
	tellers []*client.Teller // of the bare server, as many as there are programs
	tally   atomic.Pointer[client.Tally]
	gate    *client.Gate
	echo    client.Echo
	name    string // of the run
	first   []byte // what the first screen is made of

	mu     sync.Mutex // of players, while they come in
	failed chan error // of players
	before map[*server.Server]server.Usage
	base   map[*server.Server][2]float64 // [server.Server.Gauges] before anybody came
}

// runTime is how long a run may take in all.
const runTime = 10 * time.Minute

// run carries out a load and returns what was found.
func run(ctx context.Context, l Load, o options) (*Report, error) {
	if err := l.Validate(); err != nil {
		return nil, err
	}
	ctx, cancel := context.WithTimeoutCause(ctx, runTime, fmt.Errorf("the run took longer than %v", runTime))
	defer cancel()
	r := &runner{
		load: l, opt: o, report: &Report{Profile: l.Name, Sessions: l.clients(), Goals: []figures.Goal{}}, gate: client.NewGate(), name: client.RunName(),
		failed: make(chan error, 1), base: make(map[*server.Server][2]float64),
	}
	if o.profiles != "" {
		if err := os.MkdirAll(o.profiles, 0o755); err != nil {
			return nil, err
		}
	}
	r.tally.Store(&client.Tally{})
	r.echo.Said.Store(new(time.Time))
	r.echo.Delay.Store(&figures.Recorder{})
	dir, err := os.MkdirTemp("", "sshload")
	if err != nil {
		return nil, err
	}
	defer func() { _ = os.RemoveAll(dir) }()
	if err := r.start(dir); err != nil {
		return nil, errors.Join(err, r.end())
	}
	if err = r.phases(ctx); err != nil {
		for _, s := range r.servers() {
			err = errors.Join(err, s.Ended())
		}
	}
	r.hangUp()
	if err == nil {
		r.left(ctx)
	}
	if err = errors.Join(err, r.end()); err != nil {
		return nil, err
	}
	r.report.judge(&r.load)
	return r.report, nil
}

// start starts the servers, or finds the club.
func (r *runner) start(dir string) (err error) {
	if r.opt.addr != "" {
		r.club, err = server.Attach(r.opt.addr, r.opt.metrics, r.opt.pid)
	} else {
		program := r.opt.server
		if program == "" {
			if program, err = server.Find(); err != nil {
				return err
			}
		}
		// What is measured here is not how callers are limited by their address: all are from this machine. A twentieth of the
		// places is kept for those who sit at tables. Daily deals would be made while the goroutines of a club where nobody is are counted.
		flags := []string{"--daily", "off", "--exempt-networks", "127.0.0.0/8", "--max-sessions", strconv.Itoa(r.load.clients()*11/10 + 100)}
		if r.load.Nodes {
			if r.nodes, err = server.StartNodes(program, dir, r.opt.log, flags...); err == nil {
				r.club = r.nodes[0]
			}
		} else {
			r.club, err = server.StartClub(program, dir, r.opt.log, flags...)
		}
	}
	if err != nil {
		return err
	}
	if r.load.Baseline {
		r.bare, err = server.StartBare()
	}
	return err
}

// end stops what was started.
func (r *runner) end() error {
	var errs []error
	for _, s := range r.servers() {
		errs = append(errs, s.Stop())
	}
	return errors.Join(errs...)
}

// servers are those that run.
func (r *runner) servers() []*server.Server {
	var all []*server.Server
	for _, s := range []*server.Server{r.club, r.bare} {
		if s != nil {
			all = append(all, s)
		}
	}
	if len(r.nodes) > 0 {
		all = append(all, r.nodes[1:]...)
	}
	return all
}

// addr is the address for the i-th client: each node gets its share.
func (r *runner) addr(i int) string {
	if len(r.nodes) == 0 {
		return r.club.Addr
	}
	return r.nodes[i%len(r.nodes)].Addr
}

func (r *runner) say(format string, args ...any) {
	_, _ = fmt.Fprintf(r.opt.progress, format+"\n", args...) // progress is for whoever looks
}

// call has a server answer a command.
func (r *runner) call(ctx context.Context, addr string) error {
	c, err := client.Login(ctx, addr, "caller", nil)
	if err != nil {
		return err
	}
	defer c.Close()
	_, err = c.Run(ctx, "tables")
	return err
}

// phases does one thing after another.
func (r *runner) phases(ctx context.Context) error {
	for i := range r.nodes {
		if err := r.call(ctx, r.addr(i)); err != nil { // from the first call on, a node is connected to the one that runs the club
			return err
		}
	}
	for _, s := range r.servers() {
		n, live, err := s.Gauges()
		if err != nil && s != r.club {
			return err
		}
		r.base[s] = [2]float64{n, live}
	}
	r.before = r.usages()
	playing, stop := context.WithCancel(ctx)
	var wg sync.WaitGroup
	defer wg.Wait()
	defer stop()
	steps := []struct {
		name string
		do   func(context.Context) error
		skip bool
	}{
		{"open the tables", func(ctx context.Context) error { return r.open(ctx, playing, &wg) }, r.load.Tables == 0},
		{"connect", r.enter, r.load.Watchers+r.load.Lobby == 0},
		{"be idle", r.idle, r.load.Rest == 0},
		{"begin", r.begin, r.load.Rounds == 0},
		{"play", r.play, r.load.Rounds == 0},
		{"arrive", r.arrive, r.load.Arrivals == 0},
	}
	for _, s := range steps {
		if s.skip {
			continue
		}
		r.say("%s: %s", r.load.Name, s.name)
		finish := r.profile(s.name)
		err := s.do(ctx)
		finish()
		if err != nil {
			return fmt.Errorf("%s: %w", s.name, err)
		}
	}
	return nil
}

// profile takes a profile of the club's processor time until the function it returns is called, if profiles are wanted.
func (r *runner) profile(name string) (finish func()) {
	if r.opt.profiles == "" || r.club.Metrics == "" {
		return func() {}
	}
	// The server's end of it is a time in whole seconds; a phase's length is not known before, so the profile is of its
	// beginning.
	done := make(chan struct{})
	go func() {
		defer close(done)
		ctx, cancel := context.WithTimeout(context.Background(), maxPhase)
		defer cancel()
		seconds := max(int(r.load.Play.Seconds()), 2)
		p, err := r.club.Debug(ctx, "/debug/pprof/profile?seconds="+strconv.Itoa(seconds))
		if err == nil {
			err = os.WriteFile(filepath.Join(r.opt.profiles, r.load.Name+" "+name+".prof"), []byte(p), 0o644)
		}
		if err != nil {
			r.say("no profile: %v", err)
		}
	}()
	return func() { <-done }
}

// usages are those of all servers; a server whose process is not known is missing.
func (r *runner) usages() map[*server.Server]server.Usage {
	all := make(map[*server.Server]server.Usage)
	for _, s := range r.servers() {
		if u, err := s.Usage(); err == nil {
			all[s] = u
		}
	}
	return all
}

// cpu is the processor time in microseconds that a server has used between two moments, or 0 if it is not known.
func cpu(s *server.Server, from, to map[*server.Server]server.Usage) float64 {
	a, ok := from[s]
	b, also := to[s]
	if !ok || !also {
		return 0
	}
	return float64((b.CPU - a.CPU).Nanoseconds()) / 1e3
}

// pair makes a figure of both servers.
func (r *runner) pair(of func(*server.Server) float64) figures.Pair {
	if r.bare == nil {
		return figures.Pair{Club: of(r.club)}
	}
	return figures.PairOf(of(r.club), of(r.bare))
}

// hangUp ends all connections.
func (r *runner) hangUp() {
	all := make([]interface{ Close() }, 0, r.load.clients())
	for _, p := range r.players {
		all = append(all, p)
	}
	for _, t := range r.tellers {
		if t != nil {
			all = append(all, t)
		}
	}
	for _, s := range slices.Concat(r.screens, r.twins) {
		if s != nil { // not all may have come in
			all = append(all, s)
		}
	}
	_ = client.Each(len(all), client.InFlight, func(i int) error {
		all[i].Close()
		return nil
	})
}

// left finds out what stays behind, apart from the tables, which wait for their people.
func (r *runner) left(ctx context.Context) {
	before := r.base[r.club][0]
	if before == 0 {
		return
	}
	var more float64
	for range 600 { // hanging up takes the server a moment, on a busy machine a long one, and nothing tells when it is done
		n, _, err := r.club.Gauges()
		if err != nil {
			return
		}
		if more = n - before; more <= 0 {
			break
		}
		if !client.Sleep(ctx, 100*time.Millisecond) {
			return
		}
	}
	r.report.Left = &Left{Goroutines: more}
}
