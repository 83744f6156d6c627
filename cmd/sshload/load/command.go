package load

import (
	"errors"
	"fmt"
	"io"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"boneyard/cmd/sshload/figures"
)

// options are the flags that are not part of the load.
type options struct {
	server   string // the club's program
	addr     string // of a club that runs already
	pid      int
	metrics  string
	json     bool
	profiles string // folder for profiles of the club's processor
	log      io.Writer
	progress io.Writer
}

// NewCommand returns the command that puts a load on a club.
func NewCommand() *cobra.Command {
	var load Load
	var o options
	list := make([]string, 0, len(profiles()))
	for _, p := range profiles() {
		list = append(list, fmt.Sprintf("  %-12s %s", p.Name, p.About))
	}
	cmd := &cobra.Command{
		Use:   "sshload [flags] PROFILE",
		Short: "Put a load on a club and measure what it costs",
		Long: `sshload starts a club of its own, or calls one on this machine, and lets players, watchers
and visitors connect over SSH. The profiles are:

` + strings.Join(list, "\n") + `

Flags change what a profile says.`,
		Args:          cobra.ExactArgs(1),
		SilenceUsage:  true,
		SilenceErrors: true,
	}
	f := cmd.Flags()
	f.SortFlags = false
	f.StringVar(&o.server, "server", "", "the club's `program` (default: the sshd beside this program)")
	f.StringVar(&o.addr, "addr", "", "`address` of a club that runs already, with --exempt-networks 127.0.0.0/8")
	f.IntVar(&o.pid, "pid", 0, "`process` of that club, to measure CPU and memory")
	f.StringVar(&o.metrics, "metrics", "", "`address` of its metrics, to count goroutines")
	f.BoolVar(&load.Baseline, "baseline", false, "run a bare SSH server beside it and print the ratios")
	f.BoolVar(&o.json, "json", false, "write the report as JSON")
	f.StringVar(&o.profiles, "profiles", "", "`folder` for CPU profiles of the club, one per phase")
	f.IntVar(&load.Tables, "tables", 0, "tables in play")
	f.IntVar(&load.Seats, "seats", 0, "seats at each")
	f.IntVar(&load.People, "people", 0, "people at each; bots take the other seats")
	f.BoolVar(&load.Lines, "lines", false, "players are programs that speak the line protocol")
	f.StringVar(&load.Bots, "bots", "", "how strong the house bots are at tables of programs: novice, casual, regular, expert or master")
	f.DurationVar(&load.Pace, "pace", 0, "how long people think")
	f.IntVar(&load.Watchers, "watchers", 0, "watchers in all")
	f.IntVar(&load.Slow, "slow", 0, "watchers that read slowly")
	f.IntVar(&load.Lobby, "lobby", 0, "sessions in the lobby")
	f.IntVar(&load.Arrivals, "arrivals", 0, "sessions that connect within one second")
	f.Float64Var(&load.Chat, "chat", 0, "lines of chat a second")
	f.Float64Var(&load.Resizes, "resizes", 0, "windows resized a second")
	f.IntVar(&load.Width, "width", 0, "columns of the terminals")
	f.IntVar(&load.Height, "height", 0, "rows of the terminals")
	f.DurationVar(&load.Rest, "rest", 0, "how long idle sessions are measured")
	f.DurationVar(&load.Play, "play", 0, "how long a round of play is")
	f.IntVar(&load.Rounds, "rounds", 0, "rounds of play")
	cmd.RunE = func(cmd *cobra.Command, args []string) error {
		given := make(map[string]string)
		f.Visit(func(flag *pflag.Flag) { given[flag.Name] = flag.Value.String() })
		named, err := profile(args[0])
		if err != nil {
			return err
		}
		load = named
		for name, value := range given { // once more, over the profile
			if err := f.Set(name, value); err != nil {
				return err
			}
		}
		if o.addr == "" && (o.pid != 0 || o.metrics != "") {
			return errors.New("--pid and --metrics go with --addr")
		}
		o.log, o.progress = io.Discard, cmd.ErrOrStderr()
		report, err := run(cmd.Context(), load, o)
		if err != nil {
			return err
		}
		return figures.Write(cmd.OutOrStdout(), report, o.json)
	}
	return cmd
}
