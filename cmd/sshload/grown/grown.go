// Package grown measures a club that has been played in for years, and makes the data file of one.
package grown

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"syscall"
	"time"

	"github.com/spf13/cobra"
	"golang.org/x/crypto/ssh"

	"boneyard/cmd/sshload/client"
	"boneyard/cmd/sshload/figures"
	"boneyard/cmd/sshload/server"
	"boneyard/store/grow"
)

// goal is how much of a processor a page or a command may take, in milliseconds.
const goal = 20

// Cost is what something cost.
type Cost struct {
	What string  `json:"what"`
	Own  float64 `json:"own_ms"` // CPU of the club, without coming in, on the average
	All  float64 `json:"all_ms"` // with it
	Wall float64 `json:"wall_ms"`
	// First is Own the first time, when no answer was cached.
	First float64 `json:"first_ms,omitempty"`
	Goal  float64 `json:"goal_ms,omitempty"` // of First and Own; 0: none
	RSS   int64   `json:"rss,omitempty"`     // bytes at most, of a process of its own
}

// over reports whether it cost more than the goal.
func (c *Cost) over() bool { return c.Goal > 0 && max(c.First, c.Own) > c.Goal }

// Report is what a measurement of a club of years found.
type Report struct {
	Plan   grow.Plan `json:"plan"`
	Bytes  int64     `json:"bytes"`
	Grow   float64   `json:"grow_s"` // 0: the file was there
	Starts []Cost    `json:"starts"`
	Enter  Cost      `json:"enter"`
	Asked  []Cost    `json:"commands"`
	Pages  []Cost    `json:"pages"`
	Jobs   []Cost    `json:"jobs"`
}

// over lists the pages and commands that cost more than the goal.
func (r *Report) over() (names []string) {
	for _, list := range [][]Cost{r.Asked, r.Pages} {
		for _, c := range list {
			if c.over() {
				names = append(names, c.What)
			}
		}
	}
	return names
}

// Print writes the report for people.
func (r *Report) Print(w io.Writer) error {
	fmt.Fprintf(w, "a club of %d games, %d members, %d teams: %.0f MB", r.Plan.Games, r.Plan.Members, r.Plan.Teams, float64(r.Bytes)/1e6)
	if r.Grow > 0 {
		fmt.Fprintf(w, ", grown in %.0f s", r.Grow)
	}
	fmt.Fprintln(w, "\n\nCPU of the club's process, in milliseconds")
	row := func(c Cost) {
		note := ""
		if c.First > 0 {
			note = fmt.Sprintf("   first %7.1f", c.First)
		}
		if c.over() {
			note += fmt.Sprintf("   over %.0f", c.Goal)
		}
		fmt.Fprintf(w, "  %-44s %10.1f   wall %10.1f%s\n", c.What, c.Own, c.Wall, note)
	}
	for _, part := range []struct {
		name string
		list []Cost
	}{{"start", r.Starts}, {"connecting", []Cost{r.Enter}}, {"commands, without connecting", r.Asked}, {"pages", r.Pages}, {"jobs", r.Jobs}} {
		fmt.Fprintln(w, part.name)
		for _, c := range part.list {
			row(c)
		}
	}
	_, err := fmt.Fprintf(w, "%d pages and commands over %d ms\n", len(r.over()), goal)
	return err
}

// NewCommand returns the command that measures a club of years.
func NewCommand() *cobra.Command {
	g := grown{plan: grow.DefaultPlan(), times: 4}
	asJSON := false
	cmd := &cobra.Command{
		Use:   "grown",
		Short: "Measure a club that has been played in for years: start, connecting, each page and command, check, rebuild, backup",
		Long: `Grown makes the data file of a club of years, as grow does, starts a club on it, and measures how much of
a processor it takes to start, to connect, to show each page, to answer each command, and to check,
rebuild and back up the file. With --data the file is kept, and made only if it is not there: give the
same --seed then, since the keys of its members are made from it.`,
		Args:          cobra.NoArgs,
		SilenceUsage:  true,
		SilenceErrors: true,
		RunE: func(cmd *cobra.Command, _ []string) error {
			g.progress = cmd.ErrOrStderr()
			r, err := g.run(cmd.Context())
			if err != nil {
				return err
			}
			return figures.Write(cmd.OutOrStdout(), r, asJSON)
		},
	}
	planFlags(cmd, &g.plan)
	cmd.Flags().StringVar(&g.data, "data", "", "the data `file`; empty: a new one, which is removed afterwards")
	cmd.Flags().IntVar(&g.times, "times", g.times, "how often each page and command is measured")
	cmd.Flags().StringVar(&g.program, "server", "", "the club's `program` (default: the sshd beside this program)")
	cmd.Flags().BoolVar(&asJSON, "json", false, "write the report as JSON")
	return cmd
}

// grown is one measurement of a club of years.
type grown struct {
	plan          grow.Plan
	data, program string
	times         int // each is measured
	progress      io.Writer

	dir    string
	club   *server.Server
	key    ssh.Signer // of the member who has played most
	report Report
}

func (g *grown) run(ctx context.Context) (r *Report, err error) {
	if err := g.plan.Validate(); err != nil {
		return nil, err
	}
	if g.times < 1 {
		return nil, fmt.Errorf("--times: once at least, not %d", g.times)
	}
	if g.program == "" {
		if g.program, err = server.Find(); err != nil {
			return nil, err
		}
	}
	if g.key, err = g.plan.KeyOf(0); err != nil {
		return nil, err
	}
	if g.dir, err = os.MkdirTemp("", "sshload-grown-"); err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, os.RemoveAll(g.dir)) }()
	if g.data == "" {
		g.data = filepath.Join(g.dir, server.ClubData)
	}
	defer func() {
		if g.club != nil {
			err = errors.Join(err, g.club.Stop())
		}
	}()
	for _, step := range []func(context.Context) error{g.grow, g.starts, g.enter, g.ask, g.show, g.jobs} {
		if err := step(ctx); err != nil {
			return nil, err
		}
	}
	g.report.Plan = g.plan
	return &g.report, nil
}

func (g *grown) say(format string, args ...any) {
	fmt.Fprintf(g.progress, "grown: "+format+"\n", args...)
}

// grow makes the data file if there is none.
func (g *grown) grow(ctx context.Context) error {
	if _, err := os.Stat(g.data); errors.Is(err, os.ErrNotExist) {
		began := time.Now()
		if _, err := growFile(ctx, g.data, g.plan, g.progress); err != nil {
			return err
		}
		g.report.Grow = time.Since(began).Seconds()
	}
	info, err := os.Stat(g.data)
	if err == nil {
		g.report.Bytes = info.Size()
	}
	return err
}

// starts measures a start after a normal shutdown, and one after a kill, which checks the whole file first. The second club keeps running.
func (g *grown) starts(ctx context.Context) error {
	for _, what := range []string{"after an end in order", "after a kill"} {
		if g.club != nil {
			if err := g.hurt(ctx); err != nil {
				return err
			}
		}
		g.say("start %s", what)
		began := time.Now()
		club, err := server.StartClub(g.program, g.dir, io.Discard, "--data", g.data, "--exempt-networks", "127.0.0.0/8", "--operators", ssh.FingerprintSHA256(g.key.PublicKey()))
		if err != nil {
			return err
		}
		g.club = club
		u, err := club.Usage()
		if err != nil {
			return err
		}
		g.say("open after %v, with %v of CPU", time.Since(began).Round(time.Millisecond), u.CPU.Round(time.Millisecond))
		g.report.Starts = append(g.report.Starts, Cost{What: what, Own: figures.Milliseconds(u.CPU), All: figures.Milliseconds(u.CPU), Wall: figures.Milliseconds(time.Since(began)), RSS: u.Top})
	}
	return nil
}

// hurt kills the club after it has written something.
func (g *grown) hurt(ctx context.Context) error {
	key, err := client.NewKey()
	if err != nil {
		return err
	}
	if _, err := g.answer(ctx, key, fmt.Sprintf("register g%x", time.Now().UnixNano()&0xffffffff)); err != nil {
		return err
	}
	if err := syscall.Kill(g.club.PID, syscall.SIGKILL); err != nil {
		return err
	}
	_ = g.club.Stop() // waits for the process, which was killed
	g.club = nil
	return nil
}

// cost measures how much of the club's CPU time do takes, on average over n times.
func (g *grown) cost(what string, n int, do func() error) (c Cost, err error) {
	before, err := g.club.Usage()
	if err != nil {
		return c, err
	}
	for i := range n {
		if err := do(); err != nil {
			return c, fmt.Errorf("%s: %w", what, err)
		}
		if i == 0 {
			first, err := g.club.Usage()
			if err != nil {
				return c, err
			}
			c.First = figures.Milliseconds(first.CPU - before.CPU)
		}
	}
	after, err := g.club.Usage()
	c = Cost{What: what, First: c.First, All: figures.Milliseconds(after.CPU-before.CPU) / float64(n), Wall: figures.Milliseconds(after.At.Sub(before.At)) / float64(n)}
	c.Own = c.All
	g.say("%s: %.1f ms of CPU, %.1f the first time, %.1f ms in all", what, c.All, c.First, c.Wall)
	return c, err
}

// jobs measures the commands of the program itself that run without a server.
func (g *grown) jobs(ctx context.Context) error {
	if err := g.club.Stop(); err != nil {
		return err
	}
	g.club = nil
	for _, args := range [][]string{{"check"}, {"rebuild"}, {"backup", filepath.Join(g.dir, "copy.db")}} {
		g.say("%s", args[0])
		cmd := exec.CommandContext(ctx, g.program, append(args, "--data", g.data)...)
		cmd.Env = server.WithoutSettings(os.Environ())
		var errs bytes.Buffer
		cmd.Stderr = &errs
		began := time.Now()
		if err := cmd.Run(); err != nil {
			return fmt.Errorf("%s: %w: %s", args[0], err, errs.String())
		}
		c := Cost{What: args[0], Own: figures.Milliseconds(cmd.ProcessState.UserTime() + cmd.ProcessState.SystemTime()), Wall: figures.Milliseconds(time.Since(began))}
		c.All = c.Own
		if u, ok := cmd.ProcessState.SysUsage().(*syscall.Rusage); ok {
			c.RSS = u.Maxrss << 10
		}
		g.say("%s: %.1f s of CPU, %.1f s in all", args[0], c.Own/1000, c.Wall/1000)
		g.report.Jobs = append(g.report.Jobs, c)
	}
	return nil
}
