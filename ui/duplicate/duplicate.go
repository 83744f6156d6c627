// Package duplicate shows duplicate matches: a list, or who plays where in one and, when it is over, the
// comparison round by round. It asks the club, and must not know the rules of duplicate play.
package duplicate

import (
	"context"
	"strings"

	"charm.land/bubbles/v2/key"
	tea "charm.land/bubbletea/v2"

	"boneyard/lobby/event"
	"boneyard/lobby/event/duplicate"
	"boneyard/lobby/event/field"
	"boneyard/table"
	"boneyard/ui/feature"
	"boneyard/ui/page"
)

type club interface {
	Duplicates() []duplicate.View
	Duplicate(ctx context.Context, id event.ID) (*duplicate.View, error)
	EnterDuplicate(ctx context.Context, id event.ID, team duplicate.Team) error
	StartDuplicate(ctx context.Context, id event.ID) error
	Fields() []field.View
	feature.Maker
	page.Organizer
}

// Page is the list of duplicate matches, or one of them.
type Page struct {
	page.EventPage[duplicate.View]
	club  club
	arena bool // the input is for a new duplicate arena, not a new match
	body  page.Text
}

const longestWords = 120

const (
	prompt       = "Game: "
	matchExample = "classic rounds=6 pace=fast"
	arenaExample = "in=10 classic rounds=6 pace=fast"
)

// New returns the page of a duplicate match, or the list of all if id is 0.
func New(e *page.Env, c club, id event.ID) *Page {
	p := &Page{club: c}
	match, arena := page.Keyed(": press %s to make one", keyNew), page.Keyed(": %s makes one", keyArena)
	if c.Player().ID.Guest() {
		match, arena = "", ". Members can make both"
	}
	p.Begin(e, id, page.NewInput(prompt, matchExample, longestWords), page.EventOf[duplicate.View]{
		Club: c, Find: c.Duplicate, Take: func() {}, Acts: p.acts, Sheet: p.sheet, List: p.list, More: p.more, Typed: true,
		Does: "make it", Enter: p.make,
		Kinds: []event.Kind{duplicate.Kind, field.Kind},
		Title: func() string { return p.Titled("Duplicate matches", "Duplicate match") },
		None: "No duplicate match is open. Two teams of up to four play the same deals at two tables" + match +
			". In a duplicate arena everybody plays the same deals, alone or with a partner, and is compared with all " +
			"who had the same hands" + arena + ".",
	})
	return p
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

func (p *Page) more() (does page.Actions) {
	member := !p.club.Player().ID.Guest()
	does.Set(member, keyNew, func() { p.write(false, matchExample) })
	does.Set(member, keyArena, func() { p.write(true, arenaExample) })
	return does
}

func (p *Page) acts() (does page.Actions) {
	club, me, d := p.club, p.club.Player(), p.One
	team, _ := d.Place(me.ID)
	gathers := !d.Begun && !d.Over
	for i, b := range []key.Binding{keyFirst, keySecond} {
		does.Go(d.Over && d.Games[i].Game != 0, b, page.Target{Kind: page.Replay, Game: d.Games[i].Game})
	}
	does.Table(d.Begun && !d.Over, keyPlay, page.ByKey, p.table())
	for i, b := range []key.Binding{keyA, keyB} {
		side := duplicate.Team(i + 1)
		does.Add(gathers && team == 0 && !me.ID.Guest() && len(d.Teams[i]) < duplicate.Size, b,
			p.Do(func(ctx context.Context, id event.ID) error { return club.EnterDuplicate(ctx, id, side) },
				"You play for team "+side.String()+"; your game opens by itself."))
	}
	p.Leave(&does, gathers && team != 0, keyLeave, "You're out.")
	does.Add(gathers && d.By == me.Name && d.MayStart(), keyStart, p.Do(club.StartDuplicate, "The match begins."))
	does.Scroll(p.Scrolls(), page.KeyScroll, p.Move)
	return does
}

// table returns where the reader plays; 0 if nowhere.
func (p *Page) table() table.ID {
	team, pair := p.One.Place(p.club.Player().ID)
	if team == 0 {
		return 0
	}
	return p.One.At[int64(duplicate.TableOf(team, pair)+1)]
}

func (p *Page) write(arena bool, example string) {
	p.arena, p.Line = arena, page.NewInput(prompt, example, longestWords)
	p.Line.Focus()
}

func (p *Page) make(typed string) tea.Cmd {
	kind, create := page.Duplicate, feature.NewDuplicate
	if p.arena {
		kind, create = page.Field, feature.NewField
	}
	made := func(ctx context.Context) (event.ID, error) { return create(ctx, p.club, strings.Fields(typed)) }
	return page.Get((*page.Env).Call, p.Env, made, func(id event.ID) tea.Cmd { return page.Open(page.Target{Kind: kind, Event: id}) })
}
