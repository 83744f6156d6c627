package record_test

import (
	"bytes"
	"errors"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"boneyard/rules/record"
	"boneyard/rules/record/recordtest"
)

// vectorDirs contain records to check against: a few of each kind in this package, and the project's whole
// collection beside the repository. CI must have the collection; elsewhere it may be missing.
func vectorDirs(t *testing.T) []string {
	t.Helper()
	dirs := []string{"testdata"}
	for _, collection := range []string{"vectors", "vectors-rounds"} {
		shared := filepath.Join("..", "..", "..", "shared", collection)
		switch _, err := os.Stat(shared); {
		case err == nil:
			dirs = append(dirs, shared)
		case os.Getenv("CI") != "":
			t.Fatalf("%s is missing, and CI is to check all vectors", shared)
		default:
			t.Logf("%s is missing: of its vectors only those in testdata are checked", shared)
		}
	}
	return dirs
}

// files returns the files that match in all vector directories; there must be some in each.
func files(t *testing.T, pattern string) []string {
	t.Helper()
	var all []string
	for _, dir := range vectorDirs(t) {
		found, err := filepath.Glob(filepath.Join(dir, pattern))
		require.NoError(t, err)
		if len(found) == 0 {
			t.Fatalf("no vectors match %s", filepath.Join(dir, pattern))
		}
		all = append(all, found...)
	}
	return all
}

func TestValidVectors(t *testing.T) {
	for _, name := range append(files(t, "valid/*.dom"), worked(t)...) {
		t.Run(name, func(t *testing.T) {
			text, err := os.ReadFile(name)
			require.NoError(t, err)
			if err := record.Check(bytes.NewReader(text)); err != nil {
				t.Fatal(err)
			}
			once, err := recordtest.Canonical(bytes.NewReader(text))
			require.NoError(t, err)
			twice, err := recordtest.Canonical(strings.NewReader(once))
			if err != nil {
				t.Fatalf("the canonical form is refused: %v", err)
			}
			if once != twice {
				t.Error("writing a canonical record changes it")
			}
			loose := strings.HasPrefix(filepath.Base(name), "loose-") || strings.HasPrefix(filepath.Base(name), "worked-")
			if same := once == string(text); same == loose {
				t.Errorf("written form equals the file: %v, want %v", same, !loose)
			}
		})
	}
}

// worked returns the record of the worked examples: the copy in testdata, and the original where it is at hand.
func worked(t *testing.T) []string {
	var all []string
	for _, dir := range vectorDirs(t) {
		name := filepath.Join(dir, "worked-003.dom")
		if _, err := os.Stat(name); err == nil {
			all = append(all, name)
		}
	}
	if len(all) == 0 {
		t.Fatal("no worked examples")
	}
	return all
}

func TestInvalidVectors(t *testing.T) {
	for _, name := range files(t, "invalid/*.dom") {
		t.Run(name, func(t *testing.T) {
			first, last := wantLines(t, strings.TrimSuffix(name, ".dom")+".line")
			f, err := os.Open(name)
			require.NoError(t, err)
			defer f.Close()
			err = record.Check(f)
			var fault *record.Error
			if !errors.As(err, &fault) {
				t.Fatalf("got %v, want a fault", err)
			}
			if fault.Line < first || fault.Line > last {
				t.Errorf("stopped with %q, want line %d to %d", fault, first, last)
			}
			if fault.Found == "" || fault.Expected == "" {
				t.Errorf("%+v does not say what was found and what was expected", fault)
			}
		})
	}
}

// wantLines reads "12" or "8-11".
func wantLines(t *testing.T, name string) (first, last int) {
	t.Helper()
	text, err := os.ReadFile(name)
	require.NoError(t, err)
	from, to, ranged := strings.Cut(strings.TrimSpace(string(text)), "-")
	if !ranged {
		to = from
	}
	first, err = strconv.Atoi(from)
	if err == nil {
		last, err = strconv.Atoi(to)
	}
	require.NoError(t, err)
	return first, last
}
