package text_test

import (
	"go/ast"
	"go/parser"
	"go/token"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"boneyard/lobby/text"
)

// beginning is a capitalized word with which a sentence begins.
var beginning = regexp.MustCompile(`^([A-Z][a-z]+|[A-Z]{3,5})(?:'[a-z]+)?[ :,.!?]`)

// heads are the heads of a list's columns, which nobody takes for a sentence.
var heads = regexp.MustCompile(`^[A-Z]+( [A-Z:0-9]+)+$`)

// Nobody may have a name with which a message of the club, a table or line mode begins.
func TestSystemWordsAreReserved(t *testing.T) {
	// Names of people, of days and of games, and what only examples begin with.
	people := map[string]bool{}
	for _, w := range strings.Fields("Sun Mon Fri January Alpha Corner Classic Fives Multiples Arena Winter Night Owls Season Programs Boneyard RULES NAME TAG WHAT WHEN OWL Sit Say To Of") {
		people[w] = true
	}
	missing := map[string]bool{}
	for _, folder := range []string{"..", "../event/*", "../../table", "../../ui/line", "../../ui/plain", "../../ui/english"} {
		files, err := filepath.Glob(filepath.Join(folder, "*.go"))
		require.NoError(t, err)
		require.NotEmpty(t, files, folder)
		for _, name := range files {
			if strings.HasSuffix(name, "_test.go") {
				continue
			}
			file, err := parser.ParseFile(token.NewFileSet(), name, nil, 0)
			require.NoError(t, err)
			ast.Inspect(file, func(n ast.Node) bool {
				if lit, ok := n.(*ast.BasicLit); ok && lit.Kind == token.STRING {
					said, err := strconv.Unquote(lit.Value)
					require.NoError(t, err)
					if m := beginning.FindStringSubmatch(said); m != nil && !heads.MatchString(said) && !people[m[1]] && !text.Reserved(text.Name, m[1]) {
						missing[strings.ToLower(m[1])] = true
					}
				}
				return true
			})
		}
	}
	require.Empty(t, missing)
}
