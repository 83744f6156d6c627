// Package page knows what every page of the club has in common: its place on the screen, its keys, its
// messages and the pieces it is put together from. It does not know what any page says.
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

// Page is one page of the club: a value with Update and Lines. It is given messages and a size, and knows
// neither a connection nor a store. It is used by one goroutine at a time.
type Page interface {
	// Init is called when the page is entered, after its first Resize, and returns what it has to load.
	Init() tea.Cmd
	// Update takes a message: see [Give]. Keys that the club itself takes (pages, help, leaving) do not arrive,
	// unless the page is typing.
	Update(msg tea.Msg) tea.Cmd
	// Resize says how large the body is, and that all is drawn again: also where the theme has changed. It is
	// never smaller than [MinWidth] and the rows of [MinHeight]. Most pages embed a [Listed] or a [Size].
	Resize(w, h int)
	// Lines draws the page's body into the size it has. It asks nobody and changes nothing.
	Lines() []string
	// Chrome is what the club shows and does around the body. It changes nothing either.
	Chrome() Chrome
	// Actions are what can be done on the page as it is, the most useful first: what a key does, the help line,
	// the page of all keys and the mouse's wheel follow from them.
	Actions() Actions
}

// Chrome is what stands around a page's body, and how the club takes keys for it.
type Chrome struct {
	Title    string        // names the page in the header
	Subtitle string        // stands at the right of the header instead of the person's name; empty: the name
	Cursor   screen.Cursor // the terminal's, counted from the upper left corner of the body
	Typing   bool          // all keys but the ones that quit go to the page
	Widest   int           // columns that the body takes, in the middle of a wider window; 0: all. It stays the same
	Digits   bool          // digits are the page's own and open no other page
	Leaving  string        // is asked before q leads away; empty: it does so at once
	Opening  bool          // there is nothing to show yet: as a session's first page it leaves the terminal as it is until then
	Turn     table.ID      // on the page of a table: that table, if the player has to move there
	Reopen   Target        // opens the page as it is now; the zero Target: as it was opened
}

// Size is the size of a page's body. Pages embed it for its Resize, and where they have nothing to load or to
// take in, for its Init and Update.
type Size struct{ Width, Height int }

func (s *Size) Resize(w, h int)        { s.Width, s.Height = w, h }
func (s *Size) Init() tea.Cmd          { return nil }
func (s *Size) Update(tea.Msg) tea.Cmd { return nil }

// KeyHandler is a page that has more to do with a key than its action: it is given all keys, and carries out the
// actions itself.
type KeyHandler interface {
	Key(msg tea.KeyPressMsg) tea.Cmd
}

// Give gives a page a message. A key that stands for one of its actions carries that out.
func Give(p Page, msg tea.Msg) tea.Cmd {
	if press, ok := msg.(tea.KeyPressMsg); ok {
		if own, ok := p.(KeyHandler); ok {
			return own.Key(press)
		}
		if cmd, ok := p.Actions().Press(press); ok {
			return cmd
		}
	}
	return p.Update(msg)
}

// Framer is a page that draws the whole screen itself and shares the frame with others who look at the same
// thing.
type Framer interface {
	// Frame returns nil where the page cannot share; Lines is asked then.
	Frame(w, h int) *screen.Frame
}

// Clock is a page that draws a clock: it is sent a [TickMsg] at the time it names, and asked again. A zero
// time asks for none.
type Clock interface{ NextTick(now time.Time) time.Time }

// Closer is a page that holds something, such as a subscription, to be given back when it is left.
type Closer interface{ Close() }

// OnLeave is a page that has something to do when the player goes back from it or to the lobby; not when
// another page is opened from it. With back, they go back.
type OnLeave interface{ OnLeave(back bool) tea.Cmd }

// Explainer is a page that explains, beside the list of keys, what is played on it: in at most h lines of w
// columns.
type Explainer interface {
	Ruled
	Explain(w, h int) []string
}

// Ruled is a page that is about certain rules: Rules is the rule string that the rulebook opens at.
type Ruled interface{ Rules() string }

// ClubUpdateMsg is sent when the club has a newer snapshot.
type ClubUpdateMsg struct{}

// WokenMsg is sent after Wake of [Env] was called.
type WokenMsg struct{}

// TickMsg is sent at the time a [Clock] asked for.
type TickMsg struct{ Now time.Time }

// GotoMsg asks the club to open another page. With Replace, q does not lead back to this one.
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

// AskMsg puts a question to the player at the foot of the screen. Then is sent to the page if the answer is
// yes; mostly it is a [Then].
type AskMsg struct {
	Question string
	Then     tea.Msg
}

// Env is what a page is made with. It does not change while the page lives, except for the theme.
type Env struct {
	Context context.Context // ends with the session
	Visit   *lobby.Visit
	Theme   *theme.Theme
	Address string // how this club is reached, for invitations: "play.example.org", or "-p 2222 localhost"
	Now     func() time.Time
	Copy    func(text string) bool // puts text on the clipboard of the player's machine
	Bell    func()
	Wake    func()               // sends the shown page a [WokenMsg] when the terminal can take a frame; for any goroutine, and never waits
	Restyle func(lobby.Settings) // has the club look as settings say, from now on; it keeps nothing
	Version string               // of the server; may be empty
	Marked  bool                 // tables show the version of their view, see [ShowVersions]
	Figures func() []Figure      // what the server says of itself, for operators; nil for others
}

// ShowVersions is what a client sends in its environment to be shown the versions of tables: with them two people, or a program that
// measures, can tell whether two screens show the same.
const ShowVersions = "BONEYARD_VERSIONS=1"

// Figure is something the server says of itself: what it is, and how it is now.
type Figure struct{ Name, Value string }

// callLimit is how long a page waits for the club to answer.
const callLimit = 10 * time.Second

// Call runs f beside the page and sends the page what it returns. Pages ask the club in no other way. What
// comes after the page was left is dropped, but for a [Toast].
func (e *Env) Call(f func(ctx context.Context) tea.Msg) tea.Cmd {
	return func() tea.Msg {
		ctx, cancel := context.WithTimeout(e.Context, callLimit)
		defer cancel()
		return f(ctx)
	}
}

// Do runs f beside the page; an error is shown to the player.
func (e *Env) Do(f func(ctx context.Context) error) tea.Cmd { return e.DoAndSay(f, "") }

// DoAndSay runs f beside the page, and shows the player its error, or what say says.
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

// Refused shows the player why something was refused; nothing for no error.
func Refused(err error) tea.Cmd {
	if err == nil {
		return nil
	}
	return Send(Complain(err))
}

// Complain turns an error into a line for the player.
func Complain(err error) Toast { return Toast{Role: theme.Bad, Text: plain.Sentence(err)} }

// Say turns a text into a line for the player.
func Say(s string) Toast { return Toast{Role: theme.Accent, Text: s} }

// Open returns the command that goes to a page.
func Open(t Target) tea.Cmd { return func() tea.Msg { return GotoMsg{To: t} } }

// Send returns a command that does nothing but send msg.
func Send(msg tea.Msg) tea.Cmd { return func() tea.Msg { return msg } }

// Keys that several pages have. Where a line is typed, Home and End move in it.
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

// Named returns a key that is shown to do something else, such as "open the team".
func Named(b key.Binding, does string) key.Binding {
	b.SetHelp(b.Help().Key, does)
	return b
}

// Keyed is a sentence that names keys, in place of each %s, as they are shown elsewhere.
func Keyed(format string, keys ...key.Binding) string {
	return fmt.Sprintf(format, text.Each(keys, func(k key.Binding) any { return k.Help().Key })...)
}

// Bind declares a key: what is pressed, how it is shown, and what it does.
func Bind(show, does string, keys ...string) key.Binding {
	return key.NewBinding(key.WithKeys(keys...), key.WithHelp(show, does))
}
