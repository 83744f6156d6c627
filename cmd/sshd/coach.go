package main

import (
	"fmt"
	"strconv"
	"strings"

	"github.com/spf13/cobra"

	"boneyard/rules"
	"boneyard/rules/coach"
	"boneyard/rules/replay"
	"boneyard/ui/plain"
)

// newCoachCommand returns the command that reviews a player's decisions in a record; it needs no server.
func newCoachCommand() *cobra.Command {
	var player string
	cmd := &cobra.Command{
		Use:   "coach FILE",
		Short: "Review each player's decisions in a game record",
		Long: `Coach values each decision of a player by what the player could know when it was made: it guesses the
hidden tiles many times, and plays the round out for each choice. It reports the points given away, the
costliest mistakes with their reasons, and what the deal and the draws were worth. A file named - is
standard input: ssh HOST export 412 | boneyard coach -`,
		Args: takes(1, 1, "coach needs the name of one file, or - for standard input"),
		RunE: func(cmd *cobra.Command, args []string) error { return coachFile(cmd, args[0], player) },
	}
	cmd.Flags().StringVar(&player, "player", "", "whose decisions: a name, or the number of a seat (default: of every player)")
	return cmd
}

func coachFile(cmd *cobra.Command, name, player string) error {
	src, err := openRecord(name, cmd.InOrStdin())
	if err != nil {
		return atRecord(name, err)
	}
	defer src.Close()
	rec, err := replay.Read(src)
	if err == nil && len(rec.Rounds) == 0 {
		err = errNotBegun
	}
	if err != nil {
		return atRecord(name, err)
	}
	seats, err := seatsOf(rec.Names, player)
	if err != nil {
		return usageError{err}
	}
	out := cmd.OutOrStdout()
	for i, seat := range seats {
		report, err := coach.Review(cmd.Context(), rec, seat)
		if err != nil {
			return fmt.Errorf("%s: %w", name, err)
		}
		if i > 0 {
			fmt.Fprintln(out)
		}
		fmt.Fprintln(out, strings.Join(plain.Coach(report, rec.Names), "\n"))
	}
	return nil
}

// seatsOf returns the seats of the player with a name or a seat's number; all seats for "".
func seatsOf(names []string, player string) ([]rules.Seat, error) {
	var seats []rules.Seat
	for i, name := range names {
		if seat := rules.Seat(i + 1); player == "" || player == name || player == strconv.Itoa(i+1) {
			seats = append(seats, seat)
		}
	}
	if len(seats) == 0 {
		return nil, fmt.Errorf("no player is called %q; the players are %s", player, strings.Join(names, ", "))
	}
	return seats, nil
}
