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

// New returns the page of an arena, or the list of all if id is 0.
func New(e *page.Env, c club, id event.ID) *Page {
	p := &Page{club: c}
	how := page.Keyed(": press %s to make one.", keyNew)
	if c.Player().ID.Guest() {
		how = ". Members can make one."
	}
	p.Begin(e, id, page.NewPartner(), page.EventOf[arena.View]{
		Club: c, Find: c.Arena, Take: p.take, Acts: p.acts, Sheet: p.standing, List: p.list, More: p.more, Until: until,
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
	does.Table(true, keyWatch, page.Opens, p.table())
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

// until returns when the arena begins, or when its time is over.
func until(a *arena.View) time.Time {
	if a.Begun {
		return a.Ends
	}
	return a.Begins
}

func (p *Page) list() (rows []page.EventRow) {
	for _, a := range p.club.Arenas() {
		name := cmp.Or(a.Config.Name, "Arena "+strconv.FormatInt(int64(a.ID), 10))
		says := p.played(&a) + ", " + page.Entrants(len(a.Entrants), a.Config.Pairs)
		state := p.time(&a)
		if !a.Begun && !a.Over {
			state = p.In(a.Begins)
		}
		rows = append(rows, page.EventRow{Page: page.Arena, ID: a.ID, Name: name, State: state, Says: says})
	}
	return rows
}

func (p *Page) played(a *arena.View) string {
	return rules.Words(a.Config.Rules) + ", " + plain.Pace(a.Config.Pace) + ", " + plain.ArenaKind(a)
}

func (p *Page) time(a *arena.View) string {
	now := p.Env.Now()
	switch {
	case a.Over:
		return plain.Arenas.Column("STATE").Cell(a)
	case !a.Begun:
		return p.Begins(a.Begins)
	case now.Before(a.Ends):
		return plain.Time(a.Ends.Sub(now)) + " left"
	}
	return "final games"
}

// standing draws one arena. The reader's own row is always on the screen.
func (p *Page) standing() page.Sheet {
	a, t, w := p.One, p.Env.Theme, p.Width
	what := p.played(a)
	if a.Begun {
		what += "; " + text.Number(a.Played, "game") + " so far"
	}
	above := p.State(what, p.time(a))
	if !a.Begun && !a.Over {
		says := fmt.Sprintf("From %s to %s UTC everybody who is free gets a game, which opens by itself.",
			a.Begins.UTC().Format("15:04"), a.Ends.UTC().Format("15:04"))
		if p.Height >= page.RoomyBody {
			says += " A win scores 2, and from the third in a row 4. Of equal scores the one with the stronger rivals is first."
		}
		above = append(above, p.Says(theme.Muted, says)...)
	}
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
	name := p.nameWidth()
	above = append(above, "", p.row(name, theme.Muted, page.Usual, false, "", "Name", "Score", "Rivals", "Won", "Row", "Plays"))
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
		below = p.entrant(name, &a.Entrants[own], false, true)
	}
	return page.Sheet{Above: above, Below: []string{below}, Rows: p.rows.Drawn(func(_ int, e *arena.Entrant, chosen bool) string {
		return p.entrant(name, e, chosen, e.Has(me))
	})}
}

// named returns an entrant's name, with the tag of the team.
func named(e *arena.Entrant) string {
	if tag := e.Members[0].Tag; tag != "" {
		return tag + " " + e.Name()
	}
	return e.Name()
}

// nameWidth is the width of the column of names: the longest one's, if that leaves room for a table's number.
func (p *Page) nameWidth() int {
	const least = len("table 123")
	width := 19
	for i := range p.One.Entrants {
		width = max(width, text.Width(named(&p.One.Entrants[i])))
	}
	return min(width, p.Width-p.others()-least)
}

// others returns the columns of a row without the name and who plays whom.
func (p *Page) others() int {
	if p.Width < narrow {
		return 15
	}
	return 39
}

func (p *Page) entrant(width int, e *arena.Entrant, chosen, own bool) string {
	role, emphasis := theme.Text, page.Usual
	switch {
	case own:
		emphasis = page.Own
	case e.Away:
		role = theme.Faint
	}
	plays := ""
	switch state := plain.ArenaState(p.One, e); state {
	case "playing":
		if plays = p.opponent(e); p.Width-p.others()-width < 16 {
			plays, _, _ = strings.Cut(plays, ":") // no room for a name
		}
	case "waiting", "over":
	default:
		plays = state
	}
	row := ""
	if e.Row > 1 {
		row = strconv.Itoa(e.Row)
	}
	n, won := strconv.Itoa, fmt.Sprintf("%d/%d", e.Won, e.Games)
	return p.row(width, role, emphasis, chosen, n(e.Rank), named(e), n(e.Score), fmt.Sprintf("%.1f", e.Tie), won, row, plays)
}

// opponent says at which table an entrant plays, and against whom: "table 12: ben".
func (p *Page) opponent(e *arena.Entrant) string {
	for _, g := range p.One.Games {
		if g.No != e.Game {
			continue
		}
		at := "table " + strconv.FormatInt(int64(p.One.At[g.No]), 10) + ": "
		if g.B == 0 {
			return at + "a bot"
		}
		other := g.A
		if other == e.ID {
			other = g.B
		}
		if o := p.One.Of(other); o != nil {
			return at + o.Name()
		}
	}
	return ""
}

// narrow is the width below which rows have only the name, the score and who plays whom.
const narrow = 70

// row formats a row in columns, with width columns for the name.
func (p *Page) row(width int, role theme.Role, look page.Emphasis, chosen bool, rank, name, score, rivals, won, row, plays string) string {
	var line string
	if p.Width < narrow {
		line = fmt.Sprintf("%3s %s%5s  %s", rank, page.Cut(p.Env.Theme, name, width), score, text.Printable(plays))
		line = page.Pad(line, p.Width-4)
	} else {
		line = page.Columns(p.Env.Theme, []int{-3, width, -5, -6, -6, -3, p.Width - width - p.others()},
			[]string{rank, name, score, rivals, won, row, plays})
	}
	if look == page.Usual && !chosen {
		line = p.Env.Theme.Paint(role, line)
	}
	return page.Mark(p.Env.Theme, line, chosen, look)
}
