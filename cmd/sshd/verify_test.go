package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"boneyard/lobby/text"
)

// Nothing in a record acts on the terminal when it is shown, and nothing is hidden.
func TestVerifyShowsHostileRecordsSafely(t *testing.T) {
	t.Parallel()
	b := readFile(t, filepath.Join("..", "..", "rules", "record", "testdata", "valid", "rounds-07.dom"))
	require.Contains(t, string(b), "\nseed ")
	head, rest, ok := strings.Cut(string(b), "\nseed ")
	require.True(t, ok)
	file := filepath.Join(t.TempDir(), "x.dom")
	hostile := head + "\ntag commitment abc\u202edef\u200bghi\nseed " + rest
	require.NoError(t, os.WriteFile(file, []byte(hostile), 0o600))
	status, out, errs := sshd("verify", file)
	require.Equal(t, exitFailed, status)
	for _, l := range strings.Split(strings.TrimSuffix(out+errs, "\n"), "\n") {
		require.Equal(t, text.Printable(l), l)
	}
	require.Contains(t, errs, `abc\u202edef\u200bghi`, "what is hidden is spelled out")
}
