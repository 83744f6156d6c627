package ui

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"boneyard/lobby/text"
)

// In the golden files all pages begin in the first row below the title, and mark the chosen row in one
// column.
func TestPagesHaveOneMargin(t *testing.T) {
	files, err := filepath.Glob("*/testdata/*-80x24.txt")
	require.NoError(t, err)
	seen := 0
	for _, file := range files {
		switch dir, _, _ := strings.Cut(file, string(filepath.Separator)); dir {
		case "welcome", "wall", "club": // they are in the middle of the screen, or have panels
			continue
		}
		b, err := os.ReadFile(file)
		require.NoError(t, err)
		rows := strings.Split(string(b), "\n")[1:25]
		require.NotEmpty(t, strings.TrimSpace(rows[2]), "%s begins with a blank row", file)
		for _, row := range rows[2:] {
			if at := strings.Index(row, "▸"); at >= 0 && strings.TrimSpace(row[:at]) == "" {
				require.Equal(t, 1, at, "%s: %q", file, row)
				seen++
				break // settings have a gallery of tiles below, with a mark of its own
			}
		}
	}
	require.Greater(t, seen, 10)
}

// In the golden files the last column is blank below the title's rule, except in the lobby, which needs it.
func TestPagesHaveARightMargin(t *testing.T) {
	files, err := filepath.Glob("*/testdata/*x*.txt")
	require.NoError(t, err)
	seen := 0
	for _, file := range files {
		var w, h int
		dir, name := filepath.Split(file)
		if _, err := fmt.Sscanf(name[strings.LastIndexByte(name, '-')+1:], "%dx%d.txt", &w, &h); err != nil || strings.HasPrefix(dir, "club") {
			continue
		}
		b, err := os.ReadFile(file)
		require.NoError(t, err)
		for _, row := range strings.Split(string(b), "\n")[3 : h+1] {
			require.Less(t, text.Width(row), w, "%s: %q", file, row)
		}
		seen++
	}
	require.Greater(t, seen, 100)
}
