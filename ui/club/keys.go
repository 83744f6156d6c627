package club

import (
	"context"
	"slices"
	"strings"

	"charm.land/bubbles/v2/key"
	tea "charm.land/bubbletea/v2"

	"boneyard/lobby"
	"boneyard/rules"
	"boneyard/table"
	"boneyard/ui/page"
)

var (
	keyEnter = page.Bind("enter", "open", "enter")
	keyWatch = page.Bind("w", "watch", "w")
	keyWall  = page.Bind("W", "the wall of tables", "W")
	keyArena = page.Bind("A", "arenas", "A")
	keyTeams = page.Bind("L", "leagues and cups", "L")
	keyComes = page.Bind("C", "calendar", "C")
	keySame  = page.Bind("D", "duplicate matches", "D")
	keyDaily = page.Bind("d", "daily deal", "d")
	keyNew   = page.Bind("n", "new table", "n")
	keyQuick = page.Bind("p", "quick play", "p")
	keyEasy  = page.Bind("e", "quick play, weaker bots", "e")
	keyHard  = page.Bind("h", "quick play, stronger bots", "h")
	keyBest  = page.Bind("v", "watch the best game", "v")
	keyJoin  = page.Bind("j", "join by code", "j")
	keyTalk  = page.Bind("t", "talk", "t")
	keyFind  = page.Bind("/", "find tables", "/")
	keyNews  = page.Bind("o", "open the latest news", "o")
	keyPanel = page.Bind("←→", "tables, chat, people, news", "left", "right")
	keySeats = page.Bind("f", "only free seats", "f")
	keyMine  = page.Bind("m", "only my tables", "m")
	keyGame  = page.Bind("g", "one game only", "g")
	keyKind  = page.Bind("k", "one kind only", "k")

	keySay   = page.Bind("enter", "send", "enter")
	keyTake  = page.Bind("enter", "join", "enter")
	keyKeep  = page.Bind("enter", "keep", "enter")
	keyAll   = page.Bind("esc", "show all", "esc")
	keyClose = page.Bind("esc", "close", "esc")
)

// doors are the keys that open another page.
var doors = []struct {
	key  key.Binding
	page page.Kind
}{
	{keyArena, page.Arena}, {keyTeams, page.Contest}, {keySame, page.Duplicate}, {keyComes, page.Calendar},
	{keyWall, page.Wall}, {keyDaily, page.Daily}, {keyNew, page.NewTable},
}

func (p *Page) key(msg tea.KeyPressMsg) tea.Cmd {
	for _, d := range doors {
		if key.Matches(msg, d.key) {
			return page.Open(page.Target{Kind: d.page})
		}
	}
	switch {
	case key.Matches(msg, keyEnter):
		return p.enter()
	case key.Matches(msg, keyWatch):
		switch p.focus {
		case people:
			return p.visitWhereabouts()
		case tables:
			return p.watch(p.table())
		}
	case key.Matches(msg, keyQuick):
		return p.quick(lobby.QuickEven)
	case key.Matches(msg, keyEasy):
		return p.quick(lobby.QuickEasy)
	case key.Matches(msg, keyHard):
		return p.quick(lobby.QuickHard)
	case key.Matches(msg, keyBest):
		return p.goToSeat(p.club.BestGame)
	case key.Matches(msg, keyJoin):
		p.write(joining)
	case key.Matches(msg, keyTalk):
		p.write(talking)
	case key.Matches(msg, keyFind):
		p.focus = tables
		p.write(finding)
	case key.Matches(msg, keyNews):
		return p.latest()
	case msg.String() == "left":
		p.focus = (p.focus + panels - 1) % panels
	case msg.String() == "right":
		p.focus = (p.focus + 1) % panels
	case key.Matches(msg, keySeats):
		p.narrow(func(f *lobby.Filter) { f.Joinable = !f.Joinable })
	case key.Matches(msg, keyMine):
		p.narrow(func(f *lobby.Filter) { f.Mine = !f.Mine })
	case key.Matches(msg, keyGame):
		p.narrow(func(f *lobby.Filter) { f.Game = next(f.Game, games()) })
	case key.Matches(msg, keyKind):
		p.narrow(func(f *lobby.Filter) { f.Access = next(f.Access, kinds) })
	case key.Matches(msg, keyAll):
		p.narrow(func(f *lobby.Filter) { *f = lobby.Filter{} })
	case key.Matches(msg, page.KeyMove):
		p.move(msg)
	}
	return nil
}

func (p *Page) keyInLine(msg tea.KeyPressMsg) tea.Cmd {
	switch msg.String() {
	case "esc":
		if p.typing == finding {
			p.input.Set("")
			p.typed()
		}
		p.typing = nothing
		return nil
	case "enter":
		return p.send()
	case "up", "down", "pgup", "pgdown":
		if p.typing == finding || p.typing == talking {
			p.move(msg)
			return nil
		}
	}
	p.input.Update(msg)
	p.typed()
	return nil
}

// typed looks for tables as one types.
func (p *Page) typed() {
	if p.typing == finding && p.input.Value() != p.filter.Text {
		p.narrow(func(f *lobby.Filter) { f.Text = p.input.Value() })
	}
}

// send does what the line was typed for. An empty line closes it.
func (p *Page) send() tea.Cmd {
	what := p.typing
	if what != talking || p.input.Value() == "" {
		p.typing = nothing
	}
	if what == finding {
		return nil
	}
	line := strings.TrimSpace(p.input.Take())
	switch {
	case line == "":
		return nil
	case what == joining:
		return p.goToSeat(func(ctx context.Context) (table.ID, error) { return p.club.Join(ctx, line) })
	}
	return p.env.Call(func(ctx context.Context) tea.Msg {
		reply, err := p.club.Say(ctx, line)
		return repliedMsg{line, reply, err}
	})
}

// move moves the cursor of the panel that is looked at; while talking, that is the chat.
func (p *Page) move(msg tea.KeyPressMsg) {
	at := p.focus
	if p.typing == talking {
		at = chat
	}
	c := &p.cursor[at]
	if at == chat {
		p.scrollChat(msg.String())
		return
	}
	c.Move(msg, p.length(at), p.rows(at))
	p.scroll()
	p.moved = p.moved || at == tables
	p.follow()
}

// scrollChat moves through the chat, whose cursor counts lines from the newest.
func (p *Page) scrollChat(name string) {
	h, n := max(p.rows(chat)-1, 1), p.talk.count()
	by := map[string]int{"up": 1, "down": -1, "pgup": h, "pgdown": -h, "home": n, "end": -n}[name]
	p.cursor[chat].At = max(min(p.cursor[chat].At+by, n-1), 0)
}

// length is how many rows a panel's list has.
func (p *Page) length(at panel) int {
	switch at {
	case people:
		return len(p.snap.People)
	case news:
		return len(p.snap.News)
	}
	return len(p.order)
}

// click chooses what is pointed at; what is chosen already is opened.
func (p *Page) click(msg tea.MouseClickMsg) tea.Cmd {
	l := p.layout()
	for i := range l.panels {
		at, r := panel(i), l.list(panel(i))
		row := msg.Y - r.y
		if l.small && at != p.focus || msg.X < r.x || msg.X >= r.x+r.w || row < 0 || row >= r.h {
			continue
		}
		switch at {
		case chat:
			p.focus = chat
			return nil
		case news:
			rows := p.newsRows(l.panels[news])
			if row >= len(rows) {
				return nil
			}
			row = rows[row].item
		default:
			row += p.cursor[at].Top
		}
		if row >= p.length(at) {
			return nil
		}
		if p.focus == at && row == p.cursor[at].At {
			return p.enter()
		}
		p.focus, p.cursor[at].At = at, row
		p.moved = p.moved || at == tables
		p.follow()
		return nil
	}
	return nil
}

// next is the choice after now; after the last comes none.
func next[T ~string](now T, all []T) T {
	if i := slices.Index(all, now) + 1; i < len(all) {
		return all[i]
	}
	return ""
}

var kinds = []table.Access{table.AccessOpen, table.AccessCode, table.AccessTeams}

func games() []string {
	var all []string
	for _, g := range rules.Presets() {
		all = append(all, g.String())
	}
	return all
}
