package remote_test

import (
	"fmt"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"boneyard/ui/feature"
	"boneyard/ui/golden"
	"boneyard/ui/remote"
)

// Other people's programs rely on the names and kinds of these fields: lines may be added to this golden
// file, but none may be changed or removed.
func TestFieldsStay(t *testing.T) {
	var b strings.Builder
	for _, o := range remote.Objects() {
		for _, f := range o.Fields {
			fmt.Fprintf(&b, "%s.%s %s\n", o.Name, f[0], f[1])
		}
	}
	golden.Check(t, "fields.txt", b.String())
}

// The document has each command, and each object's fields, as the code describes them. -update rewrites them, and adds the
// sections of new objects.
func TestFieldsAreDescribed(t *testing.T) {
	const path = "../../docs/commands.md"
	file, err := os.ReadFile(path)
	require.NoError(t, err)
	doc := string(file)
	head := "| command | what it does |\n|---|---|\n"
	before, after, found := strings.Cut(doc, head)
	require.True(t, found)
	_, after, _ = strings.Cut(after, "\n\n")
	table := ""
	for _, f := range feature.All() {
		if f.In&feature.SSH == 0 {
			continue
		}
		require.True(t, f.NoJSON || f.Seats || len(f.Rows) > 0 || slices.Contains(remote.Own(), f.Name), "%s has no rows that are described",
			f.Name)
		table += "| `" + strings.ReplaceAll(f.Form(), "|", `\|`) + "` | " + f.Does + " |\n"
	}
	doc = before + head + table + "\n" + after
	for _, o := range remote.Objects() {
		title, section := "\n### "+o.Name+"\n\n", ""
		if o.About != "" {
			section = o.About + "\n\n"
		}
		bare := false // the line before has fields without a description
		for _, f := range o.Fields {
			require.NotEmpty(t, f[0], o.Name)
			field := strings.TrimSuffix("`"+f[0]+"` "+f[1], " text")
			switch {
			case f[2] != "":
				section += "- " + field + ": " + f[2] + "\n"
			case bare:
				section = strings.TrimSuffix(section, "\n") + ", " + field + "\n"
			default:
				section += "- " + field + "\n"
			}
			bare = f[2] == ""
		}
		if !strings.Contains(doc, title) {
			doc = strings.Replace(doc, "\n## Objects of games", title+"\n## Objects of games", 1)
		}
		before, after, _ := strings.Cut(doc, title)
		end := strings.Index(after, "\n#")
		if end < 0 {
			end = len(after)
		}
		doc = before + title + section + after[end:]
	}
	golden.File(t, path, doc)
}
