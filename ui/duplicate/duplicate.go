// Package duplicate shows duplicate matches: a list, or who plays where in one and, when it is over, the comparison round by round. It asks
// the club, and knows no rule of duplicate play.
package duplicate

import (
	"context"
	"strings"
	"time"

	"charm.land/bubbles/v2/key"
	tea "charm.land/bubbletea/v2"

	"boneyard/lobby"
	"boneyard/lobby/event"
	"boneyard/lobby/event/duplicate"
	"boneyard/lobby/event/field"
	"boneyard/table"
	"boneyard/ui/page"
	"boneyard/ui/plain"
)

// club is what the page asks of the club.
type club interface {
	Player() table.Player
	Duplicates() []lobby.Duplicate
	PastDuplicates(ctx context.Context) ([]lobby.PastDuplicate, error)
	Duplicate(ctx context.Context, id event.ID) (*lobby.Duplicate, error)
	NewDuplicate(ctx context.Context, cfg duplicate.Config) (event.ID, error)
	EnterDuplicate(ctx context.Context, id event.ID, team duplicate.Team) error
	LeaveDuplicate(ctx context.Context, id event.ID) error
	StartDuplicate(ctx context.Context, id event.ID) error
	Fields() []lobby.Field
	PastFields(ctx context.Context) ([]lobby.PastField, error)
	NewField(ctx context.Context, cfg field.Config, begins time.Time) (event.ID, error)
	page.Organizer
}

var _ club = (*lobby.Visit)(nil)

// Page is the list of duplicate matches, or one of them.
type Page struct {
	page.Size
	env  *page.Env
	club club
	id   event.ID // 0: the list

	past  past
	all   page.List[row]
	one   *lobby.Duplicate
	fault string // why there is nothing to see
	load  page.Question
	line  page.Input // the words for a new match, or with arena for a new duplicate arena
	arena bool
	top   int // the first line of the match that is seen
}

// past is what is over.
type past struct {
	matches []lobby.PastDuplicate
	arenas  []lobby.PastField
}

// row is a match or a duplicate arena in the list.
type row struct {
	id                event.ID
	name, state, says string
	kind              page.Kind
	ended             time.Time // zero for one that is not over
}

var _ page.Page = (*Page)(nil)

type madeMsg struct {
	kind page.Kind
	id   event.ID
}

// longestWords is how many characters the description of a new match may have.
const longestWords = 120

const (
	prompt       = "Game: "
	matchExample = "classic rounds=6 pace=fast"
	arenaExample = "in=10 classic rounds=6 pace=fast"
)

// New returns the page of a duplicate match, or with 0 the list of all.
func New(e *page.Env, id event.ID) page.Page { return newPage(e, e.Visit, id) }

func newPage(e *page.Env, c club, id event.ID) *Page {
	return &Page{env: e, club: c, id: id, line: page.NewInput(prompt, matchExample, longestWords)}
}

// Init asks for what there is.
func (p *Page) Init() tea.Cmd { return p.look() }

// look takes up how it stands now.
func (p *Page) look() tea.Cmd {
	club, id := p.club, p.id
	if id == 0 {
		p.list()
		return page.Find(&p.load, p.env, func(ctx context.Context) (over past, err error) {
			if over.matches, err = club.PastDuplicates(ctx); err == nil {
				over.arenas, err = club.PastFields(ctx)
			}
			return over, err
		})
	}
	return page.Find(&p.load, p.env, func(ctx context.Context) (*lobby.Duplicate, error) { return club.Duplicate(ctx, id) })
}

// Update handles a message.
func (p *Page) Update(msg tea.Msg) (page.Page, tea.Cmd) {
	if cmd, ok := p.line.Handle(msg, p.Actions()); ok {
		return p, cmd
	}
	switch msg := msg.(type) {
	case page.ClubUpdateMsg:
		if p.one == nil || !p.one.Over {
			return p, p.look()
		}
	case page.Found[*lobby.Duplicate]:
		if msg.Take(&p.one, &p.fault) {
			p.Resize(p.Width, p.Height)
		}
	case page.Found[past]:
		if msg.Err == nil {
			p.past = msg.It
			p.list()
		}
	case madeMsg:
		return p, page.Open(page.Target{Kind: msg.kind, Event: msg.id})
	case page.CallOffMsg:
		return p, p.env.CallOff(p.club, duplicate.Kind, p.id)
	case tea.MouseClickMsg:
		if p.id == 0 && p.all.Click(msg.Y) {
			return p, p.open()
		}
	case tea.KeyPressMsg:
		return p, page.Press(p, msg)
	}
	return p, nil
}

var (
	keyNew    = page.Bind("n", "new match", "n")
	keyArena  = page.Bind("N", "new duplicate arena", "N")
	keyPlay   = page.Bind("enter", "go to your table", "enter")
	keyA      = page.Bind("a", "join team A", "a")
	keyB      = page.Bind("b", "join team B", "b")
	keyLeave  = page.Bind("x", "leave", "x")
	keyStart  = page.Bind("s", "start with masters", "s")
	keyFirst  = page.Bind("f", "replay table 1", "f")
	keySecond = page.Bind("s", "replay table 2", "s")
)

// Actions implements [page.Page].
func (p *Page) Actions() (does page.Actions) {
	club, id, me := p.club, p.id, p.club.Player()
	switch {
	case p.line.Active():
		return p.line.Actions("make it", p.make)
	case id == 0:
		does.Add(p.all.Chosen() != nil, page.KeyOpen, p.open)
		does.Add(!me.ID.Guest(), keyNew, func() tea.Cmd { return p.write(false, matchExample) })
		does.Add(!me.ID.Guest(), keyArena, func() tea.Cmd { return p.write(true, arenaExample) })
		does.Move(true, page.KeyMove, p.all.Move)
		return does
	case p.one == nil:
		return nil
	}
	d := p.one
	team, _ := d.Place(me.ID)
	gathers := !d.Begun && !d.Over
	for i, b := range []key.Binding{keyFirst, keySecond} {
		does.Go(d.Over && d.Games[i].Game != 0, b, page.Target{Kind: page.Replay, Game: d.Games[i].Game})
	}
	does.Go(d.Begun && !d.Over && p.table() != 0, keyPlay, page.Target{Kind: page.Table, Table: p.table()})
	for i, b := range []key.Binding{keyA, keyB} {
		side := duplicate.Team(i + 1)
		does.Add(gathers && team == 0 && !me.ID.Guest() && len(d.Teams[i]) < duplicate.Size, b, func() tea.Cmd {
			say := "You play for team " + string(rune('A'+i)) + "; your game opens by itself."
			return p.env.DoAndSay(func(ctx context.Context) error { return club.EnterDuplicate(ctx, id, side) }, say)
		})
	}
	does.Add(gathers && team != 0, keyLeave, func() tea.Cmd {
		return p.env.DoAndSay(func(ctx context.Context) error { return club.LeaveDuplicate(ctx, id) }, "You're out.")
	})
	does.Add(gathers && d.By == me.Name, keyStart, func() tea.Cmd {
		return p.env.DoAndSay(func(ctx context.Context) error { return club.StartDuplicate(ctx, id) }, "The match begins.")
	})
	does.Scroll(true, page.KeyScroll, func(pressed string) tea.Cmd {
		p.top = page.Scrolled(pressed, p.top, len(p.body()), p.room())
		return nil
	})
	does.CallOff(club, d.By, !gathers)
	return does
}

// table is where the reader plays, 0 if nowhere.
func (p *Page) table() table.ID {
	team, pair := p.one.Place(p.club.Player().ID)
	if team == 0 {
		return 0
	}
	return p.one.Tables[duplicate.TableOf(team, pair)]
}

// open opens what is chosen in the list.
func (p *Page) open() tea.Cmd {
	r := p.all.Chosen()
	if r == nil {
		return nil
	}
	return page.Open(page.Target{Kind: r.kind, Event: r.id})
}

// write lets the words for a new match or duplicate arena be typed.
func (p *Page) write(arena bool, example string) tea.Cmd {
	p.arena, p.line = arena, page.NewInput(prompt, example, longestWords)
	p.line.Focus()
	return nil
}

// make makes the new match or duplicate arena that was typed.
func (p *Page) make(typed string) tea.Cmd {
	club, now := p.club, p.env.Now()
	if p.arena {
		return p.env.Call(func(ctx context.Context) tea.Msg {
			cfg, begins, err := plain.ParseField(strings.Fields(typed), now)
			if err != nil {
				return page.Complain(err)
			}
			id, err := club.NewField(ctx, cfg, begins)
			if err != nil {
				return page.Complain(err)
			}
			return madeMsg{page.Field, id}
		})
	}
	return p.env.Call(func(ctx context.Context) tea.Msg {
		cfg, err := plain.ParseDuplicate(strings.Fields(typed))
		if err != nil {
			return page.Complain(err)
		}
		id, err := club.NewDuplicate(ctx, cfg)
		if err != nil {
			return page.Complain(err)
		}
		return madeMsg{page.Duplicate, id}
	})
}

// Chrome implements [page.Page].
func (p *Page) Chrome() page.Chrome {
	return page.Chrome{Title: p.title(), Typing: p.line.Active(), Cursor: p.line.FootCursor(p.env.Theme, p.Size)}
}
