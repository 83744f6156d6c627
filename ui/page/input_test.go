package page_test

import (
	"errors"
	"testing"

	tea "charm.land/bubbletea/v2"
	"github.com/stretchr/testify/require"

	"boneyard/ui/page"
	"boneyard/ui/page/pagetest"
)

// Alt+D deletes to the end of the word, even if one letter of it is left, and Ctrl+W to its beginning.
func TestDeletingAWord(t *testing.T) {
	for _, c := range []struct {
		typed string
		left  int // how often the cursor goes left first
		want  string
	}{
		{"", 0, ""}, {"a", 0, "a"}, {"a", 1, ""}, {"ab", 1, "a"}, {"ab", 2, ""}, {"a b", 1, "a "}, {"a ", 1, "a"}, {"é", 1, ""},
		{"two words", 9, " words"},
		{"ab c", 3, "a c"}, {"a  bc", 4, "a"},
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

// Ctrl+W deletes to the beginning of the word, but not the blank before it.
func TestDeletingTheWordBeforeTheCursor(t *testing.T) {
	for typed, want := range map[string]string{"": "", "a": "", " a": " ", "two words": "two ", "two  ": ""} {
		in := page.NewInput(">", "", 40)
		in.Focus()
		in.Set(typed)
		in.Update(pagetest.Key("ctrl+w"))
		require.Equal(t, want, in.Value(), "%q", typed)
	}
}

// What was typed is not lost when the club refuses it.
func TestARefusedLineOpensAgain(t *testing.T) {
	errFull := errors.New("that time is over")
	for _, c := range []struct {
		does tea.Cmd
		open bool
	}{
		{page.Refused(errFull), true}, {page.Send(page.Say("Done.")), false}, {nil, false},
	} {
		in := page.NewInput(">", "", 40)
		in.Focus()
		in.Set("tomorrow")
		var told []tea.Msg
		var run func(cmd tea.Cmd)
		run = func(cmd tea.Cmd) {
			if cmd == nil {
				return
			}
			switch msg := cmd().(type) {
			case tea.BatchMsg:
				for _, each := range msg {
					run(each)
				}
			case page.Then:
				run(msg())
			case page.Toast:
				told = append(told, msg)
			}
		}
		cmd, _ := in.Actions("try", func(string) tea.Cmd { return c.does }).Press(pagetest.Key("enter"))
		run(cmd)
		require.Equal(t, c.open, in.Active())
		require.Equal(t, c.open, in.Value() == "tomorrow")
		require.Equal(t, c.does != nil, len(told) == 1)
	}
}
