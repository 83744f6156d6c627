// Package admin has the operators' page: the state of the server, who is here, the tables, the mutes and bans
// in force, reports, the audit log, and suspected rating manipulation. It shows what the club reports and
// sends what an operator types; the club decides what a command does and who may give it.
package admin

import (
	"context"
	"strings"
	"time"

	tea "charm.land/bubbletea/v2"

	"boneyard/lobby"
	"boneyard/ui/page"
	"boneyard/ui/plain"
)

// refreshEvery is how often the page asks for what the club does not report by itself.
const refreshEvery = 2 * time.Second

// suspectEvery is how often the page asks for suspicions, while their list is shown.
const suspectEvery = time.Minute

// How many rows are requested.
const (
	mostRows     = 200 // of reports and of the audit log
	mostSuspects = 50  // suspicions of each kind
)

type list int

const (
	people list = iota
	tables
	sanctions
	reports
	audit
	suspicions

	lists
)

var listNames = [lists]string{"People", "Tables", "Mutes and bans", "Reports", "Audit log", "Suspicions"}

type visit interface {
	Operator() bool
	Snapshot() *lobby.Snapshot
	Sanctions(ctx context.Context) ([]lobby.Sanction, error)
	Reports(ctx context.Context, limit int) ([]lobby.Report, error)
	AuditLog(ctx context.Context, limit int) ([]lobby.AuditEntry, error)
	Suspicions(ctx context.Context, limit int) ([]lobby.Suspicion, error)
	Say(ctx context.Context, line string) (reply string, err error)
}

// Page is the operators' page.
type Page struct {
	page.Listed
	env  *page.Env
	club visit

	figures []page.Figure
	kept    kept
	load    page.Question
	next    time.Time // when the club is next asked
	suspect time.Time // when it is next asked for suspicions
	fault   string    // why it could not answer, empty if it could

	at     list
	lists  [lists]page.List[entry] // the shown one is up to date
	input  page.Input
	answer *page.Answer // to the last command; nil if none is shown
}

// kept is what the club keeps on disk.
type kept struct {
	sanctions []lobby.Sanction
	reports   []lobby.Report
	audit     []lobby.AuditEntry

	suspicions []lobby.Suspicion // as of the last request
	looked     bool              // now
}

var (
	keyList    = page.Bind("←→", "other list", "left", "right", "tab", "shift+tab")
	keyEnter   = page.Bind("enter", "type a command", "enter")
	keyCommand = page.Bind("/", "command", "/")
)

// New returns the page, with the list that a target names.
func New(e *page.Env, v visit, to page.Target) *Page {
	p := &Page{env: e, club: v, at: list(to.PanelOf(int(lists))), input: page.NewInput("", "/mute NAME 30m WHY; /help lists all", 300)}
	p.Sheet = p.sheet
	return p
}

// NextTick returns when the page asks again; only the shown page gets ticks.
func (p *Page) NextTick(time.Time) time.Time {
	if p.load.Waiting() {
		return time.Time{}
	}
	return p.next
}

// Chrome implements [page.Page]. While a command is typed or an answer read, the page gets all keys.
func (p *Page) Chrome() page.Chrome {
	c := page.Chrome{Title: "Operators", Typing: true, Reopen: page.Target{Kind: page.Admin, Panel: int(p.at)}}
	switch {
	case p.answer != nil:
	case p.input.Active():
		c.Cursor = p.input.CursorAt(p.env.Theme, 1, p.inputRow(), p.Width-2)
	default:
		c.Typing = false
	}
	return c
}

func (p *Page) Actions() (does page.Actions) {
	switch {
	case p.answer != nil:
		return p.answer.Actions()
	case p.input.Active():
		return p.input.Actions("run it", p.run)
	}
	turned := func(to int) tea.Cmd {
		p.at = list(to)
		if p.fill(); p.at == suspicions {
			return p.Init()
		}
		return nil
	}
	does.Leaves(keyList, int(p.at), len(p.head())-1, p.tabsWidth(), p.names(), turned)
	does.Move(p.lists[p.at].Len() > 0, page.KeyMove, p.Move)
	if e := p.lists[p.at].Chosen(); e != nil {
		does.Open(e.command != "", keyEnter, func() tea.Cmd { return p.write(e.command) })
	}
	does.Add(true, keyCommand, func() tea.Cmd { return p.write("/") })
	return does
}

// write starts a command line with command.
func (p *Page) write(command string) tea.Cmd {
	p.input.Set(command)
	p.input.Focus()
	return nil
}

// fill updates the shown list. The cursor stays on its row, or at the top, where the newest is.
func (p *Page) fill() {
	l := &p.lists[p.at]
	l.Update(p.entries(), func(a, b *entry) bool { return l.At() > 0 && a.of == b.of })
	p.Fit()
}

func (p *Page) Resize(w, h int) {
	p.Size.Resize(w, h)
	p.answer.Resize(p.env.Theme, w, h)
	p.fill()
}

func (p *Page) Update(msg tea.Msg) tea.Cmd {
	switch msg := msg.(type) {
	case page.ClubUpdateMsg:
		p.fill()
	case page.TickMsg:
		if !msg.Now.Before(p.next) {
			return p.Init()
		}
	case tea.KeyPressMsg:
		if p.answer != nil { // any key closes it
			p.answer = nil
			p.Fit()
			return nil
		}
	}
	p.input.Handle(msg)
	return nil
}

func (p *Page) run(line string) tea.Cmd {
	if line == "" || line == "/" {
		return nil
	}
	if !strings.HasPrefix(line, "/") { // an operator who forgets the slash does not mean to say it to everybody
		line = "/" + line
	}
	say := func(ctx context.Context) (string, error) { return p.club.Say(ctx, line) }
	return page.Get((*page.Env).Call, p.env, say, func(reply string) tea.Cmd {
		if p.answer = page.NewAnswer(p.env.Theme, p.Size, line, reply); p.answer == nil {
			return tea.Batch(page.Send(page.Say(reply)), p.Init())
		}
		return p.Init()
	})
}

// Init requests everything.
func (p *Page) Init() tea.Cmd {
	if p.env.Figures != nil {
		p.figures = p.env.Figures()
	}
	look := p.at == suspicions && !p.env.Now().Before(p.suspect)
	return page.Find(p.load.Once, p.env, func(ctx context.Context) (k kept, err error) {
		if k.sanctions, err = p.club.Sanctions(ctx); err != nil {
			return k, err
		}
		if k.reports, err = p.club.Reports(ctx, mostRows); err != nil {
			return k, err
		}
		if k.audit, err = p.club.AuditLog(ctx, mostRows); err == nil && look {
			k.looked = true
			k.suspicions, err = p.club.Suspicions(ctx, mostSuspects)
		}
		return k, err
	}, p.take)
}

func (p *Page) take(k kept, err error) tea.Cmd {
	p.next, p.fault = p.env.Now().Add(refreshEvery), ""
	switch {
	case err != nil:
		p.fault = plain.Sentence(err)
		return nil
	case k.looked:
		p.suspect = p.env.Now().Add(suspectEvery)
	default:
		k.suspicions = p.kept.suspicions
	}
	p.kept = k
	p.fill()
	return nil
}
