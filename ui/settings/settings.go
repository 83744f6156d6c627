// Package settings is the page on which a player chooses how the club looks and sounds. What is chosen is
// kept at once.
package settings

import (
	"context"
	"reflect"

	tea "charm.land/bubbletea/v2"

	"boneyard/lobby"
	"boneyard/ui/page"
	"boneyard/ui/theme"
)

type club interface {
	Account() *lobby.Account
	Settings() lobby.Settings
	SaveSettings(ctx context.Context, s lobby.Settings) error
}

func clubOf(e *page.Env) club { return e.Visit }

// Page lists the settings with their choices.
type Page struct {
	page.Size
	env    *page.Env
	rows   []Row
	at     int
	now    lobby.Settings // as chosen
	kept   lobby.Settings // as the club has them, or is being asked to
	saving page.Question
	who    string // which account these settings belong to
}

var keyChange = page.Bind("←→", "change", "left", "right", "h", "l", "enter", "space")

// earnings is kept the other way round, so that it is on unless somebody turns it off.
var earnings = Row{
	"Earnings", "Shows what each tile you can play would score at best.", []string{"off", "on"},
	func(s *lobby.Settings) string { return map[bool]string{false: "on", true: "off"}[s.NoEarnings] },
	func(s *lobby.Settings, v string) { s.NoEarnings = v == "off" },
}

// New returns the page.
func New(e *page.Env) *Page {
	s := clubOf(e).Settings()
	who := "You're a guest: your settings are forgotten when you leave. Make a key with ssh-keygen and come back; the key is your account."
	if a := clubOf(e).Account(); a != nil {
		who = "You are " + a.Name + ", a member since " + a.Created.UTC().Format("2 January 2006") + ". Your SSH key is your " +
			"account; settings go with it."
	}
	return &Page{env: e, now: s, kept: s, who: who, rows: []Row{
		Tiles(),
		Colours(),
		toggle("Bell", "Rings when it is your turn.", func(s *lobby.Settings) *bool { return &s.Bell }),
		toggle("Mouse", "Lets you click tiles and ends. Hold Shift to select text.", func(s *lobby.Settings) *bool { return &s.Mouse }),
		toggle("Line mode", "Plain text, line by line, for screen readers and slow connections; from your next visit on.",
			func(s *lobby.Settings) *bool { return &s.LineMode }),
		earnings,
		{
			"Friends", "Told: you are told when a friend comes. Seen: people who have you as a friend are told when you come.", lobby.FriendNotes(),
			(*lobby.Settings).FriendNotes, (*lobby.Settings).SetFriendNotes,
		},
		toggle("Calm", "Scores are shown at once: nothing lights up when a play scores.", func(s *lobby.Settings) *bool { return &s.Calm }),
	}}
}

// Init loads nothing: settings are in the visit.
func (p *Page) Init() tea.Cmd { return nil }

func (p *Page) Chrome() page.Chrome {
	return page.Chrome{Title: "Settings", Widest: page.WidestText}
}

func (p *Page) Actions() (does page.Actions) {
	does.With(true, keyChange, func(pressed string) tea.Cmd { return p.change(page.Step(pressed)) })
	does.Move(true, page.KeyMove, func(pressed string) tea.Cmd {
		c := page.Cursor{At: p.at}
		c.Move(pressed, len(p.rows), len(p.rows))
		p.at = c.At
		return nil
	})
	return does
}

func (p *Page) Update(msg tea.Msg) (page.Page, tea.Cmd) {
	if k, ok := msg.(tea.KeyPressMsg); ok {
		return p, page.Press(p, k)
	}
	return p, nil
}

func (p *Page) Point(_, y int) (again bool, cmd tea.Cmd) {
	if from, to := p.shown(); y >= 0 && y < to-from {
		p.at = from + y
	}
	return false, nil
}

// helpRows is how many rows every help has, so that nothing below it moves.
func (p *Page) helpRows() int {
	const narrow = 56 // columns; with less, a help takes three rows
	if p.Width < narrow {
		return 3
	}
	return 2
}

// shown returns which rows are shown, from one up to but without the other: all of them, except on the smallest screens.
func (p *Page) shown() (from, to int) {
	room := min(len(p.rows), p.Height-p.helpRows())
	from = max(p.at-room+1, 0)
	return from, from + room
}

// change takes another choice of the setting under the cursor; it is seen at once, and kept.
func (p *Page) change(by int) tea.Cmd {
	p.rows[p.at].Change(&p.now, by)
	p.env.Restyle(p.now)
	return p.save()
}

// save asks the club to keep what is chosen. One question is under way at a time, so that the last choice is
// the one kept.
func (p *Page) save() tea.Cmd {
	if p.saving.Waiting() || reflect.DeepEqual(p.now, p.kept) {
		return nil
	}
	p.kept = p.now
	kept := p.now
	return p.saving.Ask(p.env, func(ctx context.Context) tea.Msg {
		err := clubOf(p.env).SaveSettings(ctx, kept)
		return page.Then(func() tea.Cmd {
			if err == nil {
				return p.save()
			}
			p.now = clubOf(p.env).Settings()
			p.kept = p.now
			p.env.Restyle(p.now)
			return page.Refused(err)
		})
	})
}

// roomy is how many rows leave some blank.
const roomy = 21

// Lines draws the settings, what the chosen one means, tiles as they look now, and who one is.
func (p *Page) Lines() []string {
	t, w, h := p.env.Theme, p.Width, p.Height
	lines := make([]string, 0, h)
	from, to := p.shown()
	for i := from; i < to; i++ {
		lines = append(lines, p.rows[i].Draw(t, &p.now, i == p.at))
	}
	help := page.Wrap(page.Plain(t, p.rows[p.at].Help), min(w-4, 72))
	room := p.helpRows()
	if h > len(lines)+room {
		lines = append(lines, "")
	}
	for i := range room {
		s := ""
		if i < len(help) {
			s = "   " + t.Paint(theme.Muted, help[i])
		}
		lines = append(lines, s)
	}
	if h >= roomy {
		lines = append(lines, "")
	}
	gallery := Gallery(t, w-4)
	if len(gallery) > h-len(lines) {
		gallery = Gallery(t, 30) // the small tiles, one below the other
	}
	if len(gallery) <= h-len(lines) {
		for _, s := range gallery {
			lines = append(lines, "   "+s)
		}
	}
	who := page.Wrap(page.Plain(t, p.who), min(w-4, 72))
	if v := p.env.Version; v != "" {
		if more := page.Wrap(page.Plain(t, p.who+" This is Boneyard "+v+"."), min(w-4, 72)); h-len(lines) > len(more) {
			who = more
		}
	}
	if h-len(lines) > len(who) {
		lines = append(lines, "")
		for _, s := range who {
			lines = append(lines, "   "+t.Paint(theme.Muted, s))
		}
	}
	return lines
}
