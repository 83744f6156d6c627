package main

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/spf13/cobra"
	"github.com/spf13/cobra/doc"
	"github.com/spf13/pflag"
)

// newManCommand returns the command that writes the manual pages.
func newManCommand() *cobra.Command {
	return &cobra.Command{
		Use:   "man DIR",
		Short: "Write the manual pages, one for each command",
		Long: `Man writes the manual pages boneyard.1, boneyard-check.1 and so on into a folder, such as
/usr/local/share/man/man1.`,
		Args: takes(1, 1, "man needs the folder to write to"),
		RunE: func(cmd *cobra.Command, args []string) error {
			if err := os.MkdirAll(args[0], 0o755); err != nil {
				return err
			}
			// With the program's defaults, not those of the environment.
			root := newRoot(NewMain(cmd.ErrOrStderr()))
			root.DisableAutoGenTag = true // so that the output is reproducible
			v := readVersion()
			header := &doc.GenManHeader{Title: "BONEYARD", Section: "1", Source: programName + " " + v.short(), Manual: "Boneyard"}
			if at, err := time.Parse(time.RFC3339, v.Time); err == nil {
				header.Date = &at
			}
			return writeManual(root, *header, args[0])
		},
	}
}

// writeManual writes the pages of a command and of its subcommands.
func writeManual(cmd *cobra.Command, header doc.GenManHeader, dir string) error {
	for _, c := range cmd.Commands() {
		if c.IsAvailableCommand() && !c.IsAdditionalHelpTopicCommand() {
			if err := writeManual(c, header, dir); err != nil {
				return err
			}
		}
	}
	var page bytes.Buffer
	if err := doc.GenMan(cmd, new(header), &page); err != nil {
		return err
	}
	text, also, found := strings.Cut(page.String(), "\n.SH SEE ALSO")
	if found {
		also = "\n.SH SEE ALSO" + also
	}
	text = strings.TrimRight(text, "\n") + "\n" + manSections(cmd) + strings.TrimPrefix(also, "\n")
	return os.WriteFile(filepath.Join(dir, strings.ReplaceAll(cmd.CommandPath(), " ", "-")+"."+header.Section), []byte(text), 0o644)
}

// manSections returns the sections of a page that follow the options.
func manSections(cmd *cobra.Command) string {
	var b strings.Builder
	section := func(name string, rows [][2]string) {
		if len(rows) == 0 {
			return
		}
		fmt.Fprintf(&b, ".SH %s\n", name)
		for _, r := range rows {
			fmt.Fprintf(&b, ".TP\n\\fB%s\\fP\n%s\n", roff(r[0]), roff(r[1]))
		}
	}
	section("EXIT STATUS", exitStatuses)
	var set [][2]string
	cmd.Flags().VisitAll(func(f *pflag.Flag) {
		if v := variableOf(f.Name); slices.Contains(variables(), v) {
			set = append(set, [2]string{v, "sets --" + f.Name + " where that is not given"})
		}
	})
	section("ENVIRONMENT", set)
	switch serves := !cmd.HasParent(); {
	case serves:
		section("FILES", slices.Concat(dataFiles, keyFiles))
		section("SIGNALS", [][2]string{{"SIGTERM, SIGINT, SIGHUP",
			"end the server in order, within ten seconds; a second signal ends it at once, which loses no move"}})
	case cmd.Flags().Lookup("data") != nil:
		section("FILES", dataFiles)
	}
	if cmd.Flags().Lookup("every") != nil {
		section("SIGNALS", [][2]string{{"SIGTERM, SIGINT, SIGHUP", "end it, without the copy that it is making"}})
	}
	return b.String()
}

// exitStatuses explains the exit statuses of the program.
var exitStatuses = [][2]string{
	{strconv.Itoa(exitOK), "success; of a server also that a signal has ended it"},
	{strconv.Itoa(exitFailed), "failure"},
	{strconv.Itoa(exitUsage), "a setting or the command line is wrong, and nothing was tried"},
}

// dataFiles and keyFiles are the files of a server, by their default names.
var (
	dataFiles = [][2]string{
		{"boneyard.db", "the data; --data names another file, and those below have its name"},
		{"boneyard.db-wal, boneyard.db-shm", "its log, and an index of that; after a kill the log has what the data does not have yet"},
		{"boneyard.db.mark", "how much was written, so that data or a log that is too old is noticed"},
		{"boneyard.db.lock", "the number of the process that has the data open"},
		{"boneyard.db.cluster", "a node's part of the log of its cluster"},
	}
	keyFiles = [][2]string{
		{"host_keys/ssh_host_*_key", "the host keys; --host-keys names another folder. Whoever can read one can impersonate the server"},
		{"host_keys/ssh_host_*_key.pub", "their public halves"},
		{"host_keys/ssh_host_*_key.next", "keys that are to follow: clients are told of them"},
	}
)

// roff escapes a line of text.
func roff(s string) string { return strings.NewReplacer(`\`, `\e`, "-", `\-`).Replace(s) }
