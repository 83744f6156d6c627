package main

import (
	"go/parser"
	"go/token"
	"io/fs"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// mayImport lists the rooms that each room may import; itself always, and an unlisted room none.
var mayImport = map[string][]string{
	"rules": {},
	"table": {"rules"},
	"lobby": {"table", "rules"},
	"store": {"lobby", "table", "rules"},
	"ui":    {"lobby", "table", "rules"},
	"cmd":   {"store", "ui", "lobby", "table", "rules"},
	"docs":  {}, // examples use no code of ours
}

// kindsKnow lists the rooms of events that a kind's room may import, besides lobby/event; of the lobby's
// other rooms, only text and limit.
var kindsKnow = map[string][]string{
	"arena": {}, "challenge": {}, "daily": {}, "duplicate": {}, "field": {}, "match": {}, "night": {}, "season": {},
	"league": {"match"}, "cup": {"match"}, "contest": {"match", "league", "cup"},
}

func TestRoomsKnowOnlyTheRoomsBelow(t *testing.T) {
	root := filepath.Join("..", "..")
	files := 0
	err := filepath.WalkDir(root, func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() || !strings.HasSuffix(path, ".go") || strings.HasSuffix(path, "_test.go") {
			return err
		}
		files++
		rel, err := filepath.Rel(root, path)
		require.NoError(t, err)
		room, _, _ := strings.Cut(filepath.ToSlash(rel), "/")
		allowed, known := mayImport[room]
		if strings.HasPrefix(filepath.ToSlash(rel), "lobby/lobbytest/") {
			allowed = mayImport["cmd"] // it opens clubs for tests
		}
		require.True(t, known, "%s: no such room in the house", rel)
		file, err := parser.ParseFile(token.NewFileSet(), path, nil, parser.ImportsOnly)
		require.NoError(t, err)
		for _, i := range file.Imports {
			name, err := strconv.Unquote(i.Path.Value)
			require.NoError(t, err)
			own, ours := strings.CutPrefix(name, "boneyard/")
			if !ours {
				require.False(t, room == "rules" && strings.Contains(strings.SplitN(name, "/", 2)[0], "."),
					"%s imports %s: rules knows the standard library only", rel, name)
				require.False(t, strings.Contains(name, "sqlite") && room != "store", "%s imports %s: only store knows SQL", rel, name)
				continue
			}
			other, _, _ := strings.Cut(own, "/")
			require.True(t, other == room || slices.Contains(allowed, other), "%s imports %s", rel, name)
			if inside, ok := strings.CutPrefix(filepath.ToSlash(rel), "lobby/event/"); ok && strings.HasPrefix(own, "lobby") {
				kind, _, isKind := strings.Cut(inside, "/")
				if kind == "eventtest" {
					continue
				}
				knows, known := kindsKnow[kind]
				require.True(t, known || !isKind, "%s: no such kind of event", rel)
				rooms := []string{"lobby/text", "lobby/limit"}
				if isKind {
					rooms = append(rooms, "lobby/event")
				}
				for _, k := range knows {
					rooms = append(rooms, "lobby/event/"+k)
				}
				require.Contains(t, rooms, own, "%s imports %s", rel, name)
			}
		}
		return nil
	})
	require.NoError(t, err)
	require.Greater(t, files, 100, "the files of the house")
}
