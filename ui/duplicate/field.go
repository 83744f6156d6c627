package duplicate

import (
	"context"
	"fmt"
	"slices"
	"strconv"
	"strings"

	tea "charm.land/bubbletea/v2"

	"boneyard/lobby"
	"boneyard/lobby/event"
	"boneyard/lobby/event/field"
	"boneyard/lobby/text"
	"boneyard/table"
	"boneyard/ui/page"
	"boneyard/ui/plain"
	"boneyard/ui/theme"
)

// fieldClub is what the page of a duplicate arena asks of the club.
type fieldClub interface {
	Player() table.Player
	Field(ctx context.Context, id event.ID) (*lobby.Field, error)
	EnterField(ctx context.Context, id event.ID, partner string) error
	LeaveField(ctx context.Context, id event.ID) error
	page.Organizer
}

// Field is the page of a duplicate arena: who takes part, and when it is over the standing, with the rounds of the chosen player.
type Field struct {
	page.Size
	env  *page.Env
	club fieldClub
	id   event.ID

	one    *lobby.Field
	places page.List[field.Place]
	fault  string // why there is nothing to see
	load   page.Question
	line   page.Input // a partner's name
}

var _ page.Page = (*Field)(nil)

// NewField returns the page of a duplicate arena.
func NewField(e *page.Env, id event.ID) page.Page { return newField(e, e.Visit, id) }

func newField(e *page.Env, c fieldClub, id event.ID) *Field {
	return &Field{env: e, club: c, id: id, line: page.NewPartner()}
}

// Init asks for what there is.
func (p *Field) Init() tea.Cmd { return p.look() }

func (p *Field) look() tea.Cmd {
	club, id := p.club, p.id
	return page.Find(&p.load, p.env, func(ctx context.Context) (*lobby.Field, error) { return club.Field(ctx, id) })
}

// Update handles a message.
func (p *Field) Update(msg tea.Msg) (page.Page, tea.Cmd) {
	if cmd, ok := p.line.Handle(msg, p.Actions()); ok {
		return p, cmd
	}
	switch msg := msg.(type) {
	case page.ClubUpdateMsg:
		if p.one == nil || !p.one.Over {
			return p, p.look()
		}
	case page.Found[*lobby.Field]:
		if msg.Take(&p.one, &p.fault) {
			p.take()
		}
	case page.CallOffMsg:
		return p, p.env.CallOff(p.club, field.Kind, p.id)
	case tea.MouseClickMsg:
		if p.one != nil && p.places.Click(msg.Y-len(p.head())-1) && p.game() != 0 {
			return p, page.Open(page.Target{Kind: page.Replay, Game: p.game()})
		}
	case tea.KeyPressMsg:
		return p, page.Press(p, msg)
	}
	return p, nil
}

// take takes up what the club has said; the cursor stands on the reader's own place.
func (p *Field) take() {
	p.places.Set(p.one.Final.Places)
	for i := range p.one.Final.Places {
		if p.one.Final.Places[i].Of(p.club.Player().ID) {
			p.places.Choose(i)
		}
	}
	p.Resize(p.Width, p.Height)
}

var (
	keyTakePart = page.Bind("e", "join", "e")
	keyReplay   = page.Bind("enter", "replay the game", "enter")
)

// Actions implements [page.Page].
func (p *Field) Actions() (does page.Actions) {
	switch {
	case p.one == nil:
		return nil
	case p.line.Active():
		return p.line.Actions("done", p.enter)
	}
	f, club, id, me := p.one, p.club, p.id, p.club.Player().ID
	gathers := !f.Begun && !f.Over
	does.Go(f.Over && p.game() != 0, keyReplay, page.Target{Kind: page.Replay, Game: p.game()})
	does.Move(f.Over && p.places.Len() > 0, page.KeyMove, p.places.Move)
	does.Go(f.Begun && !f.Over && p.table() != 0, keyPlay, page.Target{Kind: page.Table, Table: p.table()})
	does.Add(gathers && f.Has(me), keyLeave, func() tea.Cmd {
		return p.env.DoAndSay(func(ctx context.Context) error { return club.LeaveField(ctx, id) }, "You're out.")
	})
	does.Add(gathers && !f.Has(me) && !me.Guest(), keyTakePart, func() tea.Cmd {
		if f.Config.Pairs {
			p.line.Focus()
			return nil
		}
		return p.env.DoAndSay(func(ctx context.Context) error { return club.EnterField(ctx, id, "") }, "You're in; your game opens by itself.")
	})
	does.CallOff(club, f.Config.By, !gathers)
	return does
}

// table is where the reader plays, 0 if nowhere.
func (p *Field) table() table.ID {
	if no, _ := p.one.Of(p.club.Player().ID); no > 0 && no <= len(p.one.At) {
		return p.one.At[no-1]
	}
	return 0
}

// game is the one of the chosen player, 0 for none.
func (p *Field) game() table.GameID {
	if c := p.places.Chosen(); c != nil {
		return p.one.Games[c.Table-1].Game
	}
	return 0
}

// enter names a partner.
func (p *Field) enter(partner string) tea.Cmd {
	if partner == "" {
		return nil
	}
	club, id := p.club, p.id
	return p.env.DoAndSay(func(ctx context.Context) error { return club.EnterField(ctx, id, partner) }, page.PartnerNamed)
}

// Resize implements [page.Page].
func (p *Field) Resize(w, h int) {
	p.Size.Resize(w, h)
	if p.one != nil && p.one.Over && w > 0 {
		p.places.Resize(h - len(p.head()) - 1 - below)
	}
}

// below is how many rows the chosen player's rounds have.
const below = 3

func (p *Field) paragraph(r theme.Role, s string) []string {
	return page.Paragraph(p.env.Theme, r, text.Printable(s), 1, p.Width-2)
}

// head says what is played and how it stands.
func (p *Field) head() []string {
	f := p.one
	state := plain.EventState(f.Begun, f.Over, "begins "+f.Begins.UTC().Format("2 Jan 15:04"), "in progress")
	what := f.Config.Rules + ", " + string(f.Config.Pace) + ", by " + f.Config.By
	lines := []string{page.Right(" "+page.Fit(p.env.Theme, theme.Muted, what, p.Width-4-page.Width(state)), page.Fit(p.env.Theme, theme.Accent, state, 24)+" ", p.Width)}
	if f.Over {
		lines = append(lines, p.paragraph(theme.Accent, f.Outcome()+".")...)
	}
	return append(lines, "")
}

// Lines draws the page.
func (p *Field) Lines() []string {
	if p.one == nil {
		return page.Nothing(p.env.Theme, p.fault, p.Size)
	}
	lines, f := p.head(), p.one
	switch {
	case f.Over && p.places.Len() > 0:
		lines = append(lines, p.standing()...)
	case f.Over:
	case f.Begun:
		ended := 0
		for i := range f.Tables {
			if f.Tables[i].Ended {
				ended++
			}
		}
		lines = append(lines, p.paragraph(theme.Text, fmt.Sprintf("%d of %s finished.", ended, plain.Number(len(f.Tables), "table")))...)
		lines = append(lines, p.paragraph(theme.Muted, "All tables play the same deals. The results appear here when all have finished; until then nobody can watch.")...)
	default:
		if len(f.Entrants) > 0 {
			lines = append(append(lines, p.paragraph(theme.Text, plain.FieldEntrants(f))...), "")
		}
		says := "Everybody who has entered by then plays the same deals at tables of two, and is compared with all who had the same hands."
		if f.Config.Pairs {
			says = "Two friends enter together, once both have named each other. All pairs play the same deals, and are compared with those who had the same hands."
		}
		lines = append(lines, p.paragraph(theme.Muted, says)...)
	}
	foot := p.line.Foot(p.env.Theme, p.Width)
	return append(page.Fill(lines, p.Height-len(foot)), foot...)
}

// columns sets the cells of a place, of which there are six, into columns. On a narrow screen table and seat are left out.
func (p *Field) columns(cells ...string) string {
	widths := []int{-4, min(max(p.Width-43, 6), 24), -5, -4, -6, -10}
	if p.Width < narrow {
		widths[1] = min(max(p.Width-32, 6), 24)
		cells, widths = slices.Delete(cells, 2, 4), slices.Delete(widths, 2, 4)
	}
	return page.Columns(p.env.Theme, widths, cells)
}

// standing draws the places, and the rounds of the chosen player.
func (p *Field) standing() []string {
	th := p.env.Theme
	lines := []string{"   " + th.Paint(theme.Muted, p.columns("rank", "name", "table", "seat", "points", "field"))}
	for i, c := range p.places.Seen() {
		role := theme.Text
		if c.Of(p.club.Player().ID) {
			role = theme.Accent
		}
		cells := p.columns(plain.FieldRank(c), c.Name, strconv.Itoa(c.Table), plain.FieldSeats(c), plain.WithSign(c.Points), plain.FieldResult(p.one, c))
		line := page.NewLine(th)
		line.Pieces(page.Piece{Role: role, Text: cells})
		lines = append(lines, line.Draw(i == p.places.At()))
	}
	c := p.places.Chosen()
	rounds := p.one.RoundsOf(c)
	if len(rounds) == 0 {
		return lines
	}
	var each []string
	for _, r := range rounds {
		each = append(each, lobby.Above(r.Over, p.one.Final.Tables))
	}
	lines = append(lines, "")
	return append(lines, p.paragraph(theme.Muted, "Round by round, "+c.Name+" against the field: "+strings.Join(each, " "))...)
}

// Chrome implements [page.Page].
func (p *Field) Chrome() page.Chrome {
	title := "Duplicate arena " + strconv.FormatInt(int64(p.id), 10)
	if p.one != nil && p.one.Config.Name != "" {
		title += ": " + text.Printable(p.one.Config.Name)
	}
	return page.Chrome{Title: title, Typing: p.line.Active(), Cursor: p.line.FootCursor(p.env.Theme, p.Size)}
}
