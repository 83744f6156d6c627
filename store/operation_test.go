package store_test

import (
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"boneyard/lobby"
	"boneyard/store"
	"boneyard/store/storetest"
)

// TestOperationsMakeTheSameFile does everything that a store can do, and then repeats the operations, by their fields alone, on a second
// file.
func TestOperationsMakeTheSameFile(t *testing.T) {
	first, second := newPath(t), newPath(t)
	s := mustOpen(t, first, options(t))
	var done []store.Operation
	s.Operations(&done)
	askEverything(t, s)
	require.NoError(t, s.AddReportOfBefore(ctx, lobby.Report{At: noon, By: -1, About: "ben2"}))
	founder := mustCreate(t, s, "founder")
	require.NoError(t, errOf(s.CreateTeam(ctx, founder.ID, "Early", "early", "EARL", noon)))
	require.ErrorIs(t, errOf(s.CreateTeam(ctx, mustCreate(t, s, "second").ID, "Early", "early", "EARL", noon)), lobby.ErrTaken)
	require.NoError(t, errOf(s.Create(ctx, keyOf("twice"), "twice", "twice", noon)))
	require.ErrorIs(t, errOf(s.Create(ctx, keyOf("twice again"), "Twice", "twice", noon)), lobby.ErrTaken)
	mustClose(t, s)

	again := mustOpen(t, second, options(t))
	used := make(map[string]bool)
	for i, o := range done {
		used[strings.TrimPrefix(fmt.Sprintf("%T", o.Value), "*store.")] = true
		err := again.Repeat(o)
		require.Equal(t, fmt.Sprint(o.Err), fmt.Sprint(err), "operation %d, %T", i, o.Value)
	}
	types := operationTypes(t)
	require.ElementsMatch(t, types, store.Kinds(), "kinds of entries in a log")
	for _, name := range types {
		if name == "claim" || name == "compareFiles" {
			continue // they concern a log
		}
		require.True(t, used[name], "the test does no %s", name)
	}
	mustClose(t, again)
	rows := storetest.Contents(t, first)
	require.Greater(t, len(rows), 1000)
	require.Equal(t, rows, storetest.Contents(t, second))
}

// operationTypes are the types of the package that have an apply(*tx).
func operationTypes(t *testing.T) (names []string) {
	t.Helper()
	files, err := filepath.Glob("*.go")
	require.NoError(t, err)
	for _, name := range files {
		if strings.HasSuffix(name, "_test.go") {
			continue
		}
		file, err := parser.ParseFile(token.NewFileSet(), name, nil, 0)
		require.NoError(t, err)
		for _, d := range file.Decls {
			f, ok := d.(*ast.FuncDecl)
			if !ok || f.Name.Name != "apply" || f.Recv == nil || len(f.Type.Params.List) != 1 {
				continue
			}
			if p, ok := f.Type.Params.List[0].Type.(*ast.StarExpr); !ok || p.X.(*ast.Ident).Name != "tx" {
				continue
			}
			names = append(names, f.Recv.List[0].Type.(*ast.StarExpr).X.(*ast.Ident).Name)
		}
	}
	require.Greater(t, len(names), 15)
	return names
}
