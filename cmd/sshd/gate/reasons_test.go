package gate_test

import (
	"go/ast"
	"go/parser"
	"go/token"
	"slices"
	"strconv"
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
