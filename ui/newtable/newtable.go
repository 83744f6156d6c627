// Package newtable is the form that makes a table, a challenge or an arena. It shows the rule string, which
// can also be typed.
package newtable

import (
	"context"
	"strings"
	"time"
	"unicode"
	"unicode/utf8"

	"charm.land/bubbles/v2/key"
	tea "charm.land/bubbletea/v2"

	"boneyard/lobby/event"
	"boneyard/lobby/event/arena"
	"boneyard/lobby/text"
	"boneyard/rules"
	"boneyard/table"
	"boneyard/ui/english"
	"boneyard/ui/page"
	"boneyard/ui/plain"
	"boneyard/ui/theme"
)

// maker is what the form needs from the club; a [lobby.Visit] is one.
type maker interface {
	Player() table.Player
	NewTable(ctx context.Context, c table.Config) (*table.Table, error)
	Do(ctx context.Context, id table.ID, c table.Command) error
	Challenge(ctx context.Context, c table.Config, team table.TeamID, name string) (*table.Table, error)
	ChallengeAt(ctx context.Context, c table.Config, team table.TeamID, name string, at time.Time) (reply string, err error)
	EventsNow() time.Time
	NewArena(ctx context.Context, c arena.Config, begins time.Time, length time.Duration) (event.ID, error)
}

var _ page.Ruled = (*Page)(nil)

// Page is the form. It has two sheets: the table, and its house rules.
type Page struct {
	page.Size
	env     *page.Env
	club    maker
	config  table.Config
	typed   page.Input // the rule string
	name    page.Input // the table's name
	onRules bool       // the sheet of house rules is shown
	cursor  [2]page.Cursor
	team    table.TeamID  // the challenged team, 0 for none
	person  string        // the challenged person, empty for none
	arena   bool          // the form makes an arena
	when    int           // the minutes until the challenge or the arena begins; 0 for now
	length  int           // the arena's length in minutes
	digits  string        // typed for the row under the cursor since it came there
	making  page.Question // makes the table or the arena
}

var (
	keyChange = page.Bind("←→", "change", "left", "right", "h", "l", "space")
	keyOpen   = page.Bind("enter", "open", "enter")
	keyMake   = page.Bind("enter", "make it", "enter")
	keyDeal   = page.Bind("d", "deal now", "d")
	keyDigit  = page.Bind("0–9", "type a number", "0", "1", "2", "3", "4", "5", "6", "7", "8", "9", "backspace")
	keySheet  = page.Bind("tab", "house rules", "tab", "shift+tab")
	keyType   = page.Bind("e", "type the rules", "e")
	keyBack   = page.Bind("esc", "back", "esc")
	keyName   = page.Bind("a–z", "type the name", "space")
	keyTake   = page.Bind("enter", "done", "enter")
)

// challenges reports whether the table is a challenge.
func (p *Page) challenges() bool { return p.team != 0 || p.person != "" }

// New returns the form as it was left, or with the usual choices. It challenges the target's team or person,
// or makes an arena if the target is one.
func New(e *page.Env, club maker, to page.Target) *Page {
	left := to.Draft
	config, _ := plain.ParseTable(strings.Fields(left.Words)) // the words may be left in a state that cannot be made yet
	p := &Page{
		env: e, club: club, config: config, onRules: left.House, cursor: [2]page.Cursor{{At: left.Row}, {At: left.Rule}},
		team: to.Team, person: to.Name, arena: to.Kind == page.NewArena, when: left.When, length: left.Length,
		typed: page.NewInput("Rules", "classic target=100 count=flank", 200),
		name:  page.NewInput("Name", "", text.MaxTitle),
	}
	switch {
	case left.Words != "":
	case p.arena:
		p.config.Pace, p.when, p.length = table.PaceFast, 10, 30
	case p.team != 0:
		p.config.Access = table.AccessTeams
		p.setAccess(table.AccessTeams)
	case p.person != "":
		p.config.Access, p.config.Fill = table.AccessCode, table.FillNever
	}
	return p
}

func (p *Page) Chrome() page.Chrome {
	c := page.Chrome{Title: "New table", Widest: page.WidestList, Typing: p.onName(), Digits: p.row().set != nil}
	kind := page.NewTable
	switch {
	case p.challenges():
		c.Title = "Challenge"
	case p.arena:
		c.Title, kind = "New arena", page.NewArena
	}
	c.Reopen = page.Target{Kind: kind, Team: p.team, Name: p.person, Draft: page.Draft{
		Words: plain.WordsOfTable(&p.config), House: p.onRules, Row: p.cursor[0].At, Rule: p.cursor[1].At, When: p.when, Length: p.length,
	}}
	if in := p.input(); in != nil {
		c.Typing, c.Cursor = true, in.CursorAt(p.env.Theme, 1, p.Height-1, p.Width-2)
	}
	return c
}

// Rules implements [page.Ruled] with the chosen rules.
func (p *Page) Rules() string { return p.config.Rules.String() }

// input returns the line being typed, or nil.
func (p *Page) input() *page.Input {
	switch {
	case p.typed.Active():
		return &p.typed
	case p.name.Active():
		return &p.name
	}
	return nil
}

func (p *Page) Actions() (does page.Actions) {
	if in := p.input(); in != nil {
		take := p.takeRules
		if in == &p.name {
			take = p.takeName
		}
		does.Add(true, keyTake, take)
		does.Set(true, page.KeyCancel, in.Blur)
		return does
	}
	rows, row := p.rows(), p.row()
	c := &p.cursor[p.sheet()]
	sheet := keySheet
	if p.onRules {
		sheet = page.Named(sheet, "the table")
		sheet.SetKeys(append(sheet.Keys(), "esc")...)
	}
	does.Add(!p.arena, keyOpen, func() tea.Cmd { return p.open(false) })
	does.Add(p.arena, keyMake, p.make)
	does.Add(!p.onName() && !p.arena && !p.challenges() && p.config.Access != table.AccessTeams, keyDeal,
		func() tea.Cmd { return p.open(true) })
	does.With(row.set != nil, keyDigit, p.digit)
	does.Move(true, page.KeyMove, func(pressed string) tea.Cmd {
		c.Move(pressed, len(rows), p.seen())
		return nil
	})
	does.Set(p.onName(), keyName, p.nameIt)
	does.With(!p.onName(), keyChange, func(pressed string) tea.Cmd {
		return row.change(page.Step(pressed))
	})
	does.Set(true, sheet, func() { p.onRules = !p.onRules })
	does.Set(!p.onName(), keyType, func() {
		p.typed.Set(p.config.Rules.String())
		p.typed.Focus()
	})
	does.Add(!p.onRules, keyBack, func() tea.Cmd { return page.Send(page.BackMsg{}) })
	return does
}

// Key implements [page.KeyHandler]: digits in a row type a number, and a letter on the row of the name begins
// the name.
func (p *Page) Key(msg tea.KeyPressMsg) tea.Cmd {
	if !key.Matches(msg, keyDigit) {
		p.digits = ""
	}
	if p.input() == nil && p.onName() && begins(msg) {
		p.nameIt()
	} else if cmd, ok := p.Actions().Press(msg); ok {
		return cmd
	}
	return p.Update(msg)
}

// Update handles what is typed or pasted.
func (p *Page) Update(msg tea.Msg) tea.Cmd {
	if _, ok := msg.(tea.PasteMsg); ok && p.input() == nil && p.onName() {
		p.nameIt()
	}
	p.typed.Handle(msg)
	p.name.Handle(msg)
	return nil
}

func (p *Page) takeRules() tea.Cmd {
	r, err := rules.Parse(p.typed.Value())
	if err == nil {
		err = r.CheckSome(2)
	}
	if err == nil {
		p.typed.Blur()
	}
	return p.take(r, err)
}

// nameIt begins to type the table's name.
func (p *Page) nameIt() {
	p.name.Set(p.config.Name)
	p.name.Focus()
}

// takeName takes the table's name as typed; an empty one removes it.
func (p *Page) takeName() tea.Cmd {
	name := ""
	if p.name.Value() != "" {
		clean, err := text.CleanTitle(p.name.Value())
		if err != nil {
			return page.Refused(err)
		}
		name = clean
	}
	p.config.Name = name
	p.name.Blur()
	return nil
}

func begins(msg tea.KeyPressMsg) bool {
	r, _ := utf8.DecodeRuneInString(msg.Text)
	return unicode.IsLetter(r) || unicode.IsDigit(r)
}

// digit adds a digit to the number being typed.
func (p *Page) digit(pressed string) tea.Cmd {
	if pressed == "backspace" {
		pressed = ""
		p.digits = p.digits[:max(len(p.digits)-1, 0)]
	}
	if p.digits += pressed; p.digits == "" {
		return nil
	}
	cmd := p.row().set(p.digits)
	if cmd != nil { // refused
		p.digits = ""
	}
	return cmd
}

func (p *Page) row() *row {
	rows := p.rows()
	return &rows[max(0, min(p.cursor[p.sheet()].At, len(rows)-1))]
}

func (p *Page) onName() bool { return !p.onRules && p.row().name == nameRow }

func (p *Page) sheet() int {
	if p.onRules {
		return 1
	}
	return 0
}

func (p *Page) open(deal bool) tea.Cmd {
	if err := p.config.Rules.CheckSeats(p.config.Seats); err != nil {
		return page.Refused(err)
	}
	config, club, challenges, team, person := p.config, p.club, p.challenges(), p.team, p.person
	if challenges && p.when > 0 {
		at := p.begins()
		challenge := func(ctx context.Context) (string, error) { return club.ChallengeAt(ctx, config, team, person, at) }
		return page.Get(p.making.Once, p.env, challenge, func(reply string) tea.Cmd { // leave the form
			return tea.Sequence(page.Send(page.BackMsg{}), page.Send(page.Say(reply)))
		})
	}
	return page.Find(p.making.Once, p.env, func(ctx context.Context) (t *table.Table, err error) {
		if challenges {
			return club.Challenge(ctx, config, team, person)
		}
		if t, err = club.NewTable(ctx, config); err == nil && deal {
			err = club.Do(ctx, t.ID(), table.Ready{On: true, Bots: true})
		}
		return t, err
	}, func(t *table.Table, err error) tea.Cmd {
		if t == nil {
			return page.Refused(err)
		}
		return page.OpenTable(t.ID(), err, true)
	})
}

// begins returns when the challenge or the arena begins.
func (p *Page) begins() time.Time { return p.club.EventsNow().Add(time.Duration(p.when) * time.Minute) }

// make asks the club for the arena, and opens it.
func (p *Page) make() tea.Cmd {
	c, club, begins, length := &p.config, p.club, p.begins(), time.Duration(p.length)*time.Minute
	made := arena.Config{Name: c.Name, Rules: p.Rules(), Pace: c.Pace, Pairs: c.Rules.Teams, Bots: c.Fill != table.FillNever}
	return page.Get(p.making.Once, p.env, func(ctx context.Context) (event.ID, error) { return club.NewArena(ctx, made, begins, length) },
		func(id event.ID) tea.Cmd {
			return page.Send(page.GotoMsg{To: page.Target{Kind: page.Arena, Event: id}, Replace: true})
		})
}

// take sets the table's rules and fits the seats to them, or shows err.
func (p *Page) take(r rules.Ruleset, err error) tea.Cmd {
	if err != nil {
		return page.Refused(err)
	}
	p.config.Rules, p.config.RuleText = r, r.String()
	if r.CheckSeats(p.config.Seats) != nil {
		for n := rules.MaxSeats; n >= 2; n-- {
			if r.CheckSeats(n) == nil {
				p.config.Seats = n
			}
		}
	}
	if !r.Teams && p.config.Access == table.AccessTeams {
		p.config.Access = table.AccessOpen
	}
	return nil
}

// small reports whether the form needs all rows.
func (p *Page) small() bool { return p.Height < 15 }

func (p *Page) seen() int {
	const foot = 3
	if p.small() {
		return max(p.Height-foot, 1)
	}
	return max(p.Height-len(p.intro(p.Width))-foot, 1)
}

// Lines draws the form.
func (p *Page) Lines() []string {
	t, w, h := p.env.Theme, p.Width, p.Height
	head := p.intro(w)
	problem, line := p.ruleLine(w)
	rows := p.rows()
	c := p.cursor[p.sheet()]
	c.Clamp(len(rows), p.seen())
	about := []string{problem, ""}
	if help := rows[c.At].help; problem == "" && help != "" && p.input() == nil {
		copy(about, page.Beginning(t, page.Paragraph(t, theme.Muted, text.Sentence(help), 1, w-2), w-1, len(about)))
	}
	if p.small() { // the form begins at the top, and the description of the game is at the foot
		if problem == "" && !p.onRules {
			copy(about, page.Beginning(t, head[1:len(head)-1], w-1, len(about)))
		}
		head = nil
	}
	foot := append(about, line)
	lines := head
	for i := c.Top; i < min(c.Top+p.seen(), len(rows)); i++ {
		mark, role := "  ", theme.Text
		if i == c.At {
			mark, role = t.Glyphs().Cursor+" ", theme.Title
		}
		name, room := page.Pad(t.Paint(role, rows[i].name), p.nameWidth()), w-p.nameWidth()-4
		lines = append(lines, " "+t.Paint(theme.Accent, mark)+name+rows[i].draw(t, i == c.At, room))
	}
	return append(page.Fill(lines, h-len(foot)), foot...)
}

func (p *Page) nameWidth() int {
	const narrow = 60 // the width below which the names of rows leave more room to the values
	switch {
	case p.onRules:
		return 11
	case p.Width < narrow:
		return 12
	}
	return 16
}

// intro describes the chosen game, or heads the sheet of its house rules.
func (p *Page) intro(w int) []string {
	t := p.env.Theme
	if p.onRules {
		return []string{" " + t.Paint(theme.Title, "House rules of "+p.config.Rules.Preset.String()), ""}
	}
	preset := p.config.Rules.Preset
	lines := []string{" " + t.Paint(theme.Title, english.Title(preset))}
	lines = append(lines, page.Paragraph(t, theme.Muted, english.Difference(preset), 1, min(w-2, 76))...)
	// Two lines are reserved for the difference, so that the form stays in place.
	for len(lines) < 3 {
		lines = append(lines, "")
	}
	return append(lines, "")
}

// ruleLine returns the rule string, or the line being typed; problem is what the rules have against it, if
// anything.
func (p *Page) ruleLine(w int) (problem, line string) {
	t := p.env.Theme
	if in := p.input(); in != nil {
		line, _ := in.Line(t, w-2)
		return "", " " + line
	}
	r := p.config.Rules
	fit := func(s string, w int) string { return text.FitTail(s, max(w, 1), t.Glyphs().Ellipsis) }
	rule, stake := r.String(), "   rated if only members play"
	why := p.config.Casual()
	if me := p.club.Player(); why == "" {
		why = table.CasualWith(&me, "")
	}
	if why != "" {
		if stake = "   casual: " + why; len(rule)+len(stake) > w-8 {
			stake = "   casual"
		}
	}
	line = " " + t.Paint(theme.Muted, "Rules ") + t.Paint(theme.Accent, fit(rule, min(len(rule), w-8)))
	if len(rule)+len(stake) <= w-8 {
		line += t.Paint(theme.Muted, stake)
	}
	if err := r.CheckSeats(p.config.Seats); err != nil {
		problem = " " + t.Paint(theme.Bad, fit(plain.Sentence(err), w-2))
	}
	return problem, line
}

// row is one line of the form.
type row struct {
	name   string
	now    string
	values []string // as displayed; now is one of them
	help   string   // shown after the value, if there is room
	change func(by int) tea.Cmd
	set    func(typed string) tea.Cmd // sets a number that is typed; nil if none can be
}

// draw draws the choices if they fit, otherwise only the present one.
func (r *row) draw(t *theme.Theme, chosen bool, w int) string {
	total := 0
	for _, v := range r.values {
		total += text.Width(v) + 3
	}
	var b strings.Builder
	if total > w || len(r.values) > 6 {
		g := t.Glyphs()
		now := func(beside int) string {
			return text.FitTail(r.now, max(min(w-beside, text.Width(r.now)), 1), g.Ellipsis)
		}
		if chosen {
			b.WriteString(t.Paint(theme.Key, g.Left) + " " + t.Paint(theme.Selected, " "+now(6)+" ") + " " + t.Paint(theme.Key, g.Right))
		} else {
			b.WriteString(" " + t.Paint(theme.Text, now(1)))
		}
	} else {
		for _, v := range r.values {
			switch {
			case v == r.now && chosen:
				b.WriteString(t.Paint(theme.Selected, "["+v+"]"))
			case v == r.now:
				b.WriteString(t.Paint(theme.Accent, "["+v+"]"))
			default:
				b.WriteString(" " + t.Paint(theme.Faint, v) + " ")
			}
			b.WriteString(" ")
		}
	}
	if r.help == "" {
		return b.String()
	}
	const valueWidth = 36
	if w < valueWidth+64 || page.Width(b.String()) > valueWidth { // the foot shows the help for the row under the cursor
		return b.String()
	}
	help := r.help
	if _, now, ok := strings.Cut(help, ": "); ok && text.Width(help) > w-valueWidth-1 { // the present meaning is what a choice changes
		help = now
	}
	return page.Pad(b.String(), valueWidth) + t.Paint(theme.Muted, text.FitTail(help, w-valueWidth-1, t.Glyphs().Ellipsis))
}
