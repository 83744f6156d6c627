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

	past   past
	all    page.List[row]
	one    *lobby.Duplicate
	fault  string // why there is nothing to see
	load   page.Question
	line   page.Input // the words for a new match, or with arena for a new duplicate arena
	arena  bool
	scroll page.Cursor
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
	if cmd, ok := p.line.Handle(msg, p.make); ok {
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
		return p, p.key(msg)
	}
	return p, nil
}

var (
	keyOpen   = page.Bind("enter", "open", "enter")
	keyNew    = page.Bind("n", "new match", "n")
	keyArena  = page.Bind("N", "new duplicate arena", "N")
	keyPlay   = page.Bind("enter", "go to your table", "enter")
	keyA      = page.Bind("a", "join team A", "a")
	keyB      = page.Bind("b", "join team B", "b")
	keyLeave  = page.Bind("x", "leave", "x")
	keyStart  = page.Bind("s", "start with masters", "s")
	keyFirst  = page.Bind("f", "replay table 1", "f")
	keySecond = page.Bind("s", "replay table 2", "s")
	keyMake   = page.Bind("enter", "make it", "enter")
)

// keys are those of the page as it is.
func (p *Page) keys() []key.Binding {
	switch {
	case p.line.Active():
		return []key.Binding{keyMake, page.KeyCancel}
	case p.id == 0:
		open := keyOpen
		open.SetEnabled(p.all.Chosen() != nil)
		if p.club.Player().ID.Guest() {
			return []key.Binding{open, page.KeyMove}
		}
		return []key.Binding{open, keyNew, keyArena, page.KeyMove}
	case p.one == nil:
		return nil
	}
	var keys []key.Binding
	d, me := p.one, p.club.Player()
	team, _ := d.Place(me.ID)
	switch {
	case d.Over:
		for i, b := range []key.Binding{keyFirst, keySecond} {
			if d.Games[i].Game != 0 {
				keys = append(keys, b)
			}
		}
	case d.Begun:
		if p.table() != 0 {
			keys = append(keys, keyPlay)
		}
	case team == 0 && me.ID.Guest():
	case team == 0:
		for i, b := range []key.Binding{keyA, keyB} {
			if len(d.Teams[i]) < duplicate.Size {
				keys = append(keys, b)
			}
		}
	default:
		keys = append(keys, keyLeave)
	}
	if !d.Begun && !d.Over && d.By == me.Name {
		keys = append(keys, keyStart)
	}
	keys = append(keys, page.KeyScroll)
	if !d.Begun && !d.Over && p.club.MayCallOff(d.By) {
		keys = append(keys, page.KeyOff)
	}
	return keys
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

func (p *Page) key(msg tea.KeyPressMsg) tea.Cmd {
	club, id, keys := p.club, p.id, p.keys()
	may := func(b key.Binding) bool { return page.Pressed(msg, b, keys) }
	switch {
	case id == 0 && may(keyOpen):
		return p.open()
	case id == 0 && may(keyNew):
		p.write(false, matchExample)
	case id == 0 && may(keyArena):
		p.write(true, arenaExample)
	case id == 0:
		p.all.Key(msg)
	case p.one == nil:
	case may(keyPlay):
		return page.Open(page.Target{Kind: page.Table, Table: p.table()})
	case may(keyFirst):
		return page.Open(page.Target{Kind: page.Replay, Game: p.one.Games[0].Game})
	case may(keySecond):
		return page.Open(page.Target{Kind: page.Replay, Game: p.one.Games[1].Game})
	case may(keyA):
		return p.env.DoAndSay(func(ctx context.Context) error { return club.EnterDuplicate(ctx, id, duplicate.A) }, "You play for team A; your game opens by itself.")
	case may(keyB):
		return p.env.DoAndSay(func(ctx context.Context) error { return club.EnterDuplicate(ctx, id, duplicate.B) }, "You play for team B; your game opens by itself.")
	case may(keyLeave):
		return p.env.DoAndSay(func(ctx context.Context) error { return club.LeaveDuplicate(ctx, id) }, "You're out.")
	case may(page.KeyOff):
		return page.AskOff()
	case may(keyStart):
		return p.env.DoAndSay(func(ctx context.Context) error { return club.StartDuplicate(ctx, id) }, "The match begins.")
	default:
		body := len(p.body())
		top := p.scroll.Top
		p.scroll.At = top
		if p.scroll.Move(msg, max(body-p.room(), 0)+1, 1) {
			p.scroll.Top = p.scroll.At
		}
	}
	return nil
}

// write lets the words for a new match or duplicate arena be typed.
func (p *Page) write(arena bool, example string) {
	p.arena, p.line = arena, page.NewInput(prompt, example, longestWords)
	p.line.Focus()
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
	return page.Chrome{Title: p.title(), Keys: p.keys(), Typing: p.line.Active(), Cursor: p.line.FootCursor(p.env.Theme, p.Size)}
}
