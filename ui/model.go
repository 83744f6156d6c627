package ui

import (
	"context"
	"slices"
	"sync"
	"time"

	"charm.land/bubbles/v2/key"
	tea "charm.land/bubbletea/v2"
	"github.com/charmbracelet/colorprofile"
	"golang.org/x/time/rate"

	"boneyard/lobby"
	"boneyard/table"
	"boneyard/ui/page"
	"boneyard/ui/screen"
	"boneyard/ui/theme"
	"boneyard/ui/welcome"
)

// model is the root: it holds the page that is shown, draws the frame around it, and opens the next one. It
// handles one message at a time: news on the goroutine that brings it, all else on the program's.
type model struct {
	mu   sync.Mutex // held by Init, Update and View, by which all others are called
	over bool       // the session has ended, and nothing changes any more

	session *Session
	env     *page.Env
	screen  *screen.Screen
	profile colorprofile.Profile

	visit         visitHolder
	width, height int
	page          page.Page
	number        int // of the page, counting those that the session has opened; an answer finds its page by it
	at            page.Target
	reported      page.Target // the last target passed to session.Moved
	reportedAny   bool
	history       []visited
	row           int         // to be chosen on the page once it has rows; 0 if none
	form          page.Target // the page of a new table as it was left
	rules         string      // of the table, game or form that was open last; the rulebook opens at them
	arrived       bool        // the session has reached its first page
	early         []tea.Msg   // keys that were typed before that
	drawn         bool        // a frame has been shown
	header        header      // as it was drawn last,
	headed        string      // and its line
	pressed       bool        // the next frame follows from a key or the mouse
	keyFrames     *rate.Limiter
	late          *time.Timer // draws the frame that was skipped; nil if none was
	help          help
	prompt        *lobby.Prompt // what the person is asked; nil if nothing
	rung          *lobby.Prompt // the last prompt that rang the bell: it may come back when a seat is free again
	promptAt      time.Time     // since when the prompt has been shown where it can be answered; zero if it is not
	awaited       []table.ID    // tables that wait for the person's move
	asking        string        // a question that waits for y or n before the page is left
	then          tea.Msg
	toast         page.Toast
	toastAt       time.Time
	rings         string      // the note that is the window's title while it is shown; empty if none
	noted         int         // the number of the newest note that has been shown
	reminded      bool        // the person has seen the invitations that waited when the session began
	tick          *time.Timer // sends the page's next tick; nil before the first
	tickAt        time.Time   // when the next tick is due; zero if none is

	settings    lobby.Settings
	groundAsked bool // the terminal has been asked for its background
	lightGround bool
	listener    *listener
	how         table.Presence // how the person left
	goodbye     string         // the last line, printed after the terminal is restored
	trap        *trap
	stopTicker  func()        // ends Bubble Tea's ticker, which drives nothing here
	send        func(tea.Msg) // passes on a message; called off the program's goroutine, without mu
}

// maxEarly is the most keys that are kept until there is a page.
const maxEarly = 64

// kickedMsg ends the session with a last line.
type kickedMsg struct{ text string }

// doMsg is something that the model does once it is its turn, such as what follows from a timer.
type doMsg func() tea.Cmd

// visited is a page to which q goes back, and its row that was chosen.
type visited struct {
	page.Target
	row int
}

func newModel(ctx context.Context, s *Session, scr *screen.Screen) *model {
	t := &trap{}
	m := &model{
		session: s, screen: scr, profile: theme.Detect(s.Term, s.Env), listener: newListener(t), trap: t, how: table.Disconnected,
		width: s.Size.Width, height: s.Size.Height, keyFrames: rate.NewLimiter(keyFrameRate, keyFrameBurst),
	}
	size := clampSize(tea.WindowSizeMsg{Width: m.width, Height: m.height})
	m.width, m.height = size.Width, size.Height
	m.env = &page.Env{
		Context: ctx, Address: s.Address, Now: time.Now, Copy: scr.Copy, Bell: scr.Bell, Wake: m.waker(), Restyle: m.look,
		Figures: s.Figures, Version: s.Version, Marked: slices.Contains(s.Env, page.ShowVersions),
	}
	if s.Account != nil {
		m.settings = s.Account.Settings
	}
	m.env.Theme = styleFor(m.settings, m)
	return m
}

func (m *model) size() tea.WindowSizeMsg {
	m.mu.Lock()
	defer m.mu.Unlock()
	return tea.WindowSizeMsg{Width: m.width, Height: m.height}
}

// Init enters the club, or asks for a name on the first visit.
func (m *model) Init() (cmd tea.Cmd) {
	m.mu.Lock()
	defer m.mu.Unlock()
	defer m.trap.guard()
	quiet := func() tea.Msg {
		m.stopTicker()
		return nil
	}
	return m.trap.cmd(tea.Batch(quiet, m.begin()))
}

// Update handles a message, then sets the timer for the page's next tick.
func (m *model) Update(msg tea.Msg) (next tea.Model, cmd tea.Cmd) {
	next = m
	m.mu.Lock()
	defer m.mu.Unlock()
	defer m.trap.guard()
	if m.over {
		return m, nil
	}
	cmd = m.update(msg)
	if p, ok := m.page.(page.Rowed); ok && m.row > 0 && p.Choose(m.row) {
		m.row = 0
	}
	if m.env.Visit == nil {
		return m, m.trap.cmd(cmd)
	}
	if m.pressed && m.page != nil {
		m.moved(m.here())
	}
	m.clock()
	return m, m.trap.cmd(cmd)
}

// waker returns what pages call when they have something new to show. It runs on the screen's own goroutine:
// waking another one first would double the cost, and updates that come while the terminal is busy are drawn
// once.
func (m *model) waker() func() {
	woken := func() { m.send(page.WokenMsg{}) }
	return func() { m.screen.Prepare(woken) }
}

// clock sets the timer to the page's next tick, unless an earlier one is due. A command that waits would take
// a goroutine in each session with a clock.
func (m *model) clock() {
	c, ok := m.page.(page.Clock)
	if !ok {
		return
	}
	now := time.Now()
	next := c.NextTick(now)
	if next.IsZero() || !m.tickAt.IsZero() && m.tickAt.After(now) && !m.tickAt.After(next) {
		return
	}
	m.tickAt = next
	in := max(next.Sub(now), time.Millisecond)
	if m.tick == nil {
		m.tick = time.AfterFunc(in, func() { m.send(page.TickMsg{Now: time.Now()}) })
		return
	}
	m.tick.Reset(in)
}

func (m *model) update(msg tea.Msg) tea.Cmd {
	switch msg.(type) {
	case tea.KeyPressMsg, tea.MouseMsg, tea.PasteMsg:
		m.pressed, m.row = true, 0
		if m.env.Visit != nil {
			m.env.Visit.Active()
		}
		if k, ok := msg.(tea.KeyPressMsg); m.small() && !(ok && key.Matches(k, keyQuit)) {
			return nil // it was meant for a page that is not visible
		}
	}
	switch msg := msg.(type) {
	case tea.WindowSizeMsg:
		m.width, m.height = msg.Width, msg.Height
		m.screen.Repaint()
		m.resizePage()
		return nil
	case tea.BackgroundColorMsg:
		m.lightGround = !msg.IsDark()
		m.restyle()
		return nil
	case welcome.RegisteredMsg:
		return m.enter(msg.Account, true)
	case kickedMsg:
		m.goodbye = msg.text
		return m.leave()
	case doMsg:
		return msg()
	case answerMsg:
		return m.answer(msg)
	case page.TickMsg:
		if !m.tickAt.After(msg.Now) {
			m.tickAt = time.Time{}
		}
		return m.forward(msg)
	case page.ClubUpdateMsg:
		m.heed()
		return tea.Batch(m.note(), m.forward(msg))
	case page.Then:
		return m.addressed(msg())
	case page.GotoMsg:
		return m.open(msg.To, !msg.Replace)
	case page.BackMsg:
		return m.back()
	case page.Toast:
		m.say(msg)
		return nil
	case page.AskMsg:
		m.asking, m.then = msg.Question, msg.Then
		return nil
	case tea.KeyPressMsg:
		return m.key(msg)
	case tea.PasteMsg:
		if m.help.open || m.asking != "" {
			return nil // it would be typed where nobody sees it
		}
	case tea.MouseWheelMsg:
		return m.wheel(msg)
	case tea.MouseClickMsg:
		if m.help.open || m.asking != "" || msg.Button != tea.MouseLeft || m.page == nil {
			return nil
		}
		m.toast = page.Toast{}
		if i := m.header.at(msg.X); i >= 0 && msg.Y == 0 && !m.typing() {
			return m.openTab(i)
		}
		x, y, on := m.onPage(msg.X, msg.Y)
		if !on {
			return nil
		}
		return m.addressed(page.Click(m.page, x, y))
	}
	return m.forward(msg)
}

func (m *model) forward(msg tea.Msg) tea.Cmd {
	if m.page == nil {
		return nil
	}
	cmd, leads := page.Give(m.page, msg)
	if leads {
		return m.update(cmd())
	}
	return m.addressed(cmd)
}

// look applies settings at once. Pages call it while they update, so that the last choice wins.
func (m *model) look(s lobby.Settings) {
	m.settings = s
	m.restyle()
}

// restyle applies changed settings; pages see the theme in their Env.
func (m *model) restyle() {
	m.askGround()
	m.env.Theme = styleFor(m.settings, m)
	m.screen.SetMouse(m.settings.Mouse)
	m.screen.Repaint()
	m.resizePage()
}

// note opens the table to which an event calls the person, or shows the newest note that has not been shown.
// On entering, a person without notes sees the invitations that wait.
func (m *model) note() tea.Cmd {
	if !m.typing() && m.page.Chrome().Leaving == "" { // else the call waits
		if id := m.env.Visit.Called(); id != 0 {
			return m.open(page.Target{Kind: page.Table, Table: id}, m.at.Kind != page.Table)
		}
	}
	notes := m.env.Visit.Notes()
	if waits, press := invited(m.env.Visit.Invited()); waits != "" && len(notes) == 0 && !m.reminded {
		m.reminded = true
		m.say(page.Say(waits + press))
		return nil
	}
	if len(notes) == 0 || notes[len(notes)-1].Seq <= m.noted {
		return nil
	}
	last := notes[len(notes)-1]
	asked := m.prompt != nil && last.Text == m.prompt.Note()
	if m.noted = last.Seq; asked || last.Table != 0 && !m.worthMentioning(last.Table) {
		return nil
	}
	m.say(page.Say(last.Text))
	if last.Rings {
		m.rings = last.Text
		m.env.Bell()
		m.screen.Notify(last.Text, m.session.Term)
	}
	return nil
}

func (m *model) say(t page.Toast) {
	at := time.Now()
	m.toast, m.toastAt = t, at
	time.AfterFunc(toastTime, func() {
		m.send(doMsg(func() tea.Cmd {
			if m.toastAt.Equal(at) {
				m.toast = page.Toast{}
			}
			return nil
		}))
	})
}

// open shows a page; if remember is true, the person can go back to the present one.
func (m *model) open(to page.Target, remember bool) tea.Cmd {
	if m.env.Visit == nil {
		return nil
	}
	if m.page != nil {
		m.at = m.here()
		if m.at.Draft != (page.Draft{}) {
			m.form = m.at
		}
		if b, ok := m.page.(page.Ruled); ok {
			m.rules = b.Rules()
		}
	}
	if to == (page.Target{Kind: page.Rules}) {
		to.Rules = m.rules
	}
	form := m.form
	if form.Draft = (page.Draft{}); to == form && form.Kind != "" {
		to = m.form
	}
	m.closePage()
	if remember && m.at.Kind != "" && m.at != to {
		last := visited{Target: m.at}
		if p, ok := m.page.(page.Rowed); ok {
			last.row = p.Row()
		}
		m.history = append(m.history, last)
		if len(m.history) > 32 {
			m.history = m.history[1:]
		}
	}
	if n := len(m.history); !remember && n > 0 && m.history[n-1].Target == to { // q leads on from there
		m.history = m.history[:n-1]
	}
	m.at, m.row, m.help, m.asking = to, 0, help{}, ""
	m.moved(to)
	return m.enterPage(makers[to.Kind](m.env, to))
}

func (m *model) enterPage(p page.Page) tea.Cmd {
	m.page = p
	m.number++
	m.resizePage()
	return m.addressed(p.Init())
}

func (m *model) resizePage() {
	if m.page != nil {
		_, rows := page.Room(max(m.height, page.MinHeight))
		_, w := page.Middle(m.page, max(m.width, page.MinWidth))
		m.page.Resize(w, rows)
	}
}

func (m *model) closePage() {
	if c, ok := m.page.(page.Closer); ok {
		c.Close()
	}
}

func (m *model) back() tea.Cmd {
	var last tea.Cmd
	if f, ok := m.page.(page.OnLeave); ok {
		last = m.addressed(f.OnLeave(true))
	}
	if n := len(m.history); n > 0 {
		to := m.history[n-1]
		m.history = m.history[:n-1]
		opened := m.open(to.Target, false)
		m.row = to.row
		return tea.Batch(last, opened)
	}
	if m.at.Kind != page.Lobby {
		return tea.Batch(last, m.open(page.Target{Kind: page.Lobby}, false))
	}
	return m.leave()
}

func (m *model) leave() tea.Cmd {
	m.how = table.Left
	return tea.Quit
}

// tab returns the index in pages of the page that is shown, or -1 if it has none.
func (m *model) tab() int {
	for i, p := range pages {
		if p.kind == m.at.Kind {
			return i
		}
	}
	return -1
}

// end releases what the session holds, after the program has ended.
func (m *model) end() {
	m.mu.Lock()
	defer m.mu.Unlock()
	defer m.visit.end(m.how)
	defer m.trap.guard()
	m.over = true
	for _, t := range []*time.Timer{m.tick, m.late} {
		if t != nil {
			t.Stop()
		}
	}
	m.closePage()
}

// View shows the frame; Bubble Tea draws nothing itself.
func (m *model) View() tea.View {
	m.mu.Lock()
	defer m.mu.Unlock()
	defer m.trap.guard()
	pressed := m.pressed
	m.pressed = false
	if pressed && m.tooFast() {
		return tea.View{}
	}
	m.show()
	return tea.View{}
}

// A frame costs a hundred times as much as handling its key. Nobody reads so many frames for long; a person
// who scrolls with a script sees the last of those that were skipped.
const (
	keyFrameRate  = 12 // a second
	keyFrameBurst = 40
)

// tooFast reports whether to skip a frame that follows from a key, and then schedules one that shows them
// all. Called with mu held.
func (m *model) tooFast() bool {
	if m.late == nil && m.keyFrames.Allow() {
		return false
	}
	if m.late == nil {
		m.late = time.AfterFunc(time.Second/keyFrameRate, func() {
			m.mu.Lock()
			defer m.mu.Unlock()
			defer m.trap.guard()
			m.late = nil
			m.show()
		})
	}
	return true
}

// show draws and shows the frame. Called with mu held.
func (m *model) show() {
	if m.over {
		return
	}
	if m.page != nil {
		m.settle()
	}
	if f := m.frame(); f != nil {
		m.drawn = true
		m.screen.Show(f)
	}
}
