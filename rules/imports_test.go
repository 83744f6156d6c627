package rules_test

import (
	"go/parser"
	"go/token"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// The rules use only the standard library, without clock, I/O or randomness; records and bots use the rules.
func TestImports(t *testing.T) {
	for dir, c := range map[string]struct {
		own       []string // packages of this module
		forbidden []string // of the standard library
	}{
		".":      {nil, []string{"os", "io", "net", "time", "log", "log/slog", "math/rand", "math/rand/v2", "crypto/rand", "sync"}},
		"record": {[]string{"boneyard/rules"}, []string{"os", "net", "time", "log", "log/slog", "math/rand", "math/rand/v2"}},
		"search": {[]string{"boneyard/rules"}, []string{"os", "io", "net", "time", "log", "log/slog", "crypto/rand"}},
		"bot":    {[]string{"boneyard/rules", "boneyard/rules/search"}, []string{"os", "io", "net", "time", "log", "log/slog", "crypto/rand"}},
		"replay": {[]string{"boneyard/rules", "boneyard/rules/record"},
			[]string{"os", "net", "time", "log", "log/slog", "math/rand", "math/rand/v2", "crypto/rand"}},
		"coach": {[]string{"boneyard/rules", "boneyard/rules/bot", "boneyard/rules/record", "boneyard/rules/replay"},
			[]string{"os", "net", "time", "log", "log/slog", "crypto/rand"}},
	} {
		files, err := filepath.Glob(filepath.Join(dir, "*.go"))
		require.NoError(t, err)
		sources := 0
		for _, name := range files {
			if strings.HasSuffix(name, "_test.go") {
				continue
			}
			sources++
			f, err := parser.ParseFile(token.NewFileSet(), name, nil, parser.ImportsOnly)
			require.NoError(t, err)
			for _, spec := range f.Imports {
				path, err := strconv.Unquote(spec.Path.Value)
				require.NoError(t, err)
				first, _, _ := strings.Cut(path, "/")
				standard := !strings.Contains(first, ".") && first != "boneyard"
				if !standard && !slices.Contains(c.own, path) || slices.Contains(c.forbidden, path) {
					t.Errorf("%s imports %s", name, path)
				}
			}
		}
		if sources == 0 {
			t.Errorf("no sources in %s", dir)
		}
	}
}
