package main

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
)

// runner is one run.
type runner struct {
	load   Load
	opt    options
	club   *server
	bare   *server // nil without a baseline
	report *Report

	tables  []*tableLoad
	players []player
	screens []*screen // all of the club's but players': watchers, then the lobby, then arrivals
	twins   []*screen // of the bare server
	tally   atomic.Pointer[tally]
	gate    *gate
	echo    echo
	name    string // of the run
	first   []byte // what the first screen is made of

	mu     sync.Mutex // of players, while they come in
	failed chan error // of players
	before map[*server]usage
	base   map[*server][2]float64 // goroutines and live bytes before anybody came
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
		load: l, opt: o, report: &Report{Profile: l.Name, Sessions: l.clients(), Goals: []Goal{}}, gate: newGate(), name: runName(),
		failed: make(chan error, 1), base: make(map[*server][2]float64),
	}
	if o.profiles != "" {
		if err := os.MkdirAll(o.profiles, 0o755); err != nil {
			return nil, err
		}
	}
	r.tally.Store(&tally{})
	r.echo.said.Store(new(time.Time))
	r.echo.delay.Store(&latency{})
	dir, err := os.MkdirTemp("", "sshload")
	if err != nil {
		return nil, err
	}
	defer func() { _ = os.RemoveAll(dir) }()
	if err := r.start(dir); err != nil {
		return nil, errors.Join(err, r.end())
	}
	err = r.phases(ctx)
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
		r.club, err = attach(r.opt.addr, r.opt.metrics, r.opt.pid)
	} else {
		program := r.opt.server
		if program == "" {
			if program, err = findServer(); err != nil {
				return err
			}
		}
		// What is measured here is not how callers are limited by their address: all are from this machine.
		r.club, err = startClub(program, dir, r.opt.log,
			"--exempt-networks", "127.0.0.0/8", "--max-sessions", strconv.Itoa(r.load.clients()+100))
	}
	if err != nil {
		return err
	}
	if r.load.Baseline {
		r.bare, err = startBare()
	}
	return err
}

// end stops what was started.
func (r *runner) end() error {
	var errs []error
	for _, s := range r.servers() {
		errs = append(errs, s.stop())
	}
	return errors.Join(errs...)
}

// servers are those that run.
func (r *runner) servers() []*server {
	var all []*server
	for _, s := range []*server{r.club, r.bare} {
		if s != nil {
			all = append(all, s)
		}
	}
	return all
}

func (r *runner) say(format string, args ...any) {
	_, _ = fmt.Fprintf(r.opt.progress, format+"\n", args...) // progress is for whoever looks
}

// phases does one thing after another.
func (r *runner) phases(ctx context.Context) error {
	for _, s := range r.servers() {
		n, live, err := s.gauges()
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
		{"come in", r.enter, r.load.Watchers+r.load.Lobby == 0},
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
	if r.opt.profiles == "" || r.club.metrics == "" {
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
		p, err := get(ctx, "http://"+r.club.metrics+"/debug/pprof/profile?seconds="+strconv.Itoa(seconds))
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
func (r *runner) usages() map[*server]usage {
	all := make(map[*server]usage)
	for _, s := range r.servers() {
		if u, err := s.usage(); err == nil {
			all[s] = u
		}
	}
	return all
}

// cpu is the processor time in microseconds that a server has used between two moments, or 0 if it is not known.
func cpu(s *server, from, to map[*server]usage) float64 {
	a, ok := from[s]
	b, also := to[s]
	if !ok || !also {
		return 0
	}
	return float64((b.cpu - a.cpu).Nanoseconds()) / 1e3
}

// pair makes a figure of both servers.
func (r *runner) pair(of func(*server) float64) Pair {
	if r.bare == nil {
		return Pair{Club: of(r.club)}
	}
	return pairOf(of(r.club), of(r.bare))
}

func pairOf(club, bare float64) Pair {
	p := Pair{Club: club, Bare: bare}
	if bare > 0 {
		p.Ratio = club / bare
	}
	return p
}

// medians makes a figure of several.
func medians(pairs []Pair) Pair {
	var club, bare, ratio []float64
	for _, p := range pairs {
		club, bare, ratio = append(club, p.Club), append(bare, p.Bare), append(ratio, p.Ratio)
	}
	return Pair{median(club), median(bare), median(ratio)}
}

// hangUp ends all connections.
func (r *runner) hangUp() {
	all := make([]interface{ close() }, 0, r.load.clients())
	for _, p := range r.players {
		all = append(all, p)
	}
	for _, s := range slices.Concat(r.screens, r.twins) {
		if s != nil { // not all may have come in
			all = append(all, s)
		}
	}
	_ = each(len(all), inFlight, func(i int) error {
		all[i].close()
		return nil
	})
}

// left finds out what stays behind, beside the tables, which wait for their people.
func (r *runner) left(ctx context.Context) {
	before := r.base[r.club][0]
	if before == 0 {
		return
	}
	var more float64
	for range 50 { // hanging up takes the server a moment, and nothing tells when it is done
		n, _, err := r.club.gauges()
		if err != nil {
			return
		}
		if more = n - before - float64(len(r.tables)); more <= 0 {
			break
		}
		if !sleep(ctx, 100*time.Millisecond) {
			return
		}
	}
	r.report.Left = &Left{Goroutines: more}
}

// inFlight is how many callers come in at the same moment.
const inFlight = 8

// each calls f for 0 to n-1, so many at a time, and returns the first error, after which no more are begun.
func each(n, atATime int, f func(i int) error) error {
	var next atomic.Int64
	var wg sync.WaitGroup
	var once sync.Once
	var first error
	for range min(atATime, n) {
		wg.Go(func() {
			for {
				i := int(next.Add(1)) - 1
				if i >= n {
					return
				}
				if err := f(i); err != nil {
					once.Do(func() { first = err })
					next.Store(int64(n))
				}
			}
		})
	}
	wg.Wait()
	return first
}
