// Command sshload puts the load of thousands of players and watchers on a club and measures what it costs: it knows SSH, the
// screens and the line protocol as any caller does, and must not know the club from within.
//
// It only ever calls this machine, through a loopback address, and stops by itself.
package main

import (
	"context"
	"fmt"
	"os"
	"os/signal"
	"runtime/debug"
	"syscall"

	"github.com/spf13/cobra"

	"boneyard/cmd/sshload/arena"
	"boneyard/cmd/sshload/attack"
	"boneyard/cmd/sshload/grown"
	"boneyard/cmd/sshload/load"
	"boneyard/cmd/sshload/server"
	"boneyard/cmd/sshload/soak"
)

func main() {
	if os.Getenv(server.BareVariable) != "" && len(os.Args) == 2 && os.Args[1] == server.BareCommand {
		if err := server.RunBare(os.Stdin, os.Stdout); err != nil {
			fmt.Fprintf(os.Stderr, "bare server: %s\n", err)
			os.Exit(1)
		}
		return
	}
	if os.Getenv("GOGC") == "" {
		debug.SetGCPercent(400) // what this program spends is missing to the server, and counts as its delay
	}
	if os.Getenv(attack.Variable) != "" && len(os.Args) == 2 && os.Args[1] == attack.Command {
		if err := attack.Run(os.Stdin, os.Stdout); err != nil {
			fmt.Fprintf(os.Stderr, "hostile clients: %s\n", err)
			os.Exit(1)
		}
		return
	}
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	if err := newRoot().ExecuteContext(ctx); err != nil {
		fmt.Fprintf(os.Stderr, "sshload: %s\n", err)
		stop()
		os.Exit(1)
	}
}

func newRoot() *cobra.Command {
	cmd := load.NewCommand()
	cmd.AddCommand(arena.NewCommand(), load.NewClusterCommand(), soak.NewCommand(), grown.NewGrowCommand(), grown.NewCommand())
	return cmd
}
