// Package page knows what all pages of the club share: their place on the screen, keys, messages and parts.
// It does not know what any page says.
package page

import (
	"context"
	"fmt"
	"time"

	"charm.land/bubbles/v2/key"
	tea "charm.land/bubbletea/v2"

	"boneyard/lobby"
	"boneyard/lobby/text"
	"boneyard/table"
	"boneyard/ui/plain"
	"boneyard/ui/screen"
	"boneyard/ui/theme"
)

// Page is one page of the club: a value with Update and Lines. It gets messages and a size, and knows neither
// connections nor stores. One goroutine at a time uses it.
type Page interface {
	// Init is called when the page is entered, after its first Resize, and returns what loads the page.
	Init() tea.Cmd
	// Update handles a message: see [Give]. It does not get keys that the club takes (pages, help, leaving),
	// unless the page is typing.
	Update(msg tea.Msg) tea.Cmd
	// Resize sets the size of the body, and has all drawn again, also for a new theme. The size is never
	// below [MinWidth] and the rows of [MinHeight]. Most pages embed a [Listed] or a [Size].
	Resize(w, h int)
	// Lines draws the body at its size. It asks the club nothing and changes nothing.
	Lines() []string
	// Chrome returns what the club shows and does around the body. It changes nothing either.
	Chrome() Chrome
	// Actions returns what can be done on the page now, most useful first: keys, the help line, the list of
	// keys and the mouse's wheel follow from it.
	Actions() Actions
}

// Chrome is what surrounds a page's body, and how the club handles keys for it.
type Chrome struct {
	Title    string        // names the page in the header
	Subtitle string        // is at the right of the header instead of the person's name, unless empty
	Cursor   screen.Cursor // of the terminal, counted from the upper left corner of the body
	Typing   bool          // all keys but the ones that quit go to the page
	Widest   int           // the most columns of the body, which is in the middle of a wider window; 0 for all. It must not change
	Digits   bool          // digits are the page's own and open no other page
	Leaving  string        // the question before q leads away; empty if there is none
	Opening  bool          // there is nothing to show yet: until there is, a session whose first page it is leaves the terminal as it is
	Turn     table.ID      // on the page of a table: that table, if the player has to move there
	Reopen   Target        // opens the page as it is now; zero for as it was opened
}

// Size is the size of a page's body. Pages embed it for its Resize, and those with nothing to load or to
// handle for its Init and Update.
type Size struct{ Width, Height int }

func (s *Size) Resize(w, h int)        { s.Width, s.Height = w, h }
func (s *Size) Init() tea.Cmd          { return nil }
func (s *Size) Update(tea.Msg) tea.Cmd { return nil }

// KeyHandler is a page that does more with a key than its action: it gets all keys, and carries out actions
// itself.
type KeyHandler interface {
	Key(msg tea.KeyPressMsg) tea.Cmd
}

// Give gives a page a message, and carries out the action of a key. It reports whether that leads to another page,
// see [Action].
func Give(p Page, msg tea.Msg) (cmd tea.Cmd, leads bool) {
	if press, ok := msg.(tea.KeyPressMsg); ok {
		if own, ok := p.(KeyHandler); ok {
			return own.Key(press), false
		}
		if a := p.Actions().Of(press); a != nil {
			return a.Do(press.String()), a.Leads
		}
	}
	return p.Update(msg), false
}

// Framer is a page that draws the whole screen itself and shares the frame with others.
type Framer interface {
	// Frame returns nil if the page cannot share a frame; then Lines is called.
	Frame(w, h int) *screen.Frame
}

// Clock is a page that shows a clock: it gets a [TickMsg] at the time that NextTick returns, which is then
// called again. A zero time asks for none.
type Clock interface{ NextTick(now time.Time) time.Time }

// Rowed is a page that can be left at a row, and come back to it once its rows are known; a [Listed] is one.
type Rowed interface {
	Row() int
	Choose(row int) bool
}

// Closer is a page that must release something, such as a subscription, when it is left.
type Closer interface{ Close() }

// OnLeave is a page that does something when the player goes back from it (back is true) or to the lobby, but
// not when another page is opened.
type OnLeave interface{ OnLeave(back bool) tea.Cmd }

// Explainer is a page that explains its game beside the list of keys, in at most h lines of w columns.
type Explainer interface {
	Ruled
	Explain(w, h int) []string
}

// Ruled is a page about certain rules: the rulebook opens at the rule string that Rules returns.
type Ruled interface{ Rules() string }

// ClubUpdateMsg is sent when the club has a newer snapshot.
type ClubUpdateMsg struct{}

// WokenMsg is sent after Wake of [Env] was called.
type WokenMsg struct{}

// TickMsg is sent at the time a [Clock] asked for.
type TickMsg struct{ Now time.Time }

// GotoMsg asks the club to open another page. If Replace is true, q does not lead back to this one.
type GotoMsg struct {
	To      Target
	Replace bool
}

// BackMsg asks the club to return to the page before this one.
type BackMsg struct{}

// Toast shows a line at the foot of the screen for a while.
type Toast struct {
	Role theme.Role
	Text string
}

// AskMsg asks the player a question at the foot of the screen. If the answer is yes, the page gets Then,
// which is usually a [Then].
type AskMsg struct {
	Question string
	Then     tea.Msg
}

// Ask asks the player a question; do is what follows a yes.
func Ask(question string, do func() tea.Cmd) tea.Cmd {
	return Send(AskMsg{Question: question, Then: Then(do)})
}

// Env is what pages are made with. Only its theme changes while a page lives.
type Env struct {
	Context context.Context // ends with the session
	Visit   *lobby.Visit
	Theme   *theme.Theme
	Address string // the address of this club, for invitations: "play.example.org", or "-p 2222 localhost"
	Now     func() time.Time
	Copy    func(text string) bool // puts text on the player's clipboard
	Bell    func()
	Wake    func()               // sends the shown page a [WokenMsg] when the terminal can take a frame; for any goroutine, and never blocks
	Restyle func(lobby.Settings) // applies settings to the screen, without saving them
	Version string               // of the server; may be empty
	Marked  bool                 // tables show the version of their view, see [ShowVersions]
	Figures func() []Figure      // the server's figures for operators; nil for others
}

// ShowVersions is what a client sends in its environment to see the versions of tables: by them two people,
// or a measuring program, can tell whether two screens show the same.
const ShowVersions = "BONEYARD_VERSIONS=1"

// Figure is a figure about the server.
type Figure struct{ Name, Value string }

// Call runs f on another goroutine and sends the page the result. Pages call the club in no other way. A
// result that comes after the page was left is dropped, unless it is a [Toast].
func (e *Env) Call(f func(ctx context.Context) tea.Msg) tea.Cmd {
	const callLimit = 10 * time.Second // how long a page waits for the club to answer
	return func() tea.Msg {
		ctx, cancel := context.WithTimeout(e.Context, callLimit)
		defer cancel()
		return f(ctx)
	}
}

// Do runs f as Call does, and shows the player its error.
func (e *Env) Do(f func(ctx context.Context) error) tea.Cmd { return e.DoAndSay(f, "") }

// DoAndSay runs f as Call does, and shows the player its error, or say.
func (e *Env) DoAndSay(f func(ctx context.Context) error, say string) tea.Cmd {
	return e.Call(func(ctx context.Context) tea.Msg {
		switch err := f(ctx); {
		case err != nil:
			return Complain(err)
		case say != "":
			return Say(say)
		}
		return nil
	})
}

// Refused shows the player why something was refused; it is nil if err is.
func Refused(err error) tea.Cmd {
	if err == nil {
		return nil
	}
	return Send(Complain(err))
}

// Complain turns an error into a line for the player.
func Complain(err error) Toast { return Toast{Role: theme.Bad, Text: plain.Sentence(err)} }

// refused reports whether a message is an error's line.
func refused(msg tea.Msg) bool {
	if answer, ok := msg.(AnswerMsg); ok {
		msg = answer.msg
	}
	t, ok := msg.(Toast)
	return ok && t.Role == theme.Bad
}

// Say turns a text into a line for the player.
func Say(s string) Toast { return Toast{Role: theme.Accent, Text: s} }

// Open returns the command that opens a page.
func Open(t Target) tea.Cmd { return func() tea.Msg { return GotoMsg{To: t} } }

// OpenTable returns the command that opens a table, if at is not 0, and then shows err: a table that was made
// may be there without a seat for its maker. If replace is true, q does not lead back to the present page.
func OpenTable(at table.ID, err error, replace bool) tea.Cmd {
	if at == 0 {
		return Refused(err)
	}
	return tea.Sequence(Send(GotoMsg{To: Target{Kind: Table, Table: at}, Replace: replace}), Refused(err))
}

// Send returns a command that does nothing but send msg.
func Send(msg tea.Msg) tea.Cmd { return func() tea.Msg { return msg } }

// Keys that several pages share. While a line is typed, Home and End move in it.
var (
	KeyMove         = Bind("↑↓", "choose", "up", "down", "pgup", "pgdown", "home", "end")
	KeyScroll       = Bind("↑↓", "scroll", "up", "down", "pgup", "pgdown", "home", "end")
	KeyMoveTyping   = Bind("↑↓", "choose", "up", "down", "pgup", "pgdown")
	KeyScrollTyping = Bind("↑↓", "scroll", "up", "down", "pgup", "pgdown")
	KeyOpen         = Bind("enter", "open", "enter")
	KeyWall         = Bind("W", "the wall", "W")
	KeyArenas       = Bind("A", "arenas", "A")
	KeyDuplicates   = Bind("D", "duplicate matches", "D")
	KeyQuick        = Bind("p", "quick play", "p")
	KeyNewTable     = Bind("n", "new table", "n")
	KeyReload       = Bind("r", "reload", "r")
	KeyCancel       = Bind("esc", "cancel", "esc")
)

// Named returns a key with another description, such as "open the team".
func Named(b key.Binding, does string) key.Binding {
	b.SetHelp(b.Help().Key, does)
	return b
}

// Keyed returns a sentence with the keys, as shown elsewhere, in place of each %s.
func Keyed(format string, keys ...key.Binding) string {
	return fmt.Sprintf(format, text.Each(keys, func(k key.Binding) any { return k.Help().Key })...)
}

// Bind declares a key: how it is shown, what it does, and which keys to press.
func Bind(show, does string, keys ...string) key.Binding {
	return key.NewBinding(key.WithKeys(keys...), key.WithHelp(show, does))
}
