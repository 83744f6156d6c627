// Command sshd is the domino club: it knows how the parts are wired together and which commands there are,
// and must not know a rule of the game or a line of SQL.
package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"log/slog"
	"os"
	"os/signal"
	"runtime"
	"slices"
	"syscall"

	"github.com/spf13/cobra"
	gossh "golang.org/x/crypto/ssh"

	"boneyard/cmd/sshd/flags"
)

// Exit statuses of the program.
const (
	exitOK     = 0
	exitFailed = 1 // it was tried and failed
	exitUsage  = 2 // nothing was tried: a setting or the command line is wrong
)

// ends are the signals that end the server in an orderly way. SIGHUP is one, which a closing terminal sends,
// unless nohup ignores it.
var ends = slices.DeleteFunc([]os.Signal{os.Interrupt, syscall.SIGTERM, syscall.SIGHUP}, func(s os.Signal) bool {
	return s == syscall.SIGHUP && signal.Ignored(s)
})

func main() {
	if n := processors(runtime.GOMAXPROCS(0), runtime.NumCPU()); n != runtime.GOMAXPROCS(0) {
		runtime.GOMAXPROCS(n)
	}
	if os.Getenv("GOGC") == "" {
		go spareMemory(context.Background(), calmLook)
	}
	os.Exit(run(os.Args[1:], os.Environ(), os.Stdout, os.Stderr))
}

// processors returns how many goroutines may run at the same time: one more than there are processors. The
// bots' thinker runs for milliseconds at a time, and the Go scheduler preempts it only after 10 ms; on an
// extra thread it competes with players only for a processor, and the operating system prefers threads that
// have waited. A GOMAXPROCS that was set is respected.
func processors(now, cpus int) int {
	if now == cpus {
		return now + 1
	}
	return now
}

// run runs one command line and returns its exit status.
func run(args, environ []string, stdout, stderr io.Writer) int {
	return NewMain(stderr).run(args, environ, stdout)
}

// run is the function run for a server that the caller made.
func (m *Main) run(args, environ []string, stdout io.Writer) int {
	ctx, stop := signal.NotifyContext(context.Background(), ends...)
	defer stop()
	// After the first signal, the next has its default effect and ends the process at once.
	context.AfterFunc(ctx, stop)

	m.unknown = unknownVariables(environ)
	err := m.Settings.ReadEnvironment(environ)
	if err == nil {
		root := newRoot(m)
		root.SetArgs(args)
		root.SetOut(stdout)
		root.SetErr(m.Stderr)
		addStandard(root)
		err = root.ExecuteContext(ctx)
	} else {
		err = usageError{err}
	}
	if err == nil {
		return exitOK
	}
	fmt.Fprintf(m.Stderr, programName+": %s\n", err)
	return statusOf(err)
}

// statusOf returns the exit status for an error. No setting is wrong because the file that it names cannot be
// read just now: after exitUsage, nobody starts the server again.
func statusOf(err error) int {
	_, usage := errors.AsType[usageError](err)
	_, setting := errors.AsType[settingError](err)
	passes := []error{fs.ErrPermission, syscall.EIO, syscall.EMFILE, syscall.ENFILE, syscall.ENOMEM, syscall.ESTALE}
	if usage || setting && !slices.ContainsFunc(passes, func(cause error) bool { return errors.Is(err, cause) }) {
		return exitUsage
	}
	return exitFailed
}

// usageError is an error of the command line itself.
type usageError struct{ error }

func (e usageError) Unwrap() error { return e.error }

// newRoot returns the root command, which serves the club, with all the others.
func newRoot(m *Main) *cobra.Command {
	root := &cobra.Command{
		Use:   programName,
		Short: "Serve the domino club over SSH",
		Long: `Boneyard is a domino club that people enter with ssh. Without a command, boneyard serves it.

Every flag can also be set by an environment variable, --public-host by BONEYARD_PUBLIC_HOST for example.
Where both are given, the flag wins. Lists are separated by commas. The defaults below include what
the environment sets.

The exit status is 0 on success, 1 on failure, and 2 if a setting or the command line is wrong and
nothing was tried.`,
		Version:       readVersion().String(),
		Args:          noArguments,
		SilenceUsage:  true,
		SilenceErrors: true,
		RunE:          func(cmd *cobra.Command, _ []string) error { return serve(cmd.Context(), m) },
	}
	root.SetVersionTemplate("{{.Version}}\n")
	root.SetFlagErrorFunc(func(_ *cobra.Command, err error) error { return wrongFlag(err) })
	root.PersistentPreRunE = func(cmd *cobra.Command, _ []string) error {
		if cmd.Flags().Lookup("data") == nil {
			return nil
		}
		if err := checkData(m.Settings.Data); err != nil {
			return settingError{"--data", err}
		}
		return nil
	}
	root.Flags().SortFlags = false
	flags.Declare(root.Flags(), &m.Settings)
	root.AddCommand(newHealth(m), newVerifyCommand(), newRulesCommand(), newBotsCommand(), newReplayCommand(), newCoachCommand(),
		newBackupCommand(m), newCheckCommand(m), newRebuildCommand(m), newAdminCommand(m), newClusterCommand(m),
		newVersionCommand(), newManCommand())
	return root
}

// noArguments refuses any argument that is neither a flag nor a command.
func noArguments(cmd *cobra.Command, args []string) error {
	if len(args) > 0 {
		return usageError{fmt.Errorf("there is no command %q; see boneyard --help", args[0])}
	}
	return nil
}

// addStandard adds the library's commands, and makes them refuse arguments. root's output must be set.
func addStandard(root *cobra.Command) {
	root.InitDefaultCompletionCmd()
	root.InitDefaultHelpCmd()
	for _, c := range root.Commands() {
		switch c.Name() {
		case "completion":
			c.Args, c.RunE = noArguments, func(c *cobra.Command, _ []string) error { return c.Help() }
			for _, shell := range c.Commands() {
				shell.Args = noArguments
			}
		case "help":
			c.Args = func(_ *cobra.Command, args []string) error {
				of, rest, _ := root.Find(args)
				return noArguments(of, rest)
			}
		}
	}
}

// takes returns an error, say, for any other number of arguments.
func takes(least, most int, say string) cobra.PositionalArgs {
	return func(_ *cobra.Command, args []string) error {
		if len(args) < least || len(args) > most {
			return usageError{errors.New(say)}
		}
		return nil
	}
}

// serve runs the server until a signal comes or it fails.
func serve(ctx context.Context, m *Main) error {
	if err := m.Run(); err != nil {
		return err
	}
	slog.SetDefault(m.log) // the SSH library can log in no other way
	var failed error
	select {
	case <-ctx.Done():
		// From here on, before anybody can see the server ending, another signal ends the process at once.
		signal.Reset(ends...)
	case failed = <-m.failed:
	}
	return errors.Join(failed, m.Close())
}

func fingerprint(key gossh.Signer) string { return gossh.FingerprintSHA256(key.PublicKey()) }
