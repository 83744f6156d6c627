package ramdir_test

import (
	"os"
	"testing"

	"github.com/stretchr/testify/require"

	"boneyard/store/ramdir"
)

func TestUse(t *testing.T) {
	t.Setenv("TMPDIR", "/somewhere")
	require.NoError(t, ramdir.Use())
	require.Equal(t, "/somewhere", os.TempDir(), "a choice stays")
	t.Setenv("TMPDIR", "")
	require.NoError(t, ramdir.Use())
	f, err := os.CreateTemp("", "ramdir")
	require.NoError(t, err, "files can be made there")
	require.NoError(t, f.Close())
	require.NoError(t, os.Remove(f.Name()))
}
