// Package soak attacks a club while ordinary clients play there, and reports what they noticed and what was left behind.
package soak

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"boneyard/cmd/sshload/attack"
	"boneyard/cmd/sshload/client"
	"boneyard/cmd/sshload/figures"
	"boneyard/cmd/sshload/server"
)

// Plan says how long, and by how many clients, a club is attacked while others play.
type Plan struct {
	Minutes float64
	Hostile int      // attackers
	Tables  int      // where programs play; there are people at screens, watchers and visitors in proportion
	Only    []string // kinds of attack; empty: all
	Grown   string   // a data file, with a copy of which the club begins; empty: with none
}

// Bounds of a soak: it ends by itself.
const (
	maxMinutes = 60
	maxHostile = 2000
	maxTables  = 500

	maxPrograms = 2*maxTables + OpenTables
)

// Validate reports the first thing that cannot be done, or would be too much.
func (s *Plan) Validate() error {
	switch {
	case !(s.Minutes > 0 && s.Minutes <= maxMinutes):
		return fmt.Errorf("a soak takes more than 0 and at most %d minutes", maxMinutes)
	case s.Hostile < 0 || s.Hostile > maxHostile:
		return fmt.Errorf("hostile clients are 0 to %d", maxHostile)
	case s.Tables < 1 || s.Tables > maxTables:
		return fmt.Errorf("tables are 1 to %d", maxTables)
	}
	for _, name := range s.Only {
		if len(attack.Kinds(name)) == 0 {
			return fmt.Errorf("there is no attack %q", name)
		}
	}
	return nil
}

// What there is beside two programs at each table.
func (s *Plan) people() int   { return (s.Tables + 4) / 5 }   // at screens, each at a table with a house bot
func (s *Plan) watchers() int { return s.Tables }             // of the programs' tables
func (s *Plan) visitors() int { return max(s.Tables*4/5, 1) } // of the lobby, who talk
func (s *Plan) lasts() time.Duration {
	return time.Duration(s.Minutes * float64(time.Minute))
}

// The pace of a soak.
const (
	thinkTime   = time.Second            // how long players think
	calmTime    = 10 * time.Second       // of play before the attack, to compare with; as long as the attack if that is shorter
	talkEvery   = 2 * time.Second        // from one line of chat to the next
	newcomerDue = time.Second            // from one newcomer to the next
	farAway     = 150 * time.Millisecond // how long what the club sends takes to every second of them
	inTime      = 3 * time.Second        // in which newcomers are to be in
	callAgain   = 500 * time.Millisecond // how long somebody waits who was turned away, and calls again
	callsAtMost = 60
	waysTime    = 5 * time.Minute // that coming in and looking afterwards may take in all
)

type soaker struct {
	Plan
	program string // the club's
	dir     string // of its data
	club    *server.Server
	log     *errorLog
	say     io.Writer
	report  *Report

	ordinary    client.Addresses
	name        string // of the run
	gate        *client.Gate
	moves, keys atomic.Pointer[client.Tally] // of the programs, and of the people at screens
	playing     sync.WaitGroup

	mu       sync.Mutex // of what follows, while they come in
	programs []*client.Program
	hosts    []*client.Program // of the tables where everybody may sit down, and no game begins
	persons  []*client.Person  // who play at screens
	screens  []*client.Screen  // of all ordinary people, players among them
	visitors []*client.Screen  // those of them in the lobby
}

// run carries out a soak of a club that program runs, says on progress how far it is, and returns what was found. It fails if there was nothing to be found out.
func run(ctx context.Context, what Plan, program string, progress io.Writer) (*Report, error) {
	if err := what.Validate(); err != nil {
		return nil, err
	}
	ctx, cancel := context.WithTimeoutCause(ctx, what.lasts()+waysTime, errors.New("the soak took too long"))
	defer cancel()
	s := &soaker{
		Plan: what, program: program, log: &errorLog{}, say: progress, gate: client.NewGate(), name: client.RunName(),
		ordinary: client.Addresses{Net: 1, Apart: true}, report: &Report{Minutes: what.Minutes, Hostile: what.Hostile},
	}
	s.moves.Store(&client.Tally{})
	s.keys.Store(&client.Tally{})
	var err error
	if s.program == "" {
		if s.program, err = server.Find(); err != nil {
			return nil, err
		}
	}
	if s.dir, err = os.MkdirTemp("", "sshload"); err != nil {
		return nil, err
	}
	defer func() { _ = os.RemoveAll(s.dir) }()
	if s.Grown != "" {
		if err := copyFile(s.Grown, filepath.Join(s.dir, server.ClubData)); err != nil {
			return nil, fmt.Errorf("copy what the club begins with: %w", err)
		}
	}
	// Nobody is exempt: the limits that count callers by their address are part of what is tested.
	if s.club, err = server.StartClub(s.program, s.dir, s.log); err != nil {
		return nil, err
	}
	err = s.phases(ctx)
	if stopped := s.club.Stop(); err == nil {
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

func (s *soaker) tell(format string, args ...any) {
	_, _ = fmt.Fprintf(s.say, "soak: "+format+"\n", args...) // for whoever looks
}

// phases does one thing after another, up to the question whether all tables are there.
func (s *soaker) phases(ctx context.Context) error {
	before, err := s.rest()
	if err != nil {
		return err
	}
	s.tell("ordinary people connect")
	playing, stop := context.WithCancel(ctx)
	defer s.playing.Wait()
	defer stop()
	if err := s.enter(ctx, playing); err != nil {
		return err
	}
	s.gate.Set(true)
	if err := s.begun(ctx); err != nil {
		return err
	}
	s.report.Ordinary = len(s.programs) + len(s.hosts) + len(s.screens)

	s.tell("%d play, look and talk", s.report.Ordinary)
	s.report.Calm, _, err = s.measure(ctx, min(calmTime, s.lasts()), func(ctx context.Context) {
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
	counted, err := s.club.Scrape()
	if err != nil {
		return err
	}
	used, err := s.club.Usage()
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
	if now, err := s.club.Usage(); err == nil {
		s.report.Share = (now.CPU - used.CPU).Seconds() / now.At.Sub(used.At).Seconds()
	}
	after, err := s.club.Scrape()
	if err != nil {
		return err
	}
	s.report.LogHour = float64(s.log.written.Load()-logged) / (1 << 20) / s.lasts().Hours()
	s.report.Refused = growth(counted, after, "boneyard_refused_total", "reason")
	waited := make(server.Waits)
	waited.Add(server.JournalWaits, counted, after)
	s.report.Append = waited.Sum()
	s.report.Panics = growth(counted, after, "boneyard_sessions_closed_total", "reason")["panic"]
	s.report.Journal = growth(counted, after, "boneyard_journal_failures_total", "")[""]

	s.tell("all go")
	s.gate.Set(false)
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
func (s *soaker) measure(ctx context.Context, d time.Duration, beside func(context.Context)) (moves, keys *figures.Latency, err error) {
	m, k := &client.Tally{}, &client.Tally{}
	s.moves.Store(m)
	s.keys.Store(k)
	during, cancel := context.WithTimeout(ctx, d)
	defer cancel()
	beside(during)
	if ctx.Err() != nil {
		return nil, nil, context.Cause(ctx)
	}
	s.moves.Store(&client.Tally{})
	s.keys.Store(&client.Tally{})
	return m.Ack.Sum(), k.Ack.Sum(), nil
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
	cmd := exec.CommandContext(ctx, s.program, "check", "--data", filepath.Join(s.dir, server.ClubData))
	cmd.Env = server.WithoutSettings(os.Environ())
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

func (l *errorLog) first() []string {
	l.mu.Lock()
	defer l.mu.Unlock()
	return append([]string(nil), l.lines...)
}
