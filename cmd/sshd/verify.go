package main

import (
	"errors"
	"fmt"
	"io"
	"math"
	"os"
	"strconv"

	"github.com/spf13/cobra"

	"boneyard/lobby/text"
	"boneyard/rules"
	"boneyard/rules/record"
)

// newVerifyCommand returns the command that checks game records; it needs no server.
func newVerifyCommand() *cobra.Command {
	return &cobra.Command{
		Use:   "verify FILE…",
		Short: "Check game records by the rules of their games",
		Long: `Verify replays game records by the rules of their games. A file named - is standard input.
For each invalid record it names the first line that is wrong, what was found there and what
was expected. The exit status is 0 if all records are valid, finished or not, and 1 if one is not.`,
		Args: takes(1, math.MaxInt, "verify needs the name of a file, or - for standard input"),
		RunE: func(cmd *cobra.Command, args []string) error {
			faulty := 0
			for _, name := range args {
				verdict, err := verifyFile(name, cmd.InOrStdin())
				if err != nil {
					fmt.Fprintln(cmd.ErrOrStderr(), text.Printable(atRecord(name, err).Error()))
					faulty++
					continue
				}
				fmt.Fprintln(cmd.OutOrStdout(), text.Printable(name+": "+verdict))
			}
			if faulty > 0 {
				return fmt.Errorf("%d of %d records failed", faulty, len(args))
			}
			return nil
		},
	}
}

// verifyFile checks one record and describes how far its game went.
func verifyFile(name string, stdin io.Reader) (string, error) {
	in, err := openRecord(name, stdin)
	if err != nil {
		return "", err
	}
	defer in.Close()
	var names []string
	var game rules.Game
	var commitment commitment
	for step, err := range record.Replay(in) {
		if err != nil {
			return "", err
		}
		switch line := step.Line.(type) {
		case record.Seat:
			names = append(names, line.Name)
		case record.Seed:
			commitment.seed = &line.Seed
		case record.Tag:
			if line.Key == record.TagCommitment {
				commitment.line, commitment.shown = step.Number, line.Text
			}
		}
		game = step.Game
	}
	kept, err := commitment.check()
	if err != nil {
		return "", err
	}
	switch {
	case game.Round() == 0:
		return "valid; not begun", nil
	case game.Phase() != rules.Over:
		return fmt.Sprintf("valid; unfinished in round %d%s", game.Round(), kept), nil
	}
	if game.Winner() == 0 {
		return fmt.Sprintf("valid; shared after round %d%s", game.Round(), kept), nil
	}
	winner := names[game.Winner()-1]
	if game.Rules().Teams {
		winner += " and " + names[game.Winner()+1]
	}
	return fmt.Sprintf("valid; won by %s in round %d%s", winner, game.Round(), kept), nil
}

// commitment holds the commitment shown before a game and the seed shown after it.
type commitment struct {
	seed  *rules.Seed
	shown string // empty if the record has none
	line  int    // its line in the record
}

// check verifies that the seed is the one committed to, if the record has both.
func (p *commitment) check() (string, error) {
	switch {
	case p.seed == nil || p.shown == "":
		return "", nil
	case p.shown != p.seed.Commitment():
		return "", &record.Error{Line: p.line, Found: "the commitment " + quoted(p.shown),
			Expected: p.seed.Commitment() + ", the SHA-256 of the seed"}
	}
	return "; the seed is the one committed to", nil
}

// quoted returns a text of a record in a form that may be shown: unchanged if that is safe, else shortened
// and with everything but ASCII escaped.
func quoted(s string) string {
	const most = 80
	if len(s) > most {
		s = s[:most]
	}
	if q := strconv.QuoteToASCII(s); q != `"`+s+`"` {
		return q
	}
	return s
}

// openRecord opens the file of a record; - is standard input.
func openRecord(name string, stdin io.Reader) (io.ReadCloser, error) {
	if name == "-" {
		return io.NopCloser(stdin), nil
	}
	return os.Open(name)
}

var errNotBegun = errors.New("the game has not begun")

// atRecord adds the file's name, and the line if known, to an error of a record; nil stays nil.
func atRecord(name string, err error) error {
	var fault *record.Error
	var path *os.PathError
	switch {
	case errors.As(err, &fault):
		return fmt.Errorf("%s:%d: %s", name, fault.Line, fault.Reason())
	case errors.As(err, &path):
		err = path.Err
	}
	if err != nil {
		err = fmt.Errorf("%s: %w", name, err)
	}
	return err
}
