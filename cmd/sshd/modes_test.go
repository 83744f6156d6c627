package main

import (
	"bytes"
	"log/slog"
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"
)

func TestFilesThatOthersMayUse(t *testing.T) {
	m, log := mustRun(t, nil)
	require.NotContains(t, log.String(), "others than its owner", "what the server makes is its own")
	require.NoError(t, m.Close())
	s := m.Settings
	warned := func() string {
		var out bytes.Buffer
		warnOfModes(s, slog.New(slog.NewTextHandler(&out, nil)))
		return out.String()
	}
	for _, mode := range []os.FileMode{0o644, 0o640, 0o666} {
		require.NoError(t, os.Chmod(s.Data, mode))
		require.Regexp(t, `seeds of games.* file=\S*boneyard.db mode=0\d+ try="chmod 600"`, warned())
	}
	link := filepath.Join(t.TempDir(), "link.db")
	require.NoError(t, os.Symlink(s.Data, link))
	file := s.Data
	s.Data = link
	require.Contains(t, warned(), "link.db mode=0666", "what a link leads to counts")
	s.Data = file
	require.NoError(t, os.Chmod(s.Data, 0o600))
	require.Empty(t, warned())
	require.NoError(t, os.Chmod(s.HostKeys, 0o775))
	require.Regexp(t, `replace the host keys.* mode=0775 try="chmod 755"`, warned())

	// A host key that others may read is refused.
	keys, err := filepath.Glob(filepath.Join(s.HostKeys, "ssh_host_*_key"))
	require.NoError(t, err)
	require.Len(t, keys, 1)
	require.NoError(t, os.Chmod(keys[0], 0o644))
	second := NewMain(log)
	second.Settings = s
	require.ErrorContains(t, second.Run(), "has mode 0644")
}
