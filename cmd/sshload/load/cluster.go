package load

import (
	"errors"
	"fmt"
	"io"
	"time"

	"github.com/spf13/cobra"

	"boneyard/cmd/sshload/figures"
)

// Comparison is the same load on a club on one machine and on three nodes.
type Comparison struct {
	One   *Report `json:"one"`
	Three *Report `json:"three"`
}

// Print writes the comparison for people.
func (c *Comparison) Print(w io.Writer) error {
	for _, r := range []*Report{c.One, c.Three} {
		if err := r.Print(w); err != nil {
			return err
		}
	}
	b := figures.Sheet{Names: 38}
	b.WriteString("three nodes against one\n")
	ratio := func(name string, of func(*Play) *figures.Latency) {
		if one, three := of(c.One.Play), of(c.Three.Play); one != nil && three != nil && one.P99 > 0 {
			b.Row(name, "%10.2f ms p99 against %.2f: %.1f times", three.P99, one.P99, three.P99/one.P99)
		}
	}
	ratio("key to player", func(p *Play) *figures.Latency { return p.Ack })
	ratio("key to watchers", func(p *Play) *figures.Latency { return p.Delay })
	sum := 0.0
	for _, n := range c.Three.Play.Nodes {
		sum += n.Share
	}
	b.Row("processor", "%10.2f on all nodes together against %.2f", sum, c.One.Play.Share)
	_, err := io.WriteString(w, b.String())
	return err
}

// NewClusterCommand returns the command that puts one load on a club on one machine, then on three nodes.
func NewClusterCommand() *cobra.Command {
	l := Load{
		Name: "cluster", Tables: 500, Seats: 4, People: 4, Lines: true, Pace: time.Second, Watchers: 3000, Width: 80, Height: 24,
		Play: 15 * time.Second, Rounds: 1,
	}
	o := options{log: io.Discard}
	cmd := &cobra.Command{
		Use:   "cluster",
		Short: "Put the same load on a club on one machine and on three nodes",
		Long: `Cluster starts a club of its own on one machine, lets programs play there and guests watch, and
measures it. Then it does the same with a club on three nodes, all on this machine, where everybody
connects to one of them in turn.`,
		Args:          cobra.NoArgs,
		SilenceUsage:  true,
		SilenceErrors: true,
	}
	f := cmd.Flags()
	f.SortFlags = false
	f.IntVar(&l.Tables, "tables", l.Tables, "tables of four programs, which move once a second")
	f.IntVar(&l.Watchers, "watchers", l.Watchers, "watchers in all")
	f.DurationVar(&l.Play, "play", l.Play, "how long it is measured")
	f.StringVar(&o.server, "server", "", "the club's `program` (default: the sshd beside this program)")
	f.BoolVar(&o.json, "json", false, "write the report as JSON")
	cmd.RunE = func(cmd *cobra.Command, _ []string) (err error) {
		o.progress = cmd.ErrOrStderr()
		if l.Tables < 1 {
			return errors.New("at least one table is needed")
		}
		c := &Comparison{}
		if c.One, err = run(cmd.Context(), l, o); err != nil {
			return fmt.Errorf("on one machine: %w", err)
		}
		l.Nodes = true
		if c.Three, err = run(cmd.Context(), l, o); err != nil {
			return fmt.Errorf("on three nodes: %w", err)
		}
		return figures.Write(cmd.OutOrStdout(), c, o.json)
	}
	return cmd
}
