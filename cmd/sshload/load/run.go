package load

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"sync"
	"sync/atomic"
	"time"

	"golang.org/x/crypto/ssh"

	"boneyard/cmd/sshload/client"
	"boneyard/cmd/sshload/server"
)

// runner puts one load on one club, or on the bare server beside it.
type runner struct {
	Load
	report *Report
	dir    string // of the club's data
	club   *server.Server
	bare   *runner // of the bare server, which takes turns with the club; nil without a baseline
	of     *runner // of the club, in the runner of its bare server; otherwise nil

	servers []*server.Server // of the club: first the node that runs it

	tables  []*client.Table
	players []*client.Player
	screens []*client.Screen // all but players': watchers, then the lobby, then arrivals
	tally   atomic.Pointer[client.Tally]
	echo    client.Echo  // of the bare server
	gate    sync.RWMutex // locked while nobody moves
	first   []byte       // output of the first screen
	from    atomic.Int64 // clients so far, which number their addresses
	boss    ssh.Signer   // of the operator
	name    string       // of the run
	named   atomic.Int64 // accounts of the run

	start      moment          // before anybody came
	goroutines float64         // at the start
	logged     int             // errors at the start: a club that begins with a file logs a new host key
	rounds     round           // of play, so far
	playing    context.Context // as long as players play
	played     sync.WaitGroup
	failed     chan error // the first fault

	mu      sync.Mutex // of all that follows
	faults  int        // of ordinary clients
	again   int        // calls that were made again
	refusal error      // of the first of these calls
}

const faultsTold = 20 // one by one; others are only counted

// Run puts a load on a club and returns the report, also with an error if there is something to report.
func Run(ctx context.Context, l Load) (*Report, error) {
	l.complete()
	if err := l.Validate(); err != nil {
		return nil, err
	}
	lasts := 10*time.Minute + l.Play
	if l.Times > 0 { // for any number of games
		lasts = 24 * time.Hour
	}
	ctx, cancel := context.WithTimeoutCause(ctx, lasts, fmt.Errorf("the run took longer than %v", lasts))
	defer cancel()
	self, err := os.Executable()
	if err != nil {
		return nil, err
	}
	l.Server = cmp.Or(l.Server, filepath.Join(filepath.Dir(self), "sshd")) // the sshd in the search path is another program
	r, one := newRunner(l), newRunner(l)
	if l.Nodes { // compared with a club on one machine
		one.Nodes = false
		err = one.once(ctx)
	}
	if err == nil {
		err = r.once(ctx)
		r.report.Beside(one.report)
	}
	if ctx.Err() != nil {
		err = errors.Join(context.Cause(ctx), err)
	}
	r.report.Judge(l.Goals)
	return r.report, err
}

func newRunner(l Load) *runner {
	r := &runner{Load: l, report: &Report{Load: l.Name, Goals: []Goal{}}, name: client.RunName(), failed: make(chan error, 1)}
	r.tally.Store(&client.Tally{})
	return r
}

// once starts the club, takes all steps, and stops the club.
func (r *runner) once(ctx context.Context) (err error) {
	if r.dir, err = os.MkdirTemp("", "sshload"); err != nil {
		return err
	}
	defer os.RemoveAll(r.dir)
	err = r.open(ctx)
	for i := 0; r.Nodes && i < len(r.servers) && err == nil; i++ {
		_, err = r.ask(ctx, client.Caller{User: "caller"}, i, "tables") // so that each node is connected to the one that runs the club
	}
	if err == nil {
		before := r.holds()
		if err = r.steps(ctx); err == nil {
			err = r.left(ctx, before)
		}
	}
	if r.again > 0 {
		r.note(fmt.Sprintf("%d calls failed and were made again, the first of them: %v", r.again, r.refusal))
	}
	servers := r.servers
	if r.bare != nil {
		servers = append(servers, r.bare.club)
		r.report.Beside(r.bare.report)
		r.report.Delay(inPlay, "bare server to its clients", r.bare.echo.Delay.Sum())
	}
	var stopped error
	for _, s := range servers {
		if err != nil && ctx.Err() == nil {
			err = errors.Join(err, s.Ended())
		}
		if r.Nodes { // a node that is stopped hands the club on, and the last one would wait
			s.Kill()
		} else {
			stopped = errors.Join(stopped, s.Stop())
		}
	}
	if err == nil && r.Limits {
		r.fault("the club's end", stopped)
		r.checked(ctx)
		return nil
	}
	return errors.Join(err, stopped)
}

// open prepares the club's file and starts the servers.
func (r *runner) open(ctx context.Context) (err error) {
	r.Data = cmp.Or(r.Data, filepath.Join(r.dir, server.ClubData))
	if r.Times > 0 {
		err = r.grow(ctx)
	} else if r.boss, err = client.NewKey(); err == nil && r.Grown != "" {
		_, err = r.job(ctx, "backup", r.Data, "--data", r.Grown)
	}
	if err == nil {
		err = r.startClub(ctx)
	}
	if err == nil && r.Baseline {
		bare := newRunner(r.Load)
		if bare.club, err = server.StartBare(ctx); err == nil {
			bare.servers, bare.of, r.bare = []*server.Server{bare.club}, r, bare
		}
	}
	return err
}

func (r *runner) startClub(ctx context.Context) (err error) {
	flags := []string{"--operators", ssh.FingerprintSHA256(r.boss.PublicKey())}
	if !r.Limits { // some places are kept for those who sit at tables
		flags = append(flags, "--exempt-networks", "127.0.0.0/8", "--max-sessions", strconv.Itoa(r.people()*11/10+100))
	}
	if !r.Limits && r.Times == 0 { // or daily deals are made while the goroutines of an empty club are counted
		flags = append(flags, "--daily", "off")
	}
	if r.Nodes {
		r.servers, err = server.StartNodes(ctx, r.Server, r.dir, flags...)
	} else if r.club, err = server.StartClub(ctx, r.Server, r.dir, append(flags, "--data", r.Data)...); err == nil {
		r.servers = []*server.Server{r.club}
	}
	if err == nil {
		r.club = r.servers[0]
		r.say("for go tool pprof: http://%s/debug/pprof/profile", r.club.Metrics)
	}
	return err
}

// job runs a command of the club's program that needs no server, to its end.
func (r *runner) job(ctx context.Context, args ...string) (*exec.Cmd, error) {
	cmd := server.Command(ctx, r.Server, args...)
	said, err := cmd.CombinedOutput()
	if err != nil {
		err = fmt.Errorf("%s: %w: %s", args[0], err, said)
	}
	return cmd, err
}

// step is done several times on the club, in turn with the bare server.
type step struct {
	name     string
	times    int
	do, bare func(r *runner, ctx context.Context, i int) error
}

// steps takes the steps of the load, and closes all connections.
func (r *runner) steps(ctx context.Context) error {
	playing, stop := context.WithCancel(ctx)
	r.playing = playing
	defer r.hangUp()
	defer r.played.Wait()
	r.gate.Lock()
	defer r.gate.Unlock()
	defer stop()
	once := func(is bool) int { return map[bool]int{true: 1}[is] }
	for _, s := range []step{
		{"look at the empty club", 1, (*runner).begun, (*runner).begun},
		{"open the tables", once(r.Tables > 0), (*runner).openTables, nil},
		{"connect", r.batches(), (*runner).enter, (*runner).enter},
		{"come to rest", once(r.batches() > 0), (*runner).counted, nil},
		{"be idle", once(r.Rest > 0), (*runner).idle, (*runner).idle},
		{"look at the lobby before an arena", once(r.Arena > 0), (*runner).soon, nil},
		{"play an arena", once(r.Arena > 0), (*runner).arena, nil},
		{"begin", once(r.Rounds > 0), (*runner).begin, nil},
		{"play", r.Rounds, (*runner).play, (*runner).repeat},
		{"arrive", once(r.Arrivals > 0), (*runner).arrive, nil},
		{"settle", once(r.Limits), (*runner).settle, nil},
		{"start again", 2 * once(r.Times > 0), (*runner).restart, nil},
		{"run all commands", once(r.Times > 0), (*runner).commands, nil},
		{"walk through the pages", once(r.Times > 0), (*runner).pages, nil},
		{"do the jobs", once(r.Times > 0), (*runner).jobs, nil},
	} {
		for i := range s.times {
			r.say("%s %d of %d", s.name, i+1, s.times)
			err := s.do(r, ctx, i)
			if err == nil && r.bare != nil && s.bare != nil {
				err = s.bare(r.bare, ctx, i)
			}
			if err != nil {
				return fmt.Errorf("%s: %w", s.name, err)
			}
		}
	}
	return nil
}

func (r *runner) say(format string, args ...any) {
	_, _ = fmt.Fprintf(r.Progress, r.Name+": "+format+"\n", args...)
}

func (r *runner) note(text string) { r.report.Notes = append(r.report.Notes, text) }

// fault notes an error that an ordinary client or the club should not have met; nil is none.
func (r *runner) fault(what string, err error) {
	if err == nil {
		return
	}
	err = fmt.Errorf("%s: %w", what, err)
	select {
	case r.failed <- err:
	default:
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.faults++; r.faults <= faultsTold {
		r.note(err.Error())
	}
}

// hangUp closes all connections.
func (r *runner) hangUp() {
	if r.bare != nil {
		r.bare.hangUp()
	}
	var all []*client.Client
	for _, p := range r.players {
		all = append(all, p.Client)
	}
	for _, s := range r.screens {
		if s != nil {
			all = append(all, s.Client)
		}
	}
	_ = client.Each(len(all), func(i int) error { all[i].Close(); return nil })
}
