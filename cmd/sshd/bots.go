package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os/exec"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"boneyard/rules"
	"boneyard/rules/bot"
	"boneyard/rules/bot/duel"
	"boneyard/ui/remote"
)

// botMatch holds the flags of the command bots.
type botMatch struct {
	game  string
	seats int
	deals int
	seed  uint64
	row   bool
}

// newBotsCommand returns the command that lets bots play each other; it needs no server.
func newBotsCommand() *cobra.Command {
	var c botMatch
	cmd := &cobra.Command{
		Use:   "bots A B",
		Short: "Have two bots play each other",
		Long: `Bots has A and B play whole games on the same deals from all seats, and reports how often A wins, with
a 99 % confidence interval, how many more points a round A scores than B, and how long each takes for
a move that is not forced: processor time, or elapsed time for a program.

A and B are novice, casual, regular, expert or master; master:300 is a master with 300 playouts a move;
exec:COMMAND is a program that speaks the protocol of ssh HOST play --json (docs/commands.md): it reads
the moves and states of its seat, and writes plays.

With three seats, one A meets two Bs as often as two As meet one B; with four seats and no partners, two
meet two. So equal bots win half of the games.`,
		Example: "  " + programName + " bots master regular --game classic --seats 2 --deals 500",
		Args:    takes(2, 2, "bots needs two bots to play each other"),
		RunE:    func(cmd *cobra.Command, args []string) error { return c.run(cmd.Context(), cmd.OutOrStdout(), args) },
	}
	cmd.Flags().SortFlags = false
	cmd.Flags().StringVar(&c.game, "game", "classic", "the game, with house rules")
	cmd.Flags().IntVar(&c.seats, "seats", 0, "seats at the table (default: 2, or 4 with partners)")
	cmd.Flags().IntVar(&c.deals, "deals", 100, "number of deals; each is played once in every seating")
	cmd.Flags().Uint64Var(&c.seed, "seed", 1, "seed of all deals and choices")
	cmd.Flags().BoolVar(&c.row, "row", false, "write one row of a Markdown table")
	return cmd
}

func (c *botMatch) run(ctx context.Context, out io.Writer, args []string) error {
	r, err := rules.Parse(c.game)
	if err != nil {
		return usageError{err}
	}
	if c.seats == 0 {
		if c.seats = 2; r.Teams {
			c.seats = rules.MaxSeats
		}
	}
	if err := r.CheckSeats(c.seats); err != nil {
		return usageError{err}
	}
	if c.deals < 2 {
		return usageError{errors.New("--deals must be at least 2: one gives no confidence interval")}
	}
	var players [2]duel.Player
	for i, name := range args {
		p, end, err := botOf(ctx, name)
		if err != nil {
			return err
		}
		defer end()
		players[i] = p
	}
	began := time.Now()
	clock := func() float64 { return time.Since(began).Seconds() }
	runtime.LockOSThread() // the clock measures this thread
	defer runtime.UnlockOSThread()
	if _, known := cpuSeconds(); known && !slices.ContainsFunc(args, isProgram) {
		clock = func() float64 { s, _ := cpuSeconds(); return s }
	}
	res, err := duel.Run(ctx, duel.Config{Rules: r, Seats: c.seats, Deals: c.deals, Seed: c.seed, A: players[0], B: players[1]}, clock)
	if err != nil {
		return err
	}
	if c.row {
		_, err = fmt.Fprintf(out, "| %s | %d | %s | %s | %d | %.1f ± %.1f %% | %+.1f ± %.1f | %.2f | %.1f |\n",
			r.String(), c.seats, args[0], args[1],
			res.Games, 100*res.WinRate, 100*res.WinHalf, res.Points, res.Half, res.A.Milliseconds(), 1000*res.A.Worst)
		return err
	}
	_, err = fmt.Fprintf(out, `%s against %s: %s, %d seats
%d deals in %d seatings each, %d games, %d rounds, seed %d
%s wins     %.1f ± %.1f %% of the games (99 %%)
%s scores   %+.2f ± %.2f points a round more (99 %%)
ms a move  %s %.3f, at most %.1f; %s %.3f, at most %.1f
`, args[0], args[1], r.String(), c.seats, res.Deals, res.Games/res.Deals, res.Games, res.Rounds, c.seed,
		args[0], 100*res.WinRate, 100*res.WinHalf, args[0], res.Points, res.Half, args[0], res.A.Milliseconds(),
		1000*res.A.Worst, args[1], res.B.Milliseconds(), 1000*res.B.Worst)
	return err
}

// programPrefix is the beginning of the name of a bot that is a program.
const programPrefix = "exec:"

func isProgram(name string) bool { return strings.HasPrefix(name, programPrefix) }

// botOf returns the player with a name from the command line. Call end when it is no longer needed.
func botOf(ctx context.Context, name string) (p duel.Player, end func(), err error) {
	end = func() {}
	if level, ok := bot.ParseLevel(name); ok {
		return duel.Level(level), end, nil
	}
	if playouts, ok := strings.CutPrefix(name, "master:"); ok {
		n, err := strconv.Atoi(playouts)
		if err != nil || n < 1 || n > 1_000_000 {
			return nil, nil, usageError{fmt.Errorf("%s: a master's playouts must be a number from 1 to 1000000", name)}
		}
		return duel.Searcher(n), end, nil
	}
	command := strings.TrimPrefix(name, programPrefix)
	if !isProgram(name) || len(strings.Fields(command)) == 0 {
		return nil, nil, usageError{fmt.Errorf("%s: must be novice, casual, regular, expert, master, master:PLAYOUTS or exec:COMMAND", name)}
	}
	words := strings.Fields(command)
	cmd := exec.CommandContext(ctx, words[0], words[1:]...)
	stdin, err := cmd.StdinPipe()
	if err != nil {
		return nil, nil, err
	}
	stdout, err := cmd.StdoutPipe()
	if err != nil {
		return nil, nil, err
	}
	if err := cmd.Start(); err != nil {
		return nil, nil, fmt.Errorf("start %s: %w", command, err)
	}
	return remote.NewProgramBot(stdin, stdout), func() {
		_ = stdin.Close() // a program that reads its input ends now
		_ = cmd.Cancel()  // others are killed
		_ = cmd.Wait()
	}, nil
}
