// Package person has the page of one person: who they are, how they play, and the reader's results against
// them.
package person

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"

	tea "charm.land/bubbletea/v2"

	"boneyard/lobby"
	"boneyard/lobby/event/season"
	"boneyard/lobby/text"
	"boneyard/ui/games"
	"boneyard/ui/page"
	"boneyard/ui/theme"
)

// Page is the page of one person.
type Page struct {
	page.Listed
	env     *page.Env
	name    string
	who     *lobby.Profile // nil until loaded
	missing bool           // there is no such member

	games page.List[lobby.GameInfo]
	line  page.Input // of a message to them
}

var (
	keyReplay = page.Bind("enter", "replay the game", "enter")
	keyWatch  = page.Bind("w", "go to their table", "w")
	keyTeam   = page.Bind("t", "their team", "t")
	keyAll    = page.Bind("a", "all their games", "a")
	keyWrite  = page.Bind("m", "write to them", "m")
	keyIgnore = page.Bind("i", "ignore them", "i")
	keyHear   = page.Bind("i", "stop ignoring them", "i")
)

// New returns the page of the person whom a target names.
func New(e *page.Env, to page.Target) *Page {
	p := &Page{env: e, name: to.Name}
	p.Sheet = p.sheet
	return p
}

// Init loads the person.
func (p *Page) Init() tea.Cmd {
	return page.Find((*page.Env).Call, p.env, func(ctx context.Context) (*lobby.Profile, error) {
		return p.env.Visit.Profile(ctx, p.name)
	}, p.take)
}

func (p *Page) take(who *lobby.Profile, err error) tea.Cmd {
	switch {
	case errors.Is(err, lobby.ErrNoMember):
		p.who, p.missing = nil, true
	case err != nil:
		return page.Refused(err)
	default:
		p.who = who
		p.games.Set(who.Games)
	}
	return nil
}

func (p *Page) Chrome() page.Chrome {
	title := p.name
	if p.who != nil {
		title = p.who.Name
	}
	return page.Chrome{Title: text.Printable(title), Widest: page.WidestList, Typing: p.line.Active(),
		Cursor: p.line.FootCursor(p.env.Theme, p.Size)}
}

func (p *Page) Actions() (does page.Actions) {
	if p.line.Active() {
		return p.line.Actions("send", func(typed string) tea.Cmd {
			if typed == "" {
				return nil
			}
			return p.say(p.tell() + typed)
		})
	}
	if who := p.who; who != nil {
		if g := p.games.Chosen(); g != nil {
			does.OpenPage(true, keyReplay, page.Target{Kind: page.Replay, Game: g.ID})
		}
		watch, other := keyWatch, who.ID != p.env.Visit.Player().ID
		if !other {
			watch = page.Named(watch, "go to your table")
		}
		if who.Here != nil {
			does.Table(true, watch, page.ByKey, who.Here.Table)
		}
		does.Meet(p.env, p.env.Visit, who.Name, who.Here)
		if other {
			does.Challenge(p.env.Visit.MayChallenge(), page.Target{Name: who.Name})
			does.Set(true, keyWrite, func() {
				p.line = page.NewInput("To "+text.Printable(who.Name)+":", "", text.MaxLine-len(p.tell()))
				p.line.Focus()
			})
			me, name := p.env.Visit.Settings(), text.Skeleton(who.Name)
			ignored := slices.ContainsFunc(me.IgnoredNames(), func(n string) bool { return text.Skeleton(n) == name })
			does.Add(!ignored, keyIgnore, func() tea.Cmd { return p.say("/ignore " + who.Name) })
			does.Add(ignored, keyHear, func() tea.Cmd { return p.say("/unignore " + who.Name) })
		}
		if who.Team != nil {
			does.Go(true, keyTeam, page.Target{Kind: page.TeamPage, Team: who.Team.ID})
		}
		does.Go(len(who.Games) > 0, keyAll, page.Target{Kind: page.Games, Search: who.Name})
		does.Move(len(who.Games) > 0, page.KeyMove, p.Move)
	}
	does.Add(true, page.KeyReload, p.Init)
	return does
}

// tell begins the command that sends a message. The person may leave while it is typed.
func (p *Page) tell() string { return "/tell " + p.name + " " }

// say has a command of the chat carried out, and shows the reply.
func (p *Page) say(line string) tea.Cmd {
	return page.Get((*page.Env).Call, p.env, func(ctx context.Context) (string, error) { return p.env.Visit.Say(ctx, line) },
		func(reply string) tea.Cmd { return page.Send(page.Say(reply)) })
}

// Update shows where the person is now.
func (p *Page) Update(msg tea.Msg) tea.Cmd {
	p.line.Handle(msg)
	if _, ok := msg.(page.ClubUpdateMsg); !ok || p.who == nil {
		return nil
	}
	who := *p.who
	who.Here = nil
	people := p.env.Visit.Snapshot().People
	for i := range people {
		if people[i].Player.Name == who.Name {
			who.Here = &people[i]
		}
	}
	p.who = &who
	return nil
}

func (p *Page) width() int { return p.Width - 1 }

func (p *Page) sheet() page.Sheet {
	t, foot := p.env.Theme, p.line.Foot(p.env.Theme, p.Width)
	switch {
	case p.missing:
		none := "   " + t.Paint(theme.Muted, page.Keyed("No such member; press %s to go back.", page.KeyBack))
		return page.Sheet{Above: []string{none}, Below: foot}
	case p.who == nil:
		return page.Sheet{Above: []string{"   " + t.Paint(theme.Muted, page.Looking(t))}}
	case p.who.Guest:
		return page.Sheet{Above: p.facts(), Below: foot}
	}
	width := p.width()
	above := append(p.facts(), " "+page.Rule(t, "Last games", width-1))
	if p.games.Len() == 0 {
		above = append(above, "   "+t.Paint(theme.Muted, "None yet."))
	}
	d := games.Of(t, width, func(g *lobby.GameInfo) string { return g.How(p.who.Name) })
	return page.Sheet{Above: above, Below: foot, Rows: p.games.Drawn(func(_ int, g *lobby.GameInfo, chosen bool) string {
		return d.Row(g, chosen, page.Usual)
	})}
}

// facts returns all that is known of the person except the games, one fact a line.
func (p *Page) facts() []string {
	t, who, w := p.env.Theme, p.who, p.width()
	dot := " " + t.Glyphs().Dot + " "
	var lines []string
	add := func(role theme.Role, s string) { lines = append(lines, " "+t.Paint(role, page.Clip(t, s, w-1))) }
	switch {
	case who.Here != nil:
		here := "here now, " + who.Here.Doing
		if idle := who.Here.Idle(p.env.Now()); idle != "" {
			here += ", " + idle
		}
		add(theme.Good, here)
	default:
		add(theme.Muted, "not here now")
	}
	if who.Guest {
		add(theme.Muted, "a guest; their games are not saved")
		return lines
	}
	since := "member since " + who.Member.UTC().Format("2 January 2006")
	if who.Bot {
		since = "a program" + dot + since
	}
	if who.Team != nil {
		since = "plays for [" + who.Team.Tag + "] " + who.Team.Name + dot + since
	}
	add(theme.Muted, since)
	if s := who.Standing; s != nil {
		parts := []string{"rating " + s.Number(), fmt.Sprintf("rank %d", s.Rank), fmt.Sprintf("%d won", s.Won), fmt.Sprintf("%d lost", s.Lost)}
		if s.Shared > 0 {
			parts = append(parts, fmt.Sprintf("%d shared", s.Shared))
		}
		add(theme.Text, strings.Join(parts, dot))
		if n := len(s.History); n > 1 {
			first, last := strconv.Itoa(s.History[0]), strconv.Itoa(s.History[n-1])
			add(theme.Accent, first+" "+page.History(t, s.History, 24)+" "+last)
		}
	} else {
		add(theme.Muted, "no rated game yet")
	}
	if who.Shield {
		add(theme.Accent, t.Glyphs().Shield+" holds the shield of the season")
	}
	if len(who.Titles) > 0 {
		add(theme.Text, "within a year: "+season.Summary(who.Titles))
	}
	if len(who.Accuracies) > 1 {
		lines = append(lines, " "+page.Accuracies(t, "accuracy by the coach ", who.Accuracies, max(min(24, w-30), 4)))
	}
	if who.Versus != nil {
		add(theme.Text, page.Plain(t, who.Versus.Sentence(who.Name)))
	}
	if p.Height >= page.RoomyBody {
		lines = append(lines, "")
	}
	return lines
}
