package storetest

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"sync"
	"testing"

	"github.com/stretchr/testify/require"

	"boneyard/store"
	"boneyard/store/ramdir"
)

// EmptyClub puts the files of an empty club into a folder of the test and returns the path of the data file.
func EmptyClub(tb testing.TB) (path string) {
	tb.Helper()
	files, err := empty() // before TempDir, since it chooses where temporary folders are
	require.NoError(tb, err)
	dir := tb.TempDir()
	for name, content := range files {
		require.NoError(tb, os.WriteFile(filepath.Join(dir, name), content, 0o600))
	}
	return filepath.Join(dir, clubData)
}

const clubData = "club.db"

// empty returns the files of an empty club, by name. They are made once per process, since creating the
// tables takes longer than most tests.
var empty = sync.OnceValues(func() (files map[string][]byte, err error) {
	if err := ramdir.Use(); err != nil {
		return nil, err
	}
	dir, err := os.MkdirTemp("", "storetest")
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, os.RemoveAll(dir)) }()
	s, err := store.Open(context.Background(), filepath.Join(dir, clubData), store.DefaultOptions())
	if err != nil {
		return nil, err
	}
	if err := s.Close(); err != nil {
		return nil, err
	}
	entries, err := os.ReadDir(dir)
	files = make(map[string][]byte)
	for _, e := range entries {
		content, unread := os.ReadFile(filepath.Join(dir, e.Name()))
		files[e.Name()], err = content, errors.Join(err, unread)
	}
	return files, err
})
