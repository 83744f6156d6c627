// Package arena has hundreds of programs play an arena on a club of its own, and measures how long somebody who is free waits for the
// next game, and what the lobby costs meanwhile.
package arena

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"github.com/spf13/cobra"
	"golang.org/x/crypto/ssh"

	"boneyard/cmd/sshload/client"
	"boneyard/cmd/sshload/figures"
	"boneyard/cmd/sshload/server"
)

// goal is how long all but one of a hundred may wait for their next game, in milliseconds.
const goal = 1000

// Plan is what is played.
type Plan struct {
	Players int           // programs that take part
	Lobby   int           // sessions that look at the lobby
	Rest    time.Duration // how long the lobby is looked at, without an arena and with one that begins soon
	Play    time.Duration // how long is played
	Pace    time.Duration // from the beginning of a turn to the play
}

// Bounds of a plan: this is a tool for one machine, and stops by itself.
const (
	most    = 2000
	longest = 5 * time.Minute
)

func (p *Plan) validate() error {
	switch {
	case p.Players < 4 || p.Players > most || p.Lobby < 1 || p.Lobby > most:
		return fmt.Errorf("4 to %d players, and 1 to %d in the lobby", most, most)
	case p.Rest <= 0 || p.Play <= 0 || p.Pace <= 0 || p.Rest > longest || p.Play > longest || p.Pace > time.Minute:
		return fmt.Errorf("a phase takes up to %v, and a turn up to a minute", longest)
	}
	return nil
}

// Report is what was found.
type Report struct {
	Players int              `json:"players"`
	Paired  *figures.Latency `json:"paired"`        // from the end of a game to the next table
	CPU     float64          `json:"cpu"`           // share of a processor while all play
	Idle    float64          `json:"idle_us"`       // CPU of a session in the lobby and second, in microseconds, without an arena
	Soon    float64          `json:"idle_arena_us"` // the same while an arena begins soon
	Goals   []figures.Goal   `json:"goals"`
}

// Print writes the report for people.
func (r *Report) Print(w io.Writer) error {
	s := figures.Sheet{Names: 36}
	fmt.Fprintf(&s, "an arena of %d programs\n", r.Players)
	s.Delay("from free to paired", r.Paired)
	s.Row("CPU while all play", "%10.2f of a processor", r.CPU)
	s.Row("a session in the lobby", "%10.2f µs of CPU a second", r.Idle)
	s.Row("the same, an arena begins soon", "%10.2f µs of CPU a second", r.Soon)
	s.Goals(r.Goals)
	_, err := io.WriteString(w, s.String())
	return err
}

// NewCommand returns the command that has programs play an arena.
func NewCommand() *cobra.Command {
	p := Plan{Players: 500, Lobby: 200, Rest: 10 * time.Second, Play: time.Minute, Pace: time.Second}
	program, asJSON := "", false
	cmd := &cobra.Command{
		Use:   "arena",
		Short: "Have hundreds of programs play an arena, and measure how long they wait for their games",
		Long: `Arena starts a club of its own, has programs with accounts play an arena there, each from a network
of its own, and measures how long it takes from the end of a game until a player is at the next
table, and what sessions in the lobby cost with and without an arena that begins soon. The exit
status is 1 if a goal was missed.`,
		Args:          cobra.NoArgs,
		SilenceUsage:  true,
		SilenceErrors: true,
		RunE: func(cmd *cobra.Command, _ []string) error {
			r, err := run(cmd.Context(), p, program, cmd.ErrOrStderr())
			if err != nil {
				return err
			}
			err = figures.Write(cmd.OutOrStdout(), r, asJSON)
			for _, g := range r.Goals {
				if !g.Met {
					err = errors.Join(err, fmt.Errorf("%s: %.0f is over %g", g.Name, g.Value, g.Most))
				}
			}
			return err
		},
	}
	f := cmd.Flags()
	f.SortFlags = false
	f.IntVar(&p.Players, "players", p.Players, "programs that play")
	f.IntVar(&p.Lobby, "lobby", p.Lobby, "sessions in the lobby")
	f.DurationVar(&p.Rest, "rest", p.Rest, "how long idle sessions are measured")
	f.DurationVar(&p.Play, "play", p.Play, "how long is played")
	f.DurationVar(&p.Pace, "pace", p.Pace, "how long players think")
	f.StringVar(&program, "server", "", "the club's `program` (default: the sshd beside this program)")
	f.BoolVar(&asJSON, "json", false, "write the report as JSON")
	return cmd
}

// runner is one run.
type runner struct {
	Plan
	club     *server.Server
	boss     ssh.Signer
	from     client.Addresses
	tally    atomic.Pointer[client.Tally]
	paired   figures.Recorder
	progress io.Writer

	mu     sync.Mutex
	closes []interface{ Close() }
}

func run(ctx context.Context, p Plan, program string, progress io.Writer) (_ *Report, err error) {
	if err := p.validate(); err != nil {
		return nil, err
	}
	if program == "" {
		if program, err = server.Find(); err != nil {
			return nil, err
		}
	}
	dir, err := os.MkdirTemp("", "sshload")
	if err != nil {
		return nil, err
	}
	defer func() { _ = os.RemoveAll(dir) }()
	r := &runner{Plan: p, progress: progress, from: client.Addresses{Net: 40, Apart: true}}
	r.tally.Store(&client.Tally{})
	if r.boss, err = client.NewKey(); err != nil {
		return nil, err
	}
	r.club, err = server.StartClub(program, dir, io.Discard, "--exempt-networks", "127.0.0.0/8", "--operators", ssh.FingerprintSHA256(r.boss.PublicKey()),
		"--max-sessions", strconv.Itoa((p.Players+p.Lobby)*2+100))
	if err != nil {
		return nil, err
	}
	report, err := r.measure(ctx)
	_ = client.Each(len(r.closes), client.InFlight, func(i int) error {
		r.closes[i].Close()
		return nil
	})
	return report, errors.Join(err, r.club.Stop())
}

func (r *runner) say(format string, args ...any) {
	_, _ = fmt.Fprintf(r.progress, "arena: "+format+"\n", args...)
}

// measure does one thing after another.
func (r *runner) measure(ctx context.Context) (*Report, error) {
	report := &Report{Players: r.Players}
	if _, err := r.command(ctx, "register olga"); err != nil {
		return nil, err
	}
	r.say("%d come into the lobby", r.Lobby)
	err := client.Each(r.Lobby, client.InFlight, func(int) error {
		c, err := client.Caller{User: "guest", From: r.from.Take()}.Login(ctx, r.club.Addr)
		if err != nil {
			return err
		}
		s := client.NewScreen(c, 80, 24)
		r.keep(s)
		if err := s.Enter(""); err != nil {
			return err
		}
		ctx, cancel := client.Sight(ctx)
		defer cancel()
		return s.Opened(ctx)
	})
	if err != nil {
		return nil, err
	}
	r.say("the lobby is idle")
	if report.Idle, err = r.idle(ctx); err != nil {
		return nil, err
	}
	if _, err = r.arena(ctx, "in=8"); err != nil {
		return nil, err
	}
	r.say("the lobby is idle, and an arena begins soon")
	if report.Soon, err = r.idle(ctx); err != nil {
		return nil, err
	}
	id, err := r.arena(ctx, "in=0")
	if err != nil {
		return nil, err
	}
	r.say("%d programs come", r.Players)
	if report.CPU, err = r.play(ctx, "arena "+id+" play --json --bot"); err != nil {
		return nil, err
	}
	report.Paired = r.paired.Sum()
	if report.Paired == nil {
		return nil, errors.New("nobody was paired again")
	}
	report.Goals = []figures.Goal{{Name: "from free to paired, p99 in ms", Value: report.Paired.P99, Most: goal, Met: report.Paired.P99 <= goal}}
	return report, nil
}

// command runs a command as the operator.
func (r *runner) command(ctx context.Context, words string) (string, error) {
	c, err := client.Login(ctx, r.club.Addr, "olga", r.boss)
	if err != nil {
		return "", err
	}
	return c.Run(ctx, words)
}

// arena makes an arena for programs.
func (r *runner) arena(ctx context.Context, begins string) (string, error) {
	said, err := r.command(ctx, "arena new "+begins+" length=20 programs=on pace=normal classic rounds=1 --json")
	if err != nil {
		return "", err
	}
	var made struct{ Arena int64 }
	err = json.Unmarshal([]byte(strings.SplitN(said, "\n", 2)[0]), &made)
	return strconv.FormatInt(made.Arena, 10), err
}

func (r *runner) keep(c interface{ Close() }) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.closes = append(r.closes, c)
}

// idle is what a session in the lobby costs, in microseconds of CPU a second.
func (r *runner) idle(ctx context.Context) (float64, error) {
	if !client.Sleep(ctx, 2*time.Second) { // until what was made a moment ago has been drawn
		return 0, context.Cause(ctx)
	}
	from, err := r.club.Usage()
	if err != nil {
		return 0, err
	}
	if !client.Sleep(ctx, r.Rest) {
		return 0, context.Cause(ctx)
	}
	to, err := r.club.Usage()
	return float64((to.CPU - from.CPU).Microseconds()) / to.At.Sub(from.At).Seconds() / float64(r.Lobby), err
}

// play has the programs connect and play. The time while they connect is not measured.
func (r *runner) play(ctx context.Context, command string) (share float64, err error) {
	playing, stop := context.WithCancel(ctx)
	var wg sync.WaitGroup
	defer wg.Wait()
	defer stop()
	gate, name := client.NewGate(), client.RunName()
	gate.Set(true)
	failed := make(chan error, 1)
	var measured atomic.Bool
	// The last of them may wait for somebody to be free.
	err = client.Each(r.Players, 2*client.InFlight, func(i int) error {
		user := client.ProgramName(name, i)
		p, err := client.NewProgram(ctx, user, func(key ssh.Signer) (*client.Client, error) {
			return client.Caller{User: user, Key: key, From: r.from.Take()}.Login(ctx, r.club.Addr)
		})
		if err != nil {
			return err
		}
		r.keep(p)
		p.Table, p.Pace, p.Gate = &client.Table{Tally: &r.tally}, r.Pace, gate
		p.Paired = func(d time.Duration) {
			if measured.Load() {
				r.paired.Add(d)
			}
		}
		ctx, cancel := client.Sight(ctx)
		defer cancel()
		if _, err := p.Sit(ctx, command); err != nil {
			return err
		}
		wg.Go(func() {
			if err := p.Play(playing); err != nil {
				select {
				case failed <- err:
				default: // one is enough
				}
			}
		})
		return nil
	})
	if err != nil {
		return 0, err
	}
	r.say("all play")
	measured.Store(true)
	from, err := r.club.Usage()
	if err != nil {
		return 0, err
	}
	over := time.NewTimer(r.Play)
	defer over.Stop()
	select {
	case <-over.C:
	case err := <-failed:
		return 0, err
	case <-ctx.Done():
		return 0, context.Cause(ctx)
	}
	to, err := r.club.Usage()
	return (to.CPU - from.CPU).Seconds() / to.At.Sub(from.At).Seconds(), err
}
