package page_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"boneyard/ui/page"
	"boneyard/ui/page/pagetest"
)

// Alt+D deletes to the end of the word, also where one letter of it is left.
func TestDeletingTheWordBehindTheCursor(t *testing.T) {
	for _, c := range []struct {
		typed string
		left  int // how often the cursor goes left first
		want  string
	}{
		{"", 0, ""}, {"a", 0, "a"}, {"a", 1, ""}, {"ab", 1, "a"}, {"ab", 2, ""}, {"a b", 1, "a "}, {"a ", 1, "a"}, {"é", 1, ""}, {"two words", 9, " words"},
	} {
		for _, name := range []string{"alt+d", "ctrl+delete", "alt+delete"} {
			in := page.NewInput(">", "", 40)
			in.Focus()
			in.Set(c.typed)
			for range c.left {
				in.Update(pagetest.Key("left"))
			}
			in.Update(pagetest.Key(name))
			require.Equal(t, c.want, in.Value(), "%s in %q, %d from its end", name, c.typed, c.left)
		}
	}
}
