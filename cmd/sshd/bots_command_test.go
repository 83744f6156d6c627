package main

import (
	"bufio"
	"bytes"
	"encoding/json"
	"fmt"
	"os"
	"testing"

	"github.com/stretchr/testify/require"
)

// botsCommand runs sshd bots and returns its exit status and what it wrote.
func botsCommand(args ...string) (status int, out, errors string) {
	var stdout, stderr bytes.Buffer
	status = run(append([]string{"bots"}, args...), nil, &stdout, &stderr)
	return status, stdout.String(), stderr.String()
}

// The same seed plays the same games; an expert beats a novice in nearly all of them.
func TestBotsPlayATournament(t *testing.T) {
	status, out, errors := botsCommand("expert", "novice", "--game", "spruce target=100", "--deals", "10")
	require.Zero(t, status, errors)
	require.Contains(t, out, "expert against novice: spruce target=100, 2 seats\n10 deals in 2 seatings each, 20 games")
	require.Regexp(t, `expert wins     (8|9|10)[0-9]+?\.[0-9] ± [0-9.]+ % of the games \(99 %\)`, out)
	require.Regexp(t, `expert scores   \+[0-9.]+ ± [0-9.]+ points a round more`, out)
	_, out, _ = botsCommand("master:5", "novice", "--deals", "2")
	require.Contains(t, out, "master:5 wins")
	_, row, _ := botsCommand("regular", "casual", "--game", "block", "--deals", "3", "--row")
	require.Regexp(t, `^\| block \| 4 \| regular \| casual \| 6 \| [0-9.]+ ± [0-9.]+ % \| [+-][0-9.]+ ± [0-9.]+ \| [0-9.]+ \| [0-9.]+ \|\n$`,
		row)
}

func TestBotsCommandLine(t *testing.T) {
	for _, args := range [][]string{
		{}, {"expert"}, {"expert", "champion"}, {"expert", "master:0"}, {"expert", "master:many"}, {"expert", "exec:"},
		{"expert", "novice", "--game", "chess"}, {"expert", "novice", "--game", "block", "--seats", "2"}, {"expert", "novice", "--deals", "1"},
	} {
		status, _, errors := botsCommand(args...)
		require.Equal(t, exitUsage, status, "%v: %s", args, errors)
	}
	status, _, _ := botsCommand("exec:/no/such/program", "novice")
	require.Equal(t, exitFailed, status)
}

// A program plays by the lines of play --json.
func TestAProgramPlaysATournament(t *testing.T) {
	status, out, errors := botsCommand("regular", "exec:tournament", "--game", "classic target=50", "--deals", "4")
	require.Zero(t, status, errors)
	require.Contains(t, out, "8 games")

	status, _, errors = botsCommand("regular", "exec:tournament cheat", "--deals", "2")
	require.Equal(t, exitFailed, status)
	require.Contains(t, errors, "which the rules forbid")
}

// tournamentMain is a program that plays a tournament, and cheats if it is told to.
func tournamentMain() {
	cheats := len(os.Args) > 1
	moves := 0
	in := bufio.NewScanner(os.Stdin)
	in.Buffer(nil, 1<<20)
	for in.Scan() {
		var o struct {
			Type    string
			Version uint64
			Duty    string
			Layout  []any
			Tile    string
			Did     string
			Number  int
			Options []struct{ Play, Arm string }
		}
		if err := json.Unmarshal(in.Bytes(), &o); err != nil {
			fmt.Println("not JSON:", err)
			break
		}
		switch {
		case o.Type == "move":
			moves++
			continue
		case o.Duty != "play" || len(o.Layout) > moves:
			fmt.Println("asked out of turn, or not told of a move")
		case cheats:
			fmt.Println(`{"play":"6-6","arm":"27U"}`)
		default:
			fmt.Printf("{\"say\":\"hm\"}\n{\"play\":%q,\"arm\":%q,\"version\":%d}\n", o.Options[0].Play, o.Options[0].Arm, o.Version)
		}
	}
}
