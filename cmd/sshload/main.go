// Command sshload puts the load of thousands of players and watchers on a club and measures the cost. It
// knows SSH, the screens and the line protocol, and must not know the inside of the club.
//
// It connects only to loopback addresses, and stops by itself.
package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/signal"
	"runtime/debug"
	"syscall"

	"github.com/spf13/cobra"

	"boneyard/cmd/sshd/flags"
	"boneyard/cmd/sshload/attack"
	"boneyard/cmd/sshload/load"
	"boneyard/cmd/sshload/server"
	"boneyard/store/grow"
)

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	context.AfterFunc(ctx, stop) // a second signal ends the program at once
	if err := newRoot().ExecuteContext(ctx); err != nil {
		fmt.Fprintf(os.Stderr, "sshload: %s\n", err)
		os.Exit(1)
	}
}

func newRoot() *cobra.Command {
	root := &cobra.Command{
		Use:   "sshload",
		Short: "Put a load on a club and measure what it costs",
		Long: `sshload starts a club of its own, or calls one on this machine, lets players, watchers and visitors
connect over SSH, and measures what that costs. Flags change what a load says.`,
		SilenceUsage:      true,
		SilenceErrors:     true,
		CompletionOptions: cobra.CompletionOptions{DisableDefaultCmd: true},
		PersistentPreRun: func(cmd *cobra.Command, _ []string) {
			if os.Getenv("GOGC") == "" && cmd.Name() != "bare" {
				debug.SetGCPercent(400) // this program takes the processor from the server, which looks slow then
			}
		},
	}
	for _, l := range load.Loads() {
		root.AddCommand(newLoad(l))
	}
	plan := grow.DefaultPlan()
	grow := &cobra.Command{
		Use:   "grow FILE",
		Short: "Make the data file of a club that has been played in for years",
		Long: `Grow plays the games of years into a new data file, from a seed and with random moves, so that
whatever a club does can be measured on it: start the server on the file, with --data.`,
		Args: cobra.ExactArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			return load.Grow(cmd.Context(), args[0], plan, cmd.ErrOrStderr())
		},
	}
	flags.Declare(grow.Flags(), &plan)
	root.AddCommand(grow, newProcess("bare", server.RunBare), newProcess("hostile", attack.Run))
	return root
}

// newLoad returns the command for a load.
func newLoad(l load.Load) *cobra.Command {
	cmd := &cobra.Command{Use: l.Name, Short: l.About, Long: l.About + ".\n\n" + l.Long, Args: cobra.NoArgs}
	l.AddFlags(cmd.Flags())
	cmd.RunE = func(cmd *cobra.Command, _ []string) error {
		l.Progress = cmd.ErrOrStderr()
		report, err := load.Run(cmd.Context(), l)
		if report != nil {
			err = errors.Join(err, report.Write(cmd.OutOrStdout(), l.JSON))
		}
		if err == nil && l.Strict {
			err = report.Missed()
		}
		return err
	}
	return cmd
}

// newProcess returns the command of a process that this program starts.
func newProcess(name string, run func(io.Reader, io.Writer) error) *cobra.Command {
	return &cobra.Command{Use: name, Hidden: true, Args: cobra.NoArgs, RunE: func(cmd *cobra.Command, _ []string) error {
		return run(cmd.InOrStdin(), cmd.OutOrStdout())
	}}
}
