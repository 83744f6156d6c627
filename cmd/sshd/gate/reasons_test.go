package gate_test

import (
	"go/ast"
	"go/parser"
	"go/token"
	"os"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"boneyard/cmd/sshd/gate"
)

// Every reason is in one of the lists, so that metrics have it from the start.
func TestEveryReasonIsListed(t *testing.T) {
	file, err := parser.ParseFile(token.NewFileSet(), "hooks.go", nil, 0)
	require.NoError(t, err)
	listed := slices.Concat(gate.Refusals(), gate.Endings())
	found := 0
	ast.Inspect(file, func(n ast.Node) bool {
		spec, ok := n.(*ast.ValueSpec)
		if ok && len(spec.Values) == 1 {
			value, err := strconv.Unquote(spec.Values[0].(*ast.BasicLit).Value)
			require.NoError(t, err)
			require.Contains(t, listed, gate.Reason(value))
			found++
		}
		return true
	})
	require.Greater(t, found, 20)
}

// The operators' handbook names every reason.
func TestTheHandbookNamesEveryReason(t *testing.T) {
	b, err := os.ReadFile("../../../docs/operation.md")
	require.NoError(t, err)
	_, rest, ok := strings.Cut(string(b), "### Reasons of refusals\n")
	require.True(t, ok)
	rest, _, _ = strings.Cut(rest, "\n## ")
	refused, ended, ok := strings.Cut(rest, "`boneyard_sessions_closed_total`")
	require.True(t, ok)
	for text, all := range map[string][]gate.Reason{refused: gate.Refusals(), ended: gate.Endings()} {
		for _, r := range all {
			require.Contains(t, text, "`"+string(r)+"`")
		}
	}
}
