// Package golden compares texts with files that somebody has reviewed: it knows files and the flag -update,
// and must not know what the texts are. It is for tests.
package golden

import (
	"flag"
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"
)

var update = flag.Bool("update", false, "rewrite the files in testdata")

// Check compares a text with the file of that name in the test's testdata, or writes the file with -update.
func Check(tb testing.TB, name, text string) {
	tb.Helper()
	File(tb, filepath.Join("testdata", name), text)
}

// File compares a text with any file, or writes the file with -update.
func File(tb testing.TB, path, text string) {
	tb.Helper()
	if *update {
		require.NoError(tb, os.MkdirAll(filepath.Dir(path), 0o755))
		require.NoError(tb, os.WriteFile(path, []byte(text), 0o644))
		return
	}
	want, err := os.ReadFile(path)
	require.NoError(tb, err, "-update writes it; look at it before you commit it")
	require.Equal(tb, string(want), text, "%s; -update rewrites it", path)
}
