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
	"boneyard/lobby/text"
	"boneyard/table"
	"boneyard/ui/page"
	"boneyard/ui/plain"
	"boneyard/ui/welcome"
)

// begin enters the club, or asks for a name on the first visit.
func (m *model) begin() tea.Cmd {
	m.askGround()
	if m.session.Key != nil && m.session.Account == nil {
		m.moved(m.session.Start) // the session may still start there
		cmd := m.enterPage(welcome.New(m.env, m.session.Club, m.session.Origin, m.session.User, toBeDone(m.session.Start)))
		return tea.Batch(cmd, m.arrive())
	}
	if start := m.session.Start; start.Join == "" && !start.Draft.Make {
		m.moved(start)
	} else {
		m.moved(page.Target{Kind: page.Lobby})
	}
	return m.enter(m.session.Account, false)
}

func (m *model) moved(to page.Target) {
	if m.session.Moved != nil && (to != m.reported || !m.reportedAny) {
		m.reported, m.reportedAny = to, true
		m.session.Moved(to)
	}
}

func (m *model) here() page.Target {
	if t := m.page.Chrome().Reopen; t.Kind != "" {
		return t
	}
	return m.at
}

// toBeDone describes where a session goes first, such as "table 8"; it is empty for a page that anybody may
// see. Codes are not looked up: a person who is not in the club yet could try many.
func toBeDone(to page.Target) string {
	_, err := strconv.Atoi(strings.TrimSpace(to.Join))
	switch {
	case to.Draft.Make:
		return "a new table"
	case to.Join != "" && err != nil:
		return "the private table " + text.Printable(to.Join)
	case to.Join != "":
		return "table " + strings.TrimSpace(to.Join)
	case to.Kind == page.Table:
		return "table " + strconv.FormatInt(int64(to.Table), 10)
	}
	return ""
}

// askGround asks the terminal for its background once, if the theme depends on it. Without colours all themes
// look the same, and terminals without colours may be so old that they would show the request.
func (m *model) askGround() {
	if m.settings.Theme == "" && !m.groundAsked && m.profile > colorprofile.ASCII {
		m.groundAsked = true
		m.screen.Ask(ansi.RequestBackgroundColor)
	}
}

// enter lets the person into the club: a member, or a guest if a is nil. On the first visit it saves the
// settings chosen before there was an account.
func (m *model) enter(a *lobby.Account, first bool) tea.Cmd {
	club, origin := m.session.Club, m.session.Origin
	return m.env.Call(func(ctx context.Context) tea.Msg {
		v, err := club.Enter(ctx, a, origin)
		m.visit.hold(v)
		if err != nil {
			return kickedMsg{plain.Sentence(err)}
		}
		var unkept error
		if first {
			unkept = v.SaveSettings(ctx, a.Settings)
		}
		return doMsg(func() tea.Cmd { return m.entered(v, unkept) })
	})
}

// entered begins a visit; unkept is why the settings of the first one could not be saved.
func (m *model) entered(v *lobby.Visit, unkept error) tea.Cmd {
	m.env.Visit = v
	v.Listen()
	if m.session.Entered != nil {
		m.session.Entered(v.Player())
	}
	m.listener.entered <- news{v.Updates(), v.Kicked()}
	m.settings = v.Settings()
	m.heed()
	m.restyle()
	if unkept != nil {
		m.say(page.Complain(unkept))
	}
	return m.first()
}

// first opens the first page: the one that was asked for, the person's seat, or the lobby. A session that
// joins or makes a table begins in the lobby.
func (m *model) first() tea.Cmd {
	visit, to := m.env.Visit, m.session.Start
	if to.Kind != "" && makers[to.Kind] == nil { // a page of a newer program
		to = page.Target{}
	}
	if id, seated := visit.Seat(); seated && to == (page.Target{}) {
		to = page.Target{Kind: page.Table, Table: id}
	}
	var then tea.Cmd
	switch {
	case to.Draft.Make:
		then = m.env.Call(func(ctx context.Context) tea.Msg { return makeTable(ctx, visit, to.Draft.Words) })
	case to.Join != "":
		then = m.env.Call(func(ctx context.Context) tea.Msg {
			id, err := visit.Join(ctx, to.Join)
			if err != nil {
				return page.Complain(err)
			}
			return page.GotoMsg{To: page.Target{Kind: page.Table, Table: id}}
		})
	}
	lobby := page.Target{Kind: page.Lobby}
	if then != nil {
		return tea.Batch(m.open(lobby, false), tea.Sequence(then, page.Send(doMsg(m.arrive))))
	}
	if to.Kind == "" {
		to = lobby
	}
	if to.Kind != page.Lobby {
		m.history = []visited{{Target: lobby}}
	}
	return tea.Batch(m.open(to, false), m.arrive())
}

// arrive handles the keys that were typed before the first page was there.
func (m *model) arrive() tea.Cmd {
	if m.arrived {
		return nil
	}
	m.arrived = true
	cmds := text.Each(m.early, page.Send)
	m.early = nil
	return tea.Sequence(cmds...)
}

func makeTable(ctx context.Context, visit *lobby.Visit, words string) tea.Msg {
	cfg, err := plain.ParseTable(strings.Fields(words))
	if err != nil {
		return page.Complain(err)
	}
	made, err := visit.NewTable(ctx, cfg)
	if made == nil {
		return page.Complain(err)
	}
	return page.OpenTable(made.ID(), err, false)()
}

// visitHolder holds the session's visit from the moment the club returns it, so that it is closed even if the
// connection is lost before the program learns of it.
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
