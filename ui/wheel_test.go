package ui

import (
	"fmt"
	"strings"
	"testing"

	"charm.land/bubbles/v2/key"
	tea "charm.land/bubbletea/v2"
	"github.com/charmbracelet/x/ansi"
	"github.com/stretchr/testify/require"

	"boneyard/lobby"
	"boneyard/lobby/lobbytest"
	"boneyard/ui/feature"
	"boneyard/ui/page"
	"boneyard/ui/screen"
)

// pressed is a page that offers keys, and records those pressed.
type pressed struct {
	caller
	keys []key.Binding
	got  []string
}

func (p *pressed) Actions() (does page.Actions) {
	takeDown := func(name string) tea.Cmd {
		p.got = append(p.got, name)
		return nil
	}
	for _, b := range p.keys {
		switch b.Help().Desc {
		case page.KeyMove.Help().Desc:
			does.Move(true, b, takeDown)
		case page.KeyScroll.Help().Desc:
			does.Scroll(true, b, takeDown)
		default:
			does.With(true, b, takeDown)
		}
	}
	return does
}

func (p *pressed) Update(msg tea.Msg) tea.Cmd {
	if msg, ok := msg.(tea.PasteMsg); ok {
		p.got = append(p.got, msg.Content)
	}
	return nil
}

func (p *pressed) Point(int, int) (bool, tea.Cmd) {
	p.got = append(p.got, "click")
	return false, nil
}

// A click on a page's name in the header opens the page; a click beside the names does nothing.
func TestClickOnTheHeader(t *testing.T) {
	lobbytest.Bubble(t, func(t *testing.T, club *lobbytest.Club) {
		w := walk(t, club.Lobby, 1, Session{Caller: feature.Caller{Origin: lobby.Origin{Net: "10.0.0.7"}}})
		for _, width := range []int{80, 120} {
			w.does("resize", tea.WindowSizeMsg{Width: width, Height: 24})
			for i, p := range pages {
				c := w.m.page.Chrome()
				line := ansi.Strip(w.m.headerLine(&c, width))
				at := ansi.StringWidth(line[:strings.Index(line, p.name)])
				w.does("click", tea.MouseClickMsg{X: at, Y: 0, Button: tea.MouseLeft})
				require.Equal(t, p.kind, w.m.at.Kind)
				w.does("click", tea.MouseClickMsg{X: width - 5, Y: 0, Button: tea.MouseLeft})
				w.does("click", tea.MouseClickMsg{X: at, Y: 1, Button: tea.MouseLeft})
				require.Equal(t, i, w.m.tab())
			}
		}
	})
}

// The wheel chooses and scrolls where the arrows do; elsewhere it does nothing.
func TestWheel(t *testing.T) {
	lobbytest.Bubble(t, func(t *testing.T, club *lobbytest.Club) {
		w := walk(t, club.Lobby, 1, Session{Caller: feature.Caller{Origin: lobby.Origin{Net: "10.0.0.7"}}})
		turned := func(b tea.MouseButton, keys ...key.Binding) []string {
			p := &pressed{keys: keys}
			w.m.page = p
			w.does("wheel", tea.MouseWheelMsg{Button: b})
			return p.got
		}
		play := page.Bind("↑↓", "end", "up", "down")
		require.Equal(t, []string{"down"}, turned(tea.MouseWheelDown, page.KeyMove))
		require.Equal(t, []string{"up"}, turned(tea.MouseWheelUp, page.KeyMove))
		require.Equal(t, []string{"up", "up", "up"}, turned(tea.MouseWheelUp, page.KeyScroll))
		require.Empty(t, turned(tea.MouseWheelLeft, page.KeyMove))
		require.Empty(t, turned(tea.MouseWheelDown, play), "it plays nothing")

		w.m.asking = "Leave?"
		require.Empty(t, turned(tea.MouseWheelDown, page.KeyMove))
		require.NotEmpty(t, w.m.asking)
		w.m.asking = ""
		w.m.help.open = true
		w.m.choose(0)
		first := w.m.help.chosen
		require.Empty(t, turned(tea.MouseWheelDown, page.KeyMove))
		require.NotEqual(t, first, w.m.help.chosen)
	})
}

// paneled is a page that records where the wheel is turned.
type paneled struct{ pressed }

func (p *paneled) FocusAt(x, y int) { p.got = append(p.got, fmt.Sprint(x, " ", y)) }

// A page with several panels learns where the wheel is turned before it moves.
func TestTheWheelIsTurnedSomewhere(t *testing.T) {
	onPressed(t, func(w *walker, _ *pressed) {
		p := &paneled{pressed{keys: []key.Binding{page.KeyMove}}}
		w.m.page = p
		top, _ := page.Room(w.m.height)
		w.does("wheel", tea.MouseWheelMsg{X: 7, Y: top + 3, Button: tea.MouseWheelDown})
		require.Equal(t, []string{"7 3", "down"}, p.got)
	})
}

// onPressed lets a person in to a page that records what reaches it.
func onPressed(t *testing.T, do func(w *walker, p *pressed)) {
	lobbytest.Bubble(t, func(t *testing.T, club *lobbytest.Club) {
		w := walk(t, club.Lobby, 1, Session{Caller: feature.Caller{Origin: lobby.Origin{Net: "10.0.0.7"}}})
		p := &pressed{}
		w.m.page, w.m.at = p, page.Target{Kind: page.Replay}
		do(w, p)
	})
}

// The letters of less and vi are arrows where arrows choose or scroll, unless the page uses them otherwise.
func TestLettersMove(t *testing.T) {
	onPressed(t, func(w *walker, p *pressed) {
		gets := func(key string, keys ...key.Binding) string {
			p.keys, p.got = keys, nil
			w.press(page.KeyPress(key))
			return strings.Join(p.got, " ")
		}
		for letter, arrow := range arrows {
			require.Equal(t, arrow, gets(letter, page.KeyMove))
			require.Equal(t, arrow, gets(letter, page.KeyScroll))
			own := page.Bind(letter, "something else", letter)
			require.Equal(t, letter, gets(letter, page.KeyMove, own))
			require.Empty(t, gets(letter, page.Bind(arrow, "end", arrow)), "it plays nothing")
			require.Empty(t, gets(letter))
		}
	})
}

// The list of keys runs the chosen entry.
func TestHelpRunsTheChosenKey(t *testing.T) {
	onPressed(t, func(w *walker, p *pressed) {
		p.keys = []key.Binding{page.Bind("a", "one thing", "a"), page.Bind("b", "another", "b"), page.Bind("c", "a third", "c")}
		for i, want := range []string{"a", "b", "c"} {
			p.got = nil
			w.press(page.KeyPress("?"))
			for range i {
				w.press(page.KeyPress("down"))
			}
			w.press(page.KeyPress("enter"))
			require.Equal(t, []string{want}, p.got)
			require.False(t, w.m.help.open)
		}
		p.got = nil
		for _, k := range []string{"?", "t", "h", "i", "down", "down", "enter"} { // two match
			w.press(page.KeyPress(k))
		}
		require.Equal(t, []string{"c"}, p.got)
		for _, back := range []string{"pgup", "home"} {
			p.got = nil
			w.press(page.KeyPress("?"))
			w.press(page.KeyPress("pgdown"))
			require.NotEqual(t, "a", w.m.help.chosen.run)
			w.press(page.KeyPress(back))
			w.press(page.KeyPress("enter"))
			require.Equal(t, []string{"a"}, p.got)
		}
	})
}

// The chosen entry of the list of keys stays chosen when the list changes, as at a table after each play. If
// it has gone, Enter does nothing.
func TestHelpRunsNothingElse(t *testing.T) {
	onPressed(t, func(w *walker, p *pressed) {
		a, b := page.Bind("a", "one thing", "a"), page.Bind("b", "another", "b")
		for _, c := range []struct {
			choose   []string
			later    []key.Binding
			got      []string
			selected bool
		}{
			{[]string{"?", "down"}, []key.Binding{page.KeyOpen, a, b}, []string{"b"}, true},
			{[]string{"?"}, []key.Binding{page.KeyOpen, a, b}, []string{"a"}, true},
			{[]string{"?", "down"}, []key.Binding{page.KeyOpen, a}, nil, false},
			{[]string{"?", "o", "n"}, []key.Binding{page.Bind("c", "one more", "c")}, nil, false},
			{[]string{"?", "down", "down", "up"}, []key.Binding{b}, []string{"b"}, true},
		} {
			p.keys, p.got = []key.Binding{a, b}, nil
			for _, k := range c.choose {
				w.press(page.KeyPress(k))
			}
			p.keys = c.later
			w.does("news", page.ClubUpdateMsg{})
			require.Equal(t, c.selected, strings.Contains(strings.Join(w.m.frame().Lines, ""), w.m.env.Theme.Glyphs().Cursor))
			w.press(page.KeyPress("enter"))
			require.Equal(t, c.got, p.got)
			require.False(t, w.m.help.open)
		}
	})
}

// If Enter cannot stand for an entry, since its keys differ, it says so.
func TestHelpNamesKeysThatDiffer(t *testing.T) {
	onPressed(t, func(w *walker, p *pressed) {
		p.keys = []key.Binding{page.Bind("1-4", "one seat", "1", "2", "3", "4"), page.KeyMove}
		w.press(page.KeyPress("?"))
		w.press(page.KeyPress("enter"))
		require.Empty(t, p.got)
		require.Equal(t, "Press its keys here: 1-4, one seat.", w.m.toast.Text)
	})
}

// Pasted text reaches the page only where a key would: not under the list of keys or a question.
func TestPastesReachWhatIsSeen(t *testing.T) {
	onPressed(t, func(w *walker, p *pressed) {
		paste := func() string {
			p.got = nil
			w.does("paste", tea.PasteMsg{Content: "x"})
			return strings.Join(p.got, " ")
		}
		require.Equal(t, "x", paste())
		w.press(page.KeyPress("?"))
		require.Empty(t, paste())
		w.press(page.KeyPress("esc"))
		w.m.asking = "Resign?"
		require.Empty(t, paste())
		require.NotEmpty(t, w.m.asking)
	})
}

// While the window is too small for any page, input does nothing, except the keys that leave.
func TestNothingReachesAPageThatIsNotDrawn(t *testing.T) {
	onPressed(t, func(w *walker, p *pressed) {
		p.keys = []key.Binding{page.KeyMove}
		all := []tea.Msg{
			page.KeyPress("enter"), page.KeyPress("q"), page.KeyPress("1"), tea.PasteMsg{Content: "x"}, tea.MouseClickMsg{Button: tea.MouseLeft},
			tea.MouseWheelMsg{Button: tea.MouseWheelDown},
		}
		for _, size := range [][2]int{{page.MinWidth - 1, page.MinHeight}, {page.MinWidth, page.MinHeight - 1}} {
			w.resize(size[0], size[1])
			for _, msg := range append(all, page.KeyPress("?")) {
				w.does("unseen", msg)
			}
			require.Empty(t, p.got)
			require.False(t, w.m.help.open)
			require.Equal(t, page.Page(p), w.m.page)
		}
		w.m.asking, w.m.then = "Resign?", page.BackMsg{}
		w.press(page.KeyPress("y"))
		require.NotEmpty(t, w.m.asking, "nobody has read the question")
		w.press(page.KeyPress("ctrl+c"))
		require.True(t, w.quit)
	})
}

// Only the left button clicks.
func TestOtherButtonsDoNothing(t *testing.T) {
	onPressed(t, func(w *walker, p *pressed) {
		p.keys = []key.Binding{page.KeyMove}
		for b := tea.MouseNone; b <= tea.MouseButton11; b++ {
			p.got = nil
			w.m.toast = page.Say("It doesn't fit.")
			w.does("click", tea.MouseClickMsg{Button: b})
			require.Equal(t, b == tea.MouseLeft, len(p.got) == 1, b)
			require.Equal(t, b == tea.MouseLeft, w.m.toast.Text == "", "what was said before is gone, as with a key")
		}
	})
}

// q closes an overlay of a page first, and then leads away from it.
func TestQClosesWhatLiesOverAPage(t *testing.T) {
	onPressed(t, func(w *walker, over *pressed) {
		over.keys = []key.Binding{page.Bind("s", "back to the game", "s", "q")}
		w.does("q", tea.KeyPressMsg{Code: 'q', Text: "q"})
		require.Equal(t, []string{"q"}, over.got)
		require.Equal(t, page.Replay, w.m.at.Kind)
		over.keys = nil
		w.does("q", tea.KeyPressMsg{Code: 'q', Text: "q"})
		require.Equal(t, page.Lobby, w.m.at.Kind)
	})
}

// A click on the chosen row runs the action that opens it, whatever its name; without such an action, or
// without a row, as while typing, a click does nothing.
func TestClicksGoByRole(t *testing.T) {
	onPressed(t, func(w *walker, _ *pressed) {
		p := &opens{}
		w.m.page = p
		for _, again := range []bool{false, true, false} {
			p.again, p.got = again, nil
			w.does("click", tea.MouseClickMsg{X: 3, Y: 5, Button: tea.MouseLeft})
			top, _ := page.Room(w.m.height)
			want := []string{fmt.Sprint(3, 5-top)}
			if again {
				want = append(want, "go there")
			}
			require.Equal(t, want, p.got)
		}
		p.closed, p.got = true, nil
		w.does("click", tea.MouseClickMsg{X: 3, Y: 5, Button: tea.MouseLeft})
		require.Empty(t, p.got)
	})
}

// opens is a page on which something can be opened.
type opens struct {
	pressed
	again, closed bool
}

func (p *opens) Point(x, y int) (bool, tea.Cmd) {
	p.got = append(p.got, fmt.Sprint(x, y))
	return p.again, nil
}

func (p *opens) Actions() (does page.Actions) {
	does.Add(true, page.KeyWall, func() tea.Cmd { return nil })
	does.Open(!p.closed, page.Bind("o", "go there", "o"), func() tea.Cmd {
		p.got = append(p.got, "go there")
		return nil
	})
	return does
}

// narrow is a page that stands in the middle of a wide window.
type narrow struct{ opens }

func (p *narrow) Lines() []string { return []string{"here"} }

func (p *narrow) Chrome() page.Chrome {
	return page.Chrome{Title: "Narrow", Widest: page.WidestText, Cursor: screen.Cursor{Visible: true, X: 2}}
}

// A page narrower than the window is drawn in its middle, with its cursor, and clicked there.
func TestANarrowPageStandsInTheMiddle(t *testing.T) {
	onPressed(t, func(w *walker, _ *pressed) {
		p := &narrow{}
		w.m.page = p
		for _, c := range [][3]int{{80, 0, 80}, {92, 0, 92}, {120, 14, 92}, {201, 54, 92}} {
			wide, left, width := c[0], c[1], c[2]
			w.does("resize", tea.WindowSizeMsg{Width: wide, Height: 50})
			require.Equal(t, width, p.Width)
			top, _ := page.Room(50)
			f := w.m.frame()
			require.Equal(t, strings.Repeat(" ", left)+"here", f.Lines[top])
			require.Equal(t, left+2, f.Cursor.X)
			p.got = nil
			for _, x := range []int{left - 1, left, left + width - 1, left + width} {
				w.does("click", tea.MouseClickMsg{X: x, Y: top, Button: tea.MouseLeft})
			}
			require.Equal(t, []string{"0 0", fmt.Sprint(width-1, 0)}, p.got)
		}
	})
}
