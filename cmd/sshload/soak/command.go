package soak

import (
	"errors"
	"fmt"
	"strings"

	"github.com/spf13/cobra"

	"boneyard/cmd/sshload/attack"
	"boneyard/cmd/sshload/figures"
)

// NewCommand returns the command that attacks a club of its own.
func NewCommand() *cobra.Command {
	s := Plan{Minutes: 10, Hostile: 300, Tables: 50}
	program, asJSON := "", false
	list := make([]string, 0, len(attack.Kinds()))
	for _, a := range attack.Kinds() {
		list = append(list, fmt.Sprintf("  %-10s %s", a.Name, a.About))
	}
	cmd := &cobra.Command{
		Use:   "soak",
		Short: "Attack a club of its own while others play there",
		Long: `Soak starts a club with its usual limits on a loopback address, lets programs, people, watchers and
visitors connect, and attacks it. Afterwards it checks whether anything has leaked, whether
every table is there as it was last acknowledged, and whether the data is valid. The exit status is
1 if a goal was missed. The attacks are:

` + strings.Join(list, "\n"),
		Args:          cobra.NoArgs,
		SilenceUsage:  true,
		SilenceErrors: true,
	}
	f := cmd.Flags()
	f.SortFlags = false
	f.Float64Var(&s.Minutes, "minutes", s.Minutes, "how long the attack lasts")
	f.IntVar(&s.Hostile, "hostile", s.Hostile, "hostile clients")
	f.IntVar(&s.Tables, "tables", s.Tables, "tables of two programs; people, watchers and visitors are in proportion")
	f.StringVar(&program, "server", "", "the club's `program` (default: the sshd beside this program)")
	f.StringSliceVar(&s.Only, "only", nil, "names of the `attacks` to run (default all)")
	f.StringVar(&s.Grown, "grown", "", "a data `file` to begin with, as grow makes it; it is copied")
	f.BoolVar(&asJSON, "json", false, "write the report as JSON")
	cmd.RunE = func(cmd *cobra.Command, _ []string) error {
		report, err := run(cmd.Context(), s, program, cmd.ErrOrStderr())
		if err != nil {
			return err
		}
		return errors.Join(figures.Write(cmd.OutOrStdout(), report, asJSON), report.missed())
	}
	return cmd
}
