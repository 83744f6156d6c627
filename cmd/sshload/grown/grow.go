package grown

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"time"

	"github.com/spf13/cobra"

	"boneyard/store"
	"boneyard/store/grow"
)

// planFlags declares the flags of a plan.
func planFlags(cmd *cobra.Command, p *grow.Plan) {
	f := cmd.Flags()
	f.SortFlags = false
	f.IntVar(&p.Games, "games", p.Games, "games, each played to its end")
	f.IntVar(&p.Members, "members", p.Members, "members")
	f.IntVar(&p.Teams, "teams", p.Teams, "teams of two")
	f.IntVar(&p.Chat, "chat", p.Chat, "lines of chat, and pieces of news")
	f.Uint64Var(&p.Seed, "seed", p.Seed, "seed of all that is played")
}

// NewGrowCommand returns the command that makes the data file of a club that has been played in for years.
func NewGrowCommand() *cobra.Command {
	p := grow.DefaultPlan()
	cmd := &cobra.Command{
		Use:   "grow FILE",
		Short: "Make the data file of a club that has been played in for years",
		Long: `Grow plays the games of years into a new data file, from a seed and with random moves, so that
whatever a club does can be measured on it: start the server on the file, with --data.`,
		Args:          cobra.ExactArgs(1),
		SilenceUsage:  true,
		SilenceErrors: true,
		RunE: func(cmd *cobra.Command, args []string) error {
			_, err := growFile(cmd.Context(), args[0], p, cmd.ErrOrStderr())
			return err
		},
	}
	planFlags(cmd, &p)
	return cmd
}

// growFile fills a new file, and reports how far it is.
func growFile(ctx context.Context, path string, p grow.Plan, progress io.Writer) (club *grow.Club, err error) {
	if _, err := os.Stat(path); err == nil {
		return nil, fmt.Errorf("%s is there already", path)
	}
	s, err := store.Open(ctx, path, store.DefaultOptions())
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, s.Close()) }()
	began, told := time.Now(), time.Now()
	return grow.Fill(ctx, s, p, func(done, of int) {
		if now := time.Now(); done == of || now.Sub(told) > 10*time.Second {
			told = now
			fmt.Fprintf(progress, "grow: %d of %d steps after %v\n", done, of, now.Sub(began).Round(time.Second))
		}
	})
}
