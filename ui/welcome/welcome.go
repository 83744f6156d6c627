// Package welcome has the page of the first visit: what the club is, a name, and how tiles look. It knows
// only as much of the lobby as becoming a member needs; the person has not entered the club yet.
package welcome

import (
	"context"

	tea "charm.land/bubbletea/v2"

	"boneyard/lobby"
	"boneyard/ui/page"
	"boneyard/ui/plain"
	"boneyard/ui/screen"
	"boneyard/ui/settings"
	"boneyard/ui/theme"
)

// Page asks for a name and a look. Its rows are the name, then the settings.
type Page struct {
	page.Size
	env  *page.Env
	club *lobby.Lobby
	from lobby.Origin
	user string
	to   string // where the person goes from here, such as "table 8"; empty: the lobby

	name  page.Input
	fresh bool // the name is the proposed one; the first letter typed replaces it
	rows  []settings.Row
	now   lobby.Settings
	at    int // 0: the name

	checked  string // the name that verdict is about
	verdict  error  // nil: the name is available
	checking page.Question
	goOn     bool // enter was pressed before the verdict came
	joining  page.Question
}

// RegisteredMsg says that the person is now a member. The account has the chosen settings, which are not
// saved yet.
type RegisteredMsg struct{ Account *lobby.Account }

var (
	keyChoose = page.Bind("↑↓", "choose", "up", "down", "tab", "shift+tab")
	keyLook   = page.Bind("↓", "tiles and colours", "down", "tab")
	keyChange = page.Bind("←→", "change", "left", "right", "space")
	keyEnter  = page.Bind("enter", "come in", "enter")
)

// maxTyped is longer than a name may be, so that the page refuses a long name visibly instead of cutting it.
const maxTyped = 24

// New returns the page for somebody with a key but no account. user is the name given to ssh, and to where
// the person goes from here, such as "table 8"; empty for the lobby.
func New(e *page.Env, club *lobby.Lobby, from lobby.Origin, user, to string) *Page {
	p := &Page{
		env: e, club: club, from: from, user: user, to: to,
		name: page.NewInput("", "", maxTyped),
		rows: settings.Rows("faces", "theme"),
	}
	p.name.Focus()
	return p
}

// Init requests a name to propose.
func (p *Page) Init() tea.Cmd {
	return p.env.Call(func(ctx context.Context) tea.Msg {
		name := p.club.ProposeName(ctx, p.user)
		return page.Then(func() tea.Cmd {
			if p.name.Value() == "" {
				p.name.Set(name)
				p.fresh = true
			}
			return p.check()
		})
	})
}

func (p *Page) Chrome() page.Chrome {
	return page.Chrome{Title: "Welcome", Cursor: p.cursor(), Typing: true}
}

func (p *Page) Actions() (does page.Actions) {
	does.Add(true, keyEnter, p.comeIn)
	does.With(p.at != 0, keyChange, func(pressed string) tea.Cmd { // takes effect at once
		p.rows[p.at-1].Change(&p.now, page.Step(pressed))
		p.env.Restyle(p.now)
		return nil
	})
	move := keyChoose
	if p.at == 0 {
		move.SetHelp(keyLook.Help().Key, keyLook.Help().Desc)
	}
	does.Move(true, move, func(pressed string) tea.Cmd {
		p.focus(p.at + page.Step(pressed))
		return nil
	})
	return does
}

func (p *Page) Update(msg tea.Msg) tea.Cmd {
	if _, ok := msg.(tea.PasteMsg); ok && p.at == 0 && !p.joining.Waiting() {
		p.replace()
		return p.typed(msg)
	}
	return nil
}

func (p *Page) Key(msg tea.KeyPressMsg) tea.Cmd {
	if p.joining.Waiting() {
		return nil
	}
	p.goOn = false
	cmd, ok := p.Actions().Press(msg)
	if ok || p.at != 0 {
		return cmd
	}
	if msg.Text != "" {
		p.replace()
	}
	p.fresh = false // moving in the proposed name, or shortening it, keeps the rest
	return p.typed(msg)
}

func (p *Page) focus(at int) {
	p.at = max(min(at, len(p.rows)), 0)
	if p.at == 0 {
		p.name.Focus()
	} else {
		p.name.Blur()
	}
}

// comeIn makes the person a member once the name is known to be available, from any row.
func (p *Page) comeIn() tea.Cmd {
	switch {
	case p.checked != p.name.Value() || p.checking.Waiting():
		p.goOn = true
		return p.check()
	case p.verdict != nil:
		p.focus(0)
		return nil
	}
	name := p.name.Value()
	register := func(ctx context.Context) (*lobby.Account, error) { return p.club.Register(ctx, p.from, name) }
	return page.Find(p.joining.Once, p.env, register, p.registered)
}

// replace clears a proposed name that has not been edited.
func (p *Page) replace() {
	if p.fresh {
		p.fresh = false
		p.name.Set("")
	}
}

func (p *Page) typed(msg tea.Msg) tea.Cmd {
	p.name.Update(msg)
	return p.check()
}

// check asks whether the name is available. One request is under way at a time.
func (p *Page) check() tea.Cmd {
	name := p.name.Value()
	if p.checked == name {
		return nil
	}
	ask := func(ctx context.Context) (string, error) { return name, p.club.CheckName(ctx, p.from, name) }
	return page.Find(p.checking.Once, p.env, ask, p.judge)
}

func (p *Page) judge(name string, err error) tea.Cmd {
	p.checked, p.verdict = name, err
	if cmd := p.check(); cmd != nil { // the name has changed in the meantime
		return cmd
	}
	if !p.goOn {
		return nil
	}
	p.goOn = false
	return p.comeIn()
}

func (p *Page) registered(account *lobby.Account, err error) tea.Cmd {
	if err != nil { // somebody was faster, for example
		p.verdict = err
		p.focus(0)
		return nil
	}
	a := *account
	a.Settings = p.now
	return page.Send(RegisteredMsg{&a})
}

// The page's texts.
const (
	intro = "Boneyard is a domino club: the fives family, with friends, strangers or bots, alone or in teams of two. " +
		"Anybody may watch, and every game is kept."
	introShort   = "A domino club: play, team up, watch."
	account      = "Your SSH key is your account; there is no password. A different key is a different account."
	accountShort = "Your key is your account; another key is another one."
)

const widest = 80

// Lines draws the page.
func (p *Page) Lines() []string {
	const verdictAt = settings.Indent + maxTyped + 4 // the column where the verdict on the name begins
	t, w := p.env.Theme, p.Width
	if !p.roomy() {
		return p.small(w, p.Height)
	}
	lines := append([]string{""}, page.Paragraph(t, theme.Title, intro, 1, min(w, widest)-2)...)
	if p.to != "" {
		lines = append(lines, " "+t.Paint(theme.Accent, p.onTheWay()))
	}
	name, _ := p.nameLine(w)
	verdict := p.judgement(min(w-verdictAt-1, 60))
	lines = append(lines, "", page.Pad(name, verdictAt)+verdict[0], page.Pad("", verdictAt)+verdict[1])
	rest := p.indented(account, min(w, widest))
	if more := verdict[2:]; len(more) > 0 { // a long refusal takes the place of what else there is to say
		rest = page.Fill(page.Shift(more, verdictAt), max(len(more), len(rest)))
	}
	lines = append(lines, rest...)
	lines = append(lines, "", p.rows[0].Draw(t, &p.now, p.at == 1))
	lines = append(lines, p.gallery(w)...)
	lines = append(lines, "", p.rows[1].Draw(t, &p.now, p.at == 2))
	return append(lines, p.indented(p.rows[1].Help, min(w, widest))...)
}

func (p *Page) roomy() bool { return p.Height >= 18 && p.Width >= 64 }

func (p *Page) small(w, h int) []string {
	t := p.env.Theme
	name, _ := p.nameLine(w)
	first := t.Paint(theme.Title, introShort)
	if p.to != "" {
		first = t.Paint(theme.Accent, p.onTheWay())
	}
	lines := []string{" " + first, name}
	// A refusal replaces the text below the name.
	verdict := p.judgement(w - 4)
	if verdict[1] == "" {
		verdict = append(verdict[:1], page.Paragraph(t, theme.Muted, accountShort, 0, w-4)...)
	}
	lines = append(lines, page.Shift(page.Fill(page.Beginning(t, verdict, w-4, 3), 3), 3)...)
	lines = append(lines, p.rows[0].Draw(t, &p.now, p.at == 1))
	sample := p.gallery(30 + settings.Indent) // the small tiles
	if rest := h - len(lines) - 1; len(sample) <= rest {
		lines = append(lines, sample...)
	}
	return append(lines, p.rows[1].Draw(t, &p.now, p.at == 2))
}

// onTheWay says where the person goes from here.
func (p *Page) onTheWay() string { return "You are on your way to " + p.to + "." }

// nameLine returns the row with the name, and the column of the cursor.
func (p *Page) nameLine(w int) (string, int) {
	t := p.env.Theme
	line, col := p.name.Line(t, min(w-settings.Indent-2, maxTyped+1))
	return settings.Label(t, "Name", p.at == 0) + " " + line, settings.Indent + 1 + col
}

// judgement says whether the name is available, in at least two lines.
func (p *Page) judgement(w int) []string {
	t := p.env.Theme
	role, say := theme.Good, t.Glyphs().Check+" You can have this name."
	switch {
	case p.joining.Waiting():
		role, say = theme.Muted, "Entering"+t.Glyphs().Ellipsis
	case p.checked == "" || p.name.Value() == "":
		return make([]string, 2)
	case p.checked != p.name.Value():
		role, say = theme.Muted, t.Glyphs().Ellipsis
	case p.verdict != nil:
		role, say = theme.Bad, t.Glyphs().Cross+" "+plain.Sentence(p.verdict)
	}
	lines := page.Paragraph(t, role, say, 0, max(w, 20))
	return page.Fill(lines, max(len(lines), 2))
}

func (p *Page) indented(s string, w int) []string {
	return page.Paragraph(p.env.Theme, theme.Muted, s, settings.Indent+1, w-settings.Indent-1)
}

// gallery shows a tile in all faces.
func (p *Page) gallery(w int) []string {
	return page.Shift(settings.Gallery(p.env.Theme, w-settings.Indent), settings.Indent)
}

func (p *Page) cursor() screen.Cursor {
	if p.at != 0 || p.joining.Waiting() {
		return screen.Cursor{}
	}
	_, col := p.nameLine(p.Width)
	row := 1
	if p.roomy() {
		row = 2 + len(page.Wrap(intro, min(p.Width, widest)-2))
		if p.to != "" {
			row++
		}
	}
	return screen.Cursor{X: col, Y: row, Visible: true}
}
