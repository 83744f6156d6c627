// Package replaytest reads the records that tests of packages above replay are made with.
package replaytest

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"boneyard/rules/replay"
)

// Files are the records in a folder, at least one.
func Files(t testing.TB, folder string) []string {
	t.Helper()
	files, err := filepath.Glob(filepath.Join(folder, "*.dom"))
	if err != nil || len(files) == 0 {
		t.Fatalf("no records in %s: %v", folder, err)
	}
	return files
}

// Text is what a file has.
func Text(t testing.TB, file string) string {
	t.Helper()
	b, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	return string(b)
}

// Read reads a record that is valid.
func Read(t testing.TB, file string) *replay.Record {
	t.Helper()
	rec, err := replay.Read(strings.NewReader(Text(t, file)))
	if err != nil {
		t.Fatalf("%s: %v", file, err)
	}
	return rec
}
