package ui_test

import (
	"context"
	"errors"
	"io"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/hinshun/vt10x"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"go.uber.org/goleak"

	"boneyard/lobby"
	"boneyard/table"
	"boneyard/ui"
	"boneyard/ui/feature"
	"boneyard/ui/page"
	"boneyard/ui/page/clubtest"
)

// patience is how long a test waits for a screen before it fails.
const patience = 2 * time.Minute

// terminal is a person at a terminal.
type terminal struct {
	t     *testing.T
	club  *clubtest.Club
	keys  *keyboard
	sizes chan ui.Size
	hang  context.CancelFunc // loses the connection
	ended chan error

	mu      sync.Mutex
	screen  vt10x.Terminal
	raw     strings.Builder
	changed chan struct{} // closed and replaced at each change
}

// sit runs the club on a terminal, for the owner of a key, or for a guest if key is nil.
func sit(t *testing.T, club *clubtest.Club, key *lobby.KeyID, w, h int, change ...func(*ui.Session)) *terminal {
	t.Helper()
	ctx, hang := context.WithCancel(context.Background())
	c := &terminal{
		t: t, club: club, keys: newKeyboard(), sizes: make(chan ui.Size), hang: hang, ended: make(chan error, 1),
		screen: vt10x.New(vt10x.WithSize(w, h)), changed: make(chan struct{}),
	}
	s := ui.Session{
		Caller: feature.Caller{Club: club.Lobby, Key: key, User: "cleo", Address: "-p 2222 club.example.org",
			Origin: lobby.Origin{Net: "10.1.1.1", Terminal: "xterm"}, Out: c},
		In: c.keys, Term: "xterm-256color", Size: ui.Size{Width: w, Height: h},
		Resizes: c.sizes,
	}
	if key != nil {
		a, err := club.Account(ctx, *key)
		if !errors.Is(err, lobby.ErrNotFound) {
			require.NoError(t, err)
		}
		s.Account, s.Origin.Key = a, *key
	}
	for _, f := range change {
		f(&s)
	}
	go func() {
		c.ended <- ui.Run(ctx, &s)
	}()
	t.Cleanup(func() {
		hang()
	})
	return c
}

// Write receives what the club draws.
func (c *terminal) Write(p []byte) (int, error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.raw.Write(p)
	n, err := c.screen.Write(p)
	close(c.changed)
	c.changed = make(chan struct{})
	return n, err
}

// keyboard is input: each string that is pressed is read at once.
type keyboard struct {
	ready chan struct{}

	mu    sync.Mutex
	typed []string
	over  bool
}

func newKeyboard() *keyboard { return &keyboard{ready: make(chan struct{}, 1)} }

func (k *keyboard) Ready() <-chan struct{} { return k.ready }

func (k *keyboard) Read(p []byte) (n int, err error) {
	k.mu.Lock()
	defer k.mu.Unlock()
	if len(k.typed) == 0 {
		return 0, io.EOF
	}
	n = copy(p, k.typed[0])
	if k.typed[0] = k.typed[0][n:]; k.typed[0] == "" {
		k.typed = k.typed[1:]
	}
	k.tell()
	return n, nil
}

func (k *keyboard) press(key string) {
	k.mu.Lock()
	defer k.mu.Unlock()
	k.typed = append(k.typed, key)
	k.tell()
}

func (k *keyboard) hangUp() {
	k.mu.Lock()
	defer k.mu.Unlock()
	k.over = true
	k.tell()
}

// tell signals if there is input. Called with mu held.
func (k *keyboard) tell() {
	if len(k.typed) > 0 || k.over {
		select {
		case k.ready <- struct{}{}:
		default:
		}
	}
}

// press sends keys as a terminal does.
func (c *terminal) press(keys ...string) {
	c.t.Helper()
	codes := map[string]string{"enter": "\r", "tab": "\t", "down": "\x1b[B", "up": "\x1b[A", "left": "\x1b[D", "right": "\x1b[C",
		"ctrl+c": "\x03", "esc": "\x1b", "backspace": "\x7f"}
	for _, k := range keys {
		if code, ok := codes[k]; ok {
			k = code
		}
		c.keys.press(k)
	}
}

// sees waits until the screen shows all these texts.
func (c *terminal) sees(texts ...string) {
	c.t.Helper()
	c.until(strings.Join(texts, ", "), func(screen string) bool {
		for _, s := range texts {
			if !strings.Contains(screen, s) {
				return false
			}
		}
		return true
	})
}

// sheds waits until the screen no longer shows a text.
func (c *terminal) sheds(s string) {
	c.t.Helper()
	c.until("no "+s, func(screen string) bool { return !strings.Contains(screen, s) })
}

func (c *terminal) until(what string, ok func(screen string) bool) {
	c.t.Helper()
	late := time.After(patience)
	for {
		c.mu.Lock()
		screen, changed := c.screen.String(), c.changed
		c.mu.Unlock()
		if ok(screen) {
			return
		}
		select {
		case <-changed:
		case <-late:
			require.FailNow(c.t, "never seen: "+what, screen)
		}
	}
}

// leaves waits for the end of the session, and returns everything that was written.
func (c *terminal) leaves() string {
	c.t.Helper()
	select {
	case err := <-c.ended:
		require.NoError(c.t, err)
	case <-time.After(patience):
		require.FailNow(c.t, "the session does not end")
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.raw.String()
}

var cleo = lobby.KeyID{99}

// enter is the first visit of cleo, up to the lobby.
func enter(t *testing.T, club *clubtest.Club, w, h int) *terminal {
	t.Helper()
	return enterAt(t, club, w, h, "Nobody has said anything yet")
}

// enterAt is enter, for sizes at which the lobby says something else.
func enterAt(t *testing.T, club *clubtest.Club, w, h int, lobby string) *terminal {
	t.Helper()
	c := sit(t, club, &cleo, w, h)
	c.sees("domino club", "You can have this name")
	c.press("enter")
	c.sees(lobby)
	return c
}

// A long name is cut so that the tabs stay whole.
func TestALongNameLeavesTheTabsWhole(t *testing.T) {
	for w, name := range map[int]string{76: "bartho", 80: "bartholome", 120: "bartholomewsmith"} {
		c := sit(t, clubtest.Open(t), &cleo, w, 24, func(s *ui.Session) { s.User = "bartholomewsmith" })
		c.sees("You can have this name")
		c.press("enter")
		c.sees("5 Rules   6 Settings  ", " "+name)
		c.press("6")
		c.sees("5 Rules   6 Settings  ", " "+name)
	}
}

func TestFirstVisitChoosesALookThatStays(t *testing.T) {
	club := clubtest.Open(t)
	c := sit(t, club, &cleo, 80, 24)
	c.sees("cleo", "You can have this name")
	c.press("down")
	c.sees("▸ Tiles")
	c.press("right", "right") // ascii: also this page
	c.sees("> Tiles", "> ascii")
	c.press("down", "right", "enter")
	c.sees("1 Lobby", "cleo", ">Tables 0 ---")
	c.press("ctrl+c")
	c.leaves()
	a, err := club.Account(context.Background(), cleo)
	require.NoError(t, err)
	require.Equal(t, lobby.Settings{Faces: "ascii", Theme: "dark"}, a.Settings)

	c = sit(t, club, &cleo, 80, 24)
	c.sees("1 Lobby", ">Tables 0 ---")
	require.NotContains(t, c.raw.String(), "domino club", "one is greeted once")
}

func TestNumbersTabAndQLeadFromPageToPage(t *testing.T) {
	c := enter(t, clubtest.Open(t), 80, 24)
	c.press("3")
	c.sees("[Teams]", "All time")
	c.press("tab")
	c.sees("All games")
	c.press("5")
	c.sees("[azneef]")
	c.press("q")
	c.sees("▸Tables")
	c.press("n")
	c.sees("New table", "Who may sit")
	c.press("q")
	c.sees("▸Tables")
	c.press("?")
	c.sees("Keys: Lobby", "only free seats", "tables, chat, people, news", "leave the club")
	c.press("esc")
	c.sees("▸Tables")
	c.press("q", "q") // once too often
	c.sees("▸Tables")
	c.press("q")
	c.sees("Leave the club? y or n")
	c.press("n")
	c.sheds("Leave the club?")
	c.press("q", "y")
	c.leaves()
}

// Digits open pages from everywhere, except where they choose tiles, seats or tables.
func TestDigitsLeadFromPagesWithoutATab(t *testing.T) {
	c := enter(t, clubtest.Open(t), 80, 24)
	for key, sees := range map[string]string{"n": "Who may sit", "C": "Nothing is planned", "A": "No arena is planned",
		"L": "No league or cup is planned", "d": "[The deal]"} {
		c.press(key)
		c.sees(sees)
		c.press("3")
		c.sees("[Teams]", "All time")
		c.press("1")
		c.sees("▸Tables")
	}
}

// A number pressed at a table or in a form leads away, and q leads back.
func TestQLeadsBackToATableOrForm(t *testing.T) {
	c := enter(t, clubtest.Open(t), 80, 24)
	c.press("n")
	c.sees("Who may sit")
	c.press("1")
	c.sees("▸Tables")
	c.press("q")
	c.sees("Who may sit")
	c.press("enter")
	c.sees("Ready? Press Space.")
	c.press("5")
	c.sees("[your table]")
	c.press("q")
	c.sees("Ready? Press Space.")
	c.press("1")
	c.sees("▸Tables")
	c.press("q", "y")
	c.leaves()
}

func TestAllKeysAreShownInSmallWindows(t *testing.T) {
	c := enterAt(t, clubtest.Open(t), 40, 12, "No tables yet")
	c.press("?")
	c.sees("Type to find a key", "quick play")
	c.press("l", "e", "a", "v", "e")
	c.sees("Find: leave_", "leave the club")
	c.press("esc")
	c.sees("No tables yet")
}

// Typing filters the list of keys, and Enter runs the chosen entry. Keys without a use there work as always.
func TestTheListOfKeysRunsThem(t *testing.T) {
	c := enter(t, clubtest.Open(t), 80, 24)
	c.press("?")
	c.sees("Keys: Lobby", "quick play", "Standings")
	c.press("s", "t", "a", "n", "d", "i")
	c.sees("Find: standi_")
	c.sheds("quick play")
	c.press("enter")
	c.sees("[Teams]", "All time")
	c.press("?", "z", "z", "z")
	c.sees("No match. Backspace.")
	c.press("backspace", "backspace", "backspace", "4", "enter")
	c.sees("All games")
	c.press("?")
	c.sees("Type to find a key")
	c.press("tab")
	c.sees("[azneef]")
	c.press("1")
	c.sees("▸Tables")
	c.press("?", "?")
	c.sees("[azneef]")
	c.press("q")
	c.sees("▸Tables")
	c.press("?", "down", "up", "n", "e", "w", " ", "t", "enter")
	c.sees("New table", "Who may sit")
}

// The rulebook opens at the rules of the new table, whose form comes back as it was left.
func TestTheRulebookBesideANewTable(t *testing.T) {
	c := enter(t, clubtest.Open(t), 80, 24)
	c.press("n")
	c.sees("New table", "Who may sit")
	c.press("down", "down", "4") // seats
	c.press("?", "?")
	c.sees("[your table]")
	c.press("1", "5") // by its number, the page of rules opens at them as well
	c.sees("[your table]")
	c.press("1", "n")
	c.sees("New table", "[4]")
	c.press("tab", "?", "?")
	c.sees("[your table]")
	c.press("q", "tab")
	c.sees("New table", "[4]")
	c.press("down", "5") // on a row without numbers, where digits open pages
	c.sees("house rules")
	c.press("q")
	c.sees("New table", "[4]")
	c.press("5")
	c.sees("house rules")
	c.press("1")
	c.sees("New here?")
	c.press("n")
	c.sees("New table", "[4]")
}

func TestQLeadsBackToThePageOneCameFrom(t *testing.T) {
	club := clubtest.Open(t)
	owner := club.Come("ana")
	_, err := owner.CreateTeam(context.Background(), "Night Owls", "OWL")
	require.NoError(t, err)
	c := enter(t, club, 80, 24)
	c.press("2")
	c.sees("Night Owls", "Captain")
	c.press("enter")
	c.sees("Roster")
	c.press("q")
	c.sees("Captain", "2 Teams")
}

func TestInvitationsAreMarkedUntilTheyAreAnswered(t *testing.T) {
	ctx := context.Background()
	club := clubtest.Open(t)
	owner := club.Come("ana")
	_, err := owner.CreateTeam(ctx, "Night Owls", "OWL")
	require.NoError(t, err)
	c := enter(t, club, 80, 24)
	c.sees(" 2 Teams   3 Standings")
	require.NoError(t, owner.Invite(ctx, "cleo"))
	c.sees("ana invites you", " 2 Teams • 3 Standings")
	c.press("ctrl+c")
	c.leaves()

	for _, size := range [][2]int{{80, 24}, {60, 24}, {40, 12}} {
		c = sit(t, club, &cleo, size[0], size[1])
		mark := " 2 Teams • 3 Standings"
		if size[0] < 76 {
			mark = "• 2 Teams"
		}
		c.sees(mark, "The team Night Owls [OWL] invites you")
		c.press("down") // takes away what was said on entering
		if size[1] < 20 {
			c.sheds("invites you")
		}
		c.sees(mark)
		if size[1] >= 20 {
			c.press("4")
			c.sees("All games", mark, "The team Night Owls [OWL] invites you")
		}
		c.press("ctrl+c")
		c.leaves()
	}
	c = sit(t, club, &cleo, 80, 24)
	c.sees("•")
	c.press("2")
	c.sees("decline")
	c.press("d", "1")
	c.sees("People 2")
	c.sheds("•")
}

func TestWhatIsTypedIsNoKeyOfTheClub(t *testing.T) {
	c := enter(t, clubtest.Open(t), 80, 24)
	c.press("t")
	c.sees("Say to everybody")
	c.press("q 2 ? ")
	c.sees("Say q 2 ?", "enter send")
	c.press("\x1b[200~\x03pasted\r2\x1b[201~")
	c.sees("Say q 2 ? pasted 2")
	c.press("enter")
	c.sees("cleo  q 2 ? pasted 2")
}

func TestRefusalsStandAtTheFoot(t *testing.T) {
	c := enter(t, clubtest.Open(t), 80, 24)
	c.press("j")
	c.sees("Code of a table")
	c.press("ZZZZ", "enter")
	c.sees(string(lobby.ErrNoCode))
	c.press("down") // the next key takes it away
	c.sheds(string(lobby.ErrNoCode))
}

func TestSmallWindows(t *testing.T) {
	c := enter(t, clubtest.Open(t), 80, 24)
	c.resize(30, 8)
	c.sees("needs 40×12", "30×8")
	c.resize(40, 12)
	c.sees("Tables", "No tables yet")
	c.resize(120, 40)
	c.sees("People 1", "No news yet")
	c.resize(30, 8)
	c.sees("needs 40×12")
	c.press("ctrl+c")
	c.leaves()
}

func (c *terminal) resize(w, h int) {
	c.mu.Lock()
	c.screen.Resize(w, h)
	c.mu.Unlock()
	select {
	case c.sizes <- ui.Size{Width: w, Height: h}:
	case <-time.After(patience):
		require.FailNow(c.t, "nobody takes the new size")
	}
}

func TestGuestsAreToldWhatTheyMiss(t *testing.T) {
	c := sit(t, clubtest.Open(t), nil, 80, 24)
	c.sees("guest-", "New here?")
	c.press("6")
	c.sees("You're a guest", "ssh-keygen")
}

func TestCommandLineLeadsToTheTable(t *testing.T) {
	club := clubtest.Open(t)
	tab, err := club.Come("ana").NewTable(context.Background(), table.DefaultConfig())
	require.NoError(t, err)
	c := sit(t, club, nil, 80, 24, func(s *ui.Session) { s.Start = page.Target{Kind: page.Table, Table: tab.ID()} })
	c.sees("Table 1: classic")
	c.press("q")
	c.sees("1 Lobby", "ana : free")
}

func TestLastWordOfAnOperator(t *testing.T) {
	club := clubtest.Open(t)
	op := sit(t, club, nil, 80, 24, func(s *ui.Session) { s.Origin.Operator = true })
	c := enter(t, club, 80, 24)
	op.sees("cleo")
	op.press("t")
	op.sees("Say to everybody")
	op.press("/announce Tea at five", "enter")
	c.sees("Tea at five")
	op.press("/kick cleo good night", "enter")
	require.Contains(t, c.leaves(), "An operator has ended your session: good night")
	op.sees("cleo has been disconnected.", "People 1")
}

// However a session ends, the person has left the club, the terminal is restored, and no goroutine is left.
func TestEndsLeaveNothing(t *testing.T) {
	club := clubtest.Open(t)
	watcher := club.Come("ana")
	before := goleak.IgnoreCurrent()
	for name, end := range map[string]func(c *terminal){
		"q":      func(c *terminal) { c.press("q", "y") },
		"ctrl+c": func(c *terminal) { c.press("ctrl+c") },
		"ctrl+d": func(c *terminal) { c.press("\x04") },
		"hangup": func(c *terminal) { c.hang() },
		"eof":    func(c *terminal) { c.keys.hangUp() },
	} {
		t.Run(name, func(t *testing.T) {
			c := sit(t, club, nil, 80, 24)
			c.sees("1 Lobby")
			end(c)
			raw := c.leaves()
			require.Greater(t, strings.LastIndex(raw, "\x1b[?1049l"), strings.LastIndex(raw, "\x1b[?1049h"), "the screen before is back")
			require.Eventually(t, func() bool { return len(watcher.Snapshot().People) == 1 }, patience, time.Millisecond)
		})
	}
	require.EventuallyWithT(t, func(c *assert.CollectT) { assert.NoError(c, goleak.Find(before)) }, patience, time.Millisecond)
}

// The session's Moved is called with each page the person goes to.
func TestASessionIsToldWhereThePersonIs(t *testing.T) {
	club := clubtest.Open(t)
	_, err := club.Come("ana").NewTable(context.Background(), table.DefaultConfig())
	require.NoError(t, err)
	told := make(chan page.Target, 100)
	c := sit(t, club, nil, 80, 24, func(s *ui.Session) {
		s.Start = page.Target{Kind: page.Table, Table: 1}
		s.Moved = func(to page.Target) { told <- to }
	})
	c.sees("Table 1: classic")
	require.Equal(t, page.Target{Kind: page.Table, Table: 1}, <-told)
	c.press("q")
	c.sees("1 Lobby", "ana : free")
	require.Equal(t, page.Target{Kind: page.Lobby}, <-told)
	require.Empty(t, told)
}

// A table is joined once: Moved hears of it before there is an account, and not after it was joined.
func TestTheTableToJoinIsToldBeforeItIsJoined(t *testing.T) {
	club := clubtest.Open(t)
	told := make(chan page.Target, 100)
	asks := func(s *ui.Session) {
		s.Start = page.Target{Kind: page.Table, Join: "1"}
		s.Moved = func(to page.Target) { told <- to }
	}
	c := sit(t, club, &cleo, 80, 24, asks)
	c.sees("You can have this name")
	require.Equal(t, page.Target{Kind: page.Table, Join: "1"}, <-told)
	c.press("enter")
	c.sees("1 Lobby")
	require.Equal(t, page.Target{Kind: page.Lobby}, <-told)
	sit(t, club, nil, 80, 24, asks).sees("1 Lobby")
	require.Equal(t, page.Target{Kind: page.Lobby}, <-told)
	require.Empty(t, told)
}
