package main

import (
	"errors"
	"fmt"
	"time"

	"github.com/spf13/cobra"

	"boneyard/lobby/text"
	"boneyard/store"
	"boneyard/table"
)

// The commands for the data file. Backup and check may run beside the server; rebuild refuses to.

// dataFlag adds the flag that names the data file.
func dataFlag(cmd *cobra.Command, m *Main) {
	cmd.Flags().StringVar(&m.Settings.Data, "data", m.Settings.Data, "data `file`")
}

// newBackupCommand returns the command that copies the data file.
func newBackupCommand(m *Main) *cobra.Command {
	salvage := false
	every, keep := time.Duration(0), 48
	cmd := &cobra.Command{
		Use:   "backup TO",
		Short: "Copy the data file, even while the server runs",
		Long: `Backup copies the club's data to the file TO, whether the server runs or not. The copy is the data as
of one moment, and is verified. An existing file is never overwritten.

To restore, stop the server, move the data file away together with the files of the same name that
end in -wal, -shm and .mark, copy the backup to its place, run "boneyard check", and start the server.

A file that lacks something, because its log is damaged for example, or is a second name of a file
whose log is elsewhere, is not copied. With --salvage, whatever can be read is copied, and standard error
says what is missing.

With --every, TO is a folder: one backup is made there at once, and then one each time the interval has
passed, until the command is ended by a signal. Of too many backups, one that was soon followed by another
goes first, then the oldest. A failure is reported, and tried again after ten minutes, or when the next
backup is due.`,
		Args: func(cmd *cobra.Command, args []string) error {
			switch {
			case len(args) != 1:
				return usageError{errors.New("backup needs the name of the file to write")}
			case cmd.Flags().Changed("every") && every < time.Second:
				return usageError{errors.New("--every must be at least 1s")}
			case every == 0 && cmd.Flags().Changed("keep"):
				return usageError{errors.New("--keep needs --every")}
			case keep < 1:
				return usageError{errors.New("--keep must be at least 1")}
			case every > 0 && salvage:
				return usageError{errors.New("--salvage cannot be combined with --every")}
			}
			return nil
		},
		RunE: func(cmd *cobra.Command, args []string) error {
			if every > 0 {
				b := backups{data: m.Settings.Data, folder: args[0], every: every, keep: keep, now: time.Now,
					out: cmd.OutOrStdout(), errs: cmd.ErrOrStderr()}
				return b.run(cmd.Context())
			}
			var lacks, err error
			if salvage {
				lacks, err = store.Salvage(cmd.Context(), m.Settings.Data, args[0])
			} else {
				progress, done := progressOn(cmd.ErrOrStderr(), "backup")
				err = store.Backup(cmd.Context(), m.Settings.Data, args[0], progress)
				done()
			}
			if err != nil {
				return err
			}
			if lacks != nil {
				fmt.Fprintf(cmd.ErrOrStderr(), "incomplete: %v\n", lacks)
			}
			_, err = fmt.Fprintf(cmd.OutOrStdout(), "%s: copied to %s\n", m.Settings.Data, args[0])
			return err
		},
	}
	dataFlag(cmd, m)
	cmd.Flags().DurationVar(&every, "every", 0, "make backups in the folder TO at this `interval`, such as 10m")
	cmd.Flags().IntVar(&keep, "keep", keep, "with --every: the `number` of backups to keep")
	cmd.Flags().BoolVar(&salvage, "salvage", false, "copy whatever can be read of a damaged file")
	return cmd
}

// newCheckCommand returns the command that verifies the data file.
func newCheckCommand(m *Main) *cobra.Command {
	cmd := &cobra.Command{
		Use:   "check",
		Short: "Check the data file: integrity, every game by the rules, the standings",
		Long: `Check verifies the data file, replays the record of every game by the rules, compares the results with
the records, recomputes the standings and compares them, and reads every open table as the server does
at its start. The server may run meanwhile. Of a file of an older version, it brings a copy beside the
file up to date and checks that. The exit status is 0 if it finds no problems; otherwise it
prints them, and the status is 1. On a terminal a bar shows the progress.`,
		Args: noArguments,
		RunE: func(cmd *cobra.Command, _ []string) error {
			progress, done := progressOn(cmd.ErrOrStderr(), "check")
			f, err := store.Check(cmd.Context(), m.Settings.Data, progress, table.Readable)
			done()
			if err != nil {
				return err
			}
			for _, p := range f.Problems {
				fmt.Fprintln(cmd.ErrOrStderr(), p)
			}
			if n := len(f.Problems) + f.More; n > 0 {
				return fmt.Errorf("%s: %s found", m.Settings.Data, text.Number(n, "problem"))
			}
			_, err = fmt.Fprintf(cmd.OutOrStdout(), "%s: no problems found: %s with %s, %s in the standings\n",
				m.Settings.Data, text.Number(f.Games, "game"), text.Number(f.Lines, "line"), text.Number(f.Counted, "game"))
			return err
		},
	}
	dataFlag(cmd, m)
	return cmd
}

// newRebuildCommand returns the command that recomputes the standings.
func newRebuildCommand(m *Main) *cobra.Command {
	cmd := &cobra.Command{
		Use:   "rebuild",
		Short: "Recompute the standings from the games; the server must not run",
		Args:  noArguments,
		PreRunE: func(*cobra.Command, []string) error {
			return refuseNodeFile(m.Settings.Data, "make a backup, rebuild that, and go back to it as docs/cluster.md says")
		},
		RunE: func(cmd *cobra.Command, _ []string) (err error) {
			o := store.DefaultOptions()
			o.Existing = true
			progress, clear := progressOn(cmd.ErrOrStderr(), "rebuild")
			o.Progress = progress
			s, err := store.Open(cmd.Context(), m.Settings.Data, o)
			if err != nil {
				return err
			}
			defer func() { err = errors.Join(err, s.Close()) }()
			done, err := s.Rebuild(cmd.Context())
			clear()
			if err != nil {
				return err
			}
			_, err = fmt.Fprintf(cmd.OutOrStdout(), "%s: %s in the standings; of %s, %d changed\n",
				m.Settings.Data, text.Number(done.Games, "game"), text.Number(done.Rows, "row"), done.Changed)
			return err
		},
	}
	dataFlag(cmd, m)
	return cmd
}
