package ui

import (
	"context"
	"strconv"
	"strings"
	"sync"

	tea "charm.land/bubbletea/v2"
	"github.com/charmbracelet/colorprofile"
	"github.com/charmbracelet/x/ansi"

	"boneyard/lobby"
	"boneyard/lobby/event"
	"boneyard/lobby/text"
	"boneyard/table"
	"boneyard/ui/page"
	"boneyard/ui/plain"
	"boneyard/ui/welcome"
)

// enteredMsg says that the person is in the club, or why not.
type enteredMsg struct {
	visit  *lobby.Visit
	err    error
	unkept error // the settings of the first visit could not be kept
}

// begin enters the club, or asks for a name on the first visit.
func (m *model) begin() tea.Cmd {
	m.askGround()
	start := m.session.Start
	if m.session.Key != nil && m.session.Account == nil {
		m.moved(start)
		return m.enterPage(welcome.New(m.env, m.session.Club, m.session.Origin, m.session.User, m.session.Start.where()))
	}
	start.Join, start.New, start.Words = "", false, "" // what is done from here on is done once
	m.moved(start)
	return m.enter(m.session.Account)
}

// moved tells the session where the person is.
func (m *model) moved(to Start) {
	if m.session.Moved != nil && (to != m.told || !m.toldAny) {
		m.told, m.toldAny = to, true
		m.session.Moved(to)
	}
}

// startAt is the Start that leads to a page, or at least back to one's seat or to the lobby.
func startAt(at page.Target) Start {
	switch at.Kind {
	case page.Table:
		return Start{Watch: int64(at.Table)}
	case page.Wall:
		return Start{Wall: true, Event: int64(at.Event)}
	case page.Arena:
		return Start{Event: int64(at.Event)}
	case page.Admin:
		return Start{Admin: true}
	}
	return Start{}
}

// where says where a session goes first, such as "table 8"; empty if to the lobby. A code is not looked up: whoever is not
// in the club yet could try many.
func (s Start) where() string {
	if s.New {
		return "a new table"
	}
	n := s.Watch
	if s.Join != "" {
		var err error
		if n, err = strconv.ParseInt(strings.TrimSpace(s.Join), 10, 64); err != nil {
			return "the private table " + text.Printable(s.Join)
		}
	}
	if n == 0 {
		return ""
	}
	return "table " + strconv.FormatInt(n, 10)
}

// askGround asks the terminal for its background once, if the theme goes by it. Without colours all themes look the same, and
// terminals that have none may be so old that they would show the question.
func (m *model) askGround() {
	if m.settings.Theme == "" && !m.groundAsked && m.profile > colorprofile.ASCII {
		m.groundAsked = true
		m.screen.Ask(ansi.RequestBackgroundColor)
	}
}

// enter lets the person into the club: a member, or a guest without an account.
func (m *model) enter(a *lobby.Account) tea.Cmd {
	club, origin := m.session.Club, m.session.Origin
	return m.env.Call(func(ctx context.Context) tea.Msg {
		v, err := club.Enter(ctx, a, origin)
		m.visit.hold(v)
		return enteredMsg{visit: v, err: err}
	})
}

// enterFirst lets somebody in who is a member now, and has the settings kept that were chosen before there was an account.
func (m *model) enterFirst(a *lobby.Account) tea.Cmd {
	club, origin := m.session.Club, m.session.Origin
	return m.env.Call(func(ctx context.Context) tea.Msg {
		v, err := club.Enter(ctx, a, origin)
		if err != nil {
			return enteredMsg{err: err}
		}
		m.visit.hold(v)
		return enteredMsg{visit: v, unkept: v.SaveSettings(ctx, a.Settings)}
	})
}

// entered takes up the visit.
func (m *model) entered(msg enteredMsg) tea.Cmd {
	if msg.err != nil {
		m.goodbye = plain.Sentence(msg.err)
		return m.leave()
	}
	m.env.Visit = msg.visit
	if m.session.Entered != nil {
		m.session.Entered(msg.visit.Player())
	}
	m.listener.entered <- news{msg.visit.Updates(), msg.visit.Kicked()}
	m.settings = msg.visit.Settings()
	m.restyle()
	if msg.unkept != nil {
		m.say(page.Complain(msg.unkept))
	}
	return m.first()
}

// first opens the first page: the seat one left, a table that was named on the command line, or the lobby.
func (m *model) first() tea.Cmd {
	visit, start := m.env.Visit, m.session.Start
	id, seated := visit.Seat()
	var to page.Target
	switch {
	case start.Admin:
		to = page.Target{Kind: page.Admin}
	case start.Wall:
		to = page.Target{Kind: page.Wall, Event: event.ID(start.Event)}
	case start.Event != 0:
		to = page.Target{Kind: page.Arena, Event: event.ID(start.Event)}
	case start.Watch != 0:
		to = page.Target{Kind: page.Table, Table: table.ID(start.Watch)}
	case seated && start == (Start{}):
		to = page.Target{Kind: page.Table, Table: id}
	}
	if to.Kind != 0 {
		m.history = []page.Target{{Kind: page.Lobby}}
		return m.open(to, false)
	}
	first := m.open(page.Target{Kind: page.Lobby}, false)
	if start.New {
		return tea.Batch(first, m.env.Call(func(ctx context.Context) tea.Msg { return makeTable(ctx, visit, start.Words) }))
	}
	if start.Join == "" {
		return first
	}
	return tea.Batch(first, m.env.Call(func(ctx context.Context) tea.Msg {
		id, err := visit.Join(ctx, start.Join)
		if err != nil {
			return page.Complain(err)
		}
		return page.GotoMsg{To: page.Target{Kind: page.Table, Table: id}}
	}))
}

// makeTable makes a table as words describe it, and leads there.
func makeTable(ctx context.Context, visit *lobby.Visit, words string) tea.Msg {
	cfg, err := plain.ParseTable(strings.Fields(words))
	if err != nil {
		return page.Complain(err)
	}
	made, err := visit.NewTable(ctx, cfg)
	if made == nil {
		return page.Complain(err)
	}
	cmds := []tea.Cmd{page.Open(page.Target{Kind: page.Table, Table: made.ID()})}
	if err != nil { // the table is there, and the seat is not
		cmds = append(cmds, page.Send(page.Complain(err)))
	}
	return tea.Sequence(cmds...)()
}

// visitHolder has the session's visit. It is taken here as soon as the club has given it, so that it is closed even if the line is
// lost before the program hears of it.
type visitHolder struct {
	mu    sync.Mutex
	visit *lobby.Visit
	over  bool
	how   table.Presence
}

func (h *visitHolder) hold(v *lobby.Visit) {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.visit = v
	h.close()
}

func (h *visitHolder) end(how table.Presence) {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.over, h.how = true, how
	h.close()
}

// close is called with mu held.
func (h *visitHolder) close() {
	if h.over && h.visit != nil {
		h.visit.Close(h.how)
	}
}
