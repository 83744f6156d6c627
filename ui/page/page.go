// Package page knows what every page of the club has in common: its place on the screen, its keys, its messages and the
// pieces it is put together from. It does not know what any page says.
package page

import (
	"context"
	"time"

	"charm.land/bubbles/v2/key"
	tea "charm.land/bubbletea/v2"

	"boneyard/lobby"
	"boneyard/table"
	"boneyard/ui/plain"
	"boneyard/ui/screen"
	"boneyard/ui/theme"
)

// Page is one page of the club: a value with Update and Lines. It is given messages and a size, and knows neither a line
// nor a store. It is used by one goroutine.
type Page interface {
	// Init is called when the page is entered, and returns what it has to load.
	Init() tea.Cmd
	// Update returns the page after a message. Keys that the club itself takes (pages, help, leaving) do not arrive, unless
	// the page is typing. Places of the mouse are counted from the upper left corner of the page's body.
	Update(msg tea.Msg) (Page, tea.Cmd)
	// Lines draws the page's body into at most h lines of at most w columns. It asks nobody and changes nothing.
	Lines(w, h int) []string
	// Keys are the page's keys, the most useful first; the help line and the page of all keys are made from them.
	Keys() []key.Binding
	// Title names the page in the header.
	Title() string
}

// Typist is a page with a line to type in. While it is typing, all keys but the ones that quit go to the page.
type Typist interface{ Typing() bool }

// Framer is a page that draws the whole screen itself and shares the frame with others who look at the same thing.
type Framer interface {
	// Frame returns nil where the page cannot share; Lines is asked then.
	Frame(w, h int) *screen.Frame
}

// Pointer is a page that shows the terminal's cursor.
type Pointer interface {
	// Cursor is a place in the page's body.
	Cursor(w, h int) screen.Cursor
}

// Waker is a page that is told of something beside the club's news: the channel has capacity one, and each value on it
// reaches the page as a [WokenMsg]. The channel may change from one Update to the next; nil is never ready.
type Waker interface{ Wake() <-chan struct{} }

// Clock is a page that draws a clock: it is sent a [TickMsg] at the time it names, and asked again. A zero time asks for none.
type Clock interface{ NextTick(now time.Time) time.Time }

// Closer is a page that holds something, such as a subscription, to be given back when it is left.
type Closer interface{ Close() }

// Leaver is a page that wants a word before it is left with q: it returns a question, or nothing if it may be left at once.
type Leaver interface{ Leaving() string }

// Restorer is a page that can be opened again as it was left, by another target than the one it was opened with.
type Restorer interface{ Place() Target }

// Opener is a page that has nothing to show before something comes that it has asked for. Where it is a session's first page,
// the terminal stays as it is until then.
type Opener interface{ Opening() bool }

// OnLeave is a page that has something to do when the player goes back from it; not when another page is opened from it.
type OnLeave interface{ OnLeave() tea.Cmd }

// Subtitle is a page that says at the right of the header something else than the person's name, if it is not empty.
type Subtitle interface{ Subtitle() string }

// Turner is a page that may be waiting for the player to move: it returns the table, or 0.
type Turner interface{ Turn() table.ID }

// Explainer is a page that explains, beside the list of keys, what is played on it: in at most h lines of w columns. Rules is the
// rule string that the rulebook opens at.
type Explainer interface {
	Explain(w, h int) []string
	Rules() string
}

// ClubUpdateMsg is sent when the club has a newer snapshot.
type ClubUpdateMsg struct{}

// WokenMsg is sent when the channel of a [Waker] was ready.
type WokenMsg struct{}

// TickMsg is sent at the time a [Clock] asked for.
type TickMsg struct{ Now time.Time }

// GotoMsg asks the club to open another page. With Replace, q does not lead back to this one.
type GotoMsg struct {
	To      Target
	Replace bool
}

// Target names a page. Kind says which, the rest says what is on it.
type Target struct {
	Kind  Kind
	Table table.ID
	Game  table.GameID
	Team  table.TeamID
	Other table.TeamID // head to head
	Rules string       // a rule string, for the page of rules

	// On the page of games: what is searched for, whether only one's own are listed; Game is the chosen one.
	Search string
	Mine   bool

	Filter lobby.Filter         // in the lobby: the tables that are shown; Table is the chosen one
	Query  lobby.StandingsQuery // on the page of standings: what is shown
}

// Kind names one of the club's pages.
type Kind int

// The pages. The first six are reached by number keys.
const (
	Lobby Kind = iota + 1
	Teams
	Standings
	Games
	Rules
	Settings
	Table
	NewTable
	Replay
	TeamPage
	Admin
)

// BackMsg asks the club to return to the page before this one.
type BackMsg struct{}

// Toast shows a line at the foot of the screen for a while.
type Toast struct {
	Role theme.Role
	Text string
}

// AskMsg puts a question to the player at the foot of the screen. Then is sent to the page if the answer is yes.
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
	Restyle func(lobby.Settings) // has the club look as settings say, from now on; it keeps nothing
	Version string               // of the server; may be empty
	Figures func() []Figure      // what the server says of itself, for operators; nil for others
}

// Figure is something the server says of itself: what it is, and how it is now.
type Figure struct{ Name, Value string }

// callLimit is how long a page waits for the club to answer.
const callLimit = 10 * time.Second

// Call runs f beside the page and sends the page what it returns. Pages ask the club in no other way. What comes after the
// page was left is dropped, but for a [Toast].
func (e *Env) Call(f func(ctx context.Context) tea.Msg) tea.Cmd {
	return func() tea.Msg {
		ctx, cancel := context.WithTimeout(e.Context, callLimit)
		defer cancel()
		return f(ctx)
	}
}

// Do runs f beside the page; an error is shown to the player.
func (e *Env) Do(f func(ctx context.Context) error) tea.Cmd {
	return e.Call(func(ctx context.Context) tea.Msg {
		if err := f(ctx); err != nil {
			return Complain(err)
		}
		return nil
	})
}

// Command sends a table a command; an error is shown to the player.
func (e *Env) Command(id table.ID, c table.Command) tea.Cmd {
	return e.Do(func(ctx context.Context) error { return e.Visit.Do(ctx, id, c) })
}

// Complain turns an error into a line for the player.
func Complain(err error) Toast { return Toast{Role: theme.Bad, Text: plain.Sentence(err)} }

// Say turns a text into a line for the player.
func Say(text string) Toast { return Toast{Role: theme.Accent, Text: text} }

// Open returns the command that goes to a page.
func Open(t Target) tea.Cmd { return func() tea.Msg { return GotoMsg{To: t} } }

// Send returns a command that does nothing but send msg.
func Send(msg tea.Msg) tea.Cmd { return func() tea.Msg { return msg } }

// Bind declares a key: what is pressed, how it is shown, and what it does.
func Bind(show, does string, keys ...string) key.Binding {
	return key.NewBinding(key.WithKeys(keys...), key.WithHelp(show, does))
}
