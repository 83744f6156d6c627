package main

import (
	"cmp"
	"fmt"
	"io"
	"strings"
	"text/tabwriter"

	"github.com/spf13/cobra"

	"boneyard/rules"
	"boneyard/ui/english"
)

// newRulesCommand returns the command that explains the rules; it needs no server.
func newRulesCommand() *cobra.Command {
	var seats int
	cmd := &cobra.Command{
		Use:   "rules [GAME [KEY=VALUE…]]",
		Short: "Describe the games and their house rules",
		Long: `Rules shows the five games with all their house rules as a table. With the name of a game, and
perhaps house rules, as in boneyard rules 'classic count=flank', it explains how that game is played.`,
		RunE: func(cmd *cobra.Command, args []string) error {
			if cmd.Flags().Changed("seats") && (seats < 2 || seats > rules.MaxSeats) {
				return usageError{fmt.Errorf("a table has 2 to %d seats", rules.MaxSeats)}
			}
			if len(args) == 0 {
				return writeGames(cmd.OutOrStdout())
			}
			r, err := rules.Parse(strings.Join(args, " "))
			if err == nil && seats != 0 {
				err = r.CheckSeats(seats)
			} else if err == nil {
				err = r.CheckSome(2)
			}
			if err != nil {
				return usageError{err}
			}
			lines := append([]string{r.String(), english.Title(r.Preset) + ".", ""}, english.Describe(r, seats)...)
			_, err = fmt.Fprintln(cmd.OutOrStdout(), strings.Join(lines, "\n"))
			return err
		},
	}
	cmd.Flags().IntVar(&seats, "seats", 0, "explain the rules for a table of this many seats")
	return cmd
}

// writeGames writes the games and the value of every key in each of them.
func writeGames(w io.Writer) error {
	out := tabwriter.NewWriter(w, 0, 0, 2, ' ', 0)
	for _, p := range rules.Presets() {
		fmt.Fprintf(out, "%v\t%s\n\t%s\n", p, english.Title(p), english.Difference(p))
	}
	fmt.Fprintln(out)
	if err := out.Flush(); err != nil {
		return err
	}
	fmt.Fprint(out, "key")
	for _, p := range rules.Presets() {
		fmt.Fprintf(out, "\t%v", p)
	}
	fmt.Fprintln(out, "\tvalues\tmeaning")
	for _, k := range rules.Keys() {
		fmt.Fprint(out, k.Name)
		for _, p := range rules.Presets() {
			fmt.Fprint(out, "\t", cmp.Or(p.Rules().Value(k.Name), "-"))
		}
		fmt.Fprintf(out, "\t%s\t%s\n", k.Values, k.Help)
	}
	fmt.Fprintln(out, "\nThree numbers with / between are for tables of 2, 3 and 4 seats.")
	return out.Flush()
}
