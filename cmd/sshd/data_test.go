package main

import (
	"context"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"boneyard/store"
	"boneyard/table"
)

// newData makes a data file with one game in it, and returns its name.
func newData(t *testing.T) string {
	t.Helper()
	ctx := context.Background()
	path := filepath.Join(t.TempDir(), "club.db")
	s, err := store.Open(ctx, path, store.DefaultOptions())
	require.NoError(t, err)
	defer func() { require.NoError(t, s.Close()) }()
	seed := strings.Repeat("0", 64)
	at, err := s.NextTable(ctx)
	require.NoError(t, err)
	id, err := s.NextGame(ctx)
	require.NoError(t, err)
	b := &table.Batch{
		Table: at, Game: id, Final: true,
		Start: &table.Start{
			Rules: "classic", Seats: []table.Player{{Name: "novice"}, {Name: "regular"}}, Why: "bots play",
			Commit: "60e05bd1b195af2f94112fa7197a5c88289058840ce7c6df9693756bc6250f55", Seed: seed,
		},
		End: &table.Result{Ending: table.EndAbandoned, Scores: []int{0, 0}},
	}
	for _, line := range []string{"domino 1", "rules classic", "seat 1 novice", "seat 2 regular", "# abandoned"} {
		b.Rows = append(b.Rows, table.Row{Line: line, At: time.Date(2026, 11, 21, 20, 15, 0, 0, time.UTC)})
	}
	_, err = table.Commit(s, b)
	require.NoError(t, err)
	return path
}

// sshd runs a command line.
func sshd(args ...string) (status int, stdout, stderr string) {
	var out, errs strings.Builder
	status = run(args, nil, &out, &errs)
	return status, out.String(), errs.String()
}

func TestDataCommands(t *testing.T) {
	data := newData(t)
	to := filepath.Join(t.TempDir(), "copy.db")

	status, out, errs := sshd("check", "--data", data)
	require.Equal(t, exitOK, status, errs)
	require.Equal(t, data+": no problems found: 1 game with 5 lines, 0 games in the standings\n", out)

	status, out, errs = sshd("backup", "--data", data, to)
	require.Equal(t, exitOK, status, errs)
	require.Equal(t, data+": copied to "+to+"\n", out)
	status, _, errs = sshd("backup", "--data", data, to)
	require.Equal(t, exitFailed, status)
	require.Contains(t, errs, "file already exists")

	status, out, errs = sshd("rebuild", "--data", to)
	require.Equal(t, exitOK, status, errs)
	require.Equal(t, to+": 0 games in the standings; of 0 rows, 0 changed\n", out)
}

func TestDataCommandsBesideAServer(t *testing.T) {
	data := newData(t)
	s, err := store.Open(context.Background(), data, store.DefaultOptions())
	require.NoError(t, err)
	defer func() { require.NoError(t, s.Close()) }()

	status, _, errs := sshd("check", "--data", data)
	require.Equal(t, exitOK, status, errs)
	status, _, errs = sshd("backup", "--data", data, filepath.Join(t.TempDir(), "copy.db"))
	require.Equal(t, exitOK, status, errs)
	status, _, errs = sshd("rebuild", "--data", data)
	require.Equal(t, exitFailed, status)
	require.Contains(t, errs, "another server uses this data file")
}

func TestDataCommandsRefuse(t *testing.T) {
	data := newData(t)
	none := filepath.Join(t.TempDir(), "none.db")
	for _, command := range []string{"check", "rebuild"} {
		status, _, errs := sshd(command, "--data", none)
		require.Equal(t, exitFailed, status, command)
		require.Contains(t, errs, "no such file", command)
		require.NoFileExists(t, none)
	}
	status, _, _ := sshd("backup", "--data", data)
	require.Equal(t, exitUsage, status, "no name for the copy")

	text := readFile(t, data)
	at := strings.Index(string(text), "# abandoned")
	require.Positive(t, at)
	copy(text[at:], "domino 2   ")
	require.NoError(t, os.WriteFile(data, text, 0o600))
	status, out, errs := sshd("check", "--data", data)
	require.Equal(t, exitFailed, status)
	require.Empty(t, out)
	require.Contains(t, errs, "game 1: line 5: ")
	require.Contains(t, errs, data+": 1 problem found\n")
}
