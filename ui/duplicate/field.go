package duplicate

import (
	"context"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"

	"boneyard/lobby/event"
	"boneyard/lobby/event/field"
	"boneyard/lobby/text"
	"boneyard/rules"
	"boneyard/table"
	"boneyard/ui/page"
	"boneyard/ui/plain"
	"boneyard/ui/theme"
)

type fieldClub interface {
	Field(ctx context.Context, id event.ID) (*field.View, error)
	page.Organizer
}

// Field is the page of a duplicate arena: who takes part, and when it is over the standings, with the rounds
// of the chosen player.
type Field struct {
	page.EventPage[field.View]
	club   fieldClub
	places page.List[field.Place]
	body   page.Text // while it is not over
}

// NewField returns the page of a duplicate arena.
func NewField(e *page.Env, c fieldClub, id event.ID) *Field {
	p := &Field{club: c}
	p.Begin(e, id, page.NewPartner(), page.EventOf[field.View]{
		Club: c, Find: c.Field, Take: p.take, Acts: p.acts, Sheet: p.sheet, Until: func(v *field.View) time.Time { return v.Begins },
		Title: func() string { return p.Titled("", "Duplicate arena") },
	})
	return p
}

// take shows the club's answer; the cursor is on the reader's own place.
func (p *Field) take() {
	p.places.Set(p.One.Final.Places)
	for i := range p.One.Final.Places {
		if p.One.Final.Places[i].Of(p.club.Player().ID) {
			p.places.Choose(i)
		}
	}
}

var (
	keyTakePart = page.Bind("e", "join", "e")
	keyReplay   = page.Bind("enter", "replay the game", "enter")
)

func (p *Field) acts() (does page.Actions) {
	f, me := p.One, p.club.Player().ID
	gathers := !f.Begun && !f.Over
	if f.Over {
		does.OpenPage(p.game() != 0, keyReplay, page.Target{Kind: page.Replay, Game: p.game()})
	}
	does.Move(f.Over && p.places.Len() > 0, page.KeyMove, p.Move)
	does.Table(f.Begun && !f.Over, keyPlay, page.ByKey, p.table())
	p.Leave(&does, gathers && f.Has(me), keyLeave, "You're out.")
	p.Enter(&does, gathers && !f.Has(me) && !me.Guest(), keyTakePart, f.Config.Pairs, "You're in; your game opens by itself.")
	does.Scroll(p.Scrolls(), page.KeyScroll, p.Move)
	return does
}

// table returns where the reader plays; 0 if nowhere.
func (p *Field) table() table.ID {
	no, _ := p.One.Of(p.club.Player().ID)
	return p.One.At[int64(no)]
}

// game returns the chosen player's game; 0 for none.
func (p *Field) game() table.GameID {
	if c := p.places.Chosen(); c != nil {
		return p.One.Games[c.Table-1].Game
	}
	return 0
}

func (p *Field) sheet() page.Sheet {
	f := p.One
	state := plain.EventState(f.Begun, f.Over, p.Begins(f.Begins), "in progress")
	above := p.State(rules.DealtWords(f.Config.Rules)+", "+plain.Pace(f.Config.Pace)+", by "+f.Config.By, state)
	if f.Over {
		above = append(above, p.Says(theme.Accent, f.Outcome()+".")...)
	}
	above = append(above, "")
	var body []string
	switch {
	case f.Over && p.places.Len() > 0:
		return p.standing(above)
	case f.Over:
	case f.Begun:
		body = append(body, p.Says(theme.Text, fmt.Sprintf("%d of %s finished.", plain.FieldEnded(f), text.Number(len(f.Tables), "table")))...)
		body = append(body, p.Says(theme.Muted, "All tables play the same deals. "+
			"The results appear here when all have finished; until then nobody can watch.")...)
	default:
		if len(f.Entrants) > 0 {
			body = append(p.Says(theme.Text, "Entered: "+plain.FieldEntrants(f)), "")
		}
		says := "Everybody who has entered by then plays the same deals at tables of two, and is compared with all who had the same hands."
		if f.Config.Pairs {
			says = "Two friends enter together, once both have named each other. " +
				"All pairs play the same deals, and are compared with those who had the same hands."
		}
		body = append(body, p.Says(theme.Muted, says)...)
	}
	return page.Sheet{Above: above, Rows: p.body.Of(body)}
}

// columns formats the six cells of a place in columns. Narrow screens omit table and seat.
func (p *Field) columns(cells ...string) string {
	widths := []int{-4, min(max(p.Width-43, 6), 24), -5, -4, -6, -10}
	if p.Width < narrow {
		widths[1] = min(max(p.Width-32, 6), 24)
		cells, widths = slices.Delete(cells, 2, 4), slices.Delete(widths, 2, 4)
	}
	return page.Columns(p.Env.Theme, widths, cells)
}

// standing draws the places, and below them the chosen player's rounds.
func (p *Field) standing(above []string) page.Sheet {
	const roundRows = 3 // how many rows the chosen player's rounds take
	th := p.Env.Theme
	above = append(above, "   "+th.Paint(theme.Muted, p.columns("Rank", "Name", "Table", "Seat", "Points", "Field")))
	after := make([]string, 1, roundRows)
	if c := p.places.Chosen(); c != nil {
		if each := text.Each(p.One.RoundsOf(c), func(r field.Round) string { return field.Above(r.Over, p.One.Final.Tables) }); len(each) > 0 {
			after = append(after, p.Says(theme.Muted, "Round by round, "+c.Name+" against the field: "+strings.Join(each, " "))...)
		}
	}
	return page.Sheet{Above: above, After: page.Fill(after, roundRows), Rows: p.places.Drawn(func(_ int, c *field.Place, chosen bool) string {
		cells := p.columns(plain.FieldRank(c), c.Name, strconv.Itoa(c.Table), plain.FieldSeats(c), text.Signed(c.Points),
			plain.FieldResult(p.One, c))
		if !chosen && c.Of(p.club.Player().ID) {
			cells = th.Paint(theme.Accent, cells)
		}
		return page.Mark(th, cells, chosen, page.Usual)
	})}
}
