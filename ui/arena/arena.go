// Package arena shows the club's arenas: a list, or one with its standings, who plays whom, and how much time
// is left. It asks the club, and must not know the rules of an arena.
package arena

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"

	tea "charm.land/bubbletea/v2"

	"boneyard/lobby/event"
	"boneyard/lobby/event/arena"
	"boneyard/lobby/text"
	"boneyard/rules"
	"boneyard/table"
	"boneyard/ui/page"
	"boneyard/ui/plain"
	"boneyard/ui/theme"
)

type club interface {
	Arenas() []arena.View
	Arena(ctx context.Context, id event.ID) (*arena.View, error)
	page.Organizer
}

// Page is the list of arenas, or one of them.
type Page struct {
	page.EventPage[arena.View]
	club club
	rows page.List[arena.Entrant]
}

var _ page.Clock = (*Page)(nil)

// New returns the page of an arena, or the list of all if id is 0.
func New(e *page.Env, c club, id event.ID) *Page {
	p := &Page{club: c}
	how := page.Keyed(": press %s to make one.", keyNew)
	if c.Player().ID.Guest() {
		how = ". Members can make one."
	}
	p.Begin(e, id, page.NewPartner(), page.EventOf[arena.View]{
		Club: c, Find: c.Arena, Take: p.take, Acts: p.acts, Sheet: p.standing, List: p.list, More: p.more,
		Kinds: []event.Kind{arena.Kind},
		Title: func() string { return p.Titled("Arenas", "Arena") },
		None: "No arena is planned. In an arena you play one game after another, each against whoever is free, until its " +
			"time is over" + how,
	})
	return p
}

// take shows the club's answer; the cursor stays on the same entrant.
func (p *Page) take() {
	at := p.club.Player().ID
	if c := p.rows.Chosen(); p.Moved && c != nil {
		at = c.ID
	}
	p.rows.Set(p.One.Entrants)
	for i := range p.One.Entrants {
		if p.One.Entrants[i].Has(at) {
			p.rows.Choose(i)
		}
	}
}

var (
	keyNew   = page.Bind("n", "new arena", "n")
	keyWatch = page.Bind("enter", "watch", "enter")
	keyEnter = page.Bind("e", "join", "e")
	keyLeave = page.Bind("x", "no more games", "x")
)

func (p *Page) more() (does page.Actions) {
	does.Page(!p.club.Player().ID.Guest(), keyNew, page.NewArena)
	return does
}

func (p *Page) acts() (does page.Actions) {
	mine, runs := p.One.Of(p.club.Player().ID), !p.One.Over
	does.Open(p.table() != 0, keyWatch, func() tea.Cmd { return page.Open(page.Target{Kind: page.Table, Table: p.table()}) })
	p.Enter(&does, p.mayEnter(), keyEnter, p.One.Config.Pairs && mine == nil, "You're in: your games open by themselves.")
	p.Leave(&does, runs && mine != nil && !mine.Away, keyLeave, page.Keyed("You're out; press %s to play on.", keyEnter))
	does.Go(runs, page.KeyWall, page.Target{Kind: page.Wall, Event: p.ID})
	does.Move(p.rows.Len() > 0, page.KeyMove, p.Move)
	return does
}

func (p *Page) mayEnter() bool {
	me := p.club.Player().ID
	mine := p.One.Of(me)
	return p.One.Enters() && (mine == nil || mine.Away) && !me.Guest()
}

// table returns where the chosen entrant plays; 0 if nowhere.
func (p *Page) table() table.ID {
	if c := p.rows.Chosen(); c != nil {
		return p.One.At[c.Game]
	}
	return 0
}

const (
	soon    = 90 * time.Minute // an arena that begins sooner is shown with the minutes until then
	closing = 90 * time.Second // seconds are shown from then on
	narrow  = 70               // columns below which rows have only the name, the score and who plays whom
)

// NextTick returns when the displayed time changes.
func (p *Page) NextTick(now time.Time) time.Time {
	if p.One == nil || p.One.Over {
		return time.Time{}
	}
	at := p.One.Begins
	if p.One.Begun {
		at = p.One.Ends
	}
	left := at.Sub(now)
	if left <= 0 {
		return time.Time{}
	}
	step := time.Minute
	if left <= closing {
		step = 5 * time.Second
	}
	return at.Add(-(left - 1) / step * step)
}

func (p *Page) list() (rows []page.EventRow) {
	for _, a := range p.club.Arenas() {
		name := cmp.Or(a.Config.Name, "Arena "+strconv.FormatInt(int64(a.ID), 10))
		says := p.played(&a) + ", " + text.Number(len(a.Entrants), "player")
		rows = append(rows, page.EventRow{Page: page.Arena, ID: a.ID, Name: name, State: p.time(&a), Says: says})
	}
	return rows
}

func (p *Page) played(a *arena.View) string {
	return rules.Words(a.Config.Rules) + ", " + plain.Pace(a.Config.Pace) + ", " + p.kind(a)
}

func (p *Page) kind(a *arena.View) string {
	kind := "singles"
	if a.Config.Pairs {
		kind = "pairs"
	}
	if a.Config.Battle {
		kind += ", teams"
	}
	if a.Config.Weekly {
		kind += ", weekly"
	}
	return kind
}

func (p *Page) time(a *arena.View) string {
	now := p.Env.Now()
	switch {
	case a.Over:
		return plain.Arenas.Column("STATE").Cell(a)
	case !a.Begun && a.Begins.Sub(now) > soon:
		return "begins " + a.Begins.UTC().Format("2 Jan 15:04") + " UTC"
	case !a.Begun:
		return "begins in " + plain.Time(a.Begins.Sub(now))
	case now.Before(a.Ends):
		return plain.Time(a.Ends.Sub(now)) + " left"
	}
	return "final games"
}

// standing draws one arena. The reader's own row is always on the screen.
func (p *Page) standing() page.Sheet {
	a, t, w := p.One, p.Env.Theme, p.Width
	above := p.State(p.played(a)+"; "+text.Number(a.Played, "game")+" so far", p.time(a))
	me := p.club.Player().ID
	own := slices.IndexFunc(a.Entrants, func(e arena.Entrant) bool { return e.Has(me) })
	if own >= 0 && p.mayEnter() && plain.ArenaState(a, &a.Entrants[own]) == "idle" {
		again := page.Keyed("You did not move. %s joins again.", keyEnter)
		above = append(above, " "+p.Text(theme.Warn, again, w-2))
	}
	if len(a.Teams) > 0 {
		parts := make([]string, 0, len(a.Teams))
		for i, team := range a.Teams {
			parts = append(parts, strconv.Itoa(team.Rank)+" "+t.Paint(theme.Side(i), text.Printable(team.Tag))+" "+strconv.Itoa(team.Score))
		}
		above = append(above, " "+page.PadCut(t, strings.Join(parts, "   "), w-2))
	}
	above = append(above, "", p.row(theme.Muted, page.Usual, false, "", "Name", "Score", "Mean", "Won", "Row", "Plays"))
	if len(a.Entrants) == 0 {
		say := "Nobody has joined yet."
		switch {
		case a.Over:
			say = "Nobody joined."
		case p.mayEnter():
			say = page.Keyed("Nobody has joined yet: press %s.", keyEnter)
		}
		return page.Sheet{Above: append(above, " "+p.Text(theme.Muted, say, w-2))}
	}
	below := ""
	if own >= 0 && !p.rows.Sees(own) {
		below = p.entrant(&a.Entrants[own], false, true)
	}
	return page.Sheet{Above: above, Below: []string{below}, Rows: p.rows.Drawn(func(_ int, e *arena.Entrant, chosen bool) string {
		return p.entrant(e, chosen, e.Has(me))
	})}
}

func (p *Page) entrant(e *arena.Entrant, chosen, own bool) string {
	role, emphasis := theme.Text, page.Usual
	switch {
	case own:
		emphasis = page.Own
	case e.Away:
		role = theme.Faint
	}
	name := e.Name()
	if tag := e.Members[0].Tag; tag != "" {
		name = tag + " " + name
	}
	plays := ""
	switch state := plain.ArenaState(p.One, e); state {
	case "playing":
		plays = p.opponent(e)
	case "waiting", "over":
	default:
		plays = state
	}
	row := ""
	if e.Row > 1 {
		row = strconv.Itoa(e.Row)
	}
	n, won := strconv.Itoa, fmt.Sprintf("%d/%d", e.Won, e.Games)
	return p.row(role, emphasis, chosen, n(e.Rank), name, n(e.Score), fmt.Sprintf("%.1f", e.Tie), won, row, plays)
}

func (p *Page) opponent(e *arena.Entrant) string {
	for _, g := range p.One.Games {
		if g.No != e.Game {
			continue
		}
		if g.B == 0 {
			return "a bot, table " + strconv.FormatInt(int64(p.One.At[g.No]), 10)
		}
		other := g.A
		if other == e.ID {
			other = g.B
		}
		if o := p.One.Of(other); o != nil {
			return o.Name() + ", table " + strconv.FormatInt(int64(p.One.At[g.No]), 10)
		}
	}
	return ""
}

// row formats a row in columns; narrow screens have only the name, the score and who plays whom.
func (p *Page) row(role theme.Role, emphasis page.Emphasis, chosen bool, rank, name, score, mean, won, row, plays string) string {
	width := 19
	if p.One.Config.Pairs {
		width = 36
	}
	line := page.Columns(p.Env.Theme, []int{-3, width, -5, -5, -6, -3, p.Width - width - 38},
		[]string{rank, name, score, mean, won, row, plays})
	if p.Width < narrow {
		line = fmt.Sprintf("%3s %s%5s  %s", rank, page.Cut(p.Env.Theme, name, min(p.Width-26, width)), score, text.Printable(plays))
		line = page.Pad(line, p.Width-4)
	}
	if emphasis == page.Usual && !chosen {
		line = p.Env.Theme.Paint(role, line)
	}
	return page.Mark(p.Env.Theme, line, chosen, emphasis)
}
