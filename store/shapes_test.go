package store_test

import (
	"encoding"
	"encoding/json"
	"flag"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"boneyard/lobby"
	"boneyard/store"
)

// TestOperationsKeepTheirNames pins the kinds of the log's entries and their fields, which are names of Go types and of their fields: nodes
// of other versions read them, and a log holds them for weeks.
func TestOperationsKeepTheirNames(t *testing.T) {
	shapes(t, "operations.txt", store.OperationTypes)
}

// TestJournalsOfEvents pins what the configurations and the journals of events say, since data files hold them.
func TestJournalsOfEvents(t *testing.T) {
	all := map[string]reflect.Type{}
	for kind, of := range lobby.EventKinds() {
		all[string(kind)] = reflect.TypeOf(of.Config)
		for entry, data := range of.Data {
			all[string(kind)+"/"+entry] = data
		}
	}
	shapes(t, "journals.txt", all)
}

var updateShapes = flag.Bool("update.shapes", false, "write the golden files of what is kept on disk")

// shapes compares the JSON of types with the lines of a golden file in testdata, such as "arena/enter
// members[].ID int64". Data files hold such values for ever: a name that changes here makes them unreadable.
func shapes(t *testing.T, name string, types map[string]reflect.Type) {
	t.Helper()
	var lines []string
	for _, of := range slices.Sorted(maps.Keys(types)) {
		lines = append(lines, shape(of+" ", types[of], nil)...)
	}
	got, file := strings.Join(lines, "\n")+"\n", filepath.Join("testdata", name)
	if *updateShapes {
		require.NoError(t, os.MkdirAll("testdata", 0o755))
		require.NoError(t, os.WriteFile(file, []byte(got), 0o644))
	}
	want := mustRead(t, file)
	require.Equal(t, string(want), got, "files that are there could not be read any more; if fields were only added: "+
		"go test -run %s -update.shapes", t.Name())
}

// shape lists what JSON makes of a type, one line for each value that has no parts; outer are the types that
// it is a part of.
func shape(path string, t reflect.Type, outer []reflect.Type) []string {
	for _, own := range []reflect.Type{reflect.TypeFor[json.Marshaler](), reflect.TypeFor[encoding.TextMarshaler](),
		reflect.TypeFor[encoding.BinaryAppender]()} {
		if t.Implements(own) || reflect.PointerTo(t).Implements(own) {
			return []string{path + " " + t.String()}
		}
	}
	if slices.Contains(outer, t) {
		return []string{path + " ..."}
	}
	outer = append(slices.Clip(outer), t)
	switch t.Kind() {
	case reflect.Pointer:
		return shape(path, t.Elem(), outer)
	case reflect.Slice, reflect.Array:
		return shape(path+"[]", t.Elem(), outer)
	case reflect.Map:
		return shape(fmt.Sprintf("%s[%s]", path, t.Key().Kind()), t.Elem(), outer)
	case reflect.Struct:
	default:
		return []string{path + " " + t.Kind().String()}
	}
	lines := []string{}
	for f := range t.Fields() {
		tag, _, _ := strings.Cut(f.Tag.Get("json"), ",")
		switch {
		case tag == "-":
		case f.Anonymous && tag == "":
			lines = append(lines, shape(path, f.Type, outer)...)
		case f.IsExported():
			if tag == "" {
				tag = f.Name
			}
			lines = append(lines, shape(strings.TrimSuffix(path, " ")+sep(path)+tag, f.Type, outer)...)
		}
	}
	if len(lines) == 0 {
		return []string{strings.TrimSpace(path) + " nothing"}
	}
	return lines
}

func sep(path string) string {
	if strings.HasSuffix(path, " ") {
		return " "
	}
	return "."
}
