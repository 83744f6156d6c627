package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"github.com/spf13/cobra"
)

// Soak is for how long, and by how many, a club is attacked while others play.
type Soak struct {
	Minutes float64
	Hostile int      // attackers
	Tables  int      // where programs play; there are people at screens, watchers and visitors in proportion
	Only    []string // kinds of attack; empty: all
}

// Bounds of a soak: it ends by itself.
const (
	maxSoakMinutes = 60
	maxHostile     = 2000
	maxSoakTables  = 500

	maxSoakPrograms = 2*maxSoakTables + openTables
)

// Validate reports the first thing that cannot be done, or would be too much.
func (s *Soak) Validate() error {
	switch {
	case !(s.Minutes > 0 && s.Minutes <= maxSoakMinutes):
		return fmt.Errorf("a soak takes more than 0 and at most %d minutes", maxSoakMinutes)
	case s.Hostile < 0 || s.Hostile > maxHostile:
		return fmt.Errorf("hostile clients are 0 to %d", maxHostile)
	case s.Tables < 1 || s.Tables > maxSoakTables:
		return fmt.Errorf("tables are 1 to %d", maxSoakTables)
	}
	for _, name := range s.Only {
		if len(attacks(name)) == 0 {
			return fmt.Errorf("there is no attack %q", name)
		}
	}
	return nil
}

// What there is beside two programs at each table.
func (s *Soak) people() int   { return (s.Tables + 4) / 5 }   // at screens, each at a table with a house bot
func (s *Soak) watchers() int { return s.Tables }             // of the programs' tables
func (s *Soak) visitors() int { return max(s.Tables*4/5, 1) } // of the lobby, who talk
func (s *Soak) lasts() time.Duration {
	return time.Duration(s.Minutes * float64(time.Minute))
}

// The pace of a soak.
const (
	soakPace    = time.Second            // how long players think
	soakCalm    = 10 * time.Second       // of play before the attack, to compare with
	soakTalk    = 2 * time.Second        // from one line of chat to the next
	newcomerDue = time.Second            // from one newcomer to the next
	farAway     = 150 * time.Millisecond // how long what the club sends takes to every second of them
	inTime      = 3 * time.Second        // in which newcomers are to be in
	callAgain   = 500 * time.Millisecond // how long somebody waits who was turned away, and calls again
	callsAtMost = 60
	soakWays    = 5 * time.Minute // that coming in and looking afterwards may take in all
)

// newSoakCommand returns the command that attacks a club of its own.
func newSoakCommand() *cobra.Command {
	s := Soak{Minutes: 10, Hostile: 300, Tables: 50}
	var o options
	list := make([]string, 0, len(attacks()))
	for _, a := range attacks() {
		list = append(list, fmt.Sprintf("  %-10s %s", a.name, a.about))
	}
	cmd := &cobra.Command{
		Use:   "soak",
		Short: "Attack a club of its own while others play there",
		Long: `Soak starts a club with its usual limits on a loopback address, lets programs, people, watchers and
visitors come in, and attacks it. Afterwards it looks whether anything has stayed behind, whether
every table is there as it was last acknowledged, and whether the data is sound. The exit status is
1 if a goal was missed. The attacks are:

` + strings.Join(list, "\n"),
		Args:          cobra.NoArgs,
		SilenceUsage:  true,
		SilenceErrors: true,
	}
	f := cmd.Flags()
	f.SortFlags = false
	f.Float64Var(&s.Minutes, "minutes", s.Minutes, "how long the attack lasts")
	f.IntVar(&s.Hostile, "hostile", s.Hostile, "hostile clients")
	f.IntVar(&s.Tables, "tables", s.Tables, "tables of two programs; people, watchers and visitors are in proportion")
	f.StringVar(&o.server, "server", "", "the club's `program` (default: the sshd beside this program)")
	f.StringSliceVar(&s.Only, "only", nil, "the `attacks` there are, by name (default all)")
	f.BoolVar(&o.json, "json", false, "write the report as JSON")
	cmd.RunE = func(cmd *cobra.Command, _ []string) error {
		o.progress = cmd.ErrOrStderr()
		report, err := soak(cmd.Context(), s, o)
		if err != nil {
			return err
		}
		if o.json {
			enc := json.NewEncoder(cmd.OutOrStdout())
			enc.SetIndent("", "  ")
			err = enc.Encode(report)
		} else {
			err = report.print(cmd.OutOrStdout())
		}
		return errors.Join(err, report.missed())
	}
	return cmd
}

// soaker is one soak.
type soaker struct {
	Soak
	program string // the club's
	dir     string // of its data
	club    *server
	log     *errorLog
	say     io.Writer
	report  *SoakReport

	ordinary    addresses
	name        string // of the run
	gate        *gate
	moves, keys atomic.Pointer[tally] // of the programs, and of the people at screens
	playing     sync.WaitGroup

	mu       sync.Mutex // of what follows, while they come in
	programs []*program
	hosts    []*program // of the tables where everybody may sit down, and no game begins
	persons  []*person  // who play at screens
	screens  []*screen  // of all ordinary people, players among them
	visitors []*screen  // those of them in the lobby
}

// addresses are local ones, each given out once: for the club, everybody with one of their own lives elsewhere.
type addresses struct {
	net   byte // 127.net.0.0/16
	apart bool // neighbours are in /24 networks of their own, as people are who do not know each other
	next  atomic.Uint32
}

func (a *addresses) take() net.Addr {
	n := a.next.Add(1)
	if a.apart {
		return &net.TCPAddr{IP: net.IPv4(127, a.net, byte(n), byte(n>>8)+1)}
	}
	return &net.TCPAddr{IP: net.IPv4(127, a.net, byte(n>>8), byte(n))}
}

// soak carries out a soak and returns what was found. It fails if there was nothing to be found out.
func soak(ctx context.Context, what Soak, o options) (*SoakReport, error) {
	if err := what.Validate(); err != nil {
		return nil, err
	}
	ctx, cancel := context.WithTimeoutCause(ctx, what.lasts()+soakWays, errors.New("the soak took too long"))
	defer cancel()
	s := &soaker{
		Soak: what, program: o.server, log: &errorLog{}, say: o.progress, gate: newGate(), name: runName(),
		ordinary: addresses{net: 1, apart: true}, report: &SoakReport{Minutes: what.Minutes, Hostile: what.Hostile},
	}
	s.moves.Store(&tally{})
	s.keys.Store(&tally{})
	var err error
	if s.program == "" {
		if s.program, err = findServer(); err != nil {
			return nil, err
		}
	}
	if s.dir, err = os.MkdirTemp("", "sshload"); err != nil {
		return nil, err
	}
	defer func() { _ = os.RemoveAll(s.dir) }()
	// Nobody is exempt: the limits that count callers by their address are part of what is tested.
	if s.club, err = startClub(s.program, s.dir, s.log); err != nil {
		return nil, err
	}
	err = s.phases(ctx)
	if stopped := s.club.stop(); err == nil {
		s.fault("the club's end", stopped)
		s.fault("sshd check", s.check(ctx))
	}
	if err != nil {
		return nil, fmt.Errorf("%w\nlogged: %s", err, strings.Join(s.log.first(), "\n"))
	}
	s.report.Logged = s.log.first()
	s.report.judge()
	return s.report, nil
}

func (s *soaker) tell(format string, args ...any) {
	_, _ = fmt.Fprintf(s.say, "soak: "+format+"\n", args...) // for whoever looks
}

// phases does one thing after another, up to the question whether all tables are there.
func (s *soaker) phases(ctx context.Context) error {
	before, err := s.rest()
	if err != nil {
		return err
	}
	s.tell("ordinary people come in")
	playing, stop := context.WithCancel(ctx)
	defer s.playing.Wait()
	defer stop()
	if err := s.enter(ctx, playing); err != nil {
		return err
	}
	s.gate.set(true)
	if err := s.begun(ctx); err != nil {
		return err
	}
	s.report.Ordinary = len(s.programs) + len(s.hosts) + len(s.screens)

	s.tell("%d play, look and talk", s.report.Ordinary)
	s.report.Calm, _, err = s.measure(ctx, soakCalm, func(ctx context.Context) {
		var wg sync.WaitGroup
		wg.Go(func() { s.talk(ctx) })
		wg.Go(func() { s.report.CalmNewcomers = s.newcomers(ctx) })
		wg.Wait()
	})
	if err != nil {
		return err
	}
	s.tell("%d attack for %v", s.Hostile, s.lasts())
	logged := s.log.written.Load()
	counted, err := s.club.scrape()
	if err != nil {
		return err
	}
	used, err := s.club.usage()
	if err != nil {
		return err
	}
	var attacked error
	s.report.Ack, s.report.Keys, err = s.measure(ctx, s.lasts(), func(ctx context.Context) {
		var wg sync.WaitGroup
		wg.Go(func() { s.talk(ctx) })
		wg.Go(func() { s.report.Newcomers = s.newcomers(ctx) })
		wg.Go(func() { s.report.Attacks, attacked = s.attack(ctx) })
		wg.Wait()
	})
	if err = errors.Join(err, attacked); err != nil {
		return err
	}
	if now, err := s.club.usage(); err == nil {
		s.report.Share = (now.cpu - used.cpu).Seconds() / now.at.Sub(used.at).Seconds()
	}
	after, err := s.club.scrape()
	if err != nil {
		return err
	}
	s.report.LogHour = float64(s.log.written.Load()-logged) / (1 << 20) / s.lasts().Hours()
	s.report.Refused = refusals(counted, after)
	waits := make(map[string]float64)
	for name, n := range after {
		waits[name] = n - counted[name]
	}
	s.report.Append = journal(waits)
	s.report.Panics = growth(counted, after, `boneyard_sessions_closed_total{reason="panic"}`)
	s.report.Journal = growth(counted, after, "boneyard_journal_failures_total")

	s.tell("all go")
	s.gate.set(false)
	s.settle(ctx)
	stop()
	s.playing.Wait()
	if err := s.hangUp(); err != nil {
		return err
	}
	if err := s.left(ctx, before); err != nil {
		return err
	}
	return s.kept(ctx)
}

// measure lets the ordinary play for a while beside what else happens, which ends with its context, and returns how long
// moves took: of programs until their acknowledgment, of people until their own screen showed them.
func (s *soaker) measure(ctx context.Context, d time.Duration, beside func(context.Context)) (moves, keys *Latency, err error) {
	m, k := &tally{}, &tally{}
	s.moves.Store(m)
	s.keys.Store(k)
	during, cancel := context.WithTimeout(ctx, d)
	defer cancel()
	beside(during)
	if ctx.Err() != nil {
		return nil, nil, context.Cause(ctx)
	}
	s.moves.Store(&tally{})
	s.keys.Store(&tally{})
	return m.ack.sum(), k.ack.sum(), nil
}

// fault notes something that should not have happened to the ordinary or to the club; nil is nothing.
func (s *soaker) fault(what string, err error) {
	if err == nil {
		return
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.report.Faults++; len(s.report.Told) < maxTold {
		s.report.Told = append(s.report.Told, fmt.Sprintf("%s: %v", what, err))
	}
}

// maxTold is how many faults are told one by one.
const maxTold = 20

// check has the club's program look through its data.
func (s *soaker) check(ctx context.Context) error {
	cmd := exec.CommandContext(ctx, s.program, "check", "--data", filepath.Join(s.dir, clubData))
	cmd.Env = withoutSettings(os.Environ())
	out, err := cmd.CombinedOutput()
	s.report.Check = strings.ReplaceAll(strings.TrimSpace(string(out)), s.dir+string(filepath.Separator), "")
	return err
}

// errorLog takes the club's log and keeps its errors.
type errorLog struct {
	written atomic.Int64 // bytes

	mu    sync.Mutex
	part  []byte
	lines []string
}

func (l *errorLog) Write(p []byte) (int, error) {
	l.written.Add(int64(len(p)))
	l.mu.Lock()
	defer l.mu.Unlock()
	l.part = append(l.part, p...)
	for {
		line, rest, ok := strings.Cut(string(l.part), "\n")
		if !ok {
			return len(p), nil
		}
		l.part = []byte(rest)
		var entry struct{ Level string }
		if json.Unmarshal([]byte(line), &entry) == nil && strings.EqualFold(entry.Level, "error") && len(l.lines) < maxTold {
			l.lines = append(l.lines, line)
		}
	}
}

// first returns the first of the errors.
func (l *errorLog) first() []string {
	l.mu.Lock()
	defer l.mu.Unlock()
	return append([]string(nil), l.lines...)
}
