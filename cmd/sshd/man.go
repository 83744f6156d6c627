package main

import (
	"errors"
	"os"
	"time"

	"github.com/spf13/cobra"
	"github.com/spf13/cobra/doc"
)

// newManCommand returns the command that writes the manual pages.
func newManCommand() *cobra.Command {
	return &cobra.Command{
		Use:   "man DIR",
		Short: "Write the manual pages, one for each command",
		Long: `Man writes the manual pages boneyard.1, boneyard-check.1 and so on into a folder, such as
/usr/local/share/man/man1.`,
		Args: func(_ *cobra.Command, args []string) error {
			if len(args) != 1 {
				return usageError{errors.New("man needs the folder to write to")}
			}
			return nil
		},
		RunE: func(cmd *cobra.Command, args []string) error {
			if err := os.MkdirAll(args[0], 0o755); err != nil {
				return err
			}
			// With the defaults of the program, not those of whoever writes the pages.
			root := newRoot(NewMain(cmd.ErrOrStderr()))
			root.DisableAutoGenTag = true // two writings are the same
			v := readVersion()
			header := &doc.GenManHeader{Title: "BONEYARD", Section: "1", Source: programName + " " + v.short(), Manual: "Boneyard"}
			if at, err := time.Parse(time.RFC3339, v.Time); err == nil {
				header.Date = &at
			}
			return doc.GenManTree(root, header, args[0])
		},
	}
}
