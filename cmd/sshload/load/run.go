package load

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"golang.org/x/crypto/ssh"

	"boneyard/cmd/sshload/client"
	"boneyard/cmd/sshload/figures"
	"boneyard/cmd/sshload/server"
)

// Options are the flags that are not part of the load.
type Options struct {
	Server   string // the club's program
	JSON     bool
	Profiles string    // folder for profiles of the club's processor
	Progress io.Writer // is told how far the load is
}

// runner puts one load on one club.
type runner struct {
	Load
	opt    Options
	report *figures.Report
	dir    string   // of the club's data
	flags  []string // more of the club's
	club   *server.Server
	nodes  []*server.Server // of a club on several machines, the one that has it first; nil of one
	bare   *server.Server   // nil without a baseline

	tables   []*client.Table
	programs []*client.Program
	persons  []*client.Person
	hosts    []*client.Program               // of the tables where no game begins
	screens  []*client.Screen                // all of the club's but players': watchers, then the lobby, then arrivals
	twins    []*client.Screen                // of the bare server
	tellers  []*client.Client                // of the bare server, as many as there are programs
	tallies  [2]atomic.Pointer[client.Tally] // of the programs, and of people at screens
	gate     client.Gate
	echo     client.Echo
	first    []byte           // what the first screen is made of
	from     client.Addresses // of clients that have one each
	boss     ssh.Signer       // of the operator, where one is needed
	name     string           // of the run
	named    atomic.Int64     // accounts of it

	playing context.Context // as long as players play
	played  sync.WaitGroup
	failed  chan error // the first fault

	mu      sync.Mutex // of players, while they come in, and of faults
	faults  int        // that clients have met who do no harm
	again   int        // calls that were made again
	refusal error      // why the first was
	before  map[*server.Server]server.Usage
	base    map[*server.Server][2]float64 // [server.Server.Gauges] before anybody came
}

// faultsTold is how many faults are told one by one.
const faultsTold = 20

// Run puts a load on a club and returns what was found. It fails if there was nothing to be found out.
func Run(ctx context.Context, l Load, o Options) (*figures.Report, error) {
	l.complete()
	if err := l.Validate(); err != nil {
		return nil, err
	}
	ctx, cancel := context.WithTimeoutCause(ctx, l.lasts(), fmt.Errorf("the run took longer than %v", l.lasts()))
	defer cancel()
	if o.Server == "" {
		var err error
		if o.Server, err = server.Find(); err != nil {
			return nil, err
		}
	}
	r := newRunner(l, o, &figures.Report{Load: l.Name, Goals: []figures.Goal{}})
	if r.run == nil {
		r.run = (*runner).once
	}
	err := r.run(r, ctx)
	if ctx.Err() != nil {
		err = fmt.Errorf("%w: %w", context.Cause(ctx), err)
	}
	return r.report, err
}

func newRunner(l Load, o Options, report *figures.Report) *runner {
	r := &runner{
		Load: l, opt: o, report: report, name: client.RunName(), failed: make(chan error, 1), base: make(map[*server.Server][2]float64),
		from: client.Addresses{Net: 1, Apart: true},
	}
	r.tally(&client.Tally{}, &client.Tally{})
	r.echo.Said.Store(new(time.Time))
	r.echo.Delay.Store(&figures.Recorder{})
	return r
}

// tally has what players and watchers see be counted in these from now on.
func (r *runner) tally(programs, persons *client.Tally) {
	r.tallies[0].Store(programs)
	r.tallies[1].Store(persons)
}

// compare puts the load on a club on one machine, and then on three nodes.
func (r *runner) compare(ctx context.Context) error {
	var figure [2]func(string) figures.Figure
	for i, where := range []string{"on one machine", "on three nodes"} {
		l := r.Load
		l.Nodes = i == 1
		r.report.Before = where + ", "
		if err := newRunner(l, r.opt, r.report).once(ctx); err != nil {
			return fmt.Errorf("%s: %w", where, err)
		}
		figure[i] = func(name string) figures.Figure {
			f, _ := r.report.Get(where+", in play", name)
			return f
		}
	}
	r.report.Before = ""
	r.report.Part("three nodes against one")
	for _, name := range []string{keyToPlayer, keyToWatchers} {
		if one, three := figure[0](name).Latency, figure[1](name).Latency; one != nil && three != nil && one.P99 > 0 {
			r.report.Add(name, "times, p99", three.P99/one.P99)
		}
	}
	r.report.Add("processor", "times, all nodes together", figure[1](allServers).Club/figure[0](allServers).Club)
	return nil
}

// once starts the club, takes all steps, and ends it.
func (r *runner) once(ctx context.Context) (err error) {
	if r.opt.Profiles != "" {
		if err := os.MkdirAll(r.opt.Profiles, 0o755); err != nil {
			return err
		}
	}
	if r.dir, err = os.MkdirTemp("", "sshload"); err != nil {
		return err
	}
	defer func() { _ = os.RemoveAll(r.dir) }()
	if err = r.start(ctx); err == nil {
		err = r.steps(ctx)
	}
	if r.again > 0 {
		r.report.Notes = append(r.report.Notes, fmt.Sprintf("%d calls failed and were made again, the first of them: %v", r.again, r.refusal))
	}
	var stopped error
	for _, s := range r.servers() {
		if err != nil && ctx.Err() == nil {
			err = errors.Join(err, s.Ended())
		}
		if len(r.nodes) > 0 && s.Name != "bare" { // one after the other, each would hand the club to the next, and the last would wait
			s.Kill()
		} else {
			stopped = errors.Join(stopped, s.Stop())
		}
	}
	if !r.Limits || err != nil {
		return errors.Join(err, stopped)
	}
	r.fault("the club's end", stopped)
	r.fault("sshd check", r.check(ctx))
	r.soaked()
	return nil
}

// start starts the servers, or finds the club.
func (r *runner) start(ctx context.Context) (err error) {
	// What is measured is not how callers are limited by their address, unless that is the load: all are from
	// this machine. A twentieth of the places is kept for those who sit at tables. Daily deals would be made
	// while the goroutines of a club where nobody is are counted.
	if !r.Limits {
		r.flags = append(r.flags, "--daily", "off", "--exempt-networks", "127.0.0.0/8", "--max-sessions", strconv.Itoa(r.clients()*11/10+100))
	}
	if r.Arena > 0 {
		if r.boss, err = client.NewKey(); err != nil {
			return err
		}
		r.flags = append(r.flags, "--operators", ssh.FingerprintSHA256(r.boss.PublicKey()))
	}
	if r.Grown != "" {
		if err := copyFile(r.Grown, filepath.Join(r.dir, server.ClubData)); err != nil {
			return fmt.Errorf("copy what the club begins with: %w", err)
		}
	}
	if !r.Nodes {
		r.club, err = server.StartClub(ctx, r.opt.Server, r.dir, r.flags...)
	} else if r.nodes, err = server.StartNodes(ctx, r.opt.Server, r.dir, r.flags...); err == nil {
		r.club = r.nodes[0]
	}
	if err == nil && r.Baseline {
		r.bare, err = server.StartBare(ctx)
	}
	return err
}

// copyFile copies a data file that no server has open, with the files that belong to it.
func copyFile(from, to string) error {
	for _, end := range []string{"", "-wal", ".mark"} {
		b, err := os.ReadFile(from + end)
		if errors.Is(err, fs.ErrNotExist) && end != "" {
			continue
		}
		if err == nil {
			err = os.WriteFile(to+end, b, 0o600)
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// servers are those that run.
func (r *runner) servers() []*server.Server {
	all := r.nodes
	if len(all) == 0 {
		all = []*server.Server{r.club}
	}
	return slices.DeleteFunc(append(slices.Clone(all), r.bare), func(s *server.Server) bool { return s == nil })
}

// addr is the address for the i-th client: each node gets its share.
func (r *runner) addr(i int) string {
	if len(r.nodes) == 0 {
		return r.club.Addr
	}
	return r.nodes[i%len(r.nodes)].Addr
}

func (r *runner) say(format string, args ...any) {
	_, _ = fmt.Fprintf(r.opt.Progress, r.Name+": "+format+"\n", args...) // for whoever looks
}

// fault notes something that should not have happened to clients who do no harm, or to the club; nil is
// nothing.
func (r *runner) fault(what string, err error) {
	if err == nil {
		return
	}
	err = fmt.Errorf("%s: %w", what, err)
	select {
	case r.failed <- err:
	default: // one is enough
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.faults++; r.faults <= faultsTold {
		r.report.Notes = append(r.report.Notes, err.Error())
	}
}

// steps takes one step after another, as far as the load has anything to do in it.
func (r *runner) steps(ctx context.Context) error {
	for i := range r.nodes {
		// From the first call on, a node is connected to the one that runs the club.
		if _, err := r.ask(ctx, client.Caller{User: "caller"}, i, "tables"); err != nil {
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
	at := r.rest()
	playing, stop := context.WithCancel(ctx)
	r.playing = playing
	defer r.hangUp()
	defer r.played.Wait()
	defer stop()
	for _, s := range []struct {
		name string
		do   func(context.Context) error
		is   bool
	}{
		{"open the tables", r.open, r.Tables > 0},
		{"connect", r.enter, r.Watchers+r.Lobby > 0},
		{"be idle", func(ctx context.Context) error { return r.idle(ctx, "idle") }, r.Rest > 0},
		{"play an arena", r.arena, r.Arena > 0},
		{"begin", r.begin, r.Rounds > 0},
		{"play", r.play, r.Rounds > 0},
		{"arrive", r.arrive, r.Arrivals > 0},
		{"settle", r.settle, r.Limits},
	} {
		if !s.is {
			continue
		}
		r.say("%s", s.name)
		finish := r.profile(ctx, s.name)
		err := s.do(ctx)
		finish()
		if err != nil {
			return fmt.Errorf("%s: %w", s.name, err)
		}
	}
	stop()
	r.played.Wait()
	r.hangUp()
	if err := r.left(ctx, at); err != nil || !r.Limits {
		return err
	}
	return r.kept(ctx)
}

// profile takes a profile of the club's processor time until the function it returns is called, if profiles
// are wanted.
func (r *runner) profile(ctx context.Context, name string) (finish func()) {
	if r.opt.Profiles == "" {
		return func() {}
	}
	// The server is told for how many seconds; a step's length is not known before, so the profile is of its
	// beginning.
	done := make(chan struct{})
	go func() {
		defer close(done)
		ctx, cancel := context.WithTimeout(ctx, maxPhase)
		defer cancel()
		p, err := r.club.Debug(ctx, fmt.Sprint("/debug/pprof/profile?seconds=", max(int(r.Play.Seconds()), 2)))
		if err == nil {
			err = os.WriteFile(filepath.Join(r.opt.Profiles, r.Name+" "+name+".prof"), []byte(p), 0o644)
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

// cpu is the processor time in microseconds that a server has used between two moments, or 0 if it is not
// known.
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
	var all []interface{ Close() }
	for _, p := range r.players() {
		all = append(all, p)
	}
	for _, p := range r.hosts {
		all = append(all, p)
	}
	for _, t := range r.tellers {
		if t != nil {
			all = append(all, t)
		}
	}
	for _, s := range slices.Concat(r.screens, r.twins) {
		if s != nil { // it has not come in
			all = append(all, s)
		}
	}
	_ = client.Each(len(all), func(i int) error {
		all[i].Close()
		return nil
	})
}

// resting is what the club holds when nobody is there.
type resting struct {
	goroutines float64 // beside those of tables and events
	sessions   float64
	tables     float64
	files      int // sockets among them, but not the data's
	data       int // of the data
}

// rest looks at what the club holds; nil if that is not to be seen.
func (r *runner) rest() *resting {
	m, err := r.club.Scrape()
	if err != nil {
		return nil
	}
	sessions := m.Value("boneyard_sessions") + m.Value("boneyard_visits")
	now := &resting{goroutines: m.Goroutines(), sessions: sessions, tables: m.Value("boneyard_tables")}
	now.data, now.files, _ = r.club.Files(r.dir)
	return now
}

// The names of what is left behind.
const (
	leftGoroutines = "goroutines left behind"
	leftFiles      = "files left behind"
	leftSessions   = "sessions left behind"
)

// left finds out what stays behind, apart from the tables, which wait for their people.
func (r *runner) left(ctx context.Context, before *resting) error {
	if before == nil {
		return nil
	}
	var more resting
	gone := false
	for range 600 { // hanging up takes the server a moment, on a busy machine a long one, and nothing tells when it is done
		now := r.rest()
		if now == nil {
			return nil
		}
		more = resting{now.goroutines - before.goroutines, now.sessions, now.tables, now.files - before.files, now.data - before.data}
		if gone = more.goroutines <= 0 && (!r.Limits || more.files <= 0 && more.sessions == 0); gone {
			break
		}
		if !client.Sleep(ctx, 100*time.Millisecond) {
			return context.Cause(ctx)
		}
	}
	if !gone {
		if stacks, err := r.club.Debug(ctx, "/debug/pprof/goroutine?debug=1"); err == nil {
			r.say("what is left:\n%s", stacks)
		}
	}
	r.report.Part("afterwards")
	r.report.Add(leftGoroutines, "more than before, and one for each table and event", more.goroutines)
	r.report.Add(leftFiles, "more than before, sockets among them", float64(more.files))
	r.report.Add("files of the data", "more than before", float64(more.data))
	r.report.Add(leftSessions, "", more.sessions)
	r.report.Add("tables", "", more.tables)
	if u, err := r.club.Usage(); err == nil {
		r.report.Add("peak memory", "MB", float64(u.Top)/(1<<20))
	}
	if r.Limits {
		r.report.Goal(leftGoroutines, max(more.goroutines, 0), 0)
		r.report.Goal(leftFiles, float64(max(more.files, 0)), 0)
		r.report.Goal(leftSessions, more.sessions, 0)
	}
	return nil
}

// command is a command of the club's program on a data file.
func (r *runner) command(ctx context.Context, data string, args ...string) *exec.Cmd {
	cmd := exec.CommandContext(ctx, r.opt.Server, append(args, "--data", data)...)
	cmd.Env = server.WithoutSettings(os.Environ())
	return cmd
}

// check has the club's program look through its data.
func (r *runner) check(ctx context.Context) error {
	out, err := r.command(ctx, filepath.Join(r.dir, server.ClubData), "check").CombinedOutput()
	r.report.Notes = append(r.report.Notes, "check: "+strings.ReplaceAll(strings.TrimSpace(string(out)), r.dir+string(filepath.Separator), ""))
	return err
}
